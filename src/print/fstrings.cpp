// SPDX-License-Identifier: MIT
// f-strings and template strings. Before 3.12 a field can hold neither the string's own quotes nor a backslash, so the
// quotes are found by trial, from the most usual; what no quotes can spell becomes `%` where the compiler makes the same
// of it (3.11: ast_opt.c, optimize_format), else ''.join of str.format calls, which evaluate in the same order.
//
// Invariant: a trial that fails leaves no trace; nesting is bounded by CPython's MAXFSTRINGLEVEL.
#include <algorithm>
#include <cctype>

#include "print/nodes.h"

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

struct StringPlace {  // of the text between the fields
  Quote quote = kSingle;
  bool no_backslash = false;
  std::uint32_t spec_depth = 0;  // format specifications around it
  bool may_continue = false;     // in another literal
};

// The quotes to try, the preferred ones first. Where quotes nest, one that no string around uses is only nicer.
std::vector<Quote> fstring_quotes(const Input& in, const ast::ExprIds& values, QuoteSet allowed) {
  bool has_single = false;
  bool has_double = false;
  const auto look = [&](std::string_view text) {
    has_single |= text.find('\'') != std::string_view::npos;
    has_double |= text.find('"') != std::string_view::npos;
  };
  for (const ast::ExprId id : values) {
    if (const auto text = in.plain_text(id)) look(*text);
    if (const auto* n = in.find<ast::Interpolation>(id)) look(*n->text);
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

// `{x=}` is 'x=' and the value by repr(), or as a conversion or a specification says. How long the end of a text is that
// says so of the field after it; 0 if it does not.
std::size_t named_length(Printer& p, std::string_view text, ast::ExprId next) {
  const auto* n = p.in.find<ast::FormattedValue>(next);
  if (!text.ends_with('=') || n == nullptr || (n->conversion == 0 && !n->spec.valid())) return 0;
  if (p.strings.depth > 1) return 0;  // what is printed to be compared is not printed twice again within
  const Writer::Place start = p.out.here();
  const std::size_t places = p.out.places();
  p.expr(n->value, Level::kTest);
  const std::string name = std::string(p.out.since(start)) + "=";
  p.out.take_back(start);
  p.out.forget_places(places);
  if (!text.ends_with(name) || name.starts_with('{') || name.ends_with("}=")) return 0;
  const char before = text.size() > name.size() ? text[text.size() - name.size() - 1] : ' ';
  return std::isalnum(static_cast<unsigned char>(before)) != 0 || before == '_' || before == '.' ? 0 : name.size();
}

void put_field(Printer& p, const ast::FormattedValue& n, const StringPlace& place, bool is_named) {
  p.out.open("{");
  const Writer::Place start = p.out.here();
  const std::uint32_t around = std::exchange(p.strings.parentheses, p.out.parentheses);
  p.expr(n.value, Level::kTest);
  p.strings.parentheses = around;
  const std::string_view field = p.out.since(start);
  // Strings inside avoid the quotes, but what they hold may still be one of them, or a line's end.
  if (!p.in.dialect.fstring_nests_quotes) {
    const std::string_view ends = delimiter(place.quote);
    if (field.find(ends) != std::string::npos) p.strings.unspellable = true;
    if (ends.size() == 1 && field.find('\n') != std::string::npos) p.strings.unspellable = true;
  }
  const bool opens = field.starts_with('{'), closes = field.ends_with('}');
  if (opens) p.out.insert_space(start);
  if (closes) p.out.put(" ");
  if (is_named) p.out.put("=");
  put_field_end(p, is_named && n.conversion == 'r' && !n.spec.valid() ? '\0' : n.conversion, n.spec, place);
}

// The text is part of the value, so it is written as it was, spaces included.
void put_interpolation(Printer& p, const ast::Interpolation& n, const StringPlace& place) {
  const std::string& text = *n.text;
  if (text.empty() || text[0] == '{') return p.out.fail(Errc::kInternal, "no text of an interpolation: '" + text + "'");
  p.out.open("{");
  p.out.put_lines(text);
  put_field_end(p, n.conversion, n.spec, place);
}

void put_parts(Printer& p, const ast::ExprIds& values, const StringPlace& place) {
  bool is_named = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ast::ExprId id = values[i];
    if (const auto text = p.in.plain_text(id)) {
      const std::size_t name = i + 1 < values.size() ? named_length(p, *text, values[i + 1]) : 0;
      is_named = name > 0;
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
      put_field(p, *field, place, std::exchange(is_named, false));
    } else if (const auto* interpolation = std::get_if<ast::Interpolation>(&e.node)) {
      put_interpolation(p, *interpolation, place);
    } else {
      p.out.fail(Errc::kInternal, "a part of an f-string is neither text nor a field");
    }
    p.out.end_mark(mark);
  }
}

bool try_joined(Printer& p, const ast::ExprIds& values, bool is_template, Quote quote, QuoteSet inner) {
  const StringState around = p.strings;
  p.strings.unspellable = false;
  const std::uint32_t parentheses = p.out.parentheses;
  const Writer::Place start = p.out.here();
  const std::size_t places = p.out.places();
  p.out.begin_group(LinePlace::Kind::kOperands);
  const bool was_solid = std::exchange(p.out.is_solid, true);
  const bool may_continue = !was_solid && !is_template && delimiter(quote).size() == 1;
  StringContext& context = p.strings.context;
  context.allowed = static_cast<QuoteSet>(around.context.allowed & ~overlapping(quote));
  if (!around.context.no_backslash) context.allowed &= inner;
  if (!p.in.dialect.fstring_nests_quotes) {
    context.no_backslash = true;
  } else if ((context.allowed & kSimpleQuotes) == 0) {
    context.allowed = kSimpleQuotes;
  }
  p.out.put(is_template ? "t" : "f");
  p.out.put(delimiter(quote));
  put_parts(p, values, StringPlace{quote, around.context.no_backslash, 0, may_continue});
  p.out.put(delimiter(quote));
  const bool spelled = !p.strings.unspellable && !p.out.failed();
  if (!spelled) p.out.take_back(start);
  p.strings = around;
  p.out.parentheses = parentheses;
  p.out.is_solid = was_solid;
  if (spelled && p.out.places() > places + 1)
    p.out.end_group();
  else
    p.out.forget_places(places);
  return spelled;
}

// `inner`: the quotes that strings in the fields may take; triple ones there are a last resort.
bool try_quotes(Printer& p, const ast::ExprIds& values, bool is_template, QuoteSet inner) {
  for (const Quote quote : fstring_quotes(p.in, values, p.strings.context.allowed)) {
    if (try_joined(p, values, is_template, quote, inner)) return true;
    if (p.out.failed()) break;
  }
  return false;
}

// ---- other forms

// A specification without fields; an absent one is empty.
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

// The left side of the `%` that compiles to these parts, if there is one.
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

bool percent_form(Printer& p, const ast::ExprIds& values, Level place) {
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

void format_call(Printer& p, const ast::FormattedValue& n) {
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

void format_form(Printer& p, const ast::ExprIds& values) {
  const auto part = [&](ast::ExprId id) {
    const auto* field = p.in.find<ast::FormattedValue>(id);
    if (const auto text = p.in.plain_text(id)) {
      put_str(p, *text);
    } else if (field != nullptr) {
      format_call(p, *field);
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
  const bool done = try_quotes(p, values, is_template, kSimpleQuotes) ||
                    (!p.strings.context.no_backslash && !p.in.dialect.fstring_nests_quotes && !p.out.failed() &&
                     try_quotes(p, values, is_template, kAllQuotes));
  if (!done && !p.out.failed()) {
    if (is_template) {
      p.out.fail(Errc::kInternal, "a template string that no literal can spell");
    } else if (p.strings.context.no_backslash) {
      p.strings.unspellable = true;  // the f-string around this one takes another form
    } else if (!percent_form(p, values, place)) {
      format_form(p, values);
    }
  }
  --p.strings.depth;
}

}  // namespace depyf
