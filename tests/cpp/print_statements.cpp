// SPDX-License-Identifier: MIT
// Printing of statements, docstrings and the source map; and the walkers, sizes and equality of trees.
#include <doctest/doctest.h>

#include "ast/walk.h"
#include "print/print.h"

using namespace depyf;
using namespace depyf::ast;

namespace {

struct Maker {
  CodeTree code;
  Tree tree;
  Block body;

  NameId id(std::string_view text) { return tree.intern(text); }
  ExprId name(std::string_view text, std::uint32_t offset = 0xFFFFFFFF) {
    return tree.expr(Name{tree.intern(text)}, Origin{CodeId{0}, offset});
  }
  StmtId pass() { return tree.stmt(Pass{}); }
  std::optional<ConstId> doc(std::string text) { return code.consts.add(ConstStr{std::move(text)}); }
  FunctionDef function(std::string_view function_name, Block block = {}) {
    FunctionDef f;
    f.name = id(function_name);
    f.body = std::move(block);
    return f;
  }
  std::string text(const Block& block, std::uint8_t minor = 12) const {
    const auto printed = print(code, tree, block, dialect_of(Version{3, minor}), {});
    return printed.ok() ? printed->text : "error: " + printed.error().what;
  }
  std::string text(StmtNode node, std::uint8_t minor = 12) { return text(Block{tree.stmt(std::move(node))}, minor); }
};

}  // namespace

TEST_CASE("definitions are separated by blank lines, comments stay with them") {
  Maker m;
  ClassDef c;
  c.name = m.id("C");
  c.docstring = m.doc("Doc.");
  c.bases = {m.name("B")};
  c.keywords = {{m.id("metaclass"), m.name("M")}, {{}, m.name("k")}};
  c.body = {m.tree.stmt(m.function("f")), m.tree.stmt(m.function("g"))};
  const Block module = {m.pass(), m.tree.stmt(Comment{"about C\nmore"}), m.tree.stmt(std::move(c)), m.pass()};
  CHECK(
      m.text(module) ==
      "pass\n\n\n# about C more\nclass C(B, metaclass=M, **k):\n    \"\"\"Doc.\"\"\"\n\n    def f():\n        pass\n\n"
      "    def g():\n        pass\n\n\npass\n");
}

TEST_CASE("docstrings") {
  Maker m;
  const auto with = [&](std::string doc, std::uint8_t minor) {
    FunctionDef f = m.function("f");
    f.docstring = m.doc(std::move(doc));
    const std::string all = m.text(std::move(f), minor);
    return all.substr(std::string("def f():\n    ").size());
  };
  CHECK(with("Say \"hi\"", 12) == "\"\"\"Say \"hi\\\"\"\"\"\n");
  CHECK(with("a\n    b\n    ", 12) == "\"\"\"a\n    b\n    \"\"\"\n");
  CHECK(with("a\n\nb\n  c\n", 13) == "\"\"\"a\n\n    b\n      c\n    \"\"\"\n");
  CHECK(with("a\n\nb\n  c\n", 12) == "\"\"\"a\n\nb\n  c\n\"\"\"\n");
  CHECK(with("a\n  c", 13) == "\"\"\"a\n  c\"\"\"\n");  // lines have a common indent: not indented
  CHECK(with("\\d and \\w", 13) == "r\"\"\"\\d and \\w\"\"\"\n");
  CHECK(with("\\d \x01", 13) == "\"\"\"\\\\d \\x01\"\"\"\n");
  CHECK(with("x\n# -*- coding: latin-1 -*-\n", 12) == "'x\\n# -*- coding: latin-1 -*-\\n'\n");
}

