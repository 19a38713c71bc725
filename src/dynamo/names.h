// SPDX-License-Identifier: MIT
// By which names a code object is told to be PyTorch's Dynamo's.
#pragma once

#include <set>
#include <string>

#include "depyf/code.h"

namespace depyf::dynamo {

// Whether a code object reads as Dynamo made it: by the names of globals it installs.
[[nodiscard]] bool made_by_dynamo(const CodeObject& code);

// Whether it is the code of a resume function of Dynamo's: the original one's after a jump into its middle.
[[nodiscard]] bool resumes_by_dynamo(const CodeObject& code);

// Dynamo's own local variables in its code objects, `tmp_1` and `graph_out_0`: parameters and cells apart.
[[nodiscard]] std::set<std::string> temporaries_of_dynamo(const CodeObject& code);

}  // namespace depyf::dynamo
