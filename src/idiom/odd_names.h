// SPDX-License-Identifier: MIT
// Replaces odd names: names that are no identifiers, which tools that generate code give to variables (pytest's
// rewritten assertions use `@py_assert1`). A local variable is renamed. Other names are accessed as the interpreter
// does it, through globals(), locals() in a class body, getattr() and similar functions.
//
// Also writes private attributes that the compiler may mangle with another class than the enclosing one: in 3.12, a
// class with type parameters leaves its name in the compiler for all code after it in the same scope (compiler_class in
// Python/compile.c).
//
// Works on the finished tree of a whole text. Invariant: the order of evaluation does not change. A pattern has no odd
// names, because structure/match writes its tests as an `if`. A renamed parameter has no keyword.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "ast/ast.h"

namespace depyf::idiom {

// For each code object in a scope where a generic class leaves its name: the class that mangles its names, "" if none.
using ClassesInDoubt = std::map<CodeId, std::string>;

// `is_spellable`: whether source can contain a name. `any_decorator`: decorators may be other expressions than dotted
// names. `taken`: names in use; the new ones are added.
void spell_odd_names(const CodeTree& code, ast::Tree& tree, ast::Block& top, const ClassesInDoubt& mangling_classes,
                     const std::function<bool(std::string_view)>& is_spellable, bool any_decorator,
                     std::set<std::string>& taken);

}  // namespace depyf::idiom
