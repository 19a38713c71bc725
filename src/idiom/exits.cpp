// SPDX-License-Identifier: MIT
// Exits at the ends of blocks; see exits.h.
#include "idiom/exits.h"

#include <utility>

#include "ast/constants.h"
#include "ast/walk.h"
#include "idiom/arms.h"
#include "support/small_vector.h"

namespace depyf::idiom {

void Exits::find(const ast::Block& body) {
  for (SmallVector<const ast::Block*, 16> todo{&body}; !todo.empty();) {
    const ast::Block& block = *todo.back();
    todo.pop_back();
    for (const auto s : block) {
      const auto& n = tree_.stmts[s].node;
      const auto* r = std::get_if<ast::Return>(&n);
      gives_values_ = gives_values_ || (r != nullptr && r->value.valid());
      if (is_return_of_none(s)) returns_.push_back(s);
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
  const auto* p = is_return_of_none(s) ? columns_.place_of(s) : nullptr;
  return p != nullptr && is_word(*p, kBreakWord);
}

bool Exits::ends_in_unwritten_return(const ast::Block& body) const {
  const auto* r = body.size() > 1 ? std::get_if<ast::Return>(&tree_.stmts[body.back()].node) : nullptr;
  if (r == nullptr || r->is_observable || !r->value.valid() || !is_return_of_none(body.back())) return false;
  const auto* p = columns_.place_of(body.back());
  return p != nullptr && p->line <= columns_.last_line(body[body.size() - 2]);
}

void Exits::move_return_after(ast::Block& block, Column column) {
  if (returns_.empty()) return;
  const auto pass = tree_.stmt(ast::Pass{}, tree_.stmts[block.back()].origin);
  ast::StmtId after;
  SmallVector<ast::StmtId, 8> todo{block.back()};
  while (!todo.empty()) {
    auto& n = tree_.stmts[todo.back()].node;
    todo.pop_back();
    const auto* guard = std::get_if<ast::Try>(&n);
    const bool arms = ast::is<ast::If, ast::Match>(n);
    if (ast::is_scope(n) || (guard != nullptr && !guard->finalbody.empty())) continue;
    ast::for_each_child_block(n, [&](ast::Block& b) {
      if (b.empty() || (!arms && !falls_through_to_follow(n, b))) return;
      if (column_of_return(b.back()) != column) return todo.push_back(b.back());
      after = std::exchange(b.back(), pass);
      if (b.size() > 1) b.pop_back();
    });
  }
  if (after.valid()) block.push_back(after);
}

ast::StmtNode Exits::node_of(End end) {
  return end == End::kReturn ? ast::StmtNode{ast::Return{}} : ast::StmtNode{ast::Continue{}};
}

ast::StmtId Exits::make(End end, ast::Origin origin) {
  const bool is_explicit = end == End::kReturn && gives_values_;
  return tree_.stmt(is_explicit ? ast::Return{tree_.expr(ast::NoneLiteral{}, origin)} : node_of(end), origin);
}

bool Exits::does(ast::StmtId s, End end) const {
  if (is_bare_return(s)) return end == End::kReturn;
  return end == End::kContinue && std::holds_alternative<ast::Continue>(tree_.stmts[s].node);
}

bool Exits::is_return_of_none(ast::StmtId s) const {
  const auto* r = std::get_if<ast::Return>(&tree_.stmts[s].node);
  return r != nullptr && (!r->value.valid() || ast::is_none(tree_, code_tree_, r->value));
}

}  // namespace depyf::idiom
