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

// Whether a string spans these lines by the ends of lines in it, and ends there as it ends itself.
bool is_on_lines(std::string_view text, const SourcePosition& place) {
  const auto newlines = count(text, '\n'), lines = place.end_line - place.line;
  if (newlines == 0 || (lines != newlines && lines != newlines + 1))
    return false;  // `"""\` begins with a line of its own
  const auto last = text.substr(text.rfind('\n') + 1);
  const auto raw = static_cast<std::int32_t>(last.size()) + 3;
  return place.end_column == raw || place.end_column == raw + count(last, '\\');
}

ast::Spelling spelling_of_string(std::string_view text, std::int32_t prefix, const SourcePosition* place) {
  if (place != nullptr && prefix == 0 && is_on_lines(text, *place)) return ast::Spelling::kTriple;
  const auto backslashes = count(text, '\\');
  const auto escaped = static_cast<std::int32_t>(text.size()) + 2 + prefix + backslashes;
  const bool is_told = place != nullptr && place->line == place->end_line && backslashes > 1;
  const bool is_escaped = is_told && place->end_column - place->column == escaped;
  return reads_raw(text) && !is_escaped ? ast::Spelling::kRaw : ast::Spelling::kPlain;
}

// Whether a constant has several spellings; most have one, and need no place.
bool may_differ(const Constant& value) {
  const auto* text = std::get_if<ConstStr>(&value);
  const auto* bytes = std::get_if<ConstBytes>(&value);
  if (text == nullptr && bytes == nullptr) return std::holds_alternative<ConstTuple>(value);
  const std::string_view data = text != nullptr ? text->text : bytes->data;
  return data.find('\\') != std::string_view::npos || data.find('\n') != std::string_view::npos;
}

// How long a constant is in the source; nothing if it may be spelled otherwise.
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
    return may_differ(*value) ? spelling(*value, columns_.place_of(origin)) : ast::Spelling::kPlain;
  const auto* tuple = std::get_if<ast::Tuple>(&n);
  const auto* place = tuple != nullptr && tuple->elts.size() > 1 ? columns_.place_of(origin) : nullptr;
  const bool has = place != nullptr && is_in_parentheses(*tuple, *place);
  return has ? ast::Spelling::kInParentheses : ast::Spelling::kPlain;
}

// What begins or ends with parentheses of its own may begin after the tuple, or end before it, too.
bool Spellings::is_in_parentheses(const ast::Tuple& tuple, const SourcePosition& place) const {
  const auto node = [&](ast::ExprId e) -> const ast::ExprNode& { return tree_.exprs[e].node; };
  const auto is_text = [&](ast::ExprId e) { return ast::is<ast::JoinedStr, ast::FormattedValue>(node(e)); };
  const auto may_have_own = [&](ast::ExprId e) {
    return ast::is<ast::BinOp, ast::BoolOp, ast::UnaryOp, ast::Compare, ast::IfExp, ast::Lambda, ast::Tuple>(node(e));
  };
  const auto first = tuple.elts.front(), last = tuple.elts.back();
  const Start begin = columns_.start_of(first);
  const auto end = columns_.extent(last);
  if (!begin.known() || !end || is_text(first) || is_text(last)) return false;
  const bool is_around = Start{place.line, place.column}.is_before(begin) &&
                         Start{end->end_line, end->end_column}.is_before({place.end_line, place.end_column});
  return is_around && (!may_have_own(first) || !may_have_own(last) || place.end_line > place.line);
}

ast::Spelling Spellings::spelling(const Constant& value, const SourcePosition* place) const {
  if (const auto* text = std::get_if<ConstStr>(&value)) return spelling_of_string(text->text, 0, place);
  if (const auto* bytes = std::get_if<ConstBytes>(&value)) return spelling_of_string(bytes->data, 1, place);
  const auto* tuple = std::get_if<ConstTuple>(&value);
  return tuple != nullptr ? spelling(*tuple, place) : ast::Spelling::kPlain;
}

// What no place tells is in parentheses in modules and classes, as most are there.
ast::Spelling Spellings::spelling(const ConstTuple& tuple, const SourcePosition* place) const {
  bool is_known = place != nullptr, has = (code_tree_.codes[code_].flags & kCoOptimized) == 0;
  if (is_known && place->line == place->end_line) {
    auto bare = 2 * static_cast<std::int32_t>(tuple.items.size()) - 2;
    for (auto item = tuple.items.begin(); is_known && item != tuple.items.end(); ++item) {
      const auto length = length_of(code_tree_.consts[*item]);
      is_known = length.has_value();
      bare += length.value_or(0);
    }
    if (is_known) has = place->end_column - place->column > bare;
  } else if (is_known) {
    has = true;
  }
  return has ? ast::Spelling::kInParentheses : ast::Spelling::kPlain;
}

}  // namespace depyf::idiom
