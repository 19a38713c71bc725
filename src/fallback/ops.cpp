// SPDX-License-Identifier: MIT
// Operations that the lifter refuses, or has no value for: variables and cells of inlined comprehensions, what lies in
// slots and is moved there, class namespaces, what only running tells; see translate.h.
#include <algorithm>

#include "fallback/translate.h"

namespace depyf::fallback::dispatch {

namespace {

// Fast locals of class bodies and modules, and those named like a global of their function: 3.12+ inlined comprehensions
constexpr std::string_view kHidden = "h_";

}  // namespace

NameId Translator::local(std::uint32_t index) {
  const auto& names = unit_.dialect.exception_table ? co_.localsplus : co_.varnames;
  const bool global = shared_.globals.contains(names[index]) && index >= parameter_count(co_);
  const bool own = is_function() ? !global && !is_hidden(index)
                                 : unit_.dialect.exception_table && (co_.localspluskinds[index] & 0x80U) != 0;
  if (!own) return hidden_name(index);
  if (shared_.hidden.contains(names[index])) shared_.outside.insert(names[index]);
  return unmangle(names[index]);
}

NameId Translator::hidden_name(std::uint32_t index) {
  const auto& names = unit_.dialect.exception_table ? co_.localsplus : co_.varnames;
  return temp(std::string(kHidden) + (names[index].starts_with('.') ? "arg" + names[index].substr(1) : names[index]));
}

// What an inlined comprehension put away of a local, while its own variable is in that place.
const Entry* Translator::cleared(std::uint32_t index) const {
  for (std::size_t i = size(); i-- > 0;)
    if (state.stack[i].kind == Kind::kCleared && state.stack[i].a / 2 == index) return &state.stack[i];
  return nullptr;
}

// Whether a slot holds the variable of an inlined comprehension where the function, or one in it, has another of that
// name.
bool Translator::is_hidden(std::uint32_t index) const {
  return unit_.dialect.inlines_comprehensions && shared_.hidden.contains(co_.localsplus[index]) &&
         cleared(index) != nullptr;
}

std::string_view Translator::deref_name(std::uint32_t index) const {
  if (unit_.dialect.exception_table) return co_.localsplus[index];
  const auto cells = co_.cellvars.size();
  return index < cells ? co_.cellvars[index] : co_.freevars[index - cells];
}

NameId Translator::deref(std::uint32_t index) {
  const std::string spelt(deref_name(index));
  if (shared_.hidden.contains(spelt)) shared_.outside.insert(spelt);
  return unmangle(spelt);
}

// 3.12+: a cell of a comprehension alone, as the name is another variable in the body around it. The slot's variable
// holds it as a value.
bool Translator::is_hidden_cell(std::uint32_t index) const {
  if (!unit_.dialect.inlines_comprehensions || index >= co_.localspluskinds.size()) return false;
  const auto kind = co_.localspluskinds[index];
  if (!is_function()) return (kind & 0x50U) == 0x50U;
  return is_hidden(index) && cleared(index)->a % 2 != 0;
}

const Instruction* Translator::peek(std::size_t n) const { return at_ + n < last_ ? &(*stream_)[at_ + n] : nullptr; }

std::optional<NameId> Translator::store_target(const Instruction& insn) {
  switch (insn.op) {
    case Op::STORE_FAST: return local(insn.arg);
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL: return unmangle(co_.names[insn.arg]);
    case Op::STORE_DEREF: return is_hidden_cell(insn.arg) ? std::nullopt : std::optional(deref(insn.arg));
    default: return std::nullopt;
  }
}

void Translator::copy(std::size_t n) {
  Entry& source = top(n);
  if (source.kind == Kind::kPending && source.form == Form::kConstant) {
    push_constant(source.expr);
    return;
  }
  if (source.kind != Kind::kPending && source.kind != Kind::kVar && source.kind != Kind::kCleared) {
    push_kind(source.kind, source.a);
    return;
  }
  const std::size_t index = size() - n;
  flush();
  const Kind kind = state.stack[index].kind;
  const auto a = state.stack[index].a;
  assign(slot(size()), name(slot(index)));
  push_kind(kind, a);
}

void Translator::swap(std::size_t n) {
  const auto inert = [&](const Entry& e) { return e.kind == Kind::kNull || e.kind == Kind::kFunction; };
  if (n == 2 && (inert(top(1)) || inert(top(2))) && !in_variable(top(1).kind) && !in_variable(top(2).kind)) {
    std::swap(top(1), top(2));
    return;
  }
  const std::size_t high = size() - 1, low = size() - n;
  const auto fixed = [&](std::size_t i) {
    const Entry& e = state.stack[i];
    return !in_variable(e.kind) && (e.kind != Kind::kPending || e.form == Form::kConstant);
  };
  for (std::size_t i = 0; i <= high; ++i)
    if (!fixed(i)) materialise(i);
  const bool fixed_low = fixed(low), fixed_high = fixed(high);
  const NameId a = slot(low), b = slot(high);
  if (!fixed_low && !fixed_high)
    emit_raw(ast::Assign{{make(ast::Tuple{{name(a), name(b)}})}, make(ast::Tuple{{name(b), name(a)}})});
  else if (!fixed_low || !fixed_high)
    assign(fixed_low ? a : b, name(fixed_low ? b : a));
  std::swap(state.stack[low], state.stack[high]);
  Entry moved;
  if (fixed_low != fixed_high) {
    moved.uses = {fixed_low ? b : a};
    clear({moved});
  }
}

bool Translator::stack_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::NOP:
    case Op::MAKE_CELL:
    case Op::COPY_FREE_VARS:
    case Op::RESUME:
    case Op::GEN_START:
    case Op::POP_BLOCK:
    case Op::SETUP_FINALLY:
    case Op::SETUP_ASYNC_WITH:
    case Op::ASYNC_GEN_WRAP:
    case Op::STOPITERATION_ERROR: return true;
    case Op::POP_TOP:
    case Op::POP_ITER: {
      Entry e = state.stack.back();
      state.stack.pop_back();
      drop(e, size());
      return true;
    }
    case Op::END_FOR: {
      const auto n = effect(unit_.dialect.version, insn, false).pops;
      for (std::int32_t i = 0; i < n; ++i) {
        Entry e = state.stack.back();
        state.stack.pop_back();
        drop(e, size());
      }
      return true;
    }
    case Op::COPY: copy(insn.arg); return true;
    case Op::SWAP: swap(insn.arg); return true;
    case Op::BEGIN_FINALLY: push_kind(Kind::kNull); return true;
    default: return false;
  }
}

