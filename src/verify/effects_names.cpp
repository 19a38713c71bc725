// SPDX-License-Identifier: MIT
// Rules for the stack, constants, local variables, cells and names; see effects.h.
#include <algorithm>

#include "verify/families.h"

namespace depyf::proof {

Step stack_op(Runner& r, const Instruction& insn) {
  switch (insn.op) {
    case Op::NOP:
    case Op::RESUME:
    case Op::GEN_START: return r.unobservable();
    case Op::POP_TOP:
    case Op::POP_ITER: {
      const ValueId dropped = r.get(r.top());  // popping the NULL of an unbound saved local crashes the interpreter
      if (dropped == kUnbound || r.values.is_known(dropped, Known::kMaybeUnbound))
        return r.stuck("a variable that may have no value is dropped");
      return r.drop(1);
    }
    case Op::END_FOR: return r.drop(static_cast<std::size_t>(effect(r.program.dialect.version, insn, false).pops));
    case Op::COPY: return r.unobservable(r.top(insn.arg));
    case Op::SWAP:
      std::swap(r.frame.stack.back(), r.frame.stack[r.frame.stack.size() - insn.arg]);
      return r.unobservable();
    case Op::PUSH_NULL: return r.unobservable(kNull);
    case Op::RETURN_GENERATOR:
      return r.unobservable(r.values.none());  // Validator compares the headers, which tell generators
    case Op::END_SEND: {
      const ValueId kept = r.top();
      return r.replace(2, kept);
    }
    case Op::LOAD_CONST: {
      const auto& code = r.program.cfg.blocks[r.frame.block].code;
      const bool tested = r.frame.index + 1 < code.size() && code[r.frame.index + 1].op == Op::CONTAINS_OP;
      const auto value = constant_value(r.program, r.program.object().consts[insn.arg], r.values, tested);
      if (!value.ok()) return r.stuck(value.error().what);
      return r.unobservable(*value);
    }
    case Op::LOAD_SMALL_INT: {
      ConstFacts f;
      f.is_int = f.hashable = true;
      f.value = insn.arg;
      f.truth = insn.arg != 0 ? Truth::kTrue : Truth::kFalse;
      return r.unobservable(r.values.constant(r.values.keys().integer(insn.arg), f));
    }
    case Op::LOAD_COMMON_CONSTANT: {
      constexpr const char* kNames[] = {"AssertionError", "NotImplementedError", "tuple", "all", "any", "list", "set"};
      if (insn.arg < std::size(kNames)) return r.unobservable(r.values.builtin(r.values.keys().name(kNames[insn.arg])));
      switch (static_cast<CommonConstant>(insn.arg)) {
        case CommonConstant::kNone: return r.unobservable(r.values.none());
        case CommonConstant::kEmptyStr: return r.unobservable(r.values.text(""));
        case CommonConstant::kTrue: return r.unobservable(r.values.boolean(true));
        case CommonConstant::kFalse: return r.unobservable(r.values.boolean(false));
        default: break;
      }
      ConstFacts f;
      f.is_int = f.hashable = true;
      f.value = -1;
      f.truth = Truth::kTrue;
      return r.unobservable(r.values.constant(r.values.keys().minus_one(), f));
    }
    case Op::LOAD_BUILD_CLASS: return r.unobservable(r.values.builtin(r.trust.build_class));
    default: return Step::kNoRule;
  }
}

namespace {

// Sets the event of reading a variable that is unbound, which raises, or that may be unbound, which raises or retries
// the instruction. Returns kNoRule if it has a value. The second side may do both without a counterpart, since a
// translation tests whether a variable has a value by catching the exception.
Step load_slot(Runner& r, std::uint32_t slot, bool retries) {
  const ValueId v = r.get(r.frame.slots[slot]);
  const bool unbound = v == kUnbound;
  if (!unbound && !r.values.is_known(v, Known::kMaybeUnbound)) return Step::kNoRule;
  Instruction insn;
  insn.op = Op::LOAD_FAST;
  insn.offset = r.program.cfg.blocks[r.frame.block].code[r.frame.index].offset;
  r.observable(insn, 0, 0);
  r.event.arg = 0;
  r.event.key = r.values.keys().name(r.program.slots[slot].name);
  r.event.operands = {v};
  r.event.form = unbound ? Event::Form::kRaiseOnly : Event::Form::kEffect;
  r.event.optional = unbound && r.has_handler();
  if (retries) r.event.then = Event::Then::kRetry;
  return Step::kEvent;
}

}  // namespace

Step local_op(Runner& r, const Instruction& insn) {
  switch (insn.op) {
    case Op::LOAD_FAST:
      if (load_slot(r, insn.arg, true) == Step::kEvent) return Step::kEvent;
      return r.unobservable(r.frame.slots[insn.arg]);
    case Op::STORE_FAST: r.frame.slots[insn.arg] = r.pop(1)[0]; return r.unobservable();
    case Op::DELETE_FAST:
      if (load_slot(r, insn.arg, true) == Step::kEvent) return Step::kEvent;
      r.frame.slots[insn.arg] = kUnbound;
      return r.unobservable();
    case Op::LOAD_FAST_AND_CLEAR:
      r.push(r.frame.slots[insn.arg]);
      r.frame.slots[insn.arg] = kUnbound;
      if (r.program.new_cells.contains(insn.offset))
        r.frame.slots[insn.arg] = make_object(r.state, r.values, ObjectKind::kCell, {kUnbound});
      return r.unobservable();
    default: return Step::kNoRule;
  }
}

Step cell_op(Runner& r, const Instruction& insn) {
  if (arg_kind(insn.op) != ArgKind::Deref) return Step::kNoRule;
  const std::uint32_t slot = r.program.deref(insn.arg);
  const ValueId cell = r.get(r.frame.slots[slot]);
  const auto cell_event = [&](std::size_t pops, std::size_t results) {
    r.observable(insn, pops, results);
    r.event.arg = 0;
    r.event.key = r.values.keys().name(r.program.slots[slot].name);
    r.event.operands.push_back(cell);
    return Step::kEvent;
  };
  Object* fresh = r.object(cell, ObjectKind::kCell);
  switch (insn.op) {
    case Op::LOAD_CLOSURE: return r.unobservable(cell);
    case Op::LOAD_DEREF: {
      const ValueId held = fresh != nullptr ? r.get(fresh->items[0]) : kUnbound;
      if (held != kUnbound && !r.values.is_known(held, Known::kMaybeUnbound)) return r.unobservable(held);
      return cell_event(0, 1);
    }
    case Op::STORE_DEREF:
      if (fresh != nullptr) {
        fresh->items[0] = r.pop(1)[0];
        return r.unobservable();
      }
      cell_event(1, 0);
      r.event.may_raise = false;
      return Step::kEvent;
    case Op::DELETE_DEREF: return cell_event(0, 0);
    case Op::LOAD_CLASSDEREF: return cell_event(0, 1);
    default: return cell_event(1, 1);  // LOAD_FROM_DICT_OR_DEREF
  }
}

// A trusted global is a builtin. Loading it has no effect that can be observed, but it is an event of the first side
// all the same; only the second side may skip it.
Step name_op(Runner& r, const Instruction& insn) {
  switch (insn.op) {
    case Op::LOAD_NAME:
    case Op::LOAD_GLOBAL: {
      r.observable(insn, 0, 1);
      const bool module_level = !r.program.object().parent.valid() && (r.program.object().flags & kCoOptimized) == 0;
      if (r.trust.builtins.contains(r.event.key) && (insn.op == Op::LOAD_GLOBAL || module_level)) {
        r.event.optional = true;
        r.event.may_raise = false;
        r.event.known_result = r.event.skip_result = r.values.builtin(r.event.key);
      }
      return Step::kEvent;
    }
    case Op::IMPORT_NAME: {
      r.observable(insn, 2, 1);
      const ConstFacts* level = r.values.facts(r.event.operands[0]);
      const bool plain = level != nullptr && level->is_int && level->value == 0 &&
                         r.event.operands[1] == r.values.none() &&
                         (insn.flags & kLazyImport) == 0;  // a lazy import calls __lazy_import__
      if (plain && r.event.key == r.trust.builtins_module && r.trust.attributes.contains(r.trust.import)) {
        r.event.optional = true;
        r.event.skip_result = r.values.builtin(r.trust.builtins_module);
      }
      return Step::kEvent;
    }
    case Op::STORE_NAME: {
      r.observable(insn, 1, 0);
      const bool by_compiler = r.program.compiler_stores.contains(insn.offset);
      if (by_compiler && r.event.key == r.trust.first_line) r.event.operands[0] = r.values.none();
      const auto text = text_of(r.values, r.event.operands[0]);
      if (text && r.event.key == r.trust.qualname) r.event.operands[0] = r.values.text(r.program.inner_name(*text));
      if (by_compiler && r.event.key == r.trust.static_attributes &&
          r.values.is(r.event.operands[0], ValueKind::kTuple)) {
        std::vector<ValueId> items = r.values.items(r.event.operands[0]);
        std::sort(items.begin(), items.end());
        r.event.operands[0] = r.values.tuple(items);
      }
      return Step::kEvent;
    }
    default: return Step::kNoRule;
  }
}

// The default: the operands are the stack entries that the operation pops, the results those that it pushes.
Step other_op(Runner& r, const Instruction& insn) {
  if (is_jump(insn.op) || is_terminator(insn.op)) return r.stuck("no rule for " + std::string(op_name(insn.op)));
  const Effect e = effect(r.program.dialect.version, insn, false);
  r.observable(insn, static_cast<std::size_t>(e.pops), static_cast<std::size_t>(e.pushes));
  if (insn.op == Op::FORMAT_VALUE && insn.arg == 4) {
    r.event.op = Op::FORMAT_WITH_SPEC;
    r.event.arg = 0;
  }
  if (insn.op == Op::BUILD_SET || insn.op == Op::BUILD_SET_UNPACK) r.event.result_known = Known::kSet;
  if (insn.op == Op::FORMAT_VALUE || insn.op == Op::FORMAT_SIMPLE || insn.op == Op::FORMAT_WITH_SPEC ||
      insn.op == Op::CONVERT_VALUE)
    r.event.result_known = Known::kText;
  return Step::kEvent;
}

}  // namespace depyf::proof
