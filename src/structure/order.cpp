// SPDX-License-Identifier: MIT
// Changes code order to that of the source: handlers come after the code that they protect.
//
// 3.12+ compilers move code that only an exception reaches to the end (push_cold_blocks_to_end in Python/flowgraph.c);
// the edge from there to the code after the try statement then looks like a back edge. The code after an asynchronous
// loop is moved, too, as an exception ends the loop. Each handler, and the code after each asynchronous loop, begins a
// region: the nodes reached from there without an exception. Regions are inserted into a linked list, each after the
// last node that it protects. Only Node::order changes.
#include <algorithm>

#include "structure/graph.h"

namespace depyf::structure {

namespace {

class Placer {
 public:
  explicit Placer(Graph& graph) : g_(graph), facts_(graph.nodes.size()) {
    for (std::uint32_t i = 0; i < facts_.size(); ++i) {
      const Node& n = g_.nodes[i];
      if (n.is_handler) facts_[i].begins_region = true;
      if (ends_by_exception(n)) facts_[n.f].begins_region = true, facts_[i].followed_by = n.f;
    }
    for (std::uint32_t i = 0; i < facts_.size(); ++i)
      for (const auto s : {g_.nodes[i].t, g_.nodes[i].f})
        if (s != kNone && ends_by_exception(g_.nodes[s]) && g_.nodes[i].order > g_.nodes[s].order)
          facts_[i].followed_by = g_.nodes[s].f;
  }

  static bool ends_by_exception(const Node& n) {
    return n.state.end == EndKind::kFor && n.state.async_loop && n.f != kNone;
  }

  void run() {
    const auto code = in_code_order(g_, Nodes::kAll);
    claim(0, 0);
    std::vector<std::uint32_t> pending;
    for (auto i : code)
      if (facts_[i].begins_region && facts_[i].region == kNone) {
        claim(i, i);
        pending.push_back(i);
      }
    for (auto i : code)
      if (facts_[i].region == kNone) facts_[i].region = 0;
    reassign_shared(pending);
    std::vector<std::uint32_t> members(code.begin(), code.end());
    std::stable_partition(members.begin(), members.end(), [&](auto i) { return !facts_[i].is_shared; });
    for (std::uint32_t k = 0; k < members.size(); ++k) {
      auto& facts = facts_[members[k]];
      facts.rank = k;
      facts_[facts.region].members.push_back(members[k]);
      for_each_region_after(members[k], [&](std::uint32_t h) { ++facts_[h].missing; });
    }
    place_region(0);
    for (bool progress = true; progress && !pending.empty();) {
      const auto count = pending.size();
      std::erase_if(pending, [&](auto h) {
        if (facts_[h].missing != 0 || facts_[h].last_protected == kNone) return false;
        place_region(h);
        return true;
      });
      progress = pending.size() < count;
    }
    std::uint32_t order = 0;
    for (auto i = first_; i != kNone; i = facts_[i].next) g_.nodes[i].order = 4 * order++;
    for (auto i : code)
      if (facts_[facts_[i].region].serial == 0) g_.nodes[i].order = 4 * order++;
  }

 private:
  struct Facts {
    std::uint32_t region = kNone;  // of a node: the node that begins its region, 0 for the code that needs no exception
    std::uint32_t rank = 0;        // its position in code order
    std::uint32_t next = kNone;    // the next node in the new order
    std::uint32_t followed_by = kNone;  // of nodes that may end an asynchronous loop: the node after the loop
    bool is_shared = false;             // reachable from several handlers: it comes after the nodes of the last
    // A handler, or the node after an asynchronous loop, which counts as protecting the loop.
    bool begins_region = false;
    // The rest is about regions, by the node that begins them.
    std::vector<std::uint32_t> members;    // in code order
    std::uint32_t missing = 0;             // number of protected nodes that are not placed yet
    std::uint32_t last_protected = kNone;  // the last protected node that is placed; the region goes after it
    std::uint32_t depth = 0;               // number of regions that contain the node before the region
    std::uint32_t serial = 0;              // counts the placed regions; 0: not placed yet
    std::uint32_t parent = kNone;          // the region of the code that it protects
  };

  // Assigns the nodes reachable from `from` without an exception to a region, except those already assigned.
  void claim(std::uint32_t from, std::uint32_t region) {
    SmallVector<std::uint32_t, 32> todo{from};
    facts_[from].region = region;
    while (!todo.empty()) {
      const auto i = todo.back();
      todo.pop_back();
      for (auto s : {g_.nodes[i].t, g_.nodes[i].f})
        if (s != kNone && facts_[s].region == kNone && !(ends_by_exception(g_.nodes[i]) && s == g_.nodes[i].f)) {
          facts_[s].region = region;
          todo.push_back(s);
        }
    }
  }

