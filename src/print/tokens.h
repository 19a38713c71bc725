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

class Tokens : public Writer {
 public:
  explicit Tokens(const Input& in) : Writer(in.options.first_line, in.tree.exprs.size()), in_(in) {}

  void fail(Errc code, std::string what);
  void require(bool has_feature, std::string_view what);
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  [[nodiscard]] Error take_error() { return std::move(*error_); }

  [[nodiscard]] std::string_view name(ast::NameId id);
  void put_dotted(const std::string& name);
  // A comma within a line, or where it may be broken.
  void comma();
  void comma_and_new_line();
  // All kinds of brackets.
  void open(std::string_view text);
  void close(std::string_view text);

  void indent();
  void dedent() { --indents_; }
  [[nodiscard]] std::uint32_t indents() const { return indents_; }
  void begin_line() { put_spaces(std::size_t{indents_} * in_.options.indent); }
  void end_line() {
    if (joins)
      put("; ");
    else
      newline();
  }

  bool joins = false;             // the next statement is put on the same line
  bool wraps = false;             // the statement at hand may break at commas
  std::uint32_t parentheses = 0;  // open brackets

 private:
  const Input& in_;
  std::vector<std::uint8_t> known_names_;  // by NameId: 1 if found to be a plain identifier
  std::optional<Error> error_;
  std::uint32_t indents_ = 0;
};

}  // namespace depyf
