// SPDX-License-Identifier: MIT
// Printing of expressions and constants: parentheses, quotes, f-strings per version, depth and limits.
#include <doctest/doctest.h>

#include "ast/walk.h"
#include "print/print.h"

using namespace depyf;
using namespace depyf::ast;

namespace {

struct Maker {
  CodeTree code;
  Tree tree;

  ExprId name(std::string_view text) { return tree.expr(Name{tree.intern(text)}); }
  ExprId constant(Constant c) { return tree.expr(ConstantExpr{code.consts.add(std::move(c))}); }
  ExprId number(std::int64_t n) { return tree.expr(IntLiteral{n}); }
  ExprId str(std::string text) { return constant(ConstStr{std::move(text)}); }
  ExprId binary(ExprId a, BinaryOperator op, ExprId b) { return tree.expr(BinOp{a, op, b}); }
  ExprId unary(UnaryOperator op, ExprId a) { return tree.expr(UnaryOp{op, a}); }
  ExprId field(ExprId value, char conversion = 0, ExprId spec = {}) {
    return tree.expr(FormattedValue{value, conversion, spec});
  }
  ExprId fstring(ExprIds parts) { return tree.expr(JoinedStr{std::move(parts)}); }
  ExprId item(ExprId value, ExprId index) { return tree.expr(Subscript{value, index}); }
  ExprId tuple(ExprIds elts) { return tree.expr(Tuple{std::move(elts)}); }

  std::string text(ExprId id, std::uint8_t minor = 12) const {
    const auto printed = print_expr(code, tree, id, dialect_of(Version{3, minor}));
    return printed.ok() ? *printed : "error: " + printed.error().what;
  }
  std::string line(StmtNode node, std::uint8_t minor = 12) {
    const auto printed = print(code, tree, {tree.stmt(std::move(node))}, dialect_of(Version{3, minor}), {});
    return printed.ok() ? printed->text : "error: " + printed.error().what + "\n";
  }
};

}  // namespace

TEST_CASE("parentheses are printed only where they are needed") {
  Maker m;
  const ExprId a = m.name("a");
  const ExprId b = m.name("b");
  using B = BinaryOperator;
  using U = UnaryOperator;
  CHECK(m.text(m.binary(m.binary(a, B::kAdd, b), B::kMultiply, a)) == "(a + b) * a");
  CHECK(m.text(m.binary(m.binary(a, B::kSubtract, b), B::kSubtract, a)) == "a - b - a");
  CHECK(m.text(m.binary(a, B::kSubtract, m.binary(b, B::kSubtract, a))) == "a - (b - a)");
  CHECK(m.text(m.binary(a, B::kPower, m.binary(b, B::kPower, a))) == "a ** b ** a");
  CHECK(m.text(m.binary(m.binary(a, B::kPower, b), B::kPower, a)) == "(a ** b) ** a");
  CHECK(m.text(m.binary(m.number(-1), B::kPower, m.number(-1))) == "(-1) ** -1");
  CHECK(m.text(m.unary(U::kUSub, m.binary(a, B::kPower, b))) == "-a ** b");
  CHECK(m.text(m.binary(m.unary(U::kUSub, a), B::kPower, b)) == "(-a) ** b");
  CHECK(m.text(m.unary(U::kUSub, m.unary(U::kNot, a))) == "-(not a)");
  CHECK(m.text(m.tree.expr(Attribute{m.number(1), m.tree.intern("real")})) == "(1).real");
  CHECK(m.text(m.tree.expr(Attribute{m.constant(ConstFloat{1.0}), m.tree.intern("real")})) == "1.0.real");
  CHECK(m.text(m.tree.expr(Attribute{m.number(-1), m.tree.intern("real")})) == "(-1).real");
  const ExprId both = m.tree.expr(BoolOp{BoolOperator::kAnd, {a, b}});
  CHECK(m.text(m.tree.expr(BoolOp{BoolOperator::kOr, {both, a}})) == "a and b or a");
  CHECK(m.text(m.tree.expr(BoolOp{BoolOperator::kAnd, {both, a}})) == "(a and b) and a");
  CHECK(m.text(m.tree.expr(BoolOp{BoolOperator::kAnd, {a, both}})) == "a and (a and b)");
  ExprIds rest;  // the rest of a long chain, which is a node of its own
  for (std::size_t i = 0; i < kManyOperands; ++i) rest.push_back(b);
  const ExprId many = m.tree.expr(BoolOp{BoolOperator::kAnd, std::move(rest)});
  CHECK(m.text(m.tree.expr(BoolOp{BoolOperator::kAnd, {a, many}})).starts_with("a and b and b"));
  const ExprId less = m.tree.expr(Compare{a, {CompareOperator::kLt, CompareOperator::kNotIn}, {b, a}});
  CHECK(m.text(less) == "a < b not in a");
  CHECK(m.text(m.unary(U::kNot, less)) == "not a < b not in a");
  CHECK(m.text(m.tree.expr(Compare{less, {CompareOperator::kEq}, {m.unary(U::kNot, a)}})) ==
        "(a < b not in a) == (not a)");
  const ExprId await = m.tree.expr(Await{a});
  CHECK(m.text(m.binary(await, B::kPower, m.tree.expr(Await{m.tree.expr(Await{a})}))) == "await a ** await (await a)");
  const ExprId choice = m.tree.expr(IfExp{a, b, a});
  CHECK(m.text(m.tree.expr(IfExp{choice, choice, choice})) == "(b if a else a) if (b if a else a) else b if a else a");
  CHECK(m.text(m.tree.expr(Call{m.tree.expr(Lambda{{}, a}), {choice}, {}})) == "(lambda: a)(b if a else a)");
}

