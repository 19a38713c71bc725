// SPDX-License-Identifier: MIT
// Computes how large expressions are as text: a node counts once for each time it would be written.
//
// A value that is copied on the stack is one node with several parents until lifting knows whether it needs a variable.
// Written out, such a graph can double with each copy. Sizes are computed on demand and cached; whoever appends to a
// display in place updates the cache through note_growth().
#pragma once

#include <cstdint>
#include <vector>

#include "ast/ast.h"

namespace depyf::lift {

class Sizes {
 public:
  // Returns the number of nodes of an expression tree, a shared node counted once for each parent.
  [[nodiscard]] std::uint64_t of(const ast::Tree& tree, ast::ExprId expr);
  // Returns the same for a statement: 1, and the sizes of the expressions that it holds directly.
  [[nodiscard]] std::uint64_t of(const ast::Tree& tree, ast::StmtId stmt);
  // Returns the height of an expression tree: the number of edges on the longest path down to a leaf.
  [[nodiscard]] std::uint32_t height(const ast::Tree& tree, ast::ExprId expr);
  // Updates the cached size and height of a display to which an item was appended.
  void note_growth(const ast::Tree& tree, ast::ExprId display, ast::ExprId item);

 private:
  std::vector<std::uint64_t> sizes_;    // by ExprId; 0: not computed yet
  std::vector<std::uint32_t> heights_;  // by ExprId, valid where sizes_ is
};

}  // namespace depyf::lift
