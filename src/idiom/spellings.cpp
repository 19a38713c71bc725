// SPDX-License-Identifier: MIT
// Spellings of values; see spellings.h.
#include "idiom/spellings.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "ast/constants.h"
#include "code/int_text.h"
#include "support/raw_strings.h"

namespace depyf::idiom {

namespace {

std::int32_t count(std::string_view text, char c) { return static_cast<std::int32_t>(std::ranges::count(text, c)); }

// Returns whether the position is that of a triple-quoted string: its number of lines is that of the newlines in the
// text, and its last line has the length of the text's last line.
bool is_on_lines(std::string_view text, const SourcePosition& position) {
  const auto newlines = count(text, '\n'), lines = position.end_line - position.line;
  if (newlines == 0 || (lines != newlines && lines != newlines + 1)) return false;  // `"""\` adds one line
  const auto last = text.substr(text.rfind('\n') + 1);
  const auto raw = static_cast<std::int32_t>(last.size()) + 3;
  return position.end_column == raw || position.end_column == raw + count(last, '\\');
}

ast::Spelling spelling_of_string(std::string_view text, std::int32_t prefix, const SourcePosition* position) {
  if (position != nullptr && prefix == 0 && is_on_lines(text, *position)) return ast::Spelling::kTriple;
  const auto backslashes = count(text, '\\');
  const auto escaped = static_cast<std::int32_t>(text.size()) + 2 + prefix + backslashes;
  const bool is_length_known = position != nullptr && position->line == position->end_line && backslashes > 1;
  const bool is_escaped = is_length_known && position->end_column - position->column == escaped;
  return reads_raw(text) && !is_escaped ? ast::Spelling::kRaw : ast::Spelling::kPlain;
}

// Returns whether a constant has several spellings. Most have one, so their position need not be looked up.
bool has_several_spellings(const Constant& value) {
  const auto* text = std::get_if<ConstStr>(&value);
  const auto* bytes = std::get_if<ConstBytes>(&value);
  if (text == nullptr && bytes == nullptr) return std::holds_alternative<ConstTuple>(value);
  const std::string_view data = text != nullptr ? text->text : bytes->data;
  return data.find('\\') != std::string_view::npos || data.find('\n') != std::string_view::npos;
}

// Returns the length of a constant in the source, nullopt if it has several spellings.
std::optional<std::int32_t> length_of(const Constant& value) {
  if (const auto* text = std::get_if<ConstStr>(&value)) {
    const bool is_simple = std::ranges::none_of(
        text->text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\\' || c == '\'' || c == '"'; });
    return is_simple ? std::optional(static_cast<std::int32_t>(text->text.size()) + 2) : std::nullopt;
  }
  if (std::holds_alternative<ConstNone>(value)) return kNoneWord;
  if (const auto* truth = std::get_if<ConstBool>(&value)) return truth->value ? 4 : 5;
  if (const auto* n = std::get_if<ConstInt>(&value); n != nullptr && n->digits.size() < 3)
    return static_cast<std::int32_t>(literal_text(*n).size());
  return std::nullopt;
}

}  // namespace

ast::Spelling Spellings::of(ast::ExprId e) const {
  const auto& [n, origin] = tree_.exprs[e];
  if (origin.code != code_) return ast::Spelling::kPlain;
  if (const auto* value = ast::constant_of(tree_, code_tree_, e))
    return has_several_spellings(*value) ? spelling(*value, columns_.position_of(origin)) : ast::Spelling::kPlain;
  const auto* tuple = std::get_if<ast::Tuple>(&n);
  const auto* position = tuple != nullptr && tuple->elts.size() > 1 ? columns_.position_of(origin) : nullptr;
  const bool has_parentheses = position != nullptr && is_in_parentheses(*tuple, *position);
  return has_parentheses ? ast::Spelling::kInParentheses : ast::Spelling::kPlain;
}

// Returns whether the tuple starts before its first item and ends after its last one. Items with parentheses of their
// own at both ends look the same, unless the tuple is on several lines.
bool Spellings::is_in_parentheses(const ast::Tuple& tuple, const SourcePosition& position) const {
  const auto node = [&](ast::ExprId e) -> const ast::ExprNode& { return tree_.exprs[e].node; };
  const auto is_text = [&](ast::ExprId e) { return ast::is<ast::JoinedStr, ast::FormattedValue>(node(e)); };
  const auto may_have_parentheses = [&](ast::ExprId e) {
    return ast::is<ast::BinOp, ast::BoolOp, ast::UnaryOp, ast::Compare, ast::IfExp, ast::Lambda, ast::Tuple>(node(e));
  };
  const auto first = tuple.elts.front(), last = tuple.elts.back();
  const Start begin = columns_.start_of(first);
  const auto end = columns_.extent(last);
  if (!begin.known() || !end || is_text(first) || is_text(last)) return false;
  const bool is_around = Start{position.line, position.column}.is_before(begin) &&
                         Start{end->end_line, end->end_column}.is_before({position.end_line, position.end_column});
  return is_around &&
         (!may_have_parentheses(first) || !may_have_parentheses(last) || position.end_line > position.line);
}

ast::Spelling Spellings::spelling(const Constant& value, const SourcePosition* position) const {
  if (const auto* text = std::get_if<ConstStr>(&value)) return spelling_of_string(text->text, 0, position);
  if (const auto* bytes = std::get_if<ConstBytes>(&value)) return spelling_of_string(bytes->data, 1, position);
  const auto* tuple = std::get_if<ConstTuple>(&value);
  return tuple != nullptr ? spelling(*tuple, position) : ast::Spelling::kPlain;
}

// Returns the spelling of a constant tuple. It has parentheses if it is longer than its items with commas, or on
// several lines. Without a position, it has them in modules and classes, where most tuples do.
ast::Spelling Spellings::spelling(const ConstTuple& tuple, const SourcePosition* position) const {
  bool is_known = position != nullptr, has_parentheses = (code_tree_.codes[code_].flags & kCoOptimized) == 0;
  if (is_known && position->line == position->end_line) {
    auto bare = 2 * static_cast<std::int32_t>(tuple.items.size()) - 2;
    for (auto item = tuple.items.begin(); is_known && item != tuple.items.end(); ++item) {
      const auto length = length_of(code_tree_.consts[*item]);
      is_known = length.has_value();
      bare += length.value_or(0);
    }
    if (is_known) has_parentheses = position->end_column - position->column > bare;
  } else if (is_known) {
    has_parentheses = true;
  }
  return has_parentheses ? ast::Spelling::kInParentheses : ast::Spelling::kPlain;
}

}  // namespace depyf::idiom
