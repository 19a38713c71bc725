// SPDX-License-Identifier: MIT
// The mode of compile() that a text is for. In mode "single" expression statements display their values; in mode "eval"
// the code returns the value of one expression. The first line of such a text names the mode; all other text is of mode
// "exec".
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
