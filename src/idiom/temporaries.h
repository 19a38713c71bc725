// SPDX-License-Identifier: MIT
// Makes code with depyf's own variables readable: names them after their values (`graph`, `out_1`, `branch`), writes
// two branches that store to one variable as a conditional expression, and merges statements that read items of one
// container. Adds a comment at Dynamo's profiler marker.
//
// Works on the finished body of one code object that a framework's compiler made. Invariant: only depyf's and Dynamo's
// own variables are renamed, everywhere, to unused names; the order of evaluation does not change.
#pragma once

#include <set>
#include <string>

#include "ast/ast.h"

namespace depyf::idiom {

// Variables that no program named: depyf's own start with `prefix`, the framework's own are listed.
struct Temporaries {
  std::string prefix;
  std::string argument;  // the parameter of a comprehension's function, which keeps its name
  std::set<std::string> listed;
};

// `taken`: names in use; the new ones are added.
void name_temporaries(const CodeTree& code, ast::Tree& tree, ast::Block& body, const Temporaries& temporaries,
                      std::set<std::string>& taken);

}  // namespace depyf::idiom
