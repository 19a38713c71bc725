// SPDX-License-Identifier: MIT
// Code objects that a program uses as values, as in `exec(<code object>)`: definitions that make them anew.
//
// Invariant: each is decompiled as a root of its own, with no part in the scopes around it. Where the caller binds names
// to code objects (DecompileOptions::code_names), nothing is defined here.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driver/work.h"

namespace depyf::driver {

// A text and what compile() needs to make the root code object of it.
struct Rooted {
  Decompiled out;
  std::string whole;  // the text with the surroundings that a function may need
  std::string_view mode = "exec";
  std::string root_name;        // of a root that is a function: what the compiler calls it
  std::uint32_t functions = 0;  // code objects from that of the whole text to the root's
};
// Where a tree has its root from: the whole tree, or a code object that is used as a value.
struct Place {
  std::uint32_t depth = 0;  // values that it is in, one within the other
  std::vector<std::uint32_t>
      numbers{};  // by CodeId: of the names of code objects, in the whole tree; empty: as in this
};
[[nodiscard]] Result<Rooted> decompile_root(const CodeTree& tree, const DecompileOptions& options, const Place& place);

// Statements that give names to code objects: `name = compile("…", "<name>", "exec")`, or a comment that says why there is
// none. What is known of their texts goes to `w.value_verdicts`.
[[nodiscard]] Result<ast::Block> code_definitions(Work& w, const std::set<CodeId>& used,
                                                  const std::vector<std::string>& names, const Place& place);

}  // namespace depyf::driver
