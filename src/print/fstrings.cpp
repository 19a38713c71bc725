// SPDX-License-Identifier: MIT
// f-strings and template strings. Before 3.12 a field can hold neither the string's own quotes nor a backslash, so the
// quotes are found by trial, from the most usual; what no quotes can spell becomes `%` where the compiler makes the same
// of it (3.11: ast_opt.c, optimize_format), else ''.join of str.format calls, which evaluate in the same order.
//
// Invariant: a trial that fails leaves no trace; nesting is bounded by CPython's MAXFSTRINGLEVEL.
#include <algorithm>

#include "print/printer.h"

namespace depyf {
namespace {

constexpr std::uint32_t kMaxNestedStrings = 150;  // MAXFSTRINGLEVEL, Parser/tokenizer.h

// Fields within specifications within fields: "f-string: expressions nested too deeply".
constexpr std::uint32_t max_spec_depth(const Dialect& dialect) { return dialect.fstring_nests_quotes ? 2 : 1; }

bool is_conversion(char c) { return c == 's' || c == 'r' || c == 'a'; }

// What `%` has to say between its sign and its letter for parse_format() of ast_opt.c to make this specification:
// ">5" comes of "%5s", "5" of "%-5s", ".3" of "%.3s".
std::optional<std::string> percent_flags(std::string_view spec) {
  std::string flags = spec.starts_with('>') ? "" : "-";
  if (spec.starts_with('>')) spec.remove_prefix(1);
  const std::size_t digits = std::min(spec.find_first_not_of("0123456789"), spec.size());
  const std::string_view width = spec.substr(0, digits);
  const std::string_view precision = spec.substr(digits);
  if (width.size() > 3 || (width.size() > 0 && width[0] == '0')) return std::nullopt;
  if (width.empty() && flags.empty()) return std::nullopt;
  if (width.empty()) flags.clear();
  if (!precision.empty()) {
    const std::string_view number = precision.substr(1);
    const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
    const bool is_plain = number.size() == 1 || (is_number && number[0] != '0');
    if (precision[0] != '.' || !is_number || !is_plain || number.size() > 3) return std::nullopt;
  }
  return flags + std::string(spec);
}

}  // namespace

void Printer::joined(const ast::ExprIds& values, bool is_template, Level place) {
  if (is_template) require(dialect_.template_strings, "a template string");
  if (++nested_strings_ > kMaxNestedStrings) fail(Errc::kLimitExceeded, "more than 150 nested f-strings");
  const bool done =
      try_quotes(values, is_template, kSimpleQuotes) || (!strings_.no_backslash && !dialect_.fstring_nests_quotes &&
                                                         !failed() && try_quotes(values, is_template, kAllQuotes));
  if (!done && !failed()) {
    if (is_template) {
      fail(Errc::kInternal, "a template string that no literal can spell");
    } else if (strings_.no_backslash) {
      unspellable_ = true;  // the f-string around this one takes another form
    } else if (!percent_form(values, place)) {
      format_form(values);
    }
  }
  --nested_strings_;
}

// `inner`: the quotes that strings in the fields may take; triple ones there are a last resort.
bool Printer::try_quotes(const ast::ExprIds& values, bool is_template, QuoteSet inner) {
  for (const Quote quote : fstring_quotes(values)) {
    if (try_joined(values, is_template, quote, inner)) return true;
    if (failed()) break;
  }
  return false;
}

// The quotes to try, the preferred ones first. Where quotes nest, one that no string around uses is only nicer.
std::vector<Quote> Printer::fstring_quotes(const ast::ExprIds& values) const {
  bool has_single = false;
  bool has_double = false;
  const auto look = [&](std::string_view text) {
    has_single |= text.find('\'') != std::string_view::npos;
    has_double |= text.find('"') != std::string_view::npos;
  };
  for (const ast::ExprId id : values) {
    if (const auto text = plain_text(id)) look(*text);
    if (!id.valid() || id.n >= tree_.exprs.size()) continue;
    if (const auto* n = std::get_if<ast::Interpolation>(&tree_.exprs[id].node)) look(*n->text);
  }
  std::vector<Quote> order{kSingle, kDouble, kTripleSingle, kTripleDouble};
  if (has_single && !has_double) order = {kDouble, kSingle, kTripleDouble, kTripleSingle};
  std::erase_if(order, [&](Quote quote) { return (strings_.allowed & quote) == 0; });
  if (dialect_.fstring_nests_quotes && !order.empty()) order.resize(1);
  return order;
}

bool Printer::try_joined(const ast::ExprIds& values, bool is_template, Quote quote, QuoteSet inner) {
  const StringContext around = strings_;
  const bool was_unspellable = std::exchange(unspellable_, false);
  const std::uint32_t parentheses = parentheses_;
  const bool wrapped = std::exchange(wraps_, false);
  const Writer::Place start = out_.here();
  strings_.allowed = static_cast<QuoteSet>(around.allowed & ~overlapping(quote));
  if (!around.no_backslash) strings_.allowed &= inner;
  if (!dialect_.fstring_nests_quotes) {
    strings_.no_backslash = true;
  } else if ((strings_.allowed & kSimpleQuotes) == 0) {
    strings_.allowed = kSimpleQuotes;
  }
  put(is_template ? "t" : "f");
  put(delimiter(quote));
  put_parts(values, StringPlace{quote, around.no_backslash, 0});
  put(delimiter(quote));
  const bool spelled = !unspellable_ && !failed();
  if (!spelled) out_.take_back(start);
  strings_ = around;
  unspellable_ = was_unspellable;
  parentheses_ = parentheses;
  wraps_ = wrapped;
  return spelled;
}

void Printer::put_parts(const ast::ExprIds& values, const StringPlace& place) {
  for (const ast::ExprId id : values) {
    if (const auto text = plain_text(id)) {
      put_text_part(*text, place);
      continue;
    }
    if (!id.valid() || id.n >= tree_.exprs.size()) return fail(Errc::kInternal, "a part of an f-string is missing");
    if (place.spec_depth > max_spec_depth(dialect_)) unspellable_ = true;
    if (unspellable_ || failed()) return;
    const ast::Expr& e = tree_.exprs[id];
    const std::uint32_t mark = out_.begin_mark(e.origin);
    if (const auto* field = std::get_if<ast::FormattedValue>(&e.node)) {
      put_field(*field, place);
    } else if (const auto* interpolation = std::get_if<ast::Interpolation>(&e.node)) {
      put_interpolation(*interpolation, place);
    } else {
      fail(Errc::kInternal, "a part of an f-string is neither text nor a field");
    }
    out_.end_mark(mark);
  }
}

void Printer::put_text_part(std::string_view text, const StringPlace& place) {
  const auto part = fstring_part(text, place.quote, place.spec_depth > 0, place.no_backslash);
  unspellable_ |= !part;
  if (part) out_.put_lines(*part);
}

void Printer::put_field(const ast::FormattedValue& n, const StringPlace& place) {
  open("{");
  const Writer::Place start = out_.here();
  const std::uint32_t around = std::exchange(field_parentheses_, parentheses_);
  expr(n.value, Level::kTest);
  field_parentheses_ = around;
  const std::string_view field = out_.since(start);
  // Strings inside avoid the quotes, but what they hold may still be one of them, or a line's end.
  if (!dialect_.fstring_nests_quotes) {
    const std::string_view ends = delimiter(place.quote);
    if (field.find(ends) != std::string::npos) unspellable_ = true;
    if (ends.size() == 1 && field.find('\n') != std::string::npos) unspellable_ = true;
  }
  const bool opens = field.starts_with('{'), closes = field.ends_with('}');
  if (opens) out_.insert_space(start);
  if (closes) put(" ");
  put_field_end(n.conversion, n.spec, place);
}

// The text is part of the value, so it is written as it was, spaces included.
void Printer::put_interpolation(const ast::Interpolation& n, const StringPlace& place) {
  const std::string& text = *n.text;
  if (text.empty() || text[0] == '{') return fail(Errc::kInternal, "no text of an interpolation: '" + text + "'");
  open("{");
  out_.put_lines(text);
  put_field_end(n.conversion, n.spec, place);
}

void Printer::put_field_end(char conversion, ast::ExprId spec, const StringPlace& place) {
  if (conversion != 0) {
    if (!is_conversion(conversion)) return fail(Errc::kInternal, "no conversion of an f-string");
    put("!");
    put(std::string_view(&conversion, 1));
  }
  if (spec.valid()) {
    put(":");
    const StringPlace inner{place.quote, place.no_backslash, place.spec_depth + 1};
    const auto* list = spec.n < tree_.exprs.size() ? std::get_if<ast::JoinedStr>(&tree_.exprs[spec].node) : nullptr;
    put_parts(list != nullptr ? list->values : ast::ExprIds{spec}, inner);
  }
  close("}");
}

// ---- other forms

// A specification without fields; an absent one is empty.
std::optional<std::string> Printer::spec_text(ast::ExprId spec) const {
  if (!spec.valid()) return "";
  if (const auto text = plain_text(spec)) return std::string(*text);
  const auto* list = spec.n < tree_.exprs.size() ? std::get_if<ast::JoinedStr>(&tree_.exprs[spec].node) : nullptr;
  if (list == nullptr) return std::nullopt;
  std::string all;
  for (const ast::ExprId id : list->values) {
    const auto text = plain_text(id);
    if (!text) return std::nullopt;
    all += *text;
  }
  return all;
}

// The left side of the `%` that compiles to these parts, if there is one.
std::optional<std::string> Printer::percent_text(const ast::ExprIds& values) const {
  std::string format;
  bool has_field = false;
  for (const ast::ExprId id : values) {
    if (const auto text = plain_text(id)) {
      for (const char c : *text) format.append(c == '%' ? 2 : 1, c);
      continue;
    }
    const auto* field = id.valid() ? std::get_if<ast::FormattedValue>(&tree_.exprs[id].node) : nullptr;
    if (field == nullptr || !is_conversion(field->conversion)) return std::nullopt;
    const auto spec = spec_text(field->spec);
    const auto flags = !spec ? std::nullopt : spec->empty() ? std::optional<std::string>("") : percent_flags(*spec);
    if (!flags) return std::nullopt;
    format += "%" + *flags + field->conversion;
    has_field = true;
  }
  return has_field ? std::optional<std::string>(format) : std::nullopt;
}

bool Printer::percent_form(const ast::ExprIds& values, Level place) {
  const auto format = dialect_.percent_is_fstring ? percent_text(values) : std::nullopt;
  if (!format) return false;
  ast::ExprIds fields;
  for (const ast::ExprId id : values)
    if (const auto* field = std::get_if<ast::FormattedValue>(&tree_.exprs[id].node)) fields.push_back(field->value);
  const bool in_parentheses = needs_parentheses(Level::kProduct, place);
  if (in_parentheses) open("(");
  put_str(*format);
  put(" % ");
  open("(");
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i != 0) put(", ");
    expr(fields[i], Level::kTest);
  }
  if (fields.size() == 1) put(",");
  close(")");
  if (in_parentheses) close(")");
  return true;
}

