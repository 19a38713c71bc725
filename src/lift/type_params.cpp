// SPDX-License-Identifier: MIT
// 3.12+: type parameters, and the scopes that hold them (PEP 695, PEP 696).
//
// What has type parameters is made in a function of its own, `<generic parameters of X>`, that is called at once
// (codegen_function, codegen_class, codegen_typealias in Python/codegen.c): it makes the parameters, stores each under
// its name, then makes the function, class or alias. Here that function's text becomes one statement, and its call the
// thing itself. Bounds, defaults and the values of aliases are read from the functions that evaluate them. Whatever does
// not have the compiler's shape is left to the dispatch loop, which takes every step literally.
#include "lift/annotations.h"
#include "lift/families.h"

namespace depyf::lift {

bool is_hidden(const Machine& m, NameId name, std::string_view hidden) {
  const auto text = m.unit.ast.text(name);
  return text.starts_with(m.unit.options.temp_prefix) &&
         text.substr(m.unit.options.temp_prefix.size()) == "arg" + std::string(hidden.substr(1));
}

// LOAD .type_params, LOAD .generic_base: what was stored there before.
bool load_hidden(Machine& m, NameId name) {
  if (!is_generic_scope(m) || m.literal != nullptr) return false;
  const bool is_base = is_hidden(m, name, ".generic_base");
  if (!is_base && !is_hidden(m, name, ".type_params")) return false;
  m.push({.kind = is_base ? ValueKind::kGenericBase : ValueKind::kTypeParams});
  return true;
}

// COPY 1; STORE T: the parameter itself is said where it is declared.
bool store_hidden(Machine& m, NameId name, const Value& value) {
  if (!is_generic_scope(m)) return false;
  switch (value.kind) {
    case ValueKind::kTypeParam: return m.lifter.params.at(value.a).name == name;
    case ValueKind::kTypeParams: return is_hidden(m, name, ".type_params");
    case ValueKind::kGenericBase: return is_hidden(m, name, ".generic_base");
    default: return false;
  }
}

namespace {

// The value that an evaluator gives; invalid if it does more, or needs more, than give it.
ExprId evaluated(Machine& m, const Value& v) {
  if (v.kind != ValueKind::kFunction) return {};
  const auto& f = m.state.functions[v.a];
  const auto& co = m.unit.code.codes[f.code];
  if (co.kwonlyargcount != 0 || (co.flags & (kCoVarArgs | kCoVarKeywords)) != 0 || !f.kwdefaults.empty()) return {};
  if (co.argcount != (m.unit.dialect.deferred_annotations ? 1U : 0U) || f.defaults.size() != co.argcount) return {};
  auto& body = m.unit.bodies[f.code.n];
  body.is_evaluator = true;
  return body.expr;
}

bool is_evaluator(const Machine& m) {
  return m.co.argcount == 0 || (m.unit.dialect.deferred_annotations && m.co.argcount == 1 && m.co.posonlyargcount == 1);
}

}  // namespace

// `*args: *Ts`, and the default of `*Ts = *D`: the value, then UNPACK_SEQUENCE 1 with no store after it
// (codegen_visit_annotation, codegen_type_param_bound_or_default). Where no star is allowed, it is `(*D,)[0]`.
bool starred_annotation(Machine& m, const Instruction& insn) {
  const auto* next = m.peek();
  if (insn.op != Op::UNPACK_SEQUENCE || insn.arg != 1 || next == nullptr ||
      !m.unit.dialect.unparenthesised_star_subscript || m.top().kind != ValueKind::kExpr)
    return false;
  bool mine = false;
  if (next->op == Op::RETURN_VALUE) {
    mine = m.unit.dialect.type_parameters && is_evaluator(m) && m.state.stmts.empty();
  } else if (next->op == Op::LOAD_CONST || next->op == Op::BUILD_TUPLE || next->op == Op::BUILD_MAP) {
    mine = is_annotate(m.unit, m.code);
    for (std::size_t i = 1; !mine && !m.unit.dialect.deferred_annotations && m.peek(i) != nullptr; ++i) {
      if (m.lifter.stored_name(*m.peek(i)) || m.peek(i)->op == Op::UNPACK_SEQUENCE) break;
      mine = m.peek(i)->op == Op::MAKE_FUNCTION;
    }
  }
  if (!mine) return false;
  const ExprId value = m.pop_expr();
  const ExprId all = m.make(ast::Tuple{{m.make(ast::Starred{value})}});
  m.push_expr(m.make(ast::Subscript{all, m.make(ast::IntLiteral{0})}));
  m.unit.starred[m.top().expr.n] = value;
  return true;
}

namespace {

// LOAD_CONST 'T'; CALL_INTRINSIC_1
bool make_type_param(Machine& m, Intrinsic1 which) {
  if (!m.has(1) || !is_generic_scope(m) || m.literal != nullptr) return false;
  const Value v = m.pop();
  const auto* s = m.constant_of<ConstStr>(v);
  if (s == nullptr) return false;
  ast::TypeParam p;
  p.name = m.unit.unmangled(m.code, s->text);
  if (which == Intrinsic1::INTRINSIC_PARAMSPEC) p.kind = ast::TypeParam::Kind::kParamSpec;
  if (which == Intrinsic1::INTRINSIC_TYPEVARTUPLE) p.kind = ast::TypeParam::Kind::kTypeVarTuple;
  m.lifter.params[m.insn->offset] = p;
  m.push({.kind = ValueKind::kTypeParam, .a = m.insn->offset});
  return true;
}

// LOAD_CONST 'T'; evaluator; CALL_INTRINSIC_2 TYPEVAR_WITH_BOUND: constraints are a tuple as a bound is
bool bound_type_param(Machine& m, bool is_default) {
  if (!m.has(2)) return false;
  const ExprId value = evaluated(m, m.pop());
  if (!value.valid()) return false;
  if (is_default) {
    if (m.top().kind != ValueKind::kTypeParam) return false;
    auto& parameter = m.lifter.params.at(m.top().a);
    const bool may_be_starred = parameter.kind == ast::TypeParam::Kind::kTypeVarTuple;
    parameter.default_ = may_be_starred ? m.unit.with_star(value) : value;
    return true;
  }
  if (!make_type_param(m, Intrinsic1::INTRINSIC_TYPEVAR)) return false;
  m.lifter.params.at(m.top().a).bound = value;
  return true;
}

}  // namespace

// All parameters, in order: the only tuple of them that there is.
bool params_tuple(Machine& m, std::uint32_t n) {
  if (n != m.lifter.params.size()) return false;
  std::uint32_t at = n;
  for (const auto& [offset, p] : m.lifter.params)
    if (const Value& v = m.top(at--); v.kind != ValueKind::kTypeParam || v.a != offset) return false;
  for (std::uint32_t i = 0; i < n; ++i) m.pop();
  m.push({.kind = ValueKind::kTypeParams});
  return true;
}

std::vector<ast::TypeParam> all_params(const Machine& m) {
  std::vector<ast::TypeParam> out;
  for (const auto& [offset, p] : m.lifter.params) out.push_back(p);
  return out;
}

// 'A'; None, or the tuple of parameters; evaluator; BUILD_TUPLE 3; CALL_INTRINSIC_1 TYPEALIAS
bool type_alias(Machine& m) {
  const Value evaluator = m.pop(), params = m.pop(), name = m.pop();
  const auto* s = m.constant_of<ConstStr>(name);
  if (s == nullptr || !evaluated(m, evaluator).valid()) return false;
  auto& f = m.state.functions[evaluator.a];
  if (m.unit.code.codes[f.code].name != s->text) return false;
  if (params.kind == ValueKind::kTypeParams)
    f.type_params = all_params(m);
  else if (!is_none(m, params))
    return false;
  f.is_alias = true;
  m.push(evaluator);
  ++m.at;
  return true;
}

// The call of a scope of type parameters, with the defaults of the function that it makes.
bool generic_call(Machine& m, const Value& callee, const Values& args) {
  if (callee.kind != ValueKind::kFunction) return false;
  const auto& made = m.unit.bodies[m.state.functions[callee.a].code.n].generic;
  if (!made) return false;
  FunctionValue f = *made;
  if (args.size() != (f.defaults_outside ? 1U : 0U) + (f.kwdefaults_outside ? 1U : 0U)) return false;
  f.offset = m.insn->offset;
  std::size_t at = 0;
  if (f.defaults_outside) set_attribute(m, f, 1, args[at++]);
  if (f.kwdefaults_outside) set_attribute(m, f, 2, args[at]);
  f.defaults_outside = f.kwdefaults_outside = false;
  push_function(m, std::move(f));
  return true;
}

void type_op(Machine& m, const Instruction& insn) {
  const auto other = [&] {
    return m.fail(Errc::kInternal, "type parameters in a form that the compiler does not use");
  };
  if (insn.op == Op::CALL_INTRINSIC_1) {
    const auto which = static_cast<Intrinsic1>(insn.arg);
    switch (which) {
      case Intrinsic1::INTRINSIC_TYPEVAR:
      case Intrinsic1::INTRINSIC_PARAMSPEC:
      case Intrinsic1::INTRINSIC_TYPEVARTUPLE:
        if (!make_type_param(m, which)) return other();
        return;
      case Intrinsic1::INTRINSIC_SUBSCRIPT_GENERIC:
        if (!m.has(1) || m.top().kind != ValueKind::kTypeParams) return other();
        m.pop();
        m.push({.kind = ValueKind::kGenericBase});
        return;
      default: return other();
    }
  }
  if (insn.op != Op::CALL_INTRINSIC_2) return;
  switch (static_cast<Intrinsic2>(insn.arg)) {
    case Intrinsic2::INTRINSIC_TYPEVAR_WITH_BOUND:
    case Intrinsic2::INTRINSIC_TYPEVAR_WITH_CONSTRAINTS:
      if (!bound_type_param(m, false)) return other();
      return;
    case Intrinsic2::INTRINSIC_SET_TYPEPARAM_DEFAULT:
      if (!bound_type_param(m, true)) return other();
      return;
    case Intrinsic2::INTRINSIC_SET_FUNCTION_TYPE_PARAMS: {
      if (!m.has(2) || m.top().kind != ValueKind::kTypeParams || m.top(2).kind != ValueKind::kFunction) return other();
      m.pop();
      m.state.functions[m.top().a].type_params = all_params(m);
      return;
    }
    default: return other();
  }
}

}  // namespace depyf::lift
