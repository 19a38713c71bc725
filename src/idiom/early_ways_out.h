// SPDX-License-Identifier: MIT
// Arms with nothing in them: `if a in b: pass` with an `else` at the end of a loop's body or a function's is
// `if a in b: continue`, or `return`, and what follows it.
//
// Invariant: the same tests and statements in the same order. Arms stay elsewhere, where nothing says so well that the
// rest is left out: up to 3.13 `not a in b` would be another operation.
#pragma once

#include "ast/ast.h"

namespace depyf::idiom {

// The finished body of one code object.
void leave_early(ast::Tree& tree, ast::Block& body, bool function);

}  // namespace depyf::idiom
