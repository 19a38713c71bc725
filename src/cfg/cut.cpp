// SPDX-License-Identifier: MIT
// Positions within blocks; see cut.h.
#include "cfg/cut.h"

namespace depyf {

Position past_ends(const Cfg& cfg, Position p) {
  for (std::size_t i = 0; i < cfg.blocks.size(); ++i) {
    const auto& b = cfg.blocks[p.block];
    if (p.at < b.code.size() || b.jump.valid() || !b.fall.valid() || b.fall == p.block) break;
    p = {b.fall, 0};
  }
  return p;
}

std::uint32_t depth_at(const Cfg& cfg, Version version, Position p) {
  const auto& b = cfg.blocks[p.block];
  std::uint32_t depth = b.entry_depth;
  for (std::uint32_t i = 0; i < p.at; ++i) {
    const Effect e = effect(version, b.code[i], false);
    depth += static_cast<std::uint32_t>(e.pushes - e.pops);
  }
  return depth;
}

BasicBlock tail_at(const Cfg& cfg, Version version, Position p) {
  BasicBlock tail = cfg.blocks[p.block];
  tail.code.erase(tail.code.begin(), tail.code.begin() + p.at);
  tail.entry_depth = depth_at(cfg, version, p);
  tail.first_index += p.at;
  tail.is_handler = false;
  return tail;
}

}  // namespace depyf
