// SPDX-License-Identifier: MIT
// Which nodes lie on one cycle: strongly connected components (Tarjan) over normal and exceptional edges.
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

}  // namespace depyf::structure
