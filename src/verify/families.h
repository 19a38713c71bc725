// SPDX-License-Identifier: MIT
// What executes each family of operations, and what the families ask of each other. By the file that has it.
#pragma once

#include <vector>

#include "verify/effects.h"

namespace depyf::proof {

// ---- effects_names.cpp
Step stack_op(Runner& r, const Instruction& insn);
Step local_op(Runner& r, const Instruction& insn);
Step cell_op(Runner& r, const Instruction& insn);
Step name_op(Runner& r, const Instruction& insn);
Step other_op(Runner& r, const Instruction& insn);  // the rest

// ---- effects_data.cpp
Step attribute_op(Runner& r, const Instruction& insn);
Step item_op(Runner& r, const Instruction& insn);
Step display_op(Runner& r, const Instruction& insn);
Step map_op(Runner& r, const Instruction& insn);
Step grow_op(Runner& r, const Instruction& insn);
Step operator_op(Runner& r, const Instruction& insn);
// list.extend(by): by known items at once; else `by` is iterated first, and what it gave is appended then. An exception
// may come in the middle: what the list holds afterwards is not known.
Step extend(Runner& r, const Instruction& insn, ValueId list, ValueId by, std::size_t pops);
// Jumps on, or pushes, the truth of a value: an effect where it may run somebody's code.
Step test(Runner& r, const Instruction& insn, ValueId v, Event::Then then, std::size_t pops);

// ---- effects_flow.cpp
Step call_op(Runner& r, const Instruction& insn);
Step function_op(Runner& r, const Instruction& insn);
Step flow_op(Runner& r, const Instruction& insn);
Step exception_op(Runner& r, const Instruction& insn);

// ---- effects.cpp: what is asked of an exception between two effects
[[nodiscard]] ValueId context_now(Runner& r, ValueId exception);
[[nodiscard]] ValueId type_now(Runner& r, ValueId of);

}  // namespace depyf::proof
