// SPDX-License-Identifier: MIT
// The spelling of strings and numbers; see spelling.h.
//
// Invariant: printable characters represent themselves and all others are escaped, so that no text depends on the
// reader's encoding, on universal newlines or on invisible characters. Integers are spelled by code/int_text.h.
#include "print/spelling.h"
#include "support/docstring.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "support/unicode.h"

namespace depyf {
namespace {

enum class Braces : std::uint8_t { kPlain, kDoubled, kEscaped };

struct EscapeRules {
  Quote quote = kSingle;
  bool keep_newlines = false;
  Braces braces = Braces::kPlain;
  bool keep_backslashes = false;  // raw strings
};

char quote_char(Quote quote) { return delimiter(quote)[0]; }
bool is_triple(Quote quote) { return quote == kTripleSingle || quote == kTripleDouble; }

void append_hex(std::string& out, std::string_view prefix, std::uint32_t value, int digits) {
  out += prefix;
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
    out += "0123456789abcdef"[value >> static_cast<unsigned>(shift) & 15U];
}

void append_escape(std::string& out, std::uint32_t code_point) {
  switch (code_point) {
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  if (code_point < 0x100) return append_hex(out, "\\x", code_point, 2);
  if (code_point < 0x10000) return append_hex(out, "\\u", code_point, 4);
  append_hex(out, "\\U", code_point, 8);
}

// Returns whether the quote character at `at` needs a backslash: always between single delimiters; between triple ones
// if three would be in a row, or if it would touch the closing delimiter.
bool quote_needs_escape(std::string_view text, std::size_t at, Quote quote) {
  if (!is_triple(quote)) return true;
  const char q = text[at];
  if (at + 1 == text.size()) return true;
  return text[at + 1] == q && at + 2 < text.size() && text[at + 2] == q;
}

void append_ascii(std::string& out, std::string_view text, std::size_t at, const EscapeRules& rules) {
  const char c = text[at];
  if (c == '\\' && !rules.keep_backslashes) {
    out += "\\\\";
  } else if (c == quote_char(rules.quote)) {
    if (quote_needs_escape(text, at, rules.quote)) out += '\\';
    out += c;
  } else if ((c == '{' || c == '}') && rules.braces == Braces::kDoubled) {
    out.append(2, c);
  } else if ((c == '{' || c == '}') && rules.braces == Braces::kEscaped) {
    append_hex(out, "\\x", static_cast<unsigned char>(c), 2);
  } else if ((c >= 0x20 && c < 0x7F) || (c == '\n' && rules.keep_newlines)) {
    out += c;
  } else {
    append_escape(out, static_cast<unsigned char>(c));
  }
}

// The characters that represent themselves under all rules.
constexpr auto kPlain = [] {
  std::array<bool, 0x100> plain{};
  for (std::size_t c = 0x20; c < 0x7F; ++c)
    plain[c] = std::string_view("\\'\"{}").find(static_cast<char>(c)) == std::string_view::npos;
  return plain;
}();

bool represents_itself(char c) { return kPlain[static_cast<unsigned char>(c)]; }

// Returns the length of a prefix that represents itself in a docstring. Works on blocks: compilers vectorize this loop.
std::size_t plain_blocks(std::string_view text) {
  constexpr std::size_t kBlock = 32;
  std::size_t at = 0;
  for (; at + kBlock <= text.size(); at += kBlock) {
    const char* block = text.data() + at;
    char special = 0;
    for (std::size_t i = 0; i < kBlock; ++i)
      special |= static_cast<char>(((block[i] < 0x20) & (block[i] != '\n')) | (block[i] == 0x7F) | (block[i] == '\\') |
                                   (block[i] == '"'));
    if (special != 0) break;
  }
  return at;
}

void append_escaped(std::string& out, std::string_view text, const EscapeRules& rules) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    if (rules.keep_newlines) at += plain_blocks(text.substr(at));
    while (at < text.size() && represents_itself(text[at])) ++at;
    if (at > start) {
      out += text.substr(start, at - start);
      continue;
    }
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      append_ascii(out, text, at++, rules);
      continue;
    }
    const std::uint32_t code_point = next_code_point(text, at);
    if (code_point == kNotText) {
      append_escape(out, static_cast<unsigned char>(text[start]));
    } else if (is_printable(code_point)) {
      out += text.substr(start, at - start);
    } else {
      append_escape(out, code_point);
    }
  }
}

// Returns whether the text can stand between these delimiters as it is, without any backslash.
bool needs_no_escape(std::string_view text, Quote quote) {
  const std::string_view ends = delimiter(quote);
  if (text.find(ends) != std::string_view::npos) return false;
  if (!text.empty() && text.back() == ends[0]) return false;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t c = next_code_point(text, at);
    if (c == '\\' || c == 0 || c == '\r' || c == kNotText || (c >= 0xD800 && c < 0xE000)) return false;
    if (c == '\n' && !is_triple(quote)) return false;
  }
  return true;
}

