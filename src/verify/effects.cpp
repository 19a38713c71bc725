// SPDX-License-Identifier: MIT
// The engine of symbolic execution: stack, variables, outcomes; see effects.h.
//
// An operation that has no case of its own is an effect with its operands and results taken from the operand stack, which
// is right for whatever touches nothing but the stack. The families are in effects_*.cpp.
#include "verify/effects.h"

#include <algorithm>

namespace depyf::proof {

Trust::Trust(Keys& keys)
    : iter(keys.name("iter")),
      next(keys.name("next")),
      type(keys.name("type")),
      len(keys.name("len")),
      slice(keys.name("slice")),
      base_exception(keys.name("BaseException")),
      name_error(keys.name("NameError")),
      append(keys.name("append")),
      extend(keys.name("extend")),
      update(keys.name("update")),
      add(keys.name("add")),
      join(keys.name("join")),
      context(keys.name("__context__")),
      traceback(keys.name("__traceback__")),
      name(keys.name("__name__")),
      qualname(keys.name("__qualname__")),
      first_line(keys.name("__firstlineno__")),
      static_attributes(keys.name("__static_attributes__")),
      defaults(keys.name("__defaults__")),
      closure(keys.name("__closure__")),
      kwdefaults(keys.name("__kwdefaults__")),
      annotate(keys.name("__annotate__")),
      import(keys.name("__import__")),
      builtins_module(keys.name("builtins")),
      build_class(keys.name("__build_class__")),
      repr(keys.name("repr")),
      ascii(keys.name("ascii")),
      format(keys.name("format")),
      tuple(keys.name("tuple")) {}

std::vector<ValueId> Runner::pop(std::size_t n) {
  std::vector<ValueId> out = peek(n);
  frame_.stack.resize(frame_.stack.size() - n);
  return out;
}

std::vector<ValueId> Runner::peek(std::size_t n) const {
  std::vector<ValueId> out(frame_.stack.end() - static_cast<std::ptrdiff_t>(n), frame_.stack.end());
  for (ValueId& v : out) v = get(v);
  return out;
}

void Runner::go(BlockId block) {
  frame_.block = block;
  frame_.at = 0;
  frame_.phase = 0;
  frame_.joined = frame_.joined || program_.joins[block.n];
}

Runner::Step Runner::unobservable() {
  ++frame_.at;
  frame_.phase = 0;
  return Step::kUnobservable;
}

Runner::Step Runner::unobservable(ValueId pushed) {
  push(pushed);
  return unobservable();
}

bool Runner::is_uncovered() const {
  const auto& block = program_.uncovered[frame_.block.n];
  return frame_.at < block.size() && block[frame_.at];
}

Runner::Step Runner::event(const Instruction& insn, std::size_t pops, std::size_t results) {
  event_ = Event{};
  event_.uncovered = is_uncovered();
  event_.op = insn.op;
  event_.flags = insn.flags;
  event_.arg = insn.arg;
  event_.offset = insn.offset;
  const ArgKind kind = arg_kind(insn.op);
  if (kind == ArgKind::Name || kind == ArgKind::SuperName) {
    event_.key = program_.names[insn.arg];
    event_.arg = 0;
  }
  event_.pops = static_cast<std::uint32_t>(pops);
  event_.results = static_cast<std::uint32_t>(results);
  event_.operands = peek(pops);
  return Step::kEvent;
}

Runner::Step Runner::stuck(std::string what) {
  event_ = Event{};
  event_.form = Event::Form::kStuck;
  event_.what = std::move(what);
  const auto& code = program_.cfg.blocks[frame_.block].code;
  if (frame_.at < code.size()) event_.offset = code[frame_.at].offset;
  return Step::kEvent;
}

Object* Runner::object(ValueId v, ObjectKind kind) {
  const auto it = state_.heap.find(v);
  return it != state_.heap.end() && it->second.kind == kind ? &it->second : nullptr;
}

Event Runner::run() {
  std::uint64_t steps = 0;
  std::uint64_t next_snapshot = 64;
  Frame snapshot;
  bool has_snapshot = false;
  while (true) {
    if (frame_.left_with != kNoValue) {
      event_ = Event{};
      event_.form = Event::Form::kRaised;
      event_.arg = frame_.left_uncovered ? 1 : 0;
      event_.operands = {get(frame_.left_with)};
      return event_;
    }
    if (budget_ == 0) {
      stuck("the budget is used up");
      return event_;
    }
    --budget_;
    const BasicBlock& b = program_.cfg.blocks[frame_.block];
    if (frame_.at == 0 && ++steps >= next_snapshot) {  // Brent: a state met again is met for ever
      const bool again = has_snapshot && snapshot.block == frame_.block && snapshot.stack == frame_.stack &&
                         snapshot.slots == frame_.slots && snapshot.handled == frame_.handled &&
                         snapshot.handled_type == frame_.handled_type;
      if (again) {
        stuck("");
        event_.form = Event::Form::kEndless;
        return event_;
      }
      if (steps == next_snapshot || !has_snapshot) snapshot = frame_, has_snapshot = true;
      if (steps >= 2 * next_snapshot) next_snapshot = steps + 1;
    }
    if (frame_.at >= b.code.size()) {
      if (!b.fall.valid()) {
        stuck("control falls off the end");
        return event_;
      }
      go(b.fall);
      continue;
    }
    const Instruction& insn = b.code[frame_.at];
    const auto need = effect(program_.dialect.version, insn, false).pops;
    if (frame_.phase == 0 && frame_.stack.size() < static_cast<std::size_t>(need)) {
      stuck("stack underflow");
      return event_;
    }
    if (step(insn) == Step::kEvent) return event_;
  }
}

Runner::Step Runner::step(const Instruction& insn) {
  using Family = Step (Runner::*)(const Instruction&);
  constexpr Family kFamilies[] = {
      &Runner::stack_op, &Runner::local_op,    &Runner::cell_op, &Runner::name_op,     &Runner::attribute_op,
      &Runner::item_op,  &Runner::display_op,  &Runner::map_op,  &Runner::grow_op,     &Runner::operator_op,
      &Runner::call_op,  &Runner::function_op, &Runner::flow_op, &Runner::exception_op};
  for (const Family family : kFamilies)
    if (const Step done = (this->*family)(insn); done != Step::kNotMine) return done;
  return other_op(insn);
}

Runner::Step Runner::stack_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::NOP:
    case Op::RESUME:
    case Op::GEN_START: return unobservable();
    case Op::POP_TOP:
    case Op::POP_ITER: {
      const ValueId dropped = get(top());  // a saved local without a value is no object: dropping it crashes
      if (dropped == values_.unbound() || values_.is_known(dropped, Known::kMaybeUnbound))
        return stuck("a variable that may have no value is dropped");
      pop(1);
      return unobservable();
    }
    case Op::END_FOR:
      pop(static_cast<std::size_t>(effect(program_.dialect.version, insn, false).pops));
      return unobservable();
    case Op::COPY: return unobservable(top(insn.arg));
    case Op::SWAP: std::swap(frame_.stack.back(), frame_.stack[frame_.stack.size() - insn.arg]); return unobservable();
    case Op::PUSH_NULL: return unobservable(values_.null());
    case Op::RETURN_GENERATOR: return unobservable(values_.none());  // that there is one, the header tells
    case Op::END_SEND: {
      const ValueId kept = top();
      pop(2);
      return unobservable(kept);
    }
    case Op::LOAD_CONST: {
      const auto& code = program_.cfg.blocks[frame_.block].code;
      const bool tested = frame_.at + 1 < code.size() && code[frame_.at + 1].op == Op::CONTAINS_OP;
      const auto value = constant_value(program_, program_.object().consts[insn.arg], values_, tested);
      if (!value.ok()) return stuck(value.error().what);
      return unobservable(*value);
    }
    case Op::LOAD_SMALL_INT: {
      ConstFacts f;
      f.is_int = f.hashable = true;
      f.value = insn.arg;
      f.truth = insn.arg != 0 ? Truth::kTrue : Truth::kFalse;
      return unobservable(values_.constant(values_.keys().integer(insn.arg), f));
    }
    case Op::LOAD_COMMON_CONSTANT: {
      constexpr const char* kNames[] = {"AssertionError", "NotImplementedError", "tuple", "all", "any", "list", "set"};
      if (insn.arg < std::size(kNames)) return unobservable(values_.builtin(values_.keys().name(kNames[insn.arg])));
      switch (static_cast<CommonConstant>(insn.arg)) {
        case CommonConstant::kNone: return unobservable(values_.none());
        case CommonConstant::kEmptyStr: return unobservable(values_.text(""));
        case CommonConstant::kTrue: return unobservable(values_.boolean(true));
        case CommonConstant::kFalse: return unobservable(values_.boolean(false));
        default: break;
      }
      ConstFacts f;
      f.is_int = f.hashable = true;
      f.value = -1;
      f.truth = Truth::kTrue;
      return unobservable(values_.constant(values_.keys().minus_one(), f));
    }
    case Op::LOAD_BUILD_CLASS: return unobservable(values_.builtin(trust_.build_class));
    default: return Step::kNotMine;
  }
}