TEST_CASE("compound statements") {
  Maker m;
  const ExprId x = m.name("x");
  const StmtId inner = m.tree.stmt(If{x, {m.pass()}, {m.pass()}});
  CHECK(m.text(If{x, {m.pass()}, {inner}}) == "if x:\n    pass\nelif x:\n    pass\nelse:\n    pass\n");
  Try t;
  t.handlers = {{x, m.id("e"), {}}, {{}, {}, {}}};
  t.finalbody = {m.pass()};
  CHECK(m.text(t) == "try:\n    pass\nexcept x as e:\n    pass\nexcept:\n    pass\nfinally:\n    pass\n");
  t.is_star = true;
  CHECK(m.text(t, 10).starts_with("error: "));
  CHECK(m.text(Try{}).starts_with("error: "));
  FunctionDef f = m.function("f");
  f.is_async = true;
  f.args->posonly = {{m.id("a"), {}, {}}};
  f.args->args = {{m.id("b"), x, x}};
  f.args->kwonly = {{m.id("c"), {}, x}};
  f.args->kwarg = Parameter{m.id("d"), x, {}};
  f.returns = x;
  f.decorators = {x, m.tree.expr(Subscript{x, x})};
  f.type_params = {{TypeParam::Kind::kTypeVar, m.id("T"), x, {}}, {TypeParam::Kind::kTypeVarTuple, m.id("Ts"), {}, {}}};
  CHECK(m.text(f) == "@x\n@x[x]\nasync def f[T: x, *Ts](a, /, b: x = x, *, c=x, **d: x) -> x:\n    pass\n");
  CHECK(m.text(f, 11).starts_with("error: "));
  f.type_params.clear();
  CHECK(m.text(f, 8).starts_with("error: "));
  const PatternId a = m.tree.pattern(MatchAs{{}, m.id("a")});
  const PatternId rest = m.tree.pattern(MatchStar{{}});
  const PatternId either = m.tree.pattern(MatchOr{{m.tree.pattern(MatchValue{m.tree.expr(IntLiteral{-1})}), a}});
  const PatternId sequence = m.tree.pattern(MatchSequence{{m.tree.pattern(MatchAs{either, m.id("b")}), rest}});
  const PatternId cls = m.tree.pattern(MatchClass{x, {sequence}, {m.id("k")}, {m.tree.pattern(MatchAs{})}});
  const PatternId mapping = m.tree.pattern(MatchMapping{{x}, {m.tree.pattern(MatchAs{cls, m.id("c")})}, m.id("r")});
  CHECK(m.text(Match{x, {{mapping, x, {}}}}) ==
        "match x:\n    case {x: x([-1 | a as b, *_], k=_) as c, **r} if x:\n        pass\n");
}

TEST_CASE("simple statements") {
  Maker m;
  const ExprId x = m.name("x");
  CHECK(m.text(AnnAssign{x, x, {}, false}) == "(x): x\n");
  CHECK(m.text(AugAssign{x, BinaryOperator::kFloorDivide, x}) == "x //= x\n");
  CHECK(m.text(Raise{x, x}) == "raise x from x\n");
  CHECK(m.text(Import{{{"a.b", m.id("c")}, {"d", {}}}, false}) == "import a.b as c, d\n");
  CHECK(m.text(ImportFrom{"a", {{"*", {}}}, 2, false}) == "from ..a import *\n");
  CHECK(m.text(ImportFrom{"", {{"b", {}}}, 1, true}, 15) == "lazy from . import b\n");
  CHECK(m.text(Import{{{"a", {}}}, true}, 14).starts_with("error: "));
  CHECK(m.text(Global{{m.id("a"), m.id("b")}}) == "global a, b\n");
  CHECK(m.text(Comment{"-*- coding: latin-1"}) == "# -*- coding : latin-1\n");
  CHECK(m.text(TypeAlias{m.id("T"), {}, x}) == "type T = x\n");
}

TEST_CASE("depth of statements") {
  Maker m;
  const ExprId x = m.name("x");
  StmtId chain = m.pass();
  for (int i = 0; i < 20000; ++i) chain = m.tree.stmt(If{x, {m.pass()}, {chain}});
  CHECK(m.text(Block{chain}).size() > 20000);
  CHECK(equal(m.tree, m.code, Block{chain}, Block{chain}));
  StmtId nested = m.pass();
  for (int i = 0; i < 99; ++i) nested = m.tree.stmt(While{x, {nested}, {}});
  CHECK(m.text(Block{nested}).starts_with("while x:"));
  CHECK(m.text(While{x, {nested}, {}}) == "error: printing: more than 99 levels of indentation");
}

TEST_CASE("long lines are broken at the outermost level") {
  Maker m;
  const auto named = [&](char c) { return m.name(std::string(27, c)); };
  const auto call = [&](ExprIds args) { return m.tree.expr(Call{m.name("function_1"), std::move(args), {}}); };
  const ExprId a = named('a'), b = named('b'), c = named('c'), d = named('d');
  const std::string A(27, 'a'), B(27, 'b'), C(27, 'c'), D(27, 'd'), all = A + ", " + B + ", " + C + ", " + D;
  const ExprId three = call({a, b, c});
  const std::string inner = "function_1(" + A + ", " + B + ", " + C + ")";
  CHECK(m.text(ExprStmt{three}) == inner + "\n");
  CHECK(m.text(ExprStmt{call({a, b, c, d})}) == "function_1(\n    " + all + "\n)\n");
  CHECK(m.text(ExprStmt{call({three, d})}) == "function_1(\n    " + inner + ",\n    " + D + "\n)\n");
  // A line is broken at an operator, or in a tuple of targets, within parentheses; a table of short items has several
  // items on a line.
  const ExprId both = m.tree.expr(BoolOp{BoolOperator::kAnd, {three, d}});
  CHECK(m.text(Return{both}) == "return (\n    " + inner + "\n    and " + D + "\n)\n");
  CHECK(m.text(If{both, {m.pass()}, {}}) == "if (\n    " + inner + "\n    and " + D + "\n):\n    pass\n");
  const ExprId targets = m.tree.expr(Tuple{{a, b, c, d}});
  CHECK(m.text(Assign{{targets}, call({d})}) == "(\n    " + all + "\n) = function_1(" + D + ")\n");
  const std::vector<ExprId> cells(50, m.name("cell"));
  CHECK(m.text(ExprStmt{m.tree.expr(List{ExprIds(cells.begin(), cells.end())})}).starts_with("[\n    cell, cell, "));
  // A long string is split into adjacent literals, unless that makes no line shorter.
  const ExprId text = m.tree.expr(StrLiteral{A + " " + B + " " + C + " " + D + " " + A});
  CHECK(m.text(ExprStmt{call({text})}) ==
        "function_1(\n    '" + A + " " + B + " " + C + " " + D + " '\n    '" + A + "'\n)\n");
  const ExprId field = m.tree.expr(FormattedValue{c, 0, {}});
  const auto literal = [&](const std::string& t) { return m.tree.expr(StrLiteral{t}); };
  const ExprId joined = m.tree.expr(JoinedStr{{literal(A + " " + B + ": "), field, literal(" and " + D + D)}});
  CHECK(m.text(Raise{call({joined}), {}}) ==
        "raise function_1(\n    f'" + A + " " + B + ": {" + C + "} and '\n    f'" + D + D + "'\n)\n");
  CHECK(m.text(ExprStmt{call({m.name(A + B + C + D + A)})}) == "function_1(" + A + B + C + D + A + ")\n");
}

