// SPDX-License-Identifier: MIT
// Code objects that a program uses as values, as in `exec(<code object>)`: statements that create them with compile().
//
// Invariant: each is decompiled as the root of its own tree, independent of the enclosing scopes. If the caller binds
// names to code objects (DecompileOptions::code_names), nothing is defined here.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driver/work.h"

namespace depyf::driver {

// A text, and what is needed to get the root code object from it with compile().
struct Rooted {
  Decompiled out;
  std::string full_text;  // with the enclosing function that the root may need
  std::string_view mode = "exec";
  std::string root_name;         // if the root is a function: its name in the text
  std::uint32_t root_depth = 0;  // number of co_consts steps from the compiled code to the root
};
// How a tree is embedded: it is the whole program, or a code object that another text uses as a value.
struct Embedding {
  std::uint32_t depth = 0;               // number of values around it
  std::vector<std::uint32_t> numbers{};  // by CodeId: the ids in the whole program, used in names; empty: the same ids
};
[[nodiscard]] Result<Rooted> decompile_root(const CodeTree& tree, const DecompileOptions& options,
                                            const Embedding& embedding);

// Returns the statements that define the code objects: `name = compile("…", "<name>", "exec")`, or a comment with the
// error. Adds the verdicts on their texts to `w.value_verdicts`.
[[nodiscard]] Result<ast::Block> code_definitions(Work& w, const std::set<CodeId>& used,
                                                  const std::vector<std::string>& names, const Embedding& embedding);

}  // namespace depyf::driver
