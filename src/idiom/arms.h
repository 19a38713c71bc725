// SPDX-License-Identifier: MIT
// Predicates on blocks for the passes that lay out `if` statements.
#pragma once

#include "ast/ast.h"
#include "bytecode/dialect.h"

namespace depyf::idiom {

[[nodiscard]] bool has_nested_blocks(const ast::Tree& tree, const ast::Block& block);

// Returns whether control never continues after a statement without blocks: an exit, or `assert False`.
[[nodiscard]] bool is_exit(const ast::Tree& tree, ast::StmtId s);

// Returns whether control never reaches the end of a block, judging by its last statement and the arms of that.
[[nodiscard]] bool always_exits(const ast::Tree& tree, const ast::Block& block);

// What the exception table shows of the tests in a block (3.13+; see JumpInversion in cfg/cfg.h).
struct Protection {
  bool is_protected = false;     // an exception there may have a handler
  bool shows_inversion = false;  // of a test that jumps back to its loop: the header of the loop is protected, too

  // Returns the protection of a block of statement `n`. Control leaves the body and the clauses of a `try` through the
  // instructions that end their protection, so no test in them jumps back itself.
  [[nodiscard]] Protection in_part(const ast::StmtNode& n, const ast::Block& part) const;

  // Returns whether `if a: b` at the end of a loop's body may be `if not a: continue` before b.
  [[nodiscard]] bool may_invert_continue(const Dialect& dialect) const {
    return !shows_inversion || !dialect.inverted_jumps_unprotected;
  }
};

// Returns whether an exit at the end of a block of a `try` or `with` compiles to the same code as after the statement.
[[nodiscard]] bool is_same_code_inside(const ast::Tree& tree, const Dialect& dialect, const ast::StmtNode& exit);

// Returns whether control continues after the statement when it reaches the end of its block `part`. False for `if` and
// `match`, of which all arms do.
[[nodiscard]] bool falls_through_to_follow(const ast::StmtNode& n, const ast::Block& part);

// Returns the n-th block of a statement, in the order of ast::for_each_child_block; `body` if there is no statement.
[[nodiscard]] ast::Block& block_of(ast::Tree& tree, ast::Block& body, ast::StmtId owner, std::size_t number);

// Returns the only arm of an `if` that does not always exit; it may be an empty `else`. The statements after the `if`
// can be moved there. Returns null if both arms or none exit.
ast::Block* fall_through_arm(const ast::Tree& tree, ast::If& test);

// Returns whether the test is `not a` with one operand and the body always exits. With several operands, swapping the
// arms may invert other jumps.
[[nodiscard]] bool exits_by_single_test(const ast::Tree& tree, const ast::If& test);

}  // namespace depyf::idiom
