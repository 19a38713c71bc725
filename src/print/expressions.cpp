// SPDX-License-Identifier: MIT
// Expressions: how tight each binds, and the parts of each in the order of the text.
//
// Invariant: parentheses only where the grammar needs them (Grammar/python.gram; the common subset of 3.8-3.15 where
// that costs little). A method here only pushes parts; nothing recurses. Strings and constants are printed elsewhere.
#include "ast/walk.h"
#include "print/printer.h"

namespace depyf {
namespace {

using namespace ast;

struct OperatorText {
  std::string_view text;  // with its spaces
  Level level;
};

OperatorText binary_operator(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::kAdd: return {" + ", Level::kSum};
    case BinaryOperator::kAnd: return {" & ", Level::kBitAnd};
    case BinaryOperator::kFloorDivide: return {" // ", Level::kProduct};
    case BinaryOperator::kLshift: return {" << ", Level::kShift};
    case BinaryOperator::kMatrixMultiply: return {" @ ", Level::kProduct};
    case BinaryOperator::kMultiply: return {" * ", Level::kProduct};
    case BinaryOperator::kRemainder: return {" % ", Level::kProduct};
    case BinaryOperator::kOr: return {" | ", Level::kBitOr};
    case BinaryOperator::kPower: return {" ** ", Level::kPower};
    case BinaryOperator::kRshift: return {" >> ", Level::kShift};
    case BinaryOperator::kSubtract: return {" - ", Level::kSum};
    case BinaryOperator::kTrueDivide: return {" / ", Level::kProduct};
    case BinaryOperator::kXor: return {" ^ ", Level::kBitXor};
  }
  return {" ? ", Level::kAtom};
}

OperatorText unary_operator(UnaryOperator op) {
  switch (op) {
    case UnaryOperator::kInvert: return {"~", Level::kSign};
    case UnaryOperator::kNot: return {"not ", Level::kNot};
    case UnaryOperator::kUAdd: return {"+", Level::kSign};
    case UnaryOperator::kUSub: return {"-", Level::kSign};
  }
  return {"?", Level::kAtom};
}

std::string_view compare_operator(CompareOperator op) {
  switch (op) {
    case CompareOperator::kLt: return " < ";
    case CompareOperator::kLtE: return " <= ";
    case CompareOperator::kEq: return " == ";
    case CompareOperator::kNotEq: return " != ";
    case CompareOperator::kGt: return " > ";
    case CompareOperator::kGtE: return " >= ";
    case CompareOperator::kIs: return " is ";
    case CompareOperator::kIsNot: return " is not ";
    case CompareOperator::kIn: return " in ";
    case CompareOperator::kNotIn: return " not in ";
  }
  return " ? ";
}

}  // namespace

Level Printer::level_of(const ExprNode& node) const {
  return match(
      node, [](const BoolOp& n) { return n.op == BoolOperator::kAnd ? Level::kAnd : Level::kOr; },
      [](const NamedExpr&) { return Level::kNamed; }, [](const BinOp& n) { return binary_operator(n.op).level; },
      [](const UnaryOp& n) { return unary_operator(n.op).level; }, [](const Lambda&) { return Level::kTest; },
      [](const IfExp&) { return Level::kTest; }, [](const Dict&) { return Level::kAtom; },
      [](const Set&) { return Level::kAtom; }, [](const Comprehension&) { return Level::kAtom; },
      [](const Await&) { return Level::kAwait; }, [](const Yield&) { return Level::kYield; },
      [](const YieldFrom&) { return Level::kYield; }, [](const Compare&) { return Level::kCompare; },
      [](const Call&) { return Level::kAtom; }, [](const FormattedValue&) { return Level::kAtom; },
      [](const JoinedStr&) { return Level::kAtom; }, [](const Interpolation&) { return Level::kAtom; },
      [](const TemplateStr&) { return Level::kAtom; },
      [this](const ConstantExpr& n) {
        const Constant* value = constant(n.value);
        return value != nullptr ? level_of(*value) : Level::kAtom;
      },
      [](const NoneLiteral&) { return Level::kAtom; },
      [](const IntLiteral& n) { return n.value < 0 ? Level::kSign : Level::kAtom; },
      [](const StrLiteral&) { return Level::kAtom; }, [](const EllipsisLiteral&) { return Level::kAtom; },
      [](const Verbatim&) { return Level::kTest; }, [](const Attribute&) { return Level::kAtom; },
      [](const Subscript&) { return Level::kAtom; }, [](const Starred&) { return Level::kAtom; },
      [](const Name&) { return Level::kAtom; }, [](const List&) { return Level::kAtom; },
      [](const Tuple& n) { return n.elts.size() < 2 ? Level::kAtom : Level::kTuple; },
      [](const Slice&) { return Level::kAtom; });
}

