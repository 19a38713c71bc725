// SPDX-License-Identifier: MIT
// Blocks in the order in which a compiler would have laid them out; see analysis.h.
#include <utility>

#include "cfg/analysis.h"

namespace depyf {

Cfg in_natural_order(const Cfg& cfg) {
  const auto order = reverse_postorder(cfg, EdgeKinds::kAll);
  const auto map = [&](BlockId& b) {
    if (b.valid()) b = BlockId{order.position[b.n]};
  };
  Cfg out;
  std::uint32_t place = 0;
  for (const auto from : order.blocks) {
    BasicBlock b = cfg.blocks[from];
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
