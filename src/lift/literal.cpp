// SPDX-License-Identifier: MIT
// Literal mode: lifting for the dispatch loop of src/fallback, one straight line at a time; see Literal in state.h.
//
// At the end of a line each stack entry must be an ordinary value that another arm can use (has_plain_stack()). What
// does not have the form that the compiler emits is written with builtins: `slice(a, b)`, `dict(zip(keys, values))`.
// Generated names: `s<depth>` for stack slots, `t<n>` for other values.
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

// Returns whether a function has only code and closure, and is consumed by the instruction that calls or takes it: a
// class body, a comprehension, a scope of type parameters, an __annotate__ function.
bool is_bare(const Machine& m, const Value& v) {
  const auto& f = m.state.pending->functions[v.a];
  const auto& co = m.unit.code.codes[f.code];
  return f.defaults.empty() && f.kwdefaults.empty() && f.annotations.empty() && f.decorators.empty() && !f.is_class &&
         !f.is_alias && f.extras.empty() && co.name != "<lambda>" &&
         (co.name.starts_with('<') || (co.flags & kCoOptimized) == 0 || is_annotate(m.unit, f.code));
}

ExprIds class_arguments(const Machine& m, const Value& v) {
  if (m.literal == nullptr || !m.state.class_function() || v.kind != ValueKind::kExpr) return {};
  const auto& node = m.unit.ast.exprs[v.expr].node;
  const auto* l = std::get_if<ast::List>(&node);
  const auto* t = std::get_if<ast::Tuple>(&node);
  const ExprIds all = l != nullptr ? l->elts : t != nullptr ? t->elts : ExprIds{};
  const bool opens =
      all.size() >= 2 && ast::is<ast::NoneLiteral>(m.unit.ast.exprs[all[0]].node) && m.constant_of(all[1]) != nullptr;
  return opens ? all : ExprIds{};
}

// Returns whether a function can be written as a lambda expression.
bool is_lambda(const Machine& m, const Value& v) {
  const auto& f = m.state.pending->functions[v.a];
  return m.unit.code.codes[f.code].name == "<lambda>" && m.unit.bodies[f.code.n].expr.valid() && f.extras.empty() &&
         f.annotations.empty() && f.decorators.empty();
}

// Spills a function that was just made to a variable, unless the next instruction stores it, pops it, sets an attribute
// of it or applies a decorator to it, i.e. continues a def statement.
void spill_function(Machine& m) {
  if (!m.has(1) || m.top().kind != ValueKind::kFunction || is_bare(m, m.top()) || is_lambda(m, m.top())) return;
  const auto* next = m.peek();
  const Op op = next != nullptr ? next->op : Op::NOP;
  if (op == Op::SET_FUNCTION_ATTRIBUTE || op == Op::POP_TOP || (next != nullptr && m.lifter.stored_name(*next))) return;
  const bool decorates = op == Op::CALL ? next->arg == 0 || next->arg == 1 : op == Op::CALL_FUNCTION && next->arg == 1;
  if (decorates && m.has(op == Op::CALL && next->arg == 1 ? 3 : 2)) {
    Value& callee = op == Op::CALL && next->arg == 1 && m.top(2).kind == ValueKind::kNull ? m.top(3) : m.top(2);
    to_lambda_expr(m, callee);
    if (callee.kind == ValueKind::kExpr && (m.unit.dialect.any_decorator || is_plain_decorator(m, callee.expr))) return;
  }
  spill_pending(m);
  if (m.top().kind == ValueKind::kFunction) spill_value(m, m.top());
}

// Spills a class or a type alias that is not stored under its own name: emits its statement, assigns it to the variable
// `spill_name` and deletes its own name. Returns the variable.
ExprId class_value(Machine& m, FunctionValue& f) {
  const NameId own = m.unit.unmangled(m.code, name_of(m, f)), name = m.spill_name;
  m.push_stmt(function_stmt(m, f, own));
  m.push_stmt(m.stmt(ast::Assign{{m.name_expr(name)}, m.name_expr(own)}));
  m.push_stmt(m.stmt(ast::Delete{{m.name_expr(own)}}));
  return m.name_expr(name);
}

// Records an attribute whose value no def statement can express (e.g. defaults that are not a tuple display). It is
// evaluated here and assigned after the def statement. Returns false outside literal mode.
bool defer_attribute(Machine& m, FunctionValue& f, std::uint32_t bit, const Value& v) {
  if (m.literal == nullptr) return false;
  Value item = v;
  spill_pending(m);
  if (can_spill(m, item) && !is_fixed(m, item)) spill_value(m, item);
  f.extras.emplace_back(bit, as_expr(m, item));
  return true;
}