void Printer::visit_expr(ExprId id, Level place, std::uint8_t flags) {
  if (!id.valid() || id.n >= tree_.exprs.size()) return fail(Errc::kInternal, "an expression is missing");
  const Expr& e = tree_.exprs[id];
  if (const auto* variable = std::get_if<Name>(&e.node)) {  // every third expression, and never in parentheses
    const std::uint32_t mark = out_.begin_mark(e.origin);
    put(name(variable->id));
    return out_.end_mark(mark);
  }
  bool in_parentheses = !is<Call, Attribute, Subscript>(e.node) && needs_parentheses(level_of(e.node), place);
  if (const auto* tuple = std::get_if<Tuple>(&e.node); tuple != nullptr && (flags & kInSubscript) != 0)
    in_parentheses = tuple->elts.size() > 1 && !is_bare_in_subscript(*tuple);
  else if (tuple != nullptr && tuple->new_lines != 0)
    in_parentheses = true;
  // A colon outside brackets would end the expression of an f-string's field.
  if (std::holds_alternative<Lambda>(e.node) && parentheses_ == field_parentheses_) in_parentheses = true;
  const std::uint32_t mark = begin_nested(e.origin, in_parentheses);
  visit_node(id, in_parentheses ? Level::kYield : place, in_parentheses, flags);
  end_nested(mark, in_parentheses);
}

void Printer::visit_node(ExprId id, Level place, bool in_parentheses, std::uint8_t flags) {
  match(
      tree_.exprs[id].node, [&](const BoolOp& n) { node(n); }, [&](const NamedExpr& n) { node(n); },
      [&](const BinOp& n) { node(n); }, [&](const UnaryOp& n) { node(n); }, [&](const Lambda& n) { node(n); },
      [&](const IfExp& n) { node(n); }, [&](const Dict& n) { node(n); }, [&](const Set& n) { node(n); },
      [&](const Comprehension& n) { node(n); }, [&](const Await& n) { node(n); }, [&](const Yield& n) { node(n); },
      [&](const YieldFrom& n) { node(n); }, [&](const Compare& n) { node(n); }, [&](const Call& n) { node(n); },
      [&](const JoinedStr& n) { joined(n.values, false, place); },
      [&](const TemplateStr& n) { joined(n.values, true, place); },
      [&](const FormattedValue&) { joined({id}, false, place); },
      [&](const Interpolation&) { fail(Errc::kInternal, "an interpolation outside a template string"); },
      [&](const ConstantExpr& n) {
        if (const Constant* value = constant(n.value)) put_const(*value, in_parentheses, flags);
      },
      [&](const NoneLiteral&) { put("None"); }, [&](const IntLiteral& n) { put(std::to_string(n.value)); },
      [&](const StrLiteral& n) { put_str(n.text); }, [&](const EllipsisLiteral&) { put("..."); },
      [&](const Verbatim& n) { out_.put_lines(n.text); }, [&](const Attribute& n) { node(n); },
      [&](const Subscript& n) { node(n); }, [&](const Starred& n) { node(n); }, [&](const Name& n) { put(name(n.id)); },
      [&](const List& n) { node(n); }, [&](const Tuple& n) { node(n, in_parentheses, flags); },
      [&](const Slice& n) { node(n); });
}

// ---- operators

// `a and (b and c)` and `(a and b) and c` keep their parentheses: 3.12 and 3.13 compile them differently.
void Printer::node(const BoolOp& n) {
  Parts parts(*this);
  const bool is_and = n.op == BoolOperator::kAnd;
  const ExprIds values = operands(tree_, n);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) parts.text(is_and ? " and " : " or ");
    parts.expr(values[i], tighter(is_and ? Level::kAnd : Level::kOr));
  }
}

void Printer::node(const NamedExpr& n) {
  Parts(*this).expr(n.target, Level::kAtom).text(" := ").expr(n.value, Level::kTest);
}

void Printer::node(const BinOp& n) {
  const auto [text, level] = binary_operator(n.op);
  if (n.op == BinaryOperator::kPower) {  // right to left; `2 ** -1` needs nothing, `(-1) ** 2` does
    Parts(*this).expr(n.left, tighter(level)).text(text).expr(n.right, Level::kSign);
    return;
  }
  Parts(*this).expr(n.left, level).text(text).expr(n.right, tighter(level));
}

void Printer::node(const UnaryOp& n) {
  const auto [text, level] = unary_operator(n.op);
  Parts(*this).text(text).expr(n.operand, level);
}

