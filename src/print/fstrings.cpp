// SPDX-License-Identifier: MIT
// Prints f-strings and template strings.
//
// Before 3.12 a field can contain neither the string's own quotes nor a backslash, so quotes are found by trial, the
// most usual ones first. A string that no quotes can spell is printed with `%` if the compiler turns that into the same
// code (3.11: optimize_format in Python/ast_opt.c), otherwise as ''.join of str.format calls, which evaluate in the
// same order.
// Invariant: a failed trial leaves no trace; nesting is bounded by CPython's MAXFSTRINGLEVEL.
#include <algorithm>
#include <cctype>

#include "print/nodes.h"

namespace depyf {
namespace {

constexpr std::uint32_t kMaxNestedStrings = 150;  // MAXFSTRINGLEVEL, Parser/tokenizer.h

// The maximal nesting of fields in format specifications: "f-string: expressions nested too deeply".
constexpr std::uint32_t max_spec_depth(const Dialect& dialect) { return dialect.fstring_nests_quotes ? 2 : 1; }

bool is_conversion(char c) { return c == 's' || c == 'r' || c == 'a'; }

// Returns the text between `%` and the conversion letter from which parse_format() in ast_opt.c makes this
// specification: "5" for ">5", "-5" for "5", ".3" for ".3". Returns nullopt if there is none.
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

struct StringPlace {  // context of the text between the fields
  Quote quote = kSingle;
  bool no_backslash = false;
  std::uint32_t spec_depth = 0;  // number of enclosing format specifications
  bool may_continue = false;     // the text may be split into adjacent literals
};

// Returns the quotes to try, the preferred ones first. If quotes can nest, any will do, so only the first one is tried.
std::vector<Quote> fstring_quotes(const Input& in, const ast::ExprIds& values, QuoteSet allowed) {
  bool has_single = false;
  bool has_double = false;
  const auto find_quotes = [&](std::string_view text) {
    has_single |= text.find('\'') != std::string_view::npos;
    has_double |= text.find('"') != std::string_view::npos;
  };
  for (const ast::ExprId id : values) {
    if (const auto text = in.plain_text(id)) find_quotes(*text);
    if (const auto* n = in.find<ast::Interpolation>(id)) find_quotes(*n->text);
  }
  std::vector<Quote> order{kSingle, kDouble, kTripleSingle, kTripleDouble};
  if (has_single && !has_double) order = {kDouble, kSingle, kTripleDouble, kTripleSingle};
  std::erase_if(order, [&](Quote quote) { return (allowed & quote) == 0; });
  if (in.dialect.fstring_nests_quotes && !order.empty()) order.resize(1);
  return order;
}

void put_parts(Printer& p, const ast::ExprIds& values, const StringPlace& place);

void put_field_end(Printer& p, char conversion, ast::ExprId spec, const StringPlace& place) {
  if (conversion != 0) {
    if (!is_conversion(conversion)) return p.out.fail(Errc::kInternal, "no conversion of an f-string");
    p.out.put("!");
    p.out.put(std::string_view(&conversion, 1));
  }
  if (spec.valid()) {
    p.out.put(":");
    const StringPlace inner{place.quote, place.no_backslash, place.spec_depth + 1};
    const auto* list = p.in.find<ast::JoinedStr>(spec);
    put_parts(p, list != nullptr ? list->values : ast::ExprIds{spec}, inner);
  }
  p.out.close("}");
}

// A lambda needs parentheses where its colon would end the expression of the field.
void put_field_value(Printer& p, ast::ExprId value) {
  const std::uint32_t outer_parentheses = std::exchange(p.strings.parentheses, p.out.parentheses);
  p.expr(value, Level::kTest);
  p.strings.parentheses = outer_parentheses;
}

// A field `{x=}` is the text 'x=' and a field with the value's repr(), or with a conversion or specification. Returns
// the length of the text's suffix that `=` in the following field stands for, in bytes; 0 if there is none.
std::size_t debug_text_length(Printer& p, std::string_view text, ast::ExprId next) {
  const auto* n = p.in.find<ast::FormattedValue>(next);
  if (!text.ends_with('=') || n == nullptr || (n->conversion == 0 && !n->spec.valid())) return 0;
  if (p.strings.depth > 1) return 0;  // avoids time exponential in the nesting: this prints a value twice
  const Writer::Checkpoint start = p.out.here();
  const std::size_t point_count = p.out.break_point_count();
  put_field_value(p, n->value);
  const std::string name = std::string(p.out.text_since(start)) + "=";
  p.out.rewind(start);
  p.out.forget_break_points(point_count);
  if (!text.ends_with(name) || name.starts_with('{') || name.ends_with("}=")) return 0;
  const char prior = text.size() > name.size() ? text[text.size() - name.size() - 1] : ' ';
  return std::isalnum(static_cast<unsigned char>(prior)) != 0 || prior == '_' || prior == '.' ? 0 : name.size();
}

void put_field(Printer& p, const ast::FormattedValue& n, const StringPlace& place, bool is_debug) {
  p.out.open("{");
  const Writer::Checkpoint start = p.out.here();
  put_field_value(p, n.value);
  const std::string_view field = p.out.text_since(start);
  // Strings in the field avoid the quotes, but their contents may still have the delimiter or a newline.
  if (!p.in.dialect.fstring_nests_quotes) {
    const std::string_view ends = delimiter(place.quote);
    if (field.find(ends) != std::string::npos) p.strings.unspellable = true;
    if (ends.size() == 1 && field.find('\n') != std::string::npos) p.strings.unspellable = true;
  }
  const bool starts_with_brace = field.starts_with('{'), ends_with_brace = field.ends_with('}');
  if (starts_with_brace) p.out.insert_space(start);
  if (ends_with_brace) p.out.put(" ");
  if (is_debug) p.out.put("=");
  put_field_end(p, is_debug && n.conversion == 'r' && !n.spec.valid() ? '\0' : n.conversion, n.spec, place);
}

// The text is part of the value, so it is printed unchanged, with its spaces.
void put_interpolation(Printer& p, const ast::Interpolation& n, const StringPlace& place) {
  const std::string& text = *n.text;
  if (text.empty() || text[0] == '{') return p.out.fail(Errc::kInternal, "no text of an interpolation: '" + text + "'");
  p.out.open("{");
  p.out.put_lines(text);
  put_field_end(p, n.conversion, n.spec, place);
}

void put_parts(Printer& p, const ast::ExprIds& values, const StringPlace& place) {
  bool is_debug = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ast::ExprId id = values[i];
    if (const auto text = p.in.plain_text(id)) {
      const std::size_t name = i + 1 < values.size() ? debug_text_length(p, *text, values[i + 1]) : 0;
      is_debug = name > 0;
      const auto part =
          fstring_part(text->substr(0, text->size() - name), place.quote, place.spec_depth > 0, place.no_backslash);
      p.strings.unspellable |= !part;
      if (part && place.may_continue)
        p.out.put_words(*part, delimiter(place.quote)[0], true, id == values.back());
      else if (part)
        p.out.put_lines(*part);
      continue;
    }
    if (!p.in.has(id)) return p.out.fail(Errc::kInternal, "a part of an f-string is missing");
    if (place.spec_depth > max_spec_depth(p.in.dialect)) p.strings.unspellable = true;
    if (p.strings.unspellable || p.out.failed()) return;
    const ast::Expr& e = p.in.tree.exprs[id];
    const std::uint32_t mark = p.out.begin_mark(e.origin);
    if (const auto* field = std::get_if<ast::FormattedValue>(&e.node)) {
      put_field(p, *field, place, std::exchange(is_debug, false));
    } else if (const auto* interpolation = std::get_if<ast::Interpolation>(&e.node)) {
      put_interpolation(p, *interpolation, place);
    } else {
      p.out.fail(Errc::kInternal, "a part of an f-string is neither text nor a field");
    }
    p.out.end_mark(mark);
  }
}

bool try_quote(Printer& p, const ast::ExprIds& values, bool is_template, Quote quote, QuoteSet inner) {
  const StringState outer_state = p.strings;
  p.strings.unspellable = false;
  const std::uint32_t parentheses = p.out.parentheses;
  const Writer::Checkpoint start = p.out.here();
  const std::size_t point_count = p.out.break_point_count();
  p.out.begin_group(BreakPoint::Kind::kOperands);
  const bool was_unbreakable = std::exchange(p.out.is_unbreakable, true);
  const bool may_continue = !was_unbreakable && !is_template && delimiter(quote).size() == 1;
  StringContext& context = p.strings.context;
  context.allowed = static_cast<QuoteSet>(outer_state.context.allowed & ~overlapping(quote));
  if (!outer_state.context.no_backslash) context.allowed &= inner;
  if (!p.in.dialect.fstring_nests_quotes) {
    context.no_backslash = true;
  } else if ((context.allowed & kSimpleQuotes) == 0) {
    context.allowed = kSimpleQuotes;
  }
  p.out.put(is_template ? "t" : "f");
  p.out.put(delimiter(quote));
  put_parts(p, values, StringPlace{quote, outer_state.context.no_backslash, 0, may_continue});
  p.out.put(delimiter(quote));
  const bool spelled = !p.strings.unspellable && !p.out.failed();
  if (!spelled) p.out.rewind(start);
  p.strings = outer_state;
  p.out.parentheses = parentheses;
  p.out.is_unbreakable = was_unbreakable;
  if (spelled && p.out.break_point_count() > point_count + 1)
    p.out.end_group();
  else
    p.out.forget_break_points(point_count);
  return spelled;
}

// `inner`: the quotes that strings in the fields may use.
bool try_quotes(Printer& p, const ast::ExprIds& values, bool is_template, QuoteSet inner) {
  for (const Quote quote : fstring_quotes(p.in, values, p.strings.context.allowed)) {
    if (try_quote(p, values, is_template, quote, inner)) return true;
    if (p.out.failed()) break;
  }
  return false;
}

// ---- fallbacks for fields that no quotes can spell

// Returns the text of a specification without fields; it is empty if there is no specification.
std::optional<std::string> spec_text(const Input& in, ast::ExprId spec) {
  if (!spec.valid()) return "";
  if (const auto text = in.plain_text(spec)) return std::string(*text);
  const auto* list = in.find<ast::JoinedStr>(spec);
  if (list == nullptr) return std::nullopt;
  std::string all;
  for (const ast::ExprId id : list->values) {
    const auto text = in.plain_text(id);
    if (!text) return std::nullopt;
    all += *text;
  }
  return all;
}

// Returns the format string of the `%` that compiles to these parts; nullopt if there is none.
std::optional<std::string> percent_text(const Input& in, const ast::ExprIds& values) {
  std::string format;
  bool has_field = false;
  for (const ast::ExprId id : values) {
    if (const auto text = in.plain_text(id)) {
      for (const char c : *text) format.append(c == '%' ? 2 : 1, c);
      continue;
    }
    const auto* field = in.find<ast::FormattedValue>(id);
    if (field == nullptr || !is_conversion(field->conversion)) return std::nullopt;
    const auto spec = spec_text(in, field->spec);
    const auto flags = !spec ? std::nullopt : spec->empty() ? std::optional<std::string>("") : percent_flags(*spec);
    if (!flags) return std::nullopt;
    format += "%" + *flags + field->conversion;
    has_field = true;
  }
  return has_field ? std::optional<std::string>(format) : std::nullopt;
}

bool print_as_percent(Printer& p, const ast::ExprIds& values, Level place) {
  const auto format = p.in.dialect.percent_is_fstring ? percent_text(p.in, values) : std::nullopt;
  if (!format) return false;
  ast::ExprIds fields;
  for (const ast::ExprId id : values)
    if (const auto* field = p.in.find<ast::FormattedValue>(id)) fields.push_back(field->value);
  const bool in_parentheses = needs_parentheses(Level::kProduct, place);
  if (in_parentheses) p.out.open("(");
  put_str(p, *format);
  p.out.put(" % ");
  p.out.open("(");
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i != 0) p.out.put(", ");
    p.expr(fields[i], Level::kTest);
  }
  if (fields.size() == 1) p.out.put(",");
  p.out.close(")");
  if (in_parentheses) p.out.close(")");
  return true;
}

