// SPDX-License-Identifier: MIT
// Names that no source can spell, which tools that make code give their variables (pytest's rewritten assertions use
// `@py_assert1`): local variables get another name; other names are reached as the interpreter does, through
// globals(), the class body's locals(), getattr() and their like. And attributes that the compiler may mangle by another
// class than the one around them: in 3.12 a class with type parameters leaves its name with the code that holds it, for
// all that is compiled after it (compiler_class in Python/compile.c).
//
// Invariant: runs on the finished tree of a whole text; order of evaluation stays. No pattern has such
// names (structure/match): the tests of one are written out. A parameter is no more reached by its old name as a keyword.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "ast/ast.h"

namespace depyf::idiom {

// Of each code object, where generic classes leave their names: the class that mangles its names, empty if none.
using ClassesInDoubt = std::map<CodeId, std::string>;

// `spelt`: whether source can say a name. `any_decorator`: whether decorators may be other expressions than dotted names.
// `taken`: names in use; the new ones are added.
void spell_odd_names(const CodeTree& code, ast::Tree& tree, ast::Block& top, const ClassesInDoubt& in_doubt,
                     const std::function<bool(std::string_view)>& spelt, bool any_decorator,
                     std::set<std::string>& taken);

}  // namespace depyf::idiom
