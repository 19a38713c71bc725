// SPDX-License-Identifier: MIT
// Depth-first numbering with an explicit stack.
#include "cfg/preorder.h"

namespace depyf {

Preorder::Preorder(const Cfg& cfg, EdgeKinds kinds) : number(cfg.blocks.size(), kNoTarget) {
  struct Visit {
    std::uint32_t at = 0;
    std::uint32_t next = 0;  // successor to take
  };
  std::vector<Visit> path;
  const auto enter = [&](BlockId block, std::uint32_t from) {
    number[block.n] = size();
    path.push_back({size(), 0});
    blocks.push_back(block);
    parent.push_back(from);
    last.push_back(0);
  };
  enter(BlockId{0}, 0);
  while (!path.empty()) {
    const std::uint32_t at = path.back().at;
    const Successors to = successors(cfg, blocks[at], kinds);
    if (path.back().next == to.count) {
      last[at] = size() - 1;
      path.pop_back();
      continue;
    }
    const BlockId next = to.at[path.back().next++];
    if (number[next.n] == kNoTarget) enter(next, at);
  }
  edges_in.resize(blocks.size());
  for (std::uint32_t from = 0; from < size(); ++from) {
    for (const BlockId to : successors(cfg, blocks[from], kinds)) edges_in[number[to.n]].push_back(from);
  }
}

}  // namespace depyf
