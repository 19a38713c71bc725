// SPDX-License-Identifier: MIT
// Prints constants as expressions.
//
// A constant without a literal becomes an expression that the target's compiler folds (numbers), a display that it
// turns into the constant (a frozenset after `in`), or a call that creates an equal object at run time
// (`frozenset({...})`, `slice(...)`), which is as near as source can come. Invariant: nested constants go through the
// Printer like expressions.
#include "code/int_text.h"
#include "print/nodes.h"
#include "support/raw_strings.h"
#include "support/unicode.h"

namespace depyf {
namespace {

Level level_of_strength(Strength strength) {
  switch (strength) {
    case Strength::kSum: return Level::kSum;
    case Strength::kProduct: return Level::kProduct;
    case Strength::kSign: return Level::kSign;
    case Strength::kAtom: return Level::kAtom;
  }
  return Level::kAtom;
}

bool is_none(const Input& in, ConstId id) {
  const Constant* value = in.constant(id);
  return value == nullptr || std::holds_alternative<ConstNone>(*value);
}

// A code object has no source form: whoever compiles the text must bind its placeholder.
void put_code(Printer& p, const ConstCode& constant) {
  if (constant.code.n >= p.in.options.code_names.size())
    return p.out.fail(Errc::kInternal, "a code object as an expression");
  p.codes.insert(constant.code);
  p.out.put(p.in.options.code_names[constant.code.n]);
}

// Prints a constant that has no recorded spelling, such as an item of a tuple.
void put_part(Printer& p, const Constant& any, bool in_parentheses, std::uint8_t flags) {
  const auto* text = std::get_if<ConstStr>(&any);
  const auto* bytes = std::get_if<ConstBytes>(&any);
  const bool is_raw = text != nullptr ? reads_raw(text->text) : bytes != nullptr && reads_raw(bytes->data);
  if (!is_raw || !put_spelled(p, any, ast::Spelling::kRaw)) put_constant(p, any, in_parentheses, flags);
}

// In a subscript, 3.14 makes one constant of a tuple of slices: `x[1:2, ::3]`.
void put_tuple(Printer& p, const ConstTuple& tuple, bool in_parentheses, std::uint8_t flags) {
  const bool in_subscript = (flags & kInSubscript) != 0 && !in_parentheses;
  bool has_slice = false;
  for (const ConstId id : tuple.items) {
    const Constant* item = p.in.constant(id);
    has_slice |= item != nullptr && std::holds_alternative<ConstSlice>(*item);
  }
  const bool brackets = tuple.items.size() < 2 && !(in_subscript && has_slice);
  std::size_t printed = 0;  // leading items without items of their own are printed without tasks
  const auto is_flat = [&](ConstId id) {
    const Constant* item = p.in.constant(id);
    return item != nullptr && !std::holds_alternative<ConstTuple>(*item) &&
           !std::holds_alternative<ConstFrozenSet>(*item) && !std::holds_alternative<ConstSlice>(*item) &&
           !std::holds_alternative<ConstOpaque>(*item) && !needs_parentheses(level_of(p.in, *item), Level::kTest);
  };
  while (!brackets && printed < tuple.items.size() && is_flat(tuple.items[printed])) {
    if (printed > 0) p.out.comma();
    put_part(p, *p.in.constant(tuple.items[printed++]), false, kAnywhere);
  }
  Parts parts(p);
  if (brackets) parts.open("(");
  bool first = printed == 0;
  for (; printed < tuple.items.size(); ++printed)
    parts.comma(first).constant(tuple.items[printed], Level::kTest, in_subscript ? kSliceAllowed : kAnywhere);
  if (tuple.items.size() == 1) parts.text(",");
  if (brackets) parts.close(")");
}

void put_frozenset(Printer& p, const ConstFrozenSet& set, std::uint8_t flags) {
  if (set.items.empty()) return p.out.put("frozenset()");
  Parts parts(p);
  const bool as_display = (flags & kSetDisplay) != 0;
  if (!as_display) parts.text("frozenset").open("(");
  parts.open("{");
  bool first = true;
  for (const ConstId id : listed(p.in.code, set)) parts.comma(first).constant(id, Level::kTest);
  parts.close("}");
  if (!as_display) parts.close(")");
}

// Prints an expression that creates the container as it was when its code object was stored: `[…]`, `{…}`, `set()`.
void put_container(Printer& p, const ConstOpaque& constant) {
  using Container = ConstOpaque::Container;
  const auto& items = std::get<ConstTuple>(*p.in.constant(constant.items)).items;
  const bool is_pairs = constant.container == Container::kDict || constant.container == Container::kFrozenDict;
  if (constant.container == Container::kSet && items.empty()) return p.out.put("set()");
  const bool is_list = constant.container == Container::kList;
  Parts parts(p);
  if (constant.container == Container::kFrozenDict) parts.text("frozendict").open("(");
  parts.open(is_list ? "[" : "{");
  bool first = true;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (is_pairs && i % 2 != 0)
      parts.text(": ");
    else
      parts.comma(first);
    parts.constant(items[i], Level::kTest);
  }
  parts.close(is_list ? "]" : "}");
  if (constant.container == Container::kFrozenDict) parts.close(")");
}

void put_slice(Printer& p, const ConstSlice& slice, std::uint8_t flags) {
  Parts parts(p);
  if ((flags & (kInSubscript | kSliceAllowed)) == 0) {
    parts.text("slice").open("(").constant(slice.start, Level::kTest).text(", ").constant(slice.stop, Level::kTest);
    parts.text(", ").constant(slice.step, Level::kTest).close(")");
    return;
  }
  if (!is_none(p.in, slice.start)) parts.constant(slice.start, Level::kTest);
  parts.text(":");
  if (!is_none(p.in, slice.stop)) parts.constant(slice.stop, Level::kTest);
  if (!is_none(p.in, slice.step)) parts.text(":").constant(slice.step, Level::kTest);
}

void put_int(Printer& p, const ConstInt& value) {
  if (value.digits.size() > 1) return p.out.put(literal_text(value));
  if (value.negative) p.out.put("-");
  p.out.put(std::to_string(value.digits.empty() ? 0 : value.digits[0]));
}

void put_literal(Printer& p, const std::optional<std::string>& literal) {
  p.strings.unspellable |= !literal;
  if (literal) p.out.put_literal(*literal);
}

}  // namespace

