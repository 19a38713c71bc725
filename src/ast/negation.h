// SPDX-License-Identifier: MIT
// Negation of tests.
#pragma once

#include "ast/ast.h"

namespace depyf::ast {

// Returns e for `not e`, and an invalid id for any other expression.
[[nodiscard]] ExprId without_not(const Tree& tree, ExprId e);

// Returns the negated operator: `is not` for `is`, `in` for `not in`, and so on.
[[nodiscard]] CompareOperator opposite(CompareOperator op);

// Returns whether this is a single comparison by `is`, `is not`, `in` or `not in`. The compiler merges a `not` before
// it into the operator.
[[nodiscard]] bool is_inverted_by_not(const Tree& tree, ExprId e);

// Returns whether the expression is `x is None` or `x is not None`.
[[nodiscard]] bool is_none_test(const Tree& tree, const CodeTree& code, ExprId e);

// Returns `not e`, or e without its `not`. `flips_identity`: negates the operator of a single comparison instead.
[[nodiscard]] ExprId negated(Tree& tree, ExprId e, bool flips_identity);

}  // namespace depyf::ast
