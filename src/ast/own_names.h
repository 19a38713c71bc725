// SPDX-License-Identifier: MIT
// Which names a scope's own statements bind and mention.
//
// Invariant: what an inner function, class or lambda does is its own, and so is what a comprehension does, but for its
// outermost iterable and its walruses. No node is changed.
#pragma once

#include <vector>

#include "ast/ast.h"

namespace depyf::ast {

class NameSet {
 public:
  void insert(NameId name) {
    if (name.n >= has_.size()) has_.resize(name.n + 64);
    has_[name.n] = true;
  }
  [[nodiscard]] bool contains(NameId name) const { return name.n < has_.size() && has_[name.n]; }
  [[nodiscard]] std::vector<NameId> names() const {
    std::vector<NameId> all;
    for (std::uint32_t n = 0; n < has_.size(); ++n)
      if (has_[n]) all.push_back(NameId{n});
    return all;
  }

 private:
  std::vector<bool> has_;  // by NameId
};

struct OwnNames {
  NameSet bound;      // assigned, deleted, imported, defined, matched, …
  NameSet mentioned;  // in an expression, also as a target
};
[[nodiscard]] OwnNames own_names(Tree& tree, const Block& block);

}  // namespace depyf::ast
