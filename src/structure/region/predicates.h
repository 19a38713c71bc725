// SPDX-License-Identifier: MIT
// What a node of the lifted graph does, as far as the rules ask: predicates without a state.
#pragma once

#include "structure/expr/combine.h"
#include "structure/region/lifted_code.h"

namespace depyf::structure {

struct Loop {
  std::uint32_t header = kNone;
  std::uint32_t brk = kNone;  // where `break` goes

  [[nodiscard]] bool has_edge_to(std::uint32_t n) const { return n == header || n == brk; }
};

// Where a node leads: its edges, and room for its handler.
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

// `e` if the statements at `at` are e = None; del e, else nothing.
[[nodiscard]] ast::NameId dropped_name(const lift::Unit& unit, const Stmts& s, std::size_t at);

// A return or a raise with at most one statement before it.
[[nodiscard]] bool is_short_exit(const Node& n);
// Leaves constructs and makes no statement: may be passed as often as the source leaves them there.
[[nodiscard]] bool is_cleanup_only(const LiftedCode& code, std::uint32_t n);
// The first node after cleanup-only ones; the header and the break target of a loop count as nodes of their own.
[[nodiscard]] std::uint32_t skip_cleanup(const LiftedCode& code, std::uint32_t n, const Loop* loop = nullptr);
// Nothing but the exit of an except clause.
[[nodiscard]] bool exits_handler(const LiftedCode& code, std::uint32_t n);
// Returns a constant, which cannot raise and so may be written inside a range that it has left.
[[nodiscard]] bool is_constant_return(const LiftedCode& code, std::uint32_t n);
// The same, where a `return` inside would have loaded the constant after it had left the range as well: from 3.14 on it
// computes what is_folded_late() first (fold_tuple_of_constants and its like in Python/flowgraph.c).
[[nodiscard]] bool may_return_inside(const LiftedCode& code, std::uint32_t n);
[[nodiscard]] bool returns_none(const LiftedCode& code, std::uint32_t n);
// Raises the exception again, and does nothing else: one that no except clause took propagates by itself.
[[nodiscard]] bool only_reraises(const Node& n);
// The line ends in the RERAISE that a finally body ends in.
[[nodiscard]] bool ends_finally(const Node& n);
// What follows a statement of a finally body is nothing but its end.
[[nodiscard]] bool is_end_of_finally(const LiftedCode& code, std::uint32_t follow);
// Whether the end of a finally body is reached from n past `follow`.
[[nodiscard]] bool exits_finally(const LiftedCode& code, std::uint32_t n, std::uint32_t follow);
// If the node begins by taking what a construct put on the stack, nothing else may lead there.
[[nodiscard]] bool has_single_entry(const Node& body, LKind kind);
// The message, which may be none, where m raises what an assert does; nothing: it does not.
[[nodiscard]] std::optional<ExprId> raised_assertion(const LiftedCode& code, std::uint32_t m);

enum class ExitKind : std::uint8_t { kUnknown, kFallThrough, kAbrupt };
// How a node that leaves a with statement, a protected body or `except E as x` does so (3.8, elsewhere unknown).
[[nodiscard]] ExitKind exit_kind(const LiftedCode& code, std::uint32_t n);

[[nodiscard]] inline bool may_negate(const LiftedCode& code, std::uint32_t n) {
  return may_negate(code.unit, code.node(n).state);
}
[[nodiscard]] inline ExprId condition(const LiftedCode& code, std::uint32_t n, bool holds) {
  return tested(code.unit, code.node(n).state, holds);
}

}  // namespace depyf::structure
