// SPDX-License-Identifier: MIT
// Exits at the ends of blocks (3.11+, partly from lines alone): restores returns of None as the source has them, and
// moves exits out of statements where the compiler copied them.
//
// A `return` that the source has carries its own position. An implicit one, and the copy of an exit, carries that of
// the code before it (guarantee_lineno_for_exits in Python/flowgraph.c) or of the original.
//
// Invariant: an exit is only moved where the bytecode stays the same.
#pragma once

#include <unordered_set>
#include <vector>

#include "ast/ast.h"
#include "bytecode/dialect.h"
#include "idiom/columns.h"

namespace depyf::idiom {

// What happens when control reaches the end of a block: the function returns None, the loop continues, anything else.
enum class End : std::uint8_t { kOther, kReturn, kContinue };

class Exits {
 public:
  Exits(const CodeTree& code_tree, ast::Tree& tree, const Dialect& dialect, const Columns& columns)
      : code_tree_(code_tree), tree_(tree), dialect_(dialect), columns_(columns) {}

  // Collects the returns and `finally` clauses of a body. The other functions need them.
  void collect(const ast::Block& body);

  // Writes each `return` of None as the source has it, `return` or `return None`, where its position shows this.
  void write_returns();

  // Returns the column of a `return` of None, kUnknown if it is not written in the source.
  [[nodiscard]] Column column_of_return(ast::StmtId s) const;

  // Returns whether a statement is `return` without a value. Where the source has one explicitly, and falling off the
  // end would have another effect, ast::Return::is_observable is set.
  [[nodiscard]] bool is_bare_return(ast::StmtId s) const;

  [[nodiscard]] bool is_return_of_none(ast::StmtId s) const;

  // Returns whether a `return` of None has the position of a `break`: the code after the loop ends the function.
  [[nodiscard]] bool is_break(ast::StmtId s) const;

  // Returns whether a statement returns a constant, which is loaded after the `with` and `try` statements are left.
  [[nodiscard]] bool is_constant_return(ast::StmtId s) const;

  // Returns whether two statements that return a constant are one in the source: equal and with the same position.
  [[nodiscard]] bool is_copy(ast::StmtId s, ast::StmtId of) const;

  // Returns whether a body is one statement that evaluates nothing: `pass`, `break`, `continue` or a return of None.
  [[nodiscard]] bool is_trivial(const ast::Block& body) const;

  // Returns whether a body is a `return` of None at the position of `pass` or `...`.
  [[nodiscard]] bool is_placeholder(const ast::Block& body) const;

  // Returns whether a body ends in an exit that does what the end of the block does, and that is not in the source: it
  // is on the line of the statement before it.
  [[nodiscard]] bool ends_in_implicit_exit(const ast::Block& body, End end) const;

  // Does the same for a `return` of None.
  [[nodiscard]] bool ends_in_implicit_return(const ast::Block& body) const;

  // Moves a `return` of None from the arms of the last statement of a block, which ends the function, to after that
  // statement, if it starts at the column of the block.
  void move_return_after(ast::Block& block, Column column);

  // Returns whether a `return` of a constant is on the line of a statement in a `finally` clause that it may leave.
  [[nodiscard]] bool has_line_of_finally(ast::StmtId s) const;

  // Moves a `return` of a constant out of a `try` with `finally` that never falls through, if it is on a line after the
  // clause. The compiler copies the clause and a short exit, so the code is the same. All versions.
  void return_after_finally(ast::Block& body);

  // Moves a `return` of a constant, or a `break`, from the end of the body of a `try` to its `else`, if it is on a line
  // after the clauses. Neither raises.
  void move_exit_to_else(ast::StmtId s);

  // Returns what the end of the n-th block of a statement does; `follow`: what falling off the statement does.
  [[nodiscard]] End end_of(const ast::StmtNode& n, std::size_t number, const ast::Block& part, End follow) const;

  // Returns a statement without a value that does what an end does; kOther gives `continue`.
  static ast::StmtNode exit_node(End end);

  // Creates such a statement; it is `return None` if other returns of the body have values.
  ast::StmtId make_exit(End end, ast::Origin origin);

  // Returns whether a statement does what an end does.
  [[nodiscard]] bool is_exit_of(ast::StmtId s, End end) const;

 private:
  const CodeTree& code_tree_;
  ast::Tree& tree_;
  const Dialect& dialect_;
  const Columns& columns_;
  bool returns_values_ = false;                     // some `return` has a value
  std::vector<ast::StmtId> returns_;                // of None
  std::unordered_set<std::int32_t> finally_lines_;  // of statements in `finally` clauses
};

}  // namespace depyf::idiom
