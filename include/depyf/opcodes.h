// SPDX-License-Identifier: MIT
// Bytecode of an altered CPython whose opcodes have other numbers, so that no regular CPython can run its files.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "depyf/code.h"
#include "depyf/result.h"

namespace depyf {

// Opcode numbers by name, as in `opcode.opmap` of the altered CPython.
using OpcodeNumbers = std::map<std::string, std::uint8_t>;

// Renumbers the opcodes of all code objects to those of CPython. A number that is not in `numbers` keeps its meaning,
// unless `numbers` moves the opcode that has this number in CPython elsewhere: then it becomes a number of no opcode.
// Names that this version of CPython does not have are additional opcodes of the altered one.
void restore_opcodes(CodeTree& tree, const OpcodeNumbers& numbers);

// Returns the numbers of all opcodes in `altered`, which was compiled from the same source as `known` by an altered
// CPython of the same version. Fails with the name of the code object if the two differ by more than opcode numbers.
[[nodiscard]] Result<OpcodeNumbers> infer_opcodes(const CodeTree& known, const CodeTree& altered);

}  // namespace depyf
