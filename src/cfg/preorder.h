// SPDX-License-Identifier: MIT
// Depth-first numbering of a graph. Private to src/cfg.
//
// Invariant: number 0 is the entry; blocks that are not reached have no number; a subtree's numbers are contiguous.
#pragma once

#include <cstdint>
#include <vector>

#include "cfg/analysis.h"

namespace depyf {

struct Preorder {
  Preorder(const Cfg& cfg, EdgeKinds kinds);
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(blocks.size()); }
  [[nodiscard]] bool is_ancestor(std::uint32_t a, std::uint32_t b) const { return a <= b && b <= last[a]; }

  std::vector<BlockId> blocks;                       // by number
  std::vector<std::uint32_t> number;                 // of each block; kNoTarget: not reached
  std::vector<std::uint32_t> parent;                 // by number: number of the tree's parent
  std::vector<std::uint32_t> last;                   // by number: the greatest number of its subtree
  std::vector<std::vector<std::uint32_t>> edges_in;  // by number: numbers of predecessors
};

}  // namespace depyf
