// SPDX-License-Identifier: MIT
// What the text needs besides itself: the recompile context, and the verdict of a compiler.
#pragma once

#include "ast/ast.h"
#include "depyf/decompile.h"

namespace depyf {

[[nodiscard]] RecompileContext context_of(const CodeTree& tree);
// Fills the verdicts of `out` by recompiling its text and comparing.
[[nodiscard]] Status judge(const CodeTree& tree, const DecompileOptions& options, Decompiled& out);

}  // namespace depyf
