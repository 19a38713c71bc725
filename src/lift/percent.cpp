// SPDX-License-Identifier: MIT
// `format % (a, b)` that the compiler did not optimize. optimize_format() in Python/ast_opt.c turns it into an f-string
// if the format is a string literal with simple fields. If the bytecode has the operator nonetheless, the source wrote
// the format in another way, and the text has to do so, too: it writes the format as an f-string without fields.
#include <algorithm>

#include "lift/families.h"

namespace depyf::lift {

namespace {

// Returns the number of fields of a format; nullopt if it has a field that optimize_format() does not handle.
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

// Returns the left operand of a binary operation, as an f-string if the compiler would optimize the operation else.
ExprId unoptimized_format(Machine& m, ast::BinaryOperator op, ExprId left, ExprId right) {
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
