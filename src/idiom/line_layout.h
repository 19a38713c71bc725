// SPDX-License-Identifier: MIT
// Restores the layout of `if` and `try` statements from lines alone (up to 3.10).
//
// There is no `else` and no closing parenthesis between two adjacent lines. A single line between two others may be
// either, or blank; then the neighbours decide.
//
// Invariant: the same tests and statements in the same order.
#pragma once

#include "ast/ast.h"
#include "bytecode/dialect.h"
#include "bytecode/positions.h"
#include "idiom/columns.h"
#include "idiom/conditions.h"
#include "idiom/exits.h"
#include "idiom/jump_guards.h"

namespace depyf::idiom {

class LineLayout {
 public:
  LineLayout(ast::Tree& tree, const Dialect& dialect, const SourcePositions& positions, const Columns& columns,
             Exits& exits, Conditions& conditions)
      : tree_(tree),
        dialect_(dialect),
        positions_(positions),
        columns_(columns),
        exits_(exits),
        conditions_(conditions),
        guards_(tree, columns, exits, conditions) {}

  // Lays out a block, whose inner blocks are done. `end`: what its end does; `is_body`: it is the body of the code
  // object; `is_elif`: it is an `elif`.
  void lay_out(ast::Block& block, End end, bool is_body, bool is_elif);

 private:
  // Swaps the arms of an `if` if the `else` is before the body in the source.
  void order_arms(ast::StmtId s);

  // Turns guard clauses and a last `if`, an `else` without a line for `else`, into a chain of `elif`.
  void join_guards(ast::Block& block);

  // Does so with the `else` of an `if`, if there is no line for `else`.
  void join_else(ast::StmtId s);
  [[nodiscard]] bool has_no_line_for_else(const ast::If& test) const;

  // Moves the `else` of the i-th statement, an `if` or the end of its `elif` chain, to after it if there is no line for
  // `else`. All arms before it must exit.
  void move_else_after(ast::Block& block, std::size_t i);

  // Decides whether the code after a `try` is its `else`.
  void lay_out_try(ast::Block& block, std::size_t i, End end);

  // Moves the `else` of a `try` to after it. Clauses that do not exit get an exit.
  void move_else_after_try(ast::Block& block, std::size_t i, End end);

  // Moves the code after a `try` to its `else`. Exits of clauses that do what the end of the block does are removed.
  void move_rest_into_else(ast::Block& block, std::size_t i, End end);

  // Moves a `return` out of the body of a `try`, if it is after the clauses in the source and these exit.
  void move_return_after_clauses(ast::Block& block, std::size_t i);

  [[nodiscard]] bool is_exit_of(ast::StmtId s, End end) const;

  // Returns whether the exit of a clause, which does what the end of the block does, has a line of its own.
  [[nodiscard]] bool has_written_exit(const ast::ExceptHandler& clause, std::int32_t line_below) const;

  // Splits `if a and b` into nested statements if the operands are on two lines and the body is right below.
  void split_test(ast::StmtId s);

  // Removes a `return` of None at the end of an arm, and moves the statements after the `if` into its `else`, if the
  // `return` is on no line of its own between them: the arm falls off the end of the function.
  void remove_implicit_returns(ast::Block& block);

  // Restores an `else` at the end of a function if the code shows that there is one (up to 3.9;
  // SourcePositions::ends_in_arms): the last one for which there is a line.
  void restore_else_at_end(ast::Block& body);

  // Moves an exit after an `if` that exits to its `else`, if one line is between them and none is before the `if`. With
  // blank lines as separators, there would be one there, too.
  void move_exit_into_else(ast::Block& block);

  // Moves an `if` that exits and has an `else` into the `else` of one that exits right above it.
  void join_chains(ast::Block& block);

  // Returns the last line of a block. `break` and `continue` alone have a line of their own.
  [[nodiscard]] std::int32_t last_line(const ast::Block& block, std::int32_t line_above) const;

  // Returns whether a statement of a block is an `if` without `else` that always exits.
  [[nodiscard]] bool is_exiting_if(const ast::Block& block, std::size_t k) const;

  [[nodiscard]] std::int32_t first_line(const ast::Block& block, std::size_t k) const;

  // Returns how many lines after the end of a statement the next one starts, 0 if unknown.
  [[nodiscard]] std::int32_t gap_after(const ast::Block& block, std::size_t k) const;

  // Moves the statements after the k-th up to `end` into its `else`.
  void move_into_else(ast::Block& block, std::size_t k, std::size_t end);

  ast::Tree& tree_;
  const Dialect& dialect_;
  const SourcePositions& positions_;
  const Columns& columns_;
  Exits& exits_;
  Conditions& conditions_;
  JumpGuards guards_;
};

}  // namespace depyf::idiom