TEST_CASE("parentheses of tuples, walrus, yield and stars depend on the context") {
  Maker m;
  const ExprId a = m.name("a");
  const ExprId pair = m.tuple({a, m.number(1)});
  const ExprId one = m.tuple({a});
  const ExprId star = m.tuple({m.tree.expr(Starred{a}), a});
  const ExprId walrus = m.tree.expr(NamedExpr{a, m.number(1)});
  const ExprId yield = m.tree.expr(Yield{pair});
  CHECK(m.line(Return{pair}) == "return a, 1\n");
  CHECK(m.line(Return{one}) == "return (a,)\n");
  CHECK(m.line(Return{star}, 8) == "return *a, a\n");
  CHECK(m.line(Return{m.tuple({walrus, a})}) == "return (a := 1), a\n");
  CHECK(m.line(Return{yield}) == "return (yield a, 1)\n");
  CHECK(m.line(Assign{{pair, a}, yield}) == "a, 1 = a = yield a, 1\n");
  CHECK(m.line(ExprStmt{walrus}) == "(a := 1)\n");
  CHECK(m.line(If{walrus, {}, {}}) == "if a := 1:\n    pass\n");
  CHECK(m.line(While{pair, {}, {}}) == "while (a, 1):\n    pass\n");
  CHECK(m.line(For{pair, star, {}, {}, false}, 8) == "for a, 1 in (*a, a):\n    pass\n");
  CHECK(m.line(Delete{{pair, a}}) == "del (a, 1), a\n");
  CHECK(m.line(With{{{pair, {}}}, {}, false}) == "with ((a, 1)):\n    pass\n");
  CHECK(m.line(With{{{pair, one}, {a, {}}}, {}, false}) == "with (a, 1) as (a,), a:\n    pass\n");
  CHECK(m.line(Assert{pair, yield}) == "assert (a, 1), (yield a, 1)\n");
  CHECK(m.text(m.item(a, pair)) == "a[a, 1]");
  CHECK(m.text(m.item(a, one)) == "a[(a,)]");
  CHECK(m.text(m.item(a, walrus), 8) == "a[(a := 1)]");
  CHECK(m.text(m.item(a, star), 10) == "a[(*a, a)]");
  CHECK(m.text(m.item(a, star), 11) == "a[*a, a]");
  CHECK(m.text(m.item(a, m.tuple({m.tree.expr(Starred{a})})), 11) == "a[*a]");
  const ExprId slice = m.tree.expr(Slice{a, {}, m.number(2)});
  CHECK(m.text(m.item(a, m.tuple({slice}))) == "a[a::2,]");
  CHECK(m.text(m.item(a, m.tuple({pair, slice}))) == "a[(a, 1), a::2]");
  const ExprId comprehension =
      m.tree.expr(Comprehension{ComprehensionKind::kGenerator, a, {}, {{pair, a, {a}, false}}});
  CHECK(m.text(m.tree.expr(Call{a, {comprehension}, {}})) == "a(a for a, 1 in a if a)");
  CHECK(m.text(m.tree.expr(Call{a, {comprehension, a}, {{{}, a}}})) == "a((a for a, 1 in a if a), a, **a)");
}

