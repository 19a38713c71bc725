// SPDX-License-Identifier: MIT
// Which strings people write raw.
#pragma once

#include <algorithm>
#include <string_view>

namespace depyf {

// Whether a text with backslashes is one that most people write as a raw string: it has two of them, or one that regular
// expressions have a use for, and does not end in one.
[[nodiscard]] inline bool reads_raw(std::string_view text) {
  const auto first = text.find('\\');
  if (first == std::string_view::npos || text.back() == '\\') return false;
  return text.find('\\', first + 1) != std::string_view::npos ||
         std::string_view("dwsbDWSB.()[]*+?|{}^$").find(text[first + 1]) != std::string_view::npos;
}

}  // namespace depyf
