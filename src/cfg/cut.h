// SPDX-License-Identifier: MIT
// Positions within blocks, for passes that split blocks: their order, stack depths, and tails of blocks.
#pragma once

#include <compare>
#include <utility>

#include "cfg/cfg.h"

namespace depyf {

[[nodiscard]] inline auto operator<=>(Position a, Position b) {
  return std::pair(a.block, a.at) <=> std::pair(b.block, b.at);
}
[[nodiscard]] inline bool operator==(Position a, Position b) { return (a <=> b) == 0; }

// Returns the position of the next instruction: the end of a block without a jump becomes the start of its successor.
[[nodiscard]] Position past_ends(const Cfg& cfg, Position p);

// Returns the depth of the operand stack before an instruction.
[[nodiscard]] std::uint32_t depth_at(const Cfg& cfg, Version version, Position p);

// Returns a copy of the rest of a block from a position on. It is not a handler.
[[nodiscard]] BasicBlock tail_at(const Cfg& cfg, Version version, Position p);

}  // namespace depyf
