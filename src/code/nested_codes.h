// SPDX-License-Identifier: MIT
// The code objects within a code object.
//
// Code objects form a directed acyclic graph, not a tree: one can be a constant of several others. Each is listed once.
#pragma once

#include <set>
#include <variant>
#include <vector>

#include "depyf/code.h"

namespace depyf {

// Returns the code objects within `code` for which is_wanted(CodeId) holds, and in turn those within them; outer ones
// first.
template <class F>
[[nodiscard]] std::vector<CodeId> nested_codes(const CodeTree& tree, CodeId code, F&& is_wanted) {
  std::vector<CodeId> out{code};
  std::set<CodeId> seen{code};
  for (std::size_t i = 0; i < out.size(); ++i)
    for (const ConstId k : tree.codes[out[i]].consts) {
      const auto* child = std::get_if<ConstCode>(&tree.consts[k]);
      if (child != nullptr && seen.insert(child->code).second && is_wanted(child->code)) out.push_back(child->code);
    }
  out.erase(out.begin());
  return out;
}

}  // namespace depyf
