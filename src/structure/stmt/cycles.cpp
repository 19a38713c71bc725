// SPDX-License-Identifier: MIT
// Two loops with one header.
#include <algorithm>

#include "structure/stmt/structurer.h"

namespace depyf::structure {

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
