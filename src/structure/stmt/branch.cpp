// SPDX-License-Identifier: MIT
// if / else and assert.
//
// Shape: test; POP_JUMP_IF_FALSE E; body; JUMP F; E: orelse; F: - the arm that comes first in the code is the body.
#include <algorithm>

#include "ast/walk.h"
#include "structure/stmt/structurer.h"

namespace depyf::structure {

namespace {

constexpr std::size_t kLong = 12;  // statements: a size at which most people leave early instead of indenting it

}  // namespace

// m raises what an assert does, with a message or without.
bool Structurer::raises_assertion(std::uint32_t m, ExprId& message) const {
  const auto& b = g_.nodes[m];
  if (b.state.end != EndKind::kReturn || b.state.stmts.size() != 1 || b.state.stmts[0].kind != LKind::kStmt)
    return false;
  const auto* r = std::get_if<ast::Raise>(&unit_.ast.stmts[b.state.stmts[0].stmt].node);
  if (r == nullptr || !r->exc.valid() || r->cause.valid()) return false;
  if (unit_.assertion_errors.contains(r->exc.n)) return true;
  const auto* c = std::get_if<ast::Call>(&unit_.ast.exprs[r->exc].node);
  if (c == nullptr || !unit_.assertion_errors.contains(c->func.n) || c->args.size() != 1 || !c->keywords.empty() ||
      std::holds_alternative<ast::Starred>(unit_.ast.exprs[c->args[0]].node))
    return false;
  message = c->args[0];
  return true;
}

// An assert, a test with nothing in its arms, and a `continue` of its own: they need no follow. False: it is none of them.
bool Structurer::emit_armless_if(std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& node = g_.nodes[n];
  const auto& s = node.state;
  const auto t = node.t, f = node.f;
  ExprId message{};
  if (raises_assertion(f, message)) {
    out.push_back(make(ast::Assert{s.cond, message}, n));
    at_[f].is_asserted = true;
    n = t;
    return true;
  }
  if (raises_assertion(t, message) && may_negate(n)) {
    out.push_back(make(ast::Assert{condition(n, false), message}, n));
    at_[t].is_asserted = true;
    n = f;
    return true;
  }
  if (t == f) {
    out.push_back(make(ast::If{s.cond, {make(ast::Pass{}, n)}, {}}, n));
    n = t;
    return true;
  }
  // a `continue` of its own, and nothing else: it shows in the jump's handler
  const bool back_t = ctx.loop != nullptr && t == ctx.loop->header,
             back_f = ctx.loop != nullptr && f == ctx.loop->header;
  if (back_t == back_f || (!back_t && !may_negate(n)) || !continues(unit_.dialect, node, g_.nodes[ctx.loop->header]))
    return false;
  out.push_back(make(ast::If{condition(n, back_t), {make(ast::Continue{}, n)}, {}}, n));
  n = back_t ? f : t;
  return true;
}

bool Structurer::emit_if(std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& node = g_.nodes[n];
  const auto& s = node.state;
  if (!s.cond.valid() || s.keep_true || s.keep_false) return fail();
  if (!emit_stmts(n, at_[n].skip, out)) return fail();
  if (emit_armless_if(n, ctx, out)) return true;
  const auto t = node.t, f = node.f;
  auto follow = follow_of_if(n, ctx);
  // the exit of the except clause that this ends was duplicated into its arms
  if (follow != kNone && exits_handler(follow) && merge_tails_with(follow, n)) return fail();
  if (in_finally_ > 0 && !is_end_of_finally(follow) && exits_finally(n, follow)) follow = kNone;
  // an arm that is nothing but the way to the follow
  const bool t_empty = t == follow || t == ctx.follow, f_empty = f == follow || f == ctx.follow;
  if (t_empty != f_empty)
    if (const auto exit = early_exit(n, t_empty, follow, ctx); exit.valid())
      return emit_guarded(n, exit, t_empty, follow, out);
  if (follow == kNone) return emit_open_if(n, t_empty, f_empty, ctx, out);
  bool body_true = true_arm_first(n);
  if (t_empty || f_empty) body_true = !t_empty;
  if (!body_true && !may_negate(n)) body_true = true;
  ast::If stmt{condition(n, body_true), {}, {}};
  const auto first = body_true ? t : f, second = body_true ? f : t;
  Context jumping = ctx;
  jumping.jumps = jumping.jumps || second != follow;
  if (!emit(first, jumping.inside(follow), stmt.body)) return fail();
  opened_ = OpenIf{std::move(stmt), n, second, follow};
  return true;
}

// Both arms are written.
void Structurer::close(OpenIf done, ast::Block& out) {
  ast::If& stmt = done.stmt;
  if (done.guarded > 0) {  // a short arm is the body, and nothing need leave before it
    if (!stmt.test.valid() || out.size() >= done.guarded + kLong) return;
    stmt.body.assign(out.begin() + static_cast<std::ptrdiff_t>(done.guarded), out.end());
    if (is_long(stmt.body)) return;
    out.resize(done.guarded - 1);
    out.push_back(make(std::move(stmt), done.test));
    return;
  }
  or_pass(stmt.body, done.test);
  ast::Block rest;
  if (!stmt.orelse.empty() && !falls_through(stmt.body, done.arm)) {  // flatten: the body leaves, the rest follows
    const bool is_elif = stmt.orelse.size() == 1 &&
                         std::holds_alternative<ast::If>(unit_.ast.stmts[stmt.orelse[0]].node) &&
                         !std::holds_alternative<ast::Try>(unit_.ast.stmts[stmt.body.back()].node);
    if (!is_elif) rest.swap(stmt.orelse);
  }
  out.push_back(make(std::move(stmt), done.test));
  out.insert(out.end(), rest.begin(), rest.end());
}

// One arm is an exit, and the code says so; the other one follows.
bool Structurer::emit_guarded(std::uint32_t n, ast::StmtId exit, bool when, std::uint32_t follow, ast::Block& out) {
  const Node& node = g_.nodes[n];
  const auto other = when ? node.f : node.t;
  const bool shows =
      !unit_.dialect.inverts_back_jumps || std::holds_alternative<ast::Return>(unit_.ast.stmts[exit].node);
  out.push_back(make(ast::If{condition(n, when), {exit}, {}}, n));
  OpenIf open{{}, n, other, follow};
  open.guarded = out.size();
  const bool negates = may_negate(n);
  if (!shows && (!when || negates)) open.stmt.test = condition(n, !(when && negates));
  opened_ = std::move(open);
  return true;
}

// One arm never comes back: it is the body, what follows is the rest. Prefer the arm that comes first; an arm that is only
// `continue` or `break` becomes the body when that needs no negation of the other.
bool Structurer::emit_open_if(std::uint32_t& n, bool t_empty, bool f_empty, const Context& ctx, ast::Block& out) {
  const auto t = g_.nodes[n].t, f = g_.nodes[n].f;
  const auto loop_edge = [&](std::uint32_t m) {
    return ctx.loop != nullptr && (m == ctx.loop->header || m == ctx.loop->brk) && m != ctx.follow;
  };
  bool body_true = true_arm_first(n);
  if (loop_edge(t) != loop_edge(f)) body_true = loop_edge(t);
  if (t_empty || f_empty)
    body_true = f_empty;
  else if (loop_edge(t) != loop_edge(f) && !may_negate(n))
    body_true = true;
  const bool both = !body_true && !may_negate(n);
  if (both) body_true = true;
  ast::If stmt{condition(n, body_true), {}, {}};
  const auto first = body_true ? t : f, rest = body_true ? f : t;
  if (!emit(first, ctx.inside(ctx.follow), stmt.body)) return fail();
  if (!both) or_pass(stmt.body, n);
  // it comes back to the follow of the context, or may be an `elif`, whose chain has no depth
  if (both || (ctx.in_else && out.empty()) || falls_through(stmt.body, rest)) {
    opened_ = OpenIf{std::move(stmt), n, rest};
    return true;
  }
  out.push_back(make(std::move(stmt), n));
  n = rest;
  return true;
}

// The statement by which one arm of the `if` at n leaves the loop's body or the function, where the code says so: it
// precedes the other arm, though it says nothing that falling off the end would not.
ast::StmtId Structurer::early_exit(std::uint32_t n, bool when, std::uint32_t follow, const Context& ctx) {
  const Node& node = g_.nodes[n];
  const auto arm = when ? node.t : node.f;
  if (node.falls_true != when || (!when && !may_negate(n)) || (follow != kNone && follow != arm)) return {};
  if (ctx.loop != nullptr)  // a jump that was turned is none of `continue`
    return arm == ctx.loop->header && node.inverted != JumpInversion::kYes ? make(ast::Continue{}, n) : ast::StmtId{};
  const bool function = (lifter_.code_object().flags & kCoOptimized) != 0;
  const Node& exit = g_.nodes[arm];
  if (!function || in_finally_ > 0 || exit.state.stmts.size() != 1 || !returns_none(arm) ||
      !(exit.handler == node.handler))
    return {};
  return make(ast::Return{std::get<ast::Return>(unit_.ast.stmts[exit.state.stmts[0].stmt].node).value}, n);
}

bool Structurer::is_long(const ast::Block& block) const {
  std::size_t count = 0;
  ast::Visitor visitor;
  visitor.expr = [](ExprId) { return false; };
  visitor.stmt = [&](ast::StmtId) { return ++count < kLong; };
  ast::walk(unit_.ast, block, visitor);
  return count >= kLong;
}

// `rest`: what would follow the block.
bool Structurer::falls_through(const ast::Block& whole, std::uint32_t rest) const {
  const ast::Block* end = &whole;  // of the whole or of the last arm of an elif chain
  const ast::If* chain = nullptr;
  while (!end->empty() && (chain = std::get_if<ast::If>(&unit_.ast.stmts[end->back()].node)) != nullptr) {
    if (falls_through(chain->body, rest)) return true;
    end = &chain->orelse;
  }
  if (end->empty()) return true;
  const ast::Block& block = *end;
  const auto& s = unit_.ast.stmts[block.back()].node;
  if (std::holds_alternative<ast::Return>(s) || std::holds_alternative<ast::Raise>(s) ||
      std::holds_alternative<ast::Break>(s) || std::holds_alternative<ast::Continue>(s))
    return false;
  if (const auto it = unreached_.find(block.back().n); it != unreached_.end())
    return rest == kNone || it->second != rest;
  if (const auto* m = std::get_if<ast::Match>(&s)) {
    const auto* last = std::get_if<ast::MatchAs>(&unit_.ast.patterns[m->cases.back().pattern].node);
    if (last == nullptr || last->pattern.valid() || m->cases.back().guard.valid()) return true;
    return std::any_of(m->cases.begin(), m->cases.end(), [&](const auto& c) { return falls_through(c.body); });
  }
  return true;
}

}  // namespace depyf::structure