// An inlined comprehension of a class body does not see the names of the class, as a function there does not.
ExprId Translator::past_class(std::string_view spelt) {
  const ExprId value = name(unmangle(spelt));
  return shared_.kept.contains(std::string(spelt)) ? call(make(ast::Lambda{{}, value}), {}) : value;
}

// Outside functions the variable of a comprehension is a name in a namespace, which raises NameError where it has no value:
// a local of that name raises what the comprehension does.
void Translator::read_early(const Instruction& insn) {
  flush();
  const NameId kept = slot(size()), id = hidden_name(insn.arg);
  const bool is_cell = insn.op == Op::LOAD_DEREF;
  ast::Try t;
  t.body = {stmt(ast::Assign{{name(kept)}, is_cell ? attribute(name(id), "cell_contents") : name(id)})};
  t.handlers.push_back(
      {builtin(is_cell ? "ValueError" : "NameError"), {}, {stmt(ast::Assign{{name(kept)}, name(sentinel())})}});
  emit_raw(std::move(t));
  const NameId spelt = unmangle(co_.localsplus[insn.arg]);
  ast::Comprehension local{ast::ComprehensionKind::kList, none(), {}, {}};
  local.generators.push_back({name(temp("i")), make(ast::Tuple{{none()}}), {name(spelt)}, false});
  local.generators.push_back({name(spelt), make(ast::Tuple{}), {}, false});
  emit_raw(ast::If{is_not(name(kept), name(sentinel()), false), {stmt(ast::ExprStmt{make(std::move(local))})}, {}});
  push_var();
}

