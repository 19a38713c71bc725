// SPDX-License-Identifier: MIT
// The code object whose statements are being built: its lifted graph, and facts that were read from the graph before
// edges were redirected past the nodes that leave loops.
#pragma once

#include <set>
#include <vector>

#include "structure/graph.h"

namespace depyf::structure {

struct LiftedCode {
  lift::Unit& unit;
  lift::Lifter& lifter;
  Graph& graph;
  TailDuplication duplication;
  Loops loops;
  Guards guards;
  std::set<std::uint32_t> loops_once{};  // headers of loops without a back edge

  struct Edges {
    std::uint32_t t = kNone, f = kNone;
  };
  SmallVector<Edges, 16> layout{};          // by node: the order of its successors before find_breaks()
  SmallVector<std::uint32_t, 16> breaks{};  // by node, for headers of `for` loops: the target of `break`, or kNone
  bool has_several_break_targets = false;   // some `for` loop is left to several places

  [[nodiscard]] const Node& node(std::uint32_t n) const { return graph.nodes[n]; }
  // Returns the node of the handler that protects n, or kNone.
  [[nodiscard]] std::uint32_t protector(std::uint32_t n) const {
    const auto& block = graph.nodes[n].handler.block;
    return block.valid() ? graph.of_block[block.n] : kNone;
  }
  [[nodiscard]] bool is_function() const { return (lifter.co.flags & kCoOptimized) != 0; }
  // Returns whether the true arm comes first in code order. The exit of a loop counts as where it pops the iterator,
  // whatever code it shares after that.
  [[nodiscard]] bool true_arm_first(std::uint32_t n) const { return layout[n].t < layout[n].f; }
  std::uint32_t add_node(Node node);
  ast::StmtId make(ast::StmtNode made, std::uint32_t n) const;  // creates a statement at the end of n
  // Redirects each edge to a key of the map to the key's value.
  template <class Map>
  void redirect(const Map& to) {
    for (auto& n : graph.nodes)
      for (auto* edge : {&n.t, &n.f})
        if (const auto it = to.find(*edge); it != to.end()) *edge = it->second;
  }
};

// Finds the target of `break` in each `for` loop. Afterwards, no edge leads to a node that only leaves a loop.
void find_breaks(LiftedCode& code);

}  // namespace depyf::structure
