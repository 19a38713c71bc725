// SPDX-License-Identifier: MIT
// Blocks in the order in which a compiler would have laid them out; see analysis.h.
//
// Reverse postorder of a walk that takes first what belongs last: handlers, then loop exits, then jumps; so what
// falls through follows at once and a loop stays together.
#include <algorithm>
#include <utility>

#include "cfg/analysis.h"

namespace depyf {

Cfg in_natural_order(const Cfg& cfg) {
  const auto count = cfg.blocks.size();
  const Loops loops = find_loops(cfg, EdgeKinds::kNormal);
  const auto depth_inside = [&](BlockId from, BlockId to) {  // how many of the loops around `from` hold `to`
    for (LoopId l = loops.innermost[from.n]; l.valid(); l = loops.all[l].parent)
      if (loops.contains(l, to)) return loops.all[l].depth;
    return 0U;
  };
  std::vector<std::uint32_t> order;  // in postorder
  std::vector<bool> seen(count, false);
  struct Visit {
    BlockId block;
    std::vector<BlockId> todo;  // last first
  };
  std::vector<Visit> stack;
  const auto enter = [&](BlockId b) {
    if (!b.valid() || seen[b.n]) return;
    seen[b.n] = true;
    const auto& block = cfg.blocks[b];
    std::vector<BlockId> next{block.fall, block.jump};
    std::erase_if(next, [](BlockId s) { return !s.valid(); });
    std::stable_sort(next.begin(), next.end(),
                     [&](BlockId x, BlockId y) { return depth_inside(b, x) > depth_inside(b, y); });
    if (block.handler.block.valid()) next.push_back(block.handler.block);
    stack.push_back({b, std::move(next)});
  };
  enter(BlockId{0});
  while (!stack.empty()) {
    auto& visit = stack.back();
    if (visit.todo.empty()) {
      order.push_back(visit.block.n);
      stack.pop_back();
      continue;
    }
    const BlockId next = visit.todo.back();
    visit.todo.pop_back();
    enter(next);
  }
  std::reverse(order.begin(), order.end());
  std::vector<BlockId> moved(count);
  for (std::uint32_t i = 0; i < order.size(); ++i) moved[order[i]] = BlockId{i};
  const auto map = [&](BlockId& b) {
    if (b.valid()) b = moved[b.n];
  };
  Cfg out;
  std::uint32_t place = 0;
  for (const auto from : order) {
    BasicBlock b = cfg.blocks[BlockId{from}];
    map(b.fall);
    map(b.jump);
    map(b.handler.block);
    map(b.phantom);
    b.first_index = std::exchange(place, place + 1 + static_cast<std::uint32_t>(b.code.size()));
    out.blocks.add(std::move(b));
  }
  return out;
}

}  // namespace depyf
