// SPDX-License-Identifier: MIT
// Finishing one code object: from its statements to what its parent prints.
//
// Declarations (global, nonlocal), docstring, the compiler's own statements in class bodies, the last `return None`,
// lambdas and comprehensions. It knows scopes, not flow.
#pragma once

#include "bytecode/instruction.h"
#include "lift/lift.h"

namespace depyf::structure {

void finish_body(lift::Unit& unit, CodeId code, const Bytecode& bytecode, ast::Block block);

}  // namespace depyf::structure
