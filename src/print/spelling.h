// SPDX-License-Identifier: MIT
// The spelling of constants in source: numbers, strings, bytes, docstrings, and the text between an f-string's fields.
//
// Invariant: the target's compiler evaluates the spelling to exactly the given value. Infinities, nan, -0.0 and complex
// numbers are expressions that its constant folder evaluates. Only docstrings contain line breaks. Trees are unknown
// here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace depyf {

// The four ways to delimit a string literal, as bits of a QuoteSet.
enum Quote : std::uint8_t { kSingle = 1, kDouble = 2, kTripleSingle = 4, kTripleDouble = 8 };
using QuoteSet = std::uint8_t;
inline constexpr QuoteSet kSimpleQuotes = kSingle | kDouble;
inline constexpr QuoteSet kAllQuotes = 15;

[[nodiscard]] std::string_view delimiter(Quote quote);
// Returns the quotes whose delimiters contain the given one: ' occurs in '''.
[[nodiscard]] QuoteSet overlapping(Quote quote);

// The context of a literal. Before 3.12, a field of an f-string allows neither some quotes nor any escapes.
struct StringContext {
  QuoteSet allowed = kAllQuotes;
  bool no_backslash = false;
};

// Returns whether all characters represent themselves in every kind of string.
[[nodiscard]] bool is_plain(std::string_view text);
// Returns the literal with its delimiters; nullopt if the context cannot spell it (only with no_backslash).
[[nodiscard]] std::optional<std::string> str_text(std::string_view text, StringContext context);
[[nodiscard]] std::optional<std::string> bytes_text(std::string_view data, StringContext context);
// Returns the text as a raw literal on one line; nullopt if it has characters that only an escape can spell.
[[nodiscard]] std::optional<std::string> raw_text(std::string_view prefix, std::string_view text);

// Returns the text between fields of an f-string, without delimiters. Format specifications cannot double braces.
[[nodiscard]] std::optional<std::string> fstring_part(std::string_view text, Quote quote, bool in_spec,
                                                      bool no_backslash);

// Returns the docstring's literal for a statement at the given indentation: triple quotes, real newlines, raw if that
// is more readable. `cleaned`: the target's compiler strips indentation (_PyCompile_CleanDoc in Python/compile.c,
// 3.13+), so lines may be indented if stripping restores the text.
[[nodiscard]] std::string docstring_text(std::string_view text, std::uint32_t indent, bool cleaned);

// Numbers of either sign, nan included. `strength`: the outermost operator of the text.
enum class Strength : std::uint8_t { kSum, kProduct, kSign, kAtom };
struct NumberText {
  std::string text;
  Strength strength = Strength::kAtom;
};
[[nodiscard]] NumberText float_text(double value);
// `mixed`: subtracting a complex number from a float keeps the sign of a zero imaginary part (3.14+).
[[nodiscard]] NumberText complex_text(double real, double imag, bool mixed);

}  // namespace depyf
