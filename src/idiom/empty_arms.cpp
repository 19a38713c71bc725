// SPDX-License-Identifier: MIT
// Arms that do nothing; see empty_arms.h.
#include "idiom/empty_arms.h"

#include <limits>
#include <optional>
#include <utility>

#include "ast/negation.h"
#include "ast/walk.h"

namespace depyf::idiom {

void EmptyArms::restore_in_test(ast::StmtId s) {
  const auto* test = std::get_if<ast::If>(&node(s));
  if (test == nullptr || !test->orelse.empty() || !words_.has_any() || exits_.is_trivial(test->body)) return;
  if (exits_.has_line_of_finally(test->body[0])) return;
  const auto body = columns_.first_line(test->body[0]);
  if (body - columns_.lines_of({ast::AnyId{test->test}}).first < 2) return;
  const auto [operation, is_negated] = conditions_.tests_of(s);
  const auto operand = ast::without_not(tree_, test->test);
  ast::ExprIds values{is_negated ? operand : test->test};  // each may jump past the body
  if (operation != nullptr) values = ast::operands(tree_, *operation);
  // After the last operand, the word may belong to the body, unless that starts with an `elif`.
  const auto* inner = std::get_if<ast::If>(&node(test->body[0]));
  const Column from = inner != nullptr ? columns_.start_of(inner->test).column : kUnknown;
  const bool begins_with_elif =  // perhaps with a parenthesis before the test
      from % kIndent == kAfterElif % kIndent || from % kIndent == (kAfterElif + 1) % kIndent;
  const auto has_word_after = [&](std::size_t k) {  // the first k operands
    const auto next = k < values.size() ? columns_.lines_of({ast::AnyId{values[k]}}).first : body;
    const auto line = words_.line_of_placeholder({columns_.lines_of({ast::AnyId{values[k - 1]}}).last, next});
    return line >= 0 && (line + 1 < next || k < values.size() || begins_with_elif);
  };
  std::size_t split = 1;
  while (split <= values.size() && !has_word_after(split)) ++split;
  if (split > values.size()) return;
  const auto op = is_negated ? ast::BoolOperator::kOr : ast::BoolOperator::kAnd;
  const auto parts =
      conditions_.halves(op, values, static_cast<std::ptrdiff_t>(split), {.above = !is_negated, .below = is_negated});
  if (!parts) return;
  const auto origin = tree_.stmts[s].origin;
  ast::Block orelse = std::get<ast::If>(node(s)).body;
  if (parts->below.valid()) orelse = {tree_.stmt(ast::If{parts->below, std::move(orelse), {}}, origin)};
  const auto pass = tree_.stmt(ast::Pass{}, origin);
  node(s) = ast::If{parts->above, {pass}, std::move(orelse)};
}

void EmptyArms::restore_continue(ast::StmtId s, Column column) {
  const auto* test = std::get_if<ast::If>(&node(s));
  if (test == nullptr || !test->orelse.empty() || !words_.has_any() || exits_.is_trivial(test->body)) return;
  const auto body = columns_.first_line(test->body[0]);
  const auto line = words_.line_of_continue({columns_.lines_of({ast::AnyId{test->test}}).last, body});
  if (line < 0 || line + 1 >= body || words_.length_at(line, column + kIndent) != kContinueWord ||
      !columns_.is_at_column(test->body, column + kIndent))
    return;
  const auto negated = conditions_.negation_of(test->test);
  if (!negated) return;
  const auto exit = tree_.stmt(ast::Continue{}, tree_.stmts[s].origin);
  auto& changed = std::get<ast::If>(node(s));
  changed.test = *negated;
  changed.orelse = std::exchange(changed.body, {exit});
}

std::int32_t EmptyArms::line_of_else(const ast::Block& block, std::size_t i, End end) const {
  const auto* test = std::get_if<ast::If>(&tree_.stmts[block[i]].node);
  const bool is_last = i + 1 == block.size();
  if (test == nullptr || (is_last && end != End::kContinue) || !words_.has_any()) return -1;
  const bool is_inverted = !test->orelse.empty();
  if (is_inverted && (!is_last || !ast::is<ast::Continue>(tree_.stmts[test->body[0]].node) ||
                      !ast::without_not(tree_, test->test).valid()))
    return -1;
  const auto& body = is_inverted ? test->orelse : test->body;
  const bool jumps =
      ast::is<ast::Pass, ast::Break, ast::Continue>(tree_.stmts[body.back()].node);  // its line is not known
  const auto last = jumps || exits_.is_trivial(body) ? -1 : columns_.last_line(body.back());
  const bool has_room = last >= columns_.lines_of({ast::AnyId{test->test}}).last && last >= 0 &&
                        (is_last || columns_.first_line(block[i + 1]) > last + 2);
  return has_room ? last + 2 : -1;
}

void EmptyArms::restore_else(ast::Block& block, std::size_t i, std::int32_t line, Column column) {
  const bool is_last = i + 1 == block.size(), is_inverted = !std::get<ast::If>(node(block[i])).orelse.empty();
  const auto length = words_.length_at(line, column + kIndent);
  const auto origin = tree_.stmts[block[i]].origin;
  ast::Block orelse;
  if (length == kPassWord && !is_inverted) orelse = {tree_.stmt(ast::Pass{}, origin)};
  if (length == kContinueWord && is_last) orelse = {tree_.stmt(ast::Continue{}, origin)};
  if (orelse.empty()) return;
  auto& changed = std::get<ast::If>(node(block[i]));
  if (is_inverted) {
    changed.test = ast::without_not(tree_, changed.test);
    changed.body = std::move(changed.orelse);
  }
  changed.orelse = std::move(orelse);
}

bool EmptyArms::can_have_else(const ast::If& test, ast::StmtId next) const {
  if (exits_.is_bare_return(test.body.back()) && exits_.column_of_return(test.body.back()) == kUnknown &&
      !exits_.is_placeholder(test.body) && !exits_.ends_in_implicit_return(test.body))
    return false;
  // There must be a line for it. The last line is unknown if the exit is implicit, which is at the test.
  const auto last = columns_.last_line_with_exit(test.body);
  return last <= columns_.lines_of({ast::AnyId{test.test}}).last || columns_.first_line(next) != last + 1;
}

void EmptyArms::drop_exit_before_else(ast::Block& block, std::size_t i, End end) {
  auto& body = std::get<ast::If>(node(block[i])).body;
  const auto is_break = [&](ast::StmtId s) { return ast::is<ast::Break>(node(s)); };
  if (i + 1 == block.size() ? exits_.ends_in_implicit_exit(body, end)
                            : body.size() > 1 && is_break(body.back()) && is_break(block[i + 1]))
    body.pop_back();
}

void EmptyArms::drop_exits_of_clauses(ast::StmtId s, End end) {
  auto& guard = std::get<ast::Try>(node(s));
  for (std::size_t k = 0; k < guard.handlers.size(); ++k) {
    auto& body = guard.handlers[k].body;
    const auto line_of_clause = [&](std::size_t n) { return columns_.first_line(guard.handlers[n].body[0]); };
    const auto next = k + 1 < guard.handlers.size() ? line_of_clause(k + 1)
                      : guard.orelse.empty()        ? std::numeric_limits<std::int32_t>::max()
                                                    : columns_.first_line(guard.orelse[0]);
    const bool continues = body.size() > 1 && end == End::kContinue && ast::is<ast::Continue>(node(body.back()));
    if (exits_.ends_in_implicit_exit(body, end) ||
        (continues && words_.line_of_continue({columns_.last_line(body[body.size() - 2]), next}) < 0))
      body.pop_back();
  }
}

}  // namespace depyf::idiom
