// SPDX-License-Identifier: MIT
// What the interpreter takes for granted of code, by version: compilers see to it, and nothing checks it.
#pragma once

#include "depyf/code.h"

namespace depyf {

// 3.13+: POP_JUMP_IF_TRUE and POP_JUMP_IF_FALSE compare with True and False; any other object is neither.
[[nodiscard]] inline bool tests_need_bool(Version version) { return version.minor >= 13; }

// 3.12+: what is thrown into an `await` or `yield from` and ends what it waits for, comes out of it by CLEANUP_THROW.
[[nodiscard]] inline bool awaits_need_cleanup(Version version) { return version.minor >= 12; }

// <= 3.11: None is hashed by where it lies, which differs from process to process.
[[nodiscard]] inline bool none_hashes_by_address(Version version) { return version.minor < 12; }

}  // namespace depyf
