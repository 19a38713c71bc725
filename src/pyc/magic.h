// SPDX-License-Identifier: MIT
// Magic numbers of .pyc files: which CPython wrote this one?
//
// Invariant: only numbers that a release (or a release candidate) of CPython 3.8-3.15 wrote are accepted, since the
// opcode tables describe no other. This file reads no header beyond the number.
#pragma once

#include <cstdint>

#include "depyf/code.h"
#include "depyf/result.h"

namespace depyf {

// `number` is the first two bytes of the file, little endian. The error (at byte 0) names what was found.
[[nodiscard]] Result<Version> version_of_magic(std::uint16_t number);

}  // namespace depyf
