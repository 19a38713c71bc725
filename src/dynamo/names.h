// SPDX-License-Identifier: MIT
// Recognizes code objects that TorchDynamo made, by the names that Dynamo gives to globals, functions and locals.
#pragma once

#include <set>
#include <string>

#include "depyf/code.h"

namespace depyf::dynamo {

// Returns whether the code object reads a global that Dynamo installs, or has the local that holds a graph's results.
[[nodiscard]] bool made_by_dynamo(const CodeObject& code);

// Returns whether this is the code of a resume function, which continues the original function after a graph break.
[[nodiscard]] bool resumes_by_dynamo(const CodeObject& code);

// Returns the names of the locals that Dynamo added, such as `tmp_1` and `graph_out_0`, without parameters and cells.
[[nodiscard]] std::set<std::string> temporaries_of_dynamo(const CodeObject& code);

}  // namespace depyf::dynamo
