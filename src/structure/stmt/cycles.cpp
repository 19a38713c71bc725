// SPDX-License-Identifier: MIT
// Which nodes lie on one cycle: strongly connected components (Tarjan) over normal and exceptional edges; and two cycles
// with one header.
#include <algorithm>

#include "structure/stmt/structurer.h"

namespace depyf::structure {

// By node: the number of its component.
std::vector<std::uint32_t> Structurer::components() const {
  const auto count = g_.nodes.size();
  std::vector<std::uint32_t> found(count, kNone), first(count, kNone), low(count, 0), open;
  struct Visit {
    std::uint32_t node;
    Successors todo;
  };
  std::vector<Visit> stack;
  std::uint32_t time = 0, number = 0;
  const auto enter = [&](std::uint32_t n) {
    first[n] = low[n] = time++;
    open.push_back(n);
    auto next = successors(n);
    if (const auto& h = g_.nodes[n].handler; h.block.valid()) next.push_back(g_.of_block[h.block.n]);
    stack.push_back({n, next});
  };
  for (const auto root : by_rank_) {
    if (first[root] == kNone) enter(root);
    while (!stack.empty()) {
      auto& visit = stack.back();
      const auto n = visit.node;
      if (!visit.todo.empty()) {
        const auto s = visit.todo.back();
        visit.todo.pop_back();
        if (first[s] == kNone)
          enter(s);
        else if (found[s] == kNone)
          low[n] = std::min(low[n], first[s]);
        continue;
      }
      stack.pop_back();
      if (!stack.empty()) low[stack.back().node] = std::min(low[stack.back().node], low[n]);
      if (low[n] != first[n]) continue;
      for (auto m = kNone; m != n; open.pop_back()) found[m = open.back()] = number;
      ++number;
    }
  }
  return found;
}

// `while True: while test: ...`: the test is the header of both, which are one loop with two arms to look at. What leads
// back to it in front of its second arm is the inner loop's. Tried where one loop has no form.
bool Structurer::split_headers() {
  std::vector<std::uint32_t> shared;
  for (auto h : by_rank_) {
    const auto& n = g_.nodes[h];
    if (!at_[h].is_header || n.is_handler || n.state.end != EndKind::kBranch || !n.state.stmts.empty()) continue;
    if (std::min(at_[n.t].rank, at_[n.f].rank) <= at_[h].rank) continue;
    const auto second = std::max(at_[n.t].rank, at_[n.f].rank);
    const auto leads_back = [&](bool inside) {
      return std::any_of(preds_[h].begin(), preds_[h].end(),
                         [&](auto p) { return at_[p].rank >= at_[h].rank && (at_[p].rank < second) == inside; });
    };
    if (leads_back(true) && leads_back(false)) shared.push_back(h);
  }
  for (auto h : shared) {
    const auto second = std::max(at_[g_.nodes[h].t].rank, at_[g_.nodes[h].f].rank);
    Node test = g_.nodes[h];
    ++test.order;
    const auto inner = add_node(std::move(test));
    for (auto p : preds_[h])
      if (at_[p].rank > at_[h].rank && at_[p].rank < second)
        for (auto* edge : {&g_.nodes[p].t, &g_.nodes[p].f})
          if (*edge == h) *edge = inner;
    auto& outer = g_.nodes[h];
    outer.state = {};
    outer.state.stack = outer.entry;
    outer.pieces.clear();
    outer.t = inner;
    outer.f = kNone;
  }
  return !shared.empty();
}

}  // namespace depyf::structure
