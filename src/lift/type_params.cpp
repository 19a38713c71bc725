// SPDX-License-Identifier: MIT
// 3.12+: type parameters, and the scopes that hold them (PEP 695, PEP 696).
//
// The compiler makes a generic function, class or alias X in a function of its own, `<generic parameters of X>`, which
// is called at once (codegen_function, codegen_class, codegen_typealias in Python/codegen.c). It makes the parameters,
// stores each under its name, makes X, and returns it. Here its body becomes one statement (Body::generic), and the
// call becomes X itself. Bounds, defaults and the values of aliases are read from their evaluator functions. Code that
// does not have the compiler's form goes to the dispatch loop, which translates each instruction literally.
#include "lift/annotations.h"
#include "lift/families.h"

namespace depyf::lift {

// Returns whether `name` is the identifier that Unit::unmangled() makes of a compiler's variable such as ".defaults".
bool is_hidden(const Machine& m, NameId name, std::string_view hidden) {
  const auto text = m.unit.ast.text(name);
  return text.starts_with(m.unit.options.temp_prefix) &&
         text.substr(m.unit.options.temp_prefix.size()) == "arg" + std::string(hidden.substr(1));
}

// Recognizes the loads of .type_params and .generic_base, whose values store_hidden() has swallowed.
bool load_hidden(Machine& m, NameId name) {
  if (!is_generic_scope(m) || m.literal != nullptr) return false;
  const bool is_base = is_hidden(m, name, ".generic_base");
  if (!is_base && !is_hidden(m, name, ".type_params")) return false;
  m.push({.kind = is_base ? ValueKind::kGenericBase : ValueKind::kTypeParams});
  return true;
}

// Returns whether a store in a type parameter scope is implied by the parameter list, so that no statement is needed:
// COPY 1; STORE T of a parameter, and the stores of .type_params and .generic_base.
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

// Returns the expression that an evaluator function returns; an invalid id if it does more, or takes arguments.
ExprId evaluator_value(Machine& m, const Value& v) {
  if (v.kind != ValueKind::kFunction) return {};
  const auto& f = m.state.pending->functions[v.a];
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

// Recognizes the annotation in `*args: *Ts` and the default in `*Ts = *D`: UNPACK_SEQUENCE 1 of the value, without a
// store after it (codegen_visit_annotation, codegen_type_param_bound_or_default). Pushes `(*D,)[0]`, which
// Unit::with_star() turns into `*D` where the grammar allows that.
bool starred_annotation(Machine& m, const Instruction& insn) {
  const auto* next = m.peek();
  if (insn.op != Op::UNPACK_SEQUENCE || insn.arg != 1 || next == nullptr ||
      !m.unit.dialect.unparenthesised_star_subscript || m.top().kind != ValueKind::kExpr)
    return false;
  bool is_starred = false;
  if (next->op == Op::RETURN_VALUE) {
    is_starred = m.unit.dialect.type_parameters && is_evaluator(m) && m.state.stmts.empty();
  } else if ((next->op == Op::LOAD_CONST || next->op == Op::BUILD_TUPLE || next->op == Op::BUILD_MAP) && m.has(2) &&
             m.constant_of<ConstStr>(m.top(2)) != nullptr) {  // the name of the parameter
    is_starred = is_annotate(m.unit, m.code);
    for (std::size_t i = 1; !is_starred && !m.unit.dialect.deferred_annotations && m.peek(i) != nullptr; ++i) {
      if (m.lifter.stored_name(*m.peek(i)) || m.peek(i)->op == Op::UNPACK_SEQUENCE) break;
      is_starred = m.peek(i)->op == Op::MAKE_FUNCTION;
    }
  }
  if (!is_starred) return false;
  const ExprId value = m.pop_expr();
  const ExprId star_tuple = m.make(ast::Tuple{{m.make(ast::Starred{value})}});
  m.push_expr(m.make(ast::Subscript{star_tuple, m.make(ast::IntLiteral{0})}));
  m.unit.starred[m.top().expr.n] = value;
  return true;
}

namespace {

// Lifts LOAD_CONST 'T'; CALL_INTRINSIC_1, which makes a type parameter without a bound; false if 'T' is no string.
bool make_type_param(Machine& m, Intrinsic1 intrinsic) {
  if (!m.has(1) || !is_generic_scope(m) || m.literal != nullptr) return false;
  const Value v = m.pop();
  const auto* s = m.constant_of<ConstStr>(v);
  if (s == nullptr) return false;
  ast::TypeParam p;
  p.name = m.unit.unmangled(m.code, s->text);
  if (intrinsic == Intrinsic1::INTRINSIC_PARAMSPEC) p.kind = ast::TypeParam::Kind::kParamSpec;
  if (intrinsic == Intrinsic1::INTRINSIC_TYPEVARTUPLE) p.kind = ast::TypeParam::Kind::kTypeVarTuple;
  m.lifter.params[m.insn->offset] = p;
  m.push({.kind = ValueKind::kTypeParam, .a = m.insn->offset});
  return true;
}

// Lifts LOAD_CONST 'T'; evaluator; CALL_INTRINSIC_2 TYPEVAR_WITH_BOUND, or (`is_default`) a parameter; evaluator;
// CALL_INTRINSIC_2 SET_TYPEPARAM_DEFAULT. Constraints are a bound that is a tuple.
bool bound_type_param(Machine& m, bool is_default) {
  if (!m.has(2)) return false;
  const ExprId value = evaluator_value(m, m.pop());
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

// Lifts BUILD_TUPLE of type parameters: the only one that the compiler emits has all parameters of the scope, in order.
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

// Lifts LOAD_CONST 'A'; None or the tuple of type parameters; evaluator; BUILD_TUPLE 3; CALL_INTRINSIC_1 TYPEALIAS.
bool type_alias(Machine& m) {
  const Value evaluator = m.pop(), params = m.pop(), name = m.pop();
  const auto* s = m.constant_of<ConstStr>(name);
  if (s == nullptr || !evaluator_value(m, evaluator).valid()) return false;
  auto& f = m.state.pending->functions[evaluator.a];
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

// Recognizes the call of a type parameter scope and pushes the function that the scope makes. The arguments are that
// function's defaults, which are evaluated outside the scope.
bool generic_call(Machine& m, const Value& callee, const Values& args) {
  if (callee.kind != ValueKind::kFunction) return false;
  const auto& generic = m.unit.bodies[m.state.pending->functions[callee.a].code.n].generic;
  if (!generic) return false;
  FunctionValue f = *generic;
  if (args.size() != (f.outer_defaults ? 1U : 0U) + (f.outer_kwdefaults ? 1U : 0U)) return false;
  f.offset = m.insn->offset;
  std::size_t at = 0;
  if (f.outer_defaults) set_attribute(m, f, 1, args[at++]);
  if (f.outer_kwdefaults) set_attribute(m, f, 2, args[at]);
  f.outer_defaults = f.outer_kwdefaults = false;
  push_function(m, std::move(f));
  return true;
}

void type_op(Machine& m, const Instruction& insn) {
  const auto reject = [&] {
    return m.fail(Errc::kInternal, "type parameters in a form that the compiler does not use");
  };
  if (insn.op == Op::CALL_INTRINSIC_1) {
    const auto intrinsic = static_cast<Intrinsic1>(insn.arg);
    switch (intrinsic) {
      case Intrinsic1::INTRINSIC_TYPEVAR:
      case Intrinsic1::INTRINSIC_PARAMSPEC:
      case Intrinsic1::INTRINSIC_TYPEVARTUPLE:
        if (!make_type_param(m, intrinsic)) return reject();
        return;
      case Intrinsic1::INTRINSIC_SUBSCRIPT_GENERIC:
        if (!m.has(1) || m.top().kind != ValueKind::kTypeParams) return reject();
        m.pop();
        m.push({.kind = ValueKind::kGenericBase});
        return;
      default: return reject();
    }
  }
  if (insn.op != Op::CALL_INTRINSIC_2) return;
  switch (static_cast<Intrinsic2>(insn.arg)) {
    case Intrinsic2::INTRINSIC_TYPEVAR_WITH_BOUND:
    case Intrinsic2::INTRINSIC_TYPEVAR_WITH_CONSTRAINTS:
      if (!bound_type_param(m, false)) return reject();
      return;
    case Intrinsic2::INTRINSIC_SET_TYPEPARAM_DEFAULT:
      if (!bound_type_param(m, true)) return reject();
      return;
    case Intrinsic2::INTRINSIC_SET_FUNCTION_TYPE_PARAMS: {
      if (!m.has(2) || m.top().kind != ValueKind::kTypeParams || m.top(2).kind != ValueKind::kFunction) return reject();
      m.pop();
      m.state.pending->functions[m.top().a].type_params = all_params(m);
      return;
    }
    default: return reject();
  }
}

}  // namespace depyf::lift
