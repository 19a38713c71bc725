// SPDX-License-Identifier: MIT
// The regions of a lifted graph: its handler tree and its loops, and which nodes belong to each.
//
// Invariant: made from the graph as it is then, and never changed; who changes the graph makes another.
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
  [[nodiscard]] const NodeIds& nodes() const { return by_rank_; }  // alive, in code order
  [[nodiscard]] std::uint32_t rank(std::uint32_t n) const { return at_[n].rank; }
  [[nodiscard]] NodeSet no_nodes() const { return NodeSet(spare_); }
  [[nodiscard]] std::vector<std::uint32_t> in_order(const NodeSet& nodes) const;
  void sort(std::vector<std::uint32_t>& nodes) const;

  // Handlers. That of a node is the innermost which is no cleanup handler; kNone: it has none.
  [[nodiscard]] HandlerKind kind(std::uint32_t handler) const { return at_[handler].kind; }
  [[nodiscard]] std::uint32_t handler(std::uint32_t n) const { return at_[n].handler; }
  // By which the whole statement of a handler is protected; of another node, its handler.
  [[nodiscard]] std::uint32_t outer(std::uint32_t n) const { return at_[n].outer; }
  [[nodiscard]] bool inside(std::uint32_t handler, std::uint32_t outer) const;  // it is, or is nested in, outer
  [[nodiscard]] std::uint32_t child(std::uint32_t handler, std::uint32_t outer) const;
  [[nodiscard]] std::size_t handler_depth(std::uint32_t handler) const;  // of the stack below its exception
  [[nodiscard]] NodeSet range_nodes(std::uint32_t from, std::uint32_t handler) const;
  [[nodiscard]] NodeSet handler_nodes(std::uint32_t handler) const;
  [[nodiscard]] const std::vector<std::uint32_t>& protected_by(std::uint32_t handler) const {  // if there is a loop
    return protected_[handler];
  }

  // Loops.
  [[nodiscard]] bool is_header(std::uint32_t n) const { return at_[n].is_header; }  // target of a back edge
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
  SmallVector<Facts, 32> at_;  // by node
  NodeIds by_rank_;
  std::vector<Preds> preds_;
  std::vector<std::vector<std::uint32_t>> protected_;
};

// Where edges that leave the region lead, in code order; to the end of a finally body only where `break` does.
[[nodiscard]] std::vector<std::uint32_t> exits_of(const Regions& regions, const NodeSet& region,
                                                  const Loop* loop = nullptr);
// Calls `visit` with what n leads to along forward edges, and along the exceptional one to a handler within `handler`.
template <class Visit>
void each_forward(const Regions& regions, std::uint32_t n, std::uint32_t handler, const Visit& visit) {
  auto next = Successors(regions.node(n));
  if (const auto own = regions.handler(n); own != handler && regions.inside(own, handler)) next.push_back(own);
  for (const auto s : next)
    if (!regions.is_header(s) || regions.rank(s) > regions.rank(n)) visit(s);
}
// What n leads to along these edges.
[[nodiscard]] NodeSet forward_reachable(const Regions& regions, std::uint32_t n, std::uint32_t handler);
// Whether n leads to `target` along these edges. What lies nearest to n is looked at first: where statement after statement leads to
// one target, the next of them tells.
[[nodiscard]] bool leads_to(const Regions& regions, std::uint32_t n, std::uint32_t target, std::uint32_t handler);

}  // namespace depyf::structure
