// SPDX-License-Identifier: MIT
// Assumptions of the interpreter about code, by version: compilers satisfy them, and the interpreter does not check
// them.
#pragma once

#include "depyf/code.h"

namespace depyf {

// Returns whether POP_JUMP_IF_TRUE and POP_JUMP_IF_FALSE require a bool (3.13+): they compare with True and False by
// identity.
[[nodiscard]] inline bool tests_need_bool(Version version) { return version.minor >= 13; }

// Returns whether an `await` or `yield from` needs a CLEANUP_THROW (3.12+): it ends the wait if an exception thrown
// into the code makes the awaited iterator raise StopIteration.
[[nodiscard]] inline bool awaits_need_cleanup(Version version) { return version.minor >= 12; }

// Returns whether the hash of None is its address, which differs between processes (<= 3.11).
[[nodiscard]] inline bool none_hashes_by_address(Version version) { return version.minor < 12; }

}  // namespace depyf
