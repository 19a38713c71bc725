// SPDX-License-Identifier: MIT
// Literal mode: what it holds of values that are left on the stack; see Literal in state.h.
#include <algorithm>

#include "ast/constants.h"
#include "ast/walk.h"
#include "lift/annotations.h"
#include "lift/families.h"

namespace depyf::lift {

bool can_spill(const Machine& m, const Value& v) {
  return v.kind == ValueKind::kExpr || v.kind == ValueKind::kFunction ||
         (m.literal != nullptr && v.kind == ValueKind::kIter);
}

// A function of nothing but cells, whose text is part of what takes it: the body of a class, a comprehension, a scope of
// type parameters, annotations.
bool is_bare(const Machine& m, const Value& v) {
  const auto& f = m.state.functions[v.a];
  const auto& co = m.unit.code.codes[f.code];
  return f.defaults.empty() && f.kwdefaults.empty() && f.annotations.empty() && f.decorators.empty() && !f.is_class &&
         !f.is_alias && f.unsaid.empty() && co.name != "<lambda>" &&
         (co.name.starts_with('<') || (co.flags & kCoOptimized) == 0 || is_annotate(m.unit, f.code));
}

ExprIds class_display(const Machine& m, const Value& v) {
  if (m.literal == nullptr || !m.state.class_function || v.kind != ValueKind::kExpr) return {};
  const auto& node = m.unit.ast.exprs[v.expr].node;
  const auto* l = std::get_if<ast::List>(&node);
  const auto* t = std::get_if<ast::Tuple>(&node);
  const ExprIds all = l != nullptr ? l->elts : t != nullptr ? t->elts : ExprIds{};
  const bool opens =
      all.size() >= 2 && ast::is<ast::NoneLiteral>(m.unit.ast.exprs[all[0]].node) && m.constant_of(all[1]) != nullptr;
  return opens ? all : ExprIds{};
}

// A function that is an expression.
bool is_lambda(const Machine& m, const Value& v) {
  const auto& f = m.state.functions[v.a];
  return m.unit.code.codes[f.code].name == "<lambda>" && m.unit.bodies[f.code.n].expr.valid() && f.unsaid.empty() &&
         f.annotations.empty() && f.decorators.empty();
}

// Gives a function that was just made a variable, unless what follows takes it as a statement does: others need not know
// how it is made.
void settle_function(Machine& m) {
  if (!m.has(1) || m.top().kind != ValueKind::kFunction || is_bare(m, m.top()) || is_lambda(m, m.top())) return;
  const auto* next = m.peek();
  const Op op = next != nullptr ? next->op : Op::NOP;
  if (op == Op::SET_FUNCTION_ATTRIBUTE || op == Op::POP_TOP || (next != nullptr && m.lifter.stored_name(*next))) return;
  const bool decorates = op == Op::CALL ? next->arg == 0 || next->arg == 1 : op == Op::CALL_FUNCTION && next->arg == 1;
  if (decorates && m.has(op == Op::CALL && next->arg == 1 ? 3 : 2)) {
    Value& callee = op == Op::CALL && next->arg == 1 && m.top(2).kind == ValueKind::kNull ? m.top(3) : m.top(2);
    settle_lambda(m, callee);
    if (callee.kind == ValueKind::kExpr && (m.unit.dialect.any_decorator || is_plain_decorator(m, callee.expr))) return;
  }
  spill_pending(m);
  if (m.top().kind == ValueKind::kFunction) spill_value(m, m.top());
}

// A class or an alias that no store gives its own name.
ExprId class_value(Machine& m, FunctionValue& f) {
  const NameId own = m.unit.unmangled(m.code, name_of(m, f)), name = m.spill_name;
  m.push_stmt(function_stmt(m, f, own));
  m.push_stmt(m.stmt(ast::Assign{{m.name_expr(name)}, m.name_expr(own)}));
  m.push_stmt(m.stmt(ast::Delete{{m.name_expr(own)}}));
  return m.name_expr(name);
}

// An attribute that only running tells is set after the def statement; it is evaluated before. False: not in this mode.
bool leave_unsaid(Machine& m, FunctionValue& f, std::uint32_t bit, const Value& v) {
  if (m.literal == nullptr) return false;
  Value held = v;
  spill_pending(m);
  if (can_spill(m, held) && !stable(m, held)) spill_value(m, held);
  f.unsaid.emplace_back(bit, as_expr(m, held));
  return true;
}

namespace {

// The value of such an attribute.
ExprId unsaid_value(Machine& m, std::uint32_t bit, ExprId value) {
  if (bit != 4 || !m.unit.dialect.annotations_tuple) return value;
  // zip(*[iter(all)] * 2): pairs, of what is evaluated once
  const ExprId one = m.make(ast::List{{m.make(ast::Call{builtin(m, "iter"), {value}, {}})}});
  const ExprId both = m.make(ast::BinOp{one, ast::BinaryOperator::kMultiply, m.make(ast::IntLiteral{2})});
  const ExprId pairs = m.make(ast::Call{builtin(m, "zip"), {m.make(ast::Starred{both})}, {}});
  return m.make(ast::Call{builtin(m, "dict"), {pairs}, {}});
}

}  // namespace

void set_unsaid(Machine& m, const FunctionValue& f, NameId function) {
  for (const auto& [bit, value] : f.unsaid) {
    const ExprId target = m.make(ast::Attribute{m.name_expr(function), m.unit.ast.intern(Lifter::attribute_of(bit))});
    m.push_stmt(m.stmt(ast::Assign{{target}, unsaid_value(m, bit, value)}));
  }
}

// Where decorators follow, the innermost one sets them: under its own name the function stays what functions in it are
// called after.
void decorate_unsaid(Machine& m, FunctionValue& f) {
  ast::Lambda sets;
  const NameId function = m.unit.ast.intern(m.unit.options.temp_prefix + "i");
  sets.args->args.push_back({function, {}, {}});
  ast::ExprIds all;
  for (const auto& [bit, value] : std::exchange(f.unsaid, {})) {
    const NameId held = m.unit.ast.intern(m.unit.options.temp_prefix + "b" + std::to_string(bit));
    sets.args->args.push_back(
        {held, {}, unsaid_value(m, bit, value)});  // a class body's names are none of the lambda's
    const ExprId attribute = m.make(ast::StrLiteral{std::string(Lifter::attribute_of(bit))});
    all.push_back(m.make(ast::Call{builtin(m, "setattr"), {m.name_expr(function), attribute, m.name_expr(held)}, {}}));
  }
  all.push_back(m.name_expr(function));
  const auto last = static_cast<std::int64_t>(all.size() - 1);
  sets.body = m.make(ast::Subscript{m.make(ast::Tuple{std::move(all)}), m.make(ast::IntLiteral{last})});
  const NameId decorator = m.fresh_temp();
  m.push_stmt(m.stmt(ast::Assign{{m.name_expr(decorator)}, m.make(std::move(sets))}));
  f.decorators.push_back(m.name_expr(decorator));
}

namespace {

// Whether an expression is one only where a later operation of its line takes it.
bool is_part(const Machine& m, ExprId e) {
  const auto& node = m.unit.ast.exprs[e].node;
  return std::holds_alternative<ast::Slice>(node) || std::holds_alternative<ast::FormattedValue>(node) ||
         std::holds_alternative<ast::Interpolation>(node);
}

bool has_part(const Machine& m, ExprId e) {
  const auto* t = std::get_if<ast::Tuple>(&m.unit.ast.exprs[e].node);
  return is_part(m, e) || (t != nullptr && std::ranges::any_of(t->elts, [&](ExprId x) { return is_part(m, x); }));
}

ExprId call(Machine& m, ExprId function, ExprIds args) { return m.make(ast::Call{function, std::move(args), {}}); }

}  // namespace

// Such a part by the object that the operation makes.
ExprId as_object(Machine& m, ExprId e) {
  const auto node = m.unit.ast.exprs[e].node;
  if (const auto* t = std::get_if<ast::Tuple>(&node)) {
    ExprIds elts;
    for (const ExprId x : t->elts) elts.push_back(as_object(m, x));
    return has_part(m, e) ? m.make(ast::Tuple{std::move(elts)}) : e;
  }
  if (const auto* s = std::get_if<ast::Slice>(&node)) {
    const auto or_none = [&](ExprId part) { return part.valid() ? part : m.make(ast::NoneLiteral{}); };
    ExprIds parts{or_none(s->lower), or_none(s->upper)};
    if (s->step.valid()) parts.push_back(s->step);
    return call(m, builtin(m, "slice"), parts);
  }
  if (const auto* f = std::get_if<ast::FormattedValue>(&node)) {  // str() would call __init__ of a subclass
    if (f->conversion == 's') return m.make(ast::JoinedStr{{e}});
    return call(m, m.literal->own_builtin(f->conversion == 'r' ? "repr" : "ascii"), {f->value});
  }
  if (const auto* i = std::get_if<ast::Interpolation>(&node))
    return interpolation(m, {i->value, m.make(ast::StrLiteral{*i->text})}, i->conversion, i->spec);
  return e;
}

// The line ends here: what a later operation would have made a value, or stored, becomes one.
void settle_line(Machine& m) {
  settle_unpackings(m);
  for (auto& v : m.state.stack)
    if (v.kind == ValueKind::kExpr && has_part(m, v.expr)) v.expr = as_object(m, v.expr);
}

// dict(zip(keys, values)): of keys that only running tells.
ExprId pairs(Machine& m, ExprId keys, ExprId values) {
  return call(m, builtin(m, "dict"), {call(m, builtin(m, "zip"), {keys, values})});
}

// Only running tells how many of the arguments have a name: f(*all[:n], **dict(zip(names, all[n:]))).
void gather_named(Machine& m, std::uint32_t argc) {
  spill_pending(m);
  const ExprId names = m.pop_expr();
  ExprIds args(argc);
  for (std::uint32_t i = argc; i-- > 0;) args[i] = m.pop_expr();
  const ExprId all = m.make(ast::Tuple{std::move(args)}), named = call(m, builtin(m, "len"), {names});
  const ExprId n = m.make(ast::BinOp{m.make(ast::IntLiteral{argc}), ast::BinaryOperator::kSubtract, named});
  const auto part = [&](ExprId from, ExprId to) {
    return m.make(ast::Subscript{all, m.make(ast::Slice{from, to, {}})});
  };
  m.push_expr(m.make(ast::Starred{part({}, n)}));
  m.push_expr(pairs(m, names, part(n, {})));
}

// What is not super() itself is called as it was written (LOAD_SUPER_ATTR of bytecodes.c).
ExprId super_of(Machine& m, ExprId function, ExprId cls, ExprId self) {
  const ExprId is_super = m.make(ast::Compare{function, {ast::CompareOperator::kIs}, {builtin(m, "super")}});
  const ExprId is_class = call(m, builtin(m, "isinstance"), {cls, builtin(m, "type")});
  const ExprId both = m.make(ast::BoolOp{ast::BoolOperator::kAnd, {is_super, is_class}});
  return m.make(ast::IfExp{both, call(m, function, {cls, self}), call(m, function, {})});
}

// 3.14 t-strings by the classes they are made of, since a literal would hold its own text of each expression. Their types
// are those of other ones: nothing needs importing.
ExprId interpolation(Machine& m, const ExprIds& value_and_text, char conversion, ExprId spec) {
  const ExprId other = m.make(ast::TemplateStr{{m.make(ast::Interpolation{m.make(ast::IntLiteral{0}), {"0"}, 0, {}})}});
  const ExprId all = m.make(ast::Attribute{other, m.unit.ast.intern("interpolations")});
  const ExprId type = call(m, builtin(m, "type"), {m.make(ast::Subscript{all, m.make(ast::IntLiteral{0})})});
  ExprIds args = value_and_text;
  args.push_back(conversion != 0 ? m.make(ast::StrLiteral{std::string(1, conversion)}) : m.make(ast::NoneLiteral{}));
  args.push_back(spec.valid() ? spec : m.make(ast::StrLiteral{}));
  return call(m, type, args);
}

// Strings and interpolations in turn; adjacent strings become one.
ExprId template_of(Machine& m, ExprId strings, ExprId interpolations) {
  const ExprId all =
      m.make(ast::Tuple{{m.make(ast::Starred{as_object(m, interpolations)}), m.make(ast::StrLiteral{})}});
  const ExprId turns = call(m, builtin(m, "zip"), {strings, all});
  const ExprId parts = m.make(ast::Starred{call(m, builtin(m, "sum"), {turns, m.make(ast::Tuple{})})});
  return call(m, call(m, builtin(m, "type"), {m.make(ast::TemplateStr{})}), {parts});
}

bool is_settled(const Machine& m) {
  const auto opens_class = [](const Value& v) { return v.kind == ValueKind::kBuildClass; };
  if (m.state.class_function && std::ranges::none_of(m.state.stack, opens_class)) return false;
  return std::ranges::all_of(m.state.stack, [&](const Value& v) {
    switch (v.kind) {
      case ValueKind::kExpr: return !has_part(m, v.expr);
      case ValueKind::kFunction: return is_bare(m, v) || is_lambda(m, v);
      case ValueKind::kNull:
      case ValueKind::kIter:
      case ValueKind::kCell:
      case ValueKind::kClosure:
      case ValueKind::kBuildClass:
      case ValueKind::kKnown: return true;
      default: return false;
    }
  });
}

// Whether a pending value has a variable in it; what is no expression may.
bool mentions(const Machine& m, const Value& v, NameId name) {
  if (v.kind == ValueKind::kFunction || v.kind == ValueKind::kUnpack) return true;
  if (!v.expr.valid()) return false;
  bool found = false;
  ast::Visitor look;
  look.expr = [&](ExprId e) {
    const auto* n = std::get_if<ast::Name>(&m.unit.ast.exprs[e].node);
    found = found || (n != nullptr && n->id == name);
    return !found;
  };
  ast::walk(m.unit.ast, v.expr, look);
  return found;
}

// The variable of the slot that a value lies in; another where that one is in use.
NameId literal_temp(Machine& m, const Value& v) {
  if (&v >= m.state.stack.begin() && &v < m.state.stack.end()) {
    const auto depth = std::to_string(&v - m.state.stack.begin());
    const NameId id = m.unit.ast.intern(m.unit.options.temp_prefix + "s" + depth);
    if (m.literal->taken.insert(id.n).second) return id;
    // where no operand is on its way into a statement, all values lie on the stack
    const auto other = [&](const Value& o) { return &o != &v && mentions(m, o, id); };
    if (m.insn->op == Op::COPY && std::ranges::none_of(m.state.stack, other)) return id;
  }
  return m.fresh_temp();
}

// The same for an item of an unpacking. At the end of a line, where no operand is on its way into a statement, it may be
// the variable that is unpacked.
NameId unpacked_name(Machine& m, const Value& item) {
  const NameId id = m.unit.ast.intern(m.unit.options.temp_prefix + "s" + std::to_string(&item - m.state.stack.begin()));
  const auto other = [&](const Value& v) { return v.kind == ValueKind::kUnpack ? v.a != item.a : mentions(m, v, id); };
  return m.at < m.last || std::ranges::any_of(m.state.stack, other) ? literal_temp(m, item) : id;
}

// A call of the container's own method where it may be: the container is a plain list, set or dict.
StmtId append_stmt(Unit& unit, const LStmt& s, ast::Origin origin) {
  auto& tree = unit.ast;
  const auto make = [&](auto node) { return tree.expr(std::move(node), origin); };
  const auto call = [&](std::string_view method, ExprId argument) {
    const ExprId f = make(ast::Attribute{s.target, tree.intern(method)});
    return tree.stmt(ast::ExprStmt{make(ast::Call{f, {argument}, {}})}, origin);
  };
  if (s.key.valid()) {  // a subscript that is stored to is evaluated after what is stored, a key before its value
    const bool names = ast::is<ast::Name>(tree.exprs[s.key].node) && ast::is<ast::Name>(tree.exprs[s.expr].node);
    const bool constant = ast::is_constant(tree, s.key) || ast::is_constant(tree, s.expr);
    if (!names && !constant && !unit.is_temp(s.key)) return call("update", make(ast::Dict{{s.key}, {s.expr}}));
    return tree.stmt(ast::Assign{{make(ast::Subscript{s.target, s.key})}, s.expr}, origin);
  }
  const auto* star = std::get_if<ast::Starred>(&tree.exprs[s.expr].node);
  const ExprId item = star != nullptr ? star->value : s.expr;
  if (s.merges) {  // a key that comes twice is an error
    ast::Lambda all;
    const NameId k = tree.intern(unit.options.temp_prefix + "k");
    all.args->kwarg = ast::Parameter{k, {}, {}};
    all.body = make(ast::Name{k});
    return call("update", make(ast::Call{make(std::move(all)), {}, {{NameId{}, s.target}, {NameId{}, item}}}));
  }
  if (s.container == Container::kDict) return call("update", make(ast::Dict{{ExprId{}}, {item}}));
  if (s.container == Container::kSet) return call(star != nullptr ? "update" : "add", item);
  return star != nullptr ? call("extend", make(ast::List{{s.expr}})) : call("append", item);
}

}  // namespace depyf::lift
