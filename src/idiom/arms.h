// SPDX-License-Identifier: MIT
// What the passes over `if` statements ask of blocks.
#pragma once

#include "ast/ast.h"
#include "bytecode/dialect.h"

namespace depyf::idiom {

// Whether a statement of a block holds blocks.
[[nodiscard]] bool has_arms(const ast::Tree& tree, const ast::Block& block);

// Whether a statement is one that control never falls off; so is `assert False`.
[[nodiscard]] bool is_exit(const ast::Tree& tree, ast::StmtId s);

// Whether control never reaches the end of a block, as far as its last statement and the arms of that tell.
[[nodiscard]] bool always_exits(const ast::Tree& tree, const ast::Block& block);

// What the exception table tells of tests in a block (3.13+; see JumpInversion in cfg/cfg.h).
struct Protection {
  bool is_protected = false;     // what raises there may have a handler
  bool shows_inversion = false;  // of a test that leads back to the loop around: so may what raises in its header

  // That of a part of a statement. Control leaves the body and the clauses of a `try` by what ends their protection, so
  // that no test there leads back itself.
  [[nodiscard]] Protection in_part(const ast::StmtNode& n, const ast::Block& part) const;

  // Whether `if a: b` at the end of a loop's body may be `if not a: continue` before b.
  [[nodiscard]] bool may_invert_continue(const Dialect& dialect) const {
    return !shows_inversion || !dialect.inverted_jumps_unprotected;
  }
};

// Whether an exit compiles to the same code at the end of a part of a `try` or `with` statement as after it.
[[nodiscard]] bool exits_alike_inside(const ast::Tree& tree, const Dialect& dialect, const ast::StmtNode& exit);

// Whether control that reaches the end of a part of a statement, no test, continues after the statement.
[[nodiscard]] bool falls_through_to_follow(const ast::StmtNode& n, const ast::Block& part);

// The n-th block that a statement holds, in the order of ast::for_each_child_block; without a statement, the body.
[[nodiscard]] ast::Block& block_of(ast::Tree& tree, ast::Block& body, ast::StmtId owner, std::size_t number);

// Where what follows an `if` goes if it stands further in: the arm that does not leave, which may be missing.
ast::Block* open_arm(const ast::Tree& tree, ast::If& test);

// Whether the body leaves after one test alone: the jumps of several may be turned otherwise where the arms are swapped.
[[nodiscard]] bool leaves_by_one_test(const ast::Tree& tree, const ast::If& test);

}  // namespace depyf::idiom
