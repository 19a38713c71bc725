// SPDX-License-Identifier: MIT
// A writer of Python's tokens and lines: names, brackets, commas, indentation; and the first error of a text.
//
// Invariant: a name is an identifier, brackets and levels of indentation are not more than the target's tokenizer takes,
// or there is an error. It knows no expression and no statement.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "print/input.h"
#include "print/writer.h"

namespace depyf {

inline constexpr std::size_t kLongLiteral = 60;  // of a string that may be broken

enum class NameUse : std::uint8_t { kOther, kVariable };

class Tokens : public Writer {
 public:
  explicit Tokens(const Input& in) : Writer(in.options.first_line, in.tree.exprs.size()), in_(in) {}

  void fail(Errc code, std::string what);
  void require(bool has_feature, std::string_view what);
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  [[nodiscard]] Error take_error() { return std::move(*error_); }

  // The name, which is refused where source cannot have it.
  [[nodiscard]] std::string_view name(ast::NameId id, NameUse use = NameUse::kOther);
  void put_dotted(const std::string& name);
  void comma();
  void comma_and_new_line();
  void binary_operator(std::string_view text);  // between spaces, or another word that a line may be broken before
  void put_literal(std::string_view text);      // of a string
  // Text of a literal between these quotes, which may be continued by another after each of its words; `ends` it or not.
  void put_words(std::string_view text, char quote, bool is_format, bool ends);
  // All kinds of brackets.
  void open(std::string_view text, LinePlace::Kind kind = LinePlace::Kind::kBracket);
  void close(std::string_view text);
  // What has no brackets.
  void begin_group(LinePlace::Kind kind) { note(kind); }
  void end_group() { note(LinePlace::Kind::kClose); }
  // Where lines may be broken so far, and what is to be forgotten of it.
  [[nodiscard]] std::size_t places() const { return places_.size(); }
  void forget_places(std::size_t from) { places_.resize(from); }

  void indent();
  void dedent() { --indents_; }
  [[nodiscard]] std::uint32_t indents() const { return indents_; }
  void begin_line() {
    places_.clear();
    begin_ = here();
    put_spaces(std::size_t{indents_} * in_.options.indent);
  }
  void end_line();

  bool joins = false;             // the next statement is put on the same line
  bool is_solid = false;          // what is put cannot be broken: it is within a string
  std::uint32_t parentheses = 0;  // open brackets

 private:
  [[nodiscard]] std::uint32_t offset() const { return static_cast<std::uint32_t>(size() - begin_.size); }
  void note(LinePlace::Kind kind) {
    if (!is_solid) places_.push_back({offset(), kind});
  }

  const Input& in_;
  std::vector<std::uint8_t> known_names_;  // by NameId: 1 if found to be a plain identifier
  std::optional<Error> error_;
  std::uint32_t indents_ = 0;
  Place begin_{};                  // of the line at hand
  std::vector<LinePlace> places_;  // of it
};

}  // namespace depyf
