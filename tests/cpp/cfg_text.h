// SPDX-License-Identifier: MIT
// Reads graphs that are written as text, in the form of dump() (src/cfg/dump.h), for tests of single passes.
//
//   B0: depth 0, raises to B1 [0]
//     LOAD_NAME 0                  an offset before the operation is optional; the default is 2 for each instruction
//     POP_JUMP_IF_FALSE
//     jump B2
//     fall B3
//
// Invariant: the dump of parse_cfg(dump(g, Detail::kAll)) is that of g. Spaces at the start of a line have no meaning.
#pragma once

#include <string_view>

#include "cfg/cfg.h"

namespace depyf::testing {

// Returns the graph. An error is kMalformed with the line number, from 1, and what was expected there.
[[nodiscard]] Result<Cfg> parse_cfg(std::string_view text);

}  // namespace depyf::testing
