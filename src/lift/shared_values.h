// SPDX-License-Identifier: MIT
// Values that lie on the stack more than once, and the results of in-place operations.
//
// Invariant: an expression with effects occurs in exactly one place of the result; see violations().
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>

#include "ast/ast.h"

namespace depyf::lift {

struct SharedValues {
  struct Copy {
    std::uint32_t offset = 0;  // of its COPY, or of the operation
    std::int32_t uses = 0;     // times it occurs in a finished expression or statement
  };
  using Copies = std::unordered_map<std::uint32_t, Copy>;  // by ExprId

  Copies copies;
  Copies inplace;                      // any use but by their own target is one too many
  std::set<std::uint32_t> one_by_one;  // displays (ExprIds) whose items were hashed one by one

  void note_use(ast::ExprId e);  // the expression occurs in one more place of the result
  void unembed(ast::ExprId e);   // ... and that use is folded into another
  // Offsets of COPY instructions whose value would be evaluated twice by what was built.
  [[nodiscard]] std::set<std::uint32_t> violations(const ast::Tree& tree,
                                                   const std::optional<ast::Block>& result) const;
  // Whether what was built, of statements from `first` on, has a display whose items were hashed one by one, as no
  // compiler does for so few.
  [[nodiscard]] bool splits_display(const ast::Tree& tree, const ast::Block& result, std::uint32_t first) const;
};

}  // namespace depyf::lift
