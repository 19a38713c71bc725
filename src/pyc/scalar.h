// SPDX-License-Identifier: MIT
// Reads the leaves of the marshal format: numbers, texts and bytes.
//
// Invariant: each function starts after the type byte and consumes exactly one object, or returns an error with its
// offset. References and containers are unknown here.
#pragma once

#include <string_view>

#include "depyf/code.h"
#include "pyc/byte_source.h"

namespace depyf {

// Returns whether the type byte (without FLAG_REF) is that of a number, text or bytes object.
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

// Reads an object into `value`; is_scalar(type) must be true.
[[nodiscard]] Status read_scalar(ByteSource& in, char type, Constant& value);

// Reads a length of 31 bits. It is at most the number of bytes left, since each item takes at least one byte.
[[nodiscard]] Result<std::size_t> read_size(ByteSource& in, std::string_view of_what);

}  // namespace depyf
