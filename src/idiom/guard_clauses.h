// SPDX-License-Identifier: MIT
// Writes guard clauses. An empty arm becomes an exit if control continues with one: `if a in b: pass` with an `else` is
// `if a in b: continue` at the end of a loop's body, `return` at the end of a function's (or of a `with` or `try` that
// ends it), and `return c` before a `return c` that is short enough to be duplicated; the body of the `else` follows
// the statement. So does the body of `if not a < b` at the end of a block, or if its `else` always exits. A loop that
// only tests becomes `while a: if b: break`.
//
// Invariant: the same tests and statements in the same order. Only an empty arm and `not` before a comparison show that
// the source has a guard clause. A test is not negated otherwise: up to 3.13, `not a in b` is another operation.
#pragma once

#include "ast/ast.h"
#include "bytecode/dialect.h"

namespace depyf::idiom {

// Works on the finished body of one code object; `flags` are its co_flags.
void write_guard_clauses(ast::Tree& tree, const Dialect& dialect, ast::Block& body, std::uint32_t flags);

}  // namespace depyf::idiom