bool Translator::load_op(const Instruction& insn) {
  const bool reads = insn.op == Op::LOAD_FAST || (insn.op == Op::LOAD_DEREF && is_hidden_cell(insn.arg));
  if (reads && !is_function() && shared_.early_reads.contains(insn.offset)) {
    read_early(insn);
    return true;
  }
  switch (insn.op) {
    case Op::LOAD_CONST:
      if (const auto* c = std::get_if<ConstCode>(&unit_.code.consts[co_.consts[insn.arg]])) {
        push_kind(Kind::kCode, c->code.n);
        return true;
      }
      return false;
    case Op::LOAD_COMMON_CONSTANT: {
      constexpr std::string_view kNames[] = {
          "AssertionError", "NotImplementedError", "tuple", "all", "any", "list", "set"};
      if (insn.arg >= std::size(kNames)) return false;
      push(insn.arg < 2 ? builtin(kNames[insn.arg]) : from_builtins(kNames[insn.arg]));
      return true;
    }
    case Op::LOAD_FAST: push(name(local(insn.arg))); return true;
    case Op::LOAD_GLOBAL: push(past_class(co_.names[insn.arg])); return true;
    case Op::LOAD_DEREF:
      if (is_hidden_cell(insn.arg))
        push(attribute(name(hidden_name(insn.arg)), "cell_contents"));
      else
        push(is_function() ? name(deref(insn.arg)) : past_class(deref_name(insn.arg)));
      return true;
    case Op::LOAD_FROM_DICT_OR_DEREF:
    case Op::LOAD_FROM_DICT_OR_GLOBALS: load_from_namespace(insn); return true;
    case Op::LOAD_LOCALS: push_kind(Kind::kLocals); return true;
    case Op::LOAD_CLOSURE:
      push_kind(Kind::kCell, insn.arg);
      top().expr = is_function() && !is_hidden_cell(insn.arg) ? cell(deref(insn.arg)) : none();
      return true;
    case Op::SETUP_ANNOTATIONS: setup_annotations(); return true;
    case Op::LOAD_FAST_AND_CLEAR: clear_variable(insn); return true;
    default: return false;
  }
}

void Translator::load_from_namespace(const Instruction& insn) {
  const std::string& spelt = insn.op == Op::LOAD_FROM_DICT_OR_GLOBALS ? co_.names[insn.arg] : co_.localsplus[insn.arg];
  const NameId id = unmangle(spelt);
  if (top().kind == Kind::kLocals) {
    state.stack.pop_back();
    return push(name(id));
  }
  flush();
  Entry e = pop();
  const ExprId test = make(ast::Compare{text(spelt), {ast::CompareOperator::kIn}, {e.expr}});
  push(make(ast::IfExp{test, make(ast::Subscript{e.expr, text(spelt)}), name(id)}), {e});
}

// An annotated statement makes the dictionary; from 3.14 only under `from __future__ import annotations`.
void Translator::setup_annotations() {
  if (!unit_.dialect.deferred_annotations || (co_.flags & unit_.dialect.future_annotations_flag) != 0) {
    shared_.wants_annotations = true;
    return;
  }
  const ExprId missing =
      make(ast::Compare{text("__annotations__"), {ast::CompareOperator::kNotIn}, {builtin_call("locals", {})}});
  emit(ast::If{missing, {stmt(ast::Assign{{name(intern("__annotations__"))}, make(ast::Dict{})})}, {}});
}

void Translator::clear_variable(const Instruction& insn) {
  const std::uint32_t index = insn.arg;
  for (std::size_t i = 0; i < size(); ++i) {  // functions over the variable that is put away
    const Entry& e = state.stack[i];
    if (e.kind != Kind::kFunction || unit_.code.codes[CodeId{e.a}].name != "<lambda>") continue;
    const auto& free = unit_.code.codes[CodeId{e.a}].freevars;
    if (std::find(free.begin(), free.end(), co_.localsplus[index]) != free.end()) materialise(i);
  }
  flush();
  const bool hides = !is_function() || shared_.hidden.contains(co_.localsplus[index]);
  const NameId id = hides && is_function() ? hidden_name(index) : local(index), kept = slot(size());
  ast::Try t;
  t.body = {stmt(ast::Assign{{name(kept)}, name(id)}), stmt(ast::Delete{{name(id)}})};
  t.handlers.push_back({builtin("NameError"), {}, {stmt(ast::Assign{{name(kept)}, name(sentinel())})}});
  emit_raw(std::move(t));
  push_kind(Kind::kCleared, 2 * index + (shared_.made_cells.contains(insn.offset) ? 1 : 0));
  const auto early = shared_.early_reads.find(insn.offset);
  const bool is_early = early != shared_.early_reads.end();
  if (!is_hidden_cell(index) || (is_early && early->second == Op::LOAD_FAST)) return;
  emit_raw(ast::Assign{{name(id)}, fresh_cell()});
  if (is_early) emit_raw(ast::Delete{{attribute(name(id), "cell_contents")}});
}

