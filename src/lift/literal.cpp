// SPDX-License-Identifier: MIT
// Literal mode: what it holds of values that are left on the stack; see Literal in lift.h.
#include <algorithm>

#include "ast/walk.h"
#include "lift/annotations.h"
#include "lift/lift.h"

namespace depyf::lift {

Status Lifter::run(State& state, Line code, std::size_t first, std::size_t last, Literal& literal) {
  literal_ = &literal;
  shared_.clear();
  inplace_.clear();
  one_by_one_.clear();
  annotates_ = literal.annotates;
  state.settled = first;
  return run(state, code, first, last);
}

bool Lifter::can_spill(const Value& v) const {
  return v.kind == ValueKind::kExpr || v.kind == ValueKind::kFunction ||
         (literal_ != nullptr && v.kind == ValueKind::kIter);
}

// A function of nothing but cells, whose text is part of what takes it: the body of a class, a comprehension, a scope of
// type parameters, annotations.
bool Lifter::is_bare(const Value& v) const {
  const auto& f = s_->functions[v.a];
  const auto& co = unit_.code.codes[f.code];
  return f.defaults.empty() && f.kwdefaults.empty() && f.annotations.empty() && f.decorators.empty() && !f.is_class &&
         !f.is_alias && !f.incomplete && f.unsaid.empty() && co.name != "<lambda>" &&
         (co.name.starts_with('<') || (co.flags & kCoOptimized) == 0 || is_annotate(unit_, f.code));
}

// The list of a class statement's arguments; see starred_class().
bool Lifter::is_class_display(const Value& v) const {
  if (literal_ == nullptr || !s_->class_function || v.kind != ValueKind::kExpr) return false;
  const auto& node = unit_.ast.exprs[v.expr].node;
  const auto* l = std::get_if<ast::List>(&node);
  const auto* t = std::get_if<ast::Tuple>(&node);
  const ExprIds all = l != nullptr ? l->elts : t != nullptr ? t->elts : ExprIds{};
  return all.size() >= 2 && std::holds_alternative<ast::NoneLiteral>(unit_.ast.exprs[all[0]].node) &&
         constant_of(all[1]) != nullptr;
}

// A function that is an expression.
bool Lifter::is_lambda(const Value& v) const {
  const auto& f = s_->functions[v.a];
  return unit_.code.codes[f.code].name == "<lambda>" && unit_.bodies[f.code.n].expr.valid() && !f.incomplete &&
         f.unsaid.empty() && f.annotations.empty() && f.decorators.empty();
}

// Gives a function that was just made a variable, unless what follows takes it as a statement does: others need not know
// how it is made.
void Lifter::settle_function() {
  if (!has(1) || top().kind != ValueKind::kFunction || is_bare(top()) || is_lambda(top())) return;
  const auto* next = peek();
  const Op op = next != nullptr ? next->op : Op::NOP;
  if (op == Op::SET_FUNCTION_ATTRIBUTE || op == Op::POP_TOP || (next != nullptr && plain_target(*next))) return;
  const bool decorates = op == Op::CALL ? next->arg == 0 || next->arg == 1 : op == Op::CALL_FUNCTION && next->arg == 1;
  if (decorates && has(op == Op::CALL && next->arg == 1 ? 3 : 2)) {
    Value& callee = op == Op::CALL && next->arg == 1 && top(2).kind == ValueKind::kNull ? top(3) : top(2);
    settle_lambda(callee);
    if (callee.kind == ValueKind::kExpr && (unit_.dialect.any_decorator || is_plain_decorator(callee.expr))) return;
  }
  spill_pending();
  if (top().kind == ValueKind::kFunction) spill_value(top());
}

// A class or an alias that no store gives its own name.
ExprId Lifter::class_value(FunctionValue& f) {
  const NameId own = unmangle(unit_.code.codes[f.code].name), name = spill_name_;
  push_stmt(function_stmt(f, own));
  push_stmt(stmt(ast::Assign{{name_expr(name)}, name_expr(own)}));
  push_stmt(stmt(ast::Delete{{name_expr(own)}}));
  return name_expr(name);
}

// An attribute that only running tells is set after the def statement; it is evaluated before. False: not in this mode.
bool Lifter::leave_unsaid(FunctionValue& f, std::uint32_t bit, const Value& v) {
  if (literal_ == nullptr) return false;
  Value held = v;
  spill_pending();
  if (can_spill(held) && !stable(held)) spill_value(held);
  f.unsaid.emplace_back(bit, as_expr(held));
  return true;
}

std::string_view Lifter::attribute_of(std::uint32_t bit) {
  return bit == 1 ? "__defaults__" : bit == 2 ? "__kwdefaults__" : bit == 4 ? "__annotations__" : "__annotate__";
}

// The value of such an attribute.
ExprId Lifter::unsaid_value(std::uint32_t bit, ExprId value) {
  if (bit != 4 || !unit_.dialect.annotations_tuple) return value;
  // zip(*[iter(all)] * 2): pairs, of what is evaluated once
  const ExprId one = make(ast::List{{make(ast::Call{builtin("iter"), {value}, {}})}});
  const ExprId both = make(ast::BinOp{one, ast::BinaryOperator::kMultiply, make(ast::IntLiteral{2})});
  const ExprId pairs = make(ast::Call{builtin("zip"), {make(ast::Starred{both})}, {}});
  return make(ast::Call{builtin("dict"), {pairs}, {}});
}

void Lifter::set_unsaid(const FunctionValue& f, NameId function) {
  for (const auto& [bit, value] : f.unsaid) {
    const ExprId target = make(ast::Attribute{name_expr(function), unit_.ast.intern(attribute_of(bit))});
    push_stmt(stmt(ast::Assign{{target}, unsaid_value(bit, value)}));
  }
}

// Where decorators follow, the innermost one sets them: under its own name the function stays what functions in it are
// called after.
void Lifter::decorate_unsaid(FunctionValue& f) {
  ast::Lambda sets;
  const NameId function = unit_.ast.intern(unit_.options.temp_prefix + "i");
  sets.args->args.push_back({function, {}, {}});
  ast::ExprIds all;
  for (const auto& [bit, value] : std::exchange(f.unsaid, {})) {
    const NameId held = unit_.ast.intern(unit_.options.temp_prefix + "b" + std::to_string(bit));
    sets.args->args.push_back({held, {}, unsaid_value(bit, value)});  // a class body's names are none of the lambda's
    const ExprId attribute = make(ast::StrLiteral{std::string(attribute_of(bit))});
    all.push_back(make(ast::Call{builtin("setattr"), {name_expr(function), attribute, name_expr(held)}, {}}));
  }
  all.push_back(name_expr(function));
  const auto last = static_cast<std::int64_t>(all.size() - 1);
  sets.body = make(ast::Subscript{make(ast::Tuple{std::move(all)}), make(ast::IntLiteral{last})});
  const NameId decorator = fresh_temp();
  push_stmt(stmt(ast::Assign{{name_expr(decorator)}, make(std::move(sets))}));
  f.decorators.push_back(name_expr(decorator));
}

void Lifter::define(State& state, FunctionValue f, NameId name, bool renames) {
  s_ = &state;
  const Instruction made{.op = Op::MAKE_FUNCTION, .offset = f.offset};
  insn_ = &made;
  push_stmt(function_stmt(f, name));
  if (renames) rename(f, name);
  insn_ = nullptr;
}

bool Lifter::is_settled() const {
  const auto is_slice = [&](ExprId e) { return std::holds_alternative<ast::Slice>(unit_.ast.exprs[e].node); };
  const auto opens_class = [](const Value& v) { return v.kind == ValueKind::kBuildClass; };
  if (s_->class_function && std::ranges::none_of(s_->stack, opens_class)) return false;
  return std::ranges::all_of(s_->stack, [&](const Value& v) {
    switch (v.kind) {
      case ValueKind::kExpr: {
        const auto& node = unit_.ast.exprs[v.expr].node;
        const auto* t = std::get_if<ast::Tuple>(&node);
        return !is_slice(v.expr) && (t == nullptr || std::ranges::none_of(t->elts, is_slice)) &&
               !std::holds_alternative<ast::FormattedValue>(node) && !std::holds_alternative<ast::Interpolation>(node);
      }
      case ValueKind::kFunction: return is_bare(v) || is_lambda(v);
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
bool Lifter::mentions(const Value& v, NameId name) const {
  if (v.kind != ValueKind::kExpr && v.kind != ValueKind::kIter)
    return v.kind == ValueKind::kFunction || v.kind == ValueKind::kUnpack;
  bool found = false;
  ast::Visitor look;
  look.expr = [&](ExprId e) {
    const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[e].node);
    found = found || (n != nullptr && n->id == name);
    return !found;
  };
  ast::walk(unit_.ast, v.expr, look);
  return found;
}

// The variable of the slot that a value lies in; another where that one is in use.
NameId Lifter::literal_temp(const Value& v) {
  if (&v >= s_->stack.begin() && &v < s_->stack.end()) {
    const auto depth = std::to_string(&v - s_->stack.begin());
    const NameId id = unit_.ast.intern(unit_.options.temp_prefix + "s" + depth);
    if (literal_->taken.insert(id.n).second) return id;
    // where no operand is on its way into a statement, all values lie on the stack
    const auto other = [&](const Value& o) { return &o != &v && mentions(o, id); };
    if (insn_->op == Op::COPY && std::ranges::none_of(s_->stack, other)) return id;
  }
  return fresh_temp();
}

ExprId Lifter::expression(State& state, Value& v) {
  s_ = &state;
  return as_expr(v);
}

// What adds to a container that lies in a variable.
StmtId Lifter::append_stmt(const LStmt& s) {
  if (s.key.valid()) return stmt(ast::Assign{{make(ast::Subscript{s.target, s.key})}, s.expr});
  const auto* star = std::get_if<ast::Starred>(&unit_.ast.exprs[s.expr].node);
  const ExprId item = star != nullptr ? star->value : s.expr;
  if (insn_->op == Op::DICT_MERGE) {  // a key that comes twice is an error
    ast::Lambda all;
    const NameId k = unit_.ast.intern(unit_.options.temp_prefix + "k");
    all.args->kwarg = ast::Parameter{k, {}, {}};
    all.body = name_expr(k);
    const ExprId merged = make(ast::Call{make(std::move(all)), {}, {{NameId{}, s.target}, {NameId{}, item}}});
    return stmt(ast::Assign{{s.target}, merged});
  }
  const auto call = [&](std::string_view method, ExprId argument) {
    const ExprId f = make(ast::Attribute{s.target, unit_.ast.intern(method)});
    return stmt(ast::ExprStmt{make(ast::Call{f, {argument}, {}})});
  };
  if (s.container == Container::kDict) return call("update", make(ast::Dict{{ExprId{}}, {item}}));
  if (s.container == Container::kSet) return call(star != nullptr ? "update" : "add", item);
  return star != nullptr ? call("extend", make(ast::List{{s.expr}})) : call("append", item);
}

}  // namespace depyf::lift
