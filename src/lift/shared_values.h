// SPDX-License-Identifier: MIT
// Counts the uses of values that COPY put on the stack more than once, and of the results of in-place operations.
//
// A copied value is lifted without a temporary at first, as in `x = y = e`. If the result then has it in two places, it
// would be evaluated twice: violations() tells its COPY, and the code object is lifted again with a temporary for it.
// Invariant: in the final result an expression with effects occurs in exactly one place.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>

#include "ast/ast.h"

namespace depyf::lift {

struct SharedValues {
  struct Copy {
    std::uint32_t offset = 0;  // bytecode offset of its COPY, or of the in-place operation
    std::int32_t uses = 0;     // number of finished expressions and statements that contain it
  };
  using Copies = std::unordered_map<std::uint32_t, Copy>;  // by ExprId

  Copies copies;
  Copies inplace;                      // results of in-place operations: only the augmented assignment may use them
  std::set<std::uint32_t> one_by_one;  // displays (ExprIds) whose items were added, and so hashed, one by one

  void note_use(ast::ExprId e);  // counts one more use of the expression
  void undo_use(ast::ExprId e);  // takes a use back, since the expression was merged with another one
  // Returns the offsets of COPY instructions (and in-place operations) whose value `result` would evaluate twice.
  // Without a result, of those that have too many uses by the counts.
  [[nodiscard]] std::set<std::uint32_t> violations(const ast::Tree& tree,
                                                   const std::optional<ast::Block>& result) const;
  // Returns whether some statement from id `first` on has a set or dict display that was built item by item although it
  // is so short that the compiler would build it at once.
  [[nodiscard]] bool splits_display(const ast::Tree& tree, const ast::Block& result, std::uint32_t first) const;
};

}  // namespace depyf::lift
