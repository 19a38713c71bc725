// SPDX-License-Identifier: MIT
// Decides where a line that is too long is broken: at brackets, commas and operators, the outermost first.
//
// A line is a sequence of nested groups of break points. A group is either on one line, or broken at each of its own
// break points (Oppen, "Prettyprinting", 1980). Python is unknown here: the printer tells what brackets and operators
// are.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace depyf {

// A position in a line where a break is possible, or where a group of such positions begins or ends.
struct BreakPoint {
  enum class Kind : std::uint8_t {
    kBracket,    // after an opening bracket
    kSignature,  // like kBracket, but broken before any bracket that follows
    kOptional,   // before something that parentheses may be put around
    kOperands,   // before an operand: within broken brackets, the operators that follow may be broken too
    kSolid,      // before something whose own break points are not used
    kClose,      // at the end of the innermost of these groups, before its bracket
    kComma,      // after a comma, before its space
    kOperator,   // before the space that precedes an operator
    kWord,       // between words of a string literal, which another literal may continue; lines are filled with words
  };
  std::uint32_t at = 0;  // bytes from the start of the line
  Kind kind = Kind::kClose;
  char quote = '\0';       // of the literal, for kWord
  bool is_format = false;  // for kWord: it is an f-string
  bool ends_line = false;  // for kWord: after a newline of the text; a literal that is broken at all is broken here
};

// A line break: the rest of the line moves to the next line.
struct LineBreak {
  std::uint32_t at = 0;
  std::uint32_t dropped = 0;  // number of spaces to remove
  std::uint32_t indent = 0;   // columns before the rest
  std::string_view before;    // a parenthesis or quote to put before the break
  std::string_view after;     // a parenthesis or the start of a literal to put after the indentation

  // Returns the column at which the rest of the line begins.
  [[nodiscard]] std::uint32_t first_column() const { return indent + static_cast<std::uint32_t>(after.size()); }
};

struct LineShape {
  std::uint32_t length = 0;  // of the whole line, in bytes
  std::uint32_t indent = 0;  // of the line, in columns
  std::uint32_t step = 0;    // columns per level of indentation
  std::uint32_t width = 0;   // maximal length of a line
};

// Returns the breaks, in ascending order, that make each line at most `width` long where the break points allow it.
[[nodiscard]] std::vector<LineBreak> break_line(const LineShape& line, std::span<const BreakPoint> points);

// A node's start in the line, and its line number in the source.
struct LineMark {
  std::uint32_t at = 0;
  std::int32_t line = 0;
};

// Returns the breaks, in ascending order, between nodes on different source lines where break points allow it.
[[nodiscard]] std::vector<LineBreak> break_like_source(const LineShape& line, std::span<const BreakPoint> points,
                                                       std::span<const LineMark> marks);

}  // namespace depyf
