// SPDX-License-Identifier: MIT
// What the text needs besides itself: the recompile context, and the verdict of a compiler.
#pragma once

#include "ast/ast.h"
#include "depyf/decompile.h"

namespace depyf {

[[nodiscard]] RecompileContext context_of(const CodeTree& tree);
// Whether the recompiler, which compiles modules, has to be given the text of a function inside another function, which
// has its free variables.
[[nodiscard]] bool needs_surroundings(const CodeTree& tree, const DecompileOptions& options);
// Fills the verdicts of `out` by recompiling its text, or the text with its surroundings if there are any, and comparing.
[[nodiscard]] Status judge(const CodeTree& tree, const DecompileOptions& options, const std::string& surrounded,
                           Decompiled& out);

}  // namespace depyf
