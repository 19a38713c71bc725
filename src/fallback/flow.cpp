// SPDX-License-Identifier: MIT
// Translates iteration, awaiting, branches, and the instructions that end an arm; see families.h.
#include <algorithm>

#include "ast/walk.h"
#include "fallback/families.h"

namespace depyf::fallback {

// Makes the asynchronous iterator of a value up to 3.9, without aiter(): `(item async for item in x)` calls __aiter__
// when it is made, with the interpreter's checks and errors, and keeps the iterator in the local `.0` of its frame.
ExprId async_iterator(Machine& m, ExprId iterable) {
  bool walrus = false;  // not allowed in the iterable of a comprehension; it is passed to a lambda then
  ast::Visitor look;
  look.expr = [&](ExprId e) {
    walrus = walrus || std::holds_alternative<ast::NamedExpr>(m.unit.ast.exprs[e].node);
    return !walrus;
  };
  ast::walk(m.unit.ast, iterable, look);
  const NameId passed = m.gen_name("i");
  const ExprId item = m.var("item");
  ast::Comprehension made{ast::ComprehensionKind::kGenerator, item, {}, {}};
  made.generators.push_back({item, walrus ? m.name(passed) : iterable, {}, true});
  const ExprId frame = m.attribute(m.make(std::move(made)), "ag_frame");
  const ExprId iterator = m.subscript(m.attribute(frame, "f_locals"), m.text(".0"));
  if (!walrus) return iterator;
  ast::Arguments args;
  args.args.push_back({passed, {}, {}});
  return m.call(m.make(ast::Lambda{std::move(args), iterator}), {iterable});
}

// Materializes all pending entries at the end of an arm, so that the paths that join after it agree. Constants become
// kConstant entries, except the top `operands` ones, which become variables.
void materialise_all(Machine& m, std::size_t operands) {
  for (std::size_t i = 0; i < m.size(); ++i) {
    Entry& e = m.state.stack[i];
    const auto* c = e.kind == Kind::kPending && e.form == Form::kConstant && i + operands < m.size()
                        ? std::get_if<ast::ConstantExpr>(&m.unit.ast.exprs[e.expr].node)
                        : nullptr;
    if (c != nullptr) {
      e = {.kind = Kind::kConstant, .a = c->value.n};
    } else if (e.kind == Kind::kPending ||
               (e.kind == Kind::kFunction && m.unit.code.codes[CodeId{e.a}].name == "<lambda>")) {
      m.materialise(i);
    }
  }
}

namespace {

// Pushes `await receiver` or `yield from receiver`, by what prepared the receiver.
void lift_yield_from(Machine& m, Entry receiver) {
  const bool awaits = receiver.form == Form::kAwaitable ||
                      (receiver.form != Form::kDelegate && (m.co.flags & (kCoCoroutine | kCoAsyncGenerator)) != 0);
  if (receiver.form == Form::kAwaited)
    m.push(receiver.expr, {receiver});
  else if (awaits)
    m.push(m.make(ast::Await{receiver.expr}), {receiver});
  else
    m.push(m.make(ast::YieldFrom{receiver.expr}), {receiver});
}

// Translates a SEND outside await and yield from, by next() or send(). On StopIteration the jump is taken.
void send(Machine& m) {
  materialise_all(m, 2);
  const ExprId receiver = m.slot_var(2), sent = m.slot_var();
  const NameId stop = m.gen_name("stop"), done = m.temp("done");
  const ExprId next = m.builtin_call("next", {receiver});
  ast::Try t;
  m.assign(done, m.boolean(false));
  t.body = {m.set(sent, m.select(m.is(sent, m.none()), next, m.invoke(receiver, "send", {sent})))};
  t.handlers.push_back({m.builtin("StopIteration"),
                        stop,
                        {m.set(sent, m.attribute(m.name(stop), "value")), m.set(done, m.boolean(true))}});
  m.emit_raw(std::move(t));
  Edge exit{true, m.state, {}, {}}, again{false, m.state, {}, {}};
  if (!m.unit.dialect.inlines_comprehensions) {  // 3.11 pops the receiver
    exit.state.stack.erase(exit.state.stack.end() - 2);
    m.assign(m.slot(m.size() - 2), m.select(m.name(done), sent, receiver));
  }
  m.result.condition = m.name(done);
  m.result.edges = {exit, again};
  m.ended = true;
}

// Translates FOR_ITER to `item = next(it, end)` and a branch on `item is end`.
void for_iter(Machine& m, const Instruction& insn) {
  materialise_all(m, 1);
  const NameId it = m.slot(m.size() - 1), item = m.slot(m.size());
  m.assign(item, m.builtin_call("next", {m.name(it), m.var("end")}));
  Edge done{true, m.state, {item}, {}}, more{false, m.state, {}, {}};
  if ((insn.flags & kIterKept) != 0) {
    done.state.stack.push_back({.kind = Kind::kNull});
  } else {
    done.state.stack.pop_back();
    done.clear.push_back(it);
  }
  more.state.stack.push_back({.kind = Kind::kVar});
  m.result.condition = m.is(m.name(item), m.var("end"));
  m.result.edges = {done, more};
  m.ended = true;
}

}  // namespace

bool iterate_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::FOR_ITER: for_iter(m, insn); return true;
    case Op::GET_ANEXT: {
      m.flush();
      const ExprId it = m.slot_var();
      m.push(m.invoke(m.builtin_call("type", {it}), "__anext__", {it}), {}, Form::kAwaitable);
      return true;
    }
    case Op::YIELD_FROM:
      m.pop();
      lift_yield_from(m, m.pop());
      return true;
    case Op::SEND: send(m); return true;
    case Op::END_SEND: {
      m.flush();
      Entry result = m.pop();
      Entry receiver = m.pop();
      m.assign(m.slot(m.size()), result.expr);
      m.push_var();
      m.clear({result});
      return true;
    }
    default: return false;
  }
}

