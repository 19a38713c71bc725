// SPDX-License-Identifier: MIT
// Translates the instructions of exception handlers. The exception handled at level n is the variable `e<n>` of the
// n-th except clause around the arm; a bare `raise` there is RERAISE, and changes neither context nor traceback.
#include <algorithm>

#include "fallback/families.h"

namespace depyf::fallback {

// Translates RERAISE. For an exception that is not the handled one, restores the context that `raise exc` overwrites.
void reraise(Machine& m, const Entry& exc) {
  if (exc.kind == Kind::kExc && exc.a == m.state.handled_level()) return m.add(m.raise());
  const NameId context = m.temp("c"), which = m.temp("r");
  m.assign(which, exc.expr);
  m.clear({exc});
  m.assign(context, m.attribute(m.name(which), "__context__"));
  ast::Try t;
  t.body = {m.raise(m.name(which))};
  t.finalbody = {m.set(m.attribute(m.name(which), "__context__"), m.name(context)),
                 m.stmt(ast::Assign{{m.name(which), m.name(context)}, m.none()})};
  m.emit_raw(std::move(t));
}

namespace {

// Emits the test whether an exception matches a type. Only an except clause has the semantics and the errors of one, so
// the exception is raised in a try statement that assigns the outcome to a variable.
void match_exception(Machine& m, const Entry& exc, Entry match) {
  const NameId result = m.slot(m.size());
  ast::Try t;
  const bool current = (exc.kind == Kind::kExc || exc.kind == Kind::kExcType) && exc.a == m.state.handled_level();
  ExprId thrown;
  if (!current) thrown = exc.kind == Kind::kExcType ? m.name(m.exception(exc.a)) : exc.expr;
  t.body = {m.raise(thrown)};
  t.handlers.push_back({match.expr, {}, {m.set(result, m.boolean(true))}});
  t.handlers.push_back({m.builtin("BaseException"), {}, {m.set(result, m.boolean(false))}});
  m.emit_raw(std::move(t));
  m.push_var();
  m.clear({match});
}

}  // namespace

bool exception_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::PUSH_EXC_INFO: {
      Entry exc = m.state.stack.back();
      const bool handled = exc.kind == Kind::kExc;
      if (!handled) return false;
      m.state.stack.pop_back();
      m.push_kind(Kind::kPrevious, exc.a);
      m.state.stack.push_back(exc);
      if (m.shared.matches_groups) m.assign(matched_group(m), m.none());
      return true;
    }
    case Op::CHECK_EXC_MATCH:
    case Op::EXC_MATCH: {
      Entry match = m.pop();
      m.push(match.expr, {match});
      m.flush();
      match = m.pop();
      Entry exc = m.top();
      if (exc.kind == Kind::kVar) exc.expr = m.slot_var();
      if (insn.op == Op::EXC_MATCH) m.state.stack.pop_back();
      match_exception(m, exc, match);
      return true;
    }
    case Op::CHECK_EG_MATCH: match_group(m); return true;
    case Op::PREP_RERAISE_STAR: prepare_reraise(m); return true;
    default: return false;
  }
}

}  // namespace depyf::fallback
