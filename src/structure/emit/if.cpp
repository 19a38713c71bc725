// SPDX-License-Identifier: MIT
// Emits if / else and assert.
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

// Statements: an arm of this size is usually not indented, but comes after a guard clause.
constexpr std::size_t kManyStatements = 12;

ExprId last_operand(const ast::Tree& tree, ExprId test) {
  for (;;) {
    const auto* operation = std::get_if<ast::BoolOp>(&tree.exprs[test].node);
    const auto operand = operation != nullptr ? operation->values.back() : ast::without_not(tree, test);
    if (!operand.valid()) return test;
    test = operand;
  }
}

// Returns whether the source position `origin` is after that of the last operand in the test of n. The AssertionError
// of an `assert` has the position of the statement, which starts before the test. In `if x: assert False`, whose second
// test is folded, it starts after the test of x. Up to 3.9 `assert False` keeps a test of its own, so positions are not
// needed.
bool begins_after_test(const Emitter& e, std::uint32_t n, ast::Origin origin) {
  auto& unit = e.code.unit;
  const ExprId last = last_operand(unit.ast, e.node(n).state.cond);
  const auto *own = unit.positions.at(origin.offset), *test = unit.positions.at(unit.ast.exprs[last].origin.offset);
  if (!unit.dialect.folds_constant_tests) return false;
  return own != nullptr && test != nullptr && std::pair(own->line, own->column) > std::pair(test->line, test->column);
}

// Emits an assert, a test with empty arms, or a `continue` after a test: these need no follow. Returns false if the
// node is none of them.
bool emit_armless_if(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& node = e.node(n);
  const auto& s = node.state;
  const auto t = node.t, f = node.f;
  for (const bool holds : {true, false}) {
    const auto raises = holds ? f : t;
    const auto message = raised_assertion(e.code, raises);
    if (!message || e.r.handler(raises) != e.r.handler(n) || (!holds && !may_negate(e.code, n))) continue;
    const auto& raise = std::get<ast::Raise>(e.tree().stmts[e.node(raises).state.stmts[0].stmt].node);
    const ast::Origin origin = e.tree().exprs[raise.exc].origin;  // RAISE_VARARGS has the position of the test
    if (begins_after_test(e, n, origin)) continue;
    out.push_back(e.tree().stmt(ast::Assert{condition(e.code, n, holds), *message}, origin));
    e.written(raises).is_asserted = true;
    n = holds ? t : f;
    return true;
  }
  if (t == f) {
    // `x or 1`: the test of x leads past a jump back, but in `if x` it would be the jump back itself.
    // With an empty `else`, too, which falls through if the test is true.
    const bool is_outer = has_own_continue(e.code.unit.dialect, node, e.node(t)),
               is_either = is_outer && !node.falls_true;
    const auto literal_one = is_either ? e.tree().expr(ast::IntLiteral{1}, {}) : ExprId{};
    const auto test =
        is_either ? e.tree().expr(ast::BoolOp{ast::BoolOperator::kOr, {s.cond, literal_one}}, {}) : s.cond;
    ast::Block orelse;
    if (is_outer && !is_either) orelse = {e.make(ast::Pass{}, n)};
    out.push_back(e.make(ast::If{test, {e.make(ast::Pass{}, n)}, std::move(orelse)}, n));
    n = t;
    return true;
  }
  // An arm that is only a `continue`, which the handler of the jump shows.
  const bool back_t = ctx.loop != nullptr && t == ctx.loop->header,
             back_f = ctx.loop != nullptr && f == ctx.loop->header;
  if (back_t == back_f || (!back_t && !may_negate(e.code, n)) ||
      !has_own_continue(e.code.unit.dialect, node, e.node(ctx.loop->header)))
    return false;
  out.push_back(e.make(ast::If{condition(e.code, n, back_t), {e.make(ast::Continue{}, n)}, {}}, n));
  n = back_t ? f : t;
  return true;
}

