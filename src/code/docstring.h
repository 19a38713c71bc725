// SPDX-License-Identifier: MIT
// Finds the docstring of a function among its constants.
#pragma once

#include <string_view>

#include "depyf/code.h"

namespace depyf {

// Returns the docstring of a function's code object, or nullptr: its first constant if that is a str and, from 3.14 on
// (`by_flag`), if CO_HAS_DOCSTRING is set. Lambdas, comprehensions and scopes of type parameters have none, though
// their first constant may be a str.
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
