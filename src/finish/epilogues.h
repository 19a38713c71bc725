// SPDX-License-Identifier: MIT
// The ends of module and class bodies: these have return instructions, but no `return` statements.
#pragma once

#include "lift/lift.h"

namespace depyf::finish {

// Removes every return from a finished block, and the copies of the stores that the compiler adds at the end of a class
// body. Returns false if a return cannot be removed because the statements after it would run.
[[nodiscard]] bool drop_returns(lift::Unit& unit, CodeId code, ast::Block& block);

// Returns whether the block was compiled in mode "eval": it is the root, no function, and returns a value.
[[nodiscard]] bool is_eval_mode(const lift::Unit& unit, CodeId code, const ast::Block& block);
// Replaces the block by one expression statement. Returns false if it does more than return a value.
[[nodiscard]] bool convert_to_expression(lift::Unit& unit, CodeId code, ast::Block& block);

// Returns the expression for a block that only returns a value, with `if` statements as conditional expressions.
// Returns an invalid id if the block does more.
[[nodiscard]] ast::ExprId returned_value(lift::Unit& unit, CodeId code, const ast::Block& block, int depth = 0);

// Returns whether the code is the body of a class. A class body can be the root of its tree.
[[nodiscard]] bool is_class_body(const CodeObject& code);

// Returns whether the compiler stores this name at the end of a class body (codegen_class_body in Python/codegen.c).
[[nodiscard]] bool is_class_epilogue(std::string_view name);

}  // namespace depyf::finish
