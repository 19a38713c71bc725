// SPDX-License-Identifier: MIT
// Ends of modules and class bodies, which cannot say `return`.
#pragma once

#include "lift/lift.h"

namespace depyf::finish {

// Takes every return, and the copies of what the compiler adds at the end of a class body, out of a finished block.
// False if a return cannot go: what follows it would be run.
[[nodiscard]] bool drop_returns(lift::Unit& unit, CodeId code, ast::Block& block);

// Whether a block is that of an expression (mode "eval"): code outside a function that returns something.
[[nodiscard]] bool gives_value(const lift::Unit& unit, CodeId code, const ast::Block& block);
// Makes it one; false if it does more than return a value.
[[nodiscard]] bool become_value(lift::Unit& unit, CodeId code, ast::Block& block);

// What a block that does nothing but return one value gives; invalid if it does more.
[[nodiscard]] ast::ExprId returned_value(lift::Unit& unit, CodeId code, const ast::Block& block, int depth = 0);

// Whether code is the body of a class, which may be the root of its tree.
[[nodiscard]] bool is_class_body(const CodeObject& code);

// The names that the compiler stores at the end of a class body (codegen_class_body in Python/codegen.c).
[[nodiscard]] bool is_class_epilogue(std::string_view name);

}  // namespace depyf::finish
