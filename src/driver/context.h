// SPDX-License-Identifier: MIT
// What a text needs to be recompiled, and the verdicts after recompiling it.
#pragma once

#include "ast/ast.h"
#include "depyf/decompile.h"

namespace depyf {

[[nodiscard]] RecompileContext context_of(const CodeTree& tree);
// Returns whether the root is a function that was nested in another function.
[[nodiscard]] bool is_nested_function(const CodeObject& root);
// Returns whether the recompiler, which compiles modules, needs a function around the root to bind its free variables.
[[nodiscard]] bool needs_outer_function(const CodeTree& tree, const DecompileOptions& options);

struct RecompiledText {
  const std::string& enclosed_text;  // the text with the enclosing function; empty: the same text
  const std::string& root_name;      // if the root is a function: its name in the text
};
// Recompiles the text and fills the verdicts of `out`.
[[nodiscard]] Status judge(const CodeTree& tree, const DecompileOptions& options, const RecompiledText& recompiled,
                           Decompiled& out);

}  // namespace depyf
