// SPDX-License-Identifier: MIT
// Names a value after the path by which it is read, as PyTorch names the placeholders of a graph:
// `self._modules['layers']._modules['0']._parameters['weight']` is `layers_0_weight`.
//
// Invariant: only a path of attributes and constant keys gives a name. It tells where the value was read.
#pragma once

#include <functional>
#include <string>

#include "ast/ast.h"

namespace depyf::idiom {

// Returns the only expression that is assigned to a variable; an invalid id if there are several or none.
using SoleValue = std::function<ast::ExprId(ast::NameId)>;

// Returns the text of a small integer constant, "" for other expressions.
[[nodiscard]] std::string small_int_text(const CodeTree& code, const ast::Tree& tree, ast::ExprId e);
// Returns the name for an expression, "" if it is no path. A name alone is no path.
[[nodiscard]] std::string path_name(const CodeTree& code, const ast::Tree& tree, ast::ExprId e, const SoleValue& value);

}  // namespace depyf::idiom
