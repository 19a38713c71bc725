// SPDX-License-Identifier: MIT
// Tests and conditional expressions by columns; see conditions.h.
#include "idiom/conditions.h"

#include <algorithm>
#include <utility>

#include "ast/constants.h"
#include "ast/negation.h"
#include "ast/walk.h"

namespace depyf::idiom {

namespace {

// Whether a statement leaves a block and evaluates nothing.
bool is_plain_exit(const ast::Tree& tree, ast::StmtId s) {
  return ast::is<ast::Continue, ast::Break>(tree.stmts[s].node);
}

// Whether a test is on the line of a `return`: that of an `if` around it is above, and below what a with statement around both
// gives its place.
bool is_on_line_of(const Columns& columns, ast::ExprId test, const SourcePosition& place) {
  return columns.lines_of({ast::AnyId{test}}).first == place.line;
}

}  // namespace

Conditions::Tests Conditions::tests_of(ast::StmtId s) const {
  const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
  if (test == nullptr || !test->orelse.empty()) return {};
  const auto denied = ast::without_not(tree_, test->test);
  const auto* both = std::get_if<ast::BoolOp>(&tree_.exprs[denied.valid() ? denied : test->test].node);
  const auto op = denied.valid() ? ast::BoolOperator::kOr : ast::BoolOperator::kAnd;
  return {both != nullptr && both->op == op ? both : nullptr, denied.valid()};
}

void Conditions::split_condition(ast::StmtId s, Column around) {
  const auto [both, denied] = tests_of(s);
  if (both == nullptr || around == kUnknown) return;
  const Column inner = around + kIndent;
  const Column body = columns_.column_of_block(std::get<ast::If>(node(s)).body);
  if (body == kUnknown || body < inner + kIndent) return;
  auto values = ast::operands(tree_, *both);
  const auto own = first_on_line(values, inner, kAfterIf, denied);
  if (own != std::ssize(values)) return split_at(s, own);
  const auto last = ast::without_not(tree_, values.back());
  const auto* none = last.valid() ? std::get_if<ast::BoolOp>(&tree_.exprs[last].node) : nullptr;
  if (denied || none == nullptr || none->op != ast::BoolOperator::kOr) return;
  values.pop_back();
  for (const auto each : ast::operands(tree_, *none)) {
    const auto negated = without(each);
    if (!negated) return;
    values.push_back(*negated);
  }
  const auto within = first_on_line(values, inner, kAfterIf);
  if (within == std::ssize(values)) return;
  std::get<ast::If>(node(s)).test = joined(ast::BoolOperator::kAnd, std::move(values));
  split_at(s, within);
}

void Conditions::split_at(ast::StmtId s, std::ptrdiff_t own) {
  const auto [both, denied] = tests_of(s);
  const auto values = ast::operands(tree_, *both);
  const auto part = [&, op = both->op, none = denied](ast::ExprIds of) {
    return none ? inverse(op, of) : joined(op, std::move(of));
  };
  const auto inner = part({values.begin() + own, values.end()}), rest = part({values.begin(), values.begin() + own});
  if (!inner || !rest) return;
  const auto origin = tree_.stmts[s].origin;
  const auto below = tree_.stmt(ast::If{*inner, std::get<ast::If>(node(s)).body, {}}, origin);
  auto& changed = std::get<ast::If>(node(s));
  changed.test = *rest;
  changed.body = {below};
}

void Conditions::split_inner_guard(ast::StmtId s, Column around, End end) {
  const auto [both, denied] = tests_of(s);
  if (both == nullptr || around == kUnknown) return;
  const Column inner = around + kIndent;
  if (columns_.column_of_block(std::get<ast::If>(node(s)).body) != inner) return;
  const auto values = ast::operands(tree_, *both);
  const auto own = first_on_line(values, inner, kAfterIf, !denied);
  if (own == std::ssize(values)) return;
  // A test of both in parentheses, and an `if not b` further out, are followed by the body at once.
  const auto body = columns_.first_line(std::get<ast::If>(node(s)).body[0]);
  const auto above_body = columns_.lines_of({ast::AnyId{values.back()}}).last;
  const auto in_parentheses = [&](ast::ExprId e) { return columns_.start_of(e).column % kIndent != kAfterIf; };
  if (in_parentheses(values[0]) || in_parentheses(values[static_cast<std::size_t>(own)]) || above_body < 0 ||
      body < above_body + 2)
    return;
  const auto op = both->op;
  const ast::ExprIds above(values.begin(), values.begin() + own), below(values.begin() + own, values.end());
  const auto holds = denied ? inverse(op, above) : joined(op, above);
  const auto leaves = denied ? joined(op, below) : inverse(op, below);
  if (!holds || !leaves) return;
  const auto origin = tree_.stmts[s].origin;
  const auto guard = tree_.stmt(ast::If{*leaves, {exits_.make(end, origin)}, {}}, origin);
  auto& changed = std::get<ast::If>(node(s));
  changed.test = *holds;
  changed.body.insert(changed.body.begin(), guard);
}

void Conditions::nest_assertion(ast::StmtId s) {
  const auto* assertion = std::get_if<ast::Assert>(&node(s));
  if (assertion == nullptr) return;
  const auto denied = ast::without_not(tree_, assertion->test);
  const auto op = denied.valid() ? ast::BoolOperator::kAnd : ast::BoolOperator::kOr;
  const auto* tests = std::get_if<ast::BoolOp>(&tree_.exprs[denied.valid() ? denied : assertion->test].node);
  if (tests == nullptr || tests->op != op) return;
  const auto* place = columns_.place_of(s);
  if (place == nullptr) return;
  const auto precedes = [&](ast::ExprId operand) {
    const auto line = columns_.lines_of({ast::AnyId{operand}}).first;
    const Start start = columns_.start_of(operand);
    return line >= 0 && (line != place->line ? line < place->line : start.known() && start.column < place->column);
  };
  const auto values = ast::operands(tree_, *tests);
  // the first operand that stands in the assertion
  auto own = std::ranges::find_if_not(values, precedes) - values.begin();
  if (own == 0 || own == std::ssize(values)) return;
  const Start last = columns_.start_of(values[static_cast<std::size_t>(own)]);
  if (last.known() && last.line == place->line && last.column == place->column) {  // 3.11 raises where the last test is
    const Start first = columns_.start_of(values[0]);
    own = std::ssize(values);
    for (const Column c : {first.column - kAfterIf, first.column - kAfterIf - kNot})
      for (const Column keyword : {kAfterAssert, denied.valid() ? kAfterAssert + kNot : kAfterAssert})
        if (first.known() && c % kIndent == 0) own = std::min(own, first_on_line(values, c + kIndent, keyword));
    if (own == std::ssize(values)) return;
  }
  const ast::ExprIds above(values.begin(), values.begin() + own), below(values.begin() + own, values.end());
  const auto opposite = inverse(op, denied.valid() ? below : above);
  if (!opposite) return;
  const auto origin = tree_.stmts[s].origin;
  const auto message = std::get<ast::Assert>(node(s)).msg;
  const auto holds = denied.valid() ? joined(op, above) : *opposite;
  const auto inner = tree_.stmt(ast::Assert{denied.valid() ? *opposite : joined(op, below), message}, origin);
  node(s) = ast::If{holds, {inner}, {}};
}

Conditions::Operands Conditions::operands_of(ast::ExprId test) const {
  const auto denied = ast::without_not(tree_, test);
  const auto* both = std::get_if<ast::BoolOp>(&tree_.exprs[denied.valid() ? denied : test].node);
  if (both == nullptr) return {};
  return {both->op, ast::operands(tree_, *both), denied.valid(),
          (both->op == ast::BoolOperator::kOr) != denied.valid()};
}

bool Conditions::split_guard(ast::Block& block, std::size_t i, Column around, End end) {
  const auto* test = std::get_if<ast::If>(&node(block[i]));
  if (test == nullptr || !test->orelse.empty() || around == kUnknown) return false;
  const auto [op, values, denied, any] = operands_of(test->test);
  auto own = std::ssize(values);
  if (any && !denied) own = first_on_line(values, around, kAfterIf);
  for (auto k = own; k-- > 1;)
    if (columns_.is_tested_after(values[k - 1], values[k], around, denied)) own = k;
  return own != std::ssize(values) && split_guard_at(block, i, {own}, end);
}

bool Conditions::split_guard_at(ast::Block& block, std::size_t i, const std::vector<std::ptrdiff_t>& begins, End end) {
  const auto& test = std::get<ast::If>(node(block[i]));
  const auto [op, values, denied, any] = operands_of(test.test);
  if (!test.orelse.empty() || (any ? test.body.size() != 1 || !is_plain_exit(tree_, test.body[0]) : end == End::kOther))
    return false;
  ast::ExprIds guards;
  auto from = values.begin();
  for (const auto begin : begins) {
    const ast::ExprIds part(from, values.begin() + begin);
    const auto guard = op == ast::BoolOperator::kOr ? joined(op, part) : inverse(op, part);
    if (!guard) return false;
    guards.push_back(*guard);
    from = values.begin() + begin;
  }
  const ast::ExprIds part(from, values.end());
  const auto rest = denied ? inverse(op, part) : joined(op, part);
  if (!rest) return false;
  const auto origin = tree_.stmts[block[i]].origin;
  const auto exit_node = any ? node(test.body[0]) : ast::StmtNode{};
  const auto exit_origin = any ? tree_.stmts[test.body[0]].origin : origin;
  ast::Block made;
  for (const auto guard : guards) {
    const auto exit = any ? tree_.stmt(ast::StmtNode(exit_node), exit_origin) : exits_.make(end, origin);
    made.push_back(made.empty() ? exit : tree_.stmt(ast::If{guard, {exit}, {}}, origin));
  }
  const auto exit = std::exchange(made.front(), block[i]);
  made.push_back(tree_.stmt(ast::StmtNode(node(block[i])), origin));
  std::get<ast::If>(node(made.back())).test = *rest;
  auto& changed = std::get<ast::If>(node(block[i]));
  changed.test = guards.front();
  changed.body = {exit};
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, made.begin() + 1, made.end());
  return true;
}

