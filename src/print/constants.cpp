// SPDX-License-Identifier: MIT
// Constants as expressions. What source has no literal for is spelled by an expression that the target's compiler folds
// (numbers), by a display that it turns into the constant (a frozenset after `in`), or by a call that makes an equal
// object at run time (`frozenset({...})`, `slice(...)`): the last is as near as source can come.
//
// Invariant: nested constants go through the task stack like expressions. Code constants have no text.
#include "code/int_text.h"
#include "print/printer.h"
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

}  // namespace

std::string opaque_text(const ConstOpaque& constant) {
  if (constant.is_expression && !constant.display.empty()) return constant.display;
  if (is_dotted_identifier(constant.display)) return constant.display;
  return "__opaque_" + std::to_string(constant.handle);
}

const Constant* Printer::constant(ConstId id) const {
  return id.valid() && id.n < code_.consts.size() ? &code_.consts[id] : nullptr;
}

bool Printer::is_none(ConstId id) const {
  const Constant* value = constant(id);
  return value == nullptr || std::holds_alternative<ConstNone>(*value);
}

std::optional<std::string_view> Printer::plain_text(ast::ExprId id) const {
  if (!id.valid() || id.n >= tree_.exprs.size()) return std::nullopt;
  const ast::ExprNode& node = tree_.exprs[id].node;
  if (const auto* literal = std::get_if<ast::StrLiteral>(&node)) return literal->text;
  const auto* n = std::get_if<ast::ConstantExpr>(&node);
  const Constant* value = n != nullptr ? constant(n->value) : nullptr;
  const auto* text = value != nullptr ? std::get_if<ConstStr>(value) : nullptr;
  return text != nullptr ? std::optional<std::string_view>(text->text) : std::nullopt;
}

Level Printer::level_of(const Constant& any) const {
  const auto complex_level = [&](const ConstComplex& c) {
    return level_of_strength(complex_text(c.real, c.imag, dialect_.mixed_complex_arithmetic).strength);
  };
  return match(
      any, [](const ConstNone&) { return Level::kAtom; }, [](const ConstEllipsis&) { return Level::kAtom; },
      [](const ConstBool&) { return Level::kAtom; },
      [](const ConstInt& n) { return n.negative ? Level::kSign : Level::kAtom; },
      [](const ConstFloat& n) { return level_of_strength(float_text(n.value).strength); },
      [&](const ConstComplex& n) { return complex_level(n); }, [](const ConstStr&) { return Level::kAtom; },
      [](const ConstBytes&) { return Level::kAtom; },
      [](const ConstTuple& n) { return n.items.size() < 2 ? Level::kAtom : Level::kTuple; },
      [](const ConstFrozenSet&) { return Level::kAtom; }, [](const ConstSlice&) { return Level::kAtom; },
      [](const ConstCode&) { return Level::kAtom; },
      [](const ConstOpaque& n) {
        return n.is_expression && !is_dotted_identifier(n.display) ? Level::kTest : Level::kAtom;
      });
}

void Printer::visit_const(ConstId id, Level place, std::uint8_t flags) {
  const Constant* value = constant(id);
  if (value == nullptr) return fail(Errc::kInternal, "a constant is missing");
  const bool in_parentheses = needs_parentheses(level_of(*value), place);
  const std::uint32_t mark = begin_nested({}, in_parentheses);
  put_const(*value, in_parentheses, flags);
  end_nested(mark, in_parentheses);
}

// A code object is no expression: whoever compiles the text binds its placeholder.
void Printer::put_code(const ConstCode& constant) {
  if (constant.code.n >= options_.code_names.size()) return fail(Errc::kInternal, "a code object as an expression");
  codes_.insert(constant.code);
  put(options_.code_names[constant.code.n]);
}

