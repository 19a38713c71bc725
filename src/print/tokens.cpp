// SPDX-License-Identifier: MIT
// Tokens: checks of names and limits, and the layout of lines; see tokens.h.
#include "print/tokens.h"

#include "support/unicode.h"

namespace depyf {

namespace {

// Returns where nodes start whose layout should be that of the source, and on which source lines, in text order.
std::vector<LineMark> lines_in_source(const SourceLines* lines, std::span<const MapEntry> nodes) {
  std::vector<LineMark> marks;
  if (lines == nullptr) return marks;
  for (const MapEntry& node : nodes) {
    const auto known = lines->find(node.code);
    if (known == lines->end() || node.offset / 2 >= known->second.size()) continue;
    const LineMark mark{node.range.column, known->second[node.offset / 2]};
    if (mark.line < 0) continue;
    if (!marks.empty() && marks.back().at == mark.at) marks.pop_back();  // its outer nodes may end on another line
    marks.push_back(mark);
  }
  return marks;
}

}  // namespace

void Tokens::fail(Errc code, std::string what) {
  if (!error_) error_ = Error{code, kNowhere, "printing: " + std::move(what)};
}

void Tokens::require(bool has_feature, std::string_view what) {
  if (!has_feature) fail(Errc::kInternal, std::string(what) + " is not in the grammar of the target version");
}

std::string_view Tokens::name(ast::NameId id, NameUse use) {
  if (!id.valid()) {
    fail(Errc::kInternal, "a name is missing");
    return {};
  }
  const std::string_view text = in_.tree.text(id);
  if (id.n >= known_names_.size()) known_names_.resize(2 * std::size_t{id.n} + 64);
  if (known_names_[id.n] != 0) return text;
  if (is_plain_identifier(text)) {
    known_names_[id.n] = 1;
  } else if (use != NameUse::kVariable || !is_constant_name(text)) {  // may be read
    fail(Errc::kInternal, "no identifier: '" + std::string(text) + "'");
  }
  return text;
}

void Tokens::put_dotted(const std::string& text) {
  if (!is_dotted_identifier(text)) fail(Errc::kInternal, "no dotted name: '" + text + "'");
  put(text);
}

void Tokens::comma() {
  put(",");
  add_break_point(BreakPoint::Kind::kComma);
  put(" ");
}

void Tokens::comma_and_new_line() {
  put(",");
  newline();
  put_spaces(std::size_t{indents_ + 1} * in_.options.indent);
}

void Tokens::binary_operator(std::string_view text) {
  add_break_point(BreakPoint::Kind::kOperator);
  put(text);
}

void Tokens::put_literal(std::string_view text) {
  const bool is_simple = text.size() >= kLongLiteral && text[0] == text.back() && text[1] != text[0];  // '...' or "..."
  if (is_unbreakable || !is_simple || text.find('\n') != std::string_view::npos) return put_lines(text);
  begin_group(BreakPoint::Kind::kOperands);
  put(text.substr(0, 1));
  put_words(text.substr(1, text.size() - 2), text[0], false, true);
  put(text.substr(text.size() - 1));
  end_group();
}

void Tokens::put_words(std::string_view text, char quote, bool is_format, bool ends) {
  const std::size_t reserved = ends ? 1 : 0;  // characters that a break needs after it
  std::size_t begin = 0;
  for (std::size_t at = 0; at + reserved < text.size();) {
    const bool is_escape = text[at] == '\\' && at + 1 < text.size();
    const bool ends_line = is_escape && text[at + 1] == 'n' && text.substr(at + 2, 2) != "\\n";
    const bool ends_word = text[at] == ' ' || ends_line;
    at += is_escape ? 2 : 1;
    if (!ends_word || at + reserved > text.size()) continue;
    put(text.substr(begin, at - begin));
    begin = at;
    break_points_.push_back({offset(), BreakPoint::Kind::kWord, quote, is_format, ends_line});
  }
  put(text.substr(begin));
}

void Tokens::end_line() {
  if (joins_next) return put("; ");
  const std::uint32_t step = in_.options.indent;
  const LineShape shape{column(), indents_ * step, step, in_.options.width};
  if (here().line == line_begin_.line) {
    const auto marks = lines_in_source(in_.options.lines, entries_since(line_begin_));
    if (!marks.empty())
      break_line(line_begin_, break_like_source(shape, break_points_, marks));
    else if (shape.length > shape.width)
      break_line(line_begin_, depyf::break_line(shape, break_points_));
  }
  newline();
}

// Parser/tokenizer.c: "too many nested parentheses" at MAXLEVEL; all kinds of brackets count.
void Tokens::open(std::string_view text, BreakPoint::Kind kind) {
  const std::uint32_t limit = in_.dialect.max_nested_parentheses;
  if (++parentheses > limit) fail(Errc::kLimitExceeded, "more than " + std::to_string(limit) + " nested parentheses");
  put(text);
  add_break_point(kind);
}

void Tokens::close(std::string_view text) {
  --parentheses;
  add_break_point(BreakPoint::Kind::kClose);
  put(text);
}

void Tokens::indent() {
  const std::uint32_t limit = in_.dialect.max_indents;
  if (++indents_ > limit) fail(Errc::kLimitExceeded, "more than " + std::to_string(limit) + " levels of indentation");
}

}  // namespace depyf
