// SPDX-License-Identifier: MIT
// Decides by columns which code belongs to a loop, to its `else`, or after it (3.11+). A `return` in the loop that has
// the column of the loop follows it in the source, and the loop has a `break`: the compiler copies a short `return` to
// each `break` (inline_small_or_no_lineno_blocks in Python/flowgraph.c). A deeper one after the loop belongs into it,
// and other deeper statements after it are its `else`.
//
// Invariant: the same bytecode.
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
    ast::Block* body = nullptr;  // null for a loop with an `else` and for other statements
    bool is_endless = false;
  };
  [[nodiscard]] Loop loop_of(ast::StmtId s);

  // Moves the `return` statements in the loop that are at the column of the loop to after it, and puts `break` in their
  // place. `column`: of the loop, here and below.
  void move_return_after(ast::Block& block, std::size_t i, Column column);

  // Replaces the only `break` of a `while True` by the deeper statements after the loop, if these end in an exit.
  void move_exit_into(ast::Block& block, std::size_t i, Column column);

  // Moves deeper statements after the loop into its `else`. The loop has no `break`, or its `break` became a `return`;
  // in the latter case the rest of the function must be deeper.
  void move_into_else(ast::Block& block, std::size_t i, Column column, End end);

  void set_else(ast::StmtId loop, const ast::Block& block);

  const CodeTree& code_tree_;
  ast::Tree& tree_;
  const Columns& columns_;
  const Exits& exits_;
};

}  // namespace depyf::idiom
