// SPDX-License-Identifier: MIT
// Prints expressions: the precedence level of each, and its parts in text order.
//
// Invariant: parentheses only where the grammar needs them (Grammar/python.gram), or where some version of 3.8-3.15
// needs them and they cost little. The functions only push parts and never recurse. Strings and constants are printed
// elsewhere.
#include "ast/walk.h"
#include "print/nodes.h"
#include "support/unicode.h"

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

Level level_of(const Input& in, const ExprNode& node) {
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
      [&](const ConstantExpr& n) {
        const Constant* value = in.constant(n.value);
        return value != nullptr ? level_of(in, *value) : Level::kAtom;
      },
      [](const NoneLiteral&) { return Level::kAtom; },
      [](const IntLiteral& n) { return n.value < 0 ? Level::kSign : Level::kAtom; },
      [](const StrLiteral&) { return Level::kAtom; }, [](const BytesLiteral&) { return Level::kAtom; },
      [](const EllipsisLiteral&) { return Level::kAtom; },
      [](const Verbatim& n) { return is_constant_name(n.text) ? Level::kAtom : Level::kTest; },
      [](const Attribute&) { return Level::kAtom; }, [](const Subscript&) { return Level::kAtom; },
      [](const Starred&) { return Level::kAtom; }, [](const Name&) { return Level::kAtom; },
      [](const List&) { return Level::kAtom; },
      [](const Tuple& n) { return n.elts.size() < 2 ? Level::kAtom : Level::kTuple; },
      [](const Slice&) { return Level::kAtom; });
}

// `f(*x for x in y)` (3.15) is excluded: the call needs parentheses of its own.
bool is_generator(const Input& in, ExprId id) {
  const auto* n = in.find<Comprehension>(id);
  return n != nullptr && n->kind == ComprehensionKind::kGenerator && !is_starred(in, n->elt);
}

// `1.real` is a syntax error, `(1).real` is not.
bool is_whole_number(const Input& in, ExprId id) {
  if (const auto* literal = in.find<IntLiteral>(id)) return literal->value >= 0;
  const auto* number = in.constant<ConstInt>(id);
  return number != nullptr && !number->negative;
}

bool is_percent_format(const Input& in, const BinOp& n) {
  return n.op == BinaryOperator::kRemainder && (in.plain_text(n.left) || in.find<JoinedStr>(n.left) != nullptr);
}

// Returns whether the target version accepts the tuple without parentheses in a subscript.
bool is_bare_in_subscript(const Input& in, const Tuple& n) {
  bool has_slice = false;
  bool has_star = false;
  for (const ExprId id : n.elts) {
    has_slice |= in.find<Slice>(id) != nullptr;
    has_star |= is_starred(in, id);
  }
  if (n.elts.size() < 2) return has_slice || (has_star && in.dialect.unparenthesised_star_subscript);
  return !has_star || has_slice || in.dialect.unparenthesised_star_subscript;
}

// ---- operators

// `a and (b and c)` and `(a and b) and c` keep their parentheses: 3.12 and 3.13 compile the two differently.
void node(Printer& p, const BoolOp& n) {
  Parts parts(p);
  const bool is_and = n.op == BoolOperator::kAnd;
  const ExprIds values = operands(p.in.tree, n);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) parts.binary_operator(is_and ? " and " : " or ");
    parts.expr(values[i], tighter(is_and ? Level::kAnd : Level::kOr));
  }
}

void node(Printer& p, const NamedExpr& n) {
  Parts(p).expr(n.target, Level::kAtom).text(" := ").expr(n.value, Level::kTest);
}

void node(Printer& p, const BinOp& n) {
  const auto [text, level] = binary_operator(n.op);
  if (n.op == BinaryOperator::kPower) {  // right-associative; `2 ** -1` needs no parentheses, `(-1) ** 2` does
    Parts(p).expr(n.left, tighter(level)).text(text).expr(n.right, Level::kSign);
    return;
  }
  Parts parts(p);
  parts.expr(n.left, level, kLeftOperand);
  if (is_percent_format(p.in, n))
    parts.text(text);
  else
    parts.binary_operator(text);
  parts.expr(n.right, tighter(level));
}

void node(Printer& p, const UnaryOp& n) {
  const auto [text, level] = unary_operator(n.op);
  Parts(p).text(text).expr(n.operand, level);
}

void node(Printer& p, const Compare& n) {
  Parts parts(p);
  parts.expr(n.left, tighter(Level::kCompare));
  for (std::size_t i = 0; i < n.ops.size() && i < n.comparators.size(); ++i) {
    const bool is_in = n.ops[i] == CompareOperator::kIn || n.ops[i] == CompareOperator::kNotIn;
    parts.binary_operator(compare_operator(n.ops[i]));
    parts.expr(n.comparators[i], tighter(Level::kCompare), is_in ? kSetDisplay : kAnywhere);
  }
}

