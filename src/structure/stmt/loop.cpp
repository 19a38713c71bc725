// SPDX-License-Identifier: MIT
// for, while, while True; break targets and else clauses.
//
// Shapes: for: iter; GET_ITER; H: FOR_ITER X; target; body; JUMP H; X: orelse. while: H: test; POP_JUMP_IF_FALSE X; body;
// JUMP H; X: orelse (3.10-3.13 copy the test to the bottom: deopt/loop_inversion.cpp).
#include <algorithm>

#include "structure/stmt/structurer.h"

namespace depyf::structure {

// Nodes of the natural loop: those that reach a back edge of the header without passing it, and what is between.
NodeSet Structurer::loop_nodes(std::uint32_t header) const {
  NodeSet in(spare_);
  in.add(header);
  std::vector<std::uint32_t> todo{header};
  while (!todo.empty()) {
    const auto i = todo.back();
    todo.pop_back();
    for (auto p : preds_[i])
      if (at_[p].rank >= at_[header].rank && in.add(p)) todo.push_back(p);
  }
  return in;
}

std::vector<std::uint32_t> Structurer::exits_of(const NodeSet& region) const {
  std::vector<std::uint32_t> out;
  // an exception that no except clause took propagates by itself
  const auto passes_on = [&](std::uint32_t n) {
    const auto& st = g_.nodes[n].state;
    return st.end == EndKind::kReturn && st.stmts.size() == 1 && st.stmts[0].kind == LKind::kReraise;
  };
  for (auto i : in_order(region)) {
    for (auto s : successors(i))
      if (!region[s] && !passes_on(s) && std::find(out.begin(), out.end(), s) == out.end()) out.push_back(s);
  }
  return out;
}

bool Structurer::emit_for(std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& node = g_.nodes[n];
  if (node.state.stack.empty()) return fail();
  const Value iter = node.state.stack.back();
  if (iter.kind != ValueKind::kIter || (iter.a != 0 && !node.state.async_loop)) return fail();
  if (!iterated_.insert(iter.b).second) return fail();  // a second `for` would begin anew
  if (!emit_stmts(n, at_[n].skip, out)) return fail();
  const auto body = node.t, exit = node.f;
  if (has_several_break_targets_) return fail();
  Loop loop;
  loop.header = n;
  const auto brk = breaks_[n] != kNone ? breaks_[n] : exit;
  loop.brk = brk;
  ast::For stmt;
  stmt.iter = iter.expr;
  stmt.is_async = node.state.async_loop;
  std::size_t used = 0;
  take_target(body, LKind::kForStore, stmt.target, used);
  if (used == 0 || g_.nodes[body].preds != 1) return fail();
  at_[body].skip = used;
  at_[n].is_active = true;
  Context inner = ctx.inside(n);
  inner.loop = &loop;
  inner.jumps = false;
  if (!emit_block(body, inner, n, stmt.body)) return fail();
  at_[n].is_active = false;
  if (exit != brk && (merge_tails_with(brk, exit) || !emit(exit, ctx.inside(brk), stmt.orelse))) return fail();
  out.push_back(make(std::move(stmt), n));
  n = brk;
  return true;
}

// The loop's test leads back to the loop around it: it ends that loop's body, or `else: break` follows it. With `break`
// alone it would not jump itself.
bool Structurer::exits_to_outer_loop(std::uint32_t n, const Context& ctx) const {
  if (ctx.loop == nullptr) return false;
  const Node& node = g_.nodes[n];
  const auto leads_to = [&](std::uint32_t exit) {
    return (node.t == exit || node.f == exit) && (ctx.jumps || !continues(unit_.dialect, node, g_.nodes[exit]));
  };
  const auto header = ctx.loop->header, brk = ctx.loop->brk;
  return (ctx.follow == header && leads_to(header)) || (brk != kNone && brk != ctx.follow && leads_to(brk));
}

// The loop has code after the exit of its test, which thus lies in its body: `while True: if test: ... else: raise`.
bool Structurer::continues_after_exit(const NodeSet& in, std::uint32_t exit) const {
  const auto& nodes = in.nodes();
  return g_.nodes[exit].preds == 1 && g_.nodes[exit].state.end == EndKind::kReturn &&
         std::any_of(nodes.begin(), nodes.end(), [&](auto i) { return at_[i].rank > at_[exit].rank; });
}

bool Structurer::emit_while(std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& node = g_.nodes[n];
  const auto in = loop_nodes(n);
  const auto& s = node.state;
  Loop loop;
  loop.header = n;
  Context inner = ctx.inside(n);
  inner.loop = &loop;
  inner.jumps = false;
  at_[n].is_active = true;
  // A test that leads back to itself: of `while test: pass`, or of an assert in `while True`. The compiler may have turned
  // the latter's jump.
  ExprId message{};
  const bool alone = s.end == EndKind::kBranch && s.cond.valid() && (node.t == n || node.f == n);
  const bool asserts =
      alone && node.inverted != JumpInversion::kNo && raises_assertion(node.t == n ? node.f : node.t, message);
  const bool tests = !asserts && !(alone && node.inverted == JumpInversion::kYes) && at_[n].effective == ctx.handler &&
                     s.end == EndKind::kBranch && s.cond.valid() && s.stmts.empty() && !s.keep_true && !s.keep_false &&
                     node.t != node.f && in[node.t] != in[node.f] &&
                     (((at_[node.t].rank < at_[node.f].rank) == in[node.t] &&
                       !continues_after_exit(in, in[node.t] ? node.f : node.t)) ||
                      exits_to_outer_loop(n, ctx));
  if (tests && (in[node.t] || may_negate(n))) {
    const auto body = in[node.t] ? node.t : node.f, exit = in[node.t] ? node.f : node.t;
    loop.brk = break_target(in, n, exit, ctx);
    ast::While stmt{condition(n, in[node.t]), {}, {}};
    if (!emit_block(body, inner, n, stmt.body)) return fail();
    at_[n].is_active = false;
    if (exit != loop.brk && !emit(exit, ctx.inside(loop.brk), stmt.orelse)) return fail();
    out.push_back(make(std::move(stmt), n));
    n = loop.brk;
    return true;
  }
  loop.brk = break_target(in, n, kNone, ctx);
  ast::While stmt{unit_.ast.expr(ast::Verbatim{"True"}), {}, {}};
  inner.start = n;
  --at_[n].visits;
  if (!emit_block(n, inner, n, stmt.body)) return fail();
  at_[n].is_active = false;
  out.push_back(make(std::move(stmt), n));
  n = asserts ? kNone : loop.brk;
  return true;
}

}  // namespace depyf::structure
