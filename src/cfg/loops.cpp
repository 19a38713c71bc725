// SPDX-License-Identifier: MIT
// Loop nesting after Havlak ("Nesting of Reducible and Irreducible Loops", 1997), on preorder numbers.
//
// Invariant: headers are treated from the innermost outwards; a finished loop is one node, represented by its header.
#include <algorithm>
#include <vector>

#include "cfg/preorder.h"

namespace depyf {

namespace {

class LoopFinder {
 public:
  explicit LoopFinder(const Preorder& order);
  void run();
  Loops result(const Cfg& cfg);

 private:
  std::uint32_t find(std::uint32_t v);
  void close(std::uint32_t header);

  const Preorder& order_;
  std::vector<std::uint32_t> joined_;  // union-find: the outermost finished header
  std::vector<std::uint32_t> header_;  // by number: header of the loop around it; kNoTarget: none
  std::vector<bool> is_header_, is_irreducible_;
  std::vector<std::vector<std::uint32_t>> back_, forward_;  // edges in, by kind
  std::vector<std::uint32_t> mark_;                         // header whose body it was last put in
};

LoopFinder::LoopFinder(const Preorder& order)
    : order_(order),
      joined_(order.size()),
      header_(order.size(), kNoTarget),
      is_header_(order.size(), false),
      is_irreducible_(order.size(), false),
      back_(order.size()),
      forward_(order.size()),
      mark_(order.size(), kNoTarget) {
  for (std::uint32_t w = 0; w < order.size(); ++w) {
    joined_[w] = w;
    for (const std::uint32_t v : order.edges_in[w]) (order.is_ancestor(w, v) ? back_ : forward_)[w].push_back(v);
  }
}

std::uint32_t LoopFinder::find(std::uint32_t v) {
  while (joined_[v] != v) v = joined_[v] = joined_[joined_[v]];
  return v;
}

void LoopFinder::close(std::uint32_t header) {
  if (back_[header].empty()) return;
  is_header_[header] = true;
  std::vector<std::uint32_t> body;
  const auto take = [&](std::uint32_t v) {
    if (v == header || mark_[v] == header) return;
    mark_[v] = header;
    body.push_back(v);
  };
  for (const std::uint32_t v : back_[header]) take(find(v));
  for (std::size_t i = 0; i < body.size(); ++i) {
    for (const std::uint32_t edge : forward_[body[i]]) {
      const std::uint32_t v = find(edge);
      if (order_.is_ancestor(header, v)) {
        take(v);
      } else {  // a second way in: the edge counts as one to the header
        is_irreducible_[header] = true;
        forward_[header].push_back(v);
      }
    }
  }
  for (const std::uint32_t v : body) {
    header_[v] = header;
    joined_[v] = header;
  }
}

void LoopFinder::run() {
  for (std::uint32_t w = order_.size(); w-- > 0;) close(w);
}

Loops LoopFinder::result(const Cfg& cfg) {
  Loops loops;
  loops.innermost.resize(cfg.blocks.size());
  std::vector<LoopId> loop_of(order_.size());
  for (std::uint32_t v = 0; v < order_.size(); ++v) {  // preorder: a header comes before all inside its loop
    const LoopId around = header_[v] == kNoTarget ? LoopId{} : loop_of[header_[v]];
    if (!is_header_[v]) {
      loops.innermost[order_.blocks[v].n] = around;
      continue;
    }
    Loop loop;
    loop.header = order_.blocks[v];
    loop.parent = around;
    loop.depth = around ? loops.all[around].depth + 1 : 1;
    loop.is_reducible = !is_irreducible_[v];
    for (const std::uint32_t latch : back_[v]) loop.latches.push_back(order_.blocks[latch]);
    std::sort(loop.latches.begin(), loop.latches.end());
    loop.latches.erase(std::unique(loop.latches.begin(), loop.latches.end()), loop.latches.end());
    loop_of[v] = loops.all.add(std::move(loop));
    loops.innermost[order_.blocks[v].n] = loop_of[v];
  }
  return loops;
}

// Renumbers so that a loop is followed by the loops inside it, siblings by header.
void nest(Loops& loops) {
  const auto count = static_cast<std::uint32_t>(loops.all.size());
  std::vector<std::vector<std::uint32_t>> inside(count);
  std::vector<std::uint32_t> work;
  for (std::uint32_t l = 0; l < count; ++l) {
    const LoopId parent = loops.all[LoopId{l}].parent;
    (parent ? inside[parent.n] : work).push_back(l);
  }
  const auto later_header_first = [&loops](std::uint32_t a, std::uint32_t b) {
    return loops.all[LoopId{b}].header < loops.all[LoopId{a}].header;
  };
  std::sort(work.begin(), work.end(), later_header_first);
  std::vector<LoopId> id(count);
  Arena<LoopTag, Loop> sorted;
  while (!work.empty()) {
    const std::uint32_t old = work.back();
    work.pop_back();
    id[old] = sorted.add(std::move(loops.all[LoopId{old}]));
    std::sort(inside[old].begin(), inside[old].end(), later_header_first);
    work.insert(work.end(), inside[old].begin(), inside[old].end());
  }
  for (std::uint32_t l = 0; l < count; ++l) {
    Loop& loop = sorted[LoopId{l}];
    if (loop.parent) loop.parent = id[loop.parent.n];
    loop.end = l + 1;
  }
  for (std::uint32_t l = count; l-- > 0;) {
    const LoopId parent = sorted[LoopId{l}].parent;
    if (parent) sorted[parent].end = std::max(sorted[parent].end, sorted[LoopId{l}].end);
  }
  for (LoopId& innermost : loops.innermost) {
    if (innermost) innermost = id[innermost.n];
  }
  loops.all = std::move(sorted);
}

}  // namespace

bool Loops::contains(LoopId loop, BlockId block) const {
  const LoopId inner = innermost[block.n];
  return inner && loop.n <= inner.n && inner.n < all[loop].end;
}

Loops find_loops(const Cfg& cfg, EdgeKinds kinds) {
  const Preorder order(cfg, kinds);
  LoopFinder finder(order);
  finder.run();
  Loops loops = finder.result(cfg);
  nest(loops);
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    const LoopId loop = loops.innermost[b];
    if (loop) loops.all[loop].blocks.push_back(BlockId{b});
  }
  return loops;
}

}  // namespace depyf
