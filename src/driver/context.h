// SPDX-License-Identifier: MIT
// What the text needs besides itself: the recompile context, and the verdict of a compiler.
#pragma once

#include "ast/ast.h"
#include "depyf/decompile.h"

namespace depyf {

[[nodiscard]] RecompileContext context_of(const CodeTree& tree);
// Whether a function is one that another function holds.
[[nodiscard]] bool has_surroundings(const CodeObject& root);
// Whether the recompiler, which compiles modules, has to be given the text of a function inside another function, which
// has its free variables.
[[nodiscard]] bool needs_surroundings(const CodeTree& tree, const DecompileOptions& options);

struct Judged {
  const std::string& surrounded;  // the text with its surroundings; empty: as it is
  const std::string& root_name;   // of a root that is a function: what the compiler calls it in the text
};
// Fills the verdicts of `out` by recompiling its text and comparing.
[[nodiscard]] Status judge(const CodeTree& tree, const DecompileOptions& options, const Judged& judged,
                           Decompiled& out);

}  // namespace depyf
