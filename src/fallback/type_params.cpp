// SPDX-License-Identifier: MIT
// Translates the intrinsics for type parameters, type aliases and generic bases (3.12+); cf. lift/type_params.cpp.
#include "ast/constants.h"
#include "fallback/families.h"

namespace depyf::fallback {

namespace {

// Makes a type parameter by a def statement that declares it, from whose __type_params__ it is read. typing.TypeVar()
// would evaluate bound and default at once, a declaration evaluates them lazily.
void type_parameter(Machine& m, ast::TypeParam parameter) {
  m.shared.type_params.push_back(parameter);
  ast::FunctionDef def;
  def.name = m.slot(m.size());
  def.type_params.push_back(std::move(parameter));
  def.body = {m.stmt(ast::Pass{})};
  m.emit(std::move(def));
  m.assign(m.slot(m.size()), m.subscript(m.attribute(m.slot_var(0), "__type_params__"), m.number(0)));
  m.push_var();
}

// INTRINSIC_TYPEALIAS: [(name, parameters, evaluator)] -> the alias, by a `type` statement, as only that is lazy.
// It makes new parameters, which are then assigned to their names, so that the evaluator sees them.
bool type_alias(Machine& m) {
  Entry e = m.pop();
  const auto* t = std::get_if<ast::Tuple>(&m.unit.ast.exprs[e.expr].node);
  if (t == nullptr || t->elts.size() != 3) return false;
  const auto elts = t->elts;
  const auto* name_text = m.constant_of<ConstStr>(elts[0]);
  if (name_text == nullptr) return false;
  const bool plain_alias = ast::is_none(m.unit.ast, m.unit.code, elts[1]);
  const NameId maker = m.temp("t"), evaluator = m.gen_name("b"), id = m.unmangle(name_text->text);
  const ExprIds format = m.unit.dialect.deferred_annotations ? ExprIds{m.number(1)} : ExprIds{};
  ast::TypeAlias alias{id, {}, m.call(m.name(evaluator), format)};
  if (!plain_alias) alias.type_params = m.shared.type_params;
  ast::FunctionDef def;
  def.name = maker;
  def.args->args.push_back({evaluator, {}, {}});
  def.body = {m.stmt(std::move(alias)), m.stmt(ast::Return{m.name(id)})};
  m.emit(std::move(def));
  m.push(m.call(m.name(maker), {elts[2]}), {e});
  m.flush();
  if (!plain_alias) {
    ExprIds targets;
    for (const auto& p : m.shared.type_params) targets.push_back(m.name(p.name));
    m.emit(ast::Assign{{m.make(ast::Tuple{targets})}, m.attribute(m.slot_var(), "__type_params__")});
  }
  m.clear({{.uses = {maker}}});
  return true;
}

// Materializes all pending entries below the top, except constants.
void materialise_below(Machine& m) {
  for (std::size_t i = 0; i + 1 < m.size(); ++i)
    if (m.state.stack[i].kind == Kind::kPending &&
        ast::constant_of(m.unit.ast, m.unit.code, m.state.stack[i].expr) == nullptr)
      m.materialise(i);
}

// Returns a call of a bound's or default's evaluator, which a variable of its own holds even after this code has run.
ExprId evaluator(Machine& m, Entry& e, std::size_t depth) {
  const NameId evaluator_name = m.gen_name("b" + std::to_string(m.unit.temps++));
  const auto& function = m.unit.code.codes[CodeId{e.a}];
  const bool named = e.kind == Kind::kFunction;
  if (named) {
    define_as(m, function_of(m, e.a), evaluator_name, false);
  } else {
    m.assign(evaluator_name, m.value(e, depth));
  }
  if (!m.is_function()) m.temp("b" + std::to_string(m.unit.temps - 1));
  const bool takes_format = m.unit.dialect.deferred_annotations && (!named || function.argcount > 0);
  return m.call(m.name(evaluator_name), takes_format ? ExprIds{m.number(1)} : ExprIds{});
}

// INTRINSIC_SUBSCRIPT_GENERIC: [tuple of type parameters] -> Generic[...].
void generic_base(Machine& m) {
  Entry e = m.pop();
  // As unpack_typevartuples() in Python/intrinsics.c does: iterating over a TypeVarTuple yields it unpacked.
  const NameId p = m.gen_name("p");
  const auto typing = [&](std::string_view kind) {
    return m.attribute(m.builtin_call("__import__", {m.text("typing")}), kind);
  };
  const ExprId is_tuple = m.builtin_call("isinstance", {m.name(p), typing("TypeVarTuple")});
  const ExprId unpacked = m.builtin_call("next", {m.builtin_call("iter", {m.name(p)})});
  ast::Comprehension all{
      ast::ComprehensionKind::kList, m.select(is_tuple, unpacked, m.name(p)), {}, {{m.name(p), e.expr, {}, false}}};
  const ExprId parts = m.make(ast::Tuple{{m.starred(m.make(std::move(all)))}});
  m.push(m.subscript(typing("Generic"), parts), {e});
}

}  // namespace

bool intrinsic_op(Machine& m, const Instruction& insn) {
  const auto make = [&](ast::TypeParam::Kind kind, ExprId name_text, ExprId bound) {
    const auto* s = m.constant_of<ConstStr>(name_text);
    type_parameter(m, {kind, m.unmangle(s != nullptr ? s->text : "T"), bound, {}});
  };
  if (insn.op == Op::CALL_INTRINSIC_1) {
    switch (static_cast<Intrinsic1>(insn.arg)) {
      case Intrinsic1::INTRINSIC_TYPEVAR: make(ast::TypeParam::Kind::kTypeVar, m.pop().expr, {}); return true;
      case Intrinsic1::INTRINSIC_PARAMSPEC: make(ast::TypeParam::Kind::kParamSpec, m.pop().expr, {}); return true;
      case Intrinsic1::INTRINSIC_TYPEVARTUPLE: make(ast::TypeParam::Kind::kTypeVarTuple, m.pop().expr, {}); return true;
      case Intrinsic1::INTRINSIC_SUBSCRIPT_GENERIC: generic_base(m); return true;
      case Intrinsic1::INTRINSIC_TYPEALIAS: return type_alias(m);
      default: return false;
    }
  }
  if (insn.op != Op::CALL_INTRINSIC_2) return false;
  const auto kind = static_cast<Intrinsic2>(insn.arg);
  if (kind == Intrinsic2::INTRINSIC_TYPEVAR_WITH_BOUND || kind == Intrinsic2::INTRINSIC_TYPEVAR_WITH_CONSTRAINTS) {
    Entry bound = m.state.stack.back();
    const std::size_t depth = m.size() - 1;
    materialise_below(m);
    m.state.stack.pop_back();
    ExprId lazy = evaluator(m, bound, depth);
    if (kind == Intrinsic2::INTRINSIC_TYPEVAR_WITH_CONSTRAINTS) lazy = m.make(ast::Tuple{{m.starred(lazy)}});
    make(ast::TypeParam::Kind::kTypeVar, m.pop().expr, lazy);
    return true;
  }
  if (kind == Intrinsic2::INTRINSIC_SET_FUNCTION_TYPE_PARAMS) {
    auto e = m.pop(2);
    m.push(e[0].expr, {e[0]});
    m.flush();
    m.emit(ast::Assign{{m.attribute(m.slot_var(), "__type_params__")}, e[1].expr}, {e[1]});
    return true;
  }
  if (kind != Intrinsic2::INTRINSIC_SET_TYPEPARAM_DEFAULT || m.shared.type_params.empty()) return false;
  Entry value = m.state.stack.back();  // makes the last parameter once more, with a default
  const std::size_t depth = m.size() - 1;
  materialise_below(m);
  m.state.stack.pop_back();
  const ExprId lazy = evaluator(m, value, depth);
  if (m.top().kind != Kind::kVar) return false;
  m.state.stack.pop_back();
  ast::TypeParam parameter = m.shared.type_params.back();
  m.shared.type_params.pop_back();
  parameter.default_ = lazy;
  type_parameter(m, std::move(parameter));
  return true;
}

}  // namespace depyf::fallback