void Translator::restore_cleared(NameId target) {
  const NameId kept = slot(size() - 1);
  const auto index = top().a / 2;
  const bool hides = is_hidden(index);
  state.stack.pop_back();
  Entry used;
  used.uses = {kept};
  // A cell that functions made by the comprehension hold: without a value to go back to, it keeps its last one.
  const bool is_cell =
      is_function() && !hides && index < co_.localspluskinds.size() && (co_.localspluskinds[index] & 0x40U) != 0;
  if (is_cell) {
    emit(ast::If{is_not(name(kept), name(sentinel()), true), {stmt(ast::Assign{{name(target)}, name(kept)})}, {}});
    return clear({used});
  }
  emit(ast::Assign{{name(target)}, name(kept)});
  emit_raw(ast::If{is_not(name(kept), name(sentinel()), false), {stmt(ast::Delete{{name(target)}})}, {}});
  clear({used});
}

void Translator::store_name(NameId target) {
  if (top().kind == Kind::kCleared) return restore_cleared(target);
  const auto spelt = unit_.ast.text(target);
  const bool in_class = !is_function() && co_.parent.valid();
  // what the compiler adds to a class body by itself
  const bool made = (top().kind == Kind::kCell && spelt.starts_with("__class")) ||
                    (top().kind == Kind::kLocals && spelt == "__classdict__") ||
                    (in_class && unit_.dialect.static_attributes && spelt == "__static_attributes__");
  if (made) {
    state.stack.pop_back();
    return;
  }
  Entry e = pop();
  emit(ast::Assign{{name(target)}, e.expr}, {e});
}

bool Translator::store_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::STORE_FAST:
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL:
    case Op::STORE_DEREF:
      if (const auto target = store_target(insn)) {
        store_name(*target);
      } else {
        Entry e = pop();
        emit(ast::Assign{{attribute(name(hidden_name(insn.arg)), "cell_contents")}, e.expr}, {e});
      }
      return true;
    case Op::DELETE_FAST: emit(ast::Delete{{name(local(insn.arg))}}); return true;
    case Op::DELETE_DEREF: emit(ast::Delete{{name(deref(insn.arg))}}); return true;
    case Op::UNPACK_SEQUENCE:
    case Op::UNPACK_EX: unpack(insn); return true;
    default: return false;
  }
}

// Into the variables of the slots.
void Translator::unpack(const Instruction& insn) {
  const bool starred = insn.op == Op::UNPACK_EX;
  const std::size_t before = starred ? insn.arg & 0xFFU : insn.arg;
  const std::size_t n = starred ? before + 1 + (insn.arg >> 8U) : before;
  Entry e = pop();
  ExprIds targets;
  for (std::size_t i = 0; i < n; ++i) {
    const ExprId target = name(slot(size() + n - 1 - i));
    targets.push_back(starred && i == before ? make(ast::Starred{target}) : target);
  }
  emit(ast::Assign{{make(ast::Tuple{targets})}, e.expr});
  for (std::size_t i = 0; i < n; ++i) push_var();
  clear({e});
}

