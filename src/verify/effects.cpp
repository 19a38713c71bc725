// SPDX-License-Identifier: MIT
// Implements Runner: the loop of symbolic execution, outcomes of events, and raising; see effects.h.
//
// An operation without a rule is an effect whose operands and results are the stack entries that it pops and pushes,
// which is correct for each operation that accesses only the operand stack. The rules are in effects_*.cpp.
#include <algorithm>

#include "verify/families.h"

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
  frame.stack.resize(frame.stack.size() - n);
  return out;
}

std::vector<ValueId> Runner::peek(std::size_t n) const {
  std::vector<ValueId> out(frame.stack.end() - static_cast<std::ptrdiff_t>(n), frame.stack.end());
  for (ValueId& v : out) v = get(v);
  return out;
}

void Runner::enter_block(BlockId block) {
  frame.went_back = frame.went_back || program.position[block.n] <= program.position[frame.block.n];
  frame.entered_join = frame.entered_join || program.is_join[block.n];
  frame.passed_join = frame.passed_join || frame.entered_join;
  frame.block = block;
  frame.index = 0;
  frame.phase = 0;
}

Step Runner::unobservable() {
  ++frame.index;
  frame.phase = 0;
  return Step::kUnobservable;
}

Step Runner::unobservable(ValueId pushed) {
  push(pushed);
  return unobservable();
}

bool Runner::is_uncovered() const {
  const auto& block = program.uncovered[frame.block.n];
  return frame.index < block.size() && block[frame.index];
}

Step Runner::observable(const Instruction& insn, std::size_t pops, std::size_t results) {
  event = Event{};
  event.uncovered = is_uncovered();
  event.op = insn.op;
  event.flags = insn.flags;
  event.arg = insn.arg;
  event.offset = insn.offset;
  const ArgKind kind = arg_kind(insn.op);
  if (kind == ArgKind::Name || kind == ArgKind::SuperName) {
    event.key = program.names[insn.arg];
    event.arg = 0;
  }
  event.pops = static_cast<std::uint32_t>(pops);
  event.results = static_cast<std::uint32_t>(results);
  event.operands = peek(pops);
  return Step::kEvent;
}

Step Runner::stuck(std::string reason) {
  event = Event{};
  event.form = Event::Form::kStuck;
  event.reason = std::move(reason);
  const auto& code = program.cfg.blocks[frame.block].code;
  if (frame.index < code.size()) event.offset = code[frame.index].offset;
  return Step::kEvent;
}

namespace {

Step step(Runner& r, const Instruction& insn) {
  using Family = Step (*)(Runner&, const Instruction&);
  constexpr Family kFamilies[] = {stack_op, local_op, cell_op,     name_op, attribute_op, item_op, display_op,
                                  map_op,   grow_op,  operator_op, call_op, function_op,  flow_op, exception_op};
  for (const Family family : kFamilies)
    if (const Step done = family(r, insn); done != Step::kNoRule) return done;
  return other_op(r, insn);
}

// Returns the symbol for the time since the last effect. Properties that only effects can change are functions of it.
ValueId current_epoch(State& state, Values& values) {
  if (state.epoch == kNoValue) state.epoch = values.symbol(Known::kNothing);
  return state.epoch;
}

}  // namespace

ValueId context_now(Runner& r, ValueId exception) {
  const auto it = r.frame.contexts.find(exception);
  if (it != r.frame.contexts.end()) return r.get(it->second);
  const ValueId parts[2] = {exception, current_epoch(r.state, r.values)};
  return r.values.pure(Pure::kContext, parts);
}

// An effect may change the type of an instance of a Python class: `x.__class__ = other`.
ValueId type_now(Runner& r, ValueId of) {
  const bool may_change = r.values.is(of, ValueKind::kSymbol) &&
                          (is_exception(r.values, of) || r.values.is_known(of, Known::kNothing) ||
                           r.values.is_known(of, Known::kText) || r.values.is_known(of, Known::kMaybeUnbound));
  if (!may_change) return r.values.pure(Pure::kTypeOf, of);
  const ValueId parts[2] = {of, current_epoch(r.state, r.values)};
  return r.values.pure(Pure::kTypeOf, parts);
}

Cycle::Cycle(const State& state, Values& values, std::uint32_t side) : frame_(state.side[side]) {
  for (const ValueId ref : reachable_refs(state, values, side))
    if (const auto it = state.heap.find(ref); it != state.heap.end()) objects_.insert(*it);
}

