// SPDX-License-Identifier: MIT
// The abstract operand stack; see stack.h.
#include "fallback/stack.h"

#include <algorithm>

#include "ast/constants.h"

namespace depyf::fallback::dispatch {

namespace {

constexpr std::uint32_t kMaxHeight = 24;  // of pending expressions: nested parentheses are limited

bool binds_name(Op op) {
  return op == Op::STORE_NAME || op == Op::STORE_GLOBAL || op == Op::DELETE_NAME || op == Op::DELETE_GLOBAL;
}

}  // namespace

Stack::Stack(lift::Unit& unit, CodeId code, std::vector<NameId>& temps, std::vector<std::string>& builtins)
    : unit_(unit), code_(code), co_(unit.code.codes[code]), origin_{code, 0}, temps_(temps), builtins_(builtins) {}

NameId Stack::temp(std::string_view suffix) {
  const NameId id = intern(unit_.options.temp_prefix + std::string(suffix));
  if (std::find(temps_.begin(), temps_.end(), id) == temps_.end()) temps_.push_back(id);
  return id;
}

ExprId Stack::is_not(ExprId a, ExprId b, bool negate) {
  return make(ast::Compare{a, {negate ? ast::CompareOperator::kIsNot : ast::CompareOperator::kIs}, {b}});
}

// Whether any code object of the tree gives `function` a meaning of its own.
bool Stack::shadowed(std::string_view function) const {
  for (std::uint32_t i = 0; i < unit_.code.codes.size(); ++i) {
    const auto& co = unit_.code.codes[CodeId{i}];
    const auto has = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), function) != names.end();
    };
    if (has(co.varnames) || has(co.cellvars) || has(co.freevars)) return true;
    if (!has(co.names)) continue;
    const auto bytecode = decode(unit_.code, CodeId{i}, unit_.options.limits);
    if (!bytecode.ok()) return true;
    for (const auto& insn : bytecode->code)
      if ((binds_name(insn.op) && co.names[insn.arg] == function) || insn.op == Op::IMPORT_STAR) return true;
  }
  return false;
}

ExprId Stack::builtin(std::string_view function) {
  const std::string plain = "+" + std::string(function), hidden = "-" + std::string(function);
  const auto known = [&](const std::string& s) {
    return std::find(builtins_.begin(), builtins_.end(), s) != builtins_.end();
  };
  if (!known(plain) && !known(hidden)) builtins_.push_back(shadowed(function) ? hidden : plain);
  if (known(plain)) return name(intern(function));
  return from_builtins(function);
}

const Constant* Stack::constant_of(ExprId expr) const { return ast::constant_of(unit_.ast, unit_.code, expr); }

bool Stack::is_none(const Entry& entry) const {
  return entry.kind == Kind::kPending && entry.form == Form::kConstant &&
         ast::is_none(unit_.ast, unit_.code, entry.expr);
}

