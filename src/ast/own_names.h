// SPDX-License-Identifier: MIT
// Which names a scope's own statements bind and mention.
//
// Invariant: what an inner function, class or lambda does is its own, and so is what a comprehension does, but for its
// outermost iterable and its walruses. No node is changed.
#pragma once

#include <set>

#include "ast/ast.h"

namespace depyf::ast {

struct OwnNames {
  std::set<std::uint32_t> bound;      // by NameId: assigned, deleted, imported, defined, matched, …
  std::set<std::uint32_t> mentioned;  // in an expression, also as a target
};
[[nodiscard]] OwnNames own_names(Tree& tree, const Block& block);

}  // namespace depyf::ast
