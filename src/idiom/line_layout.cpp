// SPDX-License-Identifier: MIT
// Layout from lines; see line_layout.h.
#include "idiom/line_layout.h"

#include <algorithm>
#include <utility>

#include "ast/constants.h"
#include "idiom/arms.h"

namespace depyf::idiom {

namespace {

// If a line may be `else` or blank, at most this many statements after a `try` with clauses of one word are its `else`.
constexpr std::size_t kMaxInElse = 3;

}  // namespace

void LineLayout::lay_out(ast::Block& block, End end, bool is_body, bool is_elif) {
  for (auto i = block.size(); i-- > 0;) {
    if (!dialect_.folds_constant_tests)
      conditions_.nest_assertion(block[i]);  // 3.10: the raise is on the line of the last test, so this proves nothing
    if (ast::is<ast::Try>(tree_.stmts[block[i]].node)) lay_out_try(block, i, end);
    if (!ast::is<ast::If>(tree_.stmts[block[i]].node)) continue;
    order_arms(block[i]);
    if (conditions_.assign_conditional(block, i) || conditions_.return_conditional(block, i) ||
        (is_body && conditions_.return_conditional_or_none(block, i)))
      continue;
    join_else(block[i]);
    const auto below = block.size() - i;
    if (!dialect_.inverts_back_jumps) guards_.lay_out(block, i, end);
    for (auto k = i; k + below <= block.size(); ++k) split_test(block[k]);
    const bool ends_in_arms = is_body && i + 1 == block.size() && positions_.ends_in_arms();
    if (!is_elif && !ends_in_arms) move_else_after(block, i);
  }
  if (end == End::kReturn) remove_implicit_returns(block);
  if (is_body && !dialect_.exits_duplicated)
    restore_else_at_end(block);
  else
    move_exit_into_else(block);
  join_chains(block);
}

void LineLayout::order_arms(ast::StmtId s) {
  const auto& test = std::get<ast::If>(tree_.stmts[s].node);
  if (test.orelse.empty() || ast::is<ast::If>(tree_.stmts[test.orelse[0]].node)) return;
  const auto body = columns_.first_line(test.body[0]), other = columns_.first_line(test.orelse[0]);
  if (other < 0 || other >= body || other <= columns_.lines_of({ast::AnyId{test.test}}).last) return;
  const auto negated = conditions_.negation_of(test.test);
  if (!negated) return;
  auto& changed = std::get<ast::If>(tree_.stmts[s].node);
  changed.test = *negated;
  std::swap(changed.body, changed.orelse);
}

void LineLayout::join_guards(ast::Block& block) {
  const auto is_guard = [&](ast::StmtId s) {
    const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
    return test != nullptr && test->orelse.empty() && always_exits(tree_, test->body);
  };
  if (!ast::is<ast::If>(tree_.stmts[block.back()].node) || !std::all_of(block.begin(), block.end() - 1, is_guard))
    return;
  for (auto k = block.size(); k-- > 1;) std::get<ast::If>(tree_.stmts[block[k - 1]].node).orelse = {block[k]};
  block.resize(1);
}

bool LineLayout::has_no_line_for_else(const ast::If& test) const {
  const auto above = columns_.lines_of({ast::AnyId{test.test}}).last, body = last_line(test.body, above);
  return above >= 0 && body > above && columns_.first_line(test.orelse[0]) == body + 1;
}

void LineLayout::join_else(ast::StmtId s) {
  auto& test = std::get<ast::If>(tree_.stmts[s].node);
  if (test.orelse.size() > 1 && has_no_line_for_else(test)) join_guards(test.orelse);
}

void LineLayout::move_else_after(ast::Block& block, std::size_t i) {
  auto last = block[i];
  for (;;) {
    const auto& test = std::get<ast::If>(tree_.stmts[last].node);
    if (!always_exits(tree_, test.body) || test.orelse.empty()) return;
    if (test.orelse.size() > 1 || !ast::is<ast::If>(tree_.stmts[test.orelse[0]].node)) break;
    last = test.orelse[0];
  }
  const auto& test = std::get<ast::If>(tree_.stmts[last].node);
  if (!has_no_line_for_else(test)) return;
  // 3.8: END_FINALLY falls through to the jump around an `else` even if the arm never reaches its end.
  if (dialect_.call_finally && ast::is<ast::Try, ast::With>(tree_.stmts[test.body.back()].node))
    return join_guards(std::get<ast::If>(tree_.stmts[last].node).orelse);
  const auto rest = std::exchange(std::get<ast::If>(tree_.stmts[last].node).orelse, {});
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
}

void LineLayout::lay_out_try(ast::Block& block, std::size_t i, End end) {
  move_return_after_clauses(block, i);
  const auto& guard = std::get<ast::Try>(tree_.stmts[block[i]].node);
  const auto has_name = [](const ast::ExceptHandler& h) { return h.name.valid(); };
  if (!guard.finalbody.empty() || guard.handlers.empty()) return;
  if (dialect_.call_finally && std::ranges::any_of(guard.handlers, has_name)) return;  // the end of the clause decides
  const bool is_last = i + 1 == block.size();
  if (guard.orelse.empty() ? is_last : !is_last) return;
  const auto next = guard.orelse.empty() ? block[i + 1] : guard.orelse[0];
  const bool tries = ast::is<ast::Try>(tree_.stmts[next].node);
  const auto line = columns_.first_line(next) - (tries ? 1 : 0);  // `try` has no instruction; its body is one below
  const auto last = guard.orelse.empty() ? block.back() : guard.orelse.back();
  const bool returns_value = ast::is<ast::Return>(tree_.stmts[last].node) && !exits_.is_return_of_none(last);
  const bool is_long = guard.orelse.empty() && (tries || block.size() - i > kMaxInElse + 1);
  const auto falls_through = [&](const ast::ExceptHandler& h) { return !always_exits(tree_, h.body); };
  if (guard.orelse.empty() && std::ranges::any_of(guard.handlers, falls_through)) return;
  const auto ends_block = [&](const ast::ExceptHandler& h) {
    return end != End::kOther && (falls_through(h) || is_exit_of(h.body.back(), end));
  };
  const bool is_written = std::ranges::all_of(guard.handlers, [&](const auto& h) {
    return ends_block(h) ? ((returns_value || is_long) && exits_.is_trivial(h.body)) || has_written_exit(h, line)
                         : !falls_through(h);
  });
  if (guard.orelse.empty() == is_written) return;
  if (is_written)
    move_else_after_try(block, i, end);
  else if (std::ranges::any_of(guard.handlers, ends_block))
    move_rest_into_else(block, i, end);
}

void LineLayout::move_else_after_try(ast::Block& block, std::size_t i, End end) {
  const auto guard = [&]() -> ast::Try& { return std::get<ast::Try>(tree_.stmts[block[i]].node); };
  for (std::size_t k = 0; k < guard().handlers.size(); ++k) {
    if (always_exits(tree_, guard().handlers[k].body)) continue;
    const auto exit = exits_.make_exit(end, tree_.stmts[block[i]].origin);
    auto& body = guard().handlers[k].body;  // only now: creating a statement may move the others
    if (ast::is_pass(tree_, body)) body.clear();
    body.push_back(exit);
  }
  const auto rest = std::exchange(guard().orelse, {});
  block.insert(block.end(), rest.begin(), rest.end());
}

void LineLayout::move_rest_into_else(ast::Block& block, std::size_t i, End end) {
  const auto pass = tree_.stmt(ast::Pass{}, ast::Origin(tree_.stmts[block[i]].origin));
  auto& guard = std::get<ast::Try>(tree_.stmts[block[i]].node);
  for (auto& h : guard.handlers) {
    if (!is_exit_of(h.body.back(), end)) continue;
    h.body.pop_back();
    if (h.body.empty()) h.body = {pass};
  }
  guard.orelse.assign(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, block.end());
  block.resize(i + 1);
}

bool LineLayout::is_exit_of(ast::StmtId s, End end) const {
  return exits_.is_exit_of(s, end) || (end == End::kReturn && exits_.is_return_of_none(s));
}

void LineLayout::move_return_after_clauses(ast::Block& block, std::size_t i) {
  auto& guard = std::get<ast::Try>(tree_.stmts[block[i]].node);
  if (!guard.finalbody.empty() || !guard.orelse.empty() || guard.body.size() < 2 || i + 1 != block.size()) return;
  const auto last = guard.body.back();
  const auto& exit = tree_.stmts[last].node;
  if (!ast::is<ast::Return>(exit) || !is_same_code_inside(tree_, dialect_, exit)) return;
  const auto exits = [&](const ast::ExceptHandler& h) { return always_exits(tree_, h.body); };
  if (!std::ranges::all_of(guard.handlers, exits)) return;
  const auto clauses = columns_.last_line(guard.handlers.back());
  if (clauses < 0 || columns_.line_of(last) <= clauses) return;
  guard.body.pop_back();
  block.push_back(last);
}

bool LineLayout::has_written_exit(const ast::ExceptHandler& clause, std::int32_t line_below) const {
  const auto& body = clause.body;
  if (exits_.is_trivial(body) && clause.type.valid())  // no line is left for `else`
    return line_below == columns_.lines_of({ast::AnyId{clause.type}}).last + 2;
  if (!always_exits(tree_, body)) return false;
  const auto own = body.size() > 1 ? columns_.line_of_exit_after(body[body.size() - 2]) : -1;
  return own < 0 || own > columns_.last_line(body[body.size() - 2]);
}

std::int32_t LineLayout::last_line(const ast::Block& block, std::int32_t line_above) const {
  const auto last = columns_.last_line(block.back());
  const bool is_word = block.size() == 1 && ast::is<ast::Continue, ast::Break>(tree_.stmts[block[0]].node);
  return is_word && last <= line_above ? line_above + 1 : last;
}

void LineLayout::split_test(ast::StmtId s) {
  const auto [operation, is_negated] = conditions_.tests_of(s);
  if (operation == nullptr || is_negated) return;
  const auto& test = std::get<ast::If>(tree_.stmts[s].node);
  const auto values = ast::operands(tree_, *operation);
  std::ptrdiff_t split = 0;
  auto above = columns_.lines_of({ast::AnyId{values[0]}}).last;
  for (std::size_t k = 1; k < values.size(); ++k) {
    const Lines lines = columns_.lines_of({ast::AnyId{values[k]}});
    if (above < 0) return;
    if (lines.first > above && std::exchange(split, static_cast<std::ptrdiff_t>(k)) != 0) return;
    above = lines.last;
  }
  if (split == 0 || columns_.lines_of({ast::AnyId{test.body[0]}}).first != above + 1) return;
  const Start first = columns_.start_of(values[0]), inner = columns_.start_of(values[static_cast<std::size_t>(split)]);
  if (first.known() && inner.known() && (inner.column - first.column) % kNot != kNarrowIndent) return;
  conditions_.split_at(s, split);
}

void LineLayout::remove_implicit_returns(ast::Block& block) {
  for (auto k = block.size() - 1; k-- > 0;) {
    if (!is_exiting_if(block, k)) continue;
    const auto& body = std::get<ast::If>(tree_.stmts[block[k]].node).body;
    if (body.size() < 2 || !exits_.is_return_of_none(body.back())) continue;
    const auto above = columns_.last_line(body[body.size() - 2]), own = columns_.line_of(body.back());
    const auto below = first_line(block, k + 1);
    if (above < 0 || own < 0 || below < 0 || (above < own && own < below)) continue;
    move_into_else(block, k, block.size());
    std::get<ast::If>(tree_.stmts[block[k]].node).body.pop_back();
  }
}

void LineLayout::restore_else_at_end(ast::Block& body) {
  if (body.size() < 2 || !always_exits(tree_, {body.back()}) || !positions_.ends_in_arms()) return;
  const auto has_line_for_else = [&](std::size_t k) { return is_exiting_if(body, k) && gap_after(body, k) >= 2; };
  auto last = body.size() - 2;
  while (last > 0 && !has_line_for_else(last)) --last;
  if (has_line_for_else(last)) move_into_else(body, last, body.size());
}

void LineLayout::move_exit_into_else(ast::Block& block) {
  if (block.size() < 2 || !is_exit(tree_, block.back())) return;
  const auto last = block.size() - 2;
  if (!is_exiting_if(block, last) || gap_after(block, last) != 2) return;
  if (last > 0) {  // the line between may be blank, if there is a blank one before the `if`
    const auto& body = std::get<ast::If>(tree_.stmts[block[last]].node).body;
    const bool is_check = ast::is<ast::Raise>(tree_.stmts[body.back()].node) &&
                          ast::is<ast::Return>(tree_.stmts[block.back()].node) && !is_exiting_if(block, last - 1);
    if (is_check || gap_after(block, last - 1) != 1) return;
  }
  move_into_else(block, last, block.size());
}

void LineLayout::join_chains(ast::Block& block) {
  for (auto k = block.size() - 1; k-- > 0;) {
    const auto* next = std::get_if<ast::If>(&tree_.stmts[block[k + 1]].node);
    if (next != nullptr && !next->orelse.empty() && always_exits(tree_, next->body) && is_exiting_if(block, k) &&
        gap_after(block, k) == 1)
      move_into_else(block, k, k + 2);
  }
}

bool LineLayout::is_exiting_if(const ast::Block& block, std::size_t k) const {
  const auto* test = std::get_if<ast::If>(&tree_.stmts[block[k]].node);
  if (test == nullptr || !test->orelse.empty() || !always_exits(tree_, test->body)) return false;
  return !dialect_.call_finally ||
         !ast::is<ast::Try>(tree_.stmts[test->body.back()].node);  // 3.8: END_FINALLY shows what follows
}

std::int32_t LineLayout::gap_after(const ast::Block& block, std::size_t k) const {
  const auto* test = std::get_if<ast::If>(&tree_.stmts[block[k]].node);
  const auto last = test != nullptr && test->orelse.empty()
                        ? last_line(test->body, columns_.lines_of({ast::AnyId{test->test}}).last)
                        : columns_.last_line(block[k]);
  return last < 0 ? 0 : first_line(block, k + 1) - last;
}

std::int32_t LineLayout::first_line(const ast::Block& block, std::size_t k) const {
  const auto* test = std::get_if<ast::If>(&tree_.stmts[block[k]].node);
  const auto begin = test != nullptr ? ast::AnyId{test->test} : ast::AnyId{block[k]};
  return columns_.lines_of({begin}).first;
}

void LineLayout::move_into_else(ast::Block& block, std::size_t k, std::size_t end) {
  const auto first = block.begin() + static_cast<std::ptrdiff_t>(k) + 1;
  const auto last = block.begin() + static_cast<std::ptrdiff_t>(end);
  std::get<ast::If>(tree_.stmts[block[k]].node).orelse.assign(first, last);
  block.erase(first, last);
}

}  // namespace depyf::idiom
