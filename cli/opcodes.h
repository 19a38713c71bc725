// SPDX-License-Identifier: MIT
// Numbers of opcodes as a file of JSON: one object of names and numbers, as `json.dumps(opcode.opmap)` writes it.
#pragma once

#include <string>

#include "depyf/opcodes.h"

namespace depyf::cli {

// The error names the place in the file.
[[nodiscard]] Result<OpcodeNumbers> read_opcodes(const std::string& path);

[[nodiscard]] std::string json_of(const OpcodeNumbers& numbers);

}  // namespace depyf::cli
