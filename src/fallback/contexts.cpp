// SPDX-License-Identifier: MIT
// Enters and exits context managers: by a `with` statement where with.cpp allows one, else by calls of their methods.
#include <algorithm>

#include "ast/constants.h"
#include "cfg/shapes.h"
#include "fallback/families.h"

namespace depyf::fallback {

namespace {

// Emits `if test: with manager: pass`: if the manager lacks a method, the `with` raises the interpreter's own error.
void require_protocol(Machine& m, ExprId manager, ExprId test, bool is_async) {
  ast::With w;
  w.items.push_back({manager, {}});
  w.body = {m.stmt(ast::Pass{})};
  w.is_async = is_async;
  m.add(m.when(test, {m.stmt(std::move(w))}));
}

// Makes getattr(type(manager), name, None): special methods are looked up on the type.
ExprId method(Machine& m, ExprId manager, std::string_view name) {
  return m.builtin_call("getattr", {m.builtin_call("type", {manager}), m.text(name), m.none()});
}

// Translates BEFORE_WITH: [manager] -> [__exit__, the result of __enter__].
void enter_context(Machine& m, bool is_async) {
  Entry manager = m.pop();
  const auto depth = std::to_string(m.size());
  const NameId saved = m.temp("m" + depth), exit = m.temp("x" + depth), enter = m.slot(m.size() + 1);
  m.emit(ast::Assign{{m.name(saved)}, manager.expr}, {manager});
  m.assign(enter, method(m, m.name(saved), is_async ? "__aenter__" : "__enter__"));
  m.assign(exit, method(m, m.name(saved), is_async ? "__aexit__" : "__exit__"));
  const ExprId test =
      m.make(ast::BoolOp{ast::BoolOperator::kOr, {m.is(m.name(enter), m.none()), m.is(m.name(exit), m.none())}});
  require_protocol(m, m.name(saved), test, is_async);
  m.push_kind(Kind::kWithExit, static_cast<std::uint32_t>(m.size()));
  m.assign(enter, m.call(m.name(enter), {m.name(saved)}));
  m.push_var();
}

ExprId exit_call(Machine& m, const Entry& exit, ExprIds args) {
  args.insert(args.begin(), m.var("m" + std::to_string(exit.a)));
  return m.call(m.var("x" + std::to_string(exit.a)), std::move(args));
}

// Returns 3 if GET_AWAITABLE; LOAD None; YIELD_FROM follow the n-th instruction, i.e. its result is awaited; else 0.
std::size_t awaits(const Machine& m, std::size_t n) {
  const auto is = [&](std::size_t i, Op op) { return m.peek(i) != nullptr && m.peek(i)->op == op; };
  if (!is(n + 1, Op::GET_AWAITABLE) || !is(n + 3, Op::YIELD_FROM)) return 0;
  return loads_none(m.unit.code, m.co, *m.peek(n + 2)) ? 3 : 0;
}

// Enters a `with` statement: [manager] -> [__exit__ (3.14: and self), result of __enter__]. The body is the next arm.
void enter_real(Machine& m, std::size_t entries, bool is_async) {
  if (m.top().kind != Kind::kVar) {
    Entry manager = m.pop();
    m.push(manager.expr, {manager});
  }
  m.flush();  // the manager must be in its slot's variable
  m.state.stack.pop_back();
  const auto depth = static_cast<std::uint32_t>(m.size());
  m.push_kind(Kind::kRealExit, depth);
  if (entries > 1) m.push_kind(Kind::kNull);
  m.push_var();
  materialise_all(m);
  ++m.state.level;
  m.state.withs.push_back({m.state.level, depth, 0, is_async});
  m.result.edges = {Edge{false, m.state, {}, {}, Crossing::kEntersWith}};
  m.ended = true;
}

// Leaves a `with` by __exit__(None, None, None), whose callable is at stack depth `base`; refuses any other arguments.
void leave_real(Machine& m, std::size_t base, std::size_t arguments) {
  bool plain = arguments == 3 && !m.state.withs.empty();
  for (std::size_t i = 1; i <= 3 && plain; ++i)
    plain = m.top(i).form == Form::kConstant && ast::is_none(m.unit.ast, m.unit.code, m.top(i).expr);
  std::uint32_t depth = 0;
  for (std::size_t i = base; i < m.size(); ++i)
    if (m.state.stack[i].kind == Kind::kRealExit) depth = m.state.stack[i].a;
  const std::size_t awaited = plain && m.state.withs.back().is_async ? awaits(m, 0) : 0;
  plain = plain && (awaited > 0 || !m.state.withs.back().is_async);
  if (!plain || m.state.withs.back().level != m.state.level || m.state.withs.back().depth != depth) {
    m.refused = true;
    m.state.stack.resize(base);
    m.push(m.none(), {}, Form::kConstant);
    return;
  }
  m.at += awaited;
  m.state.stack.resize(base);
  materialise_all(m);
  m.push_kind(Kind::kExitResult);
  m.state.withs.pop_back();
  --m.state.level;
  m.result.edges = {Edge{false, m.state, {}, {}, Crossing::kLeavesWith}};
  m.ended = true;
}

// Translates a call whose callable is the __exit__ of a context manager; false for any other call.
bool leave_context(Machine& m, const Instruction& insn) {
  const bool two_slots = insn.op == Op::CALL;
  const std::size_t base = m.size() - insn.arg - (two_slots ? 2 : 1);
  const auto is_null = [&](std::size_t i) { return two_slots && m.state.stack[i].kind == Kind::kNull; };
  const std::size_t count = insn.arg + (two_slots && !is_null(base) && !is_null(base + 1) ? 1 : 0);
  const Entry exit = m.state.stack[base + (is_null(base) ? 1 : 0)];
  if (exit.kind == Kind::kRealExit) leave_real(m, base, count);
  if (exit.kind != Kind::kWithExit) return exit.kind == Kind::kRealExit;
  auto args = m.pop(count);
  m.state.stack.resize(base);
  ExprIds all;
  for (const auto& e : args) all.push_back(e.expr);
  args.push_back(exit);
  args.back().uses = {m.temp("m" + std::to_string(exit.a)), m.temp("x" + std::to_string(exit.a))};
  m.push(exit_call(m, exit, std::move(all)), args);
  return true;
}

}  // namespace

bool context_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::SETUP_WITH:
    case Op::BEFORE_WITH: enter_context(m, false); return true;
    case Op::BEFORE_ASYNC_WITH: enter_context(m, true); return true;
    case Op::LOAD_SPECIAL: {
      constexpr std::string_view kNames[] = {"__enter__", "__exit__", "__aenter__", "__aexit__"};
      m.flush();
      const NameId function = m.slot(m.size() - 1), self = m.slot(m.size());
      m.assign(self, m.name(function));
      m.assign(function, method(m, m.name(self), kNames[insn.arg & 3U]));
      require_protocol(m, m.name(self), m.is(m.name(function), m.none()), insn.arg >= 2);
      m.push_var();
      return true;
    }
    case Op::WITH_EXCEPT_START: {
      m.flush();
      const auto depth = static_cast<std::size_t>(effect(m.unit.dialect.version, insn, false).pops);
      const std::size_t at = m.unit.dialect.handler_pushes_six ? 2 : 1;
      Entry exit = m.top(depth);
      const ExprId e = m.value(m.top(at), m.size() - at);
      ExprIds args{m.builtin_call("type", {e}), e, m.attribute(e, "__traceback__")};
      if (exit.kind == Kind::kWithExit) {
        m.push(exit_call(m, exit, args));
      } else {
        const ExprId function = m.value(exit, m.size() - depth);
        if (depth == 5 && m.top(4).kind != Kind::kNull) args.insert(args.begin(), m.value(m.top(4), m.size() - 4));
        m.push(m.call(function, args));
      }
      return true;
    }
    case Op::CALL:
    case Op::CALL_FUNCTION: return leave_context(m, insn);
    default: return false;
  }
}