TEST_CASE("the source map covers each node's text, parents first") {
  Maker m;
  const ExprId sum = m.tree.expr(BinOp{m.name("\xC3\xA9", 2), BinaryOperator::kAdd, m.name("b", 4)}, {CodeId{0}, 6});
  const ExprId field = m.tree.expr(FormattedValue{sum, 0, {}}, {CodeId{0}, 8});
  const StmtId inner = m.tree.stmt(Return{m.tree.expr(JoinedStr{{field}}, {CodeId{0}, 10})}, {CodeId{0}, 12});
  const Block body = {m.tree.stmt(If{m.name("t", 0), {inner}, {}}, {CodeId{0}, 14})};
  const auto printed = print(m.code, m.tree, body, dialect_of(Version{3, 11}), {});
  REQUIRE(printed.ok());
  CHECK(printed->text == "if t:\n    return f'{\xC3\xA9 + b}'\n");
  struct Want {
    std::uint32_t offset, line, column, end_line, end_column;
  };
  const std::vector<Want> wants = {{14, 1, 0, 1, 5},  {0, 1, 3, 1, 4},   {12, 2, 4, 2, 22}, {10, 2, 11, 2, 22},
                                   {8, 2, 13, 2, 21}, {6, 2, 14, 2, 20}, {2, 2, 14, 2, 16}, {4, 2, 19, 2, 20}};
  REQUIRE(printed->map.size() == wants.size());
  for (std::size_t i = 0; i < wants.size(); ++i) {
    const MapEntry& e = printed->map[i];
    CHECK(e.offset == wants[i].offset);
    CHECK(e.range.line == wants[i].line);
    CHECK(e.range.column == wants[i].column);
    CHECK(e.range.end_line == wants[i].end_line);
    CHECK(e.range.end_column == wants[i].end_column);
  }
}

TEST_CASE("walkers, sizes and equality") {
  Maker m;
  const auto build = [&](std::string_view last) {
    const ExprId call = m.tree.expr(Call{m.name("f"), {m.name("a")}, {{m.id("k"), m.name(last)}}});
    const ExprId compare = m.tree.expr(Compare{call, {CompareOperator::kLt}, {m.tree.expr(IntLiteral{1})}});
    return Block{m.tree.stmt(If{compare, {m.tree.stmt(Return{})}, {}}), m.tree.stmt(Comment{"c"})};
  };
  const Block one = build("b");
  CHECK(tree_size(m.tree, one) == 10);  // If, Compare, Lt, Call, f, a, keyword, b, Constant, Return
  CHECK(equal(m.tree, m.code, one, build("b")));
  CHECK_FALSE(equal(m.tree, m.code, one, build("c")));
  std::string names;
  walk(m.tree, one, [&](ExprId id) {
    if (const auto* n = std::get_if<Name>(&m.tree.exprs[id].node)) names += m.tree.text(n->id);
    return true;
  });
  CHECK(names == "fab");
  auto& node = m.tree.stmts[one[0]].node;
  for_each_child_expr(node, [&](ExprId& id) { id = m.name("replaced"); });
  CHECK(m.text(one) == "if replaced:\n    return\n# c\n");
  const ExprId zero = m.tree.expr(ConstantExpr{m.code.consts.add(ConstFloat{0.0})});
  const ExprId minus_zero = m.tree.expr(ConstantExpr{m.code.consts.add(ConstFloat{-0.0})});
  CHECK_FALSE(equal(m.tree, m.code, zero, minus_zero));
}
