// SPDX-License-Identifier: MIT
// Computes successors, predecessors and reverse postorder; see analysis.h.
#include "cfg/analysis.h"

#include <algorithm>

#include "support/small_vector.h"

namespace depyf {

Successors successors(const Cfg& cfg, BlockId block, EdgeKinds kinds) {
  const BasicBlock& b = cfg.blocks[block];
  Successors out{};
  for (const BlockId to : {b.fall, b.jump, kinds == EdgeKinds::kAll ? b.handler.block : BlockId{}}) {
    if (to) out.at[out.count++] = to;
  }
  return out;
}

Predecessors predecessors(const Cfg& cfg) {
  Predecessors out;
  out.normal.resize(cfg.blocks.size());
  out.raising.resize(cfg.blocks.size());
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    for (const BlockId to : successors(cfg, BlockId{b}, EdgeKinds::kNormal)) out.normal[to.n].push_back(BlockId{b});
    const BlockId handler = cfg.blocks[BlockId{b}].handler.block;
    if (handler) out.raising[handler.n].push_back(BlockId{b});
  }
  return out;
}

Order reverse_postorder(const Cfg& cfg, EdgeKinds kinds) {
  Order order;
  order.position.assign(cfg.blocks.size(), kNoTarget);
  struct Visit {
    BlockId block;
    Successors to;  // visited from the back, so that `fall` follows its block in the order
  };
  SmallVector<Visit, 16> path{{BlockId{0}, successors(cfg, BlockId{0}, kinds)}};
  constexpr auto kSeen = kNoTarget - 1;
  order.position[0] = kSeen;
  order.blocks.reserve(cfg.blocks.size());
  while (!path.empty()) {
    Visit& visit = path.back();
    if (visit.to.count == 0) {
      order.blocks.push_back(visit.block);
      path.pop_back();
      continue;
    }
    const BlockId next = visit.to.at[--visit.to.count];
    if (order.position[next.n] == kSeen) continue;
    order.position[next.n] = kSeen;
    path.push_back({next, successors(cfg, next, kinds)});
  }
  std::reverse(order.blocks.begin(), order.blocks.end());
  for (std::uint32_t i = 0; i < order.blocks.size(); ++i) order.position[order.blocks[i].n] = i;
  return order;
}

}  // namespace depyf