void Printer::format_form(const ast::ExprIds& values) {
  const auto part = [&](ast::ExprId id) {
    const auto* field = id.valid() ? std::get_if<ast::FormattedValue>(&tree_.exprs[id].node) : nullptr;
    if (const auto text = plain_text(id)) {
      put_str(*text);
    } else if (field != nullptr) {
      format_call(*field);
    } else {
      fail(Errc::kInternal, "a part of an f-string is neither text nor a field");
    }
  };
  if (values.size() == 1) return part(values[0]);
  put("''.join");
  open("([");
  for (std::size_t i = 0; i < values.size() && !failed(); ++i) {
    if (i != 0) put(", ");
    part(values[i]);
  }
  close("])");
}

void Printer::format_call(const ast::FormattedValue& n) {
  std::string format = "{";
  if (n.conversion != 0) format += {'!', n.conversion};
  const auto text = spec_text(n.spec);
  const bool is_plain = text && text->find_first_of("{}") == std::string_view::npos;
  if (!is_plain) {
    format += ":{}";
  } else if (!text->empty()) {
    format += ":" + *text;
  }
  put_str(format + "}");
  put(".format");
  open("(");
  expr(n.value, Level::kTest);
  if (!is_plain) {
    put(", ");
    expr(n.spec, Level::kTest);
  }
  close(")");
}

}  // namespace depyf