// Returns the quotes in order of preference: ' unless only " avoids escapes.
std::array<Quote, 4> quotes_by_preference(std::string_view text) {
  const bool swap = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
  if (swap) return {kDouble, kSingle, kTripleDouble, kTripleSingle};
  return {kSingle, kDouble, kTripleSingle, kTripleDouble};
}

std::string delimited(std::string_view prefix, Quote quote, std::string_view content) {
  std::string out(prefix);
  out += delimiter(quote);
  out += content;
  out += delimiter(quote);
  return out;
}

std::optional<std::string> unescaped_literal(std::string_view prefix, std::string_view text, QuoteSet allowed) {
  for (const Quote quote : quotes_by_preference(text))
    if ((allowed & quote) != 0 && needs_no_escape(text, quote)) return delimited(prefix, quote, text);
  return std::nullopt;
}

Quote first_allowed(std::string_view text, QuoteSet allowed) {
  for (const Quote quote : quotes_by_preference(text))
    if ((allowed & quote) != 0) return quote;
  return kSingle;
}

}  // namespace

std::string_view delimiter(Quote quote) {
  switch (quote) {
    case kSingle: return "'";
    case kDouble: return "\"";
    case kTripleSingle: return "'''";
    case kTripleDouble: return "\"\"\"";
  }
  return "'";
}

QuoteSet overlapping(Quote quote) {
  switch (quote) {
    case kSingle: return kSingle | kTripleSingle;
    case kDouble: return kDouble | kTripleDouble;
    case kTripleSingle: return kTripleSingle;
    case kTripleDouble: return kTripleDouble;
  }
  return 0;
}

// ---- strings

bool is_plain(std::string_view text) { return std::ranges::all_of(text, represents_itself); }

std::optional<std::string> str_text(std::string_view text, StringContext context) {
  if (context.no_backslash) return unescaped_literal("", text, context.allowed);
  const Quote quote = first_allowed(text, context.allowed);
  std::string out(delimiter(quote));
  out.reserve(text.size() + 8);
  append_escaped(out, text, EscapeRules{.quote = quote});
  out += delimiter(quote);
  return out;
}

std::optional<std::string> bytes_text(std::string_view data, StringContext context) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (context.no_backslash) {
    if (!std::all_of(data.begin(), data.end(), is_ascii)) return std::nullopt;
    return unescaped_literal("b", data, context.allowed);
  }
  const Quote quote = first_allowed(data, context.allowed);
  std::string out = "b";
  out += delimiter(quote);
  for (std::size_t at = 0; at < data.size(); ++at) {
    if (is_ascii(data[at])) {
      append_ascii(out, data, at, EscapeRules{.quote = quote});
    } else {
      append_hex(out, "\\x", static_cast<unsigned char>(data[at]), 2);
    }
  }
  out += delimiter(quote);
  return out;
}

std::optional<std::string> raw_text(std::string_view prefix, std::string_view text) {
  if (text.ends_with('\\')) return std::nullopt;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (!is_printable(next_code_point(text, at)) || (prefix == "rb" && at > begin + 1)) return std::nullopt;
  }
  for (const Quote quote : quotes_by_preference(text))
    if ((kSimpleQuotes & quote) != 0 && text.find(delimiter(quote)) == std::string_view::npos)
      return delimited(prefix, quote, text);
  return std::nullopt;
}

std::optional<std::string> fstring_part(std::string_view text, Quote quote, bool in_spec, bool no_backslash) {
  std::string out;
  if (!no_backslash) {
    append_escaped(out, text, EscapeRules{.quote = quote, .braces = in_spec ? Braces::kEscaped : Braces::kDoubled});
    return out;
  }
  if (!needs_no_escape(text, quote)) return std::nullopt;
  for (const char c : text) {
    const bool is_brace = c == '{' || c == '}';
    if (is_brace && in_spec) return std::nullopt;
    out.append(is_brace ? 2 : 1, c);
  }
  return out;
}

// ---- docstrings

namespace {

// A second line such as `# coding: latin-1` would be taken for the file's encoding, even within a string (PEP 263).
bool looks_like_encoding(std::string_view text) {
  const std::size_t newline = text.find('\n');
  if (newline == std::string_view::npos) return false;
  const std::string_view line = text.substr(newline + 1, text.find('\n', newline + 1) - newline - 1);
  const std::size_t start = line.find_first_not_of(" \t\f");
  return start != std::string_view::npos && line[start] == '#' && line.find("coding") != std::string_view::npos;
}

std::string indented_lines(std::string_view text, std::uint32_t indent) {
  std::string out;
  out.reserve(text.size() + text.size() / 4);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    out += text.substr(at, end - at);
    at = end;
    const bool starts_line = text[at - 1] == '\n' && (at == text.size() || text[at] != '\n');
    if (starts_line) out.append(indent, ' ');
  }
  return out;
}

