// SPDX-License-Identifier: MIT
// What single nodes of the lifted graph are to folding: operands, arms, tests, ends.
#pragma once

#include <optional>

#include "structure/graph.h"

namespace depyf::structure {

// What a node that only computes one value gives: the value and where it continues (kReturned: it is returned at once).
inline constexpr std::uint32_t kReturned = 0xFFFFFFFE;
struct Product {
  ExprId value{};
  std::uint32_t next = kNone;
};

class Shapes {
 public:
  Shapes(const lift::Unit& unit, const lift::Lifter& lifter, const Graph& graph)
      : unit_(unit), lifter_(lifter), g_(graph) {}

  // Only a leads to b, and the same handlers protect both.
  [[nodiscard]] bool has_single_edge(std::uint32_t a, std::uint32_t b) const;
  // No statement, and the stack that came in is still there.
  [[nodiscard]] bool pure(std::uint32_t b) const;
  [[nodiscard]] std::optional<Product> product(std::uint32_t b) const;
  // The node returns the value that came in on top of the stack, and does nothing else.
  [[nodiscard]] bool returns_top(std::uint32_t m) const;
  // The node leaves ranges, if anything, and returns a value that came in on the stack.
  [[nodiscard]] bool returns_slot(std::uint32_t m) const;
  // It ends in POP_EXCEPT; e = None; del e.
  [[nodiscard]] bool cleanup_tail(std::uint32_t a) const;
  // Two edges lead to x, which tests one thing more to jump to `other` as well, and that follows x in code order.
  [[nodiscard]] bool tests_on(std::uint32_t x, std::uint32_t other) const;
  // The node does nothing but test the value that came in on top of the stack.
  [[nodiscard]] bool tests_top(std::uint32_t m) const;
  // It does, and leads to `out` where that holds (or not), with the value if that is kept: a test before it with the same
  // outcome leads there at once (jump_thread in Python/flowgraph.c).
  [[nodiscard]] bool tests_again(std::uint32_t m, bool holds, std::uint32_t out, bool keeps) const;
  // The test continues with the operand that a comparison before it left on the stack: the two are one chain first.
  [[nodiscard]] bool continues_chain(const Node& n) const;
  // Cleanup of a chained comparison: drops the middle operand (under the outcome, for a value).
  [[nodiscard]] bool cleans_up(std::uint32_t c, bool value) const;
  [[nodiscard]] bool may_be_negated(const State& s) const;

 private:
  [[nodiscard]] const Node& at(std::uint32_t i) const { return g_.nodes[i]; }
  [[nodiscard]] std::optional<ExprId> returned(const lift::LStmt& s) const;
  [[nodiscard]] bool is_entry_slot(const Node& n, ExprId e) const;
  [[nodiscard]] bool leaves(const lift::LStmt& s) const;
  // e = None or del e, at the end of `except E as e`
  [[nodiscard]] bool clears_name(const lift::LStmt& s) const;

  const lift::Unit& unit_;
  const lift::Lifter& lifter_;
  const Graph& g_;
};

}  // namespace depyf::structure
