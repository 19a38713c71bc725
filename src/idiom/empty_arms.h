// SPDX-License-Identifier: MIT
// Arms that do nothing and are not in the code as such, by the words that stand for them in the source (3.11+): a jump or a NOP
// whose place is `pass`, `...` or `continue`. The compiler made their tests part of others, or nothing of them.
//
// Invariant: the same tests in the same order, and the same bytecode but for such jumps.
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

  // `if not a`, `if not a and b` or `if not (a or c)`, where the source has `if a: pass` and an `else` or an `elif`: the word
  // stands between a and what follows it.
  void restore_in_test(ast::StmtId s);

  // `if not a` at the end of a loop that stands at a column, where the source has `if a: continue` and an `else`.
  void restore_continue(ast::StmtId s, Column around);

  // The line of the word that an `else` of the i-th statement may be, two below the body of an `if`; -1: there is no place
  // for one. `end`: what the end of the block does.
  [[nodiscard]] std::int32_t line_of_else(const ast::Block& block, std::size_t i, End end) const;

  // `else: pass`, and `else: continue` at the end of a loop, whose `continue` may have become the body of `if not a`: if a
  // word stands on that line, where the body does. `column`: of the block.
  void restore_else(ast::Block& block, std::size_t i, std::int32_t line, Column column);

  // The ends of clauses of a `try` that ends its block, with its `else`, leave that without a word that the source lacks.
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
