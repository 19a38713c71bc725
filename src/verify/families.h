// SPDX-License-Identifier: MIT
// The functions that execute the families of operations, by file, and those that the families share. A family's
// function returns Step::kNoRule if it has no rule for the instruction (or the operands), so that the next one is
// tried.
#pragma once

#include <vector>

#include "verify/effects.h"

namespace depyf::proof {

// ---- effects_names.cpp
Step stack_op(Runner& r, const Instruction& insn);
Step local_op(Runner& r, const Instruction& insn);
Step cell_op(Runner& r, const Instruction& insn);
Step name_op(Runner& r, const Instruction& insn);
Step other_op(Runner& r, const Instruction& insn);  // all other operations

// ---- effects_data.cpp
Step attribute_op(Runner& r, const Instruction& insn);
Step item_op(Runner& r, const Instruction& insn);
Step display_op(Runner& r, const Instruction& insn);
Step map_op(Runner& r, const Instruction& insn);
Step grow_op(Runner& r, const Instruction& insn);
Step operator_op(Runner& r, const Instruction& insn);
// Executes list.extend(by). Known items are appended at once. Otherwise iterating `by` is an effect whose result is
// appended; if it raises, the contents of the list are unknown, as some items may have been appended.
Step extend(Runner& r, const Instruction& insn, ValueId list, ValueId by, std::size_t pops);
// Jumps on the truth of a value or pushes it, as `then` tells: an effect if __bool__() or __len__() may run.
Step test(Runner& r, const Instruction& insn, ValueId v, Event::Then then, std::size_t pops);

// ---- effects_flow.cpp
Step call_op(Runner& r, const Instruction& insn);
Step function_op(Runner& r, const Instruction& insn);
Step flow_op(Runner& r, const Instruction& insn);
Step exception_op(Runner& r, const Instruction& insn);

// ---- effects.cpp: properties of objects that only effects can change
// Returns the __context__ of an exception, and the type of an object, at this point.
[[nodiscard]] ValueId context_now(Runner& r, ValueId exception);
[[nodiscard]] ValueId type_now(Runner& r, ValueId of);

}  // namespace depyf::proof