bool Cycle::repeats(const State& state, const Frame& now) const {
  if (frame_.block != now.block || frame_.stack != now.stack || frame_.slots != now.slots ||
      frame_.handled != now.handled || frame_.handled_type != now.handled_type || frame_.contexts != now.contexts)
    return false;
  return std::ranges::all_of(objects_, [&](const auto& then) {
    const auto it = state.heap.find(then.first);
    return it != state.heap.end() && it->second == then.second;
  });
}

Event Runner::run() {
  std::uint64_t steps = 0;
  std::uint64_t next_snapshot = 64;
  std::optional<Cycle> cycle;
  while (true) {
    if (frame.uncaught != kNoValue) {
      event = Event{};
      event.form = Event::Form::kRaised;
      event.arg = frame.uncaught_is_uncovered ? 1 : 0;
      event.operands = {get(frame.uncaught)};
      return event;
    }
    if (budget_ == 0) {
      stuck("the budget is used up");
      return event;
    }
    --budget_;
    const BasicBlock& b = program.cfg.blocks[frame.block];
    if (frame.index == 0 && ++steps >= next_snapshot) {  // Brent's algorithm: a repeated state is a cycle
      if (cycle && cycle->repeats(state, frame)) {
        stuck("");
        event.form = Event::Form::kEndless;
        return event;
      }
      if (steps == next_snapshot || !cycle) cycle.emplace(state, values, program.side);
      if (steps >= 2 * next_snapshot) next_snapshot = steps + 1;
    }
    if (frame.index >= b.code.size()) {
      if (!b.fall.valid()) {
        stuck("control falls off the end");
        return event;
      }
      enter_block(b.fall);
      continue;
    }
    const Instruction& insn = b.code[frame.index];
    const auto need = effect(program.dialect.version, insn, false).pops;
    if (frame.phase == 0 && frame.stack.size() < static_cast<std::size_t>(need)) {
      stuck("stack underflow");
      return event;
    }
    if (step(*this, insn) == Step::kEvent) return event;
  }
}

void Runner::take_branch(const Event& e, bool truth) {
  const BasicBlock& b = program.cfg.blocks[frame.block];
  const Instruction& insn = b.code[frame.index];
  const bool when =
      insn.op == Op::POP_JUMP_IF_TRUE || insn.op == Op::POP_JUMP_IF_NONE || insn.op == Op::JUMP_IF_TRUE_OR_POP;
  const bool jumps = truth == when;
  if (e.then == Event::Then::kBranch || !jumps) pop(1);
  enter_block(jumps ? b.jump : b.fall);
}

void Runner::finish(const Event& e, Outcome outcome, const std::vector<ValueId>& results) {
  const bool is_true = outcome == Outcome::kNormal;
  const auto pop_and_advance = [&] {
    pop(e.pops);
    ++frame.index;
    frame.phase = 0;
  };
  switch (e.then) {
    case Event::Then::kPush:
    case Event::Then::kPushMethod:
      pop_and_advance();
      if (e.then == Event::Then::kPushMethod) push(kNull);
      for (const ValueId v : results) push(v);
      return;
    case Event::Then::kBranch:
    case Event::Then::kBranchOrPop: return take_branch(e, is_true);
    case Event::Then::kPushTruth:
    case Event::Then::kMatched: pop_and_advance(); return push(values.boolean(is_true));
    case Event::Then::kPushFalsity: pop_and_advance(); return push(values.boolean(!is_true));
    case Event::Then::kIterate: {
      const BasicBlock& b = program.cfg.blocks[frame.block];
      const bool kept = (b.code[frame.index].flags & kIterKept) != 0;
      if (is_true) {
        push(results[0]);
      } else if (kept) {
        push(kNull);
      } else {
        pop(1);
      }
      return enter_block(is_true ? b.fall : b.jump);
    }
    case Event::Then::kNextCall: pop_and_advance(); return push(is_true ? results[0] : e.extra);
    case Event::Then::kRetry: return;
    case Event::Then::kPhase: ++frame.phase; return;
    case Event::Then::kPushPhase: {
      const std::uint32_t next = frame.phase + 1;
      pop(e.pops);
      for (const ValueId v : results) push(v);
      frame.phase = next;
      return;
    }
    case Event::Then::kExtendLater: {
      pop(1);
      const ValueId all = values.splat(results[0]);
      return push(values.tuple({&all, 1}));
    }
    case Event::Then::kExtend:
      pop_and_advance();
      if (e.pushes_none) push(values.none());
      if (Object* list = object(get(e.extra), ObjectKind::kList)) list->items.push_back(values.splat(results[0]));
      return;
    case Event::Then::kHandle: {
      pop_and_advance();
      for (const ValueId v : results) push(v);
      const ValueId parts[2] = {frame.handled, results.back()};
      frame.handled = values.pure(Pure::kGroupHandled, parts);
      return;
    }
    case Event::Then::kUnhandle: {
      const ValueId before = top(5), type = top(4);
      pop_and_advance();
      if (!frame.handler_depths.empty()) frame.handler_depths.pop_back();
      frame.handled = before;
      frame.handled_type = type;
      return;
    }
  }
}

