// SPDX-License-Identifier: MIT
// Readability of what the decompiler's own variables hold: names after it (`graph`, `out_1`, `branch`), values that two
// branches store as one conditional expression, items of one container taken in one statement; a comment at Dynamo's
// profiler marker.
//
// Invariant: only variables of ours, and Dynamo's own, change their names, each everywhere, to names that nothing in the tree uses; order
// of evaluation stays. It runs on the finished body of one code object that a framework's compiler made.
#pragma once

#include <set>
#include <string>

#include "ast/ast.h"

namespace depyf::idiom {

// Variables that no program named: those of ours begin with `prefix`, the framework's own are listed.
struct Temporaries {
  std::string prefix;
  std::string argument;  // of a comprehension's function: its name is a parameter's
  std::set<std::string> listed;
};

// `taken`: names in use; the new ones are added.
void name_temporaries(const CodeTree& code, ast::Tree& tree, ast::Block& body, const Temporaries& temporaries,
                      std::set<std::string>& taken);

}  // namespace depyf::idiom
