// SPDX-License-Identifier: MIT
// Guard clauses that jumps tell (up to 3.10): the compiler leaves the jump of a `continue` after the test that leads to it
// (compiler_continue in Python/compile.c), and that of an empty arm around the `else`. A test that nothing but the end of the
// block follows has none.
//
// Invariant: the same tests and statements in the same order.
#pragma once

#include <cstddef>

#include "ast/ast.h"
#include "idiom/columns.h"
#include "idiom/conditions.h"
#include "idiom/exits.h"

namespace depyf::idiom {

class JumpGuards {
 public:
  JumpGuards(ast::Tree& tree, const Columns& columns, Exits& exits, Conditions& conditions)
      : tree_(tree), columns_(columns), exits_(exits), conditions_(conditions) {}

  // The i-th statement of a block, an `if` without an `else`.
  void lay_out(ast::Block& block, std::size_t i, End end);

 private:
  // `if a: continue` before `if b`, of which the tests were joined; gives the index of the last `if`.
  std::size_t split(ast::Block& block, std::size_t i, End end);

  // `if a: pass` with an `else`.
  void restore_pass(ast::StmtId s);

  // `if a: continue` before what is under `if not a`.
  void leave_first(ast::Block& block, std::size_t i, End end);

  // `if not a or b: continue`, where b is on a later line, and the jump its own: what follows is under `if a`.
  void nest_guard(ast::Block& block, std::size_t i, End end);

  // `if not a: break` before what ends with it, too, and has no jump for the first: that is under `if a`.
  void nest_rest(ast::Block& block, std::size_t i, End end);

  // Whether a NOP that follows a test is a `pass` before the body (3.10; `while True` has one, too).
  [[nodiscard]] bool has_pass(const ast::If& test) const;

  // Whether a jump is all that follows a test where that holds, or does not.
  [[nodiscard]] bool has_jump(ast::ExprId test, bool holds) const;

  [[nodiscard]] ast::If& if_of(ast::StmtId s) { return std::get<ast::If>(tree_.stmts[s].node); }

  ast::Tree& tree_;
  const Columns& columns_;
  Exits& exits_;
  Conditions& conditions_;
};

}  // namespace depyf::idiom
