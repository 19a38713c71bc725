// SPDX-License-Identifier: MIT
// The invariants of one code object, shared by validate() and the .pyc reader (which knows the byte offset to blame).
//
// Invariant: a code object without a fault can be decoded without looking outside its own arrays for names of locals.
// This file does not look at the instructions.
#pragma once

#include <cstdint>
#include <string>

#include "depyf/code.h"

namespace depyf {

// Kinds of "fast locals" (Include/internal/pycore_code.h).
enum FastKind : std::uint8_t {
  kFastHidden = 0x10,
  kFastLocal = 0x20,
  kFastCell = 0x40,
  kFastFree = 0x80,
};

inline constexpr Version kFirstLocalsplus{3, 11};
// True when locals, cells and free variables come as one array with kinds (3.11+). It says how the model is filled;
// what the bytecode means is the dialect's business.
[[nodiscard]] constexpr bool has_localsplus(Version v) { return v >= kFirstLocalsplus; }
[[nodiscard]] constexpr bool is_supported(Version v) { return v >= kFirstVersion && v <= kLastVersion; }

// Fills varnames, cellvars and freevars from localsplus, as get_localsplus_names of Objects/codeobject.c does (3.11+).
void derive_local_names(CodeObject& code);

// What is wrong with the code object taken alone ("wanted ..., found ..."); empty if nothing is.
[[nodiscard]] std::string code_fault(const CodeObject& code, Version version);

}  // namespace depyf
