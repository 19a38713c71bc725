// SPDX-License-Identifier: MIT
// Which of several spellings of one value the source has, as far as places tell (3.11+): raw strings and such as hold ends of
// lines, tuples in parentheses. Without places, what most people write.
//
// Invariant: the same value.
#pragma once

#include "ast/spelling.h"
#include "idiom/columns.h"

namespace depyf::idiom {

class Spellings {
 public:
  Spellings(const CodeTree& code_tree, const ast::Tree& tree, SourcePositions& positions, CodeId code)
      : code_tree_(code_tree), tree_(tree), columns_(tree, positions, code), code_(code) {}

  // Of an expression of the code object.
  [[nodiscard]] ast::Spelling of(ast::ExprId e) const;

 private:
  [[nodiscard]] bool is_in_parentheses(const ast::Tuple& tuple, const SourcePosition& place) const;
  [[nodiscard]] ast::Spelling spelling(const Constant& value, const SourcePosition* place) const;
  [[nodiscard]] ast::Spelling spelling(const ConstTuple& tuple, const SourcePosition* place) const;

  const CodeTree& code_tree_;
  const ast::Tree& tree_;
  Columns columns_;
  CodeId code_;
};

}  // namespace depyf::idiom
