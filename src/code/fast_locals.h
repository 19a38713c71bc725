// SPDX-License-Identifier: MIT
// Kinds of the slots of a code object's "fast locals" array (3.11+).
//
// From 3.11 on one array holds locals, cells and free variables, and co_localspluskinds has the kind of each slot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "depyf/code.h"

namespace depyf {

// Bits of CO_FAST_* (Include/internal/pycore_code.h). A parameter that is a cell has two.
enum FastKind : std::uint8_t {
  kFastHidden = 0x10,
  kFastLocal = 0x20,
  kFastCell = 0x40,
  kFastFree = 0x80,
};

// Returns whether a slot is of one of the kinds; false for every slot up to 3.10.
[[nodiscard]] inline bool is_of_kind(const CodeObject& code, std::size_t slot, unsigned kinds) {
  return slot < code.localspluskinds.size() && (code.localspluskinds[slot] & kinds) != 0;
}

}  // namespace depyf
