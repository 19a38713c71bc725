// SPDX-License-Identifier: MIT
// The parts of lifting that concern a whole code object: the tables of names, entry points of a line, the forms of
// `assert` messages, of annotations that are strings, and of mangled names.
#include <algorithm>
#include <array>
#include <cctype>

#include "ast/constants.h"
#include "lift/families.h"

namespace depyf::lift {

Lifter::Lifter(Unit& of, CodeId id)
    : unit(of),
      code(id),
      co(of.code.codes[id]),
      argument(of.argument_name()),
      slots(of.ast, of.options.temp_prefix, id),
      first_stmt(static_cast<std::uint32_t>(of.ast.stmts.size())) {
  const auto add = [&](std::vector<NameId>& to, const std::vector<std::string>& texts) {
    to.reserve(to.size() + texts.size());
    for (const auto& text : texts) to.push_back(unit.unmangled(code, text));
  };
  add(names, co.names);
  add(locals, local_names(co));
  if (!co.localsplus.empty() || unit.dialect.exception_table) return;
  add(cells, co.cellvars);
  add(cells, co.freevars);
}

void Lifter::add_variables(std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) locals.push_back(unit.fresh_temp());
}

bool Lifter::is_comprehension() const {
  return co.name == "<listcomp>" || co.name == "<setcomp>" || co.name == "<dictcomp>";
}

bool Lifter::is_expression() const { return is_comprehension() || co.name == "<genexpr>" || co.name == "<lambda>"; }

std::string_view Lifter::attribute_of(std::uint32_t bit) {
  return bit == 1 ? "__defaults__" : bit == 2 ? "__kwdefaults__" : bit == 4 ? "__annotations__" : "__annotate__";
}

std::optional<NameId> Lifter::stored_name(const Instruction& insn) const {
  switch (insn.op) {
    case Op::STORE_FAST: return locals[insn.arg];
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL: return names[insn.arg];
    case Op::STORE_DEREF: return derefs()[insn.arg];
    default: return std::nullopt;
  }
}

Status Lifter::run(State& state, Line line, std::size_t first, std::size_t last) {
  return Machine(*this, state, line).run(first, last);
}

Status Lifter::run(State& state, Line line, std::size_t first, std::size_t last, Literal& literal) {
  shared = {};
  annotates = literal.annotates;
  state.plain_end = first;
  return Machine(*this, state, line, &literal).run(first, last);
}

ExprId Lifter::expression(State& state, Value& v, const Instruction& at, Literal& literal) {
  Machine m(*this, state, {&at, 1}, &literal);
  m.insn = &at;
  m.origin = {code, at.offset};
  return as_expr(m, v);
}

void Lifter::define(State& state, FunctionValue f, NameId name, bool renames) {
  const Instruction made{.op = Op::MAKE_FUNCTION, .offset = f.offset};
  Machine m(*this, state, {&made, 1});
  m.insn = &made;
  m.origin = {code, f.offset};
  m.push_stmt(function_stmt(m, f, name));
  if (renames) rename(m, f, name);
}

Status Lifter::test_case(State& state, ast::PatternId pattern, bool keeps_subject) {
  Machine m(*this, state, {});
  if (!m.has(1)) return Error{Errc::kMalformed, kNowhere, "a case without a subject"};
  Value v = m.pop();
  state.end = EndKind::kCase;
  state.pattern = pattern;
  if (v.kind != ValueKind::kSubject) {
    m.embed(v);
    v.expr = as_expr(m, v);
    v.kind = ValueKind::kSubject;
  }
  state.cond = v.expr;
  if (keeps_subject) m.push(v);
  return depyf::Unit{};
}

std::optional<ExprId> Unit::assert_message(const ast::StmtNode& statement) const {
  const auto* raise = std::get_if<ast::Raise>(&statement);
  if (raise == nullptr || !raise->exc.valid() || raise->cause.valid()) return std::nullopt;
  if (assertion_errors.contains(raise->exc.n)) return ExprId{};
  const auto* c = std::get_if<ast::Call>(&ast.exprs[raise->exc].node);
  if (c == nullptr || !assertion_errors.contains(c->func.n) || c->args.size() != 1 || !c->keywords.empty() ||
      std::holds_alternative<ast::Starred>(ast.exprs[c->args[0]].node))
    return std::nullopt;
  return c->args[0];
}

namespace {

// Restores `...` in the source of an annotation. 3.8 writes constants by repr(), so that `Callable[..., None]` is
// stored as 'Callable[(Ellipsis, None)]' (append_ast_constant in Python/ast_unparse.c). Only tuples are changed: among
// the arguments of a call, `Ellipsis` is the name.
std::string without_repr(std::string_view text) {
  static constexpr std::string_view kName = "Ellipsis", kOperand = "_)]'\"";
  std::string out;
  std::vector<bool> in_tuple{false};  // for each open bracket, outermost first: whether it begins a tuple
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], before = i > 0 ? text[i - 1] : '[';
    if (quote == 0 && in_tuple.back() && (before == '(' || before == ' ') && text.substr(i).starts_with(kName) &&
        (text.substr(i + kName.size()).starts_with(',') || text.substr(i + kName.size()).starts_with(')'))) {
      out += "...";
      i += kName.size() - 1;
      continue;
    }
    out += c;
    if (quote != 0) {
      if (c == '\\' && i + 1 < text.size()) out += text[++i];
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      const bool follows_operand =
          std::isalnum(static_cast<unsigned char>(before)) != 0 || kOperand.find(before) != std::string_view::npos;
      in_tuple.push_back(c == '(' && !follows_operand);
    } else if ((c == ')' || c == ']' || c == '}') && in_tuple.size() > 1) {
      in_tuple.pop_back();
    }
  }
  return out;
}

}  // namespace

ExprId Unit::annotation_of_text(ExprId e) {
  const auto* s = e.valid() ? ast::constant_of<ConstStr>(ast, code, e) : nullptr;
  if (s == nullptr) return e;
  return ast.expr(ast::Verbatim{dialect.annotations_by_repr ? without_repr(s->text) : s->text}, ast.exprs[e].origin);
}

namespace {

bool is_variable(const CodeObject& code, std::string_view name) {
  return std::ranges::any_of(std::array{&code.varnames, &code.cellvars, &code.freevars},
                             [&](const auto* names) { return std::ranges::find(*names, name) != names->end(); });
}

}  // namespace

NameId Unit::unmangled(CodeId of, std::string_view text) const {
  const std::string_view cls = class_names[of.n];
  if (!cls.empty() && text.starts_with('_') && text.substr(1).starts_with(cls) && !text.ends_with("__") &&
      text.substr(1 + cls.size()).starts_with("__") && text.find('.') == std::string_view::npos)
    text.remove_prefix(1 + cls.size());
  if (text.starts_with('.') && is_variable(code.codes[of], text))
    return ast.intern(options.temp_prefix + "arg" + std::string(text.substr(1)));
  return ast.intern(text);
}

}  // namespace depyf::lift
