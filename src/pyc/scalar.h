// SPDX-License-Identifier: MIT
// The leaves of the marshal format: numbers, texts and bytes.
//
// Invariant: each function starts after the type byte and consumes exactly one object, or fails with its place.
// This file knows nothing of references and containers.
#pragma once

#include "depyf/code.h"
#include "pyc/byte_source.h"

namespace depyf {

// The object of type byte `type` (without the reference flag); false when `type` is no scalar of the format.
[[nodiscard]] Result<bool> read_scalar(ByteSource& in, char type, Constant& value);

// A length of the format: 31 bits, and at most what is left (an item takes a byte at least).
[[nodiscard]] Result<std::size_t> read_size(ByteSource& in, std::string_view of_what);

}  // namespace depyf
