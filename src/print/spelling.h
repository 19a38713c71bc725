// SPDX-License-Identifier: MIT
// How constants are spelled in source text: numbers, strings, bytes, docstrings, the text between an f-string's fields.
//
// Invariant: the target's compiler makes of the spelling exactly the given value (inf, nan, -0.0 and complex numbers are
// expressions that its constant folder evaluates). Knows nothing of trees; never breaks a line except in docstrings.
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
// The quotes whose delimiters hold the given one's (' lies in ''').
[[nodiscard]] QuoteSet overlapping(Quote quote);

// What surrounds a literal: inside a field of an f-string before 3.12 some quotes are taken and nothing can be escaped.
struct StringContext {
  QuoteSet allowed = kAllQuotes;
  bool no_backslash = false;
};

// Whether all characters represent themselves in every string.
[[nodiscard]] bool is_plain(std::string_view text);
// The literal with its delimiters; nothing if the context has no way to spell it (only with no_backslash).
[[nodiscard]] std::optional<std::string> str_text(std::string_view text, StringContext context);
[[nodiscard]] std::optional<std::string> bytes_text(std::string_view data, StringContext context);
// The literal with a prefix that lets backslashes be; nothing if the text has no such, with no other escape, on one line.
[[nodiscard]] std::optional<std::string> raw_text(std::string_view prefix, std::string_view text);

// Text between the fields of an f-string, without delimiters. In a format specification braces cannot be doubled.
[[nodiscard]] std::optional<std::string> fstring_part(std::string_view text, Quote quote, bool in_spec,
                                                      bool no_backslash);

// A docstring as a statement at the given indentation: triple quotes, real newlines, raw where that reads better.
// `cleaned`: the target's compiler strips indentation (_PyCompile_CleanDoc of Python/compile.c, 3.13+), so the lines may
// be indented where stripping restores the text.
[[nodiscard]] std::string docstring_text(std::string_view text, std::uint32_t indent, bool cleaned);

// Numbers of either sign, nan included. `strength` tells which operator the text has outermost.
enum class Strength : std::uint8_t { kSum, kProduct, kSign, kAtom };
struct NumberText {
  std::string text;
  Strength strength = Strength::kAtom;
};
[[nodiscard]] NumberText float_text(double value);
// `mixed`: real - complex keeps the sign of a zero imaginary part (3.14+).
[[nodiscard]] NumberText complex_text(double real, double imag, bool mixed);

}  // namespace depyf
