// SPDX-License-Identifier: MIT
// Characters and identifiers; see unicode.h.
//
// Invariant: one table lookup per character, with a shortcut for ASCII. The table has only the four flags below.
#include "support/unicode.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace depyf {
namespace {

enum CharacterFlag : std::uint32_t { kStart = 1, kContinue = 2, kPrintable = 4, kUnstable = 8 };

constexpr std::uint32_t kTable[] = {
#include "support/unicode_tables.inc"
};

std::uint32_t character_flags(std::uint32_t code_point) {
  if (code_point > 0x10FFFF) return 0;
  const auto* after = std::upper_bound(std::begin(kTable), std::end(kTable), code_point << 4U | 15U);
  return *(after - 1) & 15U;
}

// The flags of ASCII characters, for the most frequent case.
constexpr auto kAscii = [] {
  std::array<std::uint8_t, 0x80> flags{};
  std::size_t row = 0;
  for (std::uint32_t c = 0; c < flags.size(); ++c) {
    while (row + 1 < std::size(kTable) && kTable[row + 1] >> 4U <= c) ++row;
    flags[c] = kTable[row] & 15U;
  }
  return flags;
}();

constexpr auto kContinuesInAscii = [] {
  std::array<bool, 0x100> continues{};
  for (std::size_t c = 0; c < kAscii.size(); ++c) continues[c] = (kAscii[c] & (kContinue | kUnstable)) == kContinue;
  return continues;
}();

std::uint32_t flags_at(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first >= kAscii.size()) return character_flags(next_code_point(text, at));
  ++at;
  return kAscii[first];
}

// Lib/keyword.py, the same from 3.8 to 3.15 (soft keywords are ordinary names), and `__debug__`, which is a constant
// when read and cannot be stored to (forbidden_name in Python/compile.c).
constexpr std::array<std::string_view, 36> kKeywords = {
    "as",     "if",     "in",     "is",     "or",     "and",     "def",      "del",      "for",
    "not",    "try",    "None",   "True",   "elif",   "else",    "from",     "pass",     "with",
    "False",  "async",  "await",  "break",  "class",  "raise",   "while",    "yield",    "assert",
    "except", "global", "import", "lambda", "return", "finally", "continue", "nonlocal", "__debug__"};

// A perfect hash of the keywords.
constexpr std::size_t keyword_slot(std::string_view text) {
  return (static_cast<unsigned char>(text.front()) + 11U * static_cast<unsigned char>(text.back()) + text.size()) % 128;
}
constexpr auto kKeywordAt = [] {
  std::array<std::string_view, 128> at{};
  for (const auto word : kKeywords) at[keyword_slot(word)] = word;
  return at;
}();
static_assert(std::ranges::all_of(kKeywords, [](auto word) { return kKeywordAt[keyword_slot(word)] == word; }));

bool is_keyword(std::string_view text) { return kKeywordAt[keyword_slot(text)] == text; }

}  // namespace

bool is_constant_name(std::string_view text) {
  return text == "__debug__" || text == "None" || text == "True" || text == "False";
}

std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t first = byte(at++);
  if (first < 0x80) return first;
  const std::size_t continuation_bytes = first >= 0xF0 && first < 0xF8 ? 3 : first >= 0xE0 ? 2 : 1;
  if (first < 0xC0 || first >= 0xF8 || text.size() - at < continuation_bytes) return kNotText;
  std::uint32_t value = first & (0x3FU >> continuation_bytes);
  for (std::size_t i = 0; i < continuation_bytes; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80) return kNotText;
    value = value << 6U | (byte(at + i) & 0x3FU);
  }
  at += continuation_bytes;
  return value;
}

bool is_printable(std::uint32_t code_point) {
  if (code_point < 0x7F) return code_point >= 0x20;
  return (character_flags(code_point) & kPrintable) != 0;
}

bool is_plain_identifier(std::string_view text) {
  if (text.empty()) return false;
  // The shortcut for ASCII names.
  if (std::ranges::all_of(text, [](char c) { return kContinuesInAscii[static_cast<unsigned char>(c)]; }))
    return (kAscii[static_cast<unsigned char>(text[0])] & kStart) != 0 && !is_keyword(text);
  std::size_t at = 0;
  for (bool first = true; at < text.size(); first = false) {
    const std::uint32_t flags = flags_at(text, at);
    if ((flags & (first ? kStart : kContinue)) == 0 || (flags & kUnstable) != 0) return false;
  }
  return !is_keyword(text);
}

bool is_dotted_identifier(std::string_view text) {
  if (is_plain_identifier(text)) return true;  // most names have no dot
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_plain_identifier(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

}  // namespace depyf
