// SPDX-License-Identifier: MIT
// Writes Python's tokens and lines (names, brackets, commas, indentation), and keeps the first error of a text.
//
// It records the break points of the current line and breaks the line at its end if that is too long.
// Invariant: unless there is an error, each name is an identifier, and brackets and indentation nest no deeper than the
// target's tokenizer allows. Expressions and statements are unknown here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "print/input.h"
#include "print/writer.h"

namespace depyf {

inline constexpr std::size_t kLongLiteral = 60;  // least length of a string literal that may be broken, in bytes

enum class NameUse : std::uint8_t { kOther, kVariable };

class Tokens : public Writer {
 public:
  explicit Tokens(const Input& in) : Writer(in.options.first_line, in.tree.exprs.size()), in_(in) {}

  void fail(Errc code, std::string what);
  void require(bool has_feature, std::string_view what);
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  [[nodiscard]] Error take_error() { return std::move(*error_); }

  // Returns the name, and fails if it is no identifier that source can contain.
  [[nodiscard]] std::string_view name(ast::NameId id, NameUse use = NameUse::kOther);
  void put_dotted(const std::string& name);
  void comma();
  void comma_and_new_line();
  void binary_operator(std::string_view text);  // or a keyword; with its spaces
  void put_literal(std::string_view text);      // a string literal
  // Puts text within a string literal. At each end of a word the literal may be closed and continued by another one.
  // `ends`: the text is the last part of the literal.
  void put_words(std::string_view text, char quote, bool is_format, bool ends);
  // Put the text of one or more brackets of any kind.
  void open(std::string_view text, BreakPoint::Kind kind = BreakPoint::Kind::kBracket);
  void close(std::string_view text);
  // Groups of break points without brackets.
  void begin_group(BreakPoint::Kind kind) { add_break_point(kind); }
  void end_group() { add_break_point(BreakPoint::Kind::kClose); }
  // The number of break points of the current line, and removal of those from index `from` on.
  [[nodiscard]] std::size_t break_point_count() const { return break_points_.size(); }
  void forget_break_points(std::size_t from) { break_points_.resize(from); }

  void indent();
  void dedent() { --indents_; }
  [[nodiscard]] std::uint32_t indents() const { return indents_; }
  void begin_line() {
    break_points_.clear();
    line_begin_ = here();
    put_spaces(std::size_t{indents_} * in_.options.indent);
  }
  void end_line();

  bool joins_next = false;        // the next statement is put on the same line, after `; `
  bool is_unbreakable = false;    // no break points are recorded: the text is within a string
  std::uint32_t parentheses = 0;  // number of open brackets

 private:
  [[nodiscard]] std::uint32_t offset() const { return static_cast<std::uint32_t>(size() - line_begin_.size); }
  void add_break_point(BreakPoint::Kind kind) {
    if (!is_unbreakable) break_points_.push_back({offset(), kind});
  }

  const Input& in_;
  std::vector<std::uint8_t> known_names_;  // by NameId: 1 if known to be a plain identifier
  std::optional<Error> error_;
  std::uint32_t indents_ = 0;
  Checkpoint line_begin_{};               // start of the current line
  std::vector<BreakPoint> break_points_;  // of the current line
};

}  // namespace depyf
