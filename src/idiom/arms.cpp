// SPDX-License-Identifier: MIT
#include "idiom/arms.h"

#include <algorithm>

#include "ast/constants.h"
#include "ast/negation.h"
#include "ast/walk.h"
#include "support/small_vector.h"

namespace depyf::idiom {

bool has_nested_blocks(const ast::Tree& tree, const ast::Block& block) {
  return std::any_of(block.begin(), block.end(), [&](auto s) { return ast::has_blocks(tree.stmts[s].node); });
}

bool is_exit(const ast::Tree& tree, ast::StmtId s) {
  const auto& n = tree.stmts[s].node;
  const auto* assertion = std::get_if<ast::Assert>(&n);
  const auto* test = assertion != nullptr ? std::get_if<ast::Verbatim>(&tree.exprs[assertion->test].node) : nullptr;
  return ast::is<ast::Return, ast::Raise, ast::Continue, ast::Break>(n) || (test != nullptr && test->text == "False");
}

bool always_exits(const ast::Tree& tree, const ast::Block& block) {
  SmallVector<const ast::Block*, 16> todo{&block};
  while (!todo.empty()) {
    const auto& b = *todo.back();
    todo.pop_back();
    if (b.empty()) return false;
    if (is_exit(tree, b.back())) continue;
    const auto& last = tree.stmts[b.back()].node;
    if (const auto* guard = std::get_if<ast::Try>(&last); guard != nullptr) {
      if (!guard->finalbody.empty() && is_exit(tree, guard->finalbody.back())) continue;
      todo.push_back(guard->orelse.empty() ? &guard->body : &guard->orelse);
      for (const auto& h : guard->handlers) todo.push_back(&h.body);
      continue;
    }
    const auto* test = std::get_if<ast::If>(&last);
    if (test == nullptr) return false;
    todo.push_back(&test->orelse);
    todo.push_back(&test->body);  // is looked at first: it is shorter than the rest of a chain of `elif`
  }
  return true;
}

Protection Protection::in_part(const ast::StmtNode& n, const ast::Block& part) const {
  if (const auto* loop = std::get_if<ast::For>(&n); loop != nullptr && &part == &loop->body)
    return {is_protected, is_protected};
  if (const auto* loop = std::get_if<ast::While>(&n); loop != nullptr && &part == &loop->body)
    return {is_protected, is_protected};
  if (const auto* t = std::get_if<ast::Try>(&n); t != nullptr) {
    if (&part == &t->finalbody) return {true, shows_inversion};  // the copy for exceptions has an entry of its own
    if (&part == &t->orelse && t->finalbody.empty()) return *this;
  }
  return ast::is<ast::Try, ast::With>(n) ? Protection{true, false} : *this;
}

bool is_same_code_inside(const ast::Tree& tree, const Dialect& dialect, const ast::StmtNode& exit) {
  if (dialect.call_finally) return false;
  if (const auto* end = std::get_if<ast::Return>(&exit))
    return !end->value.valid() || ast::is_constant(tree, end->value);
  return std::holds_alternative<ast::Continue>(exit);
}

bool falls_through_to_follow(const ast::StmtNode& n, const ast::Block& part) {
  if (std::holds_alternative<ast::With>(n)) return true;
  if (const auto* loop = std::get_if<ast::For>(&n)) return &part == &loop->orelse;
  if (const auto* loop = std::get_if<ast::While>(&n)) return &part == &loop->orelse;
  const auto* t = std::get_if<ast::Try>(&n);
  if (t == nullptr || &part == &t->finalbody) return false;
  if (&part == &t->body) return t->orelse.empty();
  return !t->is_star || &part == &t->orelse;  // a clause of `except*` cannot contain a return
}

ast::Block& block_of(ast::Tree& tree, ast::Block& body, ast::StmtId owner, std::size_t number) {
  if (!owner.valid()) return body;
  auto& node = tree.stmts[owner].node;
  // Cases and handlers may be many.
  if (auto* match = std::get_if<ast::Match>(&node)) return match->cases[number].body;
  if (auto* guarded = std::get_if<ast::Try>(&node); guarded != nullptr && number - 1 < guarded->handlers.size())
    return guarded->handlers[number - 1].body;
  ast::Block* found = nullptr;
  std::size_t at = 0;
  ast::for_each_child_block(node, [&](ast::Block& b) {
    if (at++ == number) found = &b;
  });
  return *found;
}

ast::Block* fall_through_arm(const ast::Tree& tree, ast::If& test) {
  const bool exits = always_exits(tree, test.body);
  if (test.orelse.empty()) return exits ? &test.orelse : nullptr;
  return exits == always_exits(tree, test.orelse) ? nullptr : exits ? &test.orelse : &test.body;
}

bool exits_by_single_test(const ast::Tree& tree, const ast::If& test) {
  const auto operand = ast::without_not(tree, test.test);
  return operand.valid() && !ast::is<ast::BoolOp>(tree.exprs[operand].node) && always_exits(tree, test.body);
}

}  // namespace depyf::idiom