// A variable that has no value raises; one of which that is not known is asked for. The second side may do either alone:
// who asks whether a variable has a value has to catch an exception.
Runner::Step Runner::load_slot(std::uint32_t slot, bool again) {
  const ValueId v = get(frame_.slots[slot]);
  const bool unbound = v == values_.unbound();
  if (!unbound && !values_.is_known(v, Known::kMaybeUnbound)) return Step::kNotMine;
  Instruction insn;
  insn.op = Op::LOAD_FAST;
  insn.offset = program_.cfg.blocks[frame_.block].code[frame_.at].offset;
  event(insn, 0, 0);
  event_.arg = 0;
  event_.key = values_.keys().name(program_.slots[slot].name);
  event_.operands = {v};
  event_.form = unbound ? Event::Form::kRaiseOnly : Event::Form::kEffect;
  event_.optional = unbound && has_handler();
  if (again) event_.then = Event::Then::kRetry;
  return Step::kEvent;
}

Runner::Step Runner::local_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::LOAD_FAST:
      if (load_slot(insn.arg, true) == Step::kEvent) return Step::kEvent;
      return unobservable(frame_.slots[insn.arg]);
    case Op::STORE_FAST: frame_.slots[insn.arg] = pop(1)[0]; return unobservable();
    case Op::DELETE_FAST:
      if (load_slot(insn.arg, true) == Step::kEvent) return Step::kEvent;
      frame_.slots[insn.arg] = values_.unbound();
      return unobservable();
    case Op::LOAD_FAST_AND_CLEAR:
      push(frame_.slots[insn.arg]);
      frame_.slots[insn.arg] = values_.unbound();
      if (program_.new_cells.contains(insn.offset))
        frame_.slots[insn.arg] = make_object(state_, values_, ObjectKind::kCell, {values_.unbound()});
      return unobservable();
    default: return Step::kNotMine;
  }
}

