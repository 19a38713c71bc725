// SPDX-License-Identifier: MIT
// Prefixes of Dynamo's names (`CodegenAliases` and `unique_id` in torch/_dynamo); see names.h.
#include "dynamo/names.h"

#include <algorithm>
#include <string_view>

namespace depyf::dynamo {

bool made_by_dynamo(const CodeObject& code) {
  const auto is_dynamo_global = [](const std::string& n) {
    return n.starts_with("__") && (n.starts_with("__compiled_fn_") || n.starts_with("__resume_at_") ||
                                   n.starts_with("__import_torch_dot_") || n.starts_with("__builtins_dict___"));
  };
  if (std::any_of(code.names.begin(), code.names.end(), is_dynamo_global)) return true;
  // A frame with a graph break before any traced operation names no such global, but has the local `graph_out_0`.
  const auto& locals = local_names(code);
  return std::any_of(locals.begin(), locals.end(), [](const auto& n) { return n == "graph_out_0"; });
}

bool resumes_by_dynamo(const CodeObject& code) { return code.name.starts_with("torch_dynamo_resume_in_"); }

std::set<std::string> temporaries_of_dynamo(const CodeObject& code) {
  std::set<std::string> out;
  const auto& names = local_names(code);
  for (std::size_t i = code.argcount + code.kwonlyargcount; i < names.size(); ++i)
    for (const std::string_view prefix : {"tmp_", "graph_out_"}) {
      const bool is_numbered = names[i].size() > prefix.size() && names[i].starts_with(prefix) &&
                               names[i].find_first_not_of("0123456789", prefix.size()) == std::string::npos;
      const auto is_cell = [&](const auto& cells) {
        return std::find(cells.begin(), cells.end(), names[i]) != cells.end();
      };
      if (is_numbered && !is_cell(code.cellvars) && !is_cell(code.freevars)) out.insert(names[i]);
    }
  return out;
}

}  // namespace depyf::dynamo
