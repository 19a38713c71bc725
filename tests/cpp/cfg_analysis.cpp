// SPDX-License-Identifier: MIT
// Block orders and predecessors of small graphs.
#include <doctest/doctest.h>

#include <algorithm>

#include "cfg/analysis.h"

using namespace depyf;

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

struct Edges {
  std::uint32_t fall = kNone, jump = kNone, handler = kNone;
};

Cfg graph(const std::vector<Edges>& edges) {
  Cfg cfg;
  for (const Edges& e : edges) {
    BasicBlock b;
    if (e.fall != kNone) b.fall = BlockId{e.fall};
    if (e.jump != kNone) b.jump = BlockId{e.jump};
    if (e.handler != kNone) b.handler.block = BlockId{e.handler};
    cfg.blocks.add(std::move(b));
  }
  return cfg;
}

}  // namespace

TEST_CASE("cfg: reverse postorder and predecessors") {
  // 0 branches to 1 and 2; both continue with 3; 1 is covered by handler 4, which is covered by handler 5.
  const Cfg cfg = graph({{1, 2, kNone}, {3, kNone, 4}, {3, kNone, kNone}, {}, {3, kNone, 5}, {}});
  const Order normal = reverse_postorder(cfg, EdgeKinds::kNormal);
  CHECK(std::ranges::equal(normal.blocks, std::vector<BlockId>{BlockId{0}, BlockId{1}, BlockId{2}, BlockId{3}}));
  CHECK(normal.position[4] == kNoTarget);
  const Order all = reverse_postorder(cfg, EdgeKinds::kAll);
  CHECK(all.blocks.size() == 6);
  for (std::uint32_t b = 0; b < 6; ++b) {
    for (const BlockId to : successors(cfg, BlockId{b}, EdgeKinds::kAll)) CHECK(all.position[b] < all.position[to.n]);
  }
  const Predecessors before = predecessors(cfg);
  CHECK(before.normal[3] == std::vector<BlockId>{BlockId{1}, BlockId{2}, BlockId{4}});
  CHECK(before.raising[4] == std::vector<BlockId>{BlockId{1}});
}

TEST_CASE("cfg: in natural order a block comes after its predecessors, a handler right after the blocks it covers") {
  // 0 jumps to 3 or falls through to 2; both continue with 1; 2 is covered by handler 4. The order is 0, 2, 4, 3, 1.
  const Cfg cfg = in_natural_order(graph({{2, 3, kNone}, {}, {1, kNone, 4}, {1, kNone, kNone}, {}}));
  REQUIRE(cfg.blocks.size() == 5);
  CHECK(cfg.blocks[BlockId{0}].fall == BlockId{1});
  CHECK(cfg.blocks[BlockId{0}].jump == BlockId{3});
  CHECK(cfg.blocks[BlockId{1}].fall == BlockId{4});
  CHECK(cfg.blocks[BlockId{1}].handler.block == BlockId{2});
  CHECK(cfg.blocks[BlockId{3}].fall == BlockId{4});
}