TEST_CASE("strings have the quotes that need no escapes") {
  Maker m;
  CHECK(m.text(m.str("it")) == "'it'");
  CHECK(m.text(m.str("it's")) == "\"it's\"");
  CHECK(m.text(m.str("'\"")) == "'\\'\"'");
  CHECK(m.text(m.str("a\n\\\x01")) == "'a\\n\\\\\\x01'");
  CHECK(m.text(m.str("caf\xC3\xA9 \xE2\x80\x8B \xED\xA0\x80")) == "'caf\xC3\xA9 \\u200b \\ud800'");
  CHECK(m.text(m.constant(ConstBytes{std::string("'\0\xFF", 3)})) == "b\"'\\x00\\xff\"");
}

TEST_CASE("f-strings of versions without nested quotes") {
  Maker m;
  const ExprId x = m.name("x");
  const ExprId key = m.fstring({m.str("a"), m.field(m.item(x, m.str("k")), 'r')});
  CHECK(m.text(key, 8) == "f'a{x[\"k\"]!r}'");
  CHECK(m.text(key, 12) == "f'a{x[\"k\"]!r}'");
  CHECK(m.text(m.fstring({m.str("it's "), m.field(m.item(x, m.str("k")))}), 8) == "f\"it's {x['k']}\"");
  const ExprId apostrophe = m.item(x, m.str("it's"));
  CHECK(m.text(m.fstring({m.field(apostrophe)}), 8) == "f'''{x[\"it's\"]}'''");
  const ExprId nested = m.fstring({m.field(key), m.str("\"")});
  CHECK(m.text(nested, 8) == "f'''{f'a{x[\"k\"]!r}'}\"'''");
  // A newline can be written between triple quotes; a backslash cannot be written at all.
  CHECK(m.text(m.fstring({m.field(m.str("a\n"))}), 8) == "f'''{\"\"\"a\n\"\"\"}'''");
  const ExprId joined = m.fstring({m.str("50% "), m.field(m.str("\\"), 's'), m.field(x, 'r', m.str(">5"))});
  CHECK(m.text(joined, 12) == "f'50% {\"\\\\\"!s}{x!r:>5}'");
  CHECK(m.text(joined, 11) == "'50%% %s%5r' % ('\\\\', x)");
  CHECK(m.text(joined, 10) == "''.join(['50% ', '{!s}'.format('\\\\'), '{!r:>5}'.format(x)])");
  CHECK(m.text(m.binary(joined, BinaryOperator::kPower, x), 11) == "('50%% %s%5r' % ('\\\\', x)) ** x");
  const ExprId width = m.fstring({m.field(m.str("\\")), m.str(".3")});
  CHECK(m.text(m.field(x, 0, width), 9) == "'{:{}}'.format(x, ''.join(['{}'.format('\\\\'), '.3']))");
}

TEST_CASE("f-string fields") {
  Maker m;
  const ExprId x = m.name("x");
  CHECK(m.text(m.fstring({m.str("{"), m.field(m.tree.expr(Set{{x}})), m.str("}")})) == "f'{{{ {x} }}}'");
  const ExprId lambda = m.tree.expr(Lambda{{}, x});
  CHECK(m.text(m.fstring({m.field(lambda)})) == "f'{(lambda: x)}'");
  CHECK(m.text(m.fstring({m.field(m.tree.expr(List{{lambda}}))})) == "f'{[lambda: x]}'");
  CHECK(m.text(m.fstring({m.field(m.tree.expr(IfExp{x, x, lambda}))})) == "f'{x if x else (lambda: x)}'");
  CHECK(m.text(m.fstring({m.field(m.tree.expr(NamedExpr{x, x}))})) == "f'{(x := x)}'");
  CHECK(m.text(m.field(x, 's', m.fstring({m.str("{"), m.field(x)}))) == "f'{x!s:\\x7b{x}}'");
  CHECK(m.text(m.field(m.field(m.field(m.str("a"))))) == "f'{f\"{f'{\"a\"}'}\"}'");
  const ExprId deep = m.field(x, 0, m.field(x, 0, m.field(x)));
  CHECK(m.text(deep, 12) == "f'{x:{x:{x}}}'");
  CHECK(m.text(deep, 11) == "'{:{}}'.format(x, f'{x:{x}}')");
  const ExprId interpolation = m.tree.expr(Interpolation{x, std::string(" x "), 'r', {}});
  CHECK(m.text(m.tree.expr(TemplateStr{{m.str("'"), interpolation}}), 14) == "t\"'{ x !r}\"");
  CHECK(m.text(m.tree.expr(TemplateStr{{interpolation}}), 13).starts_with("error: "));
}

