// SPDX-License-Identifier: MIT
// Values that the lifter refuses, or has no expression for: what lies in slots and is moved there, and what only running
// tells.
#include <algorithm>

#include "fallback/families.h"

namespace depyf::fallback {

namespace {

void copy(Machine& m, std::size_t n) {
  Entry& source = m.top(n);
  if (source.kind == Kind::kPending && source.form == Form::kConstant) {
    m.push(source.expr, {}, Form::kConstant);
    return;
  }
  if (source.kind != Kind::kPending && source.kind != Kind::kVar && source.kind != Kind::kCleared) {
    m.push_kind(source.kind, source.a);
    return;
  }
  const std::size_t index = m.size() - n;
  m.flush();
  const Kind kind = m.state.stack[index].kind;
  const auto a = m.state.stack[index].a;
  m.assign(m.slot(m.size()), m.name(m.slot(index)));
  m.push_kind(kind, a);
}

void swap(Machine& m, std::size_t n) {
  const auto inert = [&](const Entry& e) { return e.kind == Kind::kNull || e.kind == Kind::kFunction; };
  if (n == 2 && (inert(m.top(1)) || inert(m.top(2))) && !in_variable(m.top(1).kind) && !in_variable(m.top(2).kind)) {
    std::swap(m.top(1), m.top(2));
    return;
  }
  const std::size_t high = m.size() - 1, low = m.size() - n;
  const auto fixed = [&](std::size_t i) {
    const Entry& e = m.state.stack[i];
    return !in_variable(e.kind) && (e.kind != Kind::kPending || e.form == Form::kConstant);
  };
  for (std::size_t i = 0; i <= high; ++i)
    if (!fixed(i)) m.materialise(i);
  const bool fixed_low = fixed(low), fixed_high = fixed(high);
  const NameId a = m.slot(low), b = m.slot(high);
  if (!fixed_low && !fixed_high)
    m.emit_raw(ast::Assign{{m.make(ast::Tuple{{m.name(a), m.name(b)}})}, m.make(ast::Tuple{{m.name(b), m.name(a)}})});
  else if (!fixed_low || !fixed_high)
    m.assign(fixed_low ? a : b, m.name(fixed_low ? b : a));
  std::swap(m.state.stack[low], m.state.stack[high]);
  Entry moved;
  if (fixed_low != fixed_high) {
    moved.uses = {fixed_low ? b : a};
    m.clear({moved});
  }
}

}  // namespace

bool stack_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::NOP:
    case Op::MAKE_CELL:
    case Op::COPY_FREE_VARS:
    case Op::RESUME:
    case Op::GEN_START:
    case Op::POP_BLOCK:
    case Op::SETUP_FINALLY:
    case Op::SETUP_ASYNC_WITH:
    case Op::ASYNC_GEN_WRAP:
    case Op::STOPITERATION_ERROR: return true;
    case Op::POP_TOP:
    case Op::POP_ITER: {
      m.drop();
      return true;
    }
    case Op::END_FOR: {
      const auto n = effect(m.unit.dialect.version, insn, false).pops;
      for (std::int32_t i = 0; i < n; ++i) {
        m.drop();
      }
      return true;
    }
    case Op::COPY: copy(m, insn.arg); return true;
    case Op::SWAP: swap(m, insn.arg); return true;
    case Op::BEGIN_FINALLY: m.push_kind(Kind::kNull); return true;
    default: return false;
  }
}

namespace {

// Into the variables of the slots.
void unpack(Machine& m, const Instruction& insn) {
  const bool starred = insn.op == Op::UNPACK_EX;
  const std::size_t before = starred ? insn.arg & 0xFFU : insn.arg;
  const std::size_t n = starred ? before + 1 + (insn.arg >> 8U) : before;
  Entry e = m.pop();
  ExprIds targets;
  for (std::size_t i = 0; i < n; ++i) {
    const ExprId target = m.name(m.slot(m.size() + n - 1 - i));
    targets.push_back(starred && i == before ? m.make(ast::Starred{target}) : target);
  }
  m.emit(ast::Assign{{m.make(ast::Tuple{targets})}, e.expr});
  for (std::size_t i = 0; i < n; ++i) m.push_var();
  m.clear({e});
}

}  // namespace