// Returns whether an `if` that is first in an `else` becomes an `elif` although its body leaves: guard clauses there
// would nest what follows one level deeper.
bool prefers_elif(const Emitter& e, const Context& ctx, const ast::Block& out) {
  return e.code.guards == Guards::kEverywhere && ctx.in_else && out.empty();
}

// Emits an `if` whose body is `exit`, because the code shows it or everything else would nest too deep; the other arm
// comes after it.
bool emit_guarded(Emitter& e, std::uint32_t n, ast::StmtId exit, bool when, std::uint32_t follow, const Context& ctx,
                  ast::Block& out) {
  const Node& node = e.node(n);
  const auto other = when ? node.f : node.t;
  if (prefers_elif(e, ctx, out)) {
    e.open({ast::If{condition(e.code, n, when), {exit}, {}}, n, other, follow});
    return true;
  }
  const bool is_visible = e.code.guards == Guards::kEverywhere || !e.code.unit.dialect.inverts_back_jumps ||
                          std::holds_alternative<ast::Return>(e.tree().stmts[exit].node);
  out.push_back(e.make(ast::If{condition(e.code, n, when), {exit}, {}}, n));
  OpenIf open{{}, n, other, follow};
  open.guarded = out.size();
  const bool negates = may_negate(e.code, n);
  if (!is_visible && (!when || negates)) open.stmt.test = condition(e.code, n, !(when && negates));
  e.open(std::move(open));
  return true;
}

// Emits an `if` of which at most one arm continues: the other one is the body, followed by the rest. Prefers the arm
// that comes first; an arm that is only `continue` or `break` becomes the body if the test need not be negated for it.
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
  const bool needs_both_arms = !body_true && !may_negate(e.code, n);
  if (needs_both_arms) body_true = true;
  ast::If stmt{condition(e.code, n, body_true), {}, {}};
  const auto first = body_true ? t : f, rest = body_true ? f : t;
  if (!e.emit(first, ctx.inside(ctx.follow), stmt.body)) return e.fail();
  if (!needs_both_arms) e.or_pass(stmt.body, n);
  // The body ends with a statement that never reaches its end, which must be after this `if`: the other arm ends there,
  // too.
  const auto end = needs_both_arms ? kNone : e.unreached_follow(stmt.body);
  if (end != kNone && end != rest && !ctx.is_stop(end) && leads_to(e.r, rest, end, ctx.handler)) {
    e.open({std::move(stmt), n, rest, end});
    return true;
  }
  // The body may reach the follow of the context, or the rest may be an `elif`, which nests no deeper.
  if (needs_both_arms || (ctx.in_else && out.empty()) || e.falls_through(stmt.body, rest)) {
    e.open({std::move(stmt), n, rest});
    return true;
  }
  out.push_back(e.make(std::move(stmt), n));
  n = rest;
  return true;
}

// Returns the statement with which one arm of the `if` at n leaves the loop's body or the function, if the code shows
// it or all guard clauses are wanted; otherwise an invalid id. It comes before the other arm, although falling off the
// end would have the same effect.
ast::StmtId early_exit(Emitter& e, std::uint32_t n, bool when, std::uint32_t follow, const Context& ctx) {
  const Node& node = e.node(n);
  const auto arm = when ? node.t : node.f;
  const bool everywhere = e.code.guards == Guards::kEverywhere;
  if ((!everywhere && node.falls_true != when) || (!when && !may_negate(e.code, n)) ||
      (follow != kNone && follow != arm))
    return {};
  if (ctx.loop != nullptr)  // an inverted jump is not that of a `continue`
    return arm == ctx.loop->header && (everywhere || node.inverted != JumpInversion::kYes) ? e.make(ast::Continue{}, n)
                                                                                           : ast::StmtId{};
  const Node& exit = e.node(arm);
  if (!e.code.is_function() || ctx.in_finally || exit.state.stmts.size() != 1 || !returns_none(e.code, arm) ||
      !(exit.handler == node.handler))
    return {};
  const auto& return_stmt = e.tree().stmts[exit.state.stmts[0].stmt];
  return e.tree().stmt(ast::Return{std::get<ast::Return>(return_stmt.node).value}, ast::Origin(return_stmt.origin));
}

