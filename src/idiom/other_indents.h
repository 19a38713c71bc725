// SPDX-License-Identifier: MIT
// Lays out `elif` and `else` in code that is not indented by four columns, for which source_layout.cpp has no rules.
//
// `elif ` is two longer than `if `, so the test of an `elif` is two columns after that of its `if`, with any indent.
//
// Invariant: the same tests and statements in the same order; only arms that always exit are moved.
#pragma once

#include "ast/ast.h"
#include "idiom/columns.h"

namespace depyf::idiom {

class OtherIndents {
 public:
  OtherIndents(ast::Tree& tree, const Columns& columns) : tree_(tree), columns_(columns) {}

  // Returns whether the code has another indent: a statement of the body itself, or a third of all statements that
  // start a line, are at no multiple of four columns.
  [[nodiscard]] bool has_other_indent(const ast::Block& body) const;

  // Lays out each `if` whose body always exits: the following `if` is an `elif` if its test is two columns further to
  // the right, other statements are an `else` if they are deeper. In the tree, they may be either.
  void lay_out(ast::Block& block);

 private:
  // Returns whether any statement is at no multiple of four columns. A quick check: most code has none.
  [[nodiscard]] bool has_odd_position(const ast::Block& body) const;

  // Returns the position of a statement if it starts at that of its instruction, else null: a `return` that leaves a
  // `with` or a `finally` has the position of that.
  [[nodiscard]] const SourcePosition* position_of(ast::StmtId s) const;

  // Returns the i-th statement if it is an `if` whose body always exits, else null.
  [[nodiscard]] ast::If* exiting_if(const ast::Block& block, std::size_t i);

  // Returns the distance of the columns of two tests, modulo the length of `not `; nullopt if unknown.
  [[nodiscard]] std::optional<Column> distance(const ast::If& from, const ast::If& to) const;

  [[nodiscard]] Column column_of(ast::StmtId s) const;

  // Returns the column of an `if`, which is two less than that of its body.
  [[nodiscard]] Column column_of(const ast::If& test) const;

  // Moves statements at the column of the `if` out of its chain of `elif`. Returns whether there are any.
  bool split_chain(ast::Block& block, std::size_t i);

  // Moves the statements after the `if` into the chain.
  void extend_chain(ast::Block& block, std::size_t i);

  ast::Tree& tree_;
  const Columns& columns_;
};

}  // namespace depyf::idiom
