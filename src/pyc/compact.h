// SPDX-License-Identifier: MIT
// Removes the constants that no code object uses: names, tables and tuples that were copied to fields.
//
// Invariant: the order of the remaining constants and all CodeIds are kept. Items must have smaller ids than
// containers.
#pragma once

#include "depyf/code.h"

namespace depyf {

[[nodiscard]] CodeTree without_unused_constants(CodeTree tree);

}  // namespace depyf
