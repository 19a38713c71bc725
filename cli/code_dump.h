// SPDX-License-Identifier: MIT
// The code objects of a file as text (`--stop-after=code`): every field and every constant, exactly.
//
// Invariant: two trees with equal dumps are equal but for frozenset order. Floats are shown by their bits, texts by
// their UTF-8 bytes. It interprets no instruction.
#pragma once

#include <string>

#include "depyf/code.h"

namespace depyf::cli {

[[nodiscard]] std::string dump_code(const CodeTree& tree);

}  // namespace depyf::cli
