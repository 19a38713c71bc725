// SPDX-License-Identifier: MIT
// Tests and conditional expressions; see conditions.h.
#include "idiom/conditions.h"

#include <algorithm>
#include <utility>

#include "ast/constants.h"
#include "ast/negation.h"
#include "ast/walk.h"

namespace depyf::idiom {

namespace {

bool is_plain_exit(const ast::Tree& tree, ast::StmtId s) {
  return ast::is<ast::Continue, ast::Break>(tree.stmts[s].node);
}

// Returns whether a test is on the line of a `return`. The test of an `if` statement with this `return` is on another
// line: above it, or, if the `return` has the position of a `with` statement that it leaves, below it.
bool is_on_line_of(const Columns& columns, ast::ExprId test, const SourcePosition& position) {
  return columns.lines_of({ast::AnyId{test}}).first == position.line;
}

}  // namespace

Conditions::Tests Conditions::tests_of(ast::StmtId s) const {
  const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
  if (test == nullptr || !test->orelse.empty()) return {};
  const auto operand = ast::without_not(tree_, test->test);
  const auto* operation = std::get_if<ast::BoolOp>(&tree_.exprs[operand.valid() ? operand : test->test].node);
  const auto op = operand.valid() ? ast::BoolOperator::kOr : ast::BoolOperator::kAnd;
  return {operation != nullptr && operation->op == op ? operation : nullptr, operand.valid()};
}

void Conditions::split_condition(ast::StmtId s, Column column) {
  const auto [operation, is_negated] = tests_of(s);
  if (operation == nullptr || column == kUnknown) return;
  const Column inner = column + kIndent;
  const Column body = columns_.column_of_block(std::get<ast::If>(node(s)).body);
  if (body == kUnknown || body < inner + kIndent) return;
  auto values = ast::operands(tree_, *operation);
  const auto split = first_on_new_line(values, inner, kAfterIf, is_negated);
  if (split != std::ssize(values)) return split_at(s, split);
  const auto last = ast::without_not(tree_, values.back());
  const auto* either = last.valid() ? std::get_if<ast::BoolOp>(&tree_.exprs[last].node) : nullptr;
  if (is_negated || either == nullptr || either->op != ast::BoolOperator::kOr) return;
  values.pop_back();
  for (const auto operand : ast::operands(tree_, *either)) {
    const auto negated = negation_of(operand);
    if (!negated) return;
    values.push_back(*negated);
  }
  const auto flat_split = first_on_new_line(values, inner, kAfterIf);
  if (flat_split == std::ssize(values)) return;
  std::get<ast::If>(node(s)).test = joined(ast::BoolOperator::kAnd, std::move(values));
  split_at(s, flat_split);
}

void Conditions::split_at(ast::StmtId s, std::ptrdiff_t index) {
  const auto [operation, is_negated] = tests_of(s);
  const auto values = ast::operands(tree_, *operation);
  const auto parts = halves(operation->op, values, index, {is_negated, is_negated});
  if (!parts) return;
  const auto origin = tree_.stmts[s].origin;
  const auto nested = tree_.stmt(ast::If{parts->below, std::get<ast::If>(node(s)).body, {}}, origin);
  auto& changed = std::get<ast::If>(node(s));
  changed.test = parts->above;
  changed.body = {nested};
}

void Conditions::split_inner_guard(ast::StmtId s, Column column, End end) {
  const auto [operation, is_negated] = tests_of(s);
  if (operation == nullptr || column == kUnknown) return;
  const Column inner = column + kIndent;
  if (columns_.column_of_block(std::get<ast::If>(node(s)).body) != inner) return;
  const auto values = ast::operands(tree_, *operation);
  const auto split = first_on_new_line(values, inner, kAfterIf, !is_negated);
  if (split == std::ssize(values)) return;
  // There must be a line for the exit. After one test in parentheses, or an outer `if not b`, there is none.
  const auto body = columns_.first_line(std::get<ast::If>(node(s)).body[0]);
  const auto above_body = columns_.lines_of({ast::AnyId{values.back()}}).last;
  const auto in_parentheses = [&](ast::ExprId e) { return columns_.start_of(e).column % kIndent != kAfterIf; };
  if (in_parentheses(values[0]) || in_parentheses(values[static_cast<std::size_t>(split)]) || above_body < 0 ||
      body < above_body + 2)
    return;
  const auto parts = halves(operation->op, values, split, {is_negated, !is_negated});
  if (!parts) return;
  const auto origin = tree_.stmts[s].origin;
  const auto guard = tree_.stmt(ast::If{parts->below, {exits_.make_exit(end, origin)}, {}}, origin);
  auto& changed = std::get<ast::If>(node(s));
  changed.test = parts->above;
  changed.body.insert(changed.body.begin(), guard);
}

void Conditions::nest_assertion(ast::StmtId s) {
  const auto* assertion = std::get_if<ast::Assert>(&node(s));
  if (assertion == nullptr) return;
  const auto operand = ast::without_not(tree_, assertion->test);
  const auto op = operand.valid() ? ast::BoolOperator::kAnd : ast::BoolOperator::kOr;
  const auto* tests = std::get_if<ast::BoolOp>(&tree_.exprs[operand.valid() ? operand : assertion->test].node);
  if (tests == nullptr || tests->op != op) return;
  const auto* position = columns_.position_of(s);
  if (position == nullptr) return;
  const auto precedes = [&](ast::ExprId test) {
    const auto line = columns_.lines_of({ast::AnyId{test}}).first;
    const Start start = columns_.start_of(test);
    return line >= 0 &&
           (line != position->line ? line < position->line : start.known() && start.column < position->column);
  };
  const auto values = ast::operands(tree_, *tests);
  // The first operand within the assertion.
  auto split = std::ranges::find_if_not(values, precedes) - values.begin();
  if (split == 0 || split == std::ssize(values)) return;
  const Start last = columns_.start_of(values[static_cast<std::size_t>(split)]);
  // 3.11 gives the instructions that raise the position of the last test.
  if (last.known() && last.line == position->line && last.column == position->column) {
    const Start first = columns_.start_of(values[0]);
    split = std::ssize(values);
    for (const Column c : {first.column - kAfterIf, first.column - kAfterIf - kNot})
      for (const Column keyword : {kAfterAssert, operand.valid() ? kAfterAssert + kNot : kAfterAssert})
        if (first.known() && c % kIndent == 0) split = std::min(split, first_on_new_line(values, c + kIndent, keyword));
    if (split == std::ssize(values)) return;
  }
  const auto parts = halves(op, values, split, {!operand.valid(), operand.valid()});
  if (!parts) return;
  const auto origin = tree_.stmts[s].origin;
  const auto inner = tree_.stmt(ast::Assert{parts->below, std::get<ast::Assert>(node(s)).msg}, origin);
  node(s) = ast::If{parts->above, {inner}, {}};
}

Conditions::Operands Conditions::operands_of(ast::ExprId test) const {
  const auto operand = ast::without_not(tree_, test);
  const auto* operation = std::get_if<ast::BoolOp>(&tree_.exprs[operand.valid() ? operand : test].node);
  if (operation == nullptr) return {};
  return {operation->op, ast::operands(tree_, *operation), operand.valid(),
          (operation->op == ast::BoolOperator::kOr) != operand.valid()};
}

bool Conditions::split_guard(ast::Block& block, std::size_t i, Column column, End end) {
  const auto* test = std::get_if<ast::If>(&node(block[i]));
  if (test == nullptr || !test->orelse.empty() || column == kUnknown) return false;
  const auto [op, values, is_negated, is_disjunction] = operands_of(test->test);
  auto split = std::ssize(values);
  if (is_disjunction && !is_negated) split = first_on_new_line(values, column, kAfterIf);
  for (auto k = split; k-- > 1;)
    if (columns_.is_test_of_later_if(values[k - 1], values[k], column, is_negated)) split = k;
  return split != std::ssize(values) && split_guard_at(block, i, {split}, end);
}

bool Conditions::split_guard_at(ast::Block& block, std::size_t i, const std::vector<std::ptrdiff_t>& splits, End end) {
  const auto& test = std::get<ast::If>(node(block[i]));
  const auto [op, values, is_negated, is_disjunction] = operands_of(test.test);
  if (!test.orelse.empty() ||
      (is_disjunction ? test.body.size() != 1 || !is_plain_exit(tree_, test.body[0]) : end == End::kOther))
    return false;
  ast::ExprIds guards;
  auto from = values.begin();
  for (const auto split : splits) {
    const ast::ExprIds part(from, values.begin() + split);
    const auto guard = op == ast::BoolOperator::kOr ? joined(op, part) : negation_of(op, part);
    if (!guard) return false;
    guards.push_back(*guard);
    from = values.begin() + split;
  }
  const ast::ExprIds part(from, values.end());
  const auto rest = is_negated ? negation_of(op, part) : joined(op, part);
  if (!rest) return false;
  const auto origin = tree_.stmts[block[i]].origin;
  const auto exit_node = is_disjunction ? node(test.body[0]) : ast::StmtNode{};
  const auto exit_origin = is_disjunction ? tree_.stmts[test.body[0]].origin : origin;
  ast::Block made;
  for (const auto guard : guards) {
    const auto exit =
        is_disjunction ? tree_.stmt(ast::StmtNode(exit_node), exit_origin) : exits_.make_exit(end, origin);
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
  const auto [op, values, is_negated, is_disjunction] = operands_of(loop->test);
  const Column body = values.empty() || is_disjunction ? kUnknown : columns_.column_of_block(loop->body);
  if (body == kUnknown) return;
  const Column above_body = body - kIndent;  // one level
  const Column test_column = columns_.start_of(values[0]).column;
  const bool has_line = !columns_.is_right_below(values.back(), loop->body[0]);  // for a `break`
  const auto split = first_on_new_line(values, above_body + (has_line ? kIndent : 0), kAfterIf, has_line != is_negated);
  if (split == std::ssize(values) || columns_.start_of(values[static_cast<std::size_t>(split)]).column == test_column)
    return;
  if (!has_line && test_column != above_body - kIndent + kAfterWhile) return;
  const auto parts = halves(op, values, split, {is_negated, is_negated != has_line});
  if (!parts) return;
  const auto origin = tree_.exprs[parts->below].origin;
  const auto exit = tree_.stmt(ast::Break{}, origin);
  const auto test = tree_.stmt(ast::If{parts->below, {exit}, {}}, origin);
  auto& changed = std::get<ast::While>(node(s));
  changed.test = parts->above;
  if (has_line) {
    changed.body.insert(changed.body.begin(), test);
  } else {
    std::get<ast::If>(node(test)) = ast::If{parts->below, std::exchange(changed.body, {test}), {exit}};
  }
}

bool Conditions::return_conditional(ast::Block& block, std::size_t i) {
  auto& test = std::get<ast::If>(node(block[i]));
  const bool follows = test.orelse.empty() && i + 1 < block.size();
  if (test.body.size() != 1 || (!follows && test.orelse.size() != 1)) return false;
  const auto a = test.body[0], b = follows ? block[i + 1] : test.orelse[0];
  const auto* r = std::get_if<ast::Return>(&node(a));
  const auto* other_return = std::get_if<ast::Return>(&node(b));
  if (r == nullptr || other_return == nullptr || r->value == other_return->value) return false;
  ast::Return made = *r;
  const auto value_of = [&](const ast::Return& from) {
    return from.value.valid() ? from.value : tree_.expr(ast::NoneLiteral{}, {});
  };
  const ast::ExprId x = value_of(*r), y = value_of(*other_return);
  made.value = conditional_item(test.test, x, y);
  if (!made.value.valid() && !are_one_return(a, b, test.test)) return false;
  if (!made.value.valid()) made.value = conditional(test.test, x, y);
  const auto origin = tree_.stmts[a].origin;
  if (follows) block.erase(block.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  block[i] = tree_.stmt(made, origin);  // a new statement: that of the body may be shared with other blocks
  return true;
}

bool Conditions::are_one_return(ast::StmtId a, ast::StmtId b, ast::ExprId test) const {
  const auto *p = columns_.position_of(a), *q = columns_.position_of(b);
  if (p == nullptr || q == nullptr || !(*p == *q)) return false;
  const Start start = columns_.start_of(test);
  const bool has_only_lines = p->column < 0;
  if (has_only_lines ? !is_on_line_of(columns_, test, *p)
                     : !start.known() || start.line < p->line || start.line > p->end_line)
    return false;
  const auto x = std::get<ast::Return>(tree_.stmts[a].node).value, y = std::get<ast::Return>(tree_.stmts[b].node).value;
  // The position of a value is only a part of that of its statement. If they are equal, this is an implicit return at
  // the end of the function: both have the position of the code before it.
  for (const auto value : {x, y}) {
    const auto* value_position = value.valid() ? columns_.position_of(tree_.exprs[value].origin) : nullptr;
    if (value_position != nullptr && *value_position == *p) return false;
  }
  return has_only_lines || can_start_in_return(*p, start, x, y);
}

bool Conditions::assign_conditional(ast::Block& block, std::size_t i) {
  const auto& test = std::get<ast::If>(node(block[i]));
  if (test.body.size() != 1 || test.orelse.size() != 1) return false;
  const auto *a = std::get_if<ast::Assign>(&node(test.body[0])), *b = std::get_if<ast::Assign>(&node(test.orelse[0]));
  if (a == nullptr || b == nullptr || a->targets.size() != b->targets.size()) return false;
  const auto *x = std::get_if<ast::Tuple>(&tree_.exprs[a->value].node),
             *y = std::get_if<ast::Tuple>(&tree_.exprs[b->value].node);
  if (x != nullptr && y != nullptr && x->elts.size() == y->elts.size()) return false;  // an item may be conditional
  const auto *p = columns_.position_of(test.body[0]), *q = columns_.position_of(test.orelse[0]);
  if (p == nullptr || q == nullptr || !(*p == *q)) return false;
  for (std::size_t k = 0; k < a->targets.size(); ++k)
    if (!ast::equal(tree_, code_tree_, a->targets[k], b->targets[k])) return false;
  ast::Assign made = *a;
  made.value = conditional(test.test, a->value, b->value);
  const auto origin = tree_.stmts[test.body[0]].origin;
  block[i] = tree_.stmt(std::move(made), origin);
  return true;
}

bool Conditions::return_conditional_or_none(ast::Block& block, std::size_t i) {
  const auto& test = std::get<ast::If>(node(block[i]));
  if (i + 1 != block.size() || !test.orelse.empty() || test.body.size() != 1) return false;
  const auto* r = std::get_if<ast::Return>(&node(test.body[0]));
  const auto* p = columns_.position_of(test.body[0]);
  const Start start = columns_.start_of(test.test);
  if (r == nullptr || !r->value.valid() || p == nullptr) return false;
  if (p->column < 0
          ? !is_on_line_of(columns_, test.test, *p)
          : !start.known() || !Start{p->line, p->column}.is_before(start) ||
                !start.is_before({p->end_line, p->end_column}) || !can_start_in_return(*p, start, r->value, {}))
    return false;
  const auto origin = tree_.stmts[test.body[0]].origin;
  const auto value = conditional(test.test, r->value, tree_.expr(ast::NoneLiteral{}, {}));
  block[i] = tree_.stmt(ast::Return{value}, origin);
  return true;
}

void Conditions::swap_arms(ast::StmtId s, Column column) {
  const auto& test = std::get<ast::If>(node(s));
  if (test.orelse.empty() || column == kUnknown) return;
  const auto operand = ast::without_not(tree_, test.test);
  const bool is_word = test.body.size() == 1 && is_plain_exit(tree_, test.body[0]);
  const bool is_below = is_word && columns_.is_right_below(test.test, test.orelse[0]);
  if (!is_below && (!operand.valid() || !columns_.has_source_test(s, column, false))) return;
  const auto negated = operand.valid() ? std::optional(operand) : negation_of(test.test);
  if (!negated) return;
  auto& changed = std::get<ast::If>(node(s));
  changed.test = *negated;
  std::swap(changed.body, changed.orelse);
}

bool Conditions::can_start_in_return(const SourcePosition& position, const Start& test, ast::ExprId a,
                                     ast::ExprId b) const {
  for (const auto value : {a, b}) {
    const Start start = value.valid() ? columns_.start_of(value) : Start{};
    if (start.known() && !(start.line == position.line && start.column == position.column) && start.is_before(test))
      return true;
  }
  const Column none_if = position.column + kReturnWord + 1 + kNoneWord + kAfterIf + 1;
  return test.line == position.line && (test.column == none_if || test.column == none_if + kNot);
}

ast::ExprId Conditions::conditional(ast::ExprId test, ast::ExprId body, ast::ExprId orelse) {
  const Start start = columns_.start_of(orelse);
  const bool begins_first = start.known() && start.is_before(columns_.start_of(test));
  const auto negated = begins_first ? negation_of(test) : std::nullopt;
  if (negated) std::swap(body, orelse);
  return tree_.expr(ast::IfExp{negated.value_or(test), body, orelse}, tree_.exprs[body].origin);
}

ast::ExprId Conditions::conditional_item(ast::ExprId test, ast::ExprId body, ast::ExprId orelse) {
  const auto made =
      ast::conditional_item(tree_, code_tree_, test, body, orelse, has_test_before_first_item(orelse, test));
  if (made.valid() || !ast::is<ast::Tuple, ast::List>(tree_.exprs[body].node)) return made;
  const auto negated = negation_of(test);
  if (!negated) return made;
  return ast::conditional_item(tree_, code_tree_, *negated, orelse, body, has_test_before_first_item(body, test));
}

bool Conditions::has_test_before_first_item(ast::ExprId items, ast::ExprId test) const {
  const auto* tuple = std::get_if<ast::Tuple>(&tree_.exprs[items].node);
  const auto* position = columns_.position_of(tree_.exprs[items].origin);
  if (tuple == nullptr || tuple->elts.empty() || position == nullptr || position->column < 0) return false;
  const Start start = columns_.start_of(test), first = columns_.start_of(tuple->elts[0]);
  return start.known() && first.known() && Start{position->line, position->column}.is_before(start) &&
         start.is_before(first);
}

std::optional<ast::ExprId> Conditions::negation_of(ast::ExprId test) {
  const bool tests_none = dialect_.jumps_on_none && ast::is_none_test(tree_, code_tree_, test);
  if (!tests_none && ast::is_inverted_by_not(tree_, test)) return std::nullopt;
  return ast::negated(tree_, test, tests_none);
}

std::ptrdiff_t Conditions::first_on_new_line(const ast::ExprIds& values, Column column, Column keyword,
                                             bool negated) const {
  // If the operands are in parentheses on lines of their own, `and ` has the length of `if (`: an operand after it has
  // the column of a nested test. If the first operand follows `if (`, the others are aligned with it.
  const Column outer = columns_.start_of(values[0]).column;
  const bool in_parentheses = outer == column;
  const auto first = std::find_if(values.begin() + 1, values.end(), [&](const ast::ExprId& e) {
    const Start start = columns_.start_of(e), before = columns_.start_of(*(&e - 1));
    if (start.column == outer && outer % kIndent == (keyword + 1) % kIndent) return false;
    return before.known() && before.line < start.line && !(in_parentheses && start.column % kIndent == 0) &&
           columns_.can_be_test_at(e, column, keyword, negated);
  });
  return first - values.begin();
}

ast::ExprId Conditions::joined(ast::BoolOperator op, ast::ExprIds values) {
  const auto origin = tree_.exprs[values[0]].origin;
  return values.size() == 1 ? values[0] : tree_.expr(ast::BoolOp{op, std::move(values)}, origin);
}

std::optional<ast::ExprId> Conditions::negation_of(ast::BoolOperator op, const ast::ExprIds& values) {
  return values.size() == 1 ? negation_of(values[0]) : ast::negated(tree_, joined(op, values), false);
}

std::optional<Conditions::Halves> Conditions::halves(ast::BoolOperator op, const ast::ExprIds& values,
                                                     std::ptrdiff_t index, Negated negated) {
  const auto part = [&](ast::ExprIds of, bool negates) -> std::optional<ast::ExprId> {
    if (of.empty()) return ast::ExprId{};
    return negates ? negation_of(op, of) : joined(op, std::move(of));
  };
  const auto above = part({values.begin(), values.begin() + index}, negated.above),
             below = part({values.begin() + index, values.end()}, negated.below);
  return above && below ? std::optional(Halves{*above, *below}) : std::nullopt;
}

}  // namespace depyf::idiom