void Printer::put_const(const Constant& any, bool in_parentheses, std::uint8_t flags) {
  match(
      any, [&](const ConstNone&) { put("None"); }, [&](const ConstEllipsis&) { put("..."); },
      [&](const ConstBool& n) { put(n.value ? "True" : "False"); }, [&](const ConstInt& n) { put_int(n); },
      [&](const ConstFloat& n) { put(float_text(n.value).text); },
      [&](const ConstComplex& n) { put(complex_text(n.real, n.imag, dialect_.mixed_complex_arithmetic).text); },
      [&](const ConstStr& n) { put_str(n.text); }, [&](const ConstBytes& n) { put_bytes(n.data); },
      [&](const ConstTuple& n) { put_tuple(n, in_parentheses, flags); },
      [&](const ConstFrozenSet& n) { put_frozenset(n, flags); }, [&](const ConstSlice& n) { put_slice(n, flags); },
      [&](const ConstCode& n) { put_code(n); }, [&](const ConstOpaque& n) { put(opaque_text(n)); });
}

// Between brackets, 3.14 makes one constant of a tuple of slices: `x[1:2, ::3]`.
void Printer::put_tuple(const ConstTuple& tuple, bool in_parentheses, std::uint8_t flags) {
  const bool in_subscript = (flags & kInSubscript) != 0 && !in_parentheses;
  bool has_slice = false;
  for (const ConstId id : tuple.items) {
    const Constant* item = constant(id);
    has_slice |= item != nullptr && std::holds_alternative<ConstSlice>(*item);
  }
  const bool brackets = tuple.items.size() < 2 && !(in_subscript && has_slice);
  std::size_t written = 0;  // items that hold no others, as long as they come first: they need no task each
  const auto is_flat = [&](ConstId id) {
    const Constant* item = constant(id);
    return item != nullptr && !std::holds_alternative<ConstTuple>(*item) &&
           !std::holds_alternative<ConstFrozenSet>(*item) && !std::holds_alternative<ConstSlice>(*item) &&
           !needs_parentheses(level_of(*item), Level::kTest);
  };
  while (!brackets && written < tuple.items.size() && is_flat(tuple.items[written])) {
    if (written > 0) put_comma();
    put_const(*constant(tuple.items[written++]), false, kAnywhere);
  }
  Parts parts(*this);
  if (brackets) parts.open("(");
  bool first = written == 0;
  for (; written < tuple.items.size(); ++written)
    parts.comma(first).constant(tuple.items[written], Level::kTest, in_subscript ? kSliceAllowed : kAnywhere);
  if (tuple.items.size() == 1) parts.text(",");
  if (brackets) parts.close(")");
}

void Printer::put_frozenset(const ConstFrozenSet& set, std::uint8_t flags) {
  if (set.items.empty()) return put("frozenset()");
  Parts parts(*this);
  const bool as_display = (flags & kSetDisplay) != 0;
  if (!as_display) parts.text("frozenset").open("(");
  parts.open("{");
  bool first = true;
  for (const ConstId id : listed(code_, set)) parts.comma(first).constant(id, Level::kTest);
  parts.close("}");
  if (!as_display) parts.close(")");
}

void Printer::put_slice(const ConstSlice& slice, std::uint8_t flags) {
  Parts parts(*this);
  if ((flags & (kInSubscript | kSliceAllowed)) == 0) {
    parts.text("slice").open("(").constant(slice.start, Level::kTest).text(", ").constant(slice.stop, Level::kTest);
    parts.text(", ").constant(slice.step, Level::kTest).close(")");
    return;
  }
  if (!is_none(slice.start)) parts.constant(slice.start, Level::kTest);
  parts.text(":");
  if (!is_none(slice.stop)) parts.constant(slice.stop, Level::kTest);
  if (!is_none(slice.step)) parts.text(":").constant(slice.step, Level::kTest);
}

void Printer::put_int(const ConstInt& value) {
  if (value.digits.size() > 1) return put(literal_text(value));
  if (value.negative) put("-");
  put(std::to_string(value.digits.empty() ? 0 : value.digits[0]));
}

void Printer::put_str(std::string_view text) {
  if (is_plain(text) && !strings_.no_backslash && (strings_.allowed & kSingle) != 0) {  // as most are
    put("'");
    put(text);
    return put("'");
  }
  const auto literal = str_text(text, strings_);
  unspellable_ |= !literal;
  if (literal) out_.put_lines(*literal);
}

void Printer::put_bytes(std::string_view data) {
  const auto literal = bytes_text(data, strings_);
  unspellable_ |= !literal;
  if (literal) out_.put_lines(*literal);
}

}  // namespace depyf
