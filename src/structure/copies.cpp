// SPDX-License-Identifier: MIT
// Undoing the copies that the compiler made: loop tests (3.10-3.13) and exit blocks (3.10+, inline_small_exit_blocks).
//
// Two nodes that say the same and go on to the same places are one position of the program; edges are moved to one of
// them, so that a loop has one header and several exits one follow. Nothing is merged that differs in handler or stack.
#include <algorithm>
#include <map>
#include <tuple>

#include "structure/graph.h"

namespace depyf::structure {

namespace {

class Merger {
 public:
  Merger(lift::Unit& unit, Graph& graph) : unit_(unit), g_(graph) {}

  void run() {
    loop_tests();
    for (int round = 0; round < 8; ++round)
      if (!exits()) break;
    count_preds(g_);
  }

 private:
  bool same(ExprId a, ExprId b) {
    if (a.valid() != b.valid()) return false;
    return !a.valid() || ast::equal(unit_.ast, unit_.code, a, b);
  }
  bool same_list(const std::vector<ExprId>& a, const std::vector<ExprId>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!same(a[i], b[i])) return false;
    return true;
  }
  // Simple statements only; anything else counts as different.
  bool same_stmt(const LStmt& a, const LStmt& b) {
    if (a.kind != b.kind) return false;
    if (a.kind != LKind::kStmt)
      return (a.kind == LKind::kPopExcept || a.kind == LKind::kWithExit || a.kind == LKind::kReraise) && a.is_async == b.is_async;
    const auto &x = unit_.ast.stmts[a.stmt].node, &y = unit_.ast.stmts[b.stmt].node;
    if (const auto *p = std::get_if<ast::Return>(&x), *q = std::get_if<ast::Return>(&y); p && q) return same(p->value, q->value);
    if (const auto *p = std::get_if<ast::ExprStmt>(&x), *q = std::get_if<ast::ExprStmt>(&y); p && q) return same(p->value, q->value);
    if (const auto *p = std::get_if<ast::Assign>(&x), *q = std::get_if<ast::Assign>(&y); p && q)
      return same(p->value, q->value) && same_list(p->targets, q->targets);
    if (const auto *p = std::get_if<ast::AugAssign>(&x), *q = std::get_if<ast::AugAssign>(&y); p && q)
      return p->op == q->op && same(p->value, q->value) && same(p->target, q->target);
    if (const auto *p = std::get_if<ast::Delete>(&x), *q = std::get_if<ast::Delete>(&y); p && q) return same_list(p->targets, q->targets);
    if (const auto *p = std::get_if<ast::Raise>(&x), *q = std::get_if<ast::Raise>(&y); p && q)
      return same(p->exc, q->exc) && same(p->cause, q->cause);
    return false;
  }
  bool same_stmts(const std::vector<LStmt>& a, std::size_t from, const std::vector<LStmt>& b) {
    if (a.size() - from != b.size()) return false;
    for (std::size_t i = 0; i < b.size(); ++i)
      if (!same_stmt(a[from + i], b[i])) return false;
    return true;
  }

  // The test copied to the bottom of a loop (node l, jumping back to b) becomes an edge to the test at its top.
  void loop_tests() {
    const auto count = static_cast<std::uint32_t>(g_.nodes.size());
    for (std::uint32_t l = 0; l < count; ++l) {
      if (!g_.nodes[l].alive || g_.nodes[l].state.end != EndKind::kBranch || !g_.nodes[l].state.cond.valid()) continue;
      const auto t = g_.nodes[l].t, f = g_.nodes[l].f;
      const bool back_t = g_.nodes[t].order <= g_.nodes[l].order, back_f = g_.nodes[f].order <= g_.nodes[l].order;
      if (back_t == back_f) continue;
      for (std::uint32_t a = 0; a < g_.nodes.size(); ++a) {
        if (a == l || !g_.nodes[a].alive || g_.nodes[a].state.end != EndKind::kBranch) continue;
        if (!(g_.nodes[a].handler == g_.nodes[l].handler) || g_.nodes[a].order >= g_.nodes[back_t ? t : f].order) continue;
        const bool straight = g_.nodes[a].t == t && g_.nodes[a].f == f;
        if (!straight || !g_.nodes[a].state.cond.valid() || !same(g_.nodes[a].state.cond, g_.nodes[l].state.cond)) continue;
        const auto& sa = g_.nodes[a].state.stmts;
        const auto& sl = g_.nodes[l].state.stmts;
        if (sa.size() < sl.size() || !same_stmts(sa, sa.size() - sl.size(), sl)) continue;
        redirect(l, split(a, sa.size() - sl.size()));
        break;
      }
    }
  }

  // Cuts node a before its statement `at`; the tail, with the end of the line, is a node of its own.
  std::uint32_t split(std::uint32_t a, std::size_t at) {
    if (at == 0) return a;
    Node tail = g_.nodes[a];
    tail.state.stmts.erase(tail.state.stmts.begin(), tail.state.stmts.begin() + static_cast<std::ptrdiff_t>(at));
    tail.entry = g_.nodes[a].state.stack;
    tail.is_handler = false;
    tail.order += 2;
    g_.nodes.push_back(std::move(tail));
    const auto index = static_cast<std::uint32_t>(g_.nodes.size() - 1);
    auto& s = g_.nodes[a].state;
    s.stmts.resize(at);
    s.end = EndKind::kFall;
    s.cond = ExprId{};
    g_.nodes[a].t = index;
    g_.nodes[a].f = kNone;
    return index;
  }

  void redirect(std::uint32_t from, std::uint32_t to) {
    for (auto& n : g_.nodes) {
      if (n.t == from) n.t = to;
      if (n.f == from) n.f = to;
    }
    g_.nodes[from].alive = false;
  }

  bool exits() {
    bool changed = false;
    std::vector<std::uint32_t> ends;
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i) {
      const auto& n = g_.nodes[i];
      if (n.alive && !n.is_handler && n.state.stmts.size() <= 4 &&
          (n.state.end == EndKind::kReturn || (n.state.end == EndKind::kFall && n.t != kNone)))
        ends.push_back(i);
    }
    std::sort(ends.begin(), ends.end(), [&](auto a, auto b) { return g_.nodes[a].order > g_.nodes[b].order; });
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t, std::size_t>, std::vector<std::uint32_t>> groups;
    for (auto i : ends) {
      const auto& n = g_.nodes[i];
      if (n.state.stmts.empty()) continue;
      auto& group = groups[{n.handler.block.n, n.t, n.entry.size(), n.state.stmts.size()}];
      bool merged = false;
      for (auto j : group)
        if (g_.nodes[j].state.end == n.state.end && same_stmts(n.state.stmts, 0, g_.nodes[j].state.stmts)) {
          redirect(i, j);
          merged = changed = true;
          break;
        }
      if (!merged && group.size() < 16) group.push_back(i);
    }
    return changed;
  }

  lift::Unit& unit_;
  Graph& g_;
};

}  // namespace

void merge_copies(lift::Unit& unit, Graph& graph) { Merger(unit, graph).run(); }

}  // namespace depyf::structure
