// SPDX-License-Identifier: MIT
// Restores arms that do nothing, for which there is only a NOP or a jump at the position of `pass`, `...` or `continue`
// (3.11+). For example, `if a: pass` with an `else` is the code of `if not a`.
//
// Invariant: the same tests in the same order, and the same bytecode except for such jumps.
#pragma once

#include <cstddef>

#include "ast/ast.h"
#include "idiom/columns.h"
#include "idiom/conditions.h"
#include "idiom/exits.h"
#include "idiom/words.h"

namespace depyf::idiom {

class EmptyArms {
 public:
  EmptyArms(ast::Tree& tree, const Columns& columns, const Exits& exits, Conditions& conditions, Words& words)
      : tree_(tree), columns_(columns), exits_(exits), conditions_(conditions), words_(words) {}

  // Rewrites `if not a`, `if not a and b` or `if not (a or c)` where the source has `if a: pass` and an `else` or
  // `elif`: the word is between a and the next operand or the body.
  void restore_in_test(ast::StmtId s);

  // Rewrites `if not a` at the end of a loop body at `column` where the source has `if a: continue` and an `else`.
  void restore_continue(ast::StmtId s, Column column);

  // Returns the line on which the body of an `else` of the i-th statement would be, two below the body of the `if`; -1
  // if the code leaves no room for it. `end`: what the end of the block does.
  [[nodiscard]] std::int32_t line_of_else(const ast::Block& block, std::size_t i, End end) const;

  // Adds `else: pass`, or at the end of a loop `else: continue`, if the word is on that line one level deeper than
  // `column`, the column of the block. In the tree, the `continue` may be the body of `if not a`.
  void restore_else(ast::Block& block, std::size_t i, std::int32_t line, Column column);

  // Returns whether the source can have an `else` between the body of `test`, which exits, and statement `next`.
  [[nodiscard]] bool can_have_else(const ast::If& test, ast::StmtId next) const;

  // Removes the exit at the end of the body of the i-th statement, an `if` with an `else`, if both arms reach it anyway:
  // the end of the block does what it does, or it is a `break`, and one follows.
  void drop_exit_before_else(ast::Block& block, std::size_t i, End end);

  // Removes the exits at the ends of the clauses of a `try` that are not in the source. The `try` is the last statement
  // of its block, whose end does the same.
  void drop_exits_of_clauses(ast::StmtId s, End end);

 private:
  ast::StmtNode& node(ast::StmtId s) { return tree_.stmts[s].node; }

  ast::Tree& tree_;
  const Columns& columns_;
  const Exits& exits_;
  Conditions& conditions_;
  Words& words_;
};

}  // namespace depyf::idiom
