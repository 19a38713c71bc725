// SPDX-License-Identifier: MIT
// Where the source has `not` and parentheses among `and` and `or`, by the columns of their operands (3.11+). In tests the
// compiler makes one code of `not (a or b)` and `not a and not b` (codegen_jump_if in Python/codegen.c exchanges the targets
// of both), everywhere of `a and (b and c)` and `a and b and c`. Where nothing is known, `not (a or b)` becomes
// `not a and not b` if that needs no more negations, or one more where the version has no columns.
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

  // What an expression is: a test of an `if` or `elif`, of `while`, of an assertion, of a comprehension, another one; or a
  // value, of which no `not` moves.
  enum class Role : std::uint8_t { kIf, kElif, kWhile, kAsserted, kClause, kTest, kReturned, kValue };

  // Whether the operators of an operation are where they are if it is written as it is, as far as the columns tell.
  [[nodiscard]] bool is_written(ast::ExprId e) const;

  // Writes one as the source does, unless it is within one that was written.
  void write(ast::ExprId e, Role role);

 private:
  const CodeTree& code_;
  ast::Tree& tree_;
  const Dialect& dialect_;
  const Columns& columns_;
  std::set<ast::ExprId> known_;  // operations that are written
};

}  // namespace depyf::idiom