// Values that the lifter has no expression for.
bool value_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::UNPACK_SEQUENCE:
    case Op::UNPACK_EX: unpack(m, insn); return true;
    case Op::LOAD_SUPER_ATTR:
    case Op::LOAD_SUPER_METHOD: {
      m.flush();  // operands with effects
      auto e = m.pop(3);
      // what is not super() itself is called as it was written (LOAD_SUPER_ATTR of bytecodes.c)
      const ExprId is_super = m.is_not(e[0].expr, m.builtin("super"), false);
      const ExprId is_class = m.builtin_call("isinstance", {e[1].expr, m.builtin("type")});
      const ExprId test = m.make(ast::BoolOp{ast::BoolOperator::kAnd, {is_super, is_class}});
      const ExprId super = m.make(ast::IfExp{test, m.call(e[0].expr, {e[1].expr, e[2].expr}), m.call(e[0].expr, {})});
      m.push(m.make(ast::Attribute{super, m.unmangle(m.co.names[insn.arg])}), e);
      if (insn.op == Op::LOAD_SUPER_METHOD) m.push_kind(Kind::kNull);
      return true;
    }
    case Op::BUILD_CONST_KEY_MAP: {  // of keys that only running tells
      m.flush();                     // operands with effects
      auto e = m.pop(insn.arg + 1);
      ExprIds values;
      for (std::size_t i = 0; i < insn.arg; ++i) values.push_back(e[i].expr);
      m.push(m.builtin_call("dict", {m.builtin_call("zip", {e.back().expr, m.make(ast::Tuple{std::move(values)})})}),
             e);
      return true;
    }
    case Op::BUILD_SLICE: {
      auto e = m.pop(insn.arg);
      ExprIds args;
      for (const auto& part : e) args.push_back(part.expr);
      m.push(m.builtin_call("slice", args), e);
      return true;
    }
    case Op::LIST_TO_TUPLE: {
      Entry e = m.pop();
      m.push(m.call(m.from_builtins("tuple"), {e.expr}), {e});
      return true;
    }
    case Op::CONVERT_VALUE: {
      Entry e = m.pop();
      const bool is_str = (insn.arg & 3U) == 1;  // str() would call __init__ of a subclass
      m.push(is_str ? m.make(ast::JoinedStr{{m.make(ast::FormattedValue{e.expr, 's', {}})}})
                    : m.call(m.from_builtins((insn.arg & 3U) == 2 ? "repr" : "ascii"), {e.expr}),
             {e});
      return true;
    }
    // 3.14 t-strings: by the classes they are made of, since a literal would hold its own text of each expression.
    // Their types are those of other ones: nothing needs importing.
    case Op::BUILD_INTERPOLATION: {
      const bool has_spec = (insn.arg & 1U) != 0;
      auto e = m.pop(has_spec ? 3 : 2);
      constexpr std::string_view kConversions[] = {"", "s", "r", "a"};
      const auto which = kConversions[(insn.arg >> 2U) & 3U];
      const ExprIds args{e[0].expr, e[1].expr, which.empty() ? m.none() : m.text(which),
                         has_spec ? e[2].expr : m.text("")};
      const ExprId one = m.make(ast::TemplateStr{{m.make(ast::Interpolation{m.number(0), "0", 0, {}})}});
      const ExprId first = m.make(ast::Subscript{m.attribute(one, "interpolations"), m.number(0)});
      m.push(m.call(m.builtin_call("type", {first}), args), e);
      return true;
    }
    case Op::BUILD_TEMPLATE: {  // strings and interpolations in turn; adjacent strings become one
      auto e = m.pop(2);
      const ExprId all = m.make(ast::Tuple{{m.make(ast::Starred{e[1].expr}), m.text("")}});
      const ExprId turns = m.builtin_call("zip", {e[0].expr, all});
      const ExprId parts = m.make(ast::Starred{m.builtin_call("sum", {turns, m.make(ast::Tuple{})})});
      m.push(m.call(m.builtin_call("type", {m.make(ast::TemplateStr{})}), {parts}), e);
      return true;
    }
    default: return false;
  }
}

