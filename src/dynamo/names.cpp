// SPDX-License-Identifier: MIT
// The names that Dynamo gives; see names.h.
#include "dynamo/names.h"

#include <algorithm>

namespace depyf::dynamo {

bool made_by_dynamo(const CodeObject& code) {
  const auto of_dynamo = [](const std::string& n) {
    return n.starts_with("__compiled_fn_") || n.starts_with("__resume_at_") || n.starts_with("__import_torch_dot_") ||
           n.starts_with("__builtins_dict___");
  };
  if (std::any_of(code.names.begin(), code.names.end(), of_dynamo)) return true;
  // A frame that is left before anything was traced names none of these; the variable for a graph's results is there.
  const auto& locals = local_names(code);
  return std::any_of(locals.begin(), locals.end(), [](const auto& n) { return n == "graph_out_0"; });
}

bool resumes_by_dynamo(const CodeObject& code) { return code.name.starts_with("torch_dynamo_resume_in_"); }

}  // namespace depyf::dynamo
