// SPDX-License-Identifier: MIT
// Names after the path by which a value is reached, as PyTorch names a graph's placeholder:
// `self._modules['layers']._modules['0']._parameters['weight']` is `layers_0_weight`.
//
// Invariant: a name is given where every step of the path is an attribute or a constant key; it says where the value was
// read, not that it is there still. What else an expression does is no path, and gets no name here.
#pragma once

#include <functional>
#include <string>

#include "ast/ast.h"

namespace depyf::idiom {

// What a variable stands for: the one expression assigned to it, or no valid id where there are several or none.
using SoleValue = std::function<ast::ExprId(ast::NameId)>;

// "" for what is no int, or a long one.
[[nodiscard]] std::string small_int_text(const CodeTree& code, const ast::Tree& tree, ast::ExprId e);
// "" for an expression without a path, a name alone among them.
[[nodiscard]] std::string path_name(const CodeTree& code, const ast::Tree& tree, ast::ExprId e, const SoleValue& value);

}  // namespace depyf::idiom
