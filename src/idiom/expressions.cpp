// SPDX-License-Identifier: MIT
// Restores the form of expressions; see expressions.h.
#include "idiom/expressions.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "ast/constants.h"
#include "ast/negation.h"
#include "ast/walk.h"
#include "idiom/columns.h"
#include "idiom/spellings.h"

namespace depyf::idiom {

namespace {

constexpr std::int32_t kMaxLineLength = 120;

// A constant as `unit * times`.
struct Repetition {
  std::string_view unit;
  std::int64_t times = 0;
  bool is_bytes = false;
};

// Returns how a string or bytes constant repeats a short unit; nullopt if it does not, or if the compiler would not
// have folded it: a folded constant has at most MAX_STR_SIZE characters (Python/ast_opt.c, Python/flowgraph.c).
std::optional<Repetition> repetition(const CodeTree& code, const ast::Tree& tree, ast::ExprId e) {
  constexpr std::size_t kMaxFolded = 4096, kMaxUnit = 4, kMinLength = 8;
  const auto* text = ast::constant_of<ConstStr>(tree, code, e);
  const auto* bytes = ast::constant_of<ConstBytes>(tree, code, e);
  if (text == nullptr && bytes == nullptr) return std::nullopt;
  const std::string_view data = text != nullptr ? text->text : bytes->data;
  if (data.size() < kMinLength || data.size() > kMaxFolded) return std::nullopt;
  const auto begins_character = [&](char c) { return bytes != nullptr || (static_cast<unsigned char>(c) >> 6U) != 2; };
  for (std::size_t unit = 1; unit <= kMaxUnit; ++unit)
    if (data.size() % unit == 0 && data.substr(unit) == data.substr(0, data.size() - unit) &&
        begins_character(data[unit]))
      return Repetition{data.substr(0, unit), static_cast<std::int64_t>(data.size() / unit), bytes != nullptr};
  return std::nullopt;
}

using Role = BoolOperators::Role;

class Expressions {
 public:
  Expressions(const CodeTree& code, ast::Tree& tree, const Dialect& dialect, SourcePositions& positions, CodeId own)
      : code_(code),
        tree_(tree),
        dialect_(dialect),
        columns_(tree, positions, own),
        own_(own),
        operators_(code, tree, dialect, columns_) {}

  void run(const ast::Block& body) {
    collect(body);
    for (const auto& [e, role] : tests_) operators_.write(e, role);
    for (const auto& [e, role] : values_) operators_.write(e, role);
    for (const auto e : constants_)
      if (!literals_.contains(e)) write_repetition(e);
    if (!dialect_.percent_is_fstring) return;
    for (const auto e : strings_)
      if (!literals_.contains(e)) write_percent(e);
  }

 private:
  void collect(const ast::Block& body) {
    const auto in_stmt = [&](ast::StmtId s) {
      const auto& n = tree_.stmts[s].node;
      if (const auto* test = std::get_if<ast::If>(&n)) {
        tests_.emplace_back(test->test, elifs_.contains(s) ? Role::kElif : Role::kIf);
        if (test->orelse.size() == 1) elifs_.insert(test->orelse[0]);  // it may also be an `if` in an `else`
      }
      if (const auto* loop = std::get_if<ast::While>(&n)) tests_.emplace_back(loop->test, Role::kWhile);
      if (const auto* a = std::get_if<ast::Assert>(&n)) tests_.emplace_back(a->test, Role::kAsserted);
      if (const auto* r = std::get_if<ast::Return>(&n); r != nullptr && r->value.valid())
        values_.emplace_back(r->value, Role::kReturned);
      if (const auto* docstring = std::get_if<ast::ExprStmt>(&n)) literals_.insert(docstring->value);
      return !ast::is_scope(n);
    };
    const auto in_expr = [&](ast::ExprId e) {
      const auto& n = tree_.exprs[e].node;
      if (const auto* x = std::get_if<ast::IfExp>(&n)) tests_.emplace_back(x->test, Role::kTest);
      if (const auto* c = std::get_if<ast::Comprehension>(&n))
        for (const auto& g : c->generators)
          for (const auto test : g.ifs) tests_.emplace_back(test, Role::kClause);
      if (const auto* f = std::get_if<ast::FormattedValue>(&n); f != nullptr && f->spec.valid())
        literals_.insert(f->spec);
      if (const auto* i = std::get_if<ast::Interpolation>(&n); i != nullptr && i->spec.valid())
        literals_.insert(i->spec);
      if (const auto* joined = std::get_if<ast::JoinedStr>(&n))
        literals_.insert(joined->values.begin(), joined->values.end());
      if (const auto* t = std::get_if<ast::TemplateStr>(&n)) literals_.insert(t->values.begin(), t->values.end());
      if (ast::is<ast::BoolOp>(n)) values_.emplace_back(e, Role::kValue);
      // Constants and strings of a nested code object are handled with that, since their positions are in its line
      // table. A constant of an annotation function may be the unquoted text of an annotation.
      if (tree_.exprs[e].origin.code == own_ && code_.codes[own_].name != "__annotate__" && repetition(code_, tree_, e))
        constants_.push_back(e);
      if (ast::is<ast::JoinedStr>(n) && tree_.exprs[e].origin.code == own_) strings_.push_back(e);
      return true;
    };
    const auto in_pattern = [&](ast::PatternId p) {
      ast::for_each_child(
          tree_.patterns[p].node, [&](ast::ExprId e) { literals_.insert(e); }, [](ast::PatternId) {},
          [](const ast::Block&) {});
      return true;
    };
    ast::walk(tree_, body, Overloaded{in_stmt, in_expr, in_pattern});
  }

