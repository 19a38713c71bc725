// SPDX-License-Identifier: MIT
// Dominators after Lengauer and Tarjan (the simple variant: path compression, O(edges * log blocks)).
//
// Invariant: works on preorder numbers; block ids appear at the borders only.
#include <algorithm>
#include <vector>

#include "cfg/preorder.h"

namespace depyf {

namespace {

class Solver {
 public:
  explicit Solver(const Preorder& order);
  // The immediate dominator of each number; the entry's is itself.
  std::vector<std::uint32_t> run();

 private:
  std::uint32_t least(std::uint32_t v);  // on v's compressed path: the number whose semidominator is least

  const Preorder& order_;
  std::vector<std::uint32_t> semi_, label_, ancestor_;
  std::vector<std::uint32_t> path_;
};

Solver::Solver(const Preorder& order) : order_(order), semi_(order.size()), ancestor_(order.size(), kNoTarget) {
  for (std::uint32_t v = 0; v < order.size(); ++v) semi_[v] = v;
  label_ = semi_;
}

std::uint32_t Solver::least(std::uint32_t v) {
  if (ancestor_[v] == kNoTarget) return v;
  path_.clear();
  for (std::uint32_t u = v; ancestor_[ancestor_[u]] != kNoTarget; u = ancestor_[u]) path_.push_back(u);
  for (auto u = path_.rbegin(); u != path_.rend(); ++u) {
    const std::uint32_t up = ancestor_[*u];
    if (semi_[label_[up]] < semi_[label_[*u]]) label_[*u] = label_[up];
    ancestor_[*u] = ancestor_[up];
  }
  return label_[v];
}

std::vector<std::uint32_t> Solver::run() {
  const std::uint32_t size = order_.size();
  std::vector<std::uint32_t> dominator(size, 0);
  std::vector<std::vector<std::uint32_t>> bucket(size);
  for (std::uint32_t w = size - 1; w > 0; --w) {
    for (const std::uint32_t v : order_.edges_in[w]) semi_[w] = std::min(semi_[w], semi_[least(v)]);
    bucket[semi_[w]].push_back(w);
    const std::uint32_t parent = order_.parent[w];
    ancestor_[w] = parent;
    for (const std::uint32_t v : bucket[parent]) {
      const std::uint32_t u = least(v);
      dominator[v] = semi_[u] < semi_[v] ? u : parent;
    }
    bucket[parent].clear();
  }
  for (std::uint32_t w = 1; w < size; ++w) {
    if (dominator[w] != semi_[w]) dominator[w] = dominator[dominator[w]];
  }
  return dominator;
}

}  // namespace

Dominators::Dominators(const Cfg& cfg, EdgeKinds kinds)
    : parent_(cfg.blocks.size()),
      children_(cfg.blocks.size()),
      first_(cfg.blocks.size(), kNoTarget),
      last_(cfg.blocks.size(), 0) {
  const Preorder order(cfg, kinds);
  const std::vector<std::uint32_t> dominator = Solver(order).run();
  for (std::uint32_t v = 1; v < order.size(); ++v) {
    parent_[order.blocks[v].n] = order.blocks[dominator[v]];
    children_[order.blocks[dominator[v]].n].push_back(order.blocks[v]);
  }
  for (std::vector<BlockId>& siblings : children_) std::sort(siblings.begin(), siblings.end());
  number(BlockId{0});
}

void Dominators::number(BlockId root) {
  struct Visit {
    BlockId block;
    std::size_t next = 0;
  };
  std::uint32_t clock = 0;
  std::vector<Visit> path{{root, 0}};
  first_[root.n] = clock++;
  while (!path.empty()) {
    const BlockId at = path.back().block;
    if (path.back().next == children_[at.n].size()) {
      last_[at.n] = clock - 1;
      path.pop_back();
      continue;
    }
    const BlockId child = children_[at.n][path.back().next++];
    first_[child.n] = clock++;
    path.push_back({child, 0});
  }
}

bool Dominators::dominates(BlockId a, BlockId b) const {
  if (first_[a.n] == kNoTarget || first_[b.n] == kNoTarget) return false;
  return first_[a.n] <= first_[b.n] && first_[b.n] <= last_[a.n];
}

}  // namespace depyf
