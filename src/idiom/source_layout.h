// SPDX-License-Identifier: MIT
// The layout of `if` statements that the columns of the source tell (3.11+), where several say the same: what follows an
// arm that always leaves stands in an `else` or after the statement, the rest of a loop's or a function's body under a
// test or after a guard clause.
//
// Invariant: the same tests and statements in the same order, and the same bytecode but for what the layout itself decides.
// Without columns (`-X no_debug_ranges`) only what follows a `finally` clause is changed, which lines tell; up to 3.10, what
// line_layout.h says besides.
#pragma once

#include "ast/ast.h"
#include "bytecode/dialect.h"
#include "bytecode/positions.h"

namespace depyf::idiom {

// The finished body of one code object.
void follow_source_layout(const CodeTree& code_tree, ast::Tree& tree, const Dialect& dialect,
                          SourcePositions& positions, CodeId code, ast::Block& body);

}  // namespace depyf::idiom
