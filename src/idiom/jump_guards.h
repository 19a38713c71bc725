// SPDX-License-Identifier: MIT
// Restores guard clauses and empty arms from jumps (up to 3.10). The compiler keeps the jump of a `continue` after its
// test (compiler_continue in Python/compile.c), and the jump of an empty arm around the `else`. A test whose body
// simply extends to the end of the block has no such jump.
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

  // Lays out the i-th statement of a block, an `if`. Does nothing if it has an `else`.
  void lay_out(ast::Block& block, std::size_t i, End end);

 private:
  // Splits merged tests into `if a: continue` and `if b`, where a has a jump of its own. Returns the index of the last
  // `if`, which is i if there is nothing to split.
  std::size_t split(ast::Block& block, std::size_t i, End end);

  // Rewrites `if not a` to `if a: pass` with an `else`, if there is a jump or a NOP for the `pass`.
  void restore_pass(ast::StmtId s);

  // Rewrites `if not a` at the end of a loop body to `if a: continue` with the body after it.
  void write_guard_clause(ast::Block& block, std::size_t i, End end);

  // Rewrites `if not a or b: continue` to `if a` around `if b: continue` and the rest of the block. Only b has a jump,
  // and it is on a later line.
  void nest_guard(ast::Block& block, std::size_t i, End end);

  // Rewrites `if not a: break` to `if a` around the statements after it, if these end in a `break` as well, or the same
  // for `continue`. There is no jump for the exit.
  void nest_rest(ast::Block& block, std::size_t i, End end);

  // Returns whether the NOP after a test is a `pass` before the body (3.10; `while True` has a NOP as well).
  [[nodiscard]] bool has_pass(const ast::If& test) const;

  // Returns whether control falls through to a jump when the test is `holds`.
  [[nodiscard]] bool has_jump(ast::ExprId test, bool holds) const;

  [[nodiscard]] ast::If& if_of(ast::StmtId s) { return std::get<ast::If>(tree_.stmts[s].node); }

  ast::Tree& tree_;
  const Columns& columns_;
  Exits& exits_;
  Conditions& conditions_;
};

}  // namespace depyf::idiom
