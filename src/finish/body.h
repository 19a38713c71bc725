// SPDX-License-Identifier: MIT
// Turns the statements of one code object into the body that its parent prints.
//
// Adds declarations (`global`, `nonlocal`) and the docstring, removes what only the compiler wrote (stores of a class
// body, the implicit `return None`), and turns the bodies of lambdas and comprehensions into expressions. It works on
// scopes and statements; of control flow it only uses which instructions are reachable.
#pragma once

#include <algorithm>
#include <span>

#include "bytecode/instruction.h"
#include "cfg/cfg.h"
#include "lift/lift.h"

namespace depyf::finish {

// The reachable instructions that access variables and globals. Unreachable code, which older compilers keep, is
// omitted.
struct VariableAccesses {
  std::vector<Instruction> variables;  // accesses of locals and cells, one of each kind, by slot
  std::vector<Instruction> globals;    // LOAD_GLOBALs, one of each name, in order
  bool some_unreached = false;         // some reachable code may be missing from the text: see Cfg::some_unreached
};
// Returns the accesses of one slot.
[[nodiscard]] inline std::span<const Instruction> accesses_of(const VariableAccesses& accesses, std::size_t slot) {
  const auto range = std::ranges::equal_range(accesses.variables, slot, {}, &Instruction::arg);
  return {range.begin(), range.end()};
}
[[nodiscard]] VariableAccesses variable_accesses(const Cfg& cfg);

void finish_body(lift::Unit& unit, CodeId code, const Bytecode& bytecode, const VariableAccesses& accesses,
                 ast::Block block);

}  // namespace depyf::finish
