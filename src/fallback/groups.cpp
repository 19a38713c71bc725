// SPDX-License-Identifier: MIT
// Translates the instructions of except*: CHECK_EG_MATCH, by which a clause matches, and PREP_RERAISE_STAR, which
// computes the exception that the statement raises in the end (PyUnstable_Exc_PrepReraiseStar in Objects/exceptions.c).
#include <algorithm>

#include "fallback/families.h"

namespace depyf::fallback {

// Makes `def star(type, handled)`, which raises the TypeError of except* if `type` is no valid type to match, with the
// handled exception as its context. It is a function because its blocks would count as nested in the arm's.
ast::FunctionDef group_type_check(Machine& m) {
  const NameId type = m.gen_name("type"), bad = m.gen_name("bad"), handled = m.gen_name("handled");
  ast::Try check, around;
  check.is_star = true;
  check.body = {m.raise(m.builtin("Exception"))};
  check.handlers.push_back({m.name(type), {}, {m.stmt(ast::Pass{})}});
  check.handlers.push_back({m.builtin("Exception"), {}, {m.stmt(ast::Pass{})}});
  around.body = {m.stmt(std::move(check))};
  const StmtId restore = m.set(m.attribute(m.name(bad), "__context__"), m.name(handled));
  around.handlers.push_back({m.builtin("TypeError"), bad, {restore, m.raise()}});
  ast::FunctionDef def;
  def.name = m.temp("star");
  def.args->args = {{type, {}, {}}, {handled, {}, {}}};
  def.body = {m.stmt(std::move(around))};
  return def;
}

// Returns the level of the innermost except clause around, not counting those for groups matched by except*.
std::uint32_t clause_level(const Machine& m) {
  std::uint32_t level = 0;
  for (const Entry& e : m.state.stack)
    if (e.kind == Kind::kPrevious) level = e.a;
  return level;
}

// Returns the variable that holds the last group matched by the except* statement around.
NameId matched_group(Machine& m) { return m.temp("gm" + std::to_string(clause_level(m))); }

namespace {

ExprId is_group(Machine& m, ExprId e) { return m.builtin_call("isinstance", {e, m.builtin("BaseExceptionGroup")}); }

ExprId group_of(Machine& m, ExprId list) { return m.call(m.builtin("ExceptionGroup"), {m.text(""), list}); }

// Makes the test of is_same_exception_metadata() in Objects/exceptions.c.
ExprId is_same(Machine& m, ExprId a, ExprId b) {
  const auto notes = [&](ExprId of) { return m.builtin_call("getattr", {of, m.text("__notes__"), m.none()}); };
  ExprIds tests{is_group(m, a), m.is(notes(a), notes(b))};
  for (const std::string_view f : {"__traceback__", "__cause__", "__context__"})
    tests.push_back(m.is(m.attribute(a, f), m.attribute(b, f)));
  return m.make(ast::BoolOp{ast::BoolOperator::kAnd, std::move(tests)});
}

}  // namespace

// PREP_RERAISE_STAR: [original exception, list of those raised by the clauses] -> the exception to raise, or None.
void prepare_reraise(Machine& m) {
  auto e = m.pop(2);
  m.push(m.make(ast::Tuple{{e[0].expr, e[1].expr}}), e);
  m.flush();
  const NameId leaves_id = m.temp("leaves"), current_id = m.temp("one"), x_id = m.gen_name("i");
  const ExprId pair = m.slot_var(), raised = m.var("raised"), same = m.var("same"), whole = m.var("whole"),
               todo = m.var("todo"), leaves = m.name(leaves_id), current = m.name(current_id), x = m.name(x_id);
  const ExprId handled = m.subscript(pair, m.number(0));
  const auto append = [&](ExprId list, ExprId item) { return Block{m.evaluate(m.invoke(list, "append", {item}))}; };
  m.add(m.set(raised, m.make(ast::List{})));
  m.add(m.set(same, m.make(ast::List{})));
  const ExprId kept = m.make(ast::BoolOp{ast::BoolOperator::kAnd, {is_group(m, handled), is_same(m, x, handled)}});
  ast::For loop;
  loop.target = x;
  loop.iter = m.subscript(pair, m.number(1));
  loop.body = {m.when(m.is_not(x, m.none()), {m.when(kept, append(same, x), append(raised, x))})};
  m.emit_raw(std::move(loop));
  // As exception_group_projection(): collects the leaves of the reraised groups, and splits the original group by them.
  m.add(m.set(todo, same));
  m.add(m.set(leaves, m.make(ast::Set{{m.none()}})));
  ast::While walk;
  walk.test = todo;
  const StmtId deeper = m.evaluate(m.invoke(todo, "extend", {m.attribute(current, "exceptions")}));
  const StmtId leaf = m.evaluate(m.invoke(leaves, "add", {m.builtin_call("id", {current})}));
  walk.body = {m.set(current, m.invoke(todo, "pop", {})), m.when(is_group(m, current), {deeper}, {leaf})};
  m.emit_raw(std::move(walk));
  ast::Lambda is_leaf;
  is_leaf.args->args = {{x_id, {}, {}}, {leaves_id, {}, leaves}, {current_id, {}, m.builtin("id")}};
  is_leaf.body = m.make(ast::Compare{m.call(current, {x}), {ast::CompareOperator::kIn}, {leaves}});
  const ExprId projected = m.subscript(m.invoke(handled, "split", {m.make(std::move(is_leaf))}), m.number(0));
  m.add(m.set(whole, m.select(is_group(m, handled), projected, m.none())));
  m.add(m.when(m.is_not(whole, m.none()), append(raised, whole)));
  const ExprId count = m.builtin_call("len", {raised});
  const ExprId several = m.make(ast::Compare{count, {ast::CompareOperator::kGt}, {m.number(1)}});
  const ExprId first = m.select(raised, m.subscript(raised, m.number(0)), m.none());
  m.add(m.set(pair, m.select(several, group_of(m, raised), first)));
  m.clear_variables({raised, same, whole, todo, leaves, current, x, m.name(matched_group(m))});
}

// CHECK_EG_MATCH: [exc, type] -> [rest, match or None].
void match_group(Machine& m) {
  m.group_matched = true;
  m.flush();
  Entry match = m.pop(), exc = m.top();
  const ExprId e = m.value(exc, m.size() - 1), rest = m.slot_var(), found = m.slot_var(0), kind = m.var("g"),
               context = m.var("gc"), trace = m.var("gt"), group = m.name(matched_group(m));
  m.add(m.set(kind, match.expr));
  const bool is_current = exc.kind == Kind::kExc && exc.a == m.state.handled_level();
  const ExprId outer = m.name(m.exception(std::max(m.state.handled_level(), 1U)));
  const ExprId handled = is_current ? e : m.select(m.is_not(group, m.none()), group, outer);
  m.add(m.evaluate(m.call(m.var("star"), {kind, handled})));
  const auto finds = [&](ExprId pair) {
    Block b;
    if (!is_current)  // `raise e` changed its context and traceback
      b = {m.set(m.attribute(e, "__context__"), context), m.set(m.attribute(e, "__traceback__"), trace)};
    b.push_back(m.set(m.make(ast::Tuple{{found, rest}}), pair));
    return b;
  };
  ast::Try t;
  t.body = {m.raise(is_current ? ExprId{} : e)};
  const ExprId whole = m.select(is_group(m, e), e, group_of(m, m.make(ast::List{{e}})));
  t.handlers.push_back({kind, {}, finds(m.make(ast::Tuple{{whole, m.none()}}))});
  const ExprId parts = m.select(is_group(m, e), m.invoke(e, "split", {kind}), m.make(ast::Tuple{{m.none(), e}}));
  t.handlers.push_back({m.builtin("BaseException"), {}, finds(parts)});
  if (exc.kind == Kind::kVar) {  // the rest may be None, if earlier clauses matched everything
    const StmtId with_context = m.set(context, m.attribute(e, "__context__"));
    const StmtId with_trace = m.set(trace, m.attribute(e, "__traceback__"));
    m.add(m.when(m.is(e, m.none()), {m.set(found, m.none())}, {with_context, with_trace, m.stmt(std::move(t))}));
    m.emit_raw(ast::Assign{{context, trace}, m.none()});
  } else {
    m.emit_raw(std::move(t));
  }
  m.add(m.when(m.is_not(found, m.none()), {m.set(group, found)}));
  m.state.stack.pop_back();
  m.push_var();
  m.push_var();
}

}  // namespace depyf::fallback
