// SPDX-License-Identifier: MIT
// Guard clauses from jumps; see jump_guards.h.
#include "idiom/jump_guards.h"

#include <utility>
#include <vector>

#include "ast/constants.h"
#include "idiom/arms.h"

namespace depyf::idiom {

void JumpGuards::lay_out(ast::Block& block, std::size_t i, End end) {
  if (!if_of(block[i]).orelse.empty()) return;
  for (auto last = split(block, i, end); last != i; last = split(block, i, end)) i = last;
  write_guard_clause(block, i, end);
  restore_pass(block[i]);
  nest_guard(block, i, end);
  nest_rest(block, i, end);
}

std::size_t JumpGuards::split(ast::Block& block, std::size_t i, End end) {
  const auto [op, values, is_negated, is_disjunction] = conditions_.operands_of(if_of(block[i]).test);
  if (values.size() < 2 || (!is_disjunction && (end != End::kContinue || i + 1 != block.size()))) return i;
  std::vector<std::ptrdiff_t> splits;  // indices of the operands that start a test of their own
  for (std::ptrdiff_t k = 1; k < std::ssize(values); ++k)
    if (has_jump(values[static_cast<std::size_t>(k) - 1], is_disjunction != is_negated)) splits.push_back(k);
  return !splits.empty() && conditions_.split_guard_at(block, i, splits, end) ? i + splits.size() : i;
}

void JumpGuards::write_guard_clause(ast::Block& block, std::size_t i, End end) {
  const auto& test = if_of(block[i]);
  if (end != End::kContinue || i + 1 != block.size() || is_exit(tree_, test.body[0]) || !has_jump(test.test, false))
    return;
  const auto negated = conditions_.negation_of(test.test);
  if (!negated) return;
  const auto exit = exits_.make_exit(end, tree_.stmts[block[i]].origin);
  auto& changed = if_of(block[i]);
  changed.test = *negated;
  const auto rest = std::exchange(changed.body, {exit});
  block.insert(block.end(), rest.begin(), rest.end());
}

void JumpGuards::restore_pass(ast::StmtId s) {
  const auto& test = if_of(s);
  if (is_exit(tree_, test.body[0]) || ast::is_pass(tree_, test.body)) return;
  if (!has_jump(test.test, false) && !has_pass(test)) return;
  const auto negated = conditions_.negation_of(test.test);
  if (!negated) return;
  const auto pass = tree_.stmt(ast::Pass{}, ast::Origin(tree_.stmts[s].origin));
  auto& changed = if_of(s);
  changed.test = *negated;
  changed.orelse = std::exchange(changed.body, {pass});
}

void JumpGuards::nest_guard(ast::Block& block, std::size_t i, End end) {
  const auto& test = if_of(block[i]);
  const auto [op, values, is_negated, is_disjunction] = conditions_.operands_of(test.test);
  if (!is_disjunction || end != End::kContinue || i + 1 == block.size() || test.body.size() != 1) return;
  if (!ast::is<ast::Continue>(tree_.stmts[test.body[0]].node) || !has_jump(test.test, true)) return;
  std::ptrdiff_t split_index = 0;
  for (std::ptrdiff_t k = 1; k < std::ssize(values); ++k) {
    const auto above = columns_.lines_of({ast::AnyId{values[static_cast<std::size_t>(k) - 1]}}).last;
    const auto line = columns_.lines_of({ast::AnyId{values[static_cast<std::size_t>(k)]}}).first;
    if (above < 0 || line < 0 || (line > above && std::exchange(split_index, k) != 0)) return;
  }
  const auto line_of_test = columns_.lines_of({ast::AnyId{values.back()}}).last;
  if (split_index == 0 || columns_.first_line(block[i + 1]) != line_of_test + 2) return;
  const auto parts = conditions_.halves(op, values, split_index, {!is_negated, is_negated});
  if (!parts) return;
  const auto guard = tree_.stmt(ast::If{parts->below, test.body, {}}, ast::Origin(tree_.stmts[block[i]].origin));
  auto& changed = if_of(block[i]);
  changed.test = parts->above;
  changed.body = {guard};
  const auto first = block.begin() + static_cast<std::ptrdiff_t>(i) + 1;
  changed.body.insert(changed.body.end(), first, block.end());
  block.erase(first, block.end());
}

void JumpGuards::nest_rest(ast::Block& block, std::size_t i, End end) {
  const auto& test = if_of(block[i]);
  if (i + 1 == block.size() || test.body.size() != 1) return;
  const auto& exit = tree_.stmts[test.body[0]].node;
  const bool breaks = ast::is<ast::Break>(exit) && ast::is<ast::Break>(tree_.stmts[block.back()].node);
  const bool continues = ast::is<ast::Continue>(exit) && end == End::kContinue;
  if ((!breaks && !continues) || (breaks && i + 2 == block.size())) return;
  const auto* next = columns_.fallthrough_of_test(test.test, false);
  const auto line = next != nullptr ? columns_.first_line(block[i + 1]) : -1;
  if (line < 0 || columns_.line_at(next->offset) != line || line <= columns_.lines_of({ast::AnyId{test.test}}).last)
    return;
  const auto negated = conditions_.negation_of(test.test);
  if (!negated) return;
  auto& changed = if_of(block[i]);
  changed.test = *negated;
  const auto first = block.begin() + static_cast<std::ptrdiff_t>(i) + 1, last = block.end() - (breaks ? 1 : 0);
  changed.body.assign(first, last);
  block.erase(first, last);
}

bool JumpGuards::has_pass(const ast::If& test) const {
  const auto* next = columns_.fallthrough_of_test(test.test, false);
  if (next == nullptr || next->op != Op::NOP) return false;
  const auto line = columns_.line_at(next->offset);
  return columns_.lines_of({ast::AnyId{test.test}}).last < line && line < columns_.first_line(test.body[0]);
}

bool JumpGuards::has_jump(ast::ExprId test, bool holds) const {
  const auto* next = columns_.fallthrough_of_test(test, holds);
  return next != nullptr && next->op == Op::JUMP;
}

}  // namespace depyf::idiom
