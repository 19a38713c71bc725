// SPDX-License-Identifier: MIT
// resume_arguments(): what a resume function of Dynamo's is handed, by its parameters.
//
// Such a function is the original one's code after a jump over its beginning; parameters hold what lay on the operand
// stack (create_resume_from in torch/_dynamo/resume_execution.py). What is jumped over tells what that was: a container
// that a display or a call has begun, on the stack and nowhere else, or text that an f-string has begun. That the function
// is called so is Dynamo's word; nothing in its code would show that it is not. Invariant: of each parameter this is what
// every way through the code that is jumped over leaves there; kUnknown wherever that is not told for sure.
#pragma once

#include <vector>

#include "bytecode/dialect.h"
#include "bytecode/instruction.h"
#include "depyf/limits.h"

namespace depyf::dynamo {

// Containers: of just that type, and held by nothing else.
enum class ResumeArgument : std::uint8_t { kUnknown, kList, kDict, kSet, kText };

// By local variable; empty where nothing is told.
[[nodiscard]] std::vector<ResumeArgument> resume_arguments(const CodeTree& tree, CodeId code, const Bytecode& bytecode,
                                                           const Dialect& dialect, const Limits& limits);

}  // namespace depyf::dynamo
