// SPDX-License-Identifier: MIT
// Emits for, while and while True, with their break targets and else clauses.
//
// Shapes: for: iter; GET_ITER; H: FOR_ITER X; target; body; JUMP H; X: orelse. while: H: test; POP_JUMP_IF_FALSE X;
// body; JUMP H; X: orelse (3.10-3.13 copy the test to the end: deopt/loop_inversion.cpp).
#include <algorithm>

#include "structure/emit/emitter.h"
#include "structure/region/rewrites.h"

namespace depyf::structure {

bool emit_for(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& node = e.node(n);
  if (node.state.stack.empty()) return e.fail();
  const Value iter = node.state.stack.back();
  if (iter.kind != ValueKind::kIter || (iter.a != 0 && !node.state.async_loop)) return e.fail();
  if (!e.take_iterator(iter.b)) return e.fail();  // a second `for` would iterate anew
  if (!e.emit_stmts(n, ctx, out)) return e.fail();
  const auto body = node.t, exit = node.f;
  if (e.code.has_several_break_targets) return e.fail();
  const auto brk = e.code.breaks[n] != kNone ? e.code.breaks[n] : exit;
  const Loop loop{n, brk};
  ast::For stmt;
  stmt.iter = iter.expr;
  stmt.is_async = node.state.async_loop;
  stmt.target = e.take_target(body, LKind::kForStore);
  if (!stmt.target.valid() || e.node(body).preds != 1) return e.fail();
  e.written(n).is_active = true;
  Context inner = ctx.inside(n);
  inner.loop = &loop;
  inner.ends_with_jump = false;
  if (!e.emit_block(body, inner, n, stmt.body)) return e.fail();
  e.written(n).is_active = false;
  if (exit != brk && merge_tails_with(e.code, e.r, brk, exit)) return e.restart();
  if (exit != brk && !e.emit(exit, ctx.inside(brk), stmt.orelse)) return e.fail();
  out.push_back(e.make(std::move(stmt), n));
  n = brk;
  return true;
}

namespace {

// Returns whether the exit of the loop's test leads to the loop around it: the inner loop ends the outer loop's body,
// or is followed by `else: break`. If the exit were a `break` in an `if`, the test would not jump there itself.
bool exits_to_outer_loop(const LiftedCode& code, std::uint32_t n, const Context& ctx) {
  if (ctx.loop == nullptr) return false;
  const Node& node = code.node(n);
  const auto leads_to = [&](std::uint32_t exit) {
    return (node.t == exit || node.f == exit) &&
           (ctx.ends_with_jump || !has_own_continue(code.unit.dialect, node, code.node(exit)));
  };
  const auto header = ctx.loop->header, brk = ctx.loop->brk;
  return (ctx.follow == header && leads_to(header)) || (brk != kNone && brk != ctx.follow && leads_to(brk));
}

// Returns whether the loop has code after the exit of its test, so that this exit is in the loop's body: `while True:
// if test: ... else: raise`.
bool continues_after_exit(const Regions& r, const NodeSet& in, std::uint32_t exit) {
  const auto& nodes = in.nodes();
  return r.node(exit).preds == 1 && r.node(exit).state.end == EndKind::kReturn &&
         std::any_of(nodes.begin(), nodes.end(), [&](auto i) { return r.rank(i) > r.rank(exit); });
}

// What the first node of a loop is. Neither: the loop is `while True`, and the node the begin of its body.
struct LoopHead {
  bool is_test = false;    // the test of `while`
  bool is_assert = false;  // an assert that repeats until it fails is the whole body
};

LoopHead read_head(Emitter& e, const NodeSet& in, std::uint32_t n, const Context& ctx) {
  const Node& node = e.node(n);
  const auto& s = node.state;
  if (s.end != EndKind::kBranch || !s.cond.valid()) return {};
  // A test that jumps back to itself is that of `while test: pass`, or of an assert or `if test: break` in `while
  // True`. The compiler may have inverted the jump of the latter; it inverts that of the former only if that jumps back
  // to an outer loop.
  if (node.t == n || node.f == n) {
    const auto other = node.t == n ? node.f : node.t;
    if (node.inverted != JumpInversion::kNo && raised_assertion(e.code, other) && e.r.handler(other) == e.r.handler(n))
      return {.is_assert = true};
    if (node.inverted == JumpInversion::kYes && (node.falls_true ? node.t : node.f) == n) return {};
  }
  if (e.r.handler(n) != ctx.handler || !s.stmts.empty() || s.keep_true || s.keep_false || in[node.t] == in[node.f])
    return {};
  const auto exit = in[node.t] ? node.f : node.t;
  const bool body_is_first = (e.r.rank(node.t) < e.r.rank(node.f)) == in[node.t];
  return {.is_test = (body_is_first && !continues_after_exit(e.r, in, exit)) || exits_to_outer_loop(e.code, n, ctx)};
}

}  // namespace

bool emit_while(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& node = e.node(n);
  const auto in = e.r.loop_nodes(n);
  Loop loop{n};
  Context inner = ctx.inside(n);
  inner.loop = &loop;
  inner.ends_with_jump = false;
  e.written(n).is_active = true;
  const auto head = read_head(e, in, n, ctx);
  if (head.is_test && (in[node.t] || may_negate(e.code, n))) {
    const auto body = in[node.t] ? node.t : node.f, exit = in[node.t] ? node.f : node.t;
    loop.brk = break_target(e.r, in, n, exit, ctx);
    ast::While stmt{condition(e.code, n, in[node.t]), {}, {}};
    if (!e.emit_block(body, inner, n, stmt.body)) return e.fail();
    e.written(n).is_active = false;
    if (exit != loop.brk && !e.emit(exit, ctx.inside(loop.brk), stmt.orelse)) return e.fail();
    out.push_back(e.make(std::move(stmt), n));
    n = loop.brk;
    return true;
  }
  loop.brk = break_target(e.r, in, n, kNone, ctx);
  ast::While stmt{e.tree().expr(ast::Verbatim{"True"}), {}, {}};
  inner.start = n;
  --e.written(n).visits;
  if (!e.emit_block(n, inner, n, stmt.body)) return e.fail();
  e.written(n).is_active = false;
  out.push_back(e.make(std::move(stmt), n));
  n = head.is_assert ? kNone : loop.brk;
  return true;
}

}  // namespace depyf::structure