Runner::Step Runner::cell_op(const Instruction& insn) {
  if (arg_kind(insn.op) != ArgKind::Deref) return Step::kNotMine;
  const std::uint32_t slot = program_.deref(insn.arg);
  const ValueId cell = get(frame_.slots[slot]);
  const auto cell_event = [&](std::size_t pops, std::size_t results) {
    event(insn, pops, results);
    event_.arg = 0;
    event_.key = values_.keys().name(program_.slots[slot].name);
    event_.operands.push_back(cell);
    return Step::kEvent;
  };
  Object* fresh = object(cell, ObjectKind::kCell);
  switch (insn.op) {
    case Op::LOAD_CLOSURE: return unobservable(cell);
    case Op::LOAD_DEREF: {
      const ValueId held = fresh != nullptr ? get(fresh->items[0]) : values_.unbound();
      if (held != values_.unbound() && !values_.is_known(held, Known::kMaybeUnbound)) return unobservable(held);
      return cell_event(0, 1);
    }
    case Op::STORE_DEREF:
      if (fresh != nullptr) {
        fresh->items[0] = pop(1)[0];
        return unobservable();
      }
      cell_event(1, 0);
      event_.may_raise = false;
      return Step::kEvent;
    case Op::DELETE_DEREF: return cell_event(0, 0);
    case Op::LOAD_CLASSDEREF: return cell_event(0, 1);
    default: return cell_event(1, 1);  // LOAD_FROM_DICT_OR_DEREF
  }
}