namespace {

// Returns the expression to assign to such an attribute. MAKE_FUNCTION takes annotations as a flat tuple of names and
// values from 3.10 to 3.13, which is converted to a dict.
ExprId attribute_value(Machine& m, std::uint32_t bit, ExprId value) {
  if (bit != 4 || !m.unit.dialect.annotations_tuple) return value;
  // dict(zip(*[iter(value)] * 2)) makes pairs and evaluates the value once.
  const ExprId iterators = m.make(ast::List{{m.make(ast::Call{builtin(m, "iter"), {value}, {}})}});
  const ExprId both = m.make(ast::BinOp{iterators, ast::BinaryOperator::kMultiply, m.make(ast::IntLiteral{2})});
  const ExprId pairs = m.make(ast::Call{builtin(m, "zip"), {m.make(ast::Starred{both})}, {}});
  return m.make(ast::Call{builtin(m, "dict"), {pairs}, {}});
}

}  // namespace

void set_extra_attributes(Machine& m, const FunctionValue& f, NameId function) {
  for (const auto& [bit, value] : f.extras) {
    const ExprId target = m.make(ast::Attribute{m.name_expr(function), m.unit.ast.intern(Lifter::attribute_of(bit))});
    m.push_stmt(m.stmt(ast::Assign{{target}, attribute_value(m, bit, value)}));
  }
}

// Sets the extra attributes before decorators are applied, by one more, innermost decorator:
// `lambda i, b1=...: (setattr(i, '__defaults__', b1), i)[1]`. The def keeps the function's own name, from which the
// qualified names of functions within it are made.
void set_attributes_by_decorator(Machine& m, FunctionValue& f) {
  ast::Lambda lambda;
  const NameId function = m.unit.ast.intern(m.unit.options.temp_prefix + "i");
  lambda.args->args.push_back({function, {}, {}});
  ast::ExprIds all;
  for (const auto& [bit, value] : std::exchange(f.extras, {})) {
    const NameId item = m.unit.ast.intern(m.unit.options.temp_prefix + "b" + std::to_string(bit));
    lambda.args->args.push_back(
        {item, {}, attribute_value(m, bit, value)});  // as a default: a lambda does not see names of a class body
    const ExprId attribute = m.make(ast::StrLiteral{std::string(Lifter::attribute_of(bit))});
    all.push_back(m.make(ast::Call{builtin(m, "setattr"), {m.name_expr(function), attribute, m.name_expr(item)}, {}}));
  }
  all.push_back(m.name_expr(function));
  const auto last = static_cast<std::int64_t>(all.size() - 1);
  lambda.body = m.make(ast::Subscript{m.make(ast::Tuple{std::move(all)}), m.make(ast::IntLiteral{last})});
  const NameId decorator = m.fresh_temp();
  m.push_stmt(m.stmt(ast::Assign{{m.name_expr(decorator)}, m.make(std::move(lambda))}));
  f.decorators.push_back(m.name_expr(decorator));
}

namespace {

// Returns whether an expression is not a value of its own, but only part of the one that a later operation makes.
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

// Replaces such parts by expressions of their values: a slice by slice(), a formatted value by its string, an
// interpolation by its object. Returns any other expression as it is.
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
  if (const auto* f = std::get_if<ast::FormattedValue>(&node)) {  // not by str(x): it may call __init__ of a subclass
    if (f->conversion == 's') return m.make(ast::JoinedStr{{e}});
    return call(m, m.literal->builtin_object(f->conversion == 'r' ? "repr" : "ascii"), {f->value});
  }
  if (const auto* i = std::get_if<ast::Interpolation>(&node))
    return interpolation(m, {i->value, m.make(ast::StrLiteral{*i->text})}, i->conversion, i->spec);
  return e;
}

// Makes plain values of those that a later operation would complete: items of open unpackings, slices, format fields.
void finish_line(Machine& m) {
  spill_unpackings(m);
  for (auto& v : m.state.stack)
    if (v.kind == ValueKind::kExpr && has_part(m, v.expr)) v.expr = as_object(m, v.expr);
}

// Makes dict(zip(keys, values)), for keys that are no constant.
ExprId pairs(Machine& m, ExprId keys, ExprId values) {
  return call(m, builtin(m, "dict"), {call(m, builtin(m, "zip"), {keys, values})});
}

