// SPDX-License-Identifier: MIT
// The text of integer constants; see int_text.h.
#include "code/int_text.h"

#include <cstdint>
#include <vector>

namespace depyf {
namespace {

// Divides the magnitude in place and returns the remainder.
std::uint32_t divide(std::vector<std::uint32_t>& digits, std::uint32_t divisor) {
  std::uint64_t remainder = 0;
  for (std::size_t i = digits.size(); i-- > 0;) {
    remainder = remainder << 32U | digits[i];
    digits[i] = static_cast<std::uint32_t>(remainder / divisor);
    remainder %= divisor;
  }
  while (!digits.empty() && digits.back() == 0) digits.pop_back();
  return static_cast<std::uint32_t>(remainder);
}

}  // namespace

std::string hex_text(const ConstInt& value) {
  std::string reversed;
  for (const std::uint32_t digit : value.digits) {
    for (unsigned shift = 0; shift < 32; shift += 4) reversed += "0123456789abcdef"[(digit >> shift) & 0xFU];
  }
  while (!reversed.empty() && reversed.back() == '0') reversed.pop_back();
  if (reversed.empty()) reversed = "0";
  return (value.negative ? "-0x" : "0x") + std::string(reversed.rbegin(), reversed.rend());
}

std::string decimal_text(const ConstInt& value) {
  constexpr std::uint32_t kChunk = 1'000'000'000;
  std::vector<std::uint32_t> digits = value.digits;
  std::string reversed;
  while (!digits.empty()) {
    std::uint32_t chunk = divide(digits, kChunk);
    for (int i = 0; i < 9; ++i, chunk /= 10) reversed += static_cast<char>('0' + chunk % 10);
  }
  while (!reversed.empty() && reversed.back() == '0') reversed.pop_back();
  if (reversed.empty()) reversed = "0";
  return (value.negative ? "-" : "") + std::string(reversed.rbegin(), reversed.rend());
}

std::string literal_text(const ConstInt& value) {
  // 2**32 has 9.63 decimal digits, so a longer integer has more than kMaxDecimalDigits digits.
  if (value.digits.size() > kMaxDecimalDigits / 9) return hex_text(value);
  std::string text = decimal_text(value);
  return text.size() - (value.negative ? 1 : 0) > kMaxDecimalDigits ? hex_text(value) : text;
}

}  // namespace depyf
