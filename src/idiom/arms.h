// SPDX-License-Identifier: MIT
// What the passes over `if` statements ask of blocks.
#pragma once

#include "ast/ast.h"
#include "bytecode/dialect.h"

namespace depyf::idiom {

// Whether a statement of a block holds blocks.
[[nodiscard]] bool has_arms(const ast::Tree& tree, const ast::Block& block);

// Whether a statement is one that control never falls off.
[[nodiscard]] bool is_exit(const ast::Tree& tree, ast::StmtId s);

// Whether control never reaches the end of a block, as far as its last statement and the arms of that tell.
[[nodiscard]] bool always_exits(const ast::Tree& tree, const ast::Block& block);

// Whether an exit compiles to the same code at the end of a part of a statement n, no test, as after n.
[[nodiscard]] bool exits_alike_inside(const ast::Tree& tree, const Dialect& dialect, const ast::StmtNode& exit,
                                      const ast::StmtNode& n, const ast::Block& part);

// Whether control that reaches the end of a part of a statement, no test, continues after the statement.
[[nodiscard]] bool falls_through_to_follow(const ast::StmtNode& n, const ast::Block& part);

// The n-th block that a statement holds, in the order of ast::for_each_child_block.
[[nodiscard]] ast::Block* block_of(ast::Tree& tree, ast::StmtId owner, std::size_t number);

}  // namespace depyf::idiom
