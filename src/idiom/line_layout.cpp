// SPDX-License-Identifier: MIT
// Layout by lines; see line_layout.h.
#include "idiom/line_layout.h"

#include <utility>

#include "idiom/arms.h"

namespace depyf::idiom {

void LineLayout::lay_out(ast::Block& block, End end, bool is_body) {
  for (auto i = block.size(); i-- > 0;) {
    if (!dialect_.folds_constant_tests)
      conditions_.nest_assertion(block[i]);  // 3.10 raises on the line of the last test
    if (!ast::is<ast::If>(tree_.stmts[block[i]].node)) continue;
    if (!conditions_.assigned_conditional(block, i) && !conditions_.as_conditional(block, i) &&
        !(is_body && conditions_.ends_in_conditional(block, i)))
      split_test(block[i]);
  }
  if (end == End::kReturn) fall_off_arms(block);
  if (is_body && !dialect_.exits_duplicated)
    else_at_end(block);
  else
    exit_in_else(block);
  join_chains(block);
}

void LineLayout::split_test(ast::StmtId s) {
  const auto [both, denied] = conditions_.tests_of(s);
  if (both == nullptr || denied) return;
  const auto& test = std::get<ast::If>(tree_.stmts[s].node);
  const auto values = ast::operands(tree_, *both);
  std::ptrdiff_t own = 0;
  auto above = columns_.lines_of({ast::AnyId{values[0]}}).last;
  for (std::size_t k = 1; k < values.size(); ++k) {
    const Lines lines = columns_.lines_of({ast::AnyId{values[k]}});
    if (above < 0) return;
    if (lines.first > above && std::exchange(own, static_cast<std::ptrdiff_t>(k)) != 0) return;
    above = lines.last;
  }
  if (own != 0 && columns_.lines_of({ast::AnyId{test.body[0]}}).first == above + 1) conditions_.split_at(s, own);
}

void LineLayout::fall_off_arms(ast::Block& block) {
  for (auto k = block.size() - 1; k-- > 0;) {
    if (!leaves(block, k)) continue;
    const auto& body = std::get<ast::If>(tree_.stmts[block[k]].node).body;
    if (body.size() < 2 || !exits_.is_return_of_none(body.back())) continue;
    const auto above = columns_.last_line(body[body.size() - 2]), own = columns_.line_of(body.back());
    const auto below = first_line(block, k + 1);
    if (above < 0 || own < 0 || below < 0 || (above < own && own < below)) continue;
    move_into(block, k, block.size());
    std::get<ast::If>(tree_.stmts[block[k]].node).body.pop_back();
  }
}

void LineLayout::else_at_end(ast::Block& body) {
  if (body.size() < 2 || !always_exits(tree_, {body.back()}) || !positions_.ends_in_arms()) return;
  const auto has_line_for_else = [&](std::size_t k) { return leaves(body, k) && gap_after(body, k) >= 2; };
  auto last = body.size() - 2;
  while (last > 0 && !has_line_for_else(last)) --last;
  if (has_line_for_else(last)) move_into(body, last, body.size());
}

void LineLayout::exit_in_else(ast::Block& block) {
  if (block.size() < 2 || !is_exit(tree_, block.back())) return;
  const auto last = block.size() - 2;
  if (!leaves(block, last) || gap_after(block, last) != 2) return;
  if (last > 0) {  // the line between may be a blank one, as where one precedes the `if`
    const auto& body = std::get<ast::If>(tree_.stmts[block[last]].node).body;
    const bool checks = ast::is<ast::Raise>(tree_.stmts[body.back()].node) &&
                        ast::is<ast::Return>(tree_.stmts[block.back()].node) && !leaves(block, last - 1);
    if (checks || gap_after(block, last - 1) != 1) return;
  }
  move_into(block, last, block.size());
}

void LineLayout::join_chains(ast::Block& block) {
  for (auto k = block.size() - 1; k-- > 0;) {
    const auto* next = std::get_if<ast::If>(&tree_.stmts[block[k + 1]].node);
    if (next != nullptr && !next->orelse.empty() && always_exits(tree_, next->body) && leaves(block, k) &&
        gap_after(block, k) == 1)
      move_into(block, k, k + 2);
  }
}

bool LineLayout::leaves(const ast::Block& block, std::size_t k) const {
  const auto* test = std::get_if<ast::If>(&tree_.stmts[block[k]].node);
  return test != nullptr && test->orelse.empty() && always_exits(tree_, test->body);
}

std::int32_t LineLayout::gap_after(const ast::Block& block, std::size_t k) const {
  const auto last = columns_.last_line(block[k]);
  return last < 0 ? 0 : first_line(block, k + 1) - last;
}

std::int32_t LineLayout::first_line(const ast::Block& block, std::size_t k) const {
  const auto* test = std::get_if<ast::If>(&tree_.stmts[block[k]].node);
  const auto begin = test != nullptr ? ast::AnyId{test->test} : ast::AnyId{block[k]};
  return columns_.lines_of({begin}).first;
}

void LineLayout::move_into(ast::Block& block, std::size_t k, std::size_t end) {
  const auto first = block.begin() + static_cast<std::ptrdiff_t>(k) + 1;
  const auto last = block.begin() + static_cast<std::ptrdiff_t>(end);
  std::get<ast::If>(tree_.stmts[block[k]].node).orelse.assign(first, last);
  block.erase(first, last);
}

}  // namespace depyf::idiom