// Rewrites the operands of a keyword call whose tuple of names is no constant, so that only run time tells how many of
// the `argc` arguments have a name: f(*all[:n], **dict(zip(names, all[n:]))). Leaves the two arguments on the stack.
void split_named_arguments(Machine& m, std::uint32_t argc) {
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

// Makes the object of LOAD_SUPER_ATTR without the two-argument flag. The instruction passes `cls` and `self` if the
// global is the builtin super; any other callable is called without arguments, as in the source (Python/bytecodes.c).
ExprId super_of(Machine& m, ExprId function, ExprId cls, ExprId self) {
  const ExprId is_super = m.make(ast::Compare{function, {ast::CompareOperator::kIs}, {builtin(m, "super")}});
  const ExprId is_class = call(m, builtin(m, "isinstance"), {cls, builtin(m, "type")});
  const ExprId both = m.make(ast::BoolOp{ast::BoolOperator::kAnd, {is_super, is_class}});
  return m.make(ast::IfExp{both, call(m, function, {cls, self}), call(m, function, {})});
}

// Makes a 3.14+ Interpolation object by calling its class, because a t-string literal would record its own source text
// of the expression. The class is taken from an interpolation of another t-string, so that nothing is imported.
ExprId interpolation(Machine& m, const ExprIds& value_and_text, char conversion, ExprId spec) {
  const ExprId other = m.make(ast::TemplateStr{{m.make(ast::Interpolation{m.make(ast::IntLiteral{0}), {"0"}, 0, {}})}});
  const ExprId all = m.make(ast::Attribute{other, m.unit.ast.intern("interpolations")});
  const ExprId type = call(m, builtin(m, "type"), {m.make(ast::Subscript{all, m.make(ast::IntLiteral{0})})});
  ExprIds args = value_and_text;
  args.push_back(conversion != 0 ? m.make(ast::StrLiteral{std::string(1, conversion)}) : m.make(ast::NoneLiteral{}));
  args.push_back(spec.valid() ? spec : m.make(ast::StrLiteral{}));
  return call(m, type, args);
}

// Makes a Template by calling its class with strings and interpolations in turn: type(t'')(*sum(zip(...), ())). The
// class merges adjacent strings.
ExprId template_of(Machine& m, ExprId strings, ExprId interpolations) {
  const ExprId all =
      m.make(ast::Tuple{{m.make(ast::Starred{as_object(m, interpolations)}), m.make(ast::StrLiteral{})}});
  const ExprId turns = call(m, builtin(m, "zip"), {strings, all});
  const ExprId parts = m.make(ast::Starred{call(m, builtin(m, "sum"), {turns, m.make(ast::Tuple{})})});
  return call(m, call(m, builtin(m, "type"), {m.make(ast::TemplateStr{})}), {parts});
}

// Returns whether each stack entry is a plain value that another line can continue with: an expression that is a value
// of its own, a lambda, a function with only a closure, or a kind that the fallback tracks itself.
bool has_plain_stack(const Machine& m) {
  const auto opens_class = [](const Value& v) { return v.kind == ValueKind::kBuildClass; };
  if (m.state.class_function() && std::ranges::none_of(m.state.stack, opens_class)) return false;
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

// Returns whether evaluating a pending value may read a variable. True for a function or an unpacked item, whose
// expressions are not searched.
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

// Returns a variable for a value to be spilled: that of its stack slot, or a fresh one if that is in use.
NameId literal_temp(Machine& m, const Value& v) {
  if (&v >= m.state.stack.begin() && &v < m.state.stack.end()) {
    const auto depth = std::to_string(&v - m.state.stack.begin());
    const NameId id = m.unit.ast.intern(m.unit.options.temp_prefix + "s" + depth);
    if (m.literal->used_names.insert(id.n).second) return id;
    // COPY has taken no operand off the stack yet, so the variable is free if no other stack entry reads it.
    const auto other = [&](const Value& o) { return &o != &v && mentions(m, o, id); };
    if (m.insn->op == Op::COPY && std::ranges::none_of(m.state.stack, other)) return id;
  }
  return m.fresh_temp();
}

// Returns a variable for an item of an unpacking. At the end of a line this may be the one of the slot in any case.
NameId item_temp(Machine& m, const Value& item) {
  const NameId id = m.unit.ast.intern(m.unit.options.temp_prefix + "s" + std::to_string(&item - m.state.stack.begin()));
  const auto other = [&](const Value& v) { return v.kind == ValueKind::kUnpack ? v.a != item.a : mentions(m, v, id); };
  return m.at < m.last || std::ranges::any_of(m.state.stack, other) ? literal_temp(m, item) : id;
}

// The container is known to be a plain list, set or dict, so a call of its method does what the instruction does.
StmtId append_stmt(Unit& unit, const LStmt& s, ast::Origin origin) {
  auto& tree = unit.ast;
  const auto make = [&](auto node) { return tree.expr(std::move(node), origin); };
  const auto call = [&](std::string_view method, ExprId argument) {
    const ExprId f = make(ast::Attribute{s.target, tree.intern(method)});
    return tree.stmt(ast::ExprStmt{make(ast::Call{f, {argument}, {}})}, origin);
  };
  if (s.key.valid()) {  // MAP_ADD evaluates the key first; an assignment to a subscript evaluates the value first
    const bool names = ast::is<ast::Name>(tree.exprs[s.key].node) && ast::is<ast::Name>(tree.exprs[s.expr].node);
    const bool constant = ast::is_constant(tree, s.key) || ast::is_constant(tree, s.expr);
    if (!names && !constant && !unit.is_temp(s.key)) return call("update", make(ast::Dict{{s.key}, {s.expr}}));
    return tree.stmt(ast::Assign{{make(ast::Subscript{s.target, s.key})}, s.expr}, origin);
  }
  const auto* star = std::get_if<ast::Starred>(&tree.exprs[s.expr].node);
  const ExprId item = star != nullptr ? star->value : s.expr;
  if (s.merges) {  // (lambda **k: k)(**target, **item) raises TypeError for a duplicate key
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