TEST_CASE("constants without a literal") {
  Maker m;
  const ConstId one = m.code.consts.add(ConstInt{false, {1}});
  const ConstId none = m.code.consts.add(ConstNone{});
  const ExprId set = m.constant(ConstFrozenSet{{one}});
  const ExprId x = m.name("x");
  CHECK(m.text(set) == "frozenset({1})");
  CHECK(m.text(m.tree.expr(Compare{x, {CompareOperator::kIn}, {set}})) == "x in {1}");
  CHECK(m.text(m.constant(ConstFrozenSet{})) == "frozenset()");
  const ExprId slice = m.constant(ConstSlice{one, none, none});
  CHECK(m.text(slice) == "slice(1, None, None)");
  CHECK(m.text(m.item(x, slice)) == "x[1:]");
  CHECK(m.text(m.constant(ConstOpaque{3, "torch.float32", true})) == "torch.float32");
  CHECK(m.text(m.constant(ConstOpaque{3, "<object at 0x1>", false})) == "__opaque_3");
  CHECK(m.text(m.constant(ConstCode{CodeId{0}})).starts_with("error: "));
  CHECK(m.text(m.binary(m.constant(ConstComplex{1, 2}), BinaryOperator::kMultiply, x)) == "(1 + 2j) * x");
  CHECK(m.text(m.binary(m.constant(ConstFloat{-0.0}), BinaryOperator::kPower, x)) == "(-0.0) ** x");
}

TEST_CASE("deep nesting uses no call stack, and exceeding CPython's limits is an error") {
  Maker m;
  const ExprId x = m.name("x");
  constexpr std::size_t kDeep = 100000;
  ExprId left = x;
  ExprId right = x;
  ExprId minus = x;
  ExprId attribute = x;
  for (std::size_t i = 0; i < kDeep; ++i) {
    left = m.binary(left, BinaryOperator::kAdd, x);
    right = m.tree.expr(IfExp{x, x, right});
    minus = m.unary(UnaryOperator::kUSub, minus);
    attribute = m.tree.expr(Attribute{attribute, m.tree.intern("y")});
  }
  CHECK(m.text(left).size() == 1 + 4 * kDeep);
  CHECK(m.text(right).size() == 1 + 12 * kDeep);
  CHECK(m.text(minus).size() == 1 + kDeep);
  CHECK(m.text(attribute).size() == 1 + 2 * kDeep);
  CHECK(equal(m.tree, m.code, left, left));
  ExprId list = x;
  for (int i = 0; i < 200; ++i) list = m.tree.expr(List{{list}});
  CHECK(m.text(list).size() == 401);
  list = m.tree.expr(List{{list}});
  const auto printed = print_expr(m.code, m.tree, list, dialect_of(Version{3, 12}));
  REQUIRE(!printed.ok());
  CHECK(printed.error().code == Errc::kLimitExceeded);
  CHECK(printed.error().what == "printing: more than 200 nested parentheses");
  ExprId nested = x;
  for (int i = 0; i < 151; ++i) nested = m.field(nested);
  CHECK(m.text(nested).starts_with("error: printing: more than 150"));
}

TEST_CASE("nodes that are not Python are errors") {
  Maker m;
  CHECK(m.text(m.name(".0")) == "error: printing: no identifier: '.0'");
  CHECK(m.text(m.name("class")).starts_with("error: "));
  CHECK(m.text(m.name("match")) == "match");
  CHECK(m.text(m.name("\xC3\xA9t\xC3\xA9")) == "\xC3\xA9t\xC3\xA9");
  CHECK(m.text(m.name("\xEF\xAC\x81")).starts_with("error: "));  // the ligature fi, which the parser normalises
  CHECK(m.text(ExprId{}).starts_with("error: "));
  CHECK(m.text(m.tree.expr(Attribute{m.name("x"), m.tree.intern("None")})).starts_with("error: "));
}