// Values that the lifter has no expression for.
bool Translator::value_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::LOAD_SUPER_ATTR:
    case Op::LOAD_SUPER_METHOD: {
      flush();  // operands with effects
      auto e = pop(3);
      // what is not super() itself is called as it was written (LOAD_SUPER_ATTR of bytecodes.c)
      const ExprId is_super = is_not(e[0].expr, builtin("super"), false);
      const ExprId is_class = builtin_call("isinstance", {e[1].expr, builtin("type")});
      const ExprId test = make(ast::BoolOp{ast::BoolOperator::kAnd, {is_super, is_class}});
      const ExprId super = make(ast::IfExp{test, call(e[0].expr, {e[1].expr, e[2].expr}), call(e[0].expr, {})});
      push(make(ast::Attribute{super, unmangle(co_.names[insn.arg])}), e);
      if (insn.op == Op::LOAD_SUPER_METHOD) push_kind(Kind::kNull);
      return true;
    }
    case Op::BUILD_CONST_KEY_MAP: {  // of keys that only running tells
      flush();                       // operands with effects
      auto e = pop(insn.arg + 1);
      ExprIds values;
      for (std::size_t i = 0; i < insn.arg; ++i) values.push_back(e[i].expr);
      push(builtin_call("dict", {builtin_call("zip", {e.back().expr, make(ast::Tuple{std::move(values)})})}), e);
      return true;
    }
    case Op::BUILD_SLICE: {
      auto e = pop(insn.arg);
      ExprIds args;
      for (const auto& part : e) args.push_back(part.expr);
      push(builtin_call("slice", args), e);
      return true;
    }
    case Op::LIST_TO_TUPLE: {
      Entry e = pop();
      push(call(from_builtins("tuple"), {e.expr}), {e});
      return true;
    }
    case Op::CONVERT_VALUE: {
      Entry e = pop();
      const bool is_str = (insn.arg & 3U) == 1;  // str() would call __init__ of a subclass
      push(is_str ? joined({make(ast::FormattedValue{e.expr, 's', {}})})
                  : call(from_builtins((insn.arg & 3U) == 2 ? "repr" : "ascii"), {e.expr}),
           {e});
      return true;
    }
    // 3.14 t-strings: by the classes they are made of, since a literal would hold its own text of each expression.
    // Their types are those of other ones: nothing needs importing.
    case Op::BUILD_INTERPOLATION: {
      const bool has_spec = (insn.arg & 1U) != 0;
      auto e = pop(has_spec ? 3 : 2);
      constexpr std::string_view kConversions[] = {"", "s", "r", "a"};
      const auto which = kConversions[(insn.arg >> 2U) & 3U];
      const ExprIds args{e[0].expr, e[1].expr, which.empty() ? none() : text(which), has_spec ? e[2].expr : text("")};
      const ExprId one = make(ast::TemplateStr{{make(ast::Interpolation{number(0), "0", 0, {}})}});
      const ExprId first = make(ast::Subscript{attribute(one, "interpolations"), number(0)});
      push(call(builtin_call("type", {first}), args), e);
      return true;
    }
    case Op::BUILD_TEMPLATE: {  // strings and interpolations in turn; adjacent strings become one
      auto e = pop(2);
      const ExprId all = make(ast::Tuple{{make(ast::Starred{e[1].expr}), text("")}});
      const ExprId turns = builtin_call("zip", {e[0].expr, all});
      const ExprId parts = make(ast::Starred{builtin_call("sum", {turns, make(ast::Tuple{})})});
      push(call(builtin_call("type", {make(ast::TemplateStr{})}), {parts}), e);
      return true;
    }
    default: return false;
  }
}

// Nothing where the names are no constant. They are not mangled.
std::optional<std::vector<NameId>> Translator::keyword_names(const Entry& entry) {
  const auto* c = entry.kind == Kind::kPending ? constant_of(entry.expr) : nullptr;
  const auto* t = c != nullptr ? std::get_if<ConstTuple>(c) : nullptr;
  if (t == nullptr) return std::nullopt;
  std::vector<NameId> names;
  for (ConstId id : t->items) {
    const auto* s = std::get_if<ConstStr>(&unit_.code.consts[id]);
    if (s == nullptr) return std::nullopt;
    names.push_back(unit_.ast.intern(s->text));
  }
  return names;
}

