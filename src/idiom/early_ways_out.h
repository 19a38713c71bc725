// SPDX-License-Identifier: MIT
// Arms with nothing in them, where what comes next leaves: `if a in b: pass` with an `else` is `if a in b: continue` at
// the end of a loop's body, `return` at a function's, and `return c` before a `return c` that is short enough to be
// there twice; what the `else` held follows it.
//
// Invariant: the same tests and statements in the same order. Arms stay elsewhere, where nothing says so well that the
// rest is left out: up to 3.13 `not a in b` would be another operation.
#pragma once

#include "ast/ast.h"

namespace depyf::idiom {

// The finished body of one code object.
void leave_early(ast::Tree& tree, ast::Block& body, bool function);

}  // namespace depyf::idiom
