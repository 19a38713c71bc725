// SPDX-License-Identifier: MIT
// Words for objects that source cannot spell: a dotted name that import gives back, or a placeholder.
//
// Invariant: nothing is imported and no user-defined `__repr__` runs; attributes are read only to confirm that a dotted
// name gives the very same object. A name that could be mistaken for one the code itself uses is never chosen.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <unordered_set>
#include <vector>

#include "convert.h"

namespace depyf::bind {

// Names that the code objects of a tree use, in any role.
struct UsedNames {
  std::unordered_set<std::string> local;   // parameters, locals, cells, free variables
  std::unordered_set<std::string> global;  // co_names: globals, attributes, imports
};
[[nodiscard]] UsedNames used_names(const CodeTree& tree);

// `prefix`, or a longer one that no name of the tree begins with: what starts with it is the core's own (Dynamo calls
// its variables tmp_1, tmp_2, ... as well).
[[nodiscard]] std::string unclaimed_prefix(std::string prefix, const UsedNames& used);

// A placeholder for each code object of a tree, by CodeId: "code_inner". The root has one too, which nothing says.
[[nodiscard]] std::vector<std::string> code_placeholders(const CodeTree& tree, const OpaqueTable& table,
                                                         const UsedNames& used);

// Fills display and is_expression of the rows from `first` on.
void name_opaque(OpaqueTable& table, std::size_t first, const UsedNames& used);

}  // namespace depyf::bind
