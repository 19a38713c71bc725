// SPDX-License-Identifier: MIT
// Moves code that only a `break` in an except clause leads to after the loop, where the source has it.
//
// 3.10+ compilers duplicate a small exit block at the jumps to it (inline_small_exit_blocks in Python/flowgraph.c);
// 3.12+ move cold blocks, which only an exception reaches, to the end (push_cold_blocks_to_end). Then the duplicate is
// within the loop, after the except clauses of a try statement. Only code order changes.
#include <algorithm>

#include "ast/constants.h"
#include "structure/graph.h"

namespace depyf::structure {

namespace {

class HandlerExits {
 public:
  HandlerExits(const lift::Unit& unit, Graph& graph)
      : unit_(unit), g_(graph), order_(in_code_order(graph, Nodes::kAll)) {}

  void run() {
    read();
    std::vector<std::uint32_t> exits;
    for (std::size_t k = 1; k < order_.size(); ++k)
      if (follows_handlers(order_[k], order_[k - 1])) exits.push_back(order_[k]);
    if (exits.empty()) return;
    budget_ = kLeastSteps + 64 * order_.size();
    find_headers();
    if (headers_.empty()) return;
    bool moved = false;
    for (const auto n : exits) moved |= move_after_loop(n);
    std::uint32_t order = 0;
    if (moved)
      for (const auto i : order_) g_.nodes[i].order = 4 * order++;
  }

 private:
  // In a chain of loops, each entered only by the `break` of the one before, each move shifts all later nodes.
  static constexpr std::size_t kLeastSteps = 1U << 20U;
  static constexpr std::uint32_t kMostExits = 8;  // statements that one `break` leaves

  struct Facts {
    std::uint32_t position = 0;
    SmallVector<std::uint32_t, 4> preds;  // predecessors, with those that raise to it
  };

  void read() {
    facts_.resize(g_.nodes.size());
    for (std::uint32_t k = 0; k < order_.size(); ++k) {
      const auto& n = g_.nodes[order_[k]];
      facts_[order_[k]].position = k;
      const auto handler = n.handler.block.valid() ? g_.of_block[n.handler.block.n] : kNone;
      for (const auto s : {n.t, n.f, handler})
        if (s != kNone) facts_[s].preds.push_back(order_[k]);
    }
  }

  // Returns whether all predecessors of a node end except clauses, and the node cannot be part of the clauses. Back
  // edges are not counted. `before` is the previous node in code order.
  [[nodiscard]] bool follows_handlers(std::uint32_t i, std::uint32_t before) const {
    const auto& n = g_.nodes[i];
    const auto& preds = facts_[i].preds;
    if (n.is_handler) return false;
    bool is_reached = false;
    for (const auto p : preds) {
      if (comes_after(p, i)) continue;
      if (!exits_handler(p, kMostExits)) return false;
      is_reached = true;
    }
    if (!is_reached) return false;
    const bool jumps = g_.nodes[before].t != i && g_.nodes[before].f != i;
    return jumps || n.state.end == EndKind::kBranch || n.state.end == EndKind::kFor || does_something(n);
  }

  // Returns whether the node ends with POP_EXCEPT, maybe with e = None; del e. After that, it may leave statements
  // around the clause; `limit` is the most of them.
  [[nodiscard]] bool exits_handler(std::uint32_t i, std::uint32_t limit) const {
    const Node& n = g_.nodes[i];
    const auto& s = n.state.stmts;
    const auto is_pop = [&](std::size_t back) {
      return s.size() >= back && s[s.size() - back].kind == LKind::kPopExcept;
    };
    if (n.state.end != EndKind::kFall) return false;
    if (is_pop(1) || is_pop(3)) return true;
    const auto& preds = facts_[i].preds;
    const bool leaves = s.size() == 1 && (s[0].kind == LKind::kFinallyExit || s[0].kind == LKind::kWithExit);
    return limit > 0 && leaves && !preds.empty() &&
           std::ranges::all_of(preds, [&](auto p) { return exits_handler(p, limit - 1); });
  }

  // Returns whether the node does more than return a constant, which a clause may do.
  [[nodiscard]] bool does_something(const Node& n) const {
    const auto plain = [&](const LStmt& s) {
      if (s.kind != LKind::kStmt) return true;
      const auto* r = return_of(unit_, s);
      return r != nullptr && (!r->value.valid() || ast::is_constant(unit_.ast, r->value));
    };
    return !std::all_of(n.state.stmts.begin(), n.state.stmts.end(), plain);
  }

  [[nodiscard]] bool comes_after(std::uint32_t a, std::uint32_t b) const {
    return facts_[a].position >= facts_[b].position;
  }

