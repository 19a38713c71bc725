// SPDX-License-Identifier: MIT
// Columns of statements; see columns.h.
#include "idiom/columns.h"

#include <algorithm>
#include <utility>

#include "ast/negation.h"
#include "ast/walk.h"
#include "idiom/arms.h"

namespace depyf::idiom {

namespace {

constexpr int kMaxDepth = 8;  // how deep column_of_block follows the first statements of bodies

// Returns whether a test that starts `distance` columns after its statement is right after the keyword and its space, or
// after a parenthesis besides.
bool is_after(Column distance, Column keyword) { return distance == keyword || distance == keyword + 1; }

bool is_after_if_or_elif(Column distance) { return is_after(distance, kAfterIf) || is_after(distance, kAfterElif); }

}  // namespace

bool Columns::is_at_column(const ast::Block& block, Column column) const {
  bool known = false;
  for (const auto s : block) {
    const Column own = column_of(s, column);
    if (own != kUnknown && own != column) return false;
    known = known || own != kUnknown;
  }
  return known;
}

Keyword Columns::keyword(ast::StmtId s, Column column) const {
  const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
  if (test == nullptr) return Keyword::kOther;
  const Column distance = start_of(test->test).column - column;
  if (can_follow_keyword(test->test, distance, kAfterIf)) return Keyword::kIf;
  if (distance == 6 || distance == 10) return Keyword::kElif;
  return (distance == 5 || distance == 9) && !is_test_on_own_lines(s) ? Keyword::kElif : Keyword::kOther;
}

bool Columns::is_test_on_own_lines(ast::StmtId s) const {
  const auto& test = std::get<ast::If>(tree_.stmts[s].node);
  const Lines lines = lines_of({ast::AnyId{test.test}});
  return lines.first != lines.last && first_line(test.body[0]) > lines.last + 1;
}

bool Columns::may_be_elif(ast::StmtId s, Column column) const {
  const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
  if (test == nullptr) return false;
  const Column distance = (start_of(test->test).column - column) % kIndent;
  const Lines lines = lines_of({ast::AnyId{test->test}});
  return (distance == 0 && first_line(test->body[0]) > lines.last + 1) || (distance == 1 && is_test_on_own_lines(s));
}

bool Columns::is_elif_of(ast::StmtId before, ast::StmtId s, Column column) const {
  const auto is_elif = [&](ast::StmtId test) { return keyword(test, column) == Keyword::kElif; };
  const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
  if (test == nullptr || is_elif(s)) return test != nullptr;
  if (!may_be_elif(s, column)) return false;
  return is_elif(before) || (test->orelse.size() == 1 && is_elif(test->orelse[0]));
}

Columns::TestPrefix Columns::prefix_of(ast::ExprId test) const {
  TestPrefix prefix;
  for (auto first = test;;) {
    const auto* operation = std::get_if<ast::BoolOp>(&tree_.exprs[first].node);
    const auto operand = operation != nullptr ? operation->values[0] : ast::without_not(tree_, first);
    if (!operand.valid()) {
      prefix.is_comparison = ast::is_inverted_by_not(tree_, first);
      return prefix;
    }
    if (operation == nullptr) prefix.has_two_nots = std::exchange(prefix.has_not, true);
    first = operand;
  }
}

bool Columns::has_source_test(ast::StmtId s, Column column, bool with_not) const {
  const auto test = std::get<ast::If>(tree_.stmts[s].node).test;
  const TestPrefix prefix = prefix_of(test);
  const Column distance = start_of(test).column - column - (prefix.has_not && with_not ? kNot : 0);
  return !prefix.is_comparison && !prefix.has_two_nots && (with_not || prefix.has_not) && is_after_if_or_elif(distance);
}

Column Columns::column_of_block(const ast::Block& block, int depth) const {
  OpenIf open;
  for (const auto s : block) {
    const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
    if (test == nullptr) {
      if (const auto column = column_by_statement(open, s, depth)) return *column;
    } else if (const Start start = start_of(test->test); start.known()) {
      const TestPrefix prefix = prefix_of(test->test);
      open = {test, start, prefix.has_not && !prefix.has_two_nots && !prefix.is_comparison};
      if (const auto column = column_by_arms(open, depth)) return *column;
    }
  }
  return kUnknown;
}

bool Columns::can_start_at(const OpenIf& open, Column column) const {
  const Column distance = open.start.column - column;
  if (open.may_lose_not && !is_exit(tree_, open.test->body[0])) return is_after_if_or_elif(distance - kNot);
  return can_follow_keyword(open.test->test, distance, kAfterIf) ||
         can_follow_keyword(open.test->test, distance, kAfterElif);
}

std::optional<Column> Columns::column_by_statement(const OpenIf& open, ast::StmtId s, int depth) const {
  auto [line, column] = statement_start(s);
  if (column == kUnknown && ast::is<ast::Try, ast::While>(tree_.stmts[s].node)) {
    column = column_of(s, kUnknown, depth);
    line = open.start.line + 1;  // a later statement of the block is after the test in the source
  }
  if (column == kUnknown) return std::nullopt;
  if (open.test == nullptr) return column;
  // No line is left between the test and this statement for the exit: the source has `if not a` with this body.
  if (is_right_below(open.test->test, s) && ast::is<ast::Break, ast::Continue>(tree_.stmts[open.test->body[0]].node) &&
      is_after(open.start.column - column, kAfterIf))
    return column - kIndent;
  const bool is_in_else = line > open.start.line && !can_start_at(open, column) && can_start_at(open, column - kIndent);
  return is_in_else ? column - kIndent : column;
}

std::optional<Column> Columns::column_by_arms(const OpenIf& open, int depth) const {
  const auto& [test, start, may_lose_not] = open;
  Column arm = least_column(test->body, start.line);
  if (depth < kMaxDepth && ast::is<ast::If>(tree_.stmts[test->body[0]].node))
    arm = column_of_block(test->body, depth + 1);
  const Column other = least_column(test->orelse, start.line);
  if (arm != kUnknown && other == arm + kIndent && can_follow_keyword(test->test, start.column - arm, kAfterIf))
    return arm;  // in the source, the `else` is the body, and the body follows the statement
  const bool is_else = arm == kUnknown;
  if (is_else) arm = other;
  if (arm == kUnknown) return std::nullopt;
  if (can_start_at(open, arm - kIndent)) return arm - kIndent;
  if (is_else && can_start_at(open, arm)) return arm;  // in the source, it follows a body that exits
  const bool may_follow = start.column - arm >= kAfterIf + kIndent && !is_exit(tree_, test->body[0]);
  if (may_follow) return arm;  // in the source, it follows a guard clause
  // In the source, the body starts with another `if`.
  for (const Column keyword : {kAfterIf, kAfterElif, kAfterIf + 1}) {
    const Column own = start.column - keyword - (may_lose_not ? kNot : 0);
    if (own % kIndent == 0 && arm > own + kIndent) return own;
  }
  return std::nullopt;
}

Column Columns::column_of(ast::StmtId s, Column expected, int depth) const {
  if (const auto* guard = std::get_if<ast::Try>(&tree_.stmts[s].node)) return column_of_owner(guard->body, depth);
  if (const auto* loop = std::get_if<ast::While>(&tree_.stmts[s].node)) {
    const Column known = column_of_owner(loop->body, depth), own = known == kUnknown ? expected : known;
    const Start start = start_of(loop->test);  // unknown for `while True`
    return !start.known() ? known : can_follow_keyword(loop->test, start.column - own, kAfterWhile) ? own : kUnknown;
  }
  const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
  if (test == nullptr) return statement_start(s).column;
  const auto [outer, inner] = columns_of_if(s, depth);
  if (outer == inner || column_of_body(*test, depth) != kUnknown) return outer;
  return expected == outer || expected == inner ? expected : kUnknown;
}

Column Columns::column_between(ast::StmtId s, Column outer, Column inner) const {
  if (!std::holds_alternative<ast::If>(tree_.stmts[s].node)) return column_of(s, kUnknown);
  const auto [least, most] = columns_of_if(s, 0);
  const bool may_be_outer = outer == least || outer == most, may_be_inner = inner == least || inner == most;
  return may_be_outer == may_be_inner ? kUnknown : may_be_outer ? outer : inner;
}

std::size_t Columns::size_of_deeper_part(const ast::Block& block, Column column) const {
  std::size_t size = block.size();
  bool has_deeper = false;
  for (auto k = block.size(); k-- > 0;) {
    const Column own = column_between(block[k], column, column + kIndent);
    if (own == kUnknown) continue;
    if (own == column ? has_deeper : size == block.size()) return block.size();
    has_deeper = own != column;
    if (!has_deeper) size = k;
  }
  return has_deeper ? size : block.size();
}

std::pair<Column, Column> Columns::columns_of_if(ast::StmtId s, int depth) const {
  const auto& test = std::get<ast::If>(tree_.stmts[s].node);
  const TestPrefix prefix = prefix_of(test.test);
  const Start start = start_of(test.test);
  const Column paren = (start.column - kAfterIf) % kIndent, as_written = start.column - kAfterIf - paren;
  if (!start.known() || as_written < 0 || paren > 1) return {kUnknown, kUnknown};
  const Column arm = column_of_body(test, depth);
  if (arm > as_written || (prefix.is_comparison && !prefix.has_not)) return {as_written, as_written};
  const Column after_not = as_written - kIndent;  // `not ` has the length of a level
  return {after_not, arm == kUnknown || prefix.has_not ? as_written : after_not};
}

Column Columns::column_of_body(const ast::If& test, int depth) const {
  const Column least = least_column(test.body, kUnknown);
  return least == kUnknown && depth < kMaxDepth ? column_of_block(test.body, depth + 1) : least;
}

Column Columns::column_of_owner(const ast::Block& body, int depth) const {
  const Column column = depth < kMaxDepth ? column_of_block(body, depth + 1) : kUnknown;
  return column == kUnknown ? kUnknown : column - kIndent;
}

bool Columns::can_be_test_at(ast::ExprId test, Column column, Column keyword, bool negated) const {
  const Start start = start_of(test);
  const TestPrefix prefix = prefix_of(test);
  const bool adds_not = negated && !prefix.has_not && !prefix.is_comparison;
  return start.known() && can_follow_keyword(test, start.column - column - (adds_not ? kNot : 0), keyword);
}

bool Columns::is_test_of_later_if(ast::ExprId before, ast::ExprId test, Column column, bool negated) const {
  const Start start = start_of(test);
  const TestPrefix prefix = prefix_of(test);
  const Column distance = start.column - column - (prefix.has_not != negated && !prefix.is_comparison ? kNot : 0);
  if (!start.known() || (distance != kAfterIf && distance != kAfterElif && distance != kAfterElif + 1)) return false;
  const auto above = extent(before);
  return above && above->end_line + 1 < start.line;
}

bool Columns::can_follow_keyword(ast::ExprId test, Column distance, Column keyword) const {
  return is_after(distance, keyword) || (is_after(distance - kNot, keyword) && prefix_of(test).has_not);
}

Column Columns::least_column(const ast::Block& block, std::int32_t after_line) const {
  Column least = kUnknown;
  for (const auto s : block)
    if (const auto [line, column] = statement_start(s); line > after_line && (least == kUnknown || column < least))
      least = column;
  return least;
}

Column usual_column(std::string_view qualname) {
  constexpr std::string_view kLocals = ".<locals>";
  Column column = kIndent;
  for (auto at = qualname.find('.'); at != std::string_view::npos; at = qualname.find('.', at + 1))
    if (qualname.substr(at, kLocals.size()) != kLocals) column += kIndent;
  return column;
}

}  // namespace depyf::idiom
