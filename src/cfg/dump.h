// SPDX-License-Identifier: MIT
// A graph as text, for people, and the check of what cfg.h promises.
//
// Invariant: dump() reads nothing but the graph; validate() accepts exactly the graphs that later stages may rely on.
#pragma once

#include <string>

#include "cfg/cfg.h"

namespace depyf {

// One line a block, then one an instruction: offset, operation, argument.
[[nodiscard]] std::string dump(const Cfg& cfg);

// kInternal and the offset of the instruction where a promise is broken.
[[nodiscard]] Status validate(const Cfg& cfg, const Dialect& dialect);

}  // namespace depyf
