// SPDX-License-Identifier: MIT
// Drops the constants that no code object holds (names, tables and tuples of them, once copied out).
//
// Invariant: the order of what stays, and every CodeId, is kept. A constant's items must have smaller ids than it has.
#pragma once

#include "depyf/code.h"

namespace depyf {

[[nodiscard]] CodeTree without_unused_constants(CodeTree tree);

}  // namespace depyf
