// SPDX-License-Identifier: MIT
// The stack of tasks, and the two entry points; see printer.h.
//
// Invariant: run_deferred() leaves the stack of tasks as high as it was, also after an error.
#include "print/printer.h"

#include <algorithm>
#include <utility>

#include "print/nodes.h"

namespace depyf {

Parts::~Parts() {
  auto& tasks = printer_.tasks_;
  if (printer_.deferring_) std::reverse(tasks.begin() + static_cast<std::ptrdiff_t>(base_), tasks.end());
}

Parts& Parts::comma(bool& first) {
  if (!first && printer_.deferring_) defer({Task::Kind::kComma, 0, 0, 0, {}});
  if (!first && !printer_.deferring_) printer_.out.comma();
  first = false;
  return *this;
}

Parts& Parts::comma_and_new_line() {
  if (printer_.deferring_) return defer({Task::Kind::kNewLine, 0, 0, 0, {}});
  printer_.out.comma_and_new_line();
  return *this;
}

Parts& Parts::exprs(const ast::ExprIds& ids, Level place) {
  bool first = true;
  for (const ast::ExprId id : ids) comma(first).expr(id, place);
  return *this;
}

void Printer::run(const Task& task) {
  if (out.failed()) return;
  const auto level = static_cast<Level>(task.place);
  switch (task.kind) {
    case Task::Kind::kText: return out.put(task.text);
    case Task::Kind::kOpen: return out.open(task.text);
    case Task::Kind::kClose: return out.close(task.text);
    case Task::Kind::kComma: return out.comma();
    case Task::Kind::kNewLine: return out.comma_and_new_line();
    case Task::Kind::kExpr: return print_expr(*this, ast::ExprId{task.id}, level, task.flags);
    case Task::Kind::kConst: return print_constant(*this, ConstId{task.id}, level, task.flags);
    case Task::Kind::kPattern:
      return print_pattern(*this, ast::PatternId{task.id}, static_cast<PatternLevel>(task.place));
    case Task::Kind::kEndMark: return out.end_mark(task.id);
  }
}

void Printer::run_deferred(const Task& task) {
  const bool was_deferring = std::exchange(deferring_, true);
  const std::size_t base = tasks_.size();
  tasks_.push_back(task);
  while (tasks_.size() > base && !out.failed()) {
    const Task next = tasks_.back();
    tasks_.pop_back();
    run(next);
  }
  tasks_.resize(base);
  deferring_ = was_deferring;
}

Result<Printed> print(const CodeTree& code, const ast::Tree& tree, const ast::Block& body, const Dialect& dialect,
                      const PrintOptions& options) {
  const Input input{code, tree, dialect, options};
  Printer printer(input);
  print_module(printer, body);
  if (printer.out.failed()) return printer.out.take_error();
  return Printed{printer.out.take_text(), printer.out.take_map(), std::move(printer.codes)};
}

Result<std::string> print_expr(const CodeTree& code, const ast::Tree& tree, ast::ExprId expr, const Dialect& dialect) {
  const PrintOptions options;
  const Input input{code, tree, dialect, options};
  Printer printer(input);
  printer.expr(expr, Level::kTest);
  if (printer.out.failed()) return printer.out.take_error();
  return printer.out.take_text();
}

}  // namespace depyf
