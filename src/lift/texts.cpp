// SPDX-License-Identifier: MIT
// Formatted strings, and templates (3.14+).
#include <algorithm>
#include <array>

#include "ast/walk.h"
#include "lift/families.h"
#include "support/unicode.h"

namespace depyf::lift {

namespace {

// Whether an identifier occurs in source text.
bool names(std::string_view text, std::string_view id) {
  const auto is_part = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  for (auto at = text.find(id); at != std::string_view::npos; at = text.find(id, at + 1)) {
    const auto end = at + id.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Whether text can be the source of a value: it has the names and the unary operators of the value. The compiler leaves
// out operations on constants; it adds none. Identifiers that are not ASCII may be written in several ways.
bool may_be_source(const ast::Tree& tree, ExprId value, std::string_view text) {
  bool fits = !text.empty() && !text.starts_with('{');
  const bool ascii = is_ascii(text);
  const auto needs_name = [&](NameId id) {
    fits = fits && is_plain_identifier(tree.text(id)) && (!ascii || names(text, tree.text(id)));
  };
  ast::Visitor visitor;
  visitor.expr = [&](ExprId e) {
    const auto& node = tree.exprs[e].node;
    if (const auto* n = std::get_if<ast::Name>(&node)) needs_name(n->id);
    if (const auto* a = std::get_if<ast::Attribute>(&node)) needs_name(a->attr);
    if (const auto* u = std::get_if<ast::UnaryOp>(&node); u != nullptr && u->op != ast::UnaryOperator::kNot) {
      static constexpr std::string_view kSigns = "~ +-";
      fits = fits && text.find(kSigns[static_cast<std::size_t>(u->op)]) != std::string_view::npos;
    }
    return fits;
  };
  ast::walk(tree, value, visitor);
  return fits;
}

// What a value is formatted by is itself text and fields.
ExprId specification(Machine& m, ExprId spec) {
  const auto& node = m.unit.ast.exprs[spec].node;
  if (std::holds_alternative<ast::JoinedStr>(node) || std::holds_alternative<ast::StrLiteral>(node) ||
      m.constant_of<ConstStr>(spec) != nullptr)
    return spec;
  return m.make(ast::JoinedStr{{m.make(ast::FormattedValue{spec, 0, {}})}});
}

constexpr std::array<char, 4> kConversions{0, 's', 'r', 'a'};

// The value on the stack, which 3.13 on has converted with an operation of its own.
void format_value(Machine& m, char conversion, bool has_spec) {
  const ExprId spec = has_spec ? specification(m, m.pop_expr()) : ExprId{};
  ExprId value = m.pop_expr();
  if (auto* f = std::get_if<ast::FormattedValue>(&m.unit.ast.exprs[value].node))
    f->spec = spec;
  else
    value = m.make(ast::FormattedValue{value, conversion, spec});
  m.push_expr(m.make(ast::JoinedStr{{value}}));
}

}  // namespace

ExprId build_string(Machine& m, const Values& parts) {
  ExprIds values, whole;
  bool plain = true;
  for (Value p : parts) {
    m.embed(p);
    const ExprId e = as_expr(m, p);
    whole.push_back(e);
    plain = plain &&
            (std::holds_alternative<ast::JoinedStr>(m.unit.ast.exprs[e].node) || m.constant_of<ConstStr>(e) != nullptr);
    if (const auto* j = std::get_if<ast::JoinedStr>(&m.unit.ast.exprs[e].node)) {
      const auto inner = j->values;
      values.insert(values.end(), inner.begin(), inner.end());
    } else {
      values.push_back(e);
    }
  }
  if (!plain) {  // strings that nothing formats: no f-string, but what the operation does
    const ExprId parts_of_it = m.make(ast::Tuple{std::move(whole)});
    const ExprId join = m.make(ast::Attribute{m.make(ast::StrLiteral{""}), m.unit.ast.intern("join")});
    return m.make(ast::Call{join, {parts_of_it}, {}});
  }
  return m.make(ast::JoinedStr{std::move(values)});
}

void text_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_STRING: {
      Values parts(insn.arg);
      for (std::uint32_t i = insn.arg; i-- > 0;) parts[i] = m.pop();
      m.push_expr(build_string(m, parts));
      return;
    }
    case Op::FORMAT_VALUE: return format_value(m, kConversions[insn.arg & 3U], (insn.arg & 4U) != 0);
    case Op::CONVERT_VALUE:  // 3.13+: FORMAT_SIMPLE or FORMAT_WITH_SPEC follows
      return m.push_expr(m.make(ast::FormattedValue{m.pop_expr(), kConversions[insn.arg & 3U], {}}));
    case Op::FORMAT_SIMPLE:
    case Op::FORMAT_WITH_SPEC: return format_value(m, 0, insn.op == Op::FORMAT_WITH_SPEC);
    case Op::BUILD_INTERPOLATION: {
      ExprId spec;
      if ((insn.arg & 1U) != 0) spec = m.pop_expr();
      const ExprId text = m.pop_expr();
      const ExprId value = m.pop_expr();
      const char conversion = kConversions[(insn.arg >> 2U) & 3U];
      const auto* source = m.constant_of<ConstStr>(text);
      const bool fits = source != nullptr && may_be_source(m.unit.ast, value, source->text);
      if (!fits && m.literal != nullptr) return m.push_expr(interpolation(m, {value, text}, conversion, spec));
      if (!fits) m.refuse("an interpolation whose text is not its value's");
      m.push_expr(m.make(ast::Interpolation{value, fits ? source->text : "", conversion, spec}));
      return;
    }
    case Op::BUILD_TEMPLATE: {
      const ExprId interpolations = m.pop_expr(), strings = m.pop_expr();
      const auto texts = tuple_items(m, strings).value_or(ExprIds{});
      const auto fields = tuple_items(m, interpolations).value_or(ExprIds{});
      const auto is_field = [&](ExprId e) {
        return std::holds_alternative<ast::Interpolation>(m.unit.ast.exprs[e].node);
      };
      if (texts.size() != fields.size() + 1 || !std::ranges::all_of(fields, is_field)) {
        if (m.literal != nullptr) return m.push_expr(template_of(m, strings, interpolations));
        m.refuse("parts of a template");
      }
      ExprIds values;
      for (std::size_t i = 0; i < texts.size(); ++i) {
        values.push_back(texts[i]);
        if (i < fields.size()) values.push_back(fields[i]);
      }
      m.push_expr(m.make(ast::TemplateStr{values}));
      return;
    }
    default: return;
  }
}

}  // namespace depyf::lift
