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

constexpr int kDeepest = 8;  // of statements that begin one another's body

}  // namespace

bool Columns::is_at_column(const ast::Block& block, Column column) const {
  bool known = false;
  for (const auto s : block) {
    const Column c = column_of(s, column);
    if (c != kUnknown && c != column) return false;
    known = known || c != kUnknown;
  }
  return known;
}

Keyword Columns::keyword(ast::StmtId s, Column column) const {
  const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
  if (test == nullptr) return Keyword::kOther;
  const Column from = start_of(test->test).column - column;
  if (is_after(test->test, from, kAfterIf)) return Keyword::kIf;
  if (from == 6 || from == 10) return Keyword::kElif;
  return (from == 5 || from == 9) && !has_own_lines(s) ? Keyword::kElif : Keyword::kOther;
}

bool Columns::has_own_lines(ast::StmtId s) const {
  const auto& test = std::get<ast::If>(tree_.stmts[s].node);
  const Lines lines = lines_of({ast::AnyId{test.test}});
  return lines.first != lines.last && first_line(test.body[0]) > lines.last + 1;
}

bool Columns::may_be_elif(ast::StmtId s, Column column) const {
  const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
  if (test == nullptr) return false;
  const Column from = (start_of(test->test).column - column) % kIndent;
  const Lines lines = lines_of({ast::AnyId{test->test}});
  return (from == 0 && first_line(test->body[0]) > lines.last + 1) || (from == 1 && has_own_lines(s));
}

bool Columns::is_elif_of(ast::StmtId before, ast::StmtId s, Column column) const {
  const auto is_elif = [&](ast::StmtId test) { return keyword(test, column) == Keyword::kElif; };
  const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
  if (test == nullptr || is_elif(s)) return test != nullptr;
  if (!may_be_elif(s, column)) return false;
  return is_elif(before) || (test->orelse.size() == 1 && is_elif(test->orelse[0]));
}

Columns::Begin Columns::begin_of(ast::ExprId test) const {
  Begin begin;
  for (auto first = test;;) {
    const auto* both = std::get_if<ast::BoolOp>(&tree_.exprs[first].node);
    const auto operand = both != nullptr ? both->values[0] : ast::without_not(tree_, first);
    if (!operand.valid()) {
      begin.begins_alike = ast::is_inverted_by_not(tree_, first);
      return begin;
    }
    if (both == nullptr) begin.has_two = std::exchange(begin.has_not, true);
    first = operand;
  }
}

bool Columns::begins_as_written(ast::StmtId s, Column column, bool with_not) const {
  const auto test = std::get<ast::If>(tree_.stmts[s].node).test;
  const Begin begin = begin_of(test);
  const Column from = start_of(test).column - column - (begin.has_not && with_not ? kNot : 0);
  return !begin.begins_alike && !begin.has_two && (with_not || begin.has_not) &&
         (from == kAfterIf || from == kAfterIf + 1 || from == kAfterElif || from == kAfterElif + 1);
}

Column Columns::column_of_block(const ast::Block& block, int depth) const {
  const ast::If* before = nullptr;  // of which nothing but where its test begins is known
  Start start;
  bool begins_with_not = false;  // where an exit is written first, the source may have the other arm
  const auto may_stand_at = [&](Column c) {
    const Column from = start.column - c;
    if (begins_with_not && !is_exit(tree_, before->body[0]))
      return from == kAfterIf + kNot || from == kAfterIf + kNot + 1 || from == kAfterElif + kNot ||
             from == kAfterElif + kNot + 1;
    return is_after(before->test, from, kAfterIf) || is_after(before->test, from, kAfterElif);
  };
  for (const auto s : block) {
    const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
    if (test == nullptr) {
      auto [line, c] = simple_start(s);
      if (c == kUnknown && ast::is<ast::Try, ast::While>(tree_.stmts[s].node)) {
        c = column_of(s, kUnknown, depth);
        line = start.line + 1;  // what follows a test in its block comes after it in the source
      }
      if (c == kUnknown) continue;
      // right below a test, which leaves no line for its body: the body of `if not a` in the source
      if (before != nullptr && is_right_below(before->test, s) &&
          ast::is<ast::Break, ast::Continue>(tree_.stmts[before->body[0]].node) &&
          (start.column - c == kAfterIf || start.column - c == kAfterIf + 1))
        return c - kIndent;
      const bool in_else = before != nullptr && line > start.line && !may_stand_at(c) && may_stand_at(c - kIndent);
      return in_else ? c - kIndent : c;
    }
    const Start begins = start_of(test->test);
    if (!begins.known()) continue;
    before = test, start = begins;
    const Begin begin = begin_of(test->test);
    begins_with_not = begin.has_not && !begin.has_two && !begin.begins_alike;
    Column arm = least_column(test->body, start.line);
    if (depth < kDeepest && ast::is<ast::If>(tree_.stmts[test->body[0]].node))
      arm = column_of_block(test->body, depth + 1);
    const Column other = least_column(test->orelse, start.line);
    if (arm != kUnknown && other == arm + kIndent && is_after(test->test, start.column - arm, kAfterIf))
      return arm;  // the body is what follows the `else`, which is the body in the source
    const bool of_else = arm == kUnknown;
    if (of_else) arm = other;
    if (arm == kUnknown) continue;
    if (may_stand_at(arm - kIndent)) return arm - kIndent;
    if (of_else && may_stand_at(arm)) return arm;  // what follows a body that leaves
    const bool may_follow = start.column - arm >= kAfterIf + kIndent && !is_exit(tree_, test->body[0]);
    if (may_follow) return arm;                                          // what is left after a guard clause
    for (const Column keyword : {kAfterIf, kAfterElif, kAfterIf + 1}) {  // before an `if` that begins its body
      const Column at = start.column - keyword - (begins_with_not ? kNot : 0);
      if (at % kIndent == 0 && arm > at + kIndent) return at;
    }
  }
  return kUnknown;
}