void Conditions::split_loop_test(ast::StmtId s) {
  const auto* loop = std::get_if<ast::While>(&node(s));
  if (loop == nullptr || !loop->orelse.empty()) return;
  const auto [op, values, denied, any] = operands_of(loop->test);
  const Column body = values.empty() || any ? kUnknown : columns_.column_of_block(loop->body);
  if (body == kUnknown) return;
  const Column own = body - kIndent;
  const Column outer = columns_.start_of(values[0]).column;
  const bool has_line = !columns_.is_right_below(values.back(), loop->body[0]);  // of a `break`
  const auto first = first_on_line(values, own + (has_line ? kIndent : 0), kAfterIf, has_line != denied);
  if (first == std::ssize(values) || columns_.start_of(values[static_cast<std::size_t>(first)]).column == outer) return;
  if (!has_line && outer != own - kIndent + kAfterWhile) return;
  const ast::ExprIds above(values.begin(), values.begin() + first), below(values.begin() + first, values.end());
  const auto holds = denied ? inverse(op, above) : joined(op, above);
  const auto inner = denied == has_line ? joined(op, below) : inverse(op, below);
  if (!holds || !inner) return;
  const auto origin = tree_.exprs[*inner].origin;
  const auto exit = tree_.stmt(ast::Break{}, origin);
  const auto test = tree_.stmt(ast::If{*inner, {exit}, {}}, origin);
  auto& changed = std::get<ast::While>(node(s));
  changed.test = *holds;
  if (has_line) {
    changed.body.insert(changed.body.begin(), test);
  } else {
    std::get<ast::If>(node(test)) = ast::If{*inner, std::exchange(changed.body, {test}), {exit}};
  }
}

