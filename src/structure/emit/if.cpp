// SPDX-License-Identifier: MIT
// if / else and assert.
//
// Shape: test; POP_JUMP_IF_FALSE E; body; JUMP F; E: orelse; F: - the arm that comes first in the code is the body.
#include <algorithm>
#include <utility>

#include "ast/negation.h"
#include "ast/walk.h"
#include "structure/emit/emitter.h"
#include "structure/region/rewrites.h"

namespace depyf::structure {

namespace {

constexpr std::size_t kLong = 12;  // statements: a size at which most people leave early instead of indenting it

ExprId last_operand(const ast::Tree& tree, ExprId test) {
  for (;;) {
    const auto* both = std::get_if<ast::BoolOp>(&tree.exprs[test].node);
    const auto operand = both != nullptr ? both->values.back() : ast::without_not(tree, test);
    if (!operand.valid()) return test;
    test = operand;
  }
}

// Whether what stands there begins after the test of n does, as far as places tell: an `assert` begins before it. Up to 3.9
// what else raises AssertionError there, `assert False`, has a test itself.
bool begins_after_test(const Emitter& e, std::uint32_t n, ast::Origin origin) {
  auto& unit = e.code.unit;
  const ExprId last = last_operand(unit.ast, e.node(n).state.cond);
  const auto *own = unit.positions.at(origin.offset), *test = unit.positions.at(unit.ast.exprs[last].origin.offset);
  if (!unit.dialect.folds_constant_tests) return false;
  return own != nullptr && test != nullptr && std::pair(own->line, own->column) > std::pair(test->line, test->column);
}

// An assert, a test with nothing in its arms, and a `continue` of its own: they need no follow. False: it is none of them.
bool emit_armless_if(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& node = e.node(n);
  const auto& s = node.state;
  const auto t = node.t, f = node.f;
  for (const bool holds : {true, false}) {
    const auto raises = holds ? f : t;
    const auto message = raised_assertion(e.code, raises);
    if (!message || e.r.handler(raises) != e.r.handler(n) || (!holds && !may_negate(e.code, n))) continue;
    const auto& raise = std::get<ast::Raise>(e.tree().stmts[e.node(raises).state.stmts[0].stmt].node);
    const ast::Origin origin = e.tree().exprs[raise.exc].origin;  // RAISE_VARARGS has the place of the test
    if (begins_after_test(e, n, origin)) continue;
    out.push_back(e.tree().stmt(ast::Assert{condition(e.code, n, holds), *message}, origin));
    e.at(raises).is_asserted = true;
    n = holds ? t : f;
    return true;
  }
  if (t == f) {
    // `x or 1`: the test of x leads past a jump back, which it would be itself in `if x`
    const bool is_either = has_own_continue(e.code.unit.dialect, node, e.node(t)) && !node.falls_true;
    const auto one = is_either ? e.tree().expr(ast::IntLiteral{1}, {}) : ExprId{};
    const auto test = is_either ? e.tree().expr(ast::BoolOp{ast::BoolOperator::kOr, {s.cond, one}}, {}) : s.cond;
    out.push_back(e.make(ast::If{test, {e.make(ast::Pass{}, n)}, {}}, n));
    n = t;
    return true;
  }
  // a `continue` of its own, and nothing else: it shows in the jump's handler
  const bool back_t = ctx.loop != nullptr && t == ctx.loop->header,
             back_f = ctx.loop != nullptr && f == ctx.loop->header;
  if (back_t == back_f || (!back_t && !may_negate(e.code, n)) ||
      !has_own_continue(e.code.unit.dialect, node, e.node(ctx.loop->header)))
    return false;
  out.push_back(e.make(ast::If{condition(e.code, n, back_t), {e.make(ast::Continue{}, n)}, {}}, n));
  n = back_t ? f : t;
  return true;
}

// One arm is an exit, as the code says or because all else would nest too deep; the other one follows.
bool emit_guarded(Emitter& e, std::uint32_t n, ast::StmtId exit, bool when, std::uint32_t follow, ast::Block& out) {
  const Node& node = e.node(n);
  const auto other = when ? node.f : node.t;
  const bool shows = e.code.guards == Guards::kEverywhere || !e.code.unit.dialect.inverts_back_jumps ||
                     std::holds_alternative<ast::Return>(e.tree().stmts[exit].node);
  out.push_back(e.make(ast::If{condition(e.code, n, when), {exit}, {}}, n));
  OpenIf open{{}, n, other, follow};
  open.guarded = out.size();
  const bool negates = may_negate(e.code, n);
  if (!shows && (!when || negates)) open.stmt.test = condition(e.code, n, !(when && negates));
  e.open(std::move(open));
  return true;
}

// One arm never comes back: it is the body, what follows is the rest. Prefer the arm that comes first; an arm that is only
// `continue` or `break` becomes the body when that needs no negation of the other.
bool emit_open_if(Emitter& e, std::uint32_t& n, bool t_empty, bool f_empty, const Context& ctx, ast::Block& out) {
  const auto t = e.node(n).t, f = e.node(n).f;
  const auto loop_edge = [&](std::uint32_t m) { return ctx.is_loop_edge(m) && m != ctx.follow; };
  bool body_true = e.code.true_arm_first(n);
  if (loop_edge(t) != loop_edge(f))
    body_true = loop_edge(t);
  else if (const bool exits = exits_alone(e.r, t, ctx);
           e.code.guards == Guards::kEverywhere && exits != exits_alone(e.r, f, ctx))
    body_true = exits;
  if (t_empty || f_empty)
    body_true = f_empty;
  else if (loop_edge(t) != loop_edge(f) && !may_negate(e.code, n))
    body_true = true;
  const bool both = !body_true && !may_negate(e.code, n);
  if (both) body_true = true;
  ast::If stmt{condition(e.code, n, body_true), {}, {}};
  const auto first = body_true ? t : f, rest = body_true ? f : t;
  if (!e.emit(first, ctx.inside(ctx.follow), stmt.body)) return e.fail();
  if (!both) e.or_pass(stmt.body, n);
  // a statement that never ends would end after this one: the other arm ends there, too
  const auto end = both ? kNone : e.unreached_follow(stmt.body);
  if (end != kNone && end != rest && !ctx.is_stop(end) && leads_to(e.r, rest, end, ctx.handler)) {
    e.open({std::move(stmt), n, rest, end});
    return true;
  }
  // it comes back to the follow of the context, or may be an `elif`, whose chain has no depth
  if (both || (ctx.in_else && out.empty()) || e.falls_through(stmt.body, rest)) {
    e.open({std::move(stmt), n, rest});
    return true;
  }
  out.push_back(e.make(std::move(stmt), n));
  n = rest;
  return true;
}

// The statement by which one arm of the `if` at n leaves the loop's body or the function, where the code says so or all
// guards are wanted: it precedes the other arm, though it says nothing that falling off the end would not.
ast::StmtId early_exit(Emitter& e, std::uint32_t n, bool when, std::uint32_t follow, const Context& ctx) {
  const Node& node = e.node(n);
  const auto arm = when ? node.t : node.f;
  const bool any = e.code.guards == Guards::kEverywhere;
  if ((!any && node.falls_true != when) || (!when && !may_negate(e.code, n)) || (follow != kNone && follow != arm))
    return {};
  if (ctx.loop != nullptr)  // a jump that was turned is none of `continue`
    return arm == ctx.loop->header && (any || node.inverted != JumpInversion::kYes) ? e.make(ast::Continue{}, n)
                                                                                    : ast::StmtId{};
  const Node& exit = e.node(arm);
  if (!e.code.is_function() || ctx.in_finally || exit.state.stmts.size() != 1 || !returns_none(e.code, arm) ||
      !(exit.handler == node.handler))
    return {};
  const auto& leaves = e.tree().stmts[exit.state.stmts[0].stmt];
  return e.tree().stmt(ast::Return{std::get<ast::Return>(leaves.node).value}, ast::Origin(leaves.origin));
}

bool is_long(const ast::Tree& tree, const ast::Block& block) {
  std::size_t count = 0;
  ast::walk(tree, block, Overloaded{[](ExprId) { return false; }, [&](ast::StmtId) { return ++count < kLong; }});
  return count >= kLong;
}

}  // namespace

bool emit_if(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& node = e.node(n);
  const auto& s = node.state;
  if (!s.cond.valid() || s.keep_true || s.keep_false) return e.fail();
  if (!e.emit_stmts(n, ctx, out)) return e.fail();
  if (emit_armless_if(e, n, ctx, out)) return true;
  const auto t = node.t, f = node.f;
  auto follow = follow_of_if(e.r, n, ctx);
  // the exit of the except clause that this ends was duplicated into its arms
  if (follow != kNone && exits_handler(e.code, follow) && merge_tails_with(e.code, e.r, follow, n)) return e.restart();
  if (ctx.in_finally && !is_end_of_finally(e.code, follow) && exits_finally(e.code, n, follow)) follow = kNone;
  // an arm that is nothing but the way to the follow
  const bool t_empty = t == follow || t == ctx.follow, f_empty = f == follow || f == ctx.follow;
  if (t_empty != f_empty)
    if (const auto exit = early_exit(e, n, t_empty, follow, ctx); exit.valid())
      return emit_guarded(e, n, exit, t_empty, follow, out);
  if (follow == kNone) return emit_open_if(e, n, t_empty, f_empty, ctx, out);
  bool body_true = e.code.true_arm_first(n);
  if (t_empty || f_empty) body_true = !t_empty;
  if (!body_true && !may_negate(e.code, n)) body_true = true;
  ast::If stmt{condition(e.code, n, body_true), {}, {}};
  const auto first = body_true ? t : f, second = body_true ? f : t;
  Context jumping = ctx;
  jumping.jumps = jumping.jumps || second != follow;
  if (!e.emit(first, jumping.inside(follow), stmt.body)) return e.fail();
  e.open({std::move(stmt), n, second, follow});
  return true;
}

void close_if(Emitter& e, OpenIf done, ast::Block& out) {
  ast::If& stmt = done.stmt;
  if (done.guarded > 0) {  // a short arm is the body, and nothing need leave before it
    if (!stmt.test.valid() || out.size() >= done.guarded + kLong) return;
    stmt.body.assign(out.begin() + static_cast<std::ptrdiff_t>(done.guarded), out.end());
    if (is_long(e.tree(), stmt.body)) return;
    out.resize(done.guarded - 1);
    out.push_back(e.make(std::move(stmt), done.test));
    return;
  }
  e.or_pass(stmt.body, done.test);
  ast::Block rest, exit;
  auto& last = stmt.orelse.empty() ? stmt.body : stmt.orelse;
  const bool has_own_continue = done.around.loop != nullptr && done.follow == done.around.loop->header;
  if (!stmt.orelse.empty() && !e.falls_through(stmt.body, done.arm)) {  // flatten: the body leaves, the rest follows
    const auto* next = std::get_if<ast::If>(&e.tree().stmts[stmt.orelse[0]].node);
    const bool is_elif = stmt.orelse.size() == 1 && next != nullptr && !next->orelse.empty() &&
                         !std::holds_alternative<ast::Try>(e.tree().stmts[stmt.body.back()].node);
    if (!is_elif) rest.swap(stmt.orelse);  // an `if` without an `else` may as well be no `elif`
  } else if (has_own_continue && done.around.jumps && last.size() > 1 &&
             ast::is<ast::Continue>(e.tree().stmts[last.back()].node)) {
    exit = {last.back()};  // the way of the other arm, too: it comes after both
    last.pop_back();
  }
  out.push_back(e.make(std::move(stmt), done.test));
  out.insert(out.end(), rest.begin(), rest.end());
  out.insert(out.end(), exit.begin(), exit.end());
}

}  // namespace depyf::structure
