// SPDX-License-Identifier: MIT
// Which constant of a function is its docstring.
#pragma once

#include <string_view>

#include "depyf/code.h"

namespace depyf {

// The docstring of a function's code object: its first constant, if that is a text, and if the flags say so where they
// do (`by_flag`, 3.14+). The compiler gives none to lambdas, comprehensions and scopes of type parameters, whose first
// constant may be any text.
[[nodiscard]] inline const std::string* docstring(const CodeTree& tree, const CodeObject& code, bool by_flag) {
  const std::string_view name = code.name;
  const bool may_have =
      !(name.starts_with('<') && (name == "<lambda>" || name == "<genexpr>" || name.ends_with("comp>") ||
                                  name.starts_with("<generic parameters of ")));
  if (!may_have || (code.flags & kCoOptimized) == 0 || code.consts.empty()) return nullptr;
  if (by_flag && (code.flags & kCoHasDocstring) == 0) return nullptr;
  const auto* text = std::get_if<ConstStr>(&tree.consts[code.consts[0]]);
  return text != nullptr ? &text->text : nullptr;
}

}  // namespace depyf
