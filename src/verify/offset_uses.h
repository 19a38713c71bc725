// SPDX-License-Identifier: MIT
// Finds code that uses an instruction offset as a value. Equal graphs have different offsets.
#pragma once

#include <optional>

#include "bytecode/dialect.h"
#include "bytecode/instruction.h"

namespace depyf::equivalence {

// The interpreter pushes the offset of the raising instruction below the exception, for handlers whose row of the
// exception table says so (lasti). Compilers only emit RERAISE and WITH_EXCEPT_START for it, which programs cannot
// observe. Returns the byte offset of the first instruction that does anything else with it; nullopt if there is none.
[[nodiscard]] Result<std::optional<std::uint32_t>> find_offset_use(const CodeTree& tree, CodeId code,
                                                                   const Bytecode& bytecode, const Dialect& dialect,
                                                                   const Limits& limits);

}  // namespace depyf::equivalence
