// SPDX-License-Identifier: MIT
// A graph as text, for people, and the check of what cfg.h promises.
//
// Invariant: dump() reads nothing but the graph; validate() accepts exactly the graphs that later stages may rely on.
#pragma once

#include <string>

#include "cfg/cfg.h"

namespace depyf {

// In all detail: also jump inversions, what 3.8's finally bodies are entered by and continue with, and the order of blocks.
enum class Detail : bool { kShape, kAll };

// One line a block, then one an instruction: offset, operation, argument.
[[nodiscard]] std::string dump(const Cfg& cfg, Detail detail = Detail::kShape);

// kInternal and the offset of the instruction where a promise is broken.
[[nodiscard]] Status validate(const Cfg& cfg, const Dialect& dialect);

// The same of what is reached of a graph that passes have rewritten. They add markers of finally bodies (POP_BLOCK) and
// cases of match statements (blocks without instructions that jump), they leave blocks unreachable, and keep no order.
[[nodiscard]] Status validate_rewritten(const Cfg& cfg, const Dialect& dialect);

}  // namespace depyf
