// SPDX-License-Identifier: MIT
// UTF-8 checks, as in unicode_decode_utf8 of Objects/unicodeobject.c with "surrogatepass"; see utf8.h.
#include "code/utf8.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace depyf {
namespace {

// Returns the length of the well-formed sequence at the start of `s`, which is not empty; 0 if there is none.
std::size_t sequence_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(s[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t n = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || s.size() < n) return 0;
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  if (first == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
  if (first == 0xF0 && byte(1) < 0x90) return 0;  // overlong
  if (first == 0xF4 && byte(1) > 0x8F) return 0;  // over U+10FFFF
  return n;
}

bool is_ascii(char c) { return static_cast<std::uint8_t>(c) < 0x80; }

// Returns the length of the ASCII prefix. Tests whole words first, since most text is ASCII only.
std::size_t ascii_prefix(std::string_view bytes) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  std::size_t n = 0;
  for (std::uint64_t word = 0; bytes.size() - n >= kWord; n += kWord) {
    std::memcpy(&word, bytes.data() + n, kWord);
    if ((word & 0x8080808080808080U) != 0) break;
  }
  while (n < bytes.size() && is_ascii(bytes[n])) ++n;
  return n;
}

}  // namespace

bool is_text(std::string_view bytes) {
  while (true) {
    bytes.remove_prefix(ascii_prefix(bytes));
    if (bytes.empty()) return true;
    const std::size_t n = sequence_length(bytes);
    if (n == 0) return false;
    bytes.remove_prefix(n);
  }
}

std::string latin1_to_text(std::string_view bytes) {
  const std::size_t n = ascii_prefix(bytes);
  std::string out(bytes.substr(0, n));
  for (const char c : bytes.substr(n)) {
    if (is_ascii(c)) {
      out += c;
    } else {
      const auto value = static_cast<std::uint8_t>(c);
      out += static_cast<char>(0xC0U | (value >> 6U));
      out += static_cast<char>(0x80U | (value & 0x3FU));
    }
  }
  return out;
}

}  // namespace depyf