void Printer::node(const Compare& n) {
  Parts parts(*this);
  parts.expr(n.left, tighter(Level::kCompare));
  for (std::size_t i = 0; i < n.ops.size() && i < n.comparators.size(); ++i) {
    const bool is_in = n.ops[i] == CompareOperator::kIn || n.ops[i] == CompareOperator::kNotIn;
    parts.text(compare_operator(n.ops[i]));
    parts.expr(n.comparators[i], tighter(Level::kCompare), is_in ? kSetDisplay : kAnywhere);
  }
}

void Printer::node(const IfExp& n) {
  Parts parts(*this);
  parts.expr(n.body, tighter(Level::kTest)).text(" if ").expr(n.test, tighter(Level::kTest));
  parts.text(" else ").expr(n.orelse, Level::kTest);
}

void Printer::node(const Await& n) { Parts(*this).text("await ").expr(n.value, Level::kAtom); }

void Printer::node(const Yield& n) {
  if (!n.value.valid()) return put("yield");
  Parts(*this).text("yield ").expr(n.value, Level::kTuple);
}

void Printer::node(const YieldFrom& n) { Parts(*this).text("yield from ").expr(n.value, Level::kTest); }

void Printer::node(const Starred& n) { Parts(*this).text("*").expr(n.value, Level::kBitOr); }

// ---- functions and calls

void Printer::node(const Lambda& n) {
  Parts parts(*this);
  parts.text("lambda");
  const Arguments& a = *n.args;
  if (!a.posonly.empty() || !a.args.empty() || a.vararg || !a.kwonly.empty() || a.kwarg) parts.text(" ");
  arguments(parts, a);
  parts.text(": ").expr(n.body, Level::kTest);
}

void Printer::parameter(Parts& parts, const Parameter& p) {
  parts.text(name(p.name));
  if (p.annotation.valid()) parts.text(": ").expr(p.annotation, Level::kTest);
  if (p.default_.valid()) parts.text(p.annotation.valid() ? " = " : "=").expr(p.default_, Level::kTest);
}

void Printer::arguments(Parts& parts, const Arguments& args) {
  bool first = true;
  for (const Parameter& p : args.posonly) parameter(parts.comma(first), p);
  if (!args.posonly.empty()) parts.comma(first).text("/");
  for (const Parameter& p : args.args) parameter(parts.comma(first), p);
  if (args.vararg) {
    parameter(parts.comma(first).text("*"), *args.vararg);
  } else if (!args.kwonly.empty()) {
    parts.comma(first).text("*");
  }
  for (const Parameter& p : args.kwonly) parameter(parts.comma(first), p);
  if (args.kwarg) parameter(parts.comma(first).text("**"), *args.kwarg);
}

void Printer::keywords(Parts& parts, const Keywords& list, bool& first) {
  for (const Keyword& k : list) {
    parts.comma(first);
    if (k.name.valid()) {
      parts.text(name(k.name)).text("=").expr(k.value, Level::kTest);
    } else {
      parts.text("**").expr(k.value, Level::kBitOr);
    }
  }
}

void Printer::node(const Call& n) {
  Parts parts(*this);
  parts.expr(n.func, Level::kAtom);
  if (n.args.size() == 1 && n.keywords.empty() && is_generator(n.args[0])) {
    parts.expr(n.args[0], Level::kAtom);  // its own parentheses are the call's
    return;
  }
  parts.open("(").exprs(n.args, Level::kNamed);
  bool first = n.args.empty();
  keywords(parts, n.keywords, first);
  parts.close(")");
}

// `f(*x for x in y)` (3.15) is left out: its parentheses cannot be shared.
bool Printer::is_generator(ExprId id) const {
  if (!id.valid() || id.n >= tree_.exprs.size()) return false;
  const auto* n = std::get_if<Comprehension>(&tree_.exprs[id].node);
  return n != nullptr && n->kind == ComprehensionKind::kGenerator && !is_starred(n->elt);
}

bool Printer::is_starred(ExprId id) const {
  return id.valid() && id.n < tree_.exprs.size() && std::holds_alternative<Starred>(tree_.exprs[id].node);
}

// `1.real` is a syntax error; `(1).real` is not.
bool Printer::is_whole_number(ExprId id) const {
  if (!id.valid() || id.n >= tree_.exprs.size()) return false;
  const ExprNode& node = tree_.exprs[id].node;
  if (const auto* literal = std::get_if<IntLiteral>(&node)) return literal->value >= 0;
  const auto* n = std::get_if<ConstantExpr>(&node);
  const Constant* value = n != nullptr ? constant(n->value) : nullptr;
  const auto* number = value != nullptr ? std::get_if<ConstInt>(value) : nullptr;
  return number != nullptr && !number->negative;
}

