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

// What the line table has for an instruction of the code object.
const SourcePosition* position(SourcePositions& positions, CodeId code, ast::Origin origin) {
  return origin.code == code && origin.offset != 0 ? positions.at(origin.offset) : nullptr;
}

}  // namespace

const SourcePosition* Columns::place_of(ast::StmtId s) const {
  return position(positions_, code_, tree_.stmts[s].origin);
}

const SourcePosition* Columns::place_of(ast::Origin origin) const {
  const auto* p = position(positions_, code_, origin);
  return p != nullptr && p->column >= 0 ? p : nullptr;
}

std::int32_t Columns::line_of(ast::StmtId s) const {
  const auto* p = position(positions_, code_, tree_.stmts[s].origin);
  return p != nullptr ? p->line : -1;
}

std::optional<WrittenReturn> Columns::written_return(ast::StmtId s) const {
  const auto& [n, origin] = tree_.stmts[s];
  const bool returns = std::holds_alternative<ast::Return>(n) && place_of(origin) != nullptr;
  return returns ? positions_.written_return(origin.offset) : std::nullopt;
}

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
      const bool in_else = before != nullptr && line > start.line && !may_stand_at(c) && may_stand_at(c - kIndent);
      return in_else ? c - kIndent : c;
    }
    const Start begins = start_of(test->test);
    if (!begins.known()) continue;
    before = test, start = begins;
    const Begin begin = begin_of(test->test);
    begins_with_not = begin.has_not && !begin.begins_alike;
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

Start Columns::start_of(ast::ExprId e) const {
  Start start;
  begin_at(e, start);
  return start;
}

std::optional<SourcePosition> Columns::extent(ast::ExprId of) const {
  std::optional<SourcePosition> out;
  ast::walk(tree_, of, [&](ast::ExprId e) {
    const auto* p = place_of(tree_.exprs[e].origin);
    if (p == nullptr) return true;
    if (!out) out = *p;
    if (std::pair(p->line, p->column) < std::pair(out->line, out->column)) {
      out->line = p->line;
      out->column = p->column;
    }
    if (std::pair(p->end_line, p->end_column) > std::pair(out->end_line, out->end_column)) {
      out->end_line = p->end_line;
      out->end_column = p->end_column;
    }
    return true;
  });
  return out;
}

Start Columns::simple_start(ast::StmtId s) const {
  const auto& [n, origin] = tree_.stmts[s];
  Start start;
  if (const auto written = written_return(s)) return {place_of(origin)->line, written->column};
  const auto after = [&](ast::ExprId first, Column keyword) {
    start = start_of(first);
    if (start.known()) start.column -= keyword;
  };
  if (const auto* loop = std::get_if<ast::For>(&n); loop != nullptr && !loop->is_async) after(loop->target, 4);
  if (const auto* with = std::get_if<ast::With>(&n); with != nullptr && !with->is_async)
    after(with->items[0].context, 5);
  if (const auto* drop = std::get_if<ast::Delete>(&n)) after(drop->targets[0], 4);
  if (ast::is<ast::Assign, ast::AugAssign, ast::Assert, ast::ExprStmt, ast::Raise, ast::Import, ast::ImportFrom>(n)) {
    begin_at(tree_.stmts[s].origin, start);
    ast::for_each_child_expr(n, [&](ast::ExprId e) { begin_at(e, start); });
  }
  if (const auto* r = std::get_if<ast::Return>(&n); r != nullptr && r->value.valid()) {
    begin_at(tree_.stmts[s].origin, start);
    Start value;
    begin_at(tree_.exprs[r->value].origin, value);
    // A constant is returned where it stands itself, from a `with` where that begins, from a `try` where `finally` ends.
    if (value.known() && (!is_aligned(start) || value.is_before(start))) after(r->value, 7);
  }
  return is_aligned(start) ? start : Start{};
}

Lines Columns::lines_of(ast::AnyIds nodes) const {
  Lines lines;
  const auto see = [&](ast::Origin origin) {
    const auto* p = position(positions_, code_, origin);
    if (p == nullptr) return true;
    lines.first = lines.first < 0 ? p->line : std::min(lines.first, p->line);
    lines.last = std::max(lines.last, p->end_line);
    return true;
  };
  Overloaded visit{[&](ast::ExprId e) { return see(tree_.exprs[e].origin); },
                   [&](ast::StmtId s) { return see(tree_.stmts[s].origin); }};
  ast::walk(tree_, std::move(nodes), visit);
  return lines;
}

std::int32_t Columns::first_line(ast::StmtId s) const {
  const auto& n = tree_.stmts[s].node;
  const auto* test = std::get_if<ast::If>(&n);
  const auto* r = std::get_if<ast::Return>(&n);
  const auto line = test != nullptr                    ? lines_of({ast::AnyId{test->test}}).first
                    : r != nullptr && r->value.valid() ? lines_of({ast::AnyId{r->value}}).first
                                                       : -1;
  return line >= 0 ? line : lines_of({ast::AnyId{s}}).first;
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

void Columns::begin_at(ast::Origin origin, Start& start) const {
  if (origin.code != code_ || origin.offset == 0) return;
  const auto* p = positions_.at(origin.offset);
  if (p == nullptr || p->column < 0) return;
  if (const Start here{p->line, p->column}; !start.known() || here.is_before(start)) start = here;
}

void Columns::begin_at(ast::ExprId e, Start& start) const {
  for (SmallVector<ast::ExprId, 32> todo{e}; !todo.empty();) {
    const auto& [n, origin] = tree_.exprs[todo.back()];
    todo.pop_back();
    begin_at(origin, start);
    if (!ast::is<ast::Lambda, ast::Comprehension, ast::JoinedStr>(n))  // literal parts of `%` stand somewhere else
      ast::for_each_child_expr(n, [&](ast::ExprId below) { todo.push_back(below); });
  }
}

}  // namespace depyf::idiom
