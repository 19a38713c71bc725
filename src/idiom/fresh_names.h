// SPDX-License-Identifier: MIT
// Names that are not in use.
#pragma once

#include <cstddef>
#include <set>
#include <string>

namespace depyf::idiom {

// Returns `stem`, with a number from `first` on if that is in use, and adds it to the names in use.
inline std::string fresh_name(std::set<std::string>& taken, const std::string& stem, std::size_t first) {
  std::string name = stem;
  for (auto n = first; !taken.insert(name).second; ++n) name = stem + "_" + std::to_string(n);
  return name;
}

}  // namespace depyf::idiom
