// SPDX-License-Identifier: MIT
// Where a line that is too long is broken: at brackets, commas and operators, the outermost first.
//
// A line is a sequence of nested groups, each of which is either on one line or broken at every place of its own (Oppen,
// "Prettyprinting", 1980). It knows no Python: brackets and operators are what the printer says they are.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace depyf {

// A place of a line.
struct LinePlace {
  enum class Kind : std::uint8_t {
    kBracket,    // after an opening bracket
    kSignature,  // the same, and it is broken before any bracket that follows
    kOptional,   // before what parentheses may be put around
    kOperands,   // before an operand: what follows may be broken at its operators, within a broken bracket
    kSolid,      // before what is not broken at its own places
    kClose,      // where the innermost of these ends, before its bracket
    kComma,      // after a comma that a space follows
    kOperator,   // before the space before an operator
    kWord,       // within a literal, where it may be continued by another; as many words as fit are put on a line
  };
  std::uint32_t at = 0;  // bytes from the begin of the line
  Kind kind = Kind::kClose;
  char quote = '\0';       // of the literal
  bool is_format = false;  // it is an f-string
  bool ends_line = false;  // after a newline of the text: the literal ends where it is broken at all
};

// A line break at a place: the rest of the line moves to a line of its own.
struct LineBreak {
  std::uint32_t at = 0;
  std::uint32_t dropped = 0;  // spaces that follow, and go
  std::uint32_t indent = 0;   // columns before the rest
  std::string_view before;    // a parenthesis or a quote that ends the line
  std::string_view after;     // a parenthesis or the beginning of a literal that begins the rest

  // That of the rest.
  [[nodiscard]] std::uint32_t first_column() const { return indent + static_cast<std::uint32_t>(after.size()); }
};

struct LineShape {
  std::uint32_t length = 0;  // of the whole line
  std::uint32_t indent = 0;  // of the line
  std::uint32_t step = 0;    // of a level of indentation
  std::uint32_t width = 0;   // that no line is to exceed
};

// The breaks, in order, that make lines as wide as asked for, where places allow it.
[[nodiscard]] std::vector<LineBreak> break_line(const LineShape& line, std::span<const LinePlace> places);

// What begins at a place of a line, and on which line of the source that stands.
struct LineMark {
  std::uint32_t at = 0;
  std::int32_t line = 0;
};

// The breaks, in order, between what stands on different lines of the source, where places allow it; no others.
[[nodiscard]] std::vector<LineBreak> break_as_written(const LineShape& line, std::span<const LinePlace> places,
                                                      std::span<const LineMark> marks);

}  // namespace depyf
