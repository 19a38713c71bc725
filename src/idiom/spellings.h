// SPDX-License-Identifier: MIT
// Decides how the source spells a value, from its position (3.11+): as a raw or triple-quoted string, as a tuple in
// parentheses. Without a position, it uses the most common spelling.
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

  // Returns the spelling of an expression; kPlain for one of another code object.
  [[nodiscard]] ast::Spelling of(ast::ExprId e) const;

 private:
  [[nodiscard]] bool is_in_parentheses(const ast::Tuple& tuple, const SourcePosition& position) const;
  [[nodiscard]] ast::Spelling spelling(const Constant& value, const SourcePosition* position) const;
  [[nodiscard]] ast::Spelling spelling(const ConstTuple& tuple, const SourcePosition* position) const;

  const CodeTree& code_tree_;
  const ast::Tree& tree_;
  Columns columns_;
  CodeId code_;
};

}  // namespace depyf::idiom
