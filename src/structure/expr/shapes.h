// SPDX-License-Identifier: MIT
// Shapes of single nodes that folding looks for: operands, arms, tests, exits.
#pragma once

#include <optional>

#include "structure/graph.h"

namespace depyf::structure {

// A node that only computes one value: the value, and the successor (kReturned: the node returns the value).
inline constexpr std::uint32_t kReturned = 0xFFFFFFFE;
struct Product {
  ExprId value{};
  std::uint32_t next = kNone;
};

class Shapes {
 public:
  Shapes(const lift::Unit& unit, const lift::Lifter& lifter, const Graph& graph)
      : unit_(unit), lifter_(lifter), g_(graph) {}

  // Returns whether a is the only predecessor of b, and both have the same handler.
  [[nodiscard]] bool has_single_edge(std::uint32_t a, std::uint32_t b) const;
  // Returns whether the node has no statement and leaves the entry stack in place.
  [[nodiscard]] bool is_pure(std::uint32_t b) const;
  // Returns the product of a node that only computes one value, or nullopt.
  [[nodiscard]] std::optional<Product> product(std::uint32_t b) const;
  // Returns whether the node does nothing but return the value on top of its entry stack.
  [[nodiscard]] bool returns_top(std::uint32_t m) const;
  // Returns whether the node does nothing but leave ranges, if any, and return a value of its entry stack.
  [[nodiscard]] bool returns_slot(std::uint32_t m) const;
  // Returns whether the node ends with POP_EXCEPT; e = None; del e.
  [[nodiscard]] bool has_clean_up_tail(std::uint32_t a) const;
  // Returns whether x has two predecessors and only adds a test to theirs: it jumps to `other` as well, which comes
  // later.
  [[nodiscard]] bool adds_test(std::uint32_t x, std::uint32_t other) const;
  // Returns whether the node does nothing but test the value on top of its entry stack.
  [[nodiscard]] bool tests_top(std::uint32_t m) const;
  // Returns whether the node is such a test, and has the outcome `holds` for its edge to `out`, which keeps the value
  // if `keeps`. Then jump threading has let an earlier test with the same outcome jump to `out` at once (jump_thread in
  // Python/flowgraph.c).
  [[nodiscard]] bool tests_again(std::uint32_t m, bool holds, std::uint32_t out, bool keeps) const;
  // Returns whether the test uses the operand that an earlier comparison has left on the stack. Then both must first be
  // folded into one chain.
  [[nodiscard]] bool continues_chain(const Node& n) const;
  // Returns whether the node is the clean-up of a chained comparison: drops the middle operand (from below the outcome
  // if `value`).
  [[nodiscard]] bool is_chain_clean_up(std::uint32_t c, bool value) const;
  [[nodiscard]] bool may_be_negated(const State& s) const;

 private:
  [[nodiscard]] const Node& at(std::uint32_t i) const { return g_.nodes[i]; }
  [[nodiscard]] std::optional<ExprId> returned(const lift::LStmt& s) const;
  [[nodiscard]] bool is_entry_slot(const Node& n, ExprId e) const;
  [[nodiscard]] bool is_clean_up(const lift::LStmt& s) const;
  // e = None or del e, at the end of `except E as e`
  [[nodiscard]] bool clears_name(const lift::LStmt& s) const;

  const lift::Unit& unit_;
  const lift::Lifter& lifter_;
  const Graph& g_;
};

}  // namespace depyf::structure
