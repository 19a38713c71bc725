// SPDX-License-Identifier: MIT
// Lifts loads of constants and of variables. In a class body or annotation scope, LOAD_LOCALS and a LOAD_FROM_DICT_OR_…
// form one look-up of a name (compiler_nameop in Python/compile.c).
#include <array>

#include "lift/families.h"

namespace depyf::lift {

ExprId constant_expr(Unit& unit, ConstId value, ast::Origin origin) {
  return unit.ast.expr(ast::ConstantExpr{value}, origin);
}

namespace {

// Lifts LOAD_LOCALS in a class body: for the look-up that follows, or stored as __classdict__ for annotation scopes.
void load_locals(Machine& m) {
  const auto* next = m.peek();
  if (next != nullptr && (next->op == Op::LOAD_FROM_DICT_OR_DEREF || next->op == Op::LOAD_FROM_DICT_OR_GLOBALS)) {
    ++m.at;
    m.push_expr(m.name_expr(next->op == Op::LOAD_FROM_DICT_OR_DEREF ? m.lifter.derefs()[next->arg]
                                                                    : m.lifter.names[next->arg]));
  } else {  // src/finish removes `__classdict__ = locals()`
    const bool saved = next != nullptr && next->op == Op::STORE_DEREF &&
                       m.unit.ast.text(*m.lifter.stored_name(*next)) == "__classdict__";
    m.push_expr(m.make(ast::Call{saved ? m.name_expr(m.unit.ast.intern("locals")) : builtin(m, "locals"), {}, {}}));
  }
}

// Pops the namespace of a name look-up in an annotation scope; refuses the line unless it is the class's __classdict__.
void pop_namespace(Machine& m) {
  Value v = m.pop();
  if (!is_name(m, as_expr(m, v), "__classdict__")) m.refuse("a look-up in a namespace of its own");
}

void load_common(Machine& m, CommonConstant which) {
  static constexpr std::array<std::string_view, 7> kNames{
      "AssertionError", "NotImplementedError", "tuple", "all", "any", "list", "set"};
  switch (which) {
    case CommonConstant::kAssertionError:
    case CommonConstant::kNotImplementedError:
    case CommonConstant::kTuple:
    case CommonConstant::kAll:
    case CommonConstant::kAny:
    case CommonConstant::kList:
    case CommonConstant::kSet: {
      const auto name = kNames[static_cast<std::size_t>(which)];
      const bool is_error = which < CommonConstant::kTuple;
      m.push_expr(m.literal == nullptr ? m.name_expr(m.unit.ast.intern(name))
                  : is_error           ? m.literal->builtin(name)
                                       : m.literal->builtin_object(name));
      if (which == CommonConstant::kAssertionError) m.unit.assertion_errors.insert(m.top().expr.n);
      return;
    }
    case CommonConstant::kNone: return m.push_expr(m.make(ast::NoneLiteral{}));
    case CommonConstant::kEmptyStr: return m.push_expr(m.make(ast::StrLiteral{}));
    case CommonConstant::kTrue: return m.push_expr(m.make(ast::Verbatim{"True"}));
    case CommonConstant::kFalse: return m.push_expr(m.make(ast::Verbatim{"False"}));
    case CommonConstant::kMinusOne: return m.push_expr(m.make(ast::IntLiteral{-1}));
  }
}

}  // namespace

void name_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::LOAD_CONST: m.push_expr(constant_expr(m.unit, m.co.consts[insn.arg], m.origin)); return;
    case Op::LOAD_SMALL_INT: m.push_expr(m.make(ast::IntLiteral{insn.arg})); return;
    case Op::LOAD_COMMON_CONSTANT: load_common(m, static_cast<CommonConstant>(insn.arg)); return;
    case Op::LOAD_FAST:
      if (load_hidden(m, m.lifter.locals[insn.arg])) return;
      m.push_expr(m.name_expr(m.lifter.locals[insn.arg]));
      if (m.literal == nullptr && m.lifter.locals[insn.arg] == m.lifter.argument)
        m.top().kind = ValueKind::kIter;  // .0, the argument of a comprehension's function
      return;
    case Op::LOAD_NAME:
    case Op::LOAD_GLOBAL: {
      const bool mark = annotation_mark(m, m.lifter.names[insn.arg]);
      if (!mark) m.push_expr(m.name_expr(m.lifter.names[insn.arg]));
      // 3.8: `assert` loads it like this. So does `raise AssertionError` in a function; elsewhere that is LOAD_NAME.
      if (!mark && insn.op == Op::LOAD_GLOBAL && m.unit.dialect.assert_loads_global &&
          m.co.names[insn.arg] == "AssertionError")
        m.unit.assertion_errors.insert(m.top().expr.n);
      return;
    }
    case Op::LOAD_DEREF:
    case Op::LOAD_CLASSDEREF: {
      if (load_hidden(m, m.lifter.derefs()[insn.arg])) return;
      if (!annotation_mark(m, m.lifter.derefs()[insn.arg])) m.push_expr(m.name_expr(m.lifter.derefs()[insn.arg]));
      return;
    }
    case Op::LOAD_FROM_DICT_OR_DEREF:
      pop_namespace(m);
      if (load_hidden(m, m.lifter.derefs()[insn.arg])) return;
      m.push_expr(m.name_expr(m.lifter.derefs()[insn.arg]));
      return;
    case Op::LOAD_FROM_DICT_OR_GLOBALS:
      pop_namespace(m);
      m.push_expr(m.name_expr(m.lifter.names[insn.arg]));
      return;
    case Op::LOAD_LOCALS: return load_locals(m);
    case Op::LOAD_CLOSURE: return m.push({.kind = ValueKind::kCell, .name = m.lifter.derefs()[insn.arg]});
    case Op::LOAD_FAST_AND_CLEAR:
      m.lifter.cleared.insert(m.lifter.locals[insn.arg].n);
      return m.push({.kind = ValueKind::kCleared, .b = insn.flags, .name = m.lifter.locals[insn.arg]});
    default: return;
  }
}

}  // namespace depyf::lift
