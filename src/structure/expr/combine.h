// SPDX-License-Identifier: MIT
// Combines tests and operands into the expression that the compiler has split into jumps.
#pragma once

#include "lift/unfolded.h"
#include "structure/graph.h"

namespace depyf::structure {

// Returns the test of a branch, or its negation.
[[nodiscard]] ast::ExprId tested(lift::Unit& unit, const State& branch, bool holds);

// Returns whether the negation of a branch's test compiles to the same branch. If the dialect has folds_not_contains,
// `not a in b` is a different operation.
[[nodiscard]] bool may_negate(const lift::Unit& unit, const State& branch);

// Returns `a op b`. Operands that are operations with the same operator are flattened, except an `a` with
// `is_one_operand`.
[[nodiscard]] ast::ExprId bool_op(lift::Unit& unit, ast::BoolOperator op, ast::ExprId a, ast::ExprId b,
                                  bool is_one_operand = false);

// Returns `(a or b) or c` for a and `b or c`: jump threading shows that the value of `a or b` is tested again
// (jump_thread in Python/flowgraph.c).
[[nodiscard]] ast::ExprId grouped(lift::Unit& unit, ast::BoolOperator op, ast::ExprId a, ast::ExprId rest);

// Returns a spelling of a constant that is the first operand of `op` and that the code tests although its outcome is
// known: one that the compiler folds after the test (lift::unfolded), else an expression whose test it folds into the
// branch (optimize_basic_block in Python/flowgraph.c): `(1 and C) or a`, `(0 or C) and a`.
[[nodiscard]] ast::ExprId unfolded_operand(lift::Unit& unit, ast::BoolOperator op, ast::ExprId value);

// Returns `a < b < c` for the comparisons `a < b` and `b < c`; b is evaluated once.
[[nodiscard]] ast::ExprId chain(lift::Unit& unit, ast::ExprId first, ast::ExprId rest);

}  // namespace depyf::structure