bool Conditions::as_conditional(ast::Block& block, std::size_t i) {
  auto& test = std::get<ast::If>(node(block[i]));
  const bool follows = test.orelse.empty() && i + 1 < block.size();
  if (test.body.size() != 1 || (!follows && test.orelse.size() != 1)) return false;
  const auto a = test.body[0], b = follows ? block[i + 1] : test.orelse[0];
  const auto* r = std::get_if<ast::Return>(&node(a));
  const auto* other = std::get_if<ast::Return>(&node(b));
  if (r == nullptr || other == nullptr || r->value == other->value) return false;
  ast::Return made = *r;
  const auto value_of = [&](const ast::Return& from) {
    return from.value.valid() ? from.value : tree_.expr(ast::NoneLiteral{}, {});
  };
  const ast::ExprId x = value_of(*r), y = value_of(*other);
  made.value = conditional_item(test.test, x, y);
  if (!made.value.valid() && !is_one_return(a, b, test.test)) return false;
  if (!made.value.valid()) made.value = conditional(test.test, x, y);
  const auto place = tree_.stmts[a].origin;
  if (follows) block.erase(block.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  block[i] = tree_.stmt(made, place);  // a new one: that of the body may stand in other places, too
  return true;
}

bool Conditions::is_one_return(ast::StmtId a, ast::StmtId b, ast::ExprId test) const {
  const auto *p = columns_.place_of(a), *q = columns_.place_of(b);
  if (p == nullptr || q == nullptr || !(*p == *q)) return false;
  const Start start = columns_.start_of(test);
  const bool lines_alone = p->column < 0;
  if (lines_alone ? !is_on_line_of(columns_, test, *p)
                  : !start.known() || start.line < p->line || start.line > p->end_line)
    return false;
  const auto x = std::get<ast::Return>(tree_.stmts[a].node).value, y = std::get<ast::Return>(tree_.stmts[b].node).value;
  // An arm takes part of the place only; all of it has the return at the end of a function, which has that of an `if`.
  for (const auto value : {x, y}) {
    const auto* own = value.valid() ? columns_.place_of(tree_.exprs[value].origin) : nullptr;
    if (own != nullptr && *own == *p) return false;
  }
  return lines_alone || begins_in_return(*p, start, x, y);
}

bool Conditions::assigned_conditional(ast::Block& block, std::size_t i) {
  const auto& test = std::get<ast::If>(node(block[i]));
  if (test.body.size() != 1 || test.orelse.size() != 1) return false;
  const auto *a = std::get_if<ast::Assign>(&node(test.body[0])), *b = std::get_if<ast::Assign>(&node(test.orelse[0]));
  if (a == nullptr || b == nullptr || a->targets.size() != b->targets.size()) return false;
  const auto *x = std::get_if<ast::Tuple>(&tree_.exprs[a->value].node),
             *y = std::get_if<ast::Tuple>(&tree_.exprs[b->value].node);
  if (x != nullptr && y != nullptr && x->elts.size() == y->elts.size()) return false;  // an item may be conditional
  const auto *p = columns_.place_of(test.body[0]), *q = columns_.place_of(test.orelse[0]);
  if (p == nullptr || q == nullptr || !(*p == *q)) return false;
  for (std::size_t k = 0; k < a->targets.size(); ++k)
    if (!ast::equal(tree_, code_tree_, a->targets[k], b->targets[k])) return false;
  ast::Assign made = *a;
  made.value = conditional(test.test, a->value, b->value);
  const auto place = tree_.stmts[test.body[0]].origin;
  block[i] = tree_.stmt(std::move(made), place);
  return true;
}

bool Conditions::ends_in_conditional(ast::Block& block, std::size_t i) {
  const auto& test = std::get<ast::If>(node(block[i]));
  if (i + 1 != block.size() || !test.orelse.empty() || test.body.size() != 1) return false;
  const auto* r = std::get_if<ast::Return>(&node(test.body[0]));
  const auto* p = columns_.place_of(test.body[0]);
  const Start start = columns_.start_of(test.test);
  if (r == nullptr || !r->value.valid() || p == nullptr) return false;
  if (p->column < 0 ? !is_on_line_of(columns_, test.test, *p)
                    : !start.known() || !Start{p->line, p->column}.is_before(start) ||
                          !start.is_before({p->end_line, p->end_column}) || !begins_in_return(*p, start, r->value, {}))
    return false;
  const auto place = tree_.stmts[test.body[0]].origin;
  const auto value = conditional(test.test, r->value, tree_.expr(ast::NoneLiteral{}, {}));
  block[i] = tree_.stmt(ast::Return{value}, place);
  return true;
}

void Conditions::turn(ast::StmtId s, Column around) {
  const auto& test = std::get<ast::If>(node(s));
  if (test.orelse.empty() || around == kUnknown) return;
  const auto denied = ast::without_not(tree_, test.test);
  const bool is_word = test.body.size() == 1 && is_plain_exit(tree_, test.body[0]);
  const bool is_below = is_word && columns_.is_right_below(test.test, test.orelse[0]);
  if (!is_below && (!denied.valid() || !columns_.begins_as_written(s, around, false))) return;
  const auto negated = denied.valid() ? std::optional(denied) : without(test.test);
  if (!negated) return;
  auto& changed = std::get<ast::If>(node(s));
  changed.test = *negated;
  std::swap(changed.body, changed.orelse);
}

bool Conditions::begins_in_return(const SourcePosition& place, const Start& test, ast::ExprId a, ast::ExprId b) const {
  for (const auto value : {a, b}) {
    const Start start = value.valid() ? columns_.start_of(value) : Start{};
    if (start.known() && !(start.line == place.line && start.column == place.column) && start.is_before(test))
      return true;
  }
  const Column none_if = place.column + kReturnWord + 1 + kNoneWord + kAfterIf + 1;
  return test.line == place.line && (test.column == none_if || test.column == none_if + kNot);
}

ast::ExprId Conditions::conditional(ast::ExprId test, ast::ExprId body, ast::ExprId orelse) {
  const Start start = columns_.start_of(orelse);
  const bool begins_first = start.known() && start.is_before(columns_.start_of(test));
  const auto negated = begins_first ? without(test) : std::nullopt;
  if (negated) std::swap(body, orelse);
  return tree_.expr(ast::IfExp{negated.value_or(test), body, orelse}, tree_.exprs[body].origin);
}

ast::ExprId Conditions::conditional_item(ast::ExprId test, ast::ExprId body, ast::ExprId orelse) {
  const auto made = ast::conditional_item(tree_, code_tree_, test, body, orelse, has_test_within(orelse, test));
  if (made.valid() || !ast::is<ast::Tuple, ast::List>(tree_.exprs[body].node)) return made;
  const auto negated = without(test);
  if (!negated) return made;
  return ast::conditional_item(tree_, code_tree_, *negated, orelse, body, has_test_within(body, test));
}

bool Conditions::has_test_within(ast::ExprId items, ast::ExprId test) const {
  const auto* tuple = std::get_if<ast::Tuple>(&tree_.exprs[items].node);
  const auto* place = columns_.place_of(tree_.exprs[items].origin);
  if (tuple == nullptr || tuple->elts.empty() || place == nullptr || place->column < 0) return false;
  const Start start = columns_.start_of(test), first = columns_.start_of(tuple->elts[0]);
  return start.known() && first.known() && Start{place->line, place->column}.is_before(start) && start.is_before(first);
}

std::optional<ast::ExprId> Conditions::without(ast::ExprId test) {
  const bool tests_none = dialect_.jumps_on_none && ast::is_none_test(tree_, code_tree_, test);
  if (!tests_none && ast::is_inverted_by_not(tree_, test)) return std::nullopt;
  return ast::negated(tree_, test, tests_none);
}

std::ptrdiff_t Conditions::first_on_line(const ast::ExprIds& values, Column column, Column keyword,
                                         bool negated) const {
  // Where the first is in parentheses on lines of their own, `and` is as long as `if (`. Below one that follows `if (`, the
  // others stand where it does.
  const Column outer = columns_.start_of(values[0]).column;
  const bool in_parentheses = outer == column;
  const auto first = std::find_if(values.begin() + 1, values.end(), [&](const ast::ExprId& e) {
    const Start start = columns_.start_of(e), before = columns_.start_of(*(&e - 1));
    if (start.column == outer && outer % kIndent == (keyword + 1) % kIndent) return false;
    return before.known() && before.line < start.line && !(in_parentheses && start.column % kIndent == 0) &&
           columns_.may_be_tested_at(e, column, keyword, negated);
  });
  return first - values.begin();
}

ast::ExprId Conditions::joined(ast::BoolOperator op, ast::ExprIds values) {
  const auto origin = tree_.exprs[values[0]].origin;
  return values.size() == 1 ? values[0] : tree_.expr(ast::BoolOp{op, std::move(values)}, origin);
}

std::optional<ast::ExprId> Conditions::inverse(ast::BoolOperator op, const ast::ExprIds& values) {
  return values.size() == 1 ? without(values[0]) : ast::negated(tree_, joined(op, values), false);
}

}  // namespace depyf::idiom
