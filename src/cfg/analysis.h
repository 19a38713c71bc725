// SPDX-License-Identifier: MIT
// Questions that several stages ask of a graph: order and predecessors.
//
// Invariant: pure functions of a graph that validate() accepts; each is near linear and takes no recursion. kAll follows
// exceptional edges (block to handler) like normal ones. Nothing here changes a graph.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cfg/cfg.h"
#include "support/small_vector.h"

namespace depyf {

enum class EdgeKinds : std::uint8_t { kNormal, kAll };

// Successors of one block: fall, jump, handler, those that exist.
struct Successors {
  BlockId at[3];
  std::uint32_t count = 0;
  [[nodiscard]] const BlockId* begin() const { return at; }
  [[nodiscard]] const BlockId* end() const { return at + count; }
};
[[nodiscard]] Successors successors(const Cfg& cfg, BlockId block, EdgeKinds kinds);

struct Predecessors {
  std::vector<std::vector<BlockId>> normal;   // of each block; a block whose fall and jump agree is listed twice
  std::vector<std::vector<BlockId>> raising;  // of each handler: the blocks it covers, in order
};
[[nodiscard]] Predecessors predecessors(const Cfg& cfg);

struct Order {
  SmallVector<BlockId, 32> blocks;          // reverse postorder; with kNormal only what the entry reaches
  SmallVector<std::uint32_t, 32> position;  // of each block in `blocks`; kNoTarget if it is not there
};
[[nodiscard]] Order reverse_postorder(const Cfg& cfg, EdgeKinds kinds);

// The same graph with its blocks in reverse postorder, for graphs in which code order says nothing: but for back edges a
// block comes after what leads to it.
[[nodiscard]] Cfg in_natural_order(const Cfg& cfg);

// Drops constants that are loaded to no end.
void drop_unused_constants(Cfg& cfg);

}  // namespace depyf
