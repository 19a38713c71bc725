// SPDX-License-Identifier: MIT
// Exits at the ends of blocks, by columns: returns of None as they are written, and what the end of a block does (3.11+, lines
// alone tell a part of it).
#pragma once

#include <unordered_set>
#include <vector>

#include "ast/ast.h"
#include "bytecode/dialect.h"
#include "idiom/columns.h"

namespace depyf::idiom {

enum class End : std::uint8_t { kOther, kReturn, kContinue };  // what the end of a block does

class Exits {
 public:
  Exits(const CodeTree& code_tree, ast::Tree& tree, const Dialect& dialect, const Columns& columns)
      : code_tree_(code_tree), tree_(tree), dialect_(dialect), columns_(columns) {}

  // Finds those of a body; the other questions are about that.
  void find(const ast::Block& body);

  // Each `return` of None becomes as it is written, if its place tells.
  void write_returns();

  // Where a `return` of None stands, if it is written.
  [[nodiscard]] Column column_of_return(ast::StmtId s) const;

  // One that is written says what falling off the end of the function would not (is_observable of ast::Return).
  [[nodiscard]] bool is_bare_return(ast::StmtId s) const;

  [[nodiscard]] bool is_return_of_none(ast::StmtId s) const;

  // A `return` of None whose place is that of a `break`: what follows the loop ends the function.
  [[nodiscard]] bool is_break(ast::StmtId s) const;

  // Whether a statement returns a constant, which is loaded after all that it leaves.
  [[nodiscard]] bool is_constant_return(ast::StmtId s) const;

  // Whether two statements that return a constant are one in the source: they are equal and have one place.
  [[nodiscard]] bool is_copy(ast::StmtId s, ast::StmtId of) const;

  // Whether a body is one statement that evaluates nothing: `pass`, `break`, `continue` or `return`.
  [[nodiscard]] bool is_empty(const ast::Block& body) const;

  // Whether a body is a `return` of None where the source has a word that does nothing.
  [[nodiscard]] bool is_empty_word(const ast::Block& body) const;

  // Whether a body ends in an exit that does what the end of the block does, and that nobody wrote: it has the line of what
  // precedes it.
  [[nodiscard]] bool ends_in_unwritten(const ast::Block& body, End end) const;

  // The same for a `return` of None.
  [[nodiscard]] bool ends_in_unwritten_return(const ast::Block& body) const;

  // A `return` of None that ends arms of the last statement of a block that ends the function, and stands where the block
  // does, comes after that statement.
  void move_return_after(ast::Block& block, Column column);

  // Whether a `return` of a constant has the line of a `finally` clause, which it may leave.
  [[nodiscard]] bool has_line_of_finally(ast::StmtId s) const;

  // A constant that is returned in what a `finally` guards, on a line after that clause, is returned after the statement,
  // if that never falls through: the code is the same, for the compiler copies the clause and a short exit. All versions.
  void return_after_finally(ast::Block& body);

  // A constant that is returned, or a `break`, at the end of what clauses guard, on a line after them, is in the `else`: neither
  // raises.
  void leave_try(ast::StmtId s);

  // What the end of the n-th block of a statement does, by what falling off the statement does.
  [[nodiscard]] End end_of(const ast::StmtNode& n, std::size_t number, const ast::Block& part, End follow) const;

  // What an end does, as a statement that says no value.
  static ast::StmtNode node_of(End end);

  // A statement that does it; it says None where others say a value.
  ast::StmtId make(End end, ast::Origin origin);

  // Whether a statement does it.
  [[nodiscard]] bool does(ast::StmtId s, End end) const;

 private:
  const CodeTree& code_tree_;
  ast::Tree& tree_;
  const Dialect& dialect_;
  const Columns& columns_;
  bool gives_values_ = false;         // some `return` has a value
  std::vector<ast::StmtId> returns_;  // those of None
  std::unordered_set<std::int32_t> finally_lines_;
};

}  // namespace depyf::idiom
