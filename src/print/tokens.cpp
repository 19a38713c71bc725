// SPDX-License-Identifier: MIT
// Tokens that have limits; see tokens.h.
#include "print/tokens.h"

#include "support/unicode.h"

namespace depyf {

void Tokens::fail(Errc code, std::string what) {
  if (!error_) error_ = Error{code, kNowhere, "printing: " + std::move(what)};
}

void Tokens::require(bool has_feature, std::string_view what) {
  if (!has_feature) fail(Errc::kInternal, std::string(what) + " is not in the grammar of the target version");
}

std::string_view Tokens::name(ast::NameId id) {
  if (!id.valid()) {
    fail(Errc::kInternal, "a name is missing");
    return {};
  }
  const std::string_view text = in_.tree.text(id);
  if (id.n >= known_names_.size()) known_names_.resize(2 * std::size_t{id.n} + 64);
  if (known_names_[id.n] != 0) return text;
  if (is_plain_identifier(text)) {
    known_names_[id.n] = 1;
  } else {
    fail(Errc::kInternal, "no identifier: '" + std::string(text) + "'");
  }
  return text;
}

void Tokens::put_dotted(const std::string& text) {
  if (!is_dotted_identifier(text)) fail(Errc::kInternal, "no dotted name: '" + text + "'");
  put(text);
}

// Lines are broken only for compilers that give up optimising a code object with a line of over 254 bytes of code
// (Python/peephole.c, "many instructions between lines"; up to 3.9); elsewhere line breaks can only do harm.
void Tokens::comma() {
  constexpr std::uint32_t kWidth = 100;
  if (!wraps || parentheses == 0 || column() < kWidth) return put(", ");
  comma_and_new_line();
}

void Tokens::comma_and_new_line() {
  put(",");
  newline();
  put_spaces(std::size_t{indents_ + 1} * in_.options.indent);
}

// Parser/tokenizer.c: "too many nested parentheses" at MAXLEVEL; all kinds of brackets count.
void Tokens::open(std::string_view text) {
  const std::uint32_t most = in_.dialect.max_nested_parentheses;
  if (++parentheses > most) fail(Errc::kLimitExceeded, "more than " + std::to_string(most) + " nested parentheses");
  put(text);
}

void Tokens::close(std::string_view text) {
  --parentheses;
  put(text);
}

void Tokens::indent() {
  const std::uint32_t most = in_.dialect.max_indents;
  if (++indents_ > most) fail(Errc::kLimitExceeded, "more than " + std::to_string(most) + " levels of indentation");
}

}  // namespace depyf
