// SPDX-License-Identifier: MIT
// Early returns. An empty arm becomes an abrupt exit where the code that follows is one: `if a in b: pass` with an
// `else` is `if a in b: continue` at the end of a loop's body, `return` at the end of a function's (or of a with or try
// statement that ends it), and `return c` before a `return c` that is short enough to be duplicated; the body of the
// `else` then follows the statement. So does the body of `if not a < b` where nothing else is left to do, or where its
// `else` leaves. A loop that only tests is written `while a: if b: break`.
//
// Invariant: the same tests and statements in the same order. Arms stay elsewhere, where nothing says so well that the
// rest is left out: up to 3.13 `not a in b` would be another operation.
#pragma once

#include "ast/ast.h"
#include "bytecode/dialect.h"

namespace depyf::idiom {

// The finished body of one code object; `flags` are its co_flags.
void write_guard_clauses(ast::Tree& tree, const Dialect& dialect, ast::Block& body, std::uint32_t flags);

}  // namespace depyf::idiom
