// SPDX-License-Identifier: MIT
// Predicates on single nodes of the lifted graph.
#pragma once

#include "structure/expr/combine.h"
#include "structure/region/lifted_code.h"

namespace depyf::structure {

struct Loop {
  std::uint32_t header = kNone;
  std::uint32_t brk = kNone;  // the target of `break`

  [[nodiscard]] bool has_edge_to(std::uint32_t n) const { return n == header || n == brk; }
};

// The successors of a node, with room for its handler.
class Successors {
 public:
  explicit Successors(const Node& n) {
    push_back(n.t);
    if (n.f != n.t) push_back(n.f);
  }
  void push_back(std::uint32_t n) {
    if (n != kNone) at_[size_++] = n;
  }
  void clear() { size_ = 0; }
  [[nodiscard]] const std::uint32_t* begin() const { return at_; }
  [[nodiscard]] const std::uint32_t* end() const { return at_ + size_; }

 private:
  std::uint32_t at_[3];
  std::uint32_t size_ = 0;
};

// Returns `e` if the statements at index `at` are e = None; del e, otherwise an invalid id.
[[nodiscard]] ast::NameId dropped_name(const lift::Unit& unit, const Stmts& s, std::size_t at);

// Returns whether the node is a return or a raise with at most one statement before it.
[[nodiscard]] bool is_short_exit(const Node& n);
// Returns whether the node only leaves constructs, without any statement. Such a node may be passed as often as the
// source leaves these constructs there.
[[nodiscard]] bool is_cleanup_only(const LiftedCode& code, std::uint32_t n);
// Returns the first node after clean-up-only ones. The header and the break target of a loop are not skipped.
[[nodiscard]] std::uint32_t skip_cleanup(const LiftedCode& code, std::uint32_t n, const Loop* loop = nullptr);
// Returns whether the node is clean-up only, and leaves an except clause.
[[nodiscard]] bool exits_handler(const LiftedCode& code, std::uint32_t n);
// Returns whether the node returns a constant (or reraises), after leaving constructs. It cannot raise, so the `return`
// may be inside a range that the code has left.
[[nodiscard]] bool is_constant_return(const LiftedCode& code, std::uint32_t n);
// The same, if a `return` inside the range would also have loaded the constant after leaving it: from 3.14 on, it
// computes values that is_folded_late() before (fold_tuple_of_constants and similar functions in Python/flowgraph.c).
[[nodiscard]] bool may_return_inside(const LiftedCode& code, std::uint32_t n);
[[nodiscard]] bool returns_none(const LiftedCode& code, std::uint32_t n);
// Returns whether the node does nothing but reraise: an exception that no except clause matches propagates so.
[[nodiscard]] bool only_reraises(const Node& n);
// Returns whether the line ends in the RERAISE at the end of a finally body.
[[nodiscard]] bool ends_finally(const Node& n);
// Returns whether `follow` is nothing but the end of a finally body, or kNone.
[[nodiscard]] bool is_end_of_finally(const LiftedCode& code, std::uint32_t follow);
// Returns whether the end of a finally body is reachable from n without passing `follow`.
[[nodiscard]] bool exits_finally(const LiftedCode& code, std::uint32_t n, std::uint32_t follow);
// Returns false if the body begins by popping what a construct has pushed, and has other predecessors.
[[nodiscard]] bool has_single_entry(const Node& body, LKind kind);
// Returns the message (invalid: none) if m raises what an `assert` raises, otherwise nullopt.
[[nodiscard]] std::optional<ExprId> raised_assertion(const LiftedCode& code, std::uint32_t m);

enum class ExitKind : std::uint8_t { kUnknown, kFallThrough, kAbrupt };
// Returns how a node leaves a with statement, a protected body or `except E as x` (3.8; unknown elsewhere).
[[nodiscard]] ExitKind exit_kind(const LiftedCode& code, std::uint32_t n);

[[nodiscard]] inline bool may_negate(const LiftedCode& code, std::uint32_t n) {
  return may_negate(code.unit, code.node(n).state);
}
[[nodiscard]] inline ExprId condition(const LiftedCode& code, std::uint32_t n, bool holds) {
  return tested(code.unit, code.node(n).state, holds);
}

}  // namespace depyf::structure