  // Nodes reachable from several regions, none of which is nested in another or protects it, belong to the last of
  // these regions: they come after all of them. claim() has assigned them to the first. Starts with the last region, so
  // that no node moves twice.
  void reassign_shared(const std::vector<std::uint32_t>& regions) {
    for (std::uint32_t i = 0; i < facts_.size(); ++i)
      for_each_region_after(i, [&](std::uint32_t h) {
        if (facts_[h].parent == kNone) facts_[h].parent = facts_[i].region;
      });
    std::vector<SmallVector<std::uint32_t, 4>> exits(facts_.size());  // by region: nodes of others that it leads to
    for (std::uint32_t i = 0; i < facts_.size(); ++i)
      for (const auto s : {g_.nodes[i].t, g_.nodes[i].f})
        if (s != kNone && facts_[s].region != facts_[i].region && facts_[s].region != 0)
          exits[facts_[i].region].push_back(s);
    for (auto h = regions.rbegin(); h != regions.rend(); ++h)
      for (const auto s : exits[*h]) {
        const auto from = facts_[s].region;
        const bool is_later = from != *h && g_.nodes[*h].order > g_.nodes[from].order;
        if (is_later && !facts_[s].begins_region && !is_within(*h, from) && !is_within(from, *h) && !protects(*h, from))
          move_region(s, from, *h);
      }
  }
  [[nodiscard]] bool is_within(std::uint32_t region, std::uint32_t outer) const {
    for (auto left = facts_.size(); left > 0 && region != kNone && region != 0; --left) {
      if (region == outer) return true;
      region = facts_[region].parent;
    }
    return false;
  }
  // Returns whether a handler protects a node, or a handler around that node.
  [[nodiscard]] bool protects(std::uint32_t handler, std::uint32_t node) const {
    for (auto left = facts_.size(); left > 0 && node != handler && node != kNone; --left) {
      const auto& around = g_.nodes[node].handler;
      if (!around.block.valid()) return false;
      node = g_.of_block[around.block.n];
    }
    return node == handler;
  }
  // Moves the nodes reachable from `from` without an exception from one region to another.
  void move_region(std::uint32_t from, std::uint32_t region, std::uint32_t to) {
    SmallVector<std::uint32_t, 32> todo{from};
    while (!todo.empty()) {
      const auto i = todo.back();
      todo.pop_back();
      if (facts_[i].region != region || facts_[i].begins_region) continue;
      facts_[i].region = to;
      facts_[i].is_shared = true;
      for (const auto s : {g_.nodes[i].t, g_.nodes[i].f})
        if (s != kNone) todo.push_back(s);
    }
  }

  // Returns the handler that protects a node, kNone if that begins the node's own region.
  [[nodiscard]] std::uint32_t protector(std::uint32_t i) const {
    const auto& handler = g_.nodes[i].handler;
    const auto h = handler.block.valid() ? g_.of_block[handler.block.n] : kNone;
    return h == facts_[i].region ? kNone : h;
  }

  // Calls `use` with the regions that come after a node.
  template <class Use>
  void for_each_region_after(std::uint32_t i, Use use) const {
    if (const auto h = protector(i); h != kNone) use(h);
    if (const auto e = facts_[i].followed_by; e != kNone && facts_[i].region != e) use(e);
  }

  // Returns whether placed node a comes before placed node b.
  [[nodiscard]] bool comes_before(std::uint32_t a, std::uint32_t b) const {
    // The regions that contain them, directly after the compared nodes.
    std::uint32_t region_a = kNone, region_b = kNone;
    while (facts_[a].region != facts_[b].region) {
      const bool from_a = facts_[facts_[a].region].depth >= facts_[facts_[b].region].depth;
      auto& left = from_a ? region_a : region_b;
      auto& node = from_a ? a : b;
      left = facts_[node].region;
      node = facts_[left].last_protected;
    }
    if (a != b) return facts_[a].rank < facts_[b].rank;
    if (region_a == kNone || region_b == kNone) return region_a == kNone;
    return facts_[region_a].serial > facts_[region_b].serial;  // each was put directly after the node
  }

  // Places the region of handler h after the last node that it protects.
  void place_region(std::uint32_t h) {
    auto& region = facts_[h];
    auto* link = region.last_protected == kNone ? &first_ : &facts_[region.last_protected].next;
    if (region.last_protected != kNone) region.depth = facts_[facts_[region.last_protected].region].depth + 1;
    region.serial = ++serial_;
    const auto rest = *link;
    for (const auto i : region.members) {
      *link = i;
      link = &facts_[i].next;
    }
    *link = rest;
    for (const auto i : region.members) {
      for_each_region_after(i, [&](std::uint32_t outer) {
        --facts_[outer].missing;
        if (facts_[outer].last_protected == kNone || comes_before(facts_[outer].last_protected, i))
          facts_[outer].last_protected = i;
      });
    }
  }

  Graph& g_;
  std::vector<Facts> facts_;  // by node
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