  void spend(std::size_t steps) { budget_ -= std::min(budget_, steps); }

  // Collects the targets of back edges, in code order.
  void find_headers() {
    headers_.clear();
    for (const auto i : order_)
      if (std::ranges::any_of(facts_[i].preds, [&](auto p) { return comes_after(p, i); })) headers_.push_back(i);
  }

  // Returns the nodes of the loop at `header`.
  std::vector<std::uint32_t> loop_at(std::uint32_t header) {
    std::vector<std::uint32_t> out{header};
    std::vector<bool> seen(facts_.size(), false);
    spend(facts_.size() / 64);
    seen[header] = true;
    for (std::size_t k = 0; k < out.size() && budget_ > 0; ++k, --budget_)
      for (const auto p : facts_[out[k]].preds)
        if (comes_after(p, header) && !seen[p]) {
          seen[p] = true;
          out.push_back(p);
        }
    return out;
  }

  // Returns by node whether it is reached from `from` by nodes at position `least` or later.
  std::vector<bool> reached(std::uint32_t from, std::uint32_t least) {
    std::vector<bool> out(facts_.size(), false);
    spend(facts_.size() / 64);
    std::vector<std::uint32_t> todo{from};
    for (; !todo.empty() && budget_ > 0; --budget_) {
      const auto i = todo.back();
      todo.pop_back();
      if (out[i] || facts_[i].position < least) continue;
      out[i] = true;
      const auto& x = g_.nodes[i];
      const auto handler = x.handler.block.valid() ? g_.of_block[x.handler.block.n] : kNone;
      for (const auto s : {x.t, x.f, handler})
        if (s != kNone) todo.push_back(s);
    }
    return out;
  }

  // Moves node n, and the nodes reachable from it, after the innermost loop around it, if that is a `while` loop.
  // Returns whether it did.
  bool move_after_loop(std::uint32_t n) {
    const auto comes_before = [&](auto header, auto position) { return facts_[header].position < position; };
    const auto first = std::lower_bound(headers_.begin(), headers_.end(), facts_[n].position, comes_before);
    for (auto k = first; k != headers_.begin() && budget_ > 0;) {
      const auto header = *--k;
      const auto loop = loop_at(header);
      std::uint32_t last = 0;
      for (const auto i : loop) last = std::max(last, facts_[i].position);
      if (last < facts_[n].position) continue;
      // The iterator on the stack shows which code is in the loop.
      if (g_.nodes[header].state.end == EndKind::kFor) return false;
      std::vector<bool> in_loop(facts_.size(), false);
      for (const auto i : loop) in_loop[i] = true;
      if (in_loop[n]) return false;
      const auto moved = reached(n, facts_[n].position);
      const auto end = std::max(end_of_else(header, in_loop, moved), end_of_else(order_[last], in_loop, moved));
      return move_nodes(n, std::max(last, end), in_loop, moved);
    }
    return false;
  }

  // Returns the position of the last node that only the test of the loop leads to: the end of the else clause. `test`
  // may be the copy of the test at the end of the loop.
  std::uint32_t end_of_else(std::uint32_t test, const std::vector<bool>& loop, const std::vector<bool>& moved) {
    std::uint32_t end = 0;
    for (const auto exit : {g_.nodes[test].t, g_.nodes[test].f}) {
      if (exit == kNone || loop[exit] || moved[exit]) continue;
      const auto orelse = reached(exit, facts_[exit].position);
      for (std::uint32_t i = 0; i < orelse.size(); ++i)
        if (orelse[i] && !moved[i]) end = std::max(end, facts_[i].position);
    }
    return end;
  }

  bool move_nodes(std::uint32_t n, std::uint32_t last, const std::vector<bool>& in_loop,
                  const std::vector<bool>& moved) {
    if (budget_ == 0) return false;
    const auto first = facts_[n].position;
    const auto begin = order_.begin() + first, end = order_.begin() + last + 1;
    std::stable_partition(begin, end, [&](auto i) { return in_loop[i] || !moved[i]; });
    for (auto k = first; k <= last; ++k) facts_[order_[k]].position = k;
    find_headers();
    spend(last - first);
    return true;
  }

  const lift::Unit& unit_;
  Graph& g_;
  NodeIds order_;
  std::vector<Facts> facts_;  // by node
  std::vector<std::uint32_t> headers_;
  std::size_t budget_ = 0;
};

}  // namespace

void place_handler_exits(const lift::Unit& unit, Graph& graph) {
  if (!unit.dialect.call_finally &&
      std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& n) { return n.is_handler; }))
    HandlerExits(unit, graph).run();
}

}  // namespace depyf::structure
