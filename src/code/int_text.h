// SPDX-License-Identifier: MIT
// Text of integer constants of any size.
//
// Invariant: the text, read by Python, is the same integer; the sign comes first ("-0x1f", "-12").
// This file does not decide about parentheses or spacing.
#pragma once

#include <cstddef>
#include <string>

#include "depyf/code.h"

namespace depyf {

// CPython refuses decimal literals of more digits than this (sys.int_info.default_max_str_digits).
inline constexpr std::size_t kMaxDecimalDigits = 4300;

[[nodiscard]] std::string hex_text(const ConstInt& value);
// Quadratic in the number of digits: meant for integers that pass literal_text()'s bound.
[[nodiscard]] std::string decimal_text(const ConstInt& value);
// What a source file can hold: decimal, or hexadecimal above kMaxDecimalDigits digits.
[[nodiscard]] std::string literal_text(const ConstInt& value);

}  // namespace depyf
