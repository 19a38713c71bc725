// SPDX-License-Identifier: MIT
// In which mode of compile() a text is meant: code of mode "single" displays what its statements are worth, and code of
// mode "eval" gives the value of its expression. Their texts say so in the first line; all other text is of mode "exec".
#pragma once

#include <string_view>

namespace depyf {

inline constexpr std::string_view kModeMark = "# mode: ";

[[nodiscard]] constexpr std::string_view compile_mode(std::string_view text) {
  const auto first = text.substr(0, text.find('\n'));
  for (const std::string_view mode : {"single", "eval"})
    if (first.starts_with(kModeMark) && first.substr(kModeMark.size()) == mode) return mode;
  return "exec";
}

}  // namespace depyf