void Stack::push(ExprId expr, const std::vector<Entry>& from, Form form) {
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

void Stack::push_kind(Kind kind, std::uint32_t a) { state.stack.push_back({.kind = kind, .a = a}); }

ExprId Stack::value(Entry& entry, std::size_t depth) {
  const auto mine = [&](std::string_view prefix) { return name(temp(std::string(prefix) + std::to_string(entry.a))); };
  switch (entry.kind) {
    case Kind::kPending: return entry.expr;
    case Kind::kCell: return entry.expr.valid() ? entry.expr : none();
    case Kind::kVar:
    case Kind::kCleared:
    case Kind::kClassArguments: return name(slot(depth));
    case Kind::kExc: return name(exception(entry.a));
    case Kind::kExcType: return builtin_call("type", {name(exception(entry.a))});
    case Kind::kExcTrace: return attribute(name(exception(entry.a)), "__traceback__");
    case Kind::kWithExit: return call(attribute(mine("x"), "__get__"), {mine("m")});
    case Kind::kRealExit:
    case Kind::kExitGave: refused = true; return none();
    case Kind::kLocals: return builtin_call("locals", {});
    case Kind::kBuildClass: return builtin("__build_class__");
    case Kind::kFunction: return function_value(entry.a);
    case Kind::kCode: return code_object(entry.a);
    case Kind::kConstant: return constant(ConstId{entry.a});
    case Kind::kNull:
    case Kind::kPrevious: return none();
  }
  return none();
}

// A code object as a value: a placeholder represents it.
ExprId Stack::code_object(std::uint32_t code) {
  for (std::uint32_t i = 0; i < unit_.code.consts.size(); ++i)
    if (const auto* c = std::get_if<ConstCode>(&unit_.code.consts[ConstId{i}]); c != nullptr && c->code.n == code)
      return constant(ConstId{i});
  return none();
}

Entry Stack::pop() {
  settle(1);
  Entry entry = std::move(state.stack.back());
  state.stack.pop_back();
  if (in_variable(entry.kind)) entry.uses = {slot(size())};
  entry.expr = value(entry, size());
  return entry;
}

std::vector<Entry> Stack::pop(std::size_t n) {
  settle(n);
  std::vector<Entry> out_entries(n);
  for (std::size_t i = n; i-- > 0;) out_entries[i] = pop();
  return out_entries;
}

void Stack::settle(std::size_t n) {
  for (std::size_t i = size() - n; i < size(); ++i) {
    const Entry& e = state.stack[i];
    if (e.kind == Kind::kFunction && !function_value(e.a).valid()) materialise(i);
  }
}

// One entry into its slot's variable; nothing below it is pending.
void Stack::store(std::size_t index) {
  if (state.stack[index].kind == Kind::kFunction && !function_value(state.stack[index].a).valid()) {
    const auto code = state.stack[index].a;
    state.stack[index] = {.kind = Kind::kVar};
    define(code, slot(index));
    return;
  }
  Entry entry = state.stack[index];
  state.stack[index] = {.kind = Kind::kVar};
  if (entry.kind == Kind::kPending && entry.a != 0) {
    const auto& node = unit_.ast.exprs[entry.expr].node;
    const auto* l = std::get_if<ast::List>(&node);
    const ExprIds all = l != nullptr ? l->elts : std::get<ast::Tuple>(node).elts;
    state.stack[index].kind = Kind::kClassArguments;
    state.stack[index].a = entry.a;
    entry.expr = make(ast::List{{all.begin() + 2, all.end()}});
  }
  assign(slot(index), value(entry, index));
  clear({entry});
}

void Stack::materialise(std::size_t index) {
  for (std::size_t i = 0; i <= index; ++i) {
    const auto& e = state.stack[i];
    if (e.kind == Kind::kPending && (e.form != Form::kConstant || i == index)) store(i);
  }
  const auto kind = state.stack[index].kind;
  if (kind == Kind::kFunction) store(index);
}

// Variables whose value has been used up, unless an entry lives in them again.
void Stack::clear(const std::vector<Entry>& from) {
  ExprIds targets;
  for (const NameId id : unused(from)) targets.push_back(name(id));
  if (!targets.empty()) emit_raw(ast::Assign{targets, none()});
}

std::vector<NameId> Stack::unused(const std::vector<Entry>& from) {
  std::vector<NameId> done;
  for (const auto& e : from)
    for (const NameId id : e.uses) {
      bool live = std::find(done.begin(), done.end(), id) != done.end();
      for (std::size_t d = 0; d < size() && !live; ++d) {
        const auto& other = state.stack[d];
        live = in_variable(other.kind) && slot(d) == id;
        live = live || std::find(other.uses.begin(), other.uses.end(), id) != other.uses.end();
      }
      if (!live) done.push_back(id);
    }
  return done;
}

void Stack::emit(ast::StmtNode node, const std::vector<Entry>& from) {
  for (std::size_t i = 0; i < size(); ++i)
    if (state.stack[i].kind == Kind::kPending && state.stack[i].form != Form::kConstant) store(i);
  emit_raw(std::move(node));
  clear(from);
}

void Stack::drop(const Entry& entry, std::size_t depth) {
  if (entry.kind == Kind::kPending && entry.form != Form::kConstant) {
    emit(ast::ExprStmt{entry.expr}, {entry});
  } else if (in_variable(entry.kind)) {
    Entry e = entry;
    e.uses = {slot(depth)};
    clear({e});
  } else if (entry.kind == Kind::kRealExit) {
    refused = true;
  } else if (entry.kind == Kind::kWithExit) {
    Entry e = entry;
    e.uses = {temp("m" + std::to_string(entry.a)), temp("x" + std::to_string(entry.a))};
    clear({e});
  }
}

}  // namespace depyf::fallback::dispatch