// `type`: for an exception that is raised again up to 3.10, the class that it had when it was first raised, which
// _PyErr_Restore keeps in do_raise() and RERAISE (Python/ceval.c). By default the class is looked up now.
void Runner::raise(ValueId exception, ValueId type) {
  const BasicBlock& b = program.cfg.blocks[frame.block];
  const Handler& h = b.handler;
  frame.phase = 0;
  frame.scratch = kNoValue;
  // Up to 3.10 unwinding leaves the inner handlers (UNWIND_EXCEPT_HANDLER in ceval.c); later only POP_EXCEPT does.
  while (!frame.handler_depths.empty() && (!h.block.valid() || frame.handler_depths.back() >= h.depth)) {
    frame.handled = frame.stack[frame.handler_depths.back() + 1];
    frame.handled_type = frame.stack[frame.handler_depths.back() + 2];
    frame.handler_depths.pop_back();
  }
  if (!h.block.valid()) {
    frame.uncaught = exception;
    frame.uncaught_is_uncovered = is_uncovered();
    frame.stack.clear();
    return;
  }
  frame.stack.resize(h.depth);
  if (h.lasti) push(kOffset);
  if (program.dialect.handler_pushes_six) {
    frame.handler_depths.push_back(h.depth);
    if (type == kNoValue) type = type_now(*this, exception);
    for (const auto& [e, of] : {std::pair(frame.handled, frame.handled_type), std::pair(exception, type)}) {
      push(values.pure(Pure::kTraceback, e));
      push(e);
      push(of);
    }
    frame.handled = exception;
    frame.handled_type = type;
  } else {
    push(exception);
  }
  enter_block(h.block);
}

// Executes what a translation may do to exceptions and trusted names without a counterpart in the original.
void Runner::skip(const Event& e) {
  if (e.op == Op::RAISE_VARARGS) {  // raises an exception object again: the handled one becomes its context
    const ValueId exception = e.operands[0], handled = get(frame.handled);
    if (handled != exception) frame.contexts[exception] = handled;
    // If the raised exception is older than the handled one, it may be in the handled one's chain of contexts, which
    // _PyErr_SetObject (Python/errors.c) then cuts: the context of the handled one becomes unknown.
    const bool younger = handled > exception && is_exception(values, handled);
    if (younger) frame.contexts[handled] = values.symbol(Known::kNothing);
    return raise(exception);
  }
  if (e.op == Op::LOAD_FAST) return raise(values.symbol(Known::kUnboundLocal));
  if (e.op == Op::STORE_ATTR) {
    const ValueId value = e.operands[0], exception = e.operands[1];
    if (e.key == trust.context) {
      frame.contexts.erase(exception);
      if (context_now(*this, exception) != value) frame.contexts[exception] = value;
    }
    return finish(e, Outcome::kNormal, {});
  }
  finish(e, Outcome::kNormal, {e.skip_result});
}

std::string show(const Event& e, Values& values) {
  constexpr std::string_view kBinary[] = {"+", "&", "//", "<<", "@", "*", "%", "|", "**", ">>", "-", "/", "^"};
  constexpr std::string_view kCompare[] = {"<", "<=", "==", "!=", ">", ">="};
  switch (e.form) {
    case Event::Form::kStuck: return e.reason;
    case Event::Form::kRaised: return "the exception " + show(values, e.operands[0]) + " leaves";
    case Event::Form::kEndless: return "an endless loop";
    case Event::Form::kDecide: return "a branch on " + show(values, e.operands[0]);
    default: break;
  }
  std::string out(op_name(e.op));
  if (e.key != kNoKey) out += ' ' + values.keys().show(e.key);
  if (e.op == Op::BINARY_OP) out += ' ' + std::string(kBinary[e.arg]) + ((e.flags & kInPlace) != 0 ? "=" : "");
  if (e.op == Op::COMPARE_OP) out += ' ' + std::string(kCompare[e.arg]);
  if (e.operands.empty()) return out;
  out += '(';
  for (std::size_t i = 0; i < e.operands.size() && out.size() < 120; ++i)
    out += (i > 0 ? ", " : "") + show(values, e.operands[i]);
  return out + ")";
}

}  // namespace depyf::proof