bool branch_op(Machine& m, const Instruction& insn) {
  bool keeps = false, negate = false, on_none = false;
  switch (insn.op) {
    case Op::POP_JUMP_IF_TRUE: break;
    case Op::POP_JUMP_IF_FALSE: negate = true; break;
    case Op::POP_JUMP_IF_NONE: on_none = true; break;
    case Op::POP_JUMP_IF_NOT_NONE: on_none = negate = true; break;
    case Op::JUMP_IF_TRUE_OR_POP: keeps = true; break;
    case Op::JUMP_IF_FALSE_OR_POP: keeps = negate = true; break;
    default: return false;
  }
  if (keeps) m.flush();
  Entry e = m.pop();
  materialise_all(m);
  const auto dead = m.dead_variables({e});
  Edge taken{true, m.state, dead, {}}, fallen{false, m.state, dead, {}};
  if (on_none && m.group_matched && m.size() > 0) {  // except*: on this edge the matched group becomes handled
    Edge& match = negate ? taken : fallen;
    match.enters = m.slot(m.size() - 1);
    match.state.leave_to(clause_level(m));
    ++match.state.level;
    if (match.state.level <= m.shared.group_levels)
      match.state.groups.push_back({match.state.level, static_cast<std::uint32_t>(m.size() - 1)});
  }
  if (keeps) {
    taken.state.stack.push_back({.kind = Kind::kVar});
    taken.clear.clear();
  }
  m.result.condition = !on_none ? e.expr : negate ? m.is_not(e.expr, m.none()) : m.is(e.expr, m.none());
  if (negate && !on_none)
    m.result.edges = {fallen, taken};
  else
    m.result.edges = {taken, fallen};
  m.ended = true;
  return true;
}

bool leave_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::RETURN_VALUE: {
      m.refused = m.refused || !m.state.withs.empty();  // a `return` in a `with` statement would call __exit__
      if (!m.is_function()) {
        m.drop();
        m.result.ends_code = true;
      } else {
        const Entry e = m.pop();
        const bool is_bare = e.kind != Kind::kExc && (m.co.flags & kCoAsyncGenerator) != 0;
        m.emit(ast::Return{is_bare ? ExprId{} : e.expr});
      }
      m.ended = true;
      return true;
    }
    case Op::RAISE_VARARGS: {
      auto e = m.pop(insn.arg);
      m.emit(ast::Raise{insn.arg > 0 ? e[0].expr : ExprId{}, insn.arg > 1 ? e[1].expr : ExprId{}});
      m.ended = true;
      return true;
    }
    case Op::RERAISE: {
      if (m.unit.dialect.handler_pushes_six) m.state.stack.pop_back();
      if (m.top().kind == Kind::kPending) m.flush();
      reraise(m, m.pop());
      m.ended = true;
      return true;
    }
    case Op::POP_EXCEPT: {
      const auto n = effect(m.unit.dialect.version, insn, false).pops;
      std::uint32_t level = m.state.level;
      if (m.top().kind == Kind::kPrevious) level = m.top().a;
      for (std::int32_t i = 0; i < n; ++i) m.state.stack.pop_back();
      m.state.leave_to(level > 0 ? level - 1 : 0);
      m.refused = m.refused || (!m.state.withs.empty() && m.state.withs.back().level > m.state.level);
      return true;
    }
    case Op::END_ASYNC_FOR: {
      const auto n = effect(m.unit.dialect.version, insn, false).pops;
      for (std::size_t i = 0; i + static_cast<std::size_t>(n) < m.size(); ++i)
        if (m.state.stack[i].kind == Kind::kPending) m.materialise(i);
      ast::Try t;
      t.body = {m.raise()};
      t.handlers.push_back({m.builtin("StopAsyncIteration"), {}, {m.stmt(ast::Pass{})}});
      m.emit_raw(std::move(t));
      for (std::int32_t i = 0; i < n; ++i) m.drop();
      m.state.leave_to(m.state.level > 0 ? m.state.level - 1 : 0);
      return true;
    }
    default: return false;
  }
}

}  // namespace depyf::fallback
