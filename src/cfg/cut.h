// SPDX-License-Identifier: MIT
// Where a block may be cut in two: positions, how deep the stack is there, and what begins there.
#pragma once

#include <compare>
#include <utility>

#include "cfg/cfg.h"

namespace depyf {

[[nodiscard]] inline auto operator<=>(Position a, Position b) {
  return std::pair(a.block, a.at) <=> std::pair(b.block, b.at);
}
[[nodiscard]] inline bool operator==(Position a, Position b) { return (a <=> b) == 0; }

// The end of a block that does not jump is where it falls through to.
[[nodiscard]] Position past_ends(const Cfg& cfg, Position p);

// Entries on the stack before an instruction.
[[nodiscard]] std::uint32_t depth_at(const Cfg& cfg, Version version, Position p);

// A copy of a block from an instruction on, which no exception enters.
[[nodiscard]] BasicBlock tail_at(const Cfg& cfg, Version version, Position p);

}  // namespace depyf
