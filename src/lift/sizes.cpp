// SPDX-License-Identifier: MIT
// Computes sizes and heights of expressions, with a worklist instead of recursion; see sizes.h.
#include "lift/sizes.h"

#include <algorithm>

#include "ast/walk.h"
#include "support/small_vector.h"

namespace depyf::lift {

namespace {

constexpr std::uint64_t kUnknown = 0;
constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 62U;  // sizes saturate here, so that sums stay below 2**64

}  // namespace

std::uint64_t Sizes::of(const ast::Tree& tree, ast::ExprId expr) {
  if (expr.n < sizes_.size() && sizes_[expr.n] != kUnknown) return sizes_[expr.n];
  if (sizes_.size() < tree.exprs.size()) {
    sizes_.resize(tree.exprs.size(), kUnknown);
    heights_.resize(tree.exprs.size());
  }
  SmallVector<ast::ExprId, 32> todo{expr};
  while (!todo.empty()) {
    const ast::ExprId next = todo.back();
    if (sizes_[next.n] != kUnknown) {
      todo.pop_back();
      continue;
    }
    std::uint64_t size = 1;
    std::uint32_t height = 0;
    const std::size_t size_before = todo.size();
    match(tree.exprs[next].node, [&](const auto& node) {
      ast::for_each_child_expr(node, [&](ast::ExprId child) {
        if (sizes_[child.n] == kUnknown)
          todo.push_back(child);
        else
          size = std::min(size + sizes_[child.n], kMaxSize), height = std::max(height, heights_[child.n] + 1);
      });
    });
    if (todo.size() > size_before) continue;  // some child has no size yet: visit the children first
    sizes_[next.n] = size;
    heights_[next.n] = height;
    todo.pop_back();
  }
  return sizes_[expr.n];
}

std::uint64_t Sizes::of(const ast::Tree& tree, ast::StmtId stmt) {
  std::uint64_t size = 1;
  match(tree.stmts[stmt].node, [&](const auto& node) {
    ast::for_each_child_expr(node, [&](ast::ExprId child) { size = std::min(size + of(tree, child), kMaxSize); });
  });
  return size;
}

std::uint32_t Sizes::height(const ast::Tree& tree, ast::ExprId expr) {
  static_cast<void>(of(tree, expr));
  return heights_[expr.n];
}

void Sizes::note_growth(const ast::Tree& tree, ast::ExprId display, ast::ExprId item) {
  if (display.n >= sizes_.size() || sizes_[display.n] == kUnknown) return;
  sizes_[display.n] = std::min(sizes_[display.n] + of(tree, item), kMaxSize);
  heights_[display.n] = std::max(heights_[display.n], heights_[item.n] + 1);
}

}  // namespace depyf::lift
