// SPDX-License-Identifier: MIT
// The regions of a lifted graph: its handler tree and its loops, and which nodes belong to each.
//
// Invariant: computed once from the graph and never updated; after a change of the graph, a new object is needed.
#pragma once

#include <vector>

#include "structure/region/node_set.h"
#include "structure/region/predicates.h"

namespace depyf::structure {

enum class HandlerKind : std::uint8_t { kWith, kExcept, kFinally, kCleanup, kOther };

class Regions {
 public:
  using Preds = SmallVector<std::uint32_t, 2>;
  explicit Regions(const LiftedCode& code);

  const LiftedCode& code;
  [[nodiscard]] const Node& node(std::uint32_t n) const { return code.node(n); }
  [[nodiscard]] const NodeIds& nodes() const { return by_rank_; }  // alive ones, in code order
  [[nodiscard]] std::uint32_t rank(std::uint32_t n) const { return facts_[n].rank; }
  [[nodiscard]] NodeSet no_nodes() const { return NodeSet(spare_); }
  [[nodiscard]] std::vector<std::uint32_t> in_order(const NodeSet& nodes) const;
  void sort(std::vector<std::uint32_t>& nodes) const;

  // Handlers. The handler of a node is the innermost one that is not a clean-up handler; kNone: it has none.
  [[nodiscard]] HandlerKind kind(std::uint32_t handler) const { return facts_[handler].kind; }
  [[nodiscard]] std::uint32_t handler(std::uint32_t n) const { return facts_[n].handler; }
  // Returns the handler that protects the whole statement of a handler; for any other node, its handler.
  [[nodiscard]] std::uint32_t outer(std::uint32_t n) const { return facts_[n].outer; }
  // Whether handler is `outer` or nested in it.
  [[nodiscard]] bool inside(std::uint32_t handler, std::uint32_t outer) const;
  [[nodiscard]] std::uint32_t child(std::uint32_t handler, std::uint32_t outer) const;
  [[nodiscard]] std::size_t handler_depth(std::uint32_t handler) const;  // depth of the stack below its exception
  [[nodiscard]] NodeSet range_nodes(std::uint32_t from, std::uint32_t handler) const;
  [[nodiscard]] NodeSet handler_nodes(std::uint32_t handler) const;
  // Empty if the graph has no loop.
  [[nodiscard]] const std::vector<std::uint32_t>& protected_by(std::uint32_t handler) const {
    return protected_[handler];
  }

  // Loops.
  // Whether it is the target of a back edge.
  [[nodiscard]] bool is_header(std::uint32_t n) const { return facts_[n].is_header; }
  [[nodiscard]] const Preds& preds(std::uint32_t n) const { return preds_[n]; }
  [[nodiscard]] NodeSet loop_nodes(std::uint32_t header) const;
  [[nodiscard]] bool loop_leaves_range(std::uint32_t header, std::uint32_t handler) const;

 private:
  struct Facts {
    std::uint32_t rank = 0;  // position in code order
    std::uint32_t handler = kNone;
    std::uint32_t outer = kNone;
    HandlerKind kind = HandlerKind::kOther;
    bool is_header = false;
  };
  [[nodiscard]] std::uint32_t handler_of(std::uint32_t n) const;
  [[nodiscard]] std::uint32_t outer_of(std::uint32_t handler) const;
  [[nodiscard]] bool is_on_cycle(std::uint32_t n) const;

  mutable SpareMarks spare_;
  SmallVector<Facts, 32> facts_;  // by node
  NodeIds by_rank_;
  std::vector<Preds> preds_;
  std::vector<std::vector<std::uint32_t>> protected_;
};

// Returns the targets of edges that leave the region, in code order. The end of a finally body is one only if `break`
// leads there.
[[nodiscard]] std::vector<std::uint32_t> exits_of(const Regions& regions, const NodeSet& region,
                                                  const Loop* loop = nullptr);
// Calls `visit` with the successors of n along forward edges, and with the handler of n if that is nested in `handler`.
template <class Visit>
void each_forward(const Regions& regions, std::uint32_t n, std::uint32_t handler, const Visit& visit) {
  auto next = Successors(regions.node(n));
  if (const auto own = regions.handler(n); own != handler && regions.inside(own, handler)) next.push_back(own);
  for (const auto s : next)
    if (!regions.is_header(s) || regions.rank(s) > regions.rank(n)) visit(s);
}
// Returns the nodes reachable from n along these edges.
[[nodiscard]] NodeSet forward_reachable(const Regions& regions, std::uint32_t n, std::uint32_t handler);
// Returns whether `target` is reachable from n along these edges. Visits nodes in code order: in a sequence of
// statements that all lead to one target, the next of them answers the question.
[[nodiscard]] bool leads_to(const Regions& regions, std::uint32_t n, std::uint32_t target, std::uint32_t handler);

}  // namespace depyf::structure
