// SPDX-License-Identifier: MIT
// The code object whose statements are being built: its lifted graph, and what was read off the graph before edges
// were led past the nodes that leave loops.
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
  std::set<std::uint32_t> loops_once{};  // headers of loops that nothing leads back to

  struct Edges {
    std::uint32_t t = kNone, f = kNone;
  };
  SmallVector<Edges, 16> layout{};          // by node: where in code order its edges led before find_breaks()
  SmallVector<std::uint32_t, 16> breaks{};  // by node, headers of for loops: where `break` leads; kNone: there is none
  bool has_several_break_targets = false;   // a for loop is left to several places

  [[nodiscard]] const Node& node(std::uint32_t n) const { return graph.nodes[n]; }
  // The node of the handler that protects n, kNone if there is none.
  [[nodiscard]] std::uint32_t protector(std::uint32_t n) const {
    const auto& block = graph.nodes[n].handler.block;
    return block.valid() ? graph.of_block[block.n] : kNone;
  }
  [[nodiscard]] bool is_function() const { return (lifter.co.flags & kCoOptimized) != 0; }
  // Whether it comes first in the code; the exit of a loop is placed where it drops the iterator, whatever code it
  // shares after that.
  [[nodiscard]] bool true_arm_first(std::uint32_t n) const { return layout[n].t < layout[n].f; }
  std::uint32_t add_node(Node node);
  ast::StmtId make(ast::StmtNode made, std::uint32_t n) const;  // a statement at the end of n
  // Each edge that leads to a key of the map leads to its value.
  template <class Map>
  void redirect(const Map& to) {
    for (auto& n : graph.nodes)
      for (auto* edge : {&n.t, &n.f})
        if (const auto it = to.find(*edge); it != to.end()) *edge = it->second;
  }
};

// Reads where `break` leads in each for loop; no edge leads to a node that only leaves a loop from then on.
void find_breaks(LiftedCode& code);

}  // namespace depyf::structure
