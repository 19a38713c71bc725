// SPDX-License-Identifier: MIT
// Slots of cells within an inlined comprehension whose target has the name of a cell variable (3.12+).
//
// LOAD_FAST_AND_CLEAR saves the cell on the operand stack. Until STORE_FAST restores it the slot contains the target
// itself, unless a MAKE_CELL makes a new cell (push_inlined_comprehension_state in Python/codegen.c). The decoder,
// which does not follow control, decodes each LOAD_FAST of such a slot as a load of the cell (LOAD_CLOSURE).
#pragma once

#include <vector>

#include "cfg/cfg.h"

namespace depyf {

// Turns loads of slots that contain no cell back into LOAD_FAST, and sets kMakesCell on each LOAD_FAST_AND_CLEAR that a
// MAKE_CELL follows in the bytecode. Precondition: the graph comes from build_cfg(), which drops MAKE_CELL.
void load_cleared_cells(Cfg& cfg, const CodeObject& code, const Bytecode& bytecode, const Dialect& dialect);

// By slot: whether the code accesses it, and whether it stores to it, outside of inlined comprehensions. A slot that
// only comprehensions access is not a variable of the function itself.
struct SlotUses {
  std::vector<bool> used, stored;
};
[[nodiscard]] SlotUses uses_outside_comprehensions(Cfg& cfg, const CodeObject& code, const Bytecode& bytecode,
                                                   const Dialect& dialect);

}  // namespace depyf
