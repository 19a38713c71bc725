// SPDX-License-Identifier: MIT
// Maps the magic number of a .pyc file to the CPython that wrote it.
//
// Invariant: only numbers of releases and release candidates of CPython 3.8-3.15 are accepted, since the opcode tables
// describe no others. The rest of the header is not read here.
#pragma once

#include <cstdint>

#include "depyf/code.h"
#include "depyf/result.h"

namespace depyf {

// `number` is the first two bytes of the file, little endian. The error, at byte 0, describes the number found.
[[nodiscard]] Result<Version> version_of_magic(std::uint16_t number);

}  // namespace depyf
