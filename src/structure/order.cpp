// SPDX-License-Identifier: MIT
// Handlers back to where the source has them: behind what they protect.
//
// 3.12+ compilers move code that only an exception reaches to the end (push_cold_blocks_to_end in Python/flowgraph.c);
// the way from there to what follows the try then looks like a loop. Code order is all that is changed.
#include <algorithm>

#include "structure/graph.h"

namespace depyf::structure {

namespace {

class Placer {
 public:
  explicit Placer(Graph& graph) : g_(graph), region_(graph.nodes.size(), kNone) {}

  void run() {
    const auto n = static_cast<std::uint32_t>(g_.nodes.size());
    const auto code = in_code_order(g_, Nodes::kAll);
    claim(0, 0);
    std::vector<std::uint32_t> pending;
    for (auto i : code)
      if (g_.nodes[i].is_handler && region_[i] == kNone) {
        claim(i, i);
        pending.push_back(i);
      }
    for (auto i : code)
      if (region_[i] == 0 || region_[i] == kNone) placed_.push_back(i);
    for (bool progress = true; progress && !pending.empty();) {
      const auto before = pending.size();
      std::erase_if(pending, [&](auto h) { return place(h, code); });
      progress = pending.size() < before;
    }
    for (auto i : code)
      if (std::find(pending.begin(), pending.end(), region_[i]) != pending.end()) placed_.push_back(i);
    for (std::uint32_t i = 0; i < n; ++i) g_.nodes[placed_[i]].order = 4 * i;
  }

 private:
  // What is reached from `from` without an exception, and not from somewhere claimed before.
  void claim(std::uint32_t from, std::uint32_t region) {
    std::vector<std::uint32_t> todo{from};
    region_[from] = region;
    while (!todo.empty()) {
      const auto i = todo.back();
      todo.pop_back();
      for (auto s : {g_.nodes[i].t, g_.nodes[i].f})
        if (s != kNone && region_[s] == kNone) {
          region_[s] = region;
          todo.push_back(s);
        }
    }
  }

  bool protects(std::uint32_t h, std::uint32_t i) const {
    const auto& handler = g_.nodes[i].handler;
    return handler.block.valid() && g_.of_block[handler.block.n] == h;
  }

  // Puts the region of handler h behind the last node it protects; not before all of them are placed.
  bool place(std::uint32_t h, const std::vector<std::uint32_t>& code) {
    std::size_t protected_nodes = 0, found = 0, last = 0;
    for (auto i : code)
      if (protects(h, i) && region_[i] != h) ++protected_nodes;
    for (std::size_t k = 0; k < placed_.size(); ++k)
      if (protects(h, placed_[k])) {
        ++found;
        last = k;
      }
    if (found != protected_nodes || found == 0) return false;
    std::vector<std::uint32_t> nodes;
    for (auto i : code)
      if (region_[i] == h) nodes.push_back(i);
    placed_.insert(placed_.begin() + static_cast<std::ptrdiff_t>(last + 1), nodes.begin(), nodes.end());
    return true;
  }

  Graph& g_;
  std::vector<std::uint32_t> region_;  // by node: the handler that leads to it, 0 if none does
  std::vector<std::uint32_t> placed_;
};

}  // namespace

void place_handlers(Graph& graph) {
  if (std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& n) { return n.is_handler; }))
    return Placer(graph).run();
  std::uint32_t order = 0;
  for (const auto i : in_code_order(graph, Nodes::kAll)) graph.nodes[i].order = 4 * order++;
}

}  // namespace depyf::structure
