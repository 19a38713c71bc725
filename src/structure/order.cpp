// SPDX-License-Identifier: MIT
// Moves handlers back to where the source has them: after what they protect.
//
// 3.12+ compilers move code that only an exception reaches to the end (push_cold_blocks_to_end in Python/flowgraph.c);
// the way from there to what follows the try then looks like a loop. What follows an asynchronous loop is such code, as
// its end is an exception. Code order is all that is changed.
#include <algorithm>

#include "structure/graph.h"

namespace depyf::structure {

namespace {

class Placer {
 public:
  explicit Placer(Graph& graph) : g_(graph), at_(graph.nodes.size()) {
    for (std::uint32_t i = 0; i < at_.size(); ++i) {
      const Node& n = g_.nodes[i];
      if (n.is_handler) at_[i].begins_region = true;
      if (ends_by_exception(n)) at_[n.f].begins_region = true, at_[i].followed_by = n.f;
    }
    for (std::uint32_t i = 0; i < at_.size(); ++i)
      for (const auto s : {g_.nodes[i].t, g_.nodes[i].f})
        if (s != kNone && ends_by_exception(g_.nodes[s]) && g_.nodes[i].order > g_.nodes[s].order)
          at_[i].followed_by = g_.nodes[s].f;
  }

  static bool ends_by_exception(const Node& n) {
    return n.state.end == EndKind::kFor && n.state.async_loop && n.f != kNone;
  }

  void run() {
    const auto code = in_code_order(g_, Nodes::kAll);
    claim(0, 0);
    std::vector<std::uint32_t> pending;
    for (auto i : code)
      if (at_[i].begins_region && at_[i].region == kNone) {
        claim(i, i);
        pending.push_back(i);
      }
    for (auto i : code)
      if (at_[i].region == kNone) at_[i].region = 0;
    share(pending);
    std::vector<std::uint32_t> members(code.begin(), code.end());
    std::stable_partition(members.begin(), members.end(), [&](auto i) { return !at_[i].is_shared; });
    for (std::uint32_t k = 0; k < members.size(); ++k) {
      auto& place = at_[members[k]];
      place.rank = k;
      at_[place.region].members.push_back(members[k]);
      for_each_after(members[k], [&](std::uint32_t h) { ++at_[h].missing; });
    }
    insert(0);
    for (bool progress = true; progress && !pending.empty();) {
      const auto before = pending.size();
      std::erase_if(pending, [&](auto h) {
        if (at_[h].missing != 0 || at_[h].last_protected == kNone) return false;
        insert(h);
        return true;
      });
      progress = pending.size() < before;
    }
    std::uint32_t order = 0;
    for (auto i = first_; i != kNone; i = at_[i].next) g_.nodes[i].order = 4 * order++;
    for (auto i : code)
      if (at_[at_[i].region].serial == 0) g_.nodes[i].order = 4 * order++;
  }

 private:
  struct Place {
    std::uint32_t region = kNone;       // of a node: the handler that leads to it, 0 if none does
    std::uint32_t rank = 0;             // its place in code order
    std::uint32_t next = kNone;         // the node after it
    std::uint32_t followed_by = kNone;  // of those that may be the last of an asynchronous loop: what follows the loop
    bool is_shared = false;             // several handlers lead to it: it comes after the nodes of the last
    bool begins_region = false;         // a handler, or what follows such a loop, whose nodes it protects
    // of what begins a region
    std::vector<std::uint32_t> members;    // in code order
    std::uint32_t missing = 0;             // nodes that it protects and that are not placed yet
    std::uint32_t last_protected = kNone;  // the last of those that are: where its region goes
    std::uint32_t depth = 0;               // how many regions the node before its region is in
    std::uint32_t serial = 0;              // when it was placed; 0: not yet
    std::uint32_t parent = kNone;          // the region of what it protects
  };

  // What is reached from `from` without an exception, and not from somewhere claimed before.
  void claim(std::uint32_t from, std::uint32_t region) {
    SmallVector<std::uint32_t, 32> todo{from};
    at_[from].region = region;
    while (!todo.empty()) {
      const auto i = todo.back();
      todo.pop_back();
      for (auto s : {g_.nodes[i].t, g_.nodes[i].f})
        if (s != kNone && at_[s].region == kNone && !(ends_by_exception(g_.nodes[i]) && s == g_.nodes[i].f)) {
          at_[s].region = region;
          todo.push_back(s);
        }
    }
  }

