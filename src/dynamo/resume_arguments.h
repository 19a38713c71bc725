// SPDX-License-Identifier: MIT
// Infers the types of the arguments that Dynamo passes to a resume function.
//
// A resume function is the original function's code after a prologue: the prologue pushes parameters, which hold the
// operand stack at the graph break, and jumps to the instruction after the break (create_resume_from in
// torch/_dynamo/resume_execution.py). Abstract interpretation of the skipped code tells what the stack held there: with
// a break in `g()`, the list that BUILD_LIST started for `[*f(), g()]`, or the text before the field of
// `f'{f()}{g()}'`. That nothing else refers to such a container relies on Dynamo calling the function; its code alone
// cannot show it.
// Invariant: a parameter has a type only if every path through the skipped code leaves a value of that type in its
// stack entry; otherwise it is kUnknown.
#pragma once

#include <vector>

#include "bytecode/dialect.h"
#include "bytecode/instruction.h"
#include "depyf/limits.h"

namespace depyf::dynamo {

// kList, kDict, kSet: an object of exactly that type with no other reference. kText: a str.
enum class ResumeArgument : std::uint8_t { kUnknown, kList, kDict, kSet, kText };

// Returns one entry per local variable; none if the code is no resume function or its prologue is not understood.
[[nodiscard]] std::vector<ResumeArgument> resume_arguments(const CodeTree& tree, CodeId code, const Bytecode& bytecode,
                                                           const Dialect& dialect, const Limits& limits);

}  // namespace depyf::dynamo
