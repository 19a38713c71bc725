// SPDX-License-Identifier: MIT
// Finishing one code object: from its statements to what its parent prints.
//
// Declarations (global, nonlocal), docstring, the compiler's own statements in class bodies, the last `return None`,
// lambdas and comprehensions. It knows scopes; of flow only which instructions are reached.
#pragma once

#include "bytecode/instruction.h"
#include "cfg/cfg.h"
#include "lift/lift.h"

namespace depyf::finish {

// The instructions on variables, globals among them, that the graph has: what it does not have leaves the text, though
// older compilers keep its code.
struct VariableAccesses {
  std::vector<Instruction> code;
  bool some_unreached = false;  // the text may not have all of them: see Cfg
};
[[nodiscard]] VariableAccesses variable_accesses(const Cfg& cfg);

void finish_body(lift::Unit& unit, CodeId code, const Bytecode& bytecode, const VariableAccesses& accesses,
                 ast::Block block);

}  // namespace depyf::finish
