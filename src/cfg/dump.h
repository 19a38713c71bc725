// SPDX-License-Identifier: MIT
// Prints a graph as text, and checks the invariants of cfg.h.
#pragma once

#include <string>

#include "cfg/cfg.h"

namespace depyf {

// kAll: also jump inversions, `entered` and phantom successors of 3.8's finally bodies, and the order of blocks.
enum class Detail : bool { kShape, kAll };

// Returns a line for each block, followed by a line for each of its instructions: offset in bytes, operation, argument.
[[nodiscard]] std::string dump(const Cfg& cfg, Detail detail = Detail::kShape);

// Checks all invariants of cfg.h. Fails with kInternal and the offset of the offending instruction.
[[nodiscard]] Status validate(const Cfg& cfg, const Dialect& dialect);

// Checks the reachable blocks of a graph that passes have rewritten. They may add markers of finally bodies (POP_BLOCK)
// and cases of match statements (jumping blocks without instructions), leave blocks unreachable and change the order.
[[nodiscard]] Status validate_rewritten(const Cfg& cfg, const Dialect& dialect);

}  // namespace depyf
