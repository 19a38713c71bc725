// SPDX-License-Identifier: MIT
// Tests and their negations.
#pragma once

#include "ast/ast.h"

namespace depyf::ast {

// The e of `not e`; invalid: it is something else.
[[nodiscard]] ExprId without_not(const Tree& tree, ExprId e);

// `is not` for `is`, `in` for `not in` and the other way round.
[[nodiscard]] CompareOperator opposite(CompareOperator op);

// Whether it is one comparison by `is`, `is not`, `in` or `not in`, of which the compiler makes another for a `not` before it.
[[nodiscard]] bool is_inverted_by_not(const Tree& tree, ExprId e);

// Whether it is `x is None` or `x is not None`.
[[nodiscard]] bool is_none_test(const Tree& tree, const CodeTree& code, ExprId e);

// `not e`, or e without its `not`; `flips_identity`: where e is one comparison, `is` and `is not` change places instead.
[[nodiscard]] ExprId negated(Tree& tree, ExprId e, bool flips_identity);

}  // namespace depyf::ast
