// SPDX-License-Identifier: MIT
// What source text demands of characters: decoding, printability, identifiers.
//
// Invariant: agrees with str.isprintable() and str.isidentifier() of the CPython that the table was generated with.
// Knows nothing about quoting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace depyf {

// Decodes the character at `at` and moves past it. Surrogates are decoded as such; a byte that is no UTF-8 gives
// kNotText and is passed alone.
inline constexpr std::uint32_t kNotText = 0xFFFFFFFF;
[[nodiscard]] std::uint32_t next_code_point(std::string_view text, std::size_t& at);

[[nodiscard]] bool is_printable(std::uint32_t code_point);

// True if Python reads the text as that very identifier: valid, not a keyword of any of 3.8-3.15, and not changed by the
// NFKC normalisation that the parser applies (characters are judged alone; sequences that compose are let through).
[[nodiscard]] bool is_plain_identifier(std::string_view text);

// Whether it is a keyword that is a constant. `builtins` has the constant under that name, too.
[[nodiscard]] bool is_constant_name(std::string_view text);

// The same for identifiers joined by dots.
[[nodiscard]] bool is_dotted_identifier(std::string_view text);

}  // namespace depyf