// A global that nothing binds is the builtin: then the load alone is no effect, but the first side's is kept all the same.
Runner::Step Runner::name_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::LOAD_NAME:
    case Op::LOAD_GLOBAL: {
      event(insn, 0, 1);
      const bool module_level = !program_.object().parent.valid() && (program_.object().flags & kCoOptimized) == 0;
      if (trust_.builtins.contains(event_.key) && (insn.op == Op::LOAD_GLOBAL || module_level)) {
        event_.optional = true;
        event_.may_raise = false;
        event_.fixed = event_.skipped = values_.builtin(event_.key);
      }
      return Step::kEvent;
    }
    case Op::IMPORT_NAME: {
      event(insn, 2, 1);
      const ConstFacts* level = values_.facts(event_.operands[0]);
      const bool plain = level != nullptr && level->is_int && level->value == 0 &&
                         event_.operands[1] == values_.none() &&
                         (insn.flags & kLazyImport) == 0;  // that one asks __lazy_import__
      if (plain && event_.key == trust_.builtins_module && trust_.attributes.contains(trust_.import)) {
        event_.optional = true;
        event_.skipped = values_.builtin(trust_.builtins_module);
      }
      return Step::kEvent;
    }
    case Op::STORE_NAME: {
      event(insn, 1, 0);
      const bool compilers = program_.compilers_stores.contains(insn.offset);
      if (compilers && event_.key == trust_.first_line) event_.operands[0] = values_.none();
      if (event_.key == trust_.qualname && values_.is(event_.operands[0], ValueKind::kConst)) {
        const std::string& text = values_.keys().payload(values_[event_.operands[0]].a);
        if (text.starts_with('s')) event_.operands[0] = values_.text(program_.inner_name(text.substr(1)));
      }
      if (compilers && event_.key == trust_.static_attributes && values_.is(event_.operands[0], ValueKind::kTuple)) {
        std::vector<ValueId> items = values_.items(event_.operands[0]);
        std::sort(items.begin(), items.end());
        event_.operands[0] = values_.tuple(items);
      }
      return Step::kEvent;
    }
    default: return Step::kNotMine;
  }
}

// The rest: what it pops are its operands, what it pushes its results.
Runner::Step Runner::other_op(const Instruction& insn) {
  if (is_jump(insn.op) || is_terminator(insn.op)) return stuck("no rule for " + std::string(op_name(insn.op)));
  const Effect e = effect(program_.dialect.version, insn, false);
  event(insn, static_cast<std::size_t>(e.pops), static_cast<std::size_t>(e.pushes));
  if (insn.op == Op::FORMAT_VALUE && insn.arg == 4) {
    event_.op = Op::FORMAT_WITH_SPEC;
    event_.arg = 0;
  }
  if (insn.op == Op::BUILD_SET || insn.op == Op::BUILD_SET_UNPACK) event_.gives = Known::kSet;
  if (insn.op == Op::FORMAT_VALUE || insn.op == Op::FORMAT_SIMPLE || insn.op == Op::FORMAT_WITH_SPEC ||
      insn.op == Op::CONVERT_VALUE)
    event_.gives = Known::kText;
  return Step::kEvent;
}

