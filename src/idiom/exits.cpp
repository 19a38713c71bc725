// SPDX-License-Identifier: MIT
// Exits at the ends of blocks; see exits.h.
#include "idiom/exits.h"

#include <utility>

#include "ast/constants.h"
#include "ast/walk.h"
#include "idiom/arms.h"
#include "support/small_vector.h"

namespace depyf::idiom {

namespace {

// Removes the statements that match from the ends of the arms of a statement, and returns one of them; an invalid id if
// none matches. An arm that becomes empty gets `pass`.
template <class Matches>
ast::StmtId remove_trailing(ast::Tree& tree, ast::StmtId of, ast::StmtId pass, Matches matches) {
  ast::StmtId removed;
  SmallVector<ast::StmtId, 8> todo{of};
  while (!todo.empty()) {
    const auto s = todo.back();
    todo.pop_back();
    auto& n = tree.stmts[s].node;
    const auto* guard = std::get_if<ast::Try>(&n);
    const bool is_branch = ast::is<ast::If, ast::Match>(n);
    if (ast::is_scope(n) || (s != of && guard != nullptr && !guard->finalbody.empty())) continue;
    ast::for_each_child_block(n, [&](ast::Block& b) {
      if (b.empty() || (!is_branch && !falls_through_to_follow(n, b))) return;
      if (!matches(b.back())) return todo.push_back(b.back());
      removed = std::exchange(b.back(), pass);
      if (b.size() > 1) b.pop_back();
    });
  }
  return removed;
}

}  // namespace

void Exits::collect(const ast::Block& body) {
  for (SmallVector<const ast::Block*, 16> todo{&body}; !todo.empty();) {
    const ast::Block& block = *todo.back();
    todo.pop_back();
    for (const auto s : block) {
      const auto& n = tree_.stmts[s].node;
      const auto* r = std::get_if<ast::Return>(&n);
      returns_values_ = returns_values_ || (r != nullptr && r->value.valid());
      if (is_return_of_none(s)) returns_.push_back(s);
      if (const auto* guard = std::get_if<ast::Try>(&n))
        ast::walk(tree_, guard->finalbody,
                  [&](ast::StmtId in) { return finally_lines_.insert(columns_.line_of(in)), true; });
      if (ast::has_blocks(n) && !ast::is_scope(n))
        ast::for_each_child_block(n, [&](const ast::Block& b) { todo.push_back(&b); });
    }
  }
}

void Exits::write_returns() {
  for (const auto s : returns_) {
    const auto written = columns_.written_return(s);
    if (!written) continue;
    const auto value = written->has_none ? tree_.expr(ast::NoneLiteral{}, tree_.stmts[s].origin) : ast::ExprId{};
    std::get<ast::Return>(tree_.stmts[s].node).value = value;
  }
}

Column Exits::column_of_return(ast::StmtId s) const {
  const auto written = is_return_of_none(s) ? columns_.written_return(s) : std::nullopt;
  return written ? written->column : kUnknown;
}

bool Exits::is_bare_return(ast::StmtId s) const {
  const auto* r = std::get_if<ast::Return>(&tree_.stmts[s].node);
  return r != nullptr && !r->value.valid();
}

bool Exits::is_break(ast::StmtId s) const {
  const auto* p = is_return_of_none(s) ? columns_.position_of(s) : nullptr;
  return p != nullptr && is_word(*p, kBreakWord);
}

bool Exits::is_constant_return(ast::StmtId s) const {
  const auto* r = std::get_if<ast::Return>(&tree_.stmts[s].node);
  return r != nullptr && r->value.valid() && ast::is_constant(tree_, r->value);
}

bool Exits::is_copy(ast::StmtId s, ast::StmtId of) const {
  if (!is_constant_return(s)) return false;
  const auto *p = columns_.position_of(s), *q = columns_.position_of(of);
  return p != nullptr && q != nullptr && p->column >= 0 && *p == *q && ast::equal(tree_, code_tree_, {s}, {of});
}

bool Exits::is_trivial(const ast::Block& body) const {
  return body.size() == 1 &&
         (ast::is<ast::Pass, ast::Break, ast::Continue>(tree_.stmts[body[0]].node) || is_return_of_none(body[0]));
}

bool Exits::is_placeholder(const ast::Block& body) const {
  const auto* p = body.size() == 1 && is_return_of_none(body[0]) ? columns_.position_of(body[0]) : nullptr;
  return p != nullptr && (is_word(*p, kPassWord) || is_word(*p, kEllipsisWord));
}

bool Exits::ends_in_implicit_exit(const ast::Block& body, End end) const {
  if (end == End::kReturn) return ends_in_implicit_return(body);
  if (end != End::kContinue || body.size() < 2 || !ast::is<ast::Continue>(tree_.stmts[body.back()].node)) return false;
  const auto before = body[body.size() - 2];
  const auto line = columns_.line_of_exit_after(before);
  return line >= 0 && line <= columns_.last_line(before);
}

bool Exits::ends_in_implicit_return(const ast::Block& body) const {
  const auto* r = body.size() > 1 ? std::get_if<ast::Return>(&tree_.stmts[body.back()].node) : nullptr;
  if (r == nullptr || r->is_observable || !is_return_of_none(body.back())) return false;
  if (columns_.written_return(body.back())) return false;
  const auto* p = columns_.position_of(body.back());
  return p != nullptr && p->line <= columns_.last_line(body[body.size() - 2]);
}

void Exits::move_return_after(ast::Block& block, Column column) {
  if (returns_.empty()) return;
  const auto is_at_column = [&](ast::StmtId s) { return column_of_return(s) == column; };
  const auto pass = tree_.stmt(ast::Pass{}, ast::Origin(tree_.stmts[block.back()].origin));
  if (const auto after = remove_trailing(tree_, block.back(), pass, is_at_column); after.valid())
    block.push_back(after);
}

bool Exits::has_line_of_finally(ast::StmtId s) const {
  const auto* r = std::get_if<ast::Return>(&tree_.stmts[s].node);
  if (r == nullptr || (r->value.valid() && !ast::is_constant(tree_, r->value))) return false;
  return finally_lines_.contains(columns_.line_of(s));
}

void Exits::return_after_finally(ast::Block& body) {
  if (body.empty()) return;
  // Created before the pointers are collected: a new statement may move the others.
  const auto pass = tree_.stmt(ast::Pass{}, ast::Origin(tree_.stmts[body[0]].origin));
  std::vector<ast::Block*> blocks;  // that end in a `try` with `finally`, outer blocks first
  std::vector<ast::Block*> todo{&body};
  while (!todo.empty()) {
    auto& block = *todo.back();
    todo.pop_back();
    for (const auto s : block) {
      auto& n = tree_.stmts[s].node;
      if (!ast::has_blocks(n) || ast::is_scope(n)) continue;
      ast::for_each_child_block(n, [&](ast::Block& b) { todo.push_back(&b); });
      const auto* guard = std::get_if<ast::Try>(&n);
      if (guard == nullptr || guard->finalbody.empty()) continue;
      if (s == block.back()) blocks.push_back(&block);
    }
  }
  for (auto at = blocks.rbegin(); at != blocks.rend(); ++at) {
    auto* block = *at;
    const auto& n = tree_.stmts[block->back()].node;
    bool falls_through = false;
    ast::for_each_child_block(n, [&](const ast::Block& b) {
      falls_through = falls_through || (!b.empty() && falls_through_to_follow(n, b) && !always_exits(tree_, b));
    });
    if (falls_through) continue;
    const auto last = columns_.line_of(std::get<ast::Try>(n).finalbody.back());
    ast::StmtId first;  // the first match; a `return` on another line is another statement of the source
    const auto follows = [&](ast::StmtId s) {
      const auto* r = std::get_if<ast::Return>(&tree_.stmts[s].node);
      if (r == nullptr || is_return_of_none(s) || !ast::is_constant(tree_, r->value)) return false;
      const auto line = columns_.line_of(s);
      if (last < 0 || line <= last || has_line_of_finally(s)) return false;
      if (!first.valid()) first = s;
      return columns_.line_of(first) == line && ast::equal(tree_, code_tree_, {first}, {s});
    };
    if (const auto after = remove_trailing(tree_, block->back(), pass, follows); after.valid()) block->push_back(after);
  }
}

void Exits::move_exit_to_else(ast::StmtId s) {
  auto& guard = std::get<ast::Try>(tree_.stmts[s].node);
  if (guard.handlers.empty() || !guard.orelse.empty() || guard.body.size() < 2) return;
  const auto exit = guard.body.back();
  const bool breaks = ast::is<ast::Break>(tree_.stmts[exit].node);
  if (!breaks && (!is_constant_return(exit) || is_return_of_none(exit))) return;
  const auto last = columns_.last_line(guard.handlers.back());
  const auto own = breaks ? columns_.line_of_exit_after(guard.body[guard.body.size() - 2]) : columns_.line_of(exit);
  if (last < 0 || own <= last || has_line_of_finally(exit)) return;
  guard.orelse = {exit};
  guard.body.pop_back();
}

End Exits::end_of(const ast::StmtNode& n, std::size_t number, const ast::Block& part, End follow) const {
  if (ast::is<ast::For, ast::While>(n) && number == 0) return End::kContinue;
  const bool exits = ast::is<ast::If, ast::Match>(n) ||
                     (falls_through_to_follow(n, part) && is_same_code_inside(tree_, dialect_, exit_node(follow)));
  return exits ? follow : End::kOther;
}

ast::StmtNode Exits::exit_node(End end) {
  return end == End::kReturn ? ast::StmtNode{ast::Return{}} : ast::StmtNode{ast::Continue{}};
}

ast::StmtId Exits::make_exit(End end, ast::Origin origin) {
  const bool is_explicit = end == End::kReturn && returns_values_;
  return tree_.stmt(is_explicit ? ast::Return{tree_.expr(ast::NoneLiteral{}, origin)} : exit_node(end), origin);
}

bool Exits::is_exit_of(ast::StmtId s, End end) const {
  if (is_bare_return(s)) return end == End::kReturn;
  return end == End::kContinue && std::holds_alternative<ast::Continue>(tree_.stmts[s].node);
}

bool Exits::is_return_of_none(ast::StmtId s) const {
  const auto* r = std::get_if<ast::Return>(&tree_.stmts[s].node);
  return r != nullptr && (!r->value.valid() || ast::is_none(tree_, code_tree_, r->value));
}

}  // namespace depyf::idiom
