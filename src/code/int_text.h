// SPDX-License-Identifier: MIT
// The text of integer constants of any size.
//
// Invariant: Python reads the text as the same integer; the sign comes first ("-0x1f", "-12"), without parentheses.
#pragma once

#include <cstddef>
#include <string>

#include "depyf/code.h"

namespace depyf {

// CPython rejects decimal literals with more digits (sys.int_info.default_max_str_digits).
inline constexpr std::size_t kMaxDecimalDigits = 4300;

[[nodiscard]] std::string hex_text(const ConstInt& value);
// Quadratic in the number of digits: meant for integers within the bound of literal_text().
[[nodiscard]] std::string decimal_text(const ConstInt& value);
// Returns a literal that source can contain: decimal, or hexadecimal for more than kMaxDecimalDigits digits.
[[nodiscard]] std::string literal_text(const ConstInt& value);

}  // namespace depyf
