// SPDX-License-Identifier: MIT
// Restores the layout of `if`, `try`, loops and other statements in a finished body, from the columns of the source
// (3.11+), where several layouts are the same bytecode: code after an arm that always exits is in an `else` or after
// the statement, the rest of a loop's or function's body is in an `if` or after a guard clause.
//
// Invariant: the same tests and statements in the same order, and the same bytecode except for the jumps that layout
// decides. Without columns (`-X no_debug_ranges`), only code after `finally` clauses changes, for which lines are
// enough; up to 3.10, line_layout.h does more with lines.
#pragma once

#include "ast/ast.h"
#include "bytecode/dialect.h"
#include "bytecode/positions.h"

namespace depyf::idiom {

// Lays out the finished body of one code object.
void follow_source_layout(const CodeTree& code_tree, ast::Tree& tree, const Dialect& dialect,
                          SourcePositions& positions, CodeId code, ast::Block& body);

}  // namespace depyf::idiom
