// SPDX-License-Identifier: MIT
// Finishing one code object: from its statements to what its parent prints.
//
// Declarations (global, nonlocal), docstring, the compiler's own statements in class bodies, the last `return None`,
// lambdas and comprehensions. It knows scopes; of flow only which instructions are reached.
#pragma once

#include "bytecode/instruction.h"
#include "cfg/cfg.h"
#include "lift/lift.h"

namespace depyf::structure {

// The instructions on variables, globals among them, that are reached: what is not leaves the text, though older
// compilers keep its code.
[[nodiscard]] std::vector<Instruction> variable_accesses(const Cfg& cfg);

void finish_body(lift::Unit& unit, CodeId code, const Bytecode& bytecode, const std::vector<Instruction>& accesses,
                 ast::Block block);

}  // namespace depyf::structure
