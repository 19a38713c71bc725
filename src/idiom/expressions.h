// SPDX-License-Identifier: MIT
// Expressions in the form in which a person writes them, where the compiler makes one code of several (3.11+):
// `'%s' % (a,)` for `f'{a!s}'` (optimize_format of Python/ast_opt.c), and in tests, on all versions,
// `a is not None and not b` for `not (a is None or b)`, where that needs no more negations (codegen_jump_if of
// Python/codegen.c exchanges the targets of both).
//
// Invariant: the same bytecode.
#pragma once

#include "ast/ast.h"
#include "bytecode/dialect.h"
#include "bytecode/positions.h"

namespace depyf::idiom {

// What of an f-string's fields only `%` can have been is told by its conversions, else by positions.
void write_expressions(const CodeTree& code, ast::Tree& tree, const Dialect& dialect, SourcePositions& positions,
                       CodeId own, const ast::Block& body);

}  // namespace depyf::idiom