bool has_many_statements(const ast::Tree& tree, const ast::Block& block) {
  std::size_t count = 0;
  ast::walk(tree, block,
            Overloaded{[](ExprId) { return false; }, [&](ast::StmtId) { return ++count < kManyStatements; }});
  return count >= kManyStatements;
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
  // The follow is the exit of an except clause that ends with this `if`, duplicated into both arms.
  if (follow != kNone && exits_handler(e.code, follow) && merge_tails_with(e.code, e.r, follow, n)) return e.restart();
  if (ctx.in_finally && !is_end_of_finally(e.code, follow) && exits_finally(e.code, n, follow)) follow = kNone;
  // An arm is empty if it only leads to the follow.
  const bool t_empty = t == follow || t == ctx.follow, f_empty = f == follow || f == ctx.follow;
  if (t_empty != f_empty)
    if (const auto exit = early_exit(e, n, t_empty, follow, ctx); exit.valid())
      return emit_guarded(e, n, exit, t_empty, follow, ctx, out);
  if (follow == kNone) return emit_open_if(e, n, t_empty, f_empty, ctx, out);
  bool body_true = e.code.true_arm_first(n);
  if (t_empty || f_empty) body_true = !t_empty;
  if (!body_true && !may_negate(e.code, n)) body_true = true;
  ast::If stmt{condition(e.code, n, body_true), {}, {}};
  const auto first = body_true ? t : f, second = body_true ? f : t;
  Context jumping = ctx;
  jumping.ends_with_jump = jumping.ends_with_jump || second != follow;
  if (!e.emit(first, jumping.inside(follow), stmt.body)) return e.fail();
  e.open({std::move(stmt), n, second, follow});
  return true;
}

void close_if(Emitter& e, OpenIf done, ast::Block& out) {
  ast::If& stmt = done.stmt;
  if (done.guarded > 0) {  // a short arm becomes the body, without a guard clause before it
    if (!stmt.test.valid() || out.size() >= done.guarded + kManyStatements) return;
    stmt.body.assign(out.begin() + static_cast<std::ptrdiff_t>(done.guarded), out.end());
    if (has_many_statements(e.tree(), stmt.body)) return;
    out.resize(done.guarded - 1);
    out.push_back(e.make(std::move(stmt), done.test));
    return;
  }
  e.or_pass(stmt.body, done.test);
  ast::Block rest, exit;
  auto& last = stmt.orelse.empty() ? stmt.body : stmt.orelse;
  const bool continues_loop = done.around.loop != nullptr && done.follow == done.around.loop->header;
  // Flatten: the body leaves, so the rest needs no `else`.
  if (!stmt.orelse.empty() && !e.falls_through(stmt.body, done.arm)) {
    const auto* next = std::get_if<ast::If>(&e.tree().stmts[stmt.orelse[0]].node);
    const bool is_elif = stmt.orelse.size() == 1 && next != nullptr &&
                         (!next->orelse.empty() || prefers_elif(e, done.around, out)) &&
                         !std::holds_alternative<ast::Try>(e.tree().stmts[stmt.body.back()].node);
    if (!is_elif) rest.swap(stmt.orelse);  // an `if` without `else` need not be an `elif`
  } else if (continues_loop && done.around.ends_with_jump && last.size() > 1 &&
             ast::is<ast::Continue>(e.tree().stmts[last.back()].node)) {
    exit = {last.back()};  // the other arm ends with it, too: it comes after both
    last.pop_back();
  }
  out.push_back(e.make(std::move(stmt), done.test));
  out.insert(out.end(), rest.begin(), rest.end());
  out.insert(out.end(), exit.begin(), exit.end());
}

}  // namespace depyf::structure
