// SPDX-License-Identifier: MIT
// The indentation that the compiler strips from docstrings (_PyCompile_CleanDoc in Python/compile.c, 3.13+).
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace depyf {

// Returns the smallest indentation of the lines after the first that are not blank, which the compiler strips; nullopt
// if there is no such line. Returns npos if the first line would change as well: it starts with a space, or has tabs to
// expand.
[[nodiscard]] inline std::optional<std::size_t> docstring_indent(std::string_view text) {
  if (text.starts_with(' ') || text.find('\t') != std::string_view::npos) return std::string_view::npos;
  std::optional<std::size_t> least;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
    const auto first = text.find_first_not_of(' ', at + 1);
    if (first == std::string_view::npos || text[first] == '\n') continue;
    least = std::min(least.value_or(first), first - at - 1);
  }
  return least;
}

}  // namespace depyf