void node(Printer& p, const IfExp& n) {
  Parts parts(p);
  parts.expr(n.body, tighter(Level::kTest)).binary_operator(" if ").expr(n.test, tighter(Level::kTest));
  parts.binary_operator(" else ").expr(n.orelse, Level::kTest);
}

void node(Printer& p, const Await& n) { Parts(p).text("await ").expr(n.value, Level::kAtom); }

void node(Printer& p, const Yield& n) {
  if (!n.value.valid()) return p.out.put("yield");
  Parts(p).text("yield ").expr(n.value, Level::kTuple);
}

void node(Printer& p, const YieldFrom& n) { Parts(p).text("yield from ").expr(n.value, Level::kTest); }

void node(Printer& p, const Starred& n) { Parts(p).text("*").expr(n.value, Level::kBitOr); }

// ---- functions and calls

void node(Printer& p, const Lambda& n) {
  Parts parts(p);
  parts.text("lambda");
  const Arguments& a = *n.args;
  if (!a.posonly.empty() || !a.args.empty() || a.vararg || !a.kwonly.empty() || a.kwarg) parts.text(" ");
  print_arguments(parts, a);
  parts.text(": ").expr(n.body, Level::kTest);
}

void node(Printer& p, const Call& n) {
  Parts parts(p);
  parts.expr(n.func, Level::kAtom);
  if (n.args.size() == 1 && n.keywords.empty() && is_generator(p.in, n.args[0])) {
    parts.expr(n.args[0], Level::kAtom);  // its own parentheses serve as the call's
    return;
  }
  parts.open("(").exprs(n.args, Level::kNamed);
  print_keywords(parts, n.keywords, n.args.empty());
  parts.close(")");
}

void node(Printer& p, const Attribute& n) {
  Parts parts(p);
  if (is_whole_number(p.in, n.value)) {
    parts.open("(").expr(n.value, Level::kAtom).close(")");
  } else {
    parts.expr(n.value, Level::kAtom);
  }
  parts.text(".").name(n.attr);
}

// ---- subscripts

void node(Printer& p, const Subscript& n) {
  Parts(p).expr(n.value, Level::kAtom).open("[").expr(n.slice, Level::kTuple, kInSubscript).close("]");
}