// A call of __exit__, which a with statement says or looks up.
void Translator::leave_context(std::uint32_t argc, bool two_slots) {
  const std::size_t base = size() - argc - (two_slots ? 2 : 1);
  const bool null_first = two_slots && state.stack[base].kind == Kind::kNull;
  const bool null_second = two_slots && state.stack[base + 1].kind == Kind::kNull;
  const std::size_t count = argc + (two_slots && !null_first && !null_second ? 1 : 0);
  const Entry exit = state.stack[base + (null_first ? 1 : 0)];
  if (exit.kind == Kind::kRealExit) return leave_real(base, count);
  auto args = pop(count);
  state.stack.resize(base);
  ExprIds all;
  for (const auto& e : args) all.push_back(e.expr);
  args.push_back(exit);
  args.back().uses = {temp("m" + std::to_string(exit.a)), temp("x" + std::to_string(exit.a))};
  push(exit_call(exit, std::move(all)), args);
}

// Only running tells how many of the arguments have a name: f(*all[:n], **dict(zip(names, all[n:]))).
void Translator::invoke_with_names(std::uint32_t argc, bool two_slots) {
  flush();
  const Entry names = pop();
  const std::size_t base = size() - argc - (two_slots ? 2 : 1);
  const bool self = two_slots && state.stack[base].kind != Kind::kNull && state.stack[base + 1].kind != Kind::kNull;
  const std::uint32_t count = argc + (self ? 1 : 0);
  auto used = pop(count);
  ast::Tuple all;
  for (const auto& e : used) all.elts.push_back(e.expr);
  const ExprId all_arguments = make(std::move(all));
  const ExprId plain =
      make(ast::BinOp{number(count), ast::BinaryOperator::kSubtract, builtin_call("len", {names.expr})});
  const auto part = [&](ExprId from, ExprId to) {
    return make(ast::Subscript{all_arguments, make(ast::Slice{from, to, {}})});
  };
  if (two_slots && !self && top().kind == Kind::kNull) state.stack.pop_back();
  const Entry target = pop();
  if (size() > base) state.stack.pop_back();
  ast::Call c;
  c.func = target.expr;
  c.args = {make(ast::Starred{part({}, plain)})};
  c.keywords = {{NameId{}, builtin_call("dict", {builtin_call("zip", {names.expr, part(plain, {})})})}};
  used.insert(used.end(), {target, names});
  push(make(std::move(c)), used);
}

bool Translator::call_op(const Instruction& insn) {
  const bool two_slots = insn.op == Op::CALL || insn.op == Op::CALL_KW;
  switch (insn.op) {
    case Op::CALL:
    case Op::CALL_FUNCTION: {
      const auto is_exit = [&](std::size_t n) {
        return top(n).kind == Kind::kWithExit || top(n).kind == Kind::kRealExit;
      };
      if (!is_exit(insn.arg + 1) && !(two_slots && is_exit(insn.arg + 2))) return false;
      leave_context(insn.arg, two_slots);
      return true;
    }
    case Op::CALL_KW:
    case Op::CALL_FUNCTION_KW: invoke_with_names(insn.arg, two_slots); return true;
    default: return false;
  }
}

bool Translator::import_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::IMPORT_NAME: {
      auto e = pop(2);
      ExprIds args{text(unit_.ast.text(unmangle(co_.names[insn.arg]))), builtin_call("globals", {}), none(), e[1].expr,
                   e[0].expr};
      push(builtin_call("__import__", args), e);
      return true;
    }
    case Op::IMPORT_FROM: {
      flush();
      const ExprId module = name(slot(size() - 1));
      push(make(ast::Attribute{module, unmangle(co_.names[insn.arg])}));
      return true;
    }
    case Op::IMPORT_STAR: {  // into the namespace of a module: import_all_from() of ceval.c
      Entry e = pop();
      emit(ast::ExprStmt{e.expr}, {e});
      return true;
    }
    case Op::PRINT_EXPR: {  // what the interactive interpreter does with a value
      Entry e = pop();
      const ExprId sys = builtin_call("__import__", {text("sys")});
      emit(ast::ExprStmt{call(attribute(sys, "displayhook"), {e.expr})}, {e});
      return true;
    }
    default: return false;
  }
}

}  // namespace depyf::fallback::dispatch
