// SPDX-License-Identifier: MIT
// Sizes of expressions; see sizes.h.
#include "lift/sizes.h"

#include <algorithm>

#include "ast/walk.h"
#include "support/small_vector.h"

namespace depyf::lift {

namespace {

constexpr std::uint64_t kUnknown = 0;
constexpr std::uint64_t kMost = std::uint64_t{1} << 62U;  // sums stay below 2**64

}  // namespace

std::uint64_t Sizes::of(const ast::Tree& tree, ast::ExprId expr) {
  if (expr.n < sizes_.size() && sizes_[expr.n] != kUnknown) return sizes_[expr.n];
  if (sizes_.size() < tree.exprs.size()) sizes_.resize(tree.exprs.size(), kUnknown);
  SmallVector<ast::ExprId, 32> todo{expr};
  while (!todo.empty()) {
    const ast::ExprId next = todo.back();
    if (sizes_[next.n] != kUnknown) {
      todo.pop_back();
      continue;
    }
    std::uint64_t size = 1;
    const std::size_t waiting = todo.size();
    match(tree.exprs[next].node, [&](const auto& node) {
      ast::for_each_child_expr(node, [&](ast::ExprId child) {
        if (sizes_[child.n] == kUnknown)
          todo.push_back(child);
        else
          size = std::min(size + sizes_[child.n], kMost);
      });
    });
    if (todo.size() > waiting) continue;  // its children first
    sizes_[next.n] = size;
    todo.pop_back();
  }
  return sizes_[expr.n];
}

std::uint64_t Sizes::of(const ast::Tree& tree, ast::StmtId stmt) {
  std::uint64_t size = 1;
  match(tree.stmts[stmt].node, [&](const auto& node) {
    ast::for_each_child_expr(node, [&](ast::ExprId child) { size = std::min(size + of(tree, child), kMost); });
  });
  return size;
}

void Sizes::grew(const ast::Tree& tree, ast::ExprId display, ast::ExprId item) {
  if (display.n < sizes_.size() && sizes_[display.n] != kUnknown)
    sizes_[display.n] = std::min(sizes_[display.n] + of(tree, item), kMost);
}

}  // namespace depyf::lift
