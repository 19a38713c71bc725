// SPDX-License-Identifier: MIT
// How large expressions would be as text: nodes counted as often as they would be written.
//
// A value that is copied on the stack is one node with several parents until lifting knows whether it must have a variable;
// written out, such a graph doubles with each copy. Sizes are computed when they are asked for and kept; a display that
// grows in place says so through grew().
#pragma once

#include <cstdint>
#include <vector>

#include "ast/ast.h"

namespace depyf::lift {

class Sizes {
 public:
  // Nodes of an expression and of all below it, each counted for each of its parents.
  [[nodiscard]] std::uint64_t of(const ast::Tree& tree, ast::ExprId expr);
  // The same of the expressions that a statement holds directly.
  [[nodiscard]] std::uint64_t of(const ast::Tree& tree, ast::StmtId stmt);
  // The longest way down from an expression.
  [[nodiscard]] std::uint32_t height(const ast::Tree& tree, ast::ExprId expr);
  // An item was added to a display.
  void grew(const ast::Tree& tree, ast::ExprId display, ast::ExprId item);

 private:
  std::vector<std::uint64_t> sizes_;    // by ExprId; 0: not asked for yet
  std::vector<std::uint32_t> heights_;  // of the same
};

}  // namespace depyf::lift
