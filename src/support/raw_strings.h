// SPDX-License-Identifier: MIT
// Tells which strings people write raw.
#pragma once

#include <algorithm>
#include <string_view>

namespace depyf {

// Returns whether most people would write the text as a raw string: it contains two backslashes, or one before a
// character that is special in regular expressions, and does not end in a backslash.
[[nodiscard]] inline bool reads_raw(std::string_view text) {
  const auto first = text.find('\\');
  if (first == std::string_view::npos || text.back() == '\\') return false;
  return text.find('\\', first + 1) != std::string_view::npos ||
         std::string_view("dwsbDWSB.()[]*+?|{}^$").find(text[first + 1]) != std::string_view::npos;
}

}  // namespace depyf
