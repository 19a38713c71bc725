// SPDX-License-Identifier: MIT
// Readability of what the decompiler's own variables hold: names after it (`graph`, `out_1`, `branch`), values that two
// branches store as one conditional expression, items of one container taken in one statement; a comment at Dynamo's
// profiler marker.
//
// Invariant: only variables of ours change their names, each everywhere, to names that nothing in the tree uses; order
// of evaluation stays. It runs on the finished body of one code object that a framework's compiler made.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "ast/ast.h"

namespace depyf::idiom {

// `taken`: names in use; the new ones are added. `prefix`: what names of ours begin with.
void name_temporaries(const CodeTree& code, ast::Tree& tree, ast::Block& body, std::string_view prefix,
                      std::set<std::string>& taken);

}  // namespace depyf::idiom
