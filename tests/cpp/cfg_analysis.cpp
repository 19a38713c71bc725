// SPDX-License-Identifier: MIT
// Loops against their definition, on random graphs; orders on small ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

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

Cfg random_graph(std::mt19937& rng, std::uint32_t size) {
  std::vector<Edges> edges(size);
  const auto any = [&] { return rng() % 3 == 0 ? kNo : static_cast<std::uint32_t>(rng() % size); };
  for (std::uint32_t b = 0; b < size; ++b) {
    edges[b] = {rng() % 4 == 0 ? any() : (b + 1 < size ? b + 1 : kNo), any(), rng() % 4 == 0 ? any() : kNo};
  }
  return graph(edges);
}

// What `from` reaches without passing through `without`.
std::vector<bool> reached(const Cfg& cfg, EdgeKinds kinds, BlockId from, BlockId without) {
  std::vector<bool> seen(cfg.blocks.size(), false);
  if (from == without) return seen;
  std::vector<BlockId> work{from};
  seen[from.n] = true;
  while (!work.empty()) {
    const BlockId at = work.back();
    work.pop_back();
    for (const BlockId to : successors(cfg, at, kinds)) {
      if (to == without || seen[to.n]) continue;
      seen[to.n] = true;
      work.push_back(to);
    }
  }
  return seen;
}

// Every path from the entry to b passes a; b is reached.
bool dominates(const Cfg& cfg, EdgeKinds kinds, BlockId a, BlockId b) {
  return reached(cfg, kinds, BlockId{0}, BlockId{})[b.n] && !reached(cfg, kinds, BlockId{0}, a)[b.n];
}

// The natural loop of a header by definition: it, and what reaches one of its back edges without it.
std::set<std::uint32_t> natural_loop(const Cfg& cfg, EdgeKinds kinds, BlockId header) {
  std::set<std::uint32_t> body;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    for (const BlockId to : successors(cfg, BlockId{b}, kinds)) {
      if (to != header || !dominates(cfg, kinds, header, BlockId{b})) continue;
      body.insert(header.n);
      for (std::uint32_t v = 0; v < cfg.blocks.size(); ++v) {
        if (v != header.n && dominates(cfg, kinds, header, BlockId{v}) &&
            (v == b || reached(cfg, kinds, BlockId{v}, header)[b])) {
          body.insert(v);
        }
      }
    }
  }
  return body;
}

void check_loops(const Cfg& cfg, EdgeKinds kinds) {
  const Loops loops = find_loops(cfg, kinds);
  bool reducible = true;
  for (std::uint32_t l = 0; l < loops.all.size(); ++l) reducible = reducible && loops.all[LoopId{l}].is_reducible;
  std::set<std::uint32_t> headers;
  for (std::uint32_t l = 0; l < loops.all.size(); ++l) {
    const Loop& loop = loops.all[LoopId{l}];
    headers.insert(loop.header.n);
    CHECK(loops.contains(LoopId{l}, loop.header));
    CHECK(loops.innermost[loop.header.n] == LoopId{l});
    if (loop.parent) CHECK(loops.contains(loop.parent, loop.header));
    CHECK(loop.depth == (loop.parent ? loops.all[loop.parent].depth + 1 : 1));
    if (!reducible) continue;  // then the nesting depends on the order of the search
    const std::set<std::uint32_t> body = natural_loop(cfg, kinds, loop.header);
    for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
      CHECK(loops.contains(LoopId{l}, BlockId{b}) == (body.count(b) != 0));
    }
  }
  if (!reducible) return;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    CHECK((headers.count(b) != 0) == !natural_loop(cfg, kinds, BlockId{b}).empty());
  }
}

}  // namespace

TEST_CASE("cfg: loops of random graphs are what their definition says") {
  std::mt19937 rng(5);
  std::size_t seen_loops = 0;
  for (int round = 0; round < 300; ++round) {
    const Cfg cfg = random_graph(rng, static_cast<std::uint32_t>(2 + rng() % 14));
    for (const EdgeKinds kinds : {EdgeKinds::kNormal, EdgeKinds::kAll}) {
      check_loops(cfg, kinds);
      seen_loops += find_loops(cfg, kinds).all.size();
    }
  }
  CHECK(seen_loops > 300);
}

TEST_CASE("cfg: a loop entered at two places is irreducible") {
  const Loops loops = find_loops(graph({{1, 2, kNo}, {2, kNo, kNo}, {1, 3, kNo}, {}}), EdgeKinds::kNormal);
  REQUIRE(loops.all.size() == 1);
  CHECK_FALSE(loops.all[LoopId{0}].is_reducible);
}

TEST_CASE("cfg: nested loops are numbered outer first, with their latches") {
  // 0 -> 1 (outer header) -> 2 (inner header) -> 3 -> 2 | 4 -> 1 | 5
  const Cfg cfg = graph({{1, kNo, kNo}, {2, kNo, kNo}, {3, kNo, kNo}, {2, 4, kNo}, {1, 5, kNo}, {}});
  const Loops loops = find_loops(cfg, EdgeKinds::kNormal);
  REQUIRE(loops.all.size() == 2);
  CHECK(loops.all[LoopId{0}].header == BlockId{1});
  CHECK(loops.all[LoopId{0}].latches == std::vector<BlockId>{BlockId{4}});
  CHECK(loops.all[LoopId{0}].blocks == std::vector<BlockId>{BlockId{1}, BlockId{4}});
  CHECK(loops.all[LoopId{1}].parent == LoopId{0});
  CHECK(loops.all[LoopId{1}].blocks == std::vector<BlockId>{BlockId{2}, BlockId{3}});
  CHECK(loops.innermost[5] == LoopId{});
  CHECK(loops.contains(LoopId{0}, BlockId{3}));
  CHECK_FALSE(loops.contains(LoopId{1}, BlockId{4}));
}

TEST_CASE("cfg: reverse postorder and predecessors") {
  // 0 tests: 1 or 2; both go to 3; 1 is covered by 4, which is covered by 5.
  const Cfg cfg = graph({{1, 2, kNo}, {3, kNo, 4}, {3, kNo, kNo}, {}, {3, kNo, 5}, {}});
  const Order normal = reverse_postorder(cfg, EdgeKinds::kNormal);
  CHECK(normal.blocks == std::vector<BlockId>{BlockId{0}, BlockId{1}, BlockId{2}, BlockId{3}});
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