  // Returns the text of a part of an f-string, null if the part is a field.
  [[nodiscard]] const std::string* text_of(ast::ExprId e) const {
    if (const auto* s = std::get_if<ast::StrLiteral>(&tree_.exprs[e].node)) return &s->text;
    const auto* constant = std::get_if<ast::ConstantExpr>(&tree_.exprs[e].node);
    const auto* s = constant != nullptr ? std::get_if<ConstStr>(&code_.consts[constant->value]) : nullptr;
    return s != nullptr ? &s->text : nullptr;
  }

  // Returns the `%` conversion from which optimize_format() makes the field: `%-20s` for `!s:20`, `%20.3r` for
  // `!r:>20.3`. Returns nullopt if there is none.
  [[nodiscard]] std::optional<std::string> conversion(const ast::FormattedValue& field) const {
    std::string spec, out = "%";
    if (field.conversion == 0) return std::nullopt;
    if (field.spec.valid()) {
      const auto* text = text_of(field.spec);
      if (text == nullptr || text->empty()) return std::nullopt;
      spec = *text;
    }
    std::size_t at = 0;
    const auto digits = [&] {
      const auto from = at;
      while (at < spec.size() && spec[at] >= '0' && spec[at] <= '9') ++at;
      return at - from;
    };
    const bool right = !spec.empty() && spec[0] == '>';
    if (right) ++at;
    const auto from = at;
    const auto width = digits();
    if (width > 2 || (width > 0 && spec[from] == '0') || (right && width == 0)) return std::nullopt;
    if (width > 0 && !right) out += '-';
    out += spec.substr(from, width);
    if (at < spec.size()) {
      const auto dot = at;
      if (spec[at++] != '.' || digits() == 0 || at - dot > 3 || (at - dot > 2 && spec[dot + 1] == '0'))
        return std::nullopt;
      out += spec.substr(dot, at - dot);
    }
    if (at < spec.size()) return std::nullopt;
    return out + field.conversion;
  }

  // Returns whether a field has the position of its value: then it has no braces in the source.
  [[nodiscard]] bool has_no_braces(ast::ExprId field, ast::ExprId value) const {
    const auto &a = tree_.exprs[field].origin, &b = tree_.exprs[value].origin;
    const auto *p = columns_.position_of(a), *q = columns_.position_of(b);
    return a.offset != b.offset && p != nullptr && q != nullptr && *p == *q;
  }

  // Returns whether a field starts before its value: then it has braces in the source.
  [[nodiscard]] bool has_braces(ast::ExprId field, ast::ExprId value) const {
    const auto* position = columns_.position_of(tree_.exprs[field].origin);
    const auto inner = columns_.extent(value);
    return position != nullptr && inner && position->line == inner->line && position->column >= 0 &&
           position->column < inner->column;
  }