void node(Printer& p, const Tuple& n, bool in_parentheses, std::uint8_t flags) {
  Parts parts(p);
  const bool in_subscript = (flags & kInSubscript) != 0 && !in_parentheses;
  if (n.elts.size() < 2) {
    const bool bare = in_subscript && is_bare_in_subscript(p.in, n);
    if (!bare) parts.open("(");
    if (!n.elts.empty()) parts.expr(n.elts[0], Level::kNamed, bare ? kSliceAllowed : kAnywhere);
    // In a subscript a single starred element makes a tuple without a comma.
    if (!n.elts.empty() && !(bare && is_starred(p.in, n.elts[0]))) parts.text(",");
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

void node(Printer& p, const Slice& n) {
  Parts parts(p);
  if (n.lower.valid()) parts.expr(n.lower, Level::kTest);
  parts.text(":");
  if (n.upper.valid()) parts.expr(n.upper, Level::kTest);
  if (n.step.valid()) parts.text(":").expr(n.step, Level::kTest);
}

// ---- displays and comprehensions

void node(Printer& p, const List& n) { Parts(p).open("[").exprs(n.elts, Level::kNamed).close("]"); }

// There is no display of an empty set; ast.unparse writes the same.
void node(Printer& p, const Set& n) {
  if (n.elts.empty()) {
    p.out.put("{*()}");
    return;
  }
  Parts(p).open("{").exprs(n.elts, Level::kTest).close("}");  // a bare walrus only from 3.10 on
}

void node(Printer& p, const Dict& n) {
  Parts parts(p);
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

void node(Printer& p, const Comprehension& n) {
  Parts parts(p);
  const bool is_dict = n.kind == ComprehensionKind::kDict;
  const bool is_list = n.kind == ComprehensionKind::kList;
  const bool is_generator_expression = n.kind == ComprehensionKind::kGenerator;
  parts.open(is_list ? "[" : is_generator_expression ? "(" : "{");
  if (is_starred(p.in, n.elt) || (is_dict && !n.elt.valid()))
    p.out.require(p.in.dialect.comprehension_unpacking, "unpacking in a comprehension");
  if (is_dict && n.elt.valid()) {
    parts.expr(n.elt, Level::kTest).text(": ").expr(n.value, Level::kTest);
  } else if (is_dict) {
    parts.text("**").expr(n.value, Level::kBitOr);
  } else {
    parts.expr(n.elt, is_list ? Level::kNamed : Level::kTest);
  }
  for (const Generator& g : n.generators) {
    parts.binary_operator(g.is_async ? " async for " : " for ").expr(g.target, Level::kTuple, kSolidTuple);
    parts.text(" in ").expr(g.iter, Level::kOr, kSetDisplay);
    for (const ExprId test : g.ifs) parts.binary_operator(" if ").expr(test, Level::kOr);
  }
  parts.close(is_list ? "]" : is_generator_expression ? ")" : "}");
}

// Returns whether the node is the left operand of the same precedence level, such as `a + b` in `a + b + c`.
bool continues_chain(const Input& in, const ExprNode& node, Level place, std::uint8_t flags) {
  return (flags & kLeftOperand) != 0 && std::holds_alternative<BinOp>(node) && level_of(in, node) == place;
}

void visit_node(Printer& p, ExprId id, Level place, bool in_parentheses, std::uint8_t flags) {
  match(
      p.in.tree.exprs[id].node, [&](const auto& n) { node(p, n); },
      [&](const Tuple& n) { node(p, n, in_parentheses, flags); },
      [&](const JoinedStr& n) { print_joined(p, n.values, false, place); },
      [&](const TemplateStr& n) { print_joined(p, n.values, true, place); },
      [&](const FormattedValue&) { print_joined(p, {id}, false, place); },
      [&](const Interpolation&) {  // on its own, as in edited code
        print_joined(p, {id}, true, place);
        p.out.put(".interpolations[0]");
      },
      [&](const ConstantExpr& n) {
        const Constant* value = p.in.constant(n.value);
        if (value != nullptr && !put_spelled(p, *value, spelling_of(p.in.options.spellings, id)))
          put_constant(p, *value, in_parentheses, flags);
      },
      [&](const NoneLiteral&) { p.out.put("None"); }, [&](const IntLiteral& n) { p.out.put(std::to_string(n.value)); },
      [&](const StrLiteral& n) { put_str(p, n.text); }, [&](const BytesLiteral& n) { put_bytes(p, n.data); },
      [&](const EllipsisLiteral&) { p.out.put("..."); }, [&](const Verbatim& n) { p.out.put_lines(n.text); },
      [&](const Name& n) { p.out.put(p.out.name(n.id, NameUse::kVariable)); });
}

}  // namespace

bool has_operators(const Input& in, ExprId id) {
  const auto* binary = in.find<BinOp>(id);
  if (binary != nullptr) return binary->op != BinaryOperator::kPower && !is_percent_format(in, *binary);
  return in.has(id) && is<BoolOp, Compare, IfExp>(in.tree.exprs[id].node);
}

bool is_starred(const Input& in, ExprId id) { return in.find<Starred>(id) != nullptr; }

void print_expr(Printer& p, ExprId id, Level place, std::uint8_t flags) {
  if (!p.in.has(id)) return p.out.fail(Errc::kInternal, "an expression is missing");
  const Expr& e = p.in.tree.exprs[id];
  if (const auto* variable = std::get_if<Name>(&e.node)) {  // every third expression, and never in parentheses
    const std::uint32_t mark = p.out.begin_mark(e.origin);
    p.out.put(p.out.name(variable->id, NameUse::kVariable));
    return p.out.end_mark(mark);
  }
  bool in_parentheses = !is<Call, Attribute, Subscript>(e.node) && needs_parentheses(level_of(p.in, e.node), place);
  if (const auto* tuple = std::get_if<Tuple>(&e.node); tuple != nullptr && (flags & kInSubscript) != 0)
    in_parentheses = tuple->elts.size() > 1 && !is_bare_in_subscript(p.in, *tuple);
  else if (tuple != nullptr && tuple->new_lines != 0)
    in_parentheses = true;
  else if (is<Tuple, ConstantExpr>(e.node) && (flags & kInSubscript) == 0 && level_of(p.in, e.node) == Level::kTuple)
    in_parentheses = in_parentheses || spelling_of(p.in.options.spellings, id) == Spelling::kInParentheses;
  // Outside brackets, the lambda's colon would end the expression of an f-string's field.
  if (std::holds_alternative<Lambda>(e.node) && p.out.parentheses == p.strings.parentheses) in_parentheses = true;
  const std::uint32_t mark = p.begin_node(e.origin, in_parentheses);
  const auto visit = [&] { visit_node(p, id, in_parentheses ? Level::kYield : place, in_parentheses, flags); };
  const bool is_unbreakable = std::holds_alternative<Lambda>(e.node) || (flags & kSolidTuple) != 0;
  if (is_unbreakable)
    p.group(BreakPoint::Kind::kSolid, visit);
  else if (has_operators(p.in, id) && !continues_chain(p.in, e.node, place, flags))
    p.group(BreakPoint::Kind::kOperands, visit);
  else
    visit();
  p.end_node(mark, in_parentheses);
}

}  // namespace depyf
