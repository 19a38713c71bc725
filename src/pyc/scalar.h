// SPDX-License-Identifier: MIT
// The leaves of the marshal format: numbers, texts and bytes.
//
// Invariant: each function starts after the type byte and consumes exactly one object, or fails with its place.
// This file knows nothing of references and containers.
#pragma once

#include <string_view>

#include "depyf/code.h"
#include "pyc/byte_source.h"

namespace depyf {

// True for the type bytes (without the reference flag) of numbers, texts and bytes.
[[nodiscard]] constexpr bool is_scalar(char type) {
  switch (type) {
    case 'z':
    case 'Z':
    case 'a':
    case 'A':
    case 't':
    case 'u':
    case 's':
    case 'i':
    case 'I':
    case 'l':
    case 'f':
    case 'g':
    case 'x':
    case 'y': return true;
    default: return false;
  }
}

// The object of type byte `type`, for which is_scalar() holds, into `value`.
[[nodiscard]] Status read_scalar(ByteSource& in, char type, Constant& value);

// A length of the format: 31 bits, and at most what is left (an item takes a byte at least).
[[nodiscard]] Result<std::size_t> read_size(ByteSource& in, std::string_view of_what);

}  // namespace depyf
