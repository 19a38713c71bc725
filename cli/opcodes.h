// SPDX-License-Identifier: MIT
// Reads and writes opcode numbers as JSON: an object of names and numbers, as `json.dumps(opcode.opmap)` produces it.
#pragma once

#include <string>

#include "depyf/opcodes.h"

namespace depyf::cli {

// Fails with the byte offset in the file.
[[nodiscard]] Result<OpcodeNumbers> read_opcodes(const std::string& path);

[[nodiscard]] std::string json_of(const OpcodeNumbers& numbers);

}  // namespace depyf::cli
