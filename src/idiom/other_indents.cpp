// SPDX-License-Identifier: MIT
// Layout of code that is not indented by four columns; see other_indents.h.
#include "idiom/other_indents.h"

#include <utility>

#include "ast/negation.h"
#include "ast/walk.h"
#include "idiom/arms.h"
#include "support/small_vector.h"

namespace depyf::idiom {

bool OtherIndents::has_odd_position(const ast::Block& body) const {
  for (SmallVector<const ast::Block*, 16> todo{&body}; !todo.empty();) {
    const ast::Block& block = *todo.back();
    todo.pop_back();
    for (const auto s : block) {
      const auto& n = tree_.stmts[s].node;
      if (ast::has_blocks(n) && !ast::is_scope(n))
        ast::for_each_child_block(n, [&](const ast::Block& b) { todo.push_back(&b); });
      if (!ast::is<ast::Assign, ast::ExprStmt, ast::Raise, ast::Return>(n)) continue;
      const auto* position = columns_.position_of(s);
      if (position != nullptr && position->column >= 0 && position->column % kIndent != 0) return true;
    }
  }
  return false;
}

bool OtherIndents::has_other_indent(const ast::Block& body) const {
  if (!has_odd_position(body)) return false;
  struct Part {
    const ast::Block* block;
    std::int32_t line;  // on which its header ends: a statement there does not start the line
  };
  std::size_t all = 0, others = 0;
  for (SmallVector<Part, 16> todo{{&body, -1}}; !todo.empty();) {
    auto [block, line] = todo.back();
    todo.pop_back();
    for (const auto s : *block) {
      const auto& n = tree_.stmts[s].node;
      if (ast::has_blocks(n) && !ast::is_scope(n)) {
        const auto* test = std::get_if<ast::If>(&n);
        const auto last = test != nullptr ? columns_.lines_of({ast::AnyId{test->test}}).last : columns_.first_line(s);
        ast::for_each_child_block(n, [&](const ast::Block& b) { todo.push_back({&b, last}); });
      }
      const auto* position = position_of(s);
      if (position == nullptr || position->column < 0 || position->line == line) continue;
      line = position->end_line;
      const bool is_other = position->column % kIndent != 0;
      if (is_other && block == &body) return true;
      ++all;
      others += is_other ? 1 : 0;
    }
  }
  return others > 0 && others * 3 >= all;
}

const SourcePosition* OtherIndents::position_of(ast::StmtId s) const {
  const auto& n = tree_.stmts[s].node;
  const auto* position = columns_.position_of(s);
  if (position == nullptr || ast::is<ast::ExprStmt, ast::Raise>(n)) return position;
  if (const auto* a = std::get_if<ast::Assign>(&n))
    return a->targets.size() == 1 && ast::is<ast::Name>(tree_.exprs[a->targets[0]].node) ? position : nullptr;
  const auto* r = std::get_if<ast::Return>(&n);
  const Start value = r != nullptr && r->value.valid() ? columns_.start_of(r->value) : Start{};
  return value.line == position->line && value.column == position->column + kReturnWord + 1 ? position : nullptr;
}

void OtherIndents::lay_out(ast::Block& block) {
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (exiting_if(block, i) != nullptr && !split_chain(block, i)) extend_chain(block, i);
  }
}

ast::If* OtherIndents::exiting_if(const ast::Block& block, std::size_t i) {
  auto* test = i < block.size() ? std::get_if<ast::If>(&tree_.stmts[block[i]].node) : nullptr;
  return test != nullptr && always_exits(tree_, test->body) ? test : nullptr;
}

std::optional<Column> OtherIndents::distance(const ast::If& from, const ast::If& to) const {
  const Start a = columns_.start_of(from.test), b = columns_.start_of(to.test);
  if (!a.known() || !b.known() || b.line <= a.line) return std::nullopt;
  return ((b.column - a.column) % kNot + kNot) % kNot;
}

Column OtherIndents::column_of(ast::StmtId s) const {
  const auto* position = position_of(s);
  return position != nullptr ? position->column : kUnknown;
}

Column OtherIndents::column_of(const ast::If& test) const {
  const Start start = columns_.start_of(test.test);
  if (!start.known()) return kUnknown;
  const Column body = column_of(test.body[0]), own = body - kNarrowIndent, keyword = start.column - own;
  if (body != kUnknown) return keyword == kAfterIf || keyword == kAfterIf + kNot ? own : kUnknown;
  return ast::without_not(tree_, test.test).valid() ? kUnknown : start.column - kAfterIf;
}

bool OtherIndents::split_chain(ast::Block& block, std::size_t i) {
  const auto* first = exiting_if(block, i);
  const auto own = column_of(*first);
  for (auto* test = exiting_if(block, i); test != nullptr && !test->orelse.empty();) {
    auto* next = exiting_if(test->orelse, 0);
    const bool is_elif = next != nullptr && test->orelse.size() == 1;
    const bool is_out = is_elif ? distance(*first, *next) == 0 : own != kUnknown && column_of(test->orelse[0]) == own;
    if (is_out) {
      const auto rest = std::exchange(test->orelse, {});
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
      return true;
    }
    test = is_elif ? next : nullptr;
  }
  return false;
}

void OtherIndents::extend_chain(ast::Block& block, std::size_t i) {
  const auto* first = exiting_if(block, i);
  auto* last = exiting_if(block, i);
  const auto follow_chain = [&] {
    while (last != nullptr && last->orelse.size() == 1) last = exiting_if(last->orelse, 0);
    return last != nullptr && last->orelse.empty();
  };
  auto next = i + 1;
  for (; follow_chain() && next < block.size(); ++next) {
    const auto* test = std::get_if<ast::If>(&tree_.stmts[block[next]].node);
    if (test == nullptr || distance(*first, *test) != kAfterElif - kAfterIf) break;
    last->orelse = {block[next]};
  }
  const auto own = column_of(*first);
  if (last != nullptr && last->orelse.empty() && next < block.size() && own != kUnknown &&
      column_of(block[next]) == own + kNarrowIndent) {
    const auto begin = next++;
    while (next < block.size() && column_of(block[next]) != own) ++next;
    last->orelse.assign(block.begin() + static_cast<std::ptrdiff_t>(begin),
                        block.begin() + static_cast<std::ptrdiff_t>(next));
  }
  block.erase(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, block.begin() + static_cast<std::ptrdiff_t>(next));
}

}  // namespace depyf::idiom
