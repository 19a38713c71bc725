// SPDX-License-Identifier: MIT
// except*: what a clause matches, and what the statement raises in the end.
#include <algorithm>

#include "fallback/families.h"

namespace depyf::fallback {

// The function that raises the error of except* itself for what it cannot match, whose context is what was handled then:
// a function, as its blocks would nest in those of the arm.
ast::FunctionDef group_type_check(Machine& m) {
  const NameId type = m.ours("type"), bad = m.ours("bad");
  const NameId handled = m.ours("handled");
  ast::Try check, around;
  check.is_star = true;
  check.body = {m.stmt(ast::Raise{m.builtin("Exception"), {}})};
  check.handlers.push_back({m.name(type), {}, {m.stmt(ast::Pass{})}});
  check.handlers.push_back({m.builtin("Exception"), {}, {m.stmt(ast::Pass{})}});
  around.body = {m.stmt(std::move(check))};
  around.handlers.push_back(
      {m.builtin("TypeError"),
       bad,
       {m.stmt(ast::Assign{{m.attribute(m.name(bad), "__context__")}, m.name(handled)}), m.stmt(ast::Raise{})}});
  ast::FunctionDef def;
  def.name = m.temp("star");
  def.args.args = {{type, {}, {}}, {handled, {}, {}}};
  def.body = {m.stmt(std::move(around))};
  return def;
}

// Of the innermost except clause that code around handles an exception in, whatever except* has matched since.
std::uint32_t clause_level(const Machine& m) {
  std::uint32_t level = 0;
  for (const Entry& e : m.state.stack)
    if (e.kind == Kind::kPrevious) level = e.a;
  return level;
}

// What an except* statement has matched last.
NameId matched_group(Machine& m) { return m.temp("gm" + std::to_string(clause_level(m))); }

namespace {

// [what was handled, what the clauses raised] -> what the statement raises: PREP_RERAISE_STAR.
void prepare_reraise(Machine& m) {
  auto e = m.pop(2);
  m.push(m.make(ast::Tuple{{e[0].expr, e[1].expr}}), e);
  m.flush();
  const NameId both = m.slot(m.size() - 1), raised = m.temp("raised"), same_kind = m.temp("same"),
               whole = m.temp("whole");
  const auto part = [&](std::int64_t i) { return m.make(ast::Subscript{m.name(both), m.number(i)}); };
  const NameId x = m.ours("i");
  const auto field = [&](ExprId of, std::string_view which) { return m.attribute(of, which); };
  // is_same_exception_metadata() of Objects/exceptions.c
  ExprIds tests{m.builtin_call("isinstance", {m.name(x), m.builtin("BaseExceptionGroup")})};
  const auto notes = [&](ExprId of) { return m.builtin_call("getattr", {of, m.text("__notes__"), m.none()}); };
  tests.push_back(m.is_not(notes(m.name(x)), notes(part(0)), false));
  for (const std::string_view f : {"__traceback__", "__cause__", "__context__"})
    tests.push_back(m.is_not(field(m.name(x), f), field(part(0), f), false));
  const ExprId is_same = m.make(ast::BoolOp{ast::BoolOperator::kAnd, tests});
  const auto add = [&](NameId list) {
    return Block{m.stmt(ast::ExprStmt{m.call(m.attribute(m.name(list), "append"), {m.name(x)})})};
  };
  m.assign(raised, m.make(ast::List{}));
  m.assign(same_kind, m.make(ast::List{}));
  const ExprId is_group = m.builtin_call("isinstance", {part(0), m.builtin("BaseExceptionGroup")});
  const ExprId kept = m.make(ast::BoolOp{ast::BoolOperator::kAnd, {is_group, is_same}});
  ast::For loop;
  loop.target = m.name(x);
  loop.iter = part(1);
  loop.body = {
      m.stmt(ast::If{m.is_not(m.name(x), m.none(), true), {m.stmt(ast::If{kept, add(same_kind), add(raised)})}, {}})};
  m.emit_raw(std::move(loop));
  // exception_group_projection(): the leaves of what was raised again
  const NameId todo = m.temp("todo"), leaves = m.temp("leaves");
  m.assign(todo, m.name(same_kind));
  m.assign(leaves, m.make(ast::Set{{m.none()}}));
  ast::While walk;
  walk.test = m.name(todo);
  const NameId one = m.temp("one");
  walk.body = {
      m.stmt(ast::Assign{{m.name(one)}, m.call(m.attribute(m.name(todo), "pop"), {})}),
      m.stmt(ast::If{
          m.builtin_call("isinstance", {m.name(one), m.builtin("BaseExceptionGroup")}),
          {m.stmt(
              ast::ExprStmt{m.call(m.attribute(m.name(todo), "extend"), {m.attribute(m.name(one), "exceptions")})})},
          {m.stmt(ast::ExprStmt{m.call(m.attribute(m.name(leaves), "add"), {m.builtin_call("id", {m.name(one)})})})}})};
  m.emit_raw(std::move(walk));
  ast::Lambda leaf;
  leaf.args->args.push_back({x, {}, {}});
  leaf.args->args.push_back({leaves, {}, m.name(leaves)});
  leaf.args->args.push_back({one, {}, m.builtin("id")});
  leaf.body = m.make(ast::Compare{m.call(m.name(one), {m.name(x)}), {ast::CompareOperator::kIn}, {m.name(leaves)}});
  const ExprId projected =
      m.make(ast::Subscript{m.call(m.attribute(part(0), "split"), {m.make(std::move(leaf))}), m.number(0)});
  m.assign(whole, m.make(ast::IfExp{is_group, projected, m.none()}));
  m.emit_raw(ast::If{m.is_not(m.name(whole), m.none(), true),
                     {m.stmt(ast::ExprStmt{m.call(m.attribute(m.name(raised), "append"), {m.name(whole)})})},
                     {}});
  const ExprId several =
      m.make(ast::Compare{m.builtin_call("len", {m.name(raised)}), {ast::CompareOperator::kGt}, {m.number(1)}});
  const ExprId first =
      m.make(ast::IfExp{m.name(raised), m.make(ast::Subscript{m.name(raised), m.number(0)}), m.none()});
  m.assign(both, m.make(ast::IfExp{several, m.call(m.builtin("ExceptionGroup"), {m.text(""), m.name(raised)}), first}));
  m.clear({{.uses = {raised, same_kind, whole, todo, leaves, one, x, matched_group(m)}}});
}

}  // namespace

// except*: [exc, type] -> [rest, match or None].
bool group_op(Machine& m, const Instruction& insn) {
  if (insn.op == Op::CHECK_EG_MATCH) {
    m.group_matched = true;
    m.flush();
    Entry match = m.pop();
    const std::size_t at = m.size() - 1;
    Entry exc = m.state.stack.back();
    const ExprId e = m.value(exc, at);
    const NameId rest = m.slot(at), found = m.slot(at + 1), kind = m.temp("g");
    m.assign(kind, match.expr);
    const bool current = exc.kind == Kind::kExc && exc.a == m.state.handled();
    const NameId context = m.temp("gc"), trace = m.temp("gt"), group = matched_group(m);
    const ExprId outer = m.name(m.exception(std::max(m.state.handled(), 1U)));
    const ExprId handled =
        current ? e : m.make(ast::IfExp{m.is_not(m.name(group), m.none(), true), m.name(group), outer});
    m.emit_raw(ast::ExprStmt{m.call(m.name(m.temp("star")), {m.name(kind), handled})});
    Block restored;  // raising it again leaves traces
    if (!current)
      restored = {m.stmt(ast::Assign{{m.attribute(e, "__context__")}, m.name(context)}),
                  m.stmt(ast::Assign{{m.attribute(e, "__traceback__")}, m.name(trace)})};
    const auto then = [&](ast::StmtId last) {
      Block b = restored;
      b.push_back(last);
      return b;
    };
    ast::Try t;
    t.body = {m.stmt(ast::Raise{current ? ExprId{} : e, {}})};
    const ExprId wrapped = m.call(m.builtin("ExceptionGroup"), {m.text(""), m.make(ast::List{{e}})});
    const ExprId is_group = m.builtin_call("isinstance", {e, m.builtin("BaseExceptionGroup")});
    const ExprId whole = m.make(ast::IfExp{is_group, e, wrapped});
    const ExprId pair = m.make(ast::Tuple{{m.name(found), m.name(rest)}});
    t.handlers.push_back({m.name(kind), {}, then(m.stmt(ast::Assign{{pair}, m.make(ast::Tuple{{whole, m.none()}})}))});
    const ExprId parts = m.call(m.attribute(e, "split"), {m.name(kind)});
    const ExprId none_found = m.make(ast::Tuple{{m.none(), e}});
    t.handlers.push_back({m.builtin("BaseException"),
                          {},
                          then(m.stmt(ast::Assign{{pair}, m.make(ast::IfExp{is_group, parts, none_found})}))});
    const bool empty = exc.kind == Kind::kVar;
    if (empty) {  // nothing is left to match
      m.emit_raw(
          ast::If{m.is_not(e, m.none(), false),
                  {m.stmt(ast::Assign{{m.name(found)}, m.none()})},
                  {m.stmt(ast::Assign{{m.name(context)}, m.attribute(e, "__context__")}),
                   m.stmt(ast::Assign{{m.name(trace)}, m.attribute(e, "__traceback__")}), m.stmt(std::move(t))}});
      m.emit_raw(ast::Assign{{m.name(context), m.name(trace)}, m.none()});
    } else {
      m.emit_raw(std::move(t));
    }
    m.emit_raw(
        ast::If{m.is_not(m.name(found), m.none(), true), {m.stmt(ast::Assign{{m.name(group)}, m.name(found)})}, {}});
    m.state.stack.pop_back();
    m.push_var();
    m.push_var();
    return true;
  }
  if (insn.op != Op::PREP_RERAISE_STAR) return false;
  prepare_reraise(m);
  return true;
}

}  // namespace depyf::fallback
