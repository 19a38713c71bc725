// SPDX-License-Identifier: MIT
// Loads, stores, operators and displays; see translate.h.
#include <algorithm>

#include "fallback/translate.h"
#include "support/unicode.h"

namespace depyf::fallback::dispatch {

namespace {

// Fast locals of class bodies and modules, and those named like a global of their function: 3.12+ inlined comprehensions
constexpr std::string_view kHidden = "h_";

ast::CompareOperator compare_operator(std::uint32_t arg) {
  using ast::CompareOperator;
  constexpr CompareOperator kAll[] = {CompareOperator::kLt,    CompareOperator::kLtE, CompareOperator::kEq,
                                      CompareOperator::kNotEq, CompareOperator::kGt,  CompareOperator::kGtE};
  return kAll[arg % 6];
}

}  // namespace

NameId Translator::unmangle(std::string_view text) {
  const std::string prefix = "_" + class_name_ + "__";
  if (!class_name_.empty() && text.starts_with(prefix) && !text.ends_with("__") &&
      text.find('.') == std::string_view::npos)
    text = text.substr(class_name_.size() + 1);
  return plain(text);
}

// Names that the compiler makes up (`.0`) are no identifiers.
NameId Translator::plain(std::string_view text) {
  if (text.starts_with('.')) return intern(unit_.options.temp_prefix + "arg" + std::string(text.substr(1)));
  return intern(text);
}

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

// Default values and those of keywords change places twice around the scope of type parameters that takes both
// (codegen_function): SWAP 2; the scope's function; SWAP 3.
bool Translator::swaps_defaults() const {
  std::size_t n = 1;
  const auto is = [&](Op op) { return peek(n) != nullptr && peek(n)->op == op; };
  while (is(Op::LOAD_CLOSURE)) ++n;
  if (n > 1 && is(Op::BUILD_TUPLE)) ++n;
  if (!is(Op::LOAD_CONST)) return false;
  const auto* c = std::get_if<ConstCode>(&unit_.code.consts[co_.consts[peek(n)->arg]]);
  if (c == nullptr || !unit_.bodies[c->code.n].generic) return false;
  ++n;
  if (!is(Op::MAKE_FUNCTION)) return false;
  ++n;
  if (is(Op::SET_FUNCTION_ATTRIBUTE)) ++n;
  return is(Op::SWAP) && peek(n)->arg == 3;
}

void Translator::swap(std::size_t n) {
  if (n == 2 && swaps_defaults()) {
    defaults_swapped_ = true;
    return;
  }
  if (n == 3 && std::exchange(defaults_swapped_, false)) {
    for (std::size_t i = size() - 3; i < size(); ++i) {  // what lies in a variable stays there
      Entry& e = state.stack[i];
      if (e.kind != Kind::kVar) continue;
      e = Entry{};
      e.expr = name(slot(i));
      e.uses = {slot(i)};
    }
    std::rotate(state.stack.end() - 3, state.stack.end() - 1, state.stack.end());
    return;
  }
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
    case Op::PUSH_NULL:
    case Op::BEGIN_FINALLY: push_kind(Kind::kNull); return true;
    case Op::RETURN_GENERATOR: push_constant(none()); return true;
    case Op::LOAD_CONST: {
      const ConstId id = co_.consts[insn.arg];
      if (const auto* c = std::get_if<ConstCode>(&unit_.code.consts[id]))
        push_kind(Kind::kCode, c->code.n);
      else
        push_constant(constant(id));
      return true;
    }
    case Op::LOAD_SMALL_INT: push_constant(number(insn.arg)); return true;
    default: return false;
  }
}

// An inlined comprehension of a class body does not see the names of the class, as a function there does not.
ExprId Translator::past_class(std::string_view spelt) {
  const ExprId value = name(unmangle(spelt));
  return shared_.kept.contains(std::string(spelt)) ? call(make(ast::Lambda{{}, value}), {}) : value;
}

