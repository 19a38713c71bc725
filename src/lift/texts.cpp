// SPDX-License-Identifier: MIT
// Formatted strings, and templates (3.14+).
#include "ast/walk.h"
#include "lift/lift.h"

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
  bool fits = true;
  const bool ascii = is_ascii(text);
  const auto needs_name = [&](NameId id) { fits = fits && (!ascii || names(text, tree.text(id))); };
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

}  // namespace

// What a value is formatted by is itself text and fields.
ExprId Lifter::specification(ExprId spec) {
  const auto& node = unit_.ast.exprs[spec].node;
  const auto* constant = constant_of(spec);
  if (std::holds_alternative<ast::JoinedStr>(node) || std::holds_alternative<ast::StrLiteral>(node) ||
      (constant != nullptr && std::holds_alternative<ConstStr>(*constant)))
    return spec;
  return make(ast::JoinedStr{{make(ast::FormattedValue{spec, 0, {}})}});
}

void Lifter::format_value(std::uint32_t arg) {
  static constexpr char kConversions[] = {0, 's', 'r', 'a'};
  ExprId spec;
  if ((arg & 4U) != 0) spec = specification(pop_expr());
  const ExprId value = pop_expr();
  push_expr(make(ast::JoinedStr{{make(ast::FormattedValue{value, kConversions[arg & 3U], spec})}}));
}

ExprId Lifter::build_string(const Values& parts) {
  ExprIds values, whole;
  bool plain = true;
  for (Value p : parts) {
    embed(p);
    const ExprId e = as_expr(p);
    whole.push_back(e);
    const auto* constant = constant_of(e);
    plain = plain && (std::holds_alternative<ast::JoinedStr>(unit_.ast.exprs[e].node) ||
                      (constant != nullptr && std::holds_alternative<ConstStr>(*constant)));
    if (const auto* j = std::get_if<ast::JoinedStr>(&unit_.ast.exprs[e].node)) {
      const auto inner = j->values;
      values.insert(values.end(), inner.begin(), inner.end());
    } else {
      values.push_back(e);
    }
  }
  if (!plain) {  // strings that nothing formats: no f-string, but what the operation does
    const ExprId parts_of_it = make(ast::Tuple{std::move(whole)});
    const ExprId join = make(ast::Attribute{make(ast::StrLiteral{""}), unit_.ast.intern("join")});
    return make(ast::Call{join, {parts_of_it}, {}});
  }
  return make(ast::JoinedStr{std::move(values)});
}

Result<bool> Lifter::text_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_STRING: {
      Values parts(insn.arg);
      for (std::uint32_t i = insn.arg; i-- > 0;) parts[i] = pop();
      push_expr(build_string(parts));
      return true;
    }
    case Op::FORMAT_VALUE: format_value(insn.arg); return true;
    case Op::CONVERT_VALUE: {  // 3.13+: FORMAT_SIMPLE or FORMAT_WITH_SPEC follows
      static constexpr char kConversions[] = {0, 's', 'r', 'a'};
      const ExprId value = pop_expr();
      push_expr(make(ast::FormattedValue{value, kConversions[insn.arg & 3U], {}}));
      return true;
    }
    case Op::FORMAT_SIMPLE:
    case Op::FORMAT_WITH_SPEC: {
      ExprId spec;
      if (insn.op == Op::FORMAT_WITH_SPEC) spec = specification(pop_expr());
      const ExprId value = pop_expr();
      if (auto* f = std::get_if<ast::FormattedValue>(&unit_.ast.exprs[value].node)) {
        f->spec = spec;
        push_expr(make(ast::JoinedStr{{value}}));
      } else {
        push_expr(make(ast::JoinedStr{{make(ast::FormattedValue{value, 0, spec})}}));
      }
      return true;
    }
    case Op::BUILD_INTERPOLATION: {
      static constexpr char kConversions[] = {0, 's', 'r', 'a'};
      ExprId spec;
      if ((insn.arg & 1U) != 0) spec = pop_expr();
      const ExprId text = pop_expr();
      const ExprId value = pop_expr();
      std::string source;
      if (const auto* c = constant_of(text))
        if (const auto* str = std::get_if<ConstStr>(c)) source = str->text;
      if (!may_be_source(unit_.ast, value, source)) refuse("an interpolation whose text is not its value's");
      push_expr(make(ast::Interpolation{value, source, kConversions[(insn.arg >> 2U) & 3U], spec}));
      return true;
    }
    case Op::BUILD_TEMPLATE: {
      const ExprId interpolations = pop_expr(), strings = pop_expr();
      ExprIds fields, texts;
      const auto flatten = [&](ExprId x, ExprIds& out) {
        if (const auto* t = std::get_if<ast::Tuple>(&unit_.ast.exprs[x].node)) out = t->elts;
        if (const auto* c = constant_of(x))
          if (const auto* t = std::get_if<ConstTuple>(c))
            for (ConstId k : t->items) out.push_back(constant_expr(unit_, k, origin_));
      };
      flatten(strings, texts);
      flatten(interpolations, fields);
      const auto is_field = [&](ExprId e) {
        return std::holds_alternative<ast::Interpolation>(unit_.ast.exprs[e].node);
      };
      if (texts.size() != fields.size() + 1 || !std::ranges::all_of(fields, is_field)) refuse("parts of a template");
      ExprIds values;
      for (std::size_t i = 0; i < texts.size(); ++i) {
        values.push_back(texts[i]);
        if (i < fields.size()) values.push_back(fields[i]);
      }
      push_expr(make(ast::TemplateStr{values}));
      return true;
    }
    default: return false;
  }
}

}  // namespace depyf::lift
