// SPDX-License-Identifier: MIT
// The printer's engine: the stack of tasks, brackets and their limit, names, errors; and the two entry points.
//
// Invariant: run_deferred() returns with the stack as high as it was, also after an error. See printer.h.
#include "print/printer.h"

#include <algorithm>

#include "support/unicode.h"

namespace depyf {

Printer::Parts::~Parts() {
  auto& tasks = printer_.tasks_;
  if (printer_.deferring_) std::reverse(tasks.begin() + static_cast<std::ptrdiff_t>(base_), tasks.end());
}

Printer::Parts& Printer::Parts::comma(bool& first) {
  if (!first && printer_.deferring_) defer({Task::Kind::kComma, 0, 0, 0, {}});
  if (!first && !printer_.deferring_) printer_.put_comma();
  first = false;
  return *this;
}

Printer::Parts& Printer::Parts::comma_and_new_line() {
  if (printer_.deferring_) return defer({Task::Kind::kNewLine, 0, 0, 0, {}});
  printer_.put_comma_and_new_line();
  return *this;
}

Printer::Parts& Printer::Parts::exprs(const ast::ExprIds& ids, Level place) {
  bool first = true;
  for (const ast::ExprId id : ids) comma(first).expr(id, place);
  return *this;
}

void Printer::fail(Errc code, std::string what) {
  if (!error_) error_ = Error{code, kNowhere, "printing: " + std::move(what)};
}

void Printer::require(bool has_feature, std::string_view what) {
  if (!has_feature) fail(Errc::kInternal, std::string(what) + " is not in the grammar of the target version");
}

void Printer::run_task(const Task& task) {
  if (failed()) return;
  switch (task.kind) {
    case Task::Kind::kText: return put(task.text);
    case Task::Kind::kOpen: return open(task.text);
    case Task::Kind::kClose: return close(task.text);
    case Task::Kind::kComma: return put_comma();
    case Task::Kind::kNewLine: return put_comma_and_new_line();
    case Task::Kind::kExpr: return visit_expr(ast::ExprId{task.id}, static_cast<Level>(task.place), task.flags);
    case Task::Kind::kConst: return visit_const(ConstId{task.id}, static_cast<Level>(task.place), task.flags);
    case Task::Kind::kPattern: return visit_pattern(ast::PatternId{task.id}, static_cast<PatternLevel>(task.place));
    case Task::Kind::kEndMark: return out_.end_mark(task.id);
  }
}

void Printer::run_deferred(const Task& task) {
  const bool around = std::exchange(deferring_, true);
  const std::size_t base = tasks_.size();
  tasks_.push_back(task);
  while (tasks_.size() > base && !failed()) {
    const Task next = tasks_.back();
    tasks_.pop_back();
    run_task(next);
  }
  tasks_.resize(base);
  deferring_ = around;
}

void Printer::expr(ast::ExprId id, Level place, std::uint8_t flags) {
  print_nested({Task::Kind::kExpr, static_cast<std::uint8_t>(place), flags, id.n, {}});
}

// Lines are broken only for compilers that give up optimising a code object with a line of over 254 bytes of code
// (Python/peephole.c, "many instructions between lines"; up to 3.9); elsewhere line breaks can only do harm.
void Printer::put_comma() {
  constexpr std::uint32_t kWidth = 100;
  if (!wraps_ || parentheses_ == 0 || out_.column() < kWidth) return put(", ");
  put_comma_and_new_line();
}

void Printer::put_comma_and_new_line() {
  put(",");
  out_.newline();
  out_.indent(std::size_t{indents_ + 1} * options_.indent);
}

// Parser/tokenizer.c: "too many nested parentheses" at MAXLEVEL; all kinds of brackets count.
void Printer::open(std::string_view text) {
  if (++parentheses_ > dialect_.max_nested_parentheses) {
    fail(Errc::kLimitExceeded, "more than " + std::to_string(dialect_.max_nested_parentheses) + " nested parentheses");
  }
  put(text);
}

void Printer::close(std::string_view text) {
  --parentheses_;
  put(text);
}

std::string_view Printer::name(ast::NameId id) {
  if (!id.valid()) {
    fail(Errc::kInternal, "a name is missing");
    return {};
  }
  const std::string_view text = tree_.text(id);
  if (id.n >= known_names_.size()) known_names_.resize(2 * std::size_t{id.n} + 64);
  if (known_names_[id.n] != 0) return text;
  if (is_plain_identifier(text)) {
    known_names_[id.n] = 1;
  } else {
    fail(Errc::kInternal, "no identifier: '" + std::string(text) + "'");
  }
  return text;
}

void Printer::put_dotted(const std::string& text) {
  if (!is_dotted_identifier(text)) fail(Errc::kInternal, "no dotted name: '" + text + "'");
  put(text);
}

Result<Printed> print(const CodeTree& code, const ast::Tree& tree, const ast::Block& body, const Dialect& dialect,
                      const PrintOptions& options) {
  Printer printer(code, tree, dialect, options);
  printer.module(body);
  if (printer.failed()) return printer.take_error();
  return Printed{printer.out().take_text(), printer.out().take_map(), printer.codes()};
}

Result<std::string> print_expr(const CodeTree& code, const ast::Tree& tree, ast::ExprId expr, const Dialect& dialect) {
  const PrintOptions options;
  Printer printer(code, tree, dialect, options);
  printer.expr(expr, Level::kTest);
  if (printer.failed()) return printer.take_error();
  return printer.out().take_text();
}

}  // namespace depyf