bool Translator::load_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::LOAD_COMMON_CONSTANT: {
      constexpr std::string_view kNames[] = {
          "AssertionError", "NotImplementedError", "tuple", "all", "any", "list", "set"};
      if (insn.arg < 7)
        push(insn.arg < 2 ? builtin(kNames[insn.arg]) : from_builtins(kNames[insn.arg]));
      else if (insn.arg == 8)
        push_constant(text(""));
      else if (insn.arg == 11)
        push_constant(make(ast::UnaryOp{ast::UnaryOperator::kUSub, number(1)}));
      else
        push_constant(insn.arg == 7 ? none() : boolean(insn.arg == 9));
      return true;
    }
    case Op::LOAD_FAST: push(name(local(insn.arg))); return true;
    case Op::LOAD_NAME: push(name(unmangle(co_.names[insn.arg]))); return true;
    case Op::LOAD_GLOBAL: push(past_class(co_.names[insn.arg])); return true;
    case Op::LOAD_DEREF:
      if (is_hidden_cell(insn.arg)) {
        push(attribute(name(hidden_name(insn.arg)), "cell_contents"));
        return true;
      }
      push(is_function() ? name(deref(insn.arg)) : past_class(deref_name(insn.arg)));
      return true;
    case Op::LOAD_CLASSDEREF: push(name(deref(insn.arg))); return true;
    case Op::LOAD_FROM_DICT_OR_DEREF:
    case Op::LOAD_FROM_DICT_OR_GLOBALS: {
      const std::string& spelt =
          insn.op == Op::LOAD_FROM_DICT_OR_GLOBALS ? co_.names[insn.arg] : co_.localsplus[insn.arg];
      const NameId id = unmangle(spelt);
      if (top().kind != Kind::kLocals) {
        flush();
        Entry e = pop();
        const ExprId test = make(ast::Compare{text(spelt), {ast::CompareOperator::kIn}, {e.expr}});
        push(make(ast::IfExp{test, make(ast::Subscript{e.expr, text(spelt)}), name(id)}), {e});
      } else {
        state.stack.pop_back();
        push(name(id));
      }
      return true;
    }
    case Op::LOAD_LOCALS: push_kind(Kind::kLocals); return true;
    case Op::LOAD_BUILD_CLASS: push_kind(Kind::kBuildClass); return true;
    case Op::LOAD_CLOSURE:
      push_kind(Kind::kCell, insn.arg);
      top().expr = is_function() && !is_hidden_cell(insn.arg) ? cell(deref(insn.arg)) : none();
      return true;
    case Op::SETUP_ANNOTATIONS: setup_annotations(); return true;
    case Op::LOAD_FAST_AND_CLEAR: clear_variable(insn); return true;
    default: return false;
  }
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
  if (is_hidden_cell(index)) emit_raw(ast::Assign{{name(id)}, fresh_cell()});
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
  if (insn.op == Op::STORE_DEREF && is_hidden_cell(insn.arg)) {
    Entry e = pop();
    emit(ast::Assign{{attribute(name(hidden_name(insn.arg)), "cell_contents")}, e.expr}, {e});
    return true;
  }
  switch (insn.op) {
    case Op::STORE_FAST:
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL:
    case Op::STORE_DEREF: store_name(*store_target(insn)); return true;
    case Op::DELETE_FAST: emit(ast::Delete{{name(local(insn.arg))}}); return true;
    case Op::DELETE_NAME:
    case Op::DELETE_GLOBAL: emit(ast::Delete{{name(unmangle(co_.names[insn.arg]))}}); return true;
    case Op::DELETE_DEREF: emit(ast::Delete{{name(deref(insn.arg))}}); return true;
    case Op::STORE_ATTR: {
      auto e = pop(2);
      emit(ast::Assign{{make(ast::Attribute{e[1].expr, unmangle(co_.names[insn.arg])})}, e[0].expr}, e);
      return true;
    }
    case Op::DELETE_ATTR: {
      Entry e = pop();
      emit(ast::Delete{{make(ast::Attribute{e.expr, unmangle(co_.names[insn.arg])})}}, {e});
      return true;
    }
    default: return false;
  }
}

// `x: T` in a class body or module (<= 3.13): [T, __annotations__, 'x'] STORE_SUBSCR.
bool Translator::annotation() {
  if (unit_.dialect.deferred_annotations && (co_.flags & unit_.dialect.future_annotations_flag) == 0) return false;
  if (is_function() || top(3).kind != Kind::kPending || top(2).kind != Kind::kPending || top(1).kind != Kind::kPending)
    return false;
  const auto* container = std::get_if<ast::Name>(&unit_.ast.exprs[top(2).expr].node);
  const auto* key = constant_of(top(1).expr);
  const auto* spelt = key != nullptr ? std::get_if<ConstStr>(key) : nullptr;
  if (container == nullptr || unit_.ast.text(container->id) != "__annotations__" || spelt == nullptr ||
      !shared_.wants_annotations || !is_plain_identifier(spelt->text))
    return false;
  auto e = pop(3);
  ExprId type = e[0].expr;
  const auto* c = constant_of(type);
  const auto* s = c != nullptr ? std::get_if<ConstStr>(c) : nullptr;
  if ((co_.flags & unit_.dialect.future_annotations_flag) != 0 && s != nullptr) type = make(ast::Verbatim{s->text});
  shared_.annotates = true;
  emit(ast::AnnAssign{name(unmangle(spelt->text)), type, {}, true}, e);
  return true;
}

