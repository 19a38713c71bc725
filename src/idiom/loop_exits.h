// SPDX-License-Identifier: MIT
// What follows a loop, by columns (3.11+): a `return` that stands where the loop does comes after it, and a `break` leads
// there; one that stands further in is in the loop; other statements that stand further in are the loop's `else`. The
// compiler copies a short `return` to each `break` (inline_small_or_no_lineno_blocks in Python/flowgraph.c), so that the code
// is the same.
#pragma once

#include "ast/ast.h"
#include "idiom/columns.h"
#include "idiom/exits.h"

namespace depyf::idiom {

class LoopExits {
 public:
  LoopExits(const CodeTree& code_tree, ast::Tree& tree, const Columns& columns, const Exits& exits)
      : code_tree_(code_tree), tree_(tree), columns_(columns), exits_(exits) {}

  // Lays out the exits of the i-th statement of a block, if that is a loop. `end`: what the end of the block does.
  void lay_out(ast::Block& block, std::size_t i, End end);

 private:
  struct Loop {
    ast::Block* body = nullptr;  // nothing for a loop that has an `else`, and for other statements
    bool is_endless = false;
  };
  [[nodiscard]] Loop loop_of(ast::StmtId s);

  // `own`: the column of the loop. `return a` in it, where it stands as far out as that.
  void return_after(ast::Block& block, std::size_t i, Column own);

  // `break` in `while True`, where the statements that follow the loop, of which the last is an exit, stand further in.
  void exit_within(ast::Block& block, std::size_t i, Column own);

  // What follows a loop stands further in, and no `break` leads there: there is none, or it has become a `return`, where the
  // rest of the function stands so.
  void into_else(ast::Block& block, std::size_t i, Column own, End end);

  void set_else(ast::StmtId loop, const ast::Block& block);

  const CodeTree& code_tree_;
  ast::Tree& tree_;
  const Columns& columns_;
  const Exits& exits_;
};

}  // namespace depyf::idiom
