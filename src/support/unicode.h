// SPDX-License-Identifier: MIT
// What source text requires of characters: decoding, printability, identifiers.
//
// Invariant: agrees with str.isprintable() and str.isidentifier() of the CPython that generated the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace depyf {

// Decodes the character at `at` and advances `at` past it. Surrogates are decoded too; for a byte that is not UTF-8,
// returns kNotText and advances by one byte.
inline constexpr std::uint32_t kNotText = 0xFFFFFFFF;
[[nodiscard]] std::uint32_t next_code_point(std::string_view text, std::size_t& at);

[[nodiscard]] bool is_printable(std::uint32_t code_point);

// Returns whether Python reads the text as this same identifier: valid, not a keyword in 3.8-3.15, and unchanged by the
// NFKC normalization in the parser. Characters are checked one by one, so sequences that compose are accepted.
[[nodiscard]] bool is_plain_identifier(std::string_view text);

// Returns whether this is a keyword that is a constant. `builtins` has the constant under the same name.
[[nodiscard]] bool is_constant_name(std::string_view text);

// Returns whether the text consists of plain identifiers joined by dots.
[[nodiscard]] bool is_dotted_identifier(std::string_view text);

}  // namespace depyf