Entry Translator::pop_slice(std::size_t n) {
  auto parts = pop(n);
  const auto bound = [&](std::size_t i) { return i >= n || is_none(parts[i]) ? ExprId{} : parts[i].expr; };
  Entry out_entry;
  out_entry.subscript = make(ast::Slice{bound(0), bound(1), bound(2)});
  ExprIds args;
  for (auto& p : parts) {
    args.push_back(p.expr);
    out_entry.height = std::max(out_entry.height, p.height + 1);
    out_entry.uses.insert(out_entry.uses.end(), p.uses.begin(), p.uses.end());
  }
  out_entry.expr = builtin_call("slice", args);
  return out_entry;
}

bool Translator::item_op(const Instruction& insn) {
  const auto key = [](const Entry& e) { return e.subscript.valid() ? e.subscript : e.expr; };
  switch (insn.op) {
    case Op::LOAD_ATTR: {
      Entry e = pop();
      push(make(ast::Attribute{e.expr, unmangle(co_.names[insn.arg])}), {e});
      return true;
    }
    case Op::LOAD_METHOD: {
      Entry e = pop();
      push(make(ast::Attribute{e.expr, unmangle(co_.names[insn.arg])}), {e});
      push_kind(Kind::kNull);
      return true;
    }
    case Op::LOAD_SUPER_ATTR:
    case Op::LOAD_SUPER_METHOD: {
      const bool fresh =
          top(1).kind == Kind::kPending && top(2).kind == Kind::kPending && top(3).kind == Kind::kPending;
      const auto is_name = [&](const Entry& x) {
        return std::holds_alternative<ast::Name>(unit_.ast.exprs[x.expr].node);
      };
      const bool two = (insn.flags & kTwoArgSuper) != 0;
      if (!two && !(fresh && is_name(top(1)) && is_name(top(2)))) flush();  // operands with effects
      auto e = pop(3);
      ExprId super = call(e[0].expr, {e[1].expr, e[2].expr});
      if (!two) {  // what is not super() itself is called as it was written (LOAD_SUPER_ATTR of bytecodes.c)
        const ExprId bare = call(e[0].expr, {});
        const ExprId is_super = is_not(e[0].expr, builtin("super"), false);
        const ExprId is_class = builtin_call("isinstance", {e[1].expr, builtin("type")});
        const ExprId test = make(ast::BoolOp{ast::BoolOperator::kAnd, {is_super, is_class}});
        super = fresh && is_name(e[1]) && is_name(e[2]) ? bare : make(ast::IfExp{test, super, bare});
      }
      push(make(ast::Attribute{super, unmangle(co_.names[insn.arg])}), e);
      if (insn.op == Op::LOAD_SUPER_METHOD) push_kind(Kind::kNull);
      return true;
    }
    case Op::BINARY_SUBSCR: {
      auto e = pop(2);
      push(make(ast::Subscript{e[0].expr, key(e[1])}), e);
      return true;
    }
    case Op::STORE_SUBSCR: {
      if (annotation()) return true;
      auto e = pop(3);
      emit(ast::Assign{{make(ast::Subscript{e[1].expr, key(e[2])})}, e[0].expr}, e);
      return true;
    }
    case Op::DELETE_SUBSCR: {
      auto e = pop(2);
      emit(ast::Delete{{make(ast::Subscript{e[0].expr, key(e[1])})}}, e);
      return true;
    }
    case Op::BINARY_SLICE: {
      Entry s = pop_slice(2), c = pop();
      push(make(ast::Subscript{c.expr, s.subscript}), {c, s});
      return true;
    }
    case Op::STORE_SLICE: {
      Entry s = pop_slice(2), c = pop(), v = pop();
      emit(ast::Assign{{make(ast::Subscript{c.expr, s.subscript})}, v.expr}, {v, c, s});
      return true;
    }
    case Op::BUILD_SLICE: {
      Entry s = pop_slice(insn.arg);
      push(s.expr, {s});
      top().subscript = s.subscript;
      return true;
    }
    default: return false;
  }
}

