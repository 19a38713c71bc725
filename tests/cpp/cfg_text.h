// SPDX-License-Identifier: MIT
// Graphs written as text, in the form that dump() gives (src/cfg/dump.h), for tests of single passes.
//
//   B0: depth 0, raises to B1 [0]
//     LOAD_NAME 0                  an offset may stand before the operation; without one, 2 for each instruction
//     POP_JUMP_IF_FALSE
//     jump B2
//     fall B3
//
// Invariant: parse_cfg(dump(g, Detail::kAll)) dumps as g does. Spaces at the beginning of a line mean nothing.
#pragma once

#include <string_view>

#include "cfg/cfg.h"

namespace depyf::testing {

// kMalformed, `at` is the line from 1, and what was wanted there.
[[nodiscard]] Result<Cfg> parse_cfg(std::string_view text);

}  // namespace depyf::testing
