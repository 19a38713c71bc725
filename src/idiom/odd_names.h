// SPDX-License-Identifier: MIT
// Names that no source can spell, which tools that make code give their variables (pytest's rewritten assertions use
// `@py_assert1`): local variables get another name; other names are reached as the interpreter does, through
// globals(), the class body's locals(), getattr() and their like.
//
// Invariant: runs on the finished tree of a whole text; order of evaluation stays. What has no such spelling (an
// attribute as one of several targets) is left for the printer to refuse. A parameter is no more reached by its old name
// as a keyword.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "ast/ast.h"

namespace depyf::idiom {

// `spelt`: whether source can say a name. `taken`: names in use; the new ones are added.
void spell_odd_names(const CodeTree& code, ast::Tree& tree, ast::Block& top,
                     const std::function<bool(std::string_view)>& spelt, std::set<std::string>& taken);

}  // namespace depyf::idiom
