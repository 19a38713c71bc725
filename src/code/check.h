// SPDX-License-Identifier: MIT
// The invariants of a single code object, for validate() and for the .pyc reader, which can report the byte offset.
//
// Invariant: a code object without a fault has the names of all locals in its arrays. Instructions are not checked.
#pragma once

#include <string>

#include "code/fast_locals.h"
#include "depyf/code.h"

namespace depyf {

inline constexpr Version kFirstLocalsplus{3, 11};
// Returns whether locals, cells and free variables are one array with kinds (3.11+). This is about the code object; the
// meaning of bytecode is in the Dialect.
[[nodiscard]] constexpr bool has_localsplus(Version v) { return v >= kFirstLocalsplus; }
[[nodiscard]] constexpr bool is_supported(Version v) { return v >= kFirstVersion && v <= kLastVersion; }

// Fills varnames, cellvars and freevars from localsplus, as get_localsplus_names in Objects/codeobject.c does (3.11+).
void derive_local_names(CodeObject& code);

// Returns the fault of a code object ("wanted ..., found ..."), or an empty string if it has none.
[[nodiscard]] std::string code_fault(const CodeObject& code, Version version);

}  // namespace depyf