bool reads_better_raw(std::string_view text) {
  if (text.find('\\') == std::string_view::npos || text.find("\"\"\"") != std::string_view::npos) return false;
  if (text.back() == '"' || text.back() == '\\') return false;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t c = next_code_point(text, at);
    if (c != '\n' && !is_printable(c)) return false;
  }
  return true;
}

}  // namespace

std::string docstring_text(std::string_view text, std::uint32_t indent, bool cleaned) {
  if (looks_like_encoding(text)) return *str_text(text, {});
  const bool raw = reads_better_raw(text);
  std::string content;
  if (raw) {
    content = text;
  } else {
    content.reserve(text.size() + 8);
    append_escaped(content, text, EscapeRules{.quote = kTripleDouble, .keep_newlines = true});
  }
  if (cleaned && docstring_indent(text) == 0) content = indented_lines(content, indent);
  return delimited(raw ? "r" : "", kTripleDouble, content);
}

// ---- numbers

namespace {

// Returns repr(float) of a finite value that is not negative: the shortest digits that read back as the same value.
std::string finite_text(double value) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = text.find('e');
  std::string digits(text.substr(0, e));
  if (digits.size() > 1) digits.erase(1, 1);
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), end, exponent);
  if (exponent < -4 || exponent >= 16) {
    if (digits.size() > 1) digits.insert(1, ".");
    const std::string power = std::to_string(std::abs(exponent));
    return digits + (exponent < 0 ? "e-" : "e+") + (power.size() < 2 ? "0" : "") + power;
  }
  if (exponent < 0) return "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole_digits = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole_digits) return digits + std::string(whole_digits - digits.size(), '0') + ".0";
  return digits.insert(whole_digits, ".");
}

// Returns the text of a value that is neither negative nor nan. 1e309 is read as infinity.
std::string magnitude_text(double value) { return std::isinf(value) ? "1e309" : finite_text(value); }

// In a complex number, whole numbers lose their ".0".
std::string part_text(double value) {
  std::string text = magnitude_text(value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string real_text(double real) {
  if (std::isnan(real)) return "(1e309 - 1e309)";
  return std::signbit(real) ? "-" + part_text(-real) : part_text(real);
}

std::string imaginary_text(double magnitude) {
  return std::isnan(magnitude) ? "(1e309j - 1e309j)" : part_text(magnitude) + "j";
}

}  // namespace

NumberText float_text(double value) {
  // The difference inf - inf has its sign bit set on the common platforms; negating a nan flips that bit.
  if (std::isnan(value)) {
    if (std::signbit(value)) return {"1e309 - 1e309", Strength::kSum};
    return {"-(1e309 - 1e309)", Strength::kSign};
  }
  if (std::signbit(value)) return {"-" + magnitude_text(-value), Strength::kSign};
  return {magnitude_text(value), Strength::kAtom};
}

// The compiler adds a float and an imaginary literal as complex numbers. The special cases are those in which this
// addition loses the sign of a zero (complex_add and complex_sub in Objects/complexobject.c).
NumberText complex_text(double real, double imag, bool mixed) {
  const bool negative_real_zero = real == 0 && std::signbit(real);
  const bool negative = std::signbit(imag) && !std::isnan(imag);
  const std::string size = imaginary_text(std::isnan(imag) ? imag : std::abs(imag));
  if (real == 0 && !negative_real_zero && !negative) return {size, std::isnan(imag) ? Strength::kSum : Strength::kAtom};
  if (negative_real_zero && negative) return {"-" + size, Strength::kSign};
  if (imag != 0) {
    if (negative_real_zero) return {"-(0 - " + size + ")", Strength::kSign};
    return {real_text(real) + (negative ? " - " : " + ") + size, Strength::kSum};
  }
  if (real == 0) {  // signs differ
    if (mixed) return negative ? NumberText{"0 - 0j", Strength::kSum} : NumberText{"-(0 - 0j)", Strength::kSign};
    return negative ? NumberText{"-(0j * -1)", Strength::kSign} : NumberText{"0j * -1", Strength::kProduct};
  }
  if (negative) return {"-(" + real_text(-real) + " + 0j)", Strength::kSign};
  return {real_text(real) + " + 0j", Strength::kSum};
}

}  // namespace depyf
