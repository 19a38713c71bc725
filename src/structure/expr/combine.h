// SPDX-License-Identifier: MIT
// Tests and operands put together to the expression that the compiler takes apart so.
#pragma once

#include "structure/graph.h"

namespace depyf::structure {

// The test of a branch, or its negation.
[[nodiscard]] ast::ExprId tested(lift::Unit& unit, const State& branch, bool holds);

// Whether the negation of a branch's test compiles to the same branch: `not a in b` is another operation
// (folds_not_contains).
[[nodiscard]] bool may_negate(const lift::Unit& unit, const State& branch);

// `a op b`; operands that are of the same operator already are laid side by side, but for an a that stays `apart`.
[[nodiscard]] ast::ExprId bool_op(lift::Unit& unit, ast::BoolOperator op, ast::ExprId a, ast::ExprId b,
                                  bool apart = false);

// `(a or b) or c` of a and `b or c`: what the test of a leads to is tested again (jump_thread in Python/flowgraph.c).
[[nodiscard]] ast::ExprId grouped(lift::Unit& unit, ast::BoolOperator op, ast::ExprId a, ast::ExprId rest);

// A constant that is tested although its outcome is known: the compiler folds such a test, unless the constant is one of
// its making.
[[nodiscard]] ast::ExprId unfolded_test(lift::Unit& unit, ast::ExprId value);

// The same as the first operand of a chain, where the test may be one that the compiler's own folding has left in the branch
// (optimize_basic_block in Python/flowgraph.c): `1 and C or a`, `(0 or C) and a`.
[[nodiscard]] ast::ExprId unfolded_operand(lift::Unit& unit, ast::BoolOperator op, ast::ExprId value);

// `a < b < c` of the comparisons `a < b` and `b < c`, whose b is evaluated once.
[[nodiscard]] ast::ExprId chain(lift::Unit& unit, ast::ExprId first, ast::ExprId rest);

}  // namespace depyf::structure