  // Replaces an f-string by a `%` operation, if it was one in the source.
  void write_percent(ast::ExprId e) {
    const auto* joined = std::get_if<ast::JoinedStr>(&tree_.exprs[e].node);
    if (joined == nullptr) return;  // an expression that is used twice was already replaced
    const auto parts = joined->values;
    std::string format;
    ast::ExprIds values;
    bool is_percent = false, is_known = true;
    for (const auto part : parts) {
      if (const auto* text = text_of(part)) {
        for (const char c : *text) format += c == '%' ? "%%" : std::string(1, c);
        continue;
      }
      const auto* field = std::get_if<ast::FormattedValue>(&tree_.exprs[part].node);
      const auto written = field != nullptr ? conversion(*field) : std::nullopt;
      if (!written || has_braces(part, field->value)) return;
      is_percent = is_percent || field->conversion == 's' || has_no_braces(part, field->value);
      format += *written;
      values.push_back(field->value);
      is_known = is_known && ast::is_constant(tree_, field->value);
    }
    if (!is_percent || is_known) return;  // a tuple of constants is a constant before optimize_format() sees it
    const auto origin = tree_.exprs[e].origin;
    const auto left = tree_.expr(ast::StrLiteral{std::move(format)}, origin);
    const auto right = tree_.expr(ast::Tuple{std::move(values)}, origin);
    tree_.exprs[e].node = ast::BinOp{left, ast::BinaryOperator::kRemainder, right};
  }

  // Writes `'-' * 70` for a constant that is longer than its range in the source, or than a line if this is unknown.
  void write_repetition(ast::ExprId e) {
    const auto& origin = tree_.exprs[e].origin;
    const auto* position = columns_.position_of(origin);
    const bool is_length_known = position != nullptr && position->line == position->end_line;
    const auto [unit, times, is_bytes] = *repetition(code_, tree_, e);
    const auto literal_length = static_cast<std::int64_t>(unit.size()) * times + (is_bytes ? 3 : 2);
    if (literal_length <= (is_length_known ? position->end_column - position->column : kMaxLineLength)) return;
    const auto left = is_bytes ? tree_.expr(ast::BytesLiteral{std::string(unit)}, origin)
                               : tree_.expr(ast::StrLiteral{std::string(unit)}, origin);
    const auto right = tree_.expr(ast::IntLiteral{times}, origin);
    tree_.exprs[e].node = ast::BinOp{left, ast::BinaryOperator::kMultiply, right};
  }

  const CodeTree& code_;
  ast::Tree& tree_;
  const Dialect& dialect_;
  Columns columns_;
  CodeId own_;
  BoolOperators operators_;
  std::vector<std::pair<ast::ExprId, Role>> tests_, values_;  // outer expressions first
  std::set<ast::StmtId> elifs_;
  ast::ExprIds strings_, constants_;
  std::set<ast::ExprId> literals_;  // cannot be operations: docstrings, parts of f-strings, patterns
};

}  // namespace

void ExpressionWriter::write(const ast::Block& body, CodeId own, SourcePositions& positions) {
  Spellings spellings(code_, tree_, positions, own);
  const Columns columns(tree_, positions, own);
  const BoolOperators operators(code_, tree_, dialect_, columns);
  NodePositions::Extents extents;
  for (; examined_ < tree_.exprs.size(); ++examined_) {
    const auto& expr = tree_.exprs[ast::ExprId{examined_}];
    if (ast::is<ast::ConstantExpr, ast::Tuple>(expr.node))  // other expressions have one spelling
      if (const auto known = spellings.of(ast::ExprId{examined_}); known != ast::Spelling::kPlain)
        spellings_.emplace(examined_, known);
    if (!may_change(ast::ExprId{examined_}, operators, extents)) continue;
    for (CodeId code = expr.origin.code; code.valid() && !needs_rewrite_[code.n]; code = code_.codes[code].parent)
      needs_rewrite_[code.n] = true;
  }
  if (needs_rewrite_[own.n]) Expressions(code_, tree_, dialect_, positions, own).run(body);
}

// Returns whether the expression may have another form in the source: an operation with `and`, `or` or `not`, an
// f-string with a conversion, or a constant that repeats a unit.
bool ExpressionWriter::may_change(ast::ExprId e, const BoolOperators& operators, NodePositions::Extents& known) const {
  const auto& node = tree_.exprs[e].node;
  if (ast::is<ast::ConstantExpr>(node)) return repetition(code_, tree_, e).has_value();
  if (ast::is<ast::BoolOp>(node)) return dialect_.exception_table && !operators.is_written(e, known);
  if (const auto inner = ast::without_not(tree_, e); inner.valid())
    return ast::is<ast::BoolOp>(tree_.exprs[inner].node);
  const auto converts = [&](ast::ExprId part) {
    const auto* field = std::get_if<ast::FormattedValue>(&tree_.exprs[part].node);
    return field != nullptr && field->conversion != 0;
  };
  const auto* string = std::get_if<ast::JoinedStr>(&node);
  return string != nullptr && std::ranges::any_of(string->values, converts);
}

}  // namespace depyf::idiom
