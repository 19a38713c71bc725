// SPDX-License-Identifier: MIT
// Names for objects that source cannot spell: a dotted name that evaluates to the object, or a placeholder.
//
// Invariant: nothing is imported and no user-defined `__repr__` is called; attributes are only read to confirm that a
// dotted name gives the same object. A name that the code itself might use is never chosen.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <unordered_set>
#include <vector>

#include "convert.h"

namespace depyf::bind {

// The names that the code objects of a tree use in any role.
struct UsedNames {
  std::unordered_set<std::string> local;   // parameters, locals, cells, free variables
  std::unordered_set<std::string> global;  // co_names: globals, attributes, imports
};
[[nodiscard]] UsedNames used_names(const CodeTree& tree);

// Returns `prefix`, or a longer one that no name in the tree starts with: names with the prefix are depyf's own, while
// Dynamo also names its variables tmp_1, tmp_2, and so on.
[[nodiscard]] std::string unused_prefix(std::string prefix, const UsedNames& used);

// Returns a placeholder for each code object of a tree, by CodeId, such as "code_inner". The root's is not used.
[[nodiscard]] std::vector<std::string> code_placeholders(const CodeTree& tree, const OpaqueTable& table,
                                                         const UsedNames& used);

// Sets display and is_expression of the rows from index `first` on.
void name_opaque(OpaqueTable& table, std::size_t first, const UsedNames& used);

}  // namespace depyf::bind