void Runner::decided(const Event& e, bool truth) {
  const BasicBlock& b = program_.cfg.blocks[frame_.block];
  const Instruction& insn = b.code[frame_.at];
  const bool when =
      insn.op == Op::POP_JUMP_IF_TRUE || insn.op == Op::POP_JUMP_IF_NONE || insn.op == Op::JUMP_IF_TRUE_OR_POP;
  const bool jumps = truth == when;
  if (e.then == Event::Then::kBranch || !jumps) pop(1);
  go(jumps ? b.jump : b.fall);
}

void Runner::finish(const Event& e, Outcome outcome, const std::vector<ValueId>& results) {
  const bool yes = outcome == Outcome::kNormal;
  const auto leave = [&] {
    pop(e.pops);
    ++frame_.at;
    frame_.phase = 0;
  };
  switch (e.then) {
    case Event::Then::kPush:
    case Event::Then::kPushMethod:
      leave();
      if (e.then == Event::Then::kPushMethod) push(values_.null());
      for (const ValueId v : results) push(v);
      return;
    case Event::Then::kBranch:
    case Event::Then::kBranchOrPop: return decided(e, yes);
    case Event::Then::kPushTruth:
    case Event::Then::kMatched: leave(); return push(values_.boolean(yes));
    case Event::Then::kPushFalsity: leave(); return push(values_.boolean(!yes));
    case Event::Then::kIterate: {
      const BasicBlock& b = program_.cfg.blocks[frame_.block];
      const bool kept = (b.code[frame_.at].flags & kIterKept) != 0;
      if (yes) {
        push(results[0]);
      } else if (kept) {
        push(values_.null());
      } else {
        pop(1);
      }
      return go(yes ? b.fall : b.jump);
    }
    case Event::Then::kNextCall: leave(); return push(yes ? results[0] : e.extra);
    case Event::Then::kRetry: return;
    case Event::Then::kPhase: ++frame_.phase; return;
    case Event::Then::kPushPhase: {
      const std::uint32_t next = frame_.phase + 1;
      pop(e.pops);
      for (const ValueId v : results) push(v);
      frame_.phase = next;
      return;
    }
    case Event::Then::kExtendLater: {  // the instruction again, with what the iteration gave
      pop(1);
      const ValueId all = values_.splat(results[0]);
      return push(values_.tuple({&all, 1}));
    }
    case Event::Then::kExtend:
      leave();
      if (e.gives_none) push(values_.none());
      if (Object* list = object(get(e.extra), ObjectKind::kList)) list->items.push_back(values_.splat(results[0]));
      return;
    case Event::Then::kHandle: {
      leave();
      for (const ValueId v : results) push(v);
      const ValueId parts[2] = {frame_.handled, results.back()};
      frame_.handled = values_.pure(Pure::kGroupHandled, parts);
      return;
    }
    case Event::Then::kUnhandle: {
      const ValueId before = top(5), type = top(4);
      leave();
      if (!frame_.handlers.empty()) frame_.handlers.pop_back();
      frame_.handled = before;
      frame_.handled_type = type;
      return;
    }
  }
}

