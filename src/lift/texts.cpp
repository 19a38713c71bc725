// SPDX-License-Identifier: MIT
// Lifts f-strings, and t-strings (3.14+).
//
// A field is pushed as an f-string of that field alone; BUILD_STRING concatenates the parts. A t-string is made of
// Interpolations, which carry the source text of their expressions: it must fit the value, see may_be_source().
#include <algorithm>
#include <array>

#include "ast/walk.h"
#include "lift/families.h"
#include "support/unicode.h"

namespace depyf::lift {

namespace {

// Returns whether an identifier occurs in source text as a whole word.
bool contains_identifier(std::string_view text, std::string_view id) {
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

// Returns whether `text` can be the source of an expression: it contains all its identifiers and unary operators. The
// converse is not required, since the compiler may fold operations. Non-ASCII identifiers have several spellings (they
// are NFKC-normalized), so they are not searched for.
bool may_be_source(const ast::Tree& tree, ExprId value, std::string_view text) {
  bool fits = !text.empty() && !text.starts_with('{');
  const bool ascii = is_ascii(text);
  const auto needs_name = [&](NameId id) {
    fits = fits && is_plain_identifier(tree.text(id)) && (!ascii || contains_identifier(text, tree.text(id)));
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

// Converts a format specification to the form of an f-string's: a string or an f-string.
ExprId specification(Machine& m, ExprId spec) {
  const auto& node = m.unit.ast.exprs[spec].node;
  if (std::holds_alternative<ast::JoinedStr>(node) || std::holds_alternative<ast::StrLiteral>(node) ||
      m.constant_of<ConstStr>(spec) != nullptr)
    return spec;
  return m.make(ast::JoinedStr{{m.make(ast::FormattedValue{spec, 0, {}})}});
}

constexpr std::array<char, 4> kConversions{0, 's', 'r', 'a'};

// Replaces the value on top of the stack by an f-string of one field. From 3.13 on CONVERT_VALUE has made the field,
// with its conversion, before.
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

// Concatenates strings and f-strings to one f-string; in the order of `parts`.
ExprId build_string(Machine& m, const Values& parts) {
  ExprIds values, all_parts;
  bool plain = true;
  for (Value p : parts) {
    m.embed(p);
    const ExprId e = as_expr(m, p);
    all_parts.push_back(e);
    plain = plain &&
            (std::holds_alternative<ast::JoinedStr>(m.unit.ast.exprs[e].node) || m.constant_of<ConstStr>(e) != nullptr);
    if (const auto* j = std::get_if<ast::JoinedStr>(&m.unit.ast.exprs[e].node)) {
      const auto inner = j->values;
      values.insert(values.end(), inner.begin(), inner.end());
    } else {
      values.push_back(e);
    }
  }
  if (!plain) {  // some part is another expression: written as ''.join((...)), which does the same
    const ExprId items = m.make(ast::Tuple{std::move(all_parts)});
    const ExprId join = m.make(ast::Attribute{m.make(ast::StrLiteral{""}), m.unit.ast.intern("join")});
    return m.make(ast::Call{join, {items}, {}});
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