std::string opaque_text(const ConstOpaque& constant) {
  if (constant.is_expression && !constant.display.empty()) return constant.display;
  if (is_dotted_identifier(constant.display)) return constant.display;
  return "__opaque_" + std::to_string(constant.handle);
}

Level level_of(const Input& in, const Constant& any) {
  const bool mixed = in.dialect.mixed_complex_arithmetic;
  return match(
      any, [](const ConstNone&) { return Level::kAtom; }, [](const ConstEllipsis&) { return Level::kAtom; },
      [](const ConstBool&) { return Level::kAtom; },
      [](const ConstInt& n) { return n.negative ? Level::kSign : Level::kAtom; },
      [](const ConstFloat& n) { return level_of_strength(float_text(n.value).strength); },
      [&](const ConstComplex& n) { return level_of_strength(complex_text(n.real, n.imag, mixed).strength); },
      [](const ConstStr&) { return Level::kAtom; }, [](const ConstBytes&) { return Level::kAtom; },
      [](const ConstTuple& n) { return n.items.size() < 2 ? Level::kAtom : Level::kTuple; },
      [](const ConstFrozenSet&) { return Level::kAtom; }, [](const ConstSlice&) { return Level::kAtom; },
      [](const ConstCode&) { return Level::kAtom; },
      [](const ConstOpaque& n) {
        return n.is_expression && !is_dotted_identifier(n.display) ? Level::kTest : Level::kAtom;
      });
}

void put_str(Printer& p, std::string_view text) {
  if (is_plain(text) && !p.strings.context.no_backslash && (p.strings.context.allowed & kSingle) != 0) {  // most are
    if (text.size() >= kLongLiteral) return p.out.put_literal("'" + std::string(text) + "'");
    p.out.put("'");
    p.out.put(text);
    return p.out.put("'");
  }
  put_literal(p, str_text(text, p.strings.context));
}

void put_bytes(Printer& p, std::string_view data) { put_literal(p, bytes_text(data, p.strings.context)); }

bool put_spelled(Printer& p, const Constant& any, ast::Spelling spelling) {
  if (spelling == ast::Spelling::kPlain || p.strings.depth > 0) return false;
  const auto* text = std::get_if<ConstStr>(&any);
  const auto* bytes = std::get_if<ConstBytes>(&any);
  std::optional<std::string> literal;
  if (text != nullptr && spelling == ast::Spelling::kTriple) literal = docstring_text(text->text, 0, false);
  if (text != nullptr && spelling == ast::Spelling::kRaw) literal = raw_text("r", text->text);
  if (bytes != nullptr && spelling == ast::Spelling::kRaw) literal = raw_text("rb", bytes->data);
  if (literal) p.out.put_literal(*literal);
  return literal.has_value();
}

void put_constant(Printer& p, const Constant& any, bool in_parentheses, std::uint8_t flags) {
  match(
      any, [&](const ConstNone&) { p.out.put("None"); }, [&](const ConstEllipsis&) { p.out.put("..."); },
      [&](const ConstBool& n) { p.out.put(n.value ? "True" : "False"); }, [&](const ConstInt& n) { put_int(p, n); },
      [&](const ConstFloat& n) { p.out.put(float_text(n.value).text); },
      [&](const ConstComplex& n) {
        p.out.put(complex_text(n.real, n.imag, p.in.dialect.mixed_complex_arithmetic).text);
      },
      [&](const ConstStr& n) { put_str(p, n.text); }, [&](const ConstBytes& n) { put_bytes(p, n.data); },
      [&](const ConstTuple& n) { put_tuple(p, n, in_parentheses, flags); },
      [&](const ConstFrozenSet& n) { put_frozenset(p, n, flags); },
      [&](const ConstSlice& n) { put_slice(p, n, flags); }, [&](const ConstCode& n) { put_code(p, n); },
      [&](const ConstOpaque& n) {
        if (n.container != ConstOpaque::Container::kNone) return put_container(p, n);
        p.out.put(opaque_text(n));
      });
}

void print_constant(Printer& p, ConstId id, Level place, std::uint8_t flags) {
  const Constant* value = p.in.constant(id);
  if (value == nullptr) return p.out.fail(Errc::kInternal, "a constant is missing");
  const bool in_parentheses = needs_parentheses(level_of(p.in, *value), place);
  const std::uint32_t mark = p.begin_node({}, in_parentheses);
  put_part(p, *value, in_parentheses, flags);
  p.end_node(mark, in_parentheses);
}

}  // namespace depyf
