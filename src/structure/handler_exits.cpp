// SPDX-License-Identifier: MIT
// Moves what only a `break` in an except clause leads to after the loop, where the source has it.
//
// 3.10+ compilers duplicate a small exit block at the jumps to it (inline_small_exit_blocks in Python/flowgraph.c),
// 3.12+ move cold blocks, which only an exception reaches, to the end (push_cold_blocks_to_end): the duplicate then
// lies within the loop, after the except clauses of a try statement. Only code order is changed.
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
    for (const auto n : exits) moved |= move(n);
    std::uint32_t order = 0;
    if (moved)
      for (const auto i : order_) g_.nodes[i].order = 4 * order++;
  }

 private:
  // In a chain of loops, each reached only by the break of the one before, each move shifts all that follow.
  static constexpr std::size_t kLeastSteps = 1U << 20U;
  static constexpr std::uint32_t kMostExits = 8;  // statements that one `break` leaves

  struct Facts {
    std::uint32_t position = 0;
    SmallVector<std::uint32_t, 4> preds;  // what leads to it
  };

  void read() {
    at_.resize(g_.nodes.size());
    for (std::uint32_t k = 0; k < order_.size(); ++k) {
      const auto& n = g_.nodes[order_[k]];
      at_[order_[k]].position = k;
      const auto handler = n.handler.block.valid() ? g_.of_block[n.handler.block.n] : kNone;
      for (const auto s : {n.t, n.f, handler})
        if (s != kNone) at_[s].preds.push_back(order_[k]);
    }
  }

  // Whether only ends of except clauses lead to a node that cannot be part of them; if it begins a loop, its back edges
  // do not count. `before` precedes it in code order.
  [[nodiscard]] bool follows_handlers(std::uint32_t i, std::uint32_t before) const {
    const auto& n = g_.nodes[i];
    const auto& preds = at_[i].preds;
    if (n.is_handler) return false;
    bool led_to = false;
    for (const auto p : preds) {
      if (comes_after(p, i)) continue;
      if (!exits_handler(p, kMostExits)) return false;
      led_to = true;
    }
    if (!led_to) return false;
    const bool jumps = g_.nodes[before].t != i && g_.nodes[before].f != i;
    return jumps || n.state.end == EndKind::kBranch || n.state.end == EndKind::kFor || does_something(n);
  }

  // POP_EXCEPT, and maybe e = None; del e, are the last it does; statements around the clause may be left after that.
  [[nodiscard]] bool exits_handler(std::uint32_t i, std::uint32_t most) const {
    const Node& n = g_.nodes[i];
    const auto& s = n.state.stmts;
    const auto is_pop = [&](std::size_t back) {
      return s.size() >= back && s[s.size() - back].kind == LKind::kPopExcept;
    };
    if (n.state.end != EndKind::kFall) return false;
    if (is_pop(1) || is_pop(3)) return true;
    const auto& preds = at_[i].preds;
    const bool leaves = s.size() == 1 && (s[0].kind == LKind::kFinallyExit || s[0].kind == LKind::kWithExit);
    return most > 0 && leaves && !preds.empty() &&
           std::ranges::all_of(preds, [&](auto p) { return exits_handler(p, most - 1); });
  }

  // More than to return what is known, as a clause may.
  [[nodiscard]] bool does_something(const Node& n) const {
    const auto plain = [&](const LStmt& s) {
      if (s.kind != LKind::kStmt) return true;
      const auto* r = return_of(unit_, s);
      return r != nullptr && (!r->value.valid() || ast::is_constant(unit_.ast, r->value));
    };
    return !std::all_of(n.state.stmts.begin(), n.state.stmts.end(), plain);
  }

  [[nodiscard]] bool comes_after(std::uint32_t a, std::uint32_t b) const { return at_[a].position >= at_[b].position; }

  void spend(std::size_t steps) { budget_ -= std::min(budget_, steps); }

  // Nodes that a later one leads back to, in code order.
  void find_headers() {
    headers_.clear();
    for (const auto i : order_)
      if (std::ranges::any_of(at_[i].preds, [&](auto p) { return comes_after(p, i); })) headers_.push_back(i);
  }

  // The nodes of the loop at `header`.
  std::vector<std::uint32_t> loop_at(std::uint32_t header) {
    std::vector<std::uint32_t> out{header};
    std::vector<bool> seen(at_.size(), false);
    spend(at_.size() / 64);
    seen[header] = true;
    for (std::size_t k = 0; k < out.size() && budget_ > 0; ++k, --budget_)
      for (const auto p : at_[out[k]].preds)
        if (comes_after(p, header) && !seen[p]) {
          seen[p] = true;
          out.push_back(p);
        }
    return out;
  }

  // What is reached from `from` without going back before `least`.
  std::vector<bool> reached(std::uint32_t from, std::uint32_t least) {
    std::vector<bool> out(at_.size(), false);
    spend(at_.size() / 64);
    std::vector<std::uint32_t> todo{from};
    for (; !todo.empty() && budget_ > 0; --budget_) {
      const auto i = todo.back();
      todo.pop_back();
      if (out[i] || at_[i].position < least) continue;
      out[i] = true;
      const auto& x = g_.nodes[i];
      const auto handler = x.handler.block.valid() ? g_.of_block[x.handler.block.n] : kNone;
      for (const auto s : {x.t, x.f, handler})
        if (s != kNone) todo.push_back(s);
    }
    return out;
  }

  // Moves node n, and what it leads to, after the innermost loop that surrounds it, if that is a `while`.
  bool move(std::uint32_t n) {
    const auto lies_before = [&](auto header, auto position) { return at_[header].position < position; };
    const auto first = std::lower_bound(headers_.begin(), headers_.end(), at_[n].position, lies_before);
    for (auto k = first; k != headers_.begin() && budget_ > 0;) {
      const auto header = *--k;
      const auto loop = loop_at(header);
      std::uint32_t last = 0;
      for (const auto i : loop) last = std::max(last, at_[i].position);
      if (last < at_[n].position) continue;
      if (g_.nodes[header].state.end == EndKind::kFor) return false;  // its iterator tells
      std::vector<bool> in_loop(at_.size(), false);
      for (const auto i : loop) in_loop[i] = true;
      if (in_loop[n]) return false;
      const auto moved = reached(n, at_[n].position);
      const auto end = std::max(end_of_else(header, in_loop, moved), end_of_else(order_[last], in_loop, moved));
      return move_after(n, std::max(last, end), in_loop, moved);
    }
    return false;
  }

  // The last of what only the test of the loop leads to, which may have a copy at its end: the else clause.
  std::uint32_t end_of_else(std::uint32_t test, const std::vector<bool>& loop, const std::vector<bool>& moved) {
    std::uint32_t end = 0;
    for (const auto exit : {g_.nodes[test].t, g_.nodes[test].f}) {
      if (exit == kNone || loop[exit] || moved[exit]) continue;
      const auto orelse = reached(exit, at_[exit].position);
      for (std::uint32_t i = 0; i < orelse.size(); ++i)
        if (orelse[i] && !moved[i]) end = std::max(end, at_[i].position);
    }
    return end;
  }

  bool move_after(std::uint32_t n, std::uint32_t last, const std::vector<bool>& in_loop,
                  const std::vector<bool>& moved) {
    if (budget_ == 0) return false;
    const auto first = at_[n].position;
    const auto begin = order_.begin() + first, end = order_.begin() + last + 1;
    std::stable_partition(begin, end, [&](auto i) { return in_loop[i] || !moved[i]; });
    for (auto k = first; k <= last; ++k) at_[order_[k]].position = k;
    find_headers();
    spend(last - first);
    return true;
  }

  const lift::Unit& unit_;
  Graph& g_;
  NodeIds order_;
  std::vector<Facts> at_;  // by node
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