// x += y, in place: the left operand has been evaluated before the right one is.
bool Translator::augmented(const Instruction& insn) {
  const auto op = static_cast<BinaryOperator>(insn.arg);
  const Instruction* next = peek();
  const auto target = next != nullptr ? store_target(*next) : std::nullopt;
  const Entry& left = top(2);
  if (target && left.kind == Kind::kPending && left.form == Form::kPlain) {
    const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[left.expr].node);
    if (n != nullptr && n->id == *target && left.uses.empty()) {
      auto e = pop(2);
      emit(ast::AugAssign{name(*target), op, e[1].expr}, e);
      ++at_;
      return true;
    }
  }
  materialise(size() - 2);
  Entry right = pop();
  emit(ast::AugAssign{name(slot(size() - 1)), op, right.expr}, {right});
  return true;
}

bool Translator::operator_op(const Instruction& insn) {
  const auto unary = [&](ast::UnaryOperator op) {
    Entry e = pop();
    push(make(ast::UnaryOp{op, e.expr}), {e});
    return true;
  };
  const auto compare = [&](ast::CompareOperator op) {
    auto e = pop(2);
    push(make(ast::Compare{e[0].expr, {op}, {e[1].expr}}), e);
  };
  const auto boolean_of = [&] {
    const auto* next = peek();
    if (next != nullptr &&
        (next->op == Op::POP_JUMP_IF_FALSE || next->op == Op::POP_JUMP_IF_TRUE || next->op == Op::UNARY_NOT))
      return;  // they test it anyway
    unary(ast::UnaryOperator::kNot);
    unary(ast::UnaryOperator::kNot);
  };
  switch (insn.op) {
    case Op::UNARY_POSITIVE: return unary(ast::UnaryOperator::kUAdd);
    case Op::UNARY_NEGATIVE: return unary(ast::UnaryOperator::kUSub);
    case Op::UNARY_NOT: return unary(ast::UnaryOperator::kNot);
    case Op::UNARY_INVERT: return unary(ast::UnaryOperator::kInvert);
    case Op::TO_BOOL: boolean_of(); return true;
    case Op::BINARY_OP: {
      if ((insn.flags & kInPlace) != 0) return augmented(insn);
      auto e = pop(2);
      push(make(ast::BinOp{e[0].expr, static_cast<BinaryOperator>(insn.arg), e[1].expr}), e);
      return true;
    }
    case Op::COMPARE_OP:
      compare(compare_operator(insn.arg));
      if ((insn.flags & kMakesBool) != 0) boolean_of();
      return true;
    case Op::IS_OP:
      compare((insn.arg & 1U) != 0 ? ast::CompareOperator::kIsNot : ast::CompareOperator::kIs);
      return true;
    case Op::CONTAINS_OP:
      compare((insn.arg & 1U) != 0 ? ast::CompareOperator::kNotIn : ast::CompareOperator::kIn);
      return true;
    default: return false;
  }
}

bool Translator::unpack_op(const Instruction& insn) {
  if (insn.op != Op::UNPACK_SEQUENCE && insn.op != Op::UNPACK_EX) return false;
  const bool starred = insn.op == Op::UNPACK_EX;
  const std::size_t before = starred ? insn.arg & 0xFFU : insn.arg;
  const std::size_t n = starred ? before + 1 + (insn.arg >> 8U) : before;
  Entry e = pop();
  ExprIds targets;
  std::vector<NameId> stored;
  for (std::size_t i = 1; i <= n && stored.size() + 1 == i; ++i)
    if (const auto* next = peek(i); next != nullptr)
      if (const auto target = store_target(*next)) stored.push_back(*target);
  const bool direct = n > 0 && stored.size() == n;
  for (std::size_t i = 0; i < n; ++i) {
    const NameId id = direct ? stored[i] : slot(size() + n - 1 - i);
    const ExprId target = name(id);
    targets.push_back(starred && i == before ? make(ast::Starred{target}) : target);
  }
  emit(ast::Assign{{make(ast::Tuple{targets})}, e.expr});
  if (direct) {
    at_ += n;
  } else {
    for (std::size_t i = 0; i < n; ++i) push_var();
  }
  clear({e});
  return true;
}

}  // namespace depyf::fallback::dispatch