namespace {

// Only running tells how many of the arguments have a name: f(*all[:n], **dict(zip(names, all[n:]))).
void invoke_with_names(Machine& m, std::uint32_t argc, bool two_slots) {
  m.flush();
  const Entry names = m.pop();
  const std::size_t base = m.size() - argc - (two_slots ? 2 : 1);
  const bool self = two_slots && m.state.stack[base].kind != Kind::kNull && m.state.stack[base + 1].kind != Kind::kNull;
  const std::uint32_t count = argc + (self ? 1 : 0);
  auto used = m.pop(count);
  ast::Tuple all;
  for (const auto& e : used) all.elts.push_back(e.expr);
  const ExprId all_arguments = m.make(std::move(all));
  const ExprId plain =
      m.make(ast::BinOp{m.number(count), ast::BinaryOperator::kSubtract, m.builtin_call("len", {names.expr})});
  const auto part = [&](ExprId from, ExprId to) {
    return m.make(ast::Subscript{all_arguments, m.make(ast::Slice{from, to, {}})});
  };
  if (two_slots && !self && m.top().kind == Kind::kNull) m.state.stack.pop_back();
  const Entry target = m.pop();
  if (m.size() > base) m.state.stack.pop_back();
  ast::Call c;
  c.func = target.expr;
  c.args = {m.make(ast::Starred{part({}, plain)})};
  c.keywords = {{NameId{}, m.builtin_call("dict", {m.builtin_call("zip", {names.expr, part(plain, {})})})}};
  used.insert(used.end(), {target, names});
  m.push(m.make(std::move(c)), used);
}

}  // namespace

bool call_op(Machine& m, const Instruction& insn) {
  const bool two_slots = insn.op == Op::CALL || insn.op == Op::CALL_KW;
  switch (insn.op) {
    case Op::CALL:
    case Op::CALL_FUNCTION: {
      const auto is_exit = [&](std::size_t n) {
        return m.top(n).kind == Kind::kWithExit || m.top(n).kind == Kind::kRealExit;
      };
      if (!is_exit(insn.arg + 1) && !(two_slots && is_exit(insn.arg + 2))) return false;
      leave_context(m, insn.arg, two_slots);
      return true;
    }
    case Op::CALL_KW:
    case Op::CALL_FUNCTION_KW: invoke_with_names(m, insn.arg, two_slots); return true;
    default: return false;
  }
}

bool import_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::IMPORT_NAME: {
      auto e = m.pop(2);
      ExprIds args{m.text(m.unit.ast.text(m.unmangle(m.co.names[insn.arg]))), m.builtin_call("globals", {}), m.none(),
                   e[1].expr, e[0].expr};
      m.push(m.builtin_call("__import__", args), e);
      return true;
    }
    case Op::IMPORT_FROM: {
      m.flush();
      const ExprId module = m.name(m.slot(m.size() - 1));
      m.push(m.make(ast::Attribute{module, m.unmangle(m.co.names[insn.arg])}));
      return true;
    }
    case Op::IMPORT_STAR: {  // into the namespace of a module: import_all_from() of ceval.c
      Entry e = m.pop();
      m.emit(ast::ExprStmt{e.expr}, {e});
      return true;
    }
    case Op::PRINT_EXPR: {  // what the interactive interpreter does with a value
      Entry e = m.pop();
      const ExprId sys = m.builtin_call("__import__", {m.text("sys")});
      m.emit(ast::ExprStmt{m.call(m.attribute(sys, "displayhook"), {e.expr})}, {e});
      return true;
    }
    default: return false;
  }
}

}  // namespace depyf::fallback
