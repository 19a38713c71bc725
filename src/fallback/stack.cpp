// SPDX-License-Identifier: MIT
// The abstract operand stack: pushing, popping and storing entries, and clearing dead variables; see machine.h.
#include <algorithm>

#include "fallback/families.h"

namespace depyf::fallback {

namespace {

constexpr std::uint32_t kMaxHeight = 24;  // of pending expressions; CPython limits nested parentheses

// Emits the def statements of those of the top n entries that are functions and no lambdas.
void define_functions(Machine& m, std::size_t n) {
  for (std::size_t i = m.size() - n; i < m.size(); ++i) {
    const Entry& e = m.state.stack[i];
    if (e.kind == Kind::kFunction && !function_value(m, e.a).valid()) m.materialise(i);
  }
}

}  // namespace

void Machine::push(ExprId expr, const std::vector<Entry>& from, Form form) {
  Entry entry;
  entry.form = form;
  entry.expr = expr;
  for (const auto& e : from) {
    entry.height = std::max(entry.height, e.height + 1);
    entry.uses.insert(entry.uses.end(), e.uses.begin(), e.uses.end());
  }
  const bool high = entry.height > kMaxHeight;
  state.stack.push_back(std::move(entry));
  if (high) flush();
}

ExprId Machine::value(Entry& entry, std::size_t depth) {
  const auto mgr = [&](std::string_view prefix) { return name(temp(std::string(prefix) + std::to_string(entry.a))); };
  switch (entry.kind) {
    case Kind::kPending: return entry.expr;
    case Kind::kCell: return entry.expr.valid() ? entry.expr : none();
    case Kind::kVar:
    case Kind::kCleared:
    case Kind::kClassArguments: return name(slot(depth));
    case Kind::kExc: return name(exception(entry.a));
    case Kind::kExcType: return builtin_call("type", {name(exception(entry.a))});
    case Kind::kExcTrace: return attribute(name(exception(entry.a)), "__traceback__");
    case Kind::kWithExit: return call(attribute(mgr("x"), "__get__"), {mgr("m")});
    case Kind::kRealExit:
    case Kind::kExitResult: refused = true; return none();
    case Kind::kLocals: return builtin_call("locals", {});
    case Kind::kBuildClass: return builtin("__build_class__");
    case Kind::kFunction: return function_value(*this, entry.a);
    case Kind::kCode: return lift::code_expr(unit, CodeId{entry.a}, origin);
    case Kind::kConstant: return constant(ConstId{entry.a});
    case Kind::kNull:
    case Kind::kPrevious: return none();
  }
  return none();
}

Entry Machine::pop() {
  define_functions(*this, 1);
  Entry entry = std::move(state.stack.back());
  state.stack.pop_back();
  if (in_variable(entry.kind)) entry.uses = {slot(size())};
  entry.expr = value(entry, size());
  return entry;
}

std::vector<Entry> Machine::pop(std::size_t n) {
  define_functions(*this, n);
  std::vector<Entry> out_entries(n);
  for (std::size_t i = n; i-- > 0;) out_entries[i] = pop();
  return out_entries;
}

// For a pending list of class arguments, stores those after the name; see kClassArguments.
void Machine::store(std::size_t index) {
  if (state.stack[index].kind == Kind::kFunction && !function_value(*this, state.stack[index].a).valid()) {
    const auto function = state.stack[index].a;
    state.stack[index] = {.kind = Kind::kVar};
    define(*this, function, slot(index));
    return;
  }
  Entry entry = state.stack[index];
  state.stack[index] = {.kind = Kind::kVar};
  if (entry.kind == Kind::kPending && entry.a != 0) {
    const auto& node = unit.ast.exprs[entry.expr].node;
    const auto* l = std::get_if<ast::List>(&node);
    const ExprIds all = l != nullptr ? l->elts : std::get<ast::Tuple>(node).elts;
    state.stack[index].kind = Kind::kClassArguments;
    state.stack[index].a = entry.a;
    entry.expr = make(ast::List{{all.begin() + 2, all.end()}});
  }
  assign(slot(index), value(entry, index));
  clear({entry});
}

void Machine::materialise(std::size_t index) {
  for (std::size_t i = 0; i <= index; ++i) {
    const auto& e = state.stack[i];
    if (e.kind == Kind::kPending && (e.form != Form::kConstant || i == index)) store(i);
  }
  const auto kind = state.stack[index].kind;
  if (kind == Kind::kFunction) store(index);
}

void Machine::clear(const std::vector<Entry>& from) {
  ExprIds targets;
  for (const NameId id : dead_variables(from)) targets.push_back(name(id));
  if (!targets.empty()) emit_raw(ast::Assign{targets, none()});
}

void Machine::clear_variables(const ExprIds& variables) {
  Entry used;
  for (const ExprId e : variables) used.uses.push_back(std::get<ast::Name>(unit.ast.exprs[e].node).id);
  clear({used});
}

std::vector<NameId> Machine::dead_variables(const std::vector<Entry>& from) {
  std::vector<NameId> done;
  for (const auto& e : from)
    for (const NameId id : e.uses) {
      bool live = std::find(done.begin(), done.end(), id) != done.end();
      for (std::size_t d = 0; d < size() && !live; ++d) {
        const auto& user = state.stack[d];
        live = in_variable(user.kind) && slot(d) == id;
        live = live || std::find(user.uses.begin(), user.uses.end(), id) != user.uses.end();
      }
      if (!live) done.push_back(id);
    }
  return done;
}

void Machine::emit(ast::StmtNode node, const std::vector<Entry>& from) {
  for (std::size_t i = 0; i < size(); ++i)
    if (state.stack[i].kind == Kind::kPending && state.stack[i].form != Form::kConstant) store(i);
  emit_raw(std::move(node));
  clear(from);
}

void Machine::drop() {
  Entry entry = std::move(state.stack.back());
  state.stack.pop_back();
  if (entry.kind == Kind::kPending && entry.form != Form::kConstant) return emit(ast::ExprStmt{entry.expr}, {entry});
  if (entry.kind == Kind::kRealExit) refused = true;
  if (in_variable(entry.kind)) entry.uses = {slot(size())};
  if (entry.kind == Kind::kWithExit)
    entry.uses = {temp("m" + std::to_string(entry.a)), temp("x" + std::to_string(entry.a))};
  if (entry.kind != Kind::kPending) clear({entry});
}

}  // namespace depyf::fallback
