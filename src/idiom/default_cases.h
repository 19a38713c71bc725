// SPDX-License-Identifier: MIT
// `case _` at the end of a match statement, by the place of its NOP (3.11+): it does nothing, or the cases before it leave and
// what follows the statement stands in it.
//
// Invariant: the same bytecode but for that NOP.
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

  // Gives the i-th statement of a block its `case _`, if it is a match statement that has one in the source.
  void restore(ast::Block& block, std::size_t i);

 private:
  // Where `_` stands in the source, below the last case.
  [[nodiscard]] const SourcePosition* place_after(const ast::MatchCase& last);
  // Whether it matches whatever it is given, so that no case may follow.
  [[nodiscard]] bool is_irrefutable(ast::PatternId pattern) const;
  [[nodiscard]] Start start_of(ast::PatternId pattern) const;

  ast::Tree& tree_;
  SourcePositions& positions_;
  const Columns& columns_;
  std::optional<std::vector<SourcePositions::Wildcard>> wildcards_;  // once they were asked for
};

}  // namespace depyf::idiom