  // What several regions lead to, none of which is within another or protects it, belongs to the last: it follows them
  // all. Each had been claimed by the first. The last region comes first here, so that nothing moves twice.
  void share(const std::vector<std::uint32_t>& regions) {
    for (std::uint32_t i = 0; i < at_.size(); ++i)
      for_each_after(i, [&](std::uint32_t h) {
        if (at_[h].parent == kNone) at_[h].parent = at_[i].region;
      });
    std::vector<SmallVector<std::uint32_t, 4>> exits(at_.size());  // by region: nodes of others that it leads to
    for (std::uint32_t i = 0; i < at_.size(); ++i)
      for (const auto s : {g_.nodes[i].t, g_.nodes[i].f})
        if (s != kNone && at_[s].region != at_[i].region && at_[s].region != 0) exits[at_[i].region].push_back(s);
    for (auto h = regions.rbegin(); h != regions.rend(); ++h)
      for (const auto s : exits[*h]) {
        const auto from = at_[s].region;
        const bool is_later = from != *h && g_.nodes[*h].order > g_.nodes[from].order;
        if (is_later && !at_[s].begins_region && !is_within(*h, from) && !is_within(from, *h) && !protects(*h, from))
          move(s, from, *h);
      }
  }
  [[nodiscard]] bool is_within(std::uint32_t region, std::uint32_t outer) const {
    for (auto left = at_.size(); left > 0 && region != kNone && region != 0; --left) {
      if (region == outer) return true;
      region = at_[region].parent;
    }
    return false;
  }
  // Whether a handler is around a node, or around a handler that is.
  [[nodiscard]] bool protects(std::uint32_t handler, std::uint32_t node) const {
    for (auto left = at_.size(); left > 0 && node != handler && node != kNone; --left) {
      const auto& around = g_.nodes[node].handler;
      if (!around.block.valid()) return false;
      node = g_.of_block[around.block.n];
    }
    return node == handler;
  }
  // What `from` leads to without an exception, of one region.
  void move(std::uint32_t from, std::uint32_t region, std::uint32_t to) {
    SmallVector<std::uint32_t, 32> todo{from};
    while (!todo.empty()) {
      const auto i = todo.back();
      todo.pop_back();
      if (at_[i].region != region || at_[i].begins_region) continue;
      at_[i].region = to;
      at_[i].is_shared = true;
      for (const auto s : {g_.nodes[i].t, g_.nodes[i].f})
        if (s != kNone) todo.push_back(s);
    }
  }

  // The handler that protects a node, if that is not in its own region.
  [[nodiscard]] std::uint32_t protector(std::uint32_t i) const {
    const auto& handler = g_.nodes[i].handler;
    const auto h = handler.block.valid() ? g_.of_block[handler.block.n] : kNone;
    return h == at_[i].region ? kNone : h;
  }

  // The regions that come after a node.
  template <class Use>
  void for_each_after(std::uint32_t i, Use use) const {
    if (const auto h = protector(i); h != kNone) use(h);
    if (const auto e = at_[i].followed_by; e != kNone && at_[i].region != e) use(e);
  }

  // Of two nodes that are placed, whether a comes before b.
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t left_a = kNone, left_b = kNone;  // the regions that hold them, after the nodes compared
    while (at_[a].region != at_[b].region) {
      const bool from_a = at_[at_[a].region].depth >= at_[at_[b].region].depth;
      auto& left = from_a ? left_a : left_b;
      auto& node = from_a ? a : b;
      left = at_[node].region;
      node = at_[left].last_protected;
    }
    if (a != b) return at_[a].rank < at_[b].rank;
    if (left_a == kNone || left_b == kNone) return left_a == kNone;
    return at_[left_a].serial > at_[left_b].serial;  // each was put directly after the node
  }

  // Puts the region of handler h after the last node that it protects.
  void insert(std::uint32_t h) {
    auto& region = at_[h];
    auto* link = region.last_protected == kNone ? &first_ : &at_[region.last_protected].next;
    if (region.last_protected != kNone) region.depth = at_[at_[region.last_protected].region].depth + 1;
    region.serial = ++serial_;
    const auto rest = *link;
    for (const auto i : region.members) {
      *link = i;
      link = &at_[i].next;
    }
    *link = rest;
    for (const auto i : region.members) {
      for_each_after(i, [&](std::uint32_t outer) {
        --at_[outer].missing;
        if (at_[outer].last_protected == kNone || before(at_[outer].last_protected, i)) at_[outer].last_protected = i;
      });
    }
  }

  Graph& g_;
  std::vector<Place> at_;  // by node
  std::uint32_t first_ = kNone, serial_ = 0;
};

}  // namespace

void place_handlers(Graph& graph) {
  const auto moves = [](const Node& n) { return n.is_handler || Placer::ends_by_exception(n); };
  if (std::any_of(graph.nodes.begin(), graph.nodes.end(), moves)) return Placer(graph).run();
  std::uint32_t order = 0;
  for (const auto i : in_code_order(graph, Nodes::kAll)) graph.nodes[i].order = 4 * order++;
}

}  // namespace depyf::structure
