// SPDX-License-Identifier: MIT
// 3.12+: type parameters, and the scopes that hold them (PEP 695, PEP 696).
//
// What has type parameters is made in a function of its own, `<generic parameters of X>`, that is called at once
// (codegen_function, codegen_class, codegen_typealias in Python/codegen.c): it makes the parameters, stores each under
// its name, then makes the function, class or alias. Here that function's text becomes one statement, and its call the
// thing itself. Bounds, defaults and the values of aliases are read from the functions that evaluate them. Whatever does
// not have the compiler's shape is left to the dispatch loop, which takes every step literally.
#include "lift/annotations.h"
#include "lift/lift.h"

namespace depyf::lift {

bool Lifter::is_hidden(NameId name, std::string_view hidden) const {
  const auto text = unit_.ast.text(name);
  return text.starts_with(unit_.options.temp_prefix) &&
         text.substr(unit_.options.temp_prefix.size()) == "arg" + std::string(hidden.substr(1));
}

// LOAD .type_params, LOAD .generic_base: what was stored there before.
bool Lifter::load_hidden(NameId name) {
  if (!is_generic_scope() || literal_ != nullptr) return false;
  Value v;
  if (is_hidden(name, ".generic_base")) {
    v.kind = ValueKind::kGenericBase;
  } else if (is_hidden(name, ".type_params")) {
    v.kind = ValueKind::kTypeParams;
  } else {
    return false;
  }
  push(v);
  return true;
}

// COPY 1; STORE T: the parameter itself is said where it is declared.
bool Lifter::store_hidden(NameId name, const Value& value) {
  if (!is_generic_scope()) return false;
  switch (value.kind) {
    case ValueKind::kTypeParam: return params_.at(value.a).name == name;
    case ValueKind::kTypeParams: return is_hidden(name, ".type_params");
    case ValueKind::kGenericBase: return is_hidden(name, ".generic_base");
    default: return false;
  }
}

// The value that an evaluator gives; invalid if it does more, or needs more, than give it.
ExprId Lifter::evaluated(const Value& v) const {
  if (v.kind != ValueKind::kFunction) return {};
  const auto& f = s_->functions[v.a];
  const auto& co = unit_.code.codes[f.code];
  if (co.kwonlyargcount != 0 || (co.flags & (kCoVarArgs | kCoVarKeywords)) != 0 || !f.kwdefaults.empty()) return {};
  if (co.argcount != (unit_.dialect.deferred_annotations ? 1U : 0U) || f.defaults.size() != co.argcount) return {};
  return unit_.with_star(unit_.bodies[f.code.n].expr);
}

bool Lifter::is_evaluator() const {
  return co_.argcount == 0 || (unit_.dialect.deferred_annotations && co_.argcount == 1 && co_.posonlyargcount == 1);
}

// `*args: *Ts`, and the default of `*Ts = *D`: the value, then UNPACK_SEQUENCE 1 with no store after it
// (codegen_visit_annotation, codegen_type_param_bound_or_default). Where no star is allowed, it is `(*D,)[0]`.
bool Lifter::starred_annotation(const Instruction& insn) {
  const auto* next = peek();
  if (insn.op != Op::UNPACK_SEQUENCE || insn.arg != 1 || next == nullptr ||
      !unit_.dialect.unparenthesised_star_subscript || top().kind != ValueKind::kExpr)
    return false;
  bool mine = false;
  if (next->op == Op::RETURN_VALUE) {
    mine = unit_.dialect.type_parameters && is_evaluator() && s_->stmts.empty();
  } else if (next->op == Op::LOAD_CONST || next->op == Op::BUILD_TUPLE || next->op == Op::BUILD_MAP) {
    mine = is_annotate(unit_, code_);
    for (std::size_t i = 1; !mine && !unit_.dialect.deferred_annotations && peek(i) != nullptr; ++i) {
      if (plain_target(*peek(i)) || peek(i)->op == Op::UNPACK_SEQUENCE) break;
      mine = peek(i)->op == Op::MAKE_FUNCTION;
    }
  }
  if (!mine) return false;
  const ExprId value = pop_expr();
  const ExprId all = make(ast::Tuple{{make(ast::Starred{value})}});
  push_expr(make(ast::Subscript{all, make(ast::IntLiteral{0})}));
  unit_.starred[top().expr.n] = value;
  return true;
}

// LOAD_CONST 'T'; CALL_INTRINSIC_1
bool Lifter::make_type_param(Intrinsic1 which) {
  if (!has(1) || !is_generic_scope() || literal_ != nullptr) return false;
  const Value v = pop();
  const auto* c = v.kind == ValueKind::kExpr ? constant_of(v.expr) : nullptr;
  const auto* s = c != nullptr ? std::get_if<ConstStr>(c) : nullptr;
  if (s == nullptr) return false;
  ast::TypeParam p;
  p.name = unmangle(s->text);
  if (which == Intrinsic1::INTRINSIC_PARAMSPEC) p.kind = ast::TypeParam::Kind::kParamSpec;
  if (which == Intrinsic1::INTRINSIC_TYPEVARTUPLE) p.kind = ast::TypeParam::Kind::kTypeVarTuple;
  params_[insn_->offset] = p;
  Value out;
  out.kind = ValueKind::kTypeParam;
  out.a = insn_->offset;
  push(out);
  return true;
}

// LOAD_CONST 'T'; evaluator; CALL_INTRINSIC_2 TYPEVAR_WITH_BOUND: constraints are a tuple as a bound is
bool Lifter::bound_type_param(bool is_default) {
  if (!has(2)) return false;
  const ExprId value = evaluated(pop());
  if (!value.valid()) return false;
  if (is_default) {
    if (top().kind != ValueKind::kTypeParam) return false;
    params_.at(top().a).default_ = value;
    return true;
  }
  if (!make_type_param(Intrinsic1::INTRINSIC_TYPEVAR)) return false;
  params_.at(top().a).bound = value;
  return true;
}

// All parameters, in order: the only tuple of them that there is.
bool Lifter::params_tuple(std::uint32_t n) {
  if (n != params_.size()) return false;
  std::uint32_t at = n;
  for (const auto& [offset, p] : params_)
    if (const Value& v = top(at--); v.kind != ValueKind::kTypeParam || v.a != offset) return false;
  for (std::uint32_t i = 0; i < n; ++i) pop();
  push_kind(ValueKind::kTypeParams);
  return true;
}

std::vector<ast::TypeParam> Lifter::all_params() const {
  std::vector<ast::TypeParam> out;
  for (const auto& [offset, p] : params_) out.push_back(p);
  return out;
}

// 'A'; None, or the tuple of parameters; evaluator; BUILD_TUPLE 3; CALL_INTRINSIC_1 TYPEALIAS
bool Lifter::type_alias() {
  const Value evaluator = pop(), params = pop(), name = pop();
  const auto* c = name.kind == ValueKind::kExpr ? constant_of(name.expr) : nullptr;
  const auto* s = c != nullptr ? std::get_if<ConstStr>(c) : nullptr;
  if (s == nullptr || !evaluated(evaluator).valid()) return false;
  auto& f = s_->functions[evaluator.a];
  if (unit_.code.codes[f.code].name != s->text) return false;
  if (params.kind == ValueKind::kTypeParams)
    f.type_params = all_params();
  else if (!is_none(params))
    return false;
  f.is_alias = true;
  push(evaluator);
  ++at_;
  return true;
}

// The call of a scope of type parameters, with the defaults of the function that it makes.
bool Lifter::generic_call(const Value& callee, const Values& args) {
  if (callee.kind != ValueKind::kFunction) return false;
  const auto& made = unit_.bodies[s_->functions[callee.a].code.n].generic;
  if (!made) return false;
  FunctionValue f = *made;
  if (args.size() != (f.defaults_outside ? 1U : 0U) + (f.kwdefaults_outside ? 1U : 0U)) return false;
  f.offset = insn_->offset;
  std::size_t at = 0;
  if (f.defaults_outside) set_attribute(f, 1, args[at++]);
  if (f.kwdefaults_outside) set_attribute(f, 2, args[at]);
  f.defaults_outside = f.kwdefaults_outside = false;
  push_function(std::move(f));
  return true;
}

Result<bool> Lifter::type_op(const Instruction& insn) {
  const auto other = [&] {
    return Error{Errc::kInternal, insn.offset, "type parameters in a form that the compiler does not use"};
  };
  if (insn.op == Op::CALL_INTRINSIC_1) {
    const auto which = static_cast<Intrinsic1>(insn.arg);
    switch (which) {
      case Intrinsic1::INTRINSIC_TYPEVAR:
      case Intrinsic1::INTRINSIC_PARAMSPEC:
      case Intrinsic1::INTRINSIC_TYPEVARTUPLE:
        if (!make_type_param(which)) return other();
        return true;
      case Intrinsic1::INTRINSIC_SUBSCRIPT_GENERIC:
        if (!has(1) || top().kind != ValueKind::kTypeParams) return other();
        pop();
        push_kind(ValueKind::kGenericBase);
        return true;
      default: return other();
    }
  }
  if (insn.op != Op::CALL_INTRINSIC_2) return false;
  switch (static_cast<Intrinsic2>(insn.arg)) {
    case Intrinsic2::INTRINSIC_TYPEVAR_WITH_BOUND:
    case Intrinsic2::INTRINSIC_TYPEVAR_WITH_CONSTRAINTS:
      if (!bound_type_param(false)) return other();
      return true;
    case Intrinsic2::INTRINSIC_SET_TYPEPARAM_DEFAULT:
      if (!bound_type_param(true)) return other();
      return true;
    case Intrinsic2::INTRINSIC_SET_FUNCTION_TYPE_PARAMS: {
      if (!has(2) || top().kind != ValueKind::kTypeParams || top(2).kind != ValueKind::kFunction) return other();
      pop();
      s_->functions[top().a].type_params = all_params();
      return true;
    }
    default: return other();
  }
}

}  // namespace depyf::lift
