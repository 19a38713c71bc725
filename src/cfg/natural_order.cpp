// SPDX-License-Identifier: MIT
// in_natural_order(): sorts the blocks of a graph in reverse postorder; see analysis.h.
#include <utility>

#include "cfg/analysis.h"

namespace depyf {

Cfg in_natural_order(const Cfg& cfg) {
  const auto order = reverse_postorder(cfg, EdgeKinds::kAll);
  const auto map = [&](BlockId& b) {
    if (b.valid()) b = BlockId{order.position[b.n]};
  };
  Cfg out;
  std::uint32_t index = 0;
  for (const auto from : order.blocks) {
    BasicBlock b = cfg.blocks[from];
    map(b.fall);
    map(b.jump);
    map(b.handler.block);
    map(b.phantom);
    b.first_index = std::exchange(index, index + 1 + static_cast<std::uint32_t>(b.code.size()));
    out.blocks.add(std::move(b));
  }
  return out;
}

}  // namespace depyf
