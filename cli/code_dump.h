// SPDX-License-Identifier: MIT
// Dumps the code objects of a file (`--stop-after=code`): every field and every constant, exactly.
//
// Invariant: trees with equal dumps are equal except for the order in frozensets. Floats are shown as their bits, texts
// as their UTF-8 bytes. Instructions are not decoded.
#pragma once

#include <string>

#include "depyf/code.h"

namespace depyf::cli {

[[nodiscard]] std::string dump_code(const CodeTree& tree);

}  // namespace depyf::cli
