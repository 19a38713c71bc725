// SPDX-License-Identifier: MIT
// Code that is not indented by four columns, as the rules for columns want it: what columns tell of `elif` and `else` there.
#pragma once

#include "ast/ast.h"
#include "idiom/columns.h"

namespace depyf::idiom {

class OtherIndents {
 public:
  OtherIndents(ast::Tree& tree, const Columns& columns) : tree_(tree), columns_(columns) {}

  // Whether statements that begin a line stand where none does that is indented by four columns: one that is in no other, or
  // a third of all.
  [[nodiscard]] bool are_others(const ast::Block& body) const;

  // What follows an `if` all arms of which leave: an `elif` where its test stands two columns from where that of an `if`
  // would, an `else` where it stands further in. As the tree has it, it may be either.
  void lay_out(ast::Block& block);

 private:
  // Whether any statement is where that could be so: of most code none, which is soon seen.
  [[nodiscard]] bool has_odd_place(const ast::Block& body) const;

  // Where a statement begins that has the place of its instruction, else null: one that leaves a `with` or a `finally` returns
  // from where that is.
  [[nodiscard]] const SourcePosition* place_of(ast::StmtId s) const;

  // An `if` whose body leaves, else null.
  [[nodiscard]] ast::If* test_of(const ast::Block& block, std::size_t i);

  // How far to the right of the test of an `if` that of another one begins, without `not `; nothing where it is not known.
  [[nodiscard]] std::optional<Column> distance(const ast::If& from, const ast::If& to) const;

  // Where a statement stands, as far as that tells.
  [[nodiscard]] Column column_of(ast::StmtId s) const;

  // Where an `if` stands, by its body.
  [[nodiscard]] Column column_of(const ast::If& test) const;

  // Takes what stands where the `if` does out of its chain: whether there is any.
  bool take_out(ast::Block& block, std::size_t i);

  // Takes what follows into the chain.
  void take_in(ast::Block& block, std::size_t i);

  ast::Tree& tree_;
  const Columns& columns_;
};

}  // namespace depyf::idiom
