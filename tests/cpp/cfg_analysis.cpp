// SPDX-License-Identifier: MIT
// Orders and predecessors of small graphs.
#include <doctest/doctest.h>

#include <algorithm>

#include "cfg/analysis.h"

using namespace depyf;

namespace {

constexpr std::uint32_t kNo = 0xFFFFFFFF;

struct Edges {
  std::uint32_t fall = kNo, jump = kNo, handler = kNo;
};

Cfg graph(const std::vector<Edges>& edges) {
  Cfg cfg;
  for (const Edges& e : edges) {
    BasicBlock b;
    if (e.fall != kNo) b.fall = BlockId{e.fall};
    if (e.jump != kNo) b.jump = BlockId{e.jump};
    if (e.handler != kNo) b.handler.block = BlockId{e.handler};
    cfg.blocks.add(std::move(b));
  }
  return cfg;
}

}  // namespace

TEST_CASE("cfg: reverse postorder and predecessors") {
  // 0 tests: 1 or 2; both go to 3; 1 is covered by 4, which is covered by 5.
  const Cfg cfg = graph({{1, 2, kNo}, {3, kNo, 4}, {3, kNo, kNo}, {}, {3, kNo, 5}, {}});
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

TEST_CASE("cfg: in natural order a block comes after what leads to it, handlers right after what they cover") {
  // 0 tests: 3 or, falling through, 2; both go to 1; 2 is covered by 4. They come as 0, 2, 4, 3, 1.
  const Cfg cfg = in_natural_order(graph({{2, 3, kNo}, {}, {1, kNo, 4}, {1, kNo, kNo}, {}}));
  REQUIRE(cfg.blocks.size() == 5);
  CHECK(cfg.blocks[BlockId{0}].fall == BlockId{1});
  CHECK(cfg.blocks[BlockId{0}].jump == BlockId{3});
  CHECK(cfg.blocks[BlockId{1}].fall == BlockId{4});
  CHECK(cfg.blocks[BlockId{1}].handler.block == BlockId{2});
  CHECK(cfg.blocks[BlockId{3}].fall == BlockId{4});
}
