// SPDX-License-Identifier: MIT
// Analyses of a graph that several stages use: successors, predecessors, reverse postorder; and two rewrites.
//
// Invariant: all functions work on a graph that validate() accepts, take nearly linear time and do not recurse.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cfg/cfg.h"
#include "support/small_vector.h"

namespace depyf {

// kAll includes exceptional edges (block to handler).
enum class EdgeKinds : std::uint8_t { kNormal, kAll };

// The existing successors of one block, in the order fall, jump, handler.
struct Successors {
  BlockId at[3];
  std::uint32_t count = 0;
  [[nodiscard]] const BlockId* begin() const { return at; }
  [[nodiscard]] const BlockId* end() const { return at + count; }
};
[[nodiscard]] Successors successors(const Cfg& cfg, BlockId block, EdgeKinds kinds);

struct Predecessors {
  std::vector<std::vector<BlockId>> normal;   // by block; a predecessor whose fall and jump are equal occurs twice
  std::vector<std::vector<BlockId>> raising;  // by handler: the blocks that it protects, in order
};
[[nodiscard]] Predecessors predecessors(const Cfg& cfg);

struct Order {
  SmallVector<BlockId, 32> blocks;          // the blocks reachable from the entry, in reverse postorder
  SmallVector<std::uint32_t, 32> position;  // by block: its index in `blocks`, or kNoTarget
};
[[nodiscard]] Order reverse_postorder(const Cfg& cfg, EdgeKinds kinds);

// Returns the same graph with its blocks in reverse postorder, so that a block follows its predecessors except for back
// edges. For graphs whose code order is arbitrary.
[[nodiscard]] Cfg in_natural_order(const Cfg& cfg);

// Removes stack operations that together leave the operand stack as it was: all of them, or only those that no compiler
// emits.
enum class NeutralCode : std::uint8_t { kOfNoCompiler, kAll };
void drop_neutral_stack_code(Cfg& cfg, NeutralCode which);

}  // namespace depyf