// `type`: of an exception that is raised again up to 3.10, the class that was found when it was raised first
// (_PyErr_Restore in do_raise() and RERAISE, Python/ceval.c); else it is looked up now.
void Runner::raise(ValueId exception, ValueId type) {
  const BasicBlock& b = program_.cfg.blocks[frame_.block];
  const Handler& h = b.handler;
  frame_.phase = 0;
  frame_.scratch = kNoValue;
  // <= 3.10: unwinding leaves the handlers inside (UNWIND_EXCEPT_HANDLER in ceval.c); 3.11+ does so by POP_EXCEPT alone
  while (!frame_.handlers.empty() && (!h.block.valid() || frame_.handlers.back() >= h.depth)) {
    frame_.handled = frame_.stack[frame_.handlers.back() + 1];
    frame_.handled_type = frame_.stack[frame_.handlers.back() + 2];
    frame_.handlers.pop_back();
  }
  if (!h.block.valid()) {
    frame_.left_with = exception;
    frame_.left_uncovered = is_uncovered();
    frame_.stack.clear();
    return;
  }
  frame_.stack.resize(h.depth);
  if (h.lasti) push(values_.offset());
  if (program_.dialect.handler_pushes_six) {
    frame_.handlers.push_back(h.depth);
    if (type == kNoValue) type = type_now(exception);
    for (const auto& [e, of] : {std::pair(frame_.handled, frame_.handled_type), std::pair(exception, type)}) {
      push(values_.pure(Pure::kTraceback, e));
      push(e);
      push(of);
    }
    frame_.handled = exception;
    frame_.handled_type = type;
  } else {
    push(exception);
  }
  go(h.block);
}

ValueId Runner::context_now(ValueId exception) {
  const auto it = frame_.contexts.find(exception);
  if (it != frame_.contexts.end()) return get(it->second);
  const ValueId parts[2] = {exception, moment()};
  return values_.pure(Pure::kContext, parts);
}

// The time since the last effect: what only effects can change is the same all that time.
ValueId Runner::moment() {
  if (state_.now == kNoValue) state_.now = values_.symbol(Known::kNothing);
  return state_.now;
}

// Of an instance of a class that somebody wrote, an effect may change it: `x.__class__ = other`.
ValueId Runner::type_now(ValueId of) {
  const bool may_change = values_.is(of, ValueKind::kSymbol) &&
                          (values_.is_exception(of) || values_.is_known(of, Known::kNothing) ||
                           values_.is_known(of, Known::kText) || values_.is_known(of, Known::kMaybeUnbound));
  if (!may_change) return values_.pure(Pure::kTypeOf, of);
  const ValueId parts[2] = {of, moment()};
  return values_.pure(Pure::kTypeOf, parts);
}

// What a translation does to exceptions and trusted names without a counterpart among the original's effects.
void Runner::skip(const Event& e) {
  if (e.op == Op::RAISE_VARARGS) {  // of an exception: the one handled here becomes its context
    const ValueId exception = e.operands[0], handled = get(frame_.handled);
    if (handled != exception) frame_.contexts[exception] = handled;
    // A younger one may have the older in its chain of contexts, which the interpreter would cut (Python/errors.c,
    // _PyErr_SetObject): after that nothing is the same.
    const bool younger = handled > exception && values_.is_exception(handled);
    if (younger) frame_.contexts[handled] = values_.symbol(Known::kNothing);
    return raise(exception);
  }
  if (e.op == Op::LOAD_FAST) return raise(values_.symbol(Known::kUnboundLocal));
  if (e.op == Op::STORE_ATTR) {
    const ValueId value = e.operands[0], exception = e.operands[1];
    if (e.key == trust_.context) {
      frame_.contexts.erase(exception);
      if (context_now(exception) != value) frame_.contexts[exception] = value;
    }
    return finish(e, Outcome::kNormal, {});
  }
  finish(e, Outcome::kNormal, {e.skipped});
}

std::string show(const Event& e, Values& values) {
  switch (e.form) {
    case Event::Form::kStuck: return e.what;
    case Event::Form::kRaised: return "the exception " + values.show(e.operands[0]) + " leaves";
    case Event::Form::kEndless: return "an endless loop";
    case Event::Form::kDecide: return "a branch on " + values.show(e.operands[0]);
    default: break;
  }
  std::string out(op_name(e.op));
  if (e.key != kNoKey) out += ' ' + values.keys().show(e.key);
  if (e.operands.empty()) return out;
  out += '(';
  for (std::size_t i = 0; i < e.operands.size() && out.size() < 120; ++i)
    out += (i > 0 ? ", " : "") + values.show(e.operands[i]);
  return out + ")";
}

}  // namespace depyf::proof