void print_format_call(Printer& p, const ast::FormattedValue& n) {
  std::string format = "{";
  if (n.conversion != 0) format += {'!', n.conversion};
  const auto text = spec_text(p.in, n.spec);
  const bool is_plain = text && text->find_first_of("{}") == std::string_view::npos;
  if (!is_plain) {
    format += ":{}";
  } else if (!text->empty()) {
    format += ":" + *text;
  }
  put_str(p, format + "}");
  p.out.put(".format");
  p.out.open("(");
  p.expr(n.value, Level::kTest);
  if (!is_plain) {
    p.out.put(", ");
    p.expr(n.spec, Level::kTest);
  }
  p.out.close(")");
}

void print_as_format_calls(Printer& p, const ast::ExprIds& values) {
  const auto part = [&](ast::ExprId id) {
    const auto* field = p.in.find<ast::FormattedValue>(id);
    if (const auto text = p.in.plain_text(id)) {
      put_str(p, *text);
    } else if (field != nullptr) {
      print_format_call(p, *field);
    } else {
      p.out.fail(Errc::kInternal, "a part of an f-string is neither text nor a field");
    }
  };
  if (values.size() == 1) return part(values[0]);
  p.out.put("''.join");
  p.out.open("([");
  for (std::size_t i = 0; i < values.size() && !p.out.failed(); ++i) {
    if (i != 0) p.out.put(", ");
    part(values[i]);
  }
  p.out.close("])");
}

}  // namespace

void print_joined(Printer& p, const ast::ExprIds& values, bool is_template, Level place) {
  if (is_template) p.out.require(p.in.dialect.template_strings, "a template string");
  if (++p.strings.depth > kMaxNestedStrings) p.out.fail(Errc::kLimitExceeded, "more than 150 nested f-strings");
  const bool is_spelled = try_quotes(p, values, is_template, kSimpleQuotes) ||
                          (!p.strings.context.no_backslash && !p.in.dialect.fstring_nests_quotes && !p.out.failed() &&
                           try_quotes(p, values, is_template, kAllQuotes));
  if (!is_spelled && !p.out.failed()) {
    if (is_template) {
      p.out.fail(Errc::kInternal, "a template string that no literal can spell");
    } else if (p.strings.context.no_backslash) {
      p.strings.unspellable = true;  // the enclosing f-string is printed in another form
    } else if (!print_as_percent(p, values, place)) {
      print_as_format_calls(p, values);
    }
  }
  --p.strings.depth;
}

}  // namespace depyf
