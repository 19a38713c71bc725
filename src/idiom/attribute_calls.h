// SPDX-License-Identifier: MIT
// Attributes whose names source cannot say, reached with getattr(), setattr() and delattr(). Order of evaluation stays.
#pragma once

#include "ast/ast.h"

namespace depyf::idiom {

// A call of a builtin function.
[[nodiscard]] ast::ExprId builtin_call(ast::Tree& tree, std::string_view function, ast::ExprIds args,
                                       const ast::Origin& at);
// What getattr() is called with in place of an attribute that is read.
[[nodiscard]] ast::ExprNode attribute_read(ast::Tree& tree, const ast::Attribute& attribute, const ast::Origin& at);
[[nodiscard]] ast::StmtNode attribute_stored(ast::Tree& tree, const ast::Attribute& attribute, ast::ExprId value,
                                             const ast::Origin& at);
[[nodiscard]] ast::StmtNode attribute_deleted(ast::Tree& tree, const ast::Attribute& attribute, const ast::Origin& at);

}  // namespace depyf::idiom