void Printer::node(const Attribute& n) {
  Parts parts(*this);
  if (is_whole_number(n.value)) {
    parts.open("(").expr(n.value, Level::kAtom).close(")");
  } else {
    parts.expr(n.value, Level::kAtom);
  }
  parts.text(".").text(name(n.attr));
}

// ---- subscripts

void Printer::node(const Subscript& n) {
  Parts(*this).expr(n.value, Level::kAtom).open("[").expr(n.slice, Level::kTuple, kInSubscript).close("]");
}

bool Printer::is_bare_in_subscript(const Tuple& n) const {
  bool has_slice = false;
  bool has_star = false;
  for (const ExprId id : n.elts) {
    has_slice |= id.valid() && id.n < tree_.exprs.size() && std::holds_alternative<Slice>(tree_.exprs[id].node);
    has_star |= is_starred(id);
  }
  if (n.elts.size() < 2) return has_slice || (has_star && dialect_.unparenthesised_star_subscript);
  return !has_star || has_slice || dialect_.unparenthesised_star_subscript;
}

void Printer::node(const Tuple& n, bool in_parentheses, std::uint8_t flags) {
  Parts parts(*this);
  const bool in_subscript = (flags & kInSubscript) != 0 && !in_parentheses;
  if (n.elts.size() < 2) {
    const bool bare = in_subscript && is_bare_in_subscript(n);
    if (!bare) parts.open("(");
    if (!n.elts.empty()) parts.expr(n.elts[0], Level::kNamed, bare ? kSliceAllowed : kAnywhere);
    // In brackets a lone starred element makes a tuple without a comma.
    if (!n.elts.empty() && !(bare && is_starred(n.elts[0]))) parts.text(",");
    if (!bare) parts.close(")");
    return;
  }
  bool first = true;
  for (std::size_t i = 0; i < n.elts.size(); ++i) {
    if (i < 32 && (n.new_lines >> i & 1U) != 0)
      parts.comma_and_new_line();
    else
      parts.comma(first);
    parts.expr(n.elts[i], in_parentheses ? Level::kNamed : Level::kTest, in_subscript ? kSliceAllowed : kAnywhere);
  }
}

void Printer::node(const Slice& n) {
  Parts parts(*this);
  if (n.lower.valid()) parts.expr(n.lower, Level::kTest);
  parts.text(":");
  if (n.upper.valid()) parts.expr(n.upper, Level::kTest);
  if (n.step.valid()) parts.text(":").expr(n.step, Level::kTest);
}

// ---- displays and comprehensions

void Printer::node(const List& n) { Parts(*this).open("[").exprs(n.elts, Level::kNamed).close("]"); }

// There is no empty set display; ast.unparse writes the same.
void Printer::node(const Set& n) {
  if (n.elts.empty()) {
    put("{*()}");
    return;
  }
  Parts(*this).open("{").exprs(n.elts, Level::kTest).close("}");  // a bare walrus only from 3.10 on
}

void Printer::node(const Dict& n) {
  Parts parts(*this);
  parts.open("{");
  bool first = true;
  for (std::size_t i = 0; i < n.values.size(); ++i) {
    parts.comma(first);
    if (i < n.keys.size() && n.keys[i].valid()) {
      parts.expr(n.keys[i], Level::kTest).text(": ").expr(n.values[i], Level::kTest);
    } else {
      parts.text("**").expr(n.values[i], Level::kBitOr);
    }
  }
  parts.close("}");
}

void Printer::node(const Comprehension& n) {
  Parts parts(*this);
  const bool is_dict = n.kind == ComprehensionKind::kDict;
  const bool is_list = n.kind == ComprehensionKind::kList;
  const bool is_generator_expression = n.kind == ComprehensionKind::kGenerator;
  parts.open(is_list ? "[" : is_generator_expression ? "(" : "{");
  if (is_starred(n.elt) || (is_dict && !n.elt.valid()))
    require(dialect_.comprehension_unpacking, "unpacking in a comprehension");
  if (is_dict && n.elt.valid()) {
    parts.expr(n.elt, Level::kTest).text(": ").expr(n.value, Level::kTest);
  } else if (is_dict) {
    parts.text("**").expr(n.value, Level::kBitOr);
  } else {
    parts.expr(n.elt, is_list ? Level::kNamed : Level::kTest);
  }
  for (const Generator& g : n.generators) {
    parts.text(g.is_async ? " async for " : " for ").expr(g.target, Level::kTuple);
    parts.text(" in ").expr(g.iter, Level::kOr, kSetDisplay);
    for (const ExprId test : g.ifs) parts.text(" if ").expr(test, Level::kOr);
  }
  parts.close(is_list ? "]" : is_generator_expression ? ")" : "}");
}

}  // namespace depyf