bool real_with_op(Machine& m, const Instruction& insn) {
  if (!m.shared.real_withs) return false;
  if (insn.op == Op::SETUP_WITH || insn.op == Op::BEFORE_WITH) {
    enter_real(m, 1, false);
    return true;
  }
  if (insn.op == Op::BEFORE_ASYNC_WITH) {
    m.refused = m.refused || awaits(m, 0) == 0;
    m.at += awaits(m, 0);
    enter_real(m, 1, true);
    return true;
  }
  const auto is = [&](std::size_t n, Op op, std::uint32_t arg) {
    const auto* next = m.peek(n);
    return next != nullptr && next->op == op && next->arg == arg;
  };
  // 3.14: COPY 1; LOAD_SPECIAL __exit__; SWAP 2; SWAP 3; LOAD_SPECIAL __enter__; CALL 0, or the asynchronous methods.
  for (const bool is_async : {false, true}) {
    const std::uint32_t enter = is_async ? 2 : 0;
    if (insn.op != Op::COPY || insn.arg != 1 || !is(1, Op::LOAD_SPECIAL, enter + 1)) continue;
    const bool whole = is(2, Op::SWAP, 2) && is(3, Op::SWAP, 3) && is(4, Op::LOAD_SPECIAL, enter) && is(5, Op::CALL, 0);
    if (whole && (!is_async || awaits(m, 5) > 0)) {
      m.at += 5 + (is_async ? awaits(m, 5) : 0);
      enter_real(m, 2, is_async);
      return true;
    }
    m.refused = true;
  }
  m.refused = m.refused || insn.op == Op::LOAD_SPECIAL;
  return false;
}

}  // namespace depyf::fallback
