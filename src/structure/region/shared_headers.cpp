// SPDX-License-Identifier: MIT
// Splits the header that two loops share.
#include <algorithm>

#include "structure/region/rewrites.h"

namespace depyf::structure {

// In `while True: while test: ...`, the test is the header of both loops, which look like one loop with two arms. Back
// edges from nodes before its second arm belong to the inner loop. Used if one loop has no structured form.
bool split_headers(LiftedCode& code, const Regions& r) {
  std::vector<std::uint32_t> shared;
  for (auto h : r.nodes()) {
    const auto& n = r.node(h);
    if (!r.is_header(h) || n.is_handler || n.state.end != EndKind::kBranch || !n.state.stmts.empty()) continue;
    if (std::min(r.rank(n.t), r.rank(n.f)) <= r.rank(h)) continue;
    const auto second = std::max(r.rank(n.t), r.rank(n.f));
    const auto leads_back = [&](bool inside) {
      return std::any_of(r.preds(h).begin(), r.preds(h).end(),
                         [&](auto p) { return r.rank(p) >= r.rank(h) && (r.rank(p) < second) == inside; });
    };
    if (leads_back(true) && leads_back(false)) shared.push_back(h);
  }
  for (auto h : shared) {
    const auto second = std::max(r.rank(code.graph.nodes[h].t), r.rank(code.graph.nodes[h].f));
    Node test = code.graph.nodes[h];
    ++test.order;
    const auto inner = code.add_node(std::move(test));
    for (auto p : r.preds(h))
      if (r.rank(p) > r.rank(h) && r.rank(p) < second)
        for (auto* edge : {&code.graph.nodes[p].t, &code.graph.nodes[p].f})
          if (*edge == h) *edge = inner;
    auto& outer = code.graph.nodes[h];
    const auto offset = outer.state.end_offset;
    outer.state = {};
    outer.state.stack = outer.entry;
    outer.state.end_offset = offset;
    outer.pieces.clear();
    outer.t = inner;
    outer.f = kNone;
  }
  return !shared.empty();
}

}  // namespace depyf::structure
