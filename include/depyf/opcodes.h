// SPDX-License-Identifier: MIT
// Bytecode of an altered CPython: one that gives opcodes other numbers than CPython does, so that its files run nowhere
// else.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "depyf/code.h"
#include "depyf/result.h"

namespace depyf {

// The numbers of opcodes, by name: what `opcode.opmap` of the altered CPython holds.
using OpcodeNumbers = std::map<std::string, std::uint8_t>;

// Gives the opcodes of all code objects the numbers that they have in CPython. A number that `numbers` does not list keeps
// its meaning, unless the opcode that has it in CPython has another one there: then it becomes one that no opcode has.
// Names that this version of CPython does not know are opcodes of the altered one's own.
void restore_opcodes(CodeTree& tree, const OpcodeNumbers& numbers);

// The numbers of all opcodes that the code objects of a source have, compiled by CPython and by an altered one of the same
// version. The error names the code object in which they differ by more.
[[nodiscard]] Result<OpcodeNumbers> infer_opcodes(const CodeTree& known, const CodeTree& altered);

}  // namespace depyf
