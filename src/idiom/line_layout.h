// SPDX-License-Identifier: MIT
// The layout of `if` and `try` statements that lines alone tell (up to 3.10), where several texts are the same bytecode.
//
// Invariant: the same tests and statements in the same order. Two lines that are next to one another have no `else` and no
// end of a parenthesis between them; where one line is between, it may be either.
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

  // A block, after those within it; what its end does, and whether it is the whole body or an `elif`.
  void lay_out(ast::Block& block, End end, bool is_body, bool is_elif);

 private:
  // The arm that comes first in the source is the first.
  void order_arms(ast::StmtId s);

  // Guards and an `if` after them, in an `else` that there is no line for, are a chain of `elif`.
  void join_guards(ast::Block& block);

  // An `else` that there is no line for follows the `if` or the chain of `elif`, all of which leave.
  void after_else(ast::Block& block, std::size_t i);

  // What follows a `try` in the source, or is its `else`.
  void lay_out_try(ast::Block& block, std::size_t i, End end);

  // The `else` of a `try` comes after it; clauses that fell through leave.
  void else_after_try(ast::Block& block, std::size_t i, End end);

  // What follows a `try` is its `else`; clauses do not leave as the end of the block does.
  void rest_into_else(ast::Block& block, std::size_t i, End end);

  // A `return` in what a `try` guards that comes after its clauses, which leave, is not guarded.
  void return_after_clauses(ast::Block& block, std::size_t i);

  // Whether a statement does what the end of a block does.
  [[nodiscard]] bool does(ast::StmtId s, End end) const;

  // Whether what ends a clause stands in the source, where it does what the end of the block would: on a line of its own.
  [[nodiscard]] bool has_written_exit(const ast::ExceptHandler& clause, std::int32_t line_below) const;

  // `if a and b` on two lines right above the body: an `if` in the other.
  void split_test(ast::StmtId s);

  // An arm falls off the end of the function if its `return` of None is not on a line of its own before what follows:
  // that is the `else`.
  void fall_off_arms(ast::Block& block);

  // At the end of a function the compiler tells of an `else` (up to 3.9): the last one that there is a line for.
  void else_at_end(ast::Block& body);

  // An exit after an arm that leaves is its `else` if one line is between them, and none precedes the `if`: it would be
  // blank lines that set them apart.
  void exit_in_else(ast::Block& block);

  // What leaves right above an `if` that leaves and has an `else` does not do without one either.
  void join_chains(ast::Block& block);

  // The last line of a block, where one that is a word has its own.
  [[nodiscard]] std::int32_t last_line(const ast::Block& block, std::int32_t line_above) const;

  // Whether a statement of a block is an `if` whose only arm leaves.
  [[nodiscard]] bool leaves(const ast::Block& block, std::size_t k) const;

  // The first line of a statement of a block.
  [[nodiscard]] std::int32_t first_line(const ast::Block& block, std::size_t k) const;

  // How many lines below such a statement the next one begins.
  [[nodiscard]] std::int32_t gap_after(const ast::Block& block, std::size_t k) const;

  // What follows such a statement, up to an index, becomes its `else`.
  void move_into(ast::Block& block, std::size_t k, std::size_t end);

  ast::Tree& tree_;
  const Dialect& dialect_;
  const SourcePositions& positions_;
  const Columns& columns_;
  Exits& exits_;
  Conditions& conditions_;
  JumpGuards guards_;
};

}  // namespace depyf::idiom
