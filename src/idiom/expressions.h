// SPDX-License-Identifier: MIT
// Restores the form of expressions where several forms are the same bytecode: `'%s' % (a,)` for `f'{a!s}'` (3.11+,
// optimize_format in Python/ast_opt.c), and in all versions `'-' * 70` for a constant of 70 characters, and `not` among
// `and` and `or` (bool_operators.h). Also collects how strings and tuples are spelled (spellings.h).
//
// Invariant: the same bytecode.
#pragma once

#include <cstdint>
#include <vector>

#include "ast/ast.h"
#include "ast/spelling.h"
#include "bytecode/dialect.h"
#include "bytecode/positions.h"
#include "idiom/bool_operators.h"

namespace depyf::idiom {

// Works on the code objects of a tree one after the other, nested ones first. An f-string is a `%` operation if one of
// its fields has the conversion `!s`, or if positions show that a field has no braces.
class ExpressionWriter {
 public:
  ExpressionWriter(const CodeTree& code, ast::Tree& tree, const Dialect& dialect)
      : code_(code), tree_(tree), dialect_(dialect), needs_rewrite_(code.codes.size()) {}

  void write(const ast::Block& body, CodeId own, SourcePositions& positions);

  [[nodiscard]] const ast::Spellings& spellings() const { return spellings_; }

 private:
  [[nodiscard]] bool may_change(ast::ExprId e, const BoolOperators& operators, NodePositions::Extents& known) const;

  const CodeTree& code_;
  ast::Tree& tree_;
  const Dialect& dialect_;
  ast::Spellings spellings_;
  std::uint32_t examined_ = 0;       // number of the tree's expressions that were examined
  std::vector<bool> needs_rewrite_;  // by CodeId: an expression in it may have another form; most code has none
};

}  // namespace depyf::idiom
