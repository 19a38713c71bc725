// SPDX-License-Identifier: MIT
// Translates COPY and SWAP of slots' variables, imports as plain values, and instructions that have no effect here.
#include <algorithm>

#include "fallback/families.h"

namespace depyf::fallback {

namespace {

// Pushes a copy of the n-th entry from the top; a pending one is stored first.
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

// Swaps the top and the n-th entry from the top: their variables, for those that are in one.
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
    m.add(m.set(m.make(ast::Tuple{{m.name(a), m.name(b)}}), m.make(ast::Tuple{{m.name(b), m.name(a)}})));
  else if (!fixed_low || !fixed_high)
    m.assign(fixed_low ? a : b, m.name(fixed_low ? b : a));
  std::swap(m.state.stack[low], m.state.stack[high]);
  Entry vacated;
  if (fixed_low != fixed_high) {
    vacated.uses = {fixed_low ? b : a};
    m.clear({vacated});
  }
}

}  // namespace

bool value_op(Machine& m, const Instruction& insn) {
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
    case Op::POP_ITER:
    case Op::END_FOR:
      for (auto n = effect(m.unit.dialect.version, insn, false).pops; n > 0; --n) m.drop();
      return true;
    case Op::COPY: copy(m, insn.arg); return true;
    case Op::SWAP: swap(m, insn.arg); return true;
    case Op::BEGIN_FINALLY: m.push_kind(Kind::kNull); return true;
    case Op::IMPORT_NAME: {
      auto e = m.pop(2);
      ExprIds args{m.text(m.unit.ast.text(m.unmangle(m.co.names[insn.arg]))), m.builtin_call("globals", {}), m.none(),
                   e[1].expr, e[0].expr};
      m.push(m.builtin_call("__import__", args), e);
      return true;
    }
    case Op::IMPORT_FROM: {
      m.flush();
      const ExprId module = m.slot_var();
      m.push(m.make(ast::Attribute{module, m.unmangle(m.co.names[insn.arg])}));
      return true;
    }
    case Op::PRINT_EXPR: {  // calls sys.displayhook(), as the interpreter does
      Entry e = m.pop();
      const ExprId sys = m.builtin_call("__import__", {m.text("sys")});
      m.emit(ast::ExprStmt{m.invoke(sys, "displayhook", {e.expr})}, {e});
      return true;
    }
    default: return false;
  }
}

}  // namespace depyf::fallback
