// SPDX-License-Identifier: MIT
// Attributes with private names (`x.__name`) where the compiler mangles them by another class than the one around them:
// in 3.12 a class with type parameters leaves its name with the code that holds it, for all that is compiled after it
// (compiler_class in Python/compile.c). What would be mangled otherwise than in the original is written mangled, or with
// getattr() and its like.
//
// What is stored to among other targets has no call: there a class statement that never runs takes the name away first, as
// what lies in a class whose name is `_`s alone is not mangled (_Py_Mangle()).
//
// Invariant: runs on the finished tree of a whole text; order of evaluation stays.
#pragma once

#include <string>
#include <vector>

#include "ast/ast.h"

namespace depyf::idiom {

// `class_names`: by CodeId, the class that names in the tree were freed of; empty: none. `nameless`: of `_`s, and no name
// of the code.
void spell_private_names(ast::Tree& tree, const ast::Block& top, const std::vector<std::string>& class_names,
                         ast::NameId nameless);

}  // namespace depyf::idiom
