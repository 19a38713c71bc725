// SPDX-License-Identifier: MIT
// `format % (a, b)` that the compiler has kept, though it makes an f-string of a literal format (optimize_format() of
// ast_opt.c): there the format was no plain literal, and the text must not have one either.
#include <algorithm>

#include "lift/families.h"

namespace depyf::lift {

namespace {

// How many fields a format has; nothing where optimize_format() of ast_opt.c takes none of it.
std::optional<std::size_t> simple_fields(std::string_view format) {
  std::size_t fields = 0;
  const auto number = [&](std::size_t& i) {
    const std::size_t from = i;
    while (i < format.size() && format[i] >= '0' && format[i] <= '9') ++i;
    return i - from <= 3;
  };
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    if (++i < format.size() && format[i] == '%') continue;
    i = std::min(format.find_first_not_of("-+ #0", i), format.size());
    if (!number(i) || (i < format.size() && format[i] == '.' && !number(++i))) return std::nullopt;
    if (i >= format.size() || std::string_view("sra").find(format[i]) == std::string_view::npos) return std::nullopt;
    ++fields;
  }
  return fields;
}

}  // namespace

ExprId format_as_kept(Machine& m, ast::BinaryOperator op, ExprId left, ExprId right) {
  const auto* values = std::get_if<ast::Tuple>(&m.unit.ast.exprs[right].node);
  const auto* format = m.constant_of<ConstStr>(left);
  if (!m.unit.dialect.percent_is_fstring || op != ast::BinaryOperator::kRemainder || values == nullptr ||
      format == nullptr)
    return left;
  for (const ExprId e : values->elts)
    if (std::holds_alternative<ast::Starred>(m.unit.ast.exprs[e].node)) return left;
  return simple_fields(format->text) == values->elts.size() ? m.make(ast::JoinedStr{{left}}) : left;
}

}  // namespace depyf::lift
