// SPDX-License-Identifier: MIT
// Collects the names that the statements of a scope bind and mention themselves.
//
// Invariant: names in inner functions, classes and lambdas belong to their scopes. So do those in comprehensions,
// except for the outermost iterable and walrus targets. No node is changed.
#pragma once

#include <vector>

#include "ast/ast.h"

namespace depyf::ast {

class NameSet {
 public:
  // Returns whether the name is new.
  bool insert(NameId name) {
    if (name.n >= has_.size()) has_.resize(name.n + 64);
    const bool is_new = !has_[name.n];
    has_[name.n] = true;
    return is_new;
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
  NameSet bound;      // assigned, deleted, imported, defined, captured by a pattern, …
  NameSet mentioned;  // in an expression, also as a target
};
[[nodiscard]] OwnNames own_names(Tree& tree, const Block& block);

}  // namespace depyf::ast
