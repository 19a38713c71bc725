// SPDX-License-Identifier: MIT
// Restores `not` and parentheses among `and` and `or`, from the columns of their operands (3.11+). In tests, the
// compiler generates the same code for `not (a or b)` and `not a and not b` (codegen_jump_if in Python/codegen.c
// exchanges the jump targets), and everywhere for `a and (b and c)` and `a and b and c`. Without columns,
// `not (a or b)` becomes `not a and not b` if that needs no more negations (one more in versions without columns).
//
// Invariant: the same bytecode.
#pragma once

#include <cstdint>
#include <set>

#include "ast/ast.h"
#include "bytecode/dialect.h"
#include "idiom/columns.h"

namespace depyf::idiom {

class BoolOperators {
 public:
  BoolOperators(const CodeTree& code, ast::Tree& tree, const Dialect& dialect, const Columns& columns)
      : code_(code), tree_(tree), dialect_(dialect), columns_(columns) {}

  // What an expression is used for: the test of an `if` (or `elif`), a `while`, an assertion, a comprehension's `if`,
  // or another test; a returned value or another value. In a value, no `not` is moved.
  enum class Role : std::uint8_t { kIf, kElif, kWhile, kAsserted, kClause, kTest, kReturned, kValue };

  // Returns whether the known columns of the operands fit the operation as the tree has it.
  [[nodiscard]] bool is_written(ast::ExprId e, NodePositions::Extents& known) const;

  // Rewrites an expression as the source has it, unless it is a part of one that was rewritten.
  void write(ast::ExprId e, Role role);

 private:
  const CodeTree& code_;
  ast::Tree& tree_;
  const Dialect& dialect_;
  const Columns& columns_;
  std::set<ast::ExprId> known_;  // operations that were handled, as a whole or as a part
};

}  // namespace depyf::idiom
