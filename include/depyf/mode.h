// SPDX-License-Identifier: MIT
// In which mode of compile() a text is meant: code of mode "single" displays what its statements are worth, and its text
// says so in its first line; all other text is of mode "exec".
#pragma once

#include <string_view>

namespace depyf {

inline constexpr std::string_view kInteractiveMark = "# mode: single";

[[nodiscard]] constexpr std::string_view compile_mode(std::string_view text) {
  const auto first = text.substr(0, text.find('\n'));
  return first == kInteractiveMark ? "single" : "exec";
}

}  // namespace depyf
