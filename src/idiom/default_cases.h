// SPDX-License-Identifier: MIT
// Restores `case _` at the end of a `match` statement (3.11+). Its pattern compiles to a NOP with the position of `_`.
// The case either does nothing, or all cases before it exit, and its body looks like the code after the statement.
//
// Invariant: the same bytecode except for that NOP.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ast/ast.h"
#include "idiom/columns.h"

namespace depyf::idiom {

class DefaultCases {
 public:
  DefaultCases(ast::Tree& tree, SourcePositions& positions, const Columns& columns)
      : tree_(tree), positions_(positions), columns_(columns) {}

  // Adds `case _` to the i-th statement of a block, if it is a `match` that has one in the source.
  void restore(ast::Block& block, std::size_t i);

 private:
  // Returns the position of the `_` after the last case of the tree, null if there is none.
  [[nodiscard]] const SourcePosition* wildcard_after(const ast::MatchCase& last);
  // Returns whether the pattern matches any value: no case can follow it.
  [[nodiscard]] bool is_irrefutable(ast::PatternId pattern) const;
  [[nodiscard]] Start start_of(ast::PatternId pattern) const;

  ast::Tree& tree_;
  SourcePositions& positions_;
  const Columns& columns_;
  std::optional<std::vector<SourcePositions::Wildcard>> wildcards_;  // computed when first needed
};

}  // namespace depyf::idiom
