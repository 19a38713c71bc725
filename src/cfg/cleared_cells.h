// SPDX-License-Identifier: MIT
// 3.12+: the slot of a cell, within an inlined comprehension whose target has the cell's name.
//
// LOAD_FAST_AND_CLEAR puts the cell away, and until STORE_FAST puts it back the slot holds the target itself, unless a
// MAKE_CELL makes it a cell again (push_inlined_comprehension_state in Python/codegen.c). The decoder takes each
// LOAD_FAST of such a slot for one of the cell.
#pragma once

#include <vector>

#include "cfg/cfg.h"

namespace depyf {

// Precondition: depths are those that build_cfg() gives; the graph knows no MAKE_CELL, the bytecode that it was built
// from does. Loads of slots that hold no cell become LOAD_FAST again; kMakesCell tells where MAKE_CELL was.
void load_cleared_cells(Cfg& cfg, const CodeObject& code, const Bytecode& bytecode, const Dialect& dialect);

// By slot: whether the code uses it, and whether it stores there, outside of inlined comprehensions. What only these use is
// none of its variables.
struct SlotUses {
  std::vector<bool> used, stored;
};
[[nodiscard]] SlotUses uses_outside_comprehensions(Cfg& cfg, const CodeObject& code, const Bytecode& bytecode,
                                                   const Dialect& dialect);

}  // namespace depyf