Column Columns::column_of(ast::StmtId s, Column sought, int depth) const {
  if (const auto* guard = std::get_if<ast::Try>(&tree_.stmts[s].node)) return column_around(guard->body, depth);
  if (const auto* loop = std::get_if<ast::While>(&tree_.stmts[s].node)) {
    const Column known = column_around(loop->body, depth), at = known == kUnknown ? sought : known;
    const Start start = start_of(loop->test);  // none of `while True`
    return !start.known() ? known : is_after(loop->test, start.column - at, kAfterWhile) ? at : kUnknown;
  }
  const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
  if (test == nullptr) return simple_start(s).column;
  const auto [outer, inner] = columns_of_if(s, depth);
  if (outer == inner || column_of_body(*test, depth) != kUnknown) return outer;
  return sought == outer || sought == inner ? sought : kUnknown;
}

Column Columns::column_between(ast::StmtId s, Column outer, Column inner) const {
  if (!std::holds_alternative<ast::If>(tree_.stmts[s].node)) return column_of(s, kUnknown);
  const auto [least, most] = columns_of_if(s, 0);
  const bool may_be_outer = outer == least || outer == most, may_be_inner = inner == least || inner == most;
  return may_be_outer == may_be_inner ? kUnknown : may_be_outer ? outer : inner;
}

std::size_t Columns::size_of_arm(const ast::Block& block, Column column) const {
  std::size_t size = block.size();
  bool has_arm = false;
  for (auto k = block.size(); k-- > 0;) {
    const Column c = column_between(block[k], column, column + kIndent);
    if (c == kUnknown) continue;
    if (c == column ? has_arm : size == block.size()) return block.size();
    has_arm = c != column;
    if (!has_arm) size = k;
  }
  return has_arm ? size : block.size();
}

std::pair<Column, Column> Columns::columns_of_if(ast::StmtId s, int depth) const {
  const auto& test = std::get<ast::If>(tree_.stmts[s].node);
  const Begin begin = begin_of(test.test);
  const Start start = start_of(test.test);
  const Column paren = (start.column - kAfterIf) % kIndent, as_written = start.column - kAfterIf - paren;
  if (!start.known() || as_written < 0 || paren > 1) return {kUnknown, kUnknown};
  const Column arm = column_of_body(test, depth);
  if (arm > as_written || (begin.begins_alike && !begin.has_not)) return {as_written, as_written};
  const Column after_not = as_written - kIndent;  // as long as `not ` is
  return {after_not, arm == kUnknown || begin.has_not ? as_written : after_not};
}

Column Columns::column_of_body(const ast::If& test, int depth) const {
  const Column least = least_column(test.body, kUnknown);
  return least == kUnknown && depth < kDeepest ? column_of_block(test.body, depth + 1) : least;
}

Column Columns::column_around(const ast::Block& body, int depth) const {
  const Column column = depth < kDeepest ? column_of_block(body, depth + 1) : kUnknown;
  return column == kUnknown ? kUnknown : column - kIndent;
}

bool Columns::may_be_tested_at(ast::ExprId test, Column column, Column keyword, bool negated) const {
  const Start start = start_of(test);
  const Begin begin = begin_of(test);
  const bool adds_not = negated && !begin.has_not && !begin.begins_alike;
  return start.known() && is_after(test, start.column - column - (adds_not ? kNot : 0), keyword);
}

bool Columns::is_tested_after(ast::ExprId before, ast::ExprId test, Column column, bool negated) const {
  const Start start = start_of(test);
  const Begin begin = begin_of(test);
  const Column from = start.column - column - (begin.has_not != negated && !begin.begins_alike ? kNot : 0);
  if (!start.known() || (from != kAfterIf && from != kAfterElif && from != kAfterElif + 1)) return false;
  const auto above = extent(before);
  return above && above->end_line + 1 < start.line;
}

bool Columns::is_after(ast::ExprId test, Column from, Column keyword) const {
  return from == keyword || from == keyword + 1 ||
         ((from == keyword + kNot || from == keyword + kNot + 1) && begin_of(test).has_not);
}

Column Columns::least_column(const ast::Block& block, std::int32_t after_line) const {
  Column least = kUnknown;
  for (const auto s : block)
    if (const auto [line, c] = simple_start(s); line > after_line && (least == kUnknown || c < least)) least = c;
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
