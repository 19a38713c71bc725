// SPDX-License-Identifier: MIT
// Calls, functions, branches, iteration and exceptions; see effects.h.
#include <algorithm>
#include <utility>

#include "bytecode/contract.h"
#include "verify/effects.h"

namespace depyf::proof {

// A call that does what an operation does, with one result.
void Runner::stand_for(const Instruction& insn, Op op, std::vector<ValueId> operands, std::size_t pops) {
  event(insn, 0, 1);
  event_.op = op;
  event_.arg = 0;
  event_.key = kNoKey;
  event_.flags = 0;
  event_.operands = std::move(operands);
  event_.pops = static_cast<std::uint32_t>(pops);
}

Runner::Step Runner::call_method(const Instruction& insn, const std::vector<ValueId>& args, ValueId callee,
                                 std::size_t pops) {
  const ValueId list = get(values_.items(callee)[0]);
  const Key name = values_[callee].a;
  if (args.size() != 1) return stuck("a container's method with other arguments than one");
  if (values_.is_known(list, Known::kSet)) {
    stand_for(insn, name == trust_.add ? Op::SET_ADD : Op::SET_UPDATE, {list, args[0]}, pops);
    event_.fixed = values_.none();
    return Step::kEvent;
  }
  if (name == trust_.join) {
    auto parts = *known_items(state_, values_, args[0]);
    for (ValueId& part : parts) part = get(part);
    if (!std::all_of(parts.begin(), parts.end(), [&](ValueId v) { return values_.is_text(v); })) {
      const auto count = static_cast<std::uint32_t>(parts.size());
      stand_for(insn, Op::BUILD_STRING, std::move(parts), pops);
      event_.arg = count;
      return Step::kEvent;
    }
    pop(pops);
    return unobservable(values_.joined(parts));
  }
  if (name == trust_.update) {
    if (merge(Op::DICT_UPDATE, list, args[0])) {
      pop(pops);
      return unobservable(values_.none());
    }
    stand_for(insn, Op::DICT_UPDATE, {list, args[0]}, pops);
    event_.arg = 2;  // takes pairs as well, and words its errors differently
    event_.fixed = values_.none();
    return Step::kEvent;
  }
  if (name == trust_.extend) return extend(insn, list, args[0], pops);
  if (Object* fresh = object(list, ObjectKind::kList)) {
    fresh->items.push_back(args[0]);
    pop(pops);
    return unobservable(values_.none());
  }
  stand_for(insn, Op::LIST_APPEND, {list, args[0]}, pops);
  event_.may_raise = false;
  event_.fixed = values_.none();
  return Step::kEvent;
}

// ''.join() of known items is what BUILD_STRING does with its parts, texts or not: both are _PyUnicode_JoinArray.
bool Runner::joins(const std::vector<ValueId>& args) const {
  const auto items = args.size() == 1 ? known_items(state_, values_, args[0]) : std::nullopt;
  return items &&
         std::none_of(items->begin(), items->end(), [&](ValueId v) { return values_.is(v, ValueKind::kSplat); });
}

// The compiler writes a tuple where it sees that nobody else gets the list.
Runner::Step Runner::iterate(const Instruction& insn, ValueId of, std::size_t pops) {
  stand_for(insn, Op::GET_ITER, {of}, pops);
  const bool list = object(of, ObjectKind::kList) != nullptr;
  if (!list && object(of, ObjectKind::kTuple) == nullptr) return Step::kEvent;
  std::vector<ValueId> others(frame_.stack.begin(), frame_.stack.end() - static_cast<std::ptrdiff_t>(pops));
  const auto live = program_.live_at(frame_.block, frame_.at + 1);
  for (std::size_t i = 0; i < live.size(); ++i)
    if (live[i]) others.push_back(frame_.slots[i]);
  const bool alone = !closure(state_, values_, std::move(others)).contains(of);
  event_.of_list = list && alone;
  if (alone) event_.operands = {values_.tuple(*known_items(state_, values_, of))};
  return Step::kEvent;
}

// One form for every kind of call: the callable, its arguments, the names of the last ones.
Runner::Step Runner::call(const Instruction& insn, ValueId callee, std::vector<ValueId> args, ValueId names,
                          std::size_t pops) {
  if (values_.is(callee, ValueKind::kMethod) && names == kNoValue && (values_[callee].a != trust_.join || joins(args)))
    return call_method(insn, args, callee, pops);
  event(insn, 0, 1);
  event_.pops = static_cast<std::uint32_t>(pops);
  event_.flags = 0;
  event_.key = kNoKey;
  event_.arg = static_cast<std::uint32_t>(args.size());
  const bool counted =
      std::none_of(args.begin(), args.end(), [&](ValueId v) { return values_.is(v, ValueKind::kSplat); });
  if (values_.is(callee, ValueKind::kBuiltin) && names == kNoValue && counted) {
    const Key name = values_[callee].a;
    if (name == trust_.type && args.size() == 1) {
      pop(pops);
      return unobservable(type_now(args[0]));
    }
    if (name == trust_.slice && (args.size() == 2 || args.size() == 3)) {
      pop(pops);
      return unobservable(slice_of(std::move(args)));
    }
    const bool converts = (name == trust_.repr || name == trust_.ascii) && args.size() == 1;
    if (converts || (name == trust_.format && args.size() == 2 && values_.is_text(args[1]))) {
      event_.op = converts ? Op::CONVERT_VALUE : Op::FORMAT_WITH_SPEC;
      event_.arg = !converts ? 0 : name == trust_.repr ? 2 : 3;
      event_.operands = args;
      event_.gives = Known::kText;
      return Step::kEvent;
    }
    const bool fresh_list = args.size() == 1 && object(args[0], ObjectKind::kList) != nullptr;
    if (name == trust_.tuple && args.size() == 1 && (fresh_list || values_.is_known(args[0], Known::kList))) {
      if (fresh_list) {
        pop(pops);
        return unobservable(make_tuple(state_, values_, *known_items(state_, values_, args[0])));
      }
      event_.op = Op::LIST_TO_TUPLE;
      event_.arg = 0;
      event_.operands = args;
      return Step::kEvent;
    }
    if (name == trust_.iter && args.size() == 1) return iterate(insn, args[0], pops);
    if (name == trust_.len && args.size() == 1) {
      event_.op = Op::GET_LEN;
      event_.arg = 0;
      event_.operands = args;
      return Step::kEvent;
    }
    if (name == trust_.next && args.size() == 2 && values_.is(args[1], ValueKind::kRef)) {
      event_.op = Op::FOR_ITER;
      event_.arg = 0;
      event_.operands = {args[0]};
      event_.form = Event::Form::kTwoWay;
      event_.then = Event::Then::kNextCall;
      event_.extra = args[1];
      return Step::kEvent;
    }
  }
  event_.op = Op::CALL;
  event_.operands = {callee};
  event_.operands.insert(event_.operands.end(), args.begin(), args.end());
  event_.operands.push_back(names == kNoValue ? values_.null() : names);
  // super() looks at the frame's first variable
  if (args.empty() && program_.has_class_cell && !frame_.slots.empty()) event_.operands.push_back(get(frame_.slots[0]));
  return Step::kEvent;
}

Runner::Step Runner::call_slots(const Instruction& insn, std::size_t argc, ValueId names, std::size_t extra) {
  auto all = peek(argc + 2 + extra);
  all.resize(argc + 2);
  const bool first = all[0] == values_.null(), second = all[1] == values_.null();
  if (first && second) return stuck("a call of NULL");
  std::vector<ValueId> args(all.begin() + 2, all.end());
  if (!first && !second) args.insert(args.begin(), all[1]);
  return call(insn, first ? all[1] : all[0], std::move(args), names, argc + 2 + extra);
}

// The names and values of a fresh dict that nothing else holds: who is called cannot tell it from keyword arguments.
std::optional<Runner::Named> Runner::names_in(ValueId dict, std::size_t pops) const {
  const auto it = state_.heap.find(dict);
  if (it == state_.heap.end() || it->second.kind != ObjectKind::kDict || it->second.items.empty()) return std::nullopt;
  const auto others = reachable(state_, values_, program_.side, pops);
  if (std::find(others.begin(), others.end(), dict) != others.end()) return std::nullopt;
  Named out;
  for (std::size_t i = 0; i < it->second.items.size(); i += 2) {
    const ValueId key = it->second.items[i];
    const bool text = values_.is(key, ValueKind::kConst) && values_.keys().payload(values_[key].a).starts_with('s');
    if (!text) return std::nullopt;
    out.first.push_back(key);
    out.second.push_back(it->second.items[i + 1]);
  }
  return out;
}

Runner::Step Runner::call_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::CALL: return call_slots(insn, insn.arg, kNoValue, 0);
    case Op::CALL_KW: return call_slots(insn, insn.arg, top(), 1);
    case Op::CALL_FUNCTION:
    case Op::CALL_FUNCTION_KW: {
      const bool named = insn.op == Op::CALL_FUNCTION_KW;
      const ValueId names = named ? top() : kNoValue;
      const auto all = peek(insn.arg + (named ? 2 : 1));
      std::vector<ValueId> args(all.begin() + 1, all.begin() + 1 + insn.arg);
      return call(insn, all[0], std::move(args), names, all.size());
    }
    case Op::CALL_FUNCTION_EX: {
      const auto all = peek(static_cast<std::size_t>(effect(program_.dialect.version, insn, false).pops));
      const bool has_kwargs = (insn.arg & 1U) != 0, has_null = (insn.arg & 2U) != 0;
      const std::size_t callee = has_null && program_.dialect.null_below_callable ? 1 : 0;
      const std::size_t args_at = all.size() - (has_kwargs ? 2 : 1);
      const ValueId kwargs = has_kwargs ? all.back() : values_.null();
      const auto items = known_items(state_, values_, all[args_at]);
      if (kwargs == values_.null() && items) return call(insn, all[callee], *items, kNoValue, all.size());
      if (const auto named = names_in(kwargs, all.size()); items && named) {
        auto args = *items;
        args.insert(args.end(), named->second.begin(), named->second.end());
        return call(insn, all[callee], std::move(args), values_.tuple(named->first), all.size());
      }
      event(insn, all.size(), 1);
      event_.arg = 0;
      event_.operands = {all[callee], items ? values_.tuple(*items) : all[args_at], kwargs};
      return Step::kEvent;
    }
    default: return Step::kNotMine;
  }
}

Runner::Step Runner::function_op(const Instruction& insn) {
  const auto field_of = [](std::uint32_t bit) {
    switch (bit) {
      case 1: return kFunctionDefaults;
      case 2: return kFunctionKwdefaults;
      case 4: return kFunctionAnnotations;
      case 8: return kFunctionClosure;
      default: return kFunctionAnnotate;
    }
  };
  if (insn.op == Op::SET_FUNCTION_ATTRIBUTE) {
    const ValueId ref = top();
    Object* function = object(ref, ObjectKind::kFunction);
    if (function == nullptr) return Step::kNotMine;
    function->items[field_of(insn.arg)] = top(2);
    pop(2);
    return unobservable(ref);
  }
  if (insn.op != Op::MAKE_FUNCTION) return Step::kNotMine;
  const bool named = program_.dialect.qualname_operand;
  const ValueId code = named ? top(2) : top(1);
  if (!values_.is(code, ValueKind::kCode)) return stuck("a function of an unknown code object");
  const CodeObject& co = program_.tree->codes[CodeId{values_[code].a}];
  std::vector<ValueId> fields(kFunctionFields, values_.dead());
  fields[kFunctionCode] = code;
  fields[kFunctionName] = values_.text(co.name);
  std::string qualname = co.qualname;
  if (named) {
    const bool constant = values_.is(top(), ValueKind::kConst);
    if (!constant || !values_.keys().payload(values_[top()].a).starts_with('s'))
      return stuck("a function whose qualified name is no text");
    qualname = values_.keys().payload(values_[top()].a).substr(1);
  }
  fields[kFunctionQualname] = values_.text(program_.compared_name(qualname));
  pop(named ? 2 : 1);
  for (std::uint32_t bit = 8; bit >= 1; bit /= 2)
    if ((insn.arg & bit) != 0) fields[field_of(bit)] = pop(1)[0];
  return unobservable(make_object(state_, values_, ObjectKind::kFunction, std::move(fields)));
}

// From 3.13 on it asks no object for its truth. Who wrote the first saw to it that this is a bool; the second must too, or
// jump on just what the first jumps on.
Runner::Step Runner::jump_on(const Instruction& insn, ValueId v) {
  const bool takes_bool = tests_need_bool(program_.dialect.version) && !values_.is_bool(v);
  const Step step = test(insn, v, Event::Then::kBranch, 1);
  if (takes_bool && step == Step::kUnobservable && program_.side == 1) return stuck("a test of what is no bool");
  event_.takes_bool = takes_bool;
  return step;
}

Runner::Step Runner::flow_op(const Instruction& insn) {
  const BasicBlock& b = program_.cfg.blocks[frame_.block];
  switch (insn.op) {
    case Op::JUMP: go(b.jump.valid() ? b.jump : b.fall); return Step::kUnobservable;
    case Op::POP_JUMP_IF_FALSE:
    case Op::POP_JUMP_IF_TRUE: return jump_on(insn, top());
    case Op::JUMP_IF_FALSE_OR_POP:
    case Op::JUMP_IF_TRUE_OR_POP: return test(insn, top(), Event::Then::kBranchOrPop, 1);
    case Op::POP_JUMP_IF_NONE:
    case Op::POP_JUMP_IF_NOT_NONE: {
      const ValueId is = norm(state_, values_, values_.identity(top(), values_.none()));
      return test(insn, is, Event::Then::kBranch, 1);
    }
    case Op::SETUP_WITH:  // <= 3.10; its handler is the graph's
      event(insn, 1, 2);
      event_.op = Op::BEFORE_WITH;
      event_.arg = 0;
      return Step::kEvent;
    case Op::SETUP_ASYNC_WITH: return unobservable();
    case Op::GET_ITER: return iterate(insn, top(), 1);
    case Op::FOR_ITER:
      event(insn, 1, 1);
      event_.flags = 0;
      event_.arg = 0;
      event_.form = Event::Form::kTwoWay;
      event_.then = Event::Then::kIterate;
      return Step::kEvent;
    case Op::RETURN_VALUE:
      event(insn, 1, 0);
      event_.form = Event::Form::kReturn;
      event_.may_raise = false;
      return Step::kEvent;
    default: return Step::kNotMine;
  }
}

Runner::Step Runner::exception_op(const Instruction& insn) {
  const bool six = program_.dialect.handler_pushes_six;
  switch (insn.op) {
    case Op::PUSH_EXC_INFO: {
      const ValueId exception = top();
      pop(1);
      push(frame_.handled);
      frame_.handled = exception;
      return unobservable(exception);
    }
    case Op::POP_EXCEPT: {
      const auto popped = pop(six ? 3 : 1);
      if (!frame_.handlers.empty()) frame_.handlers.pop_back();
      frame_.handled = popped[six ? 1 : 0];
      if (six) frame_.handled_type = popped[2];
      return unobservable();
    }
    case Op::RERAISE: {
      const ValueId exception = top(six ? 2 : 1);
      if (!six && insn.arg > 0 && (frame_.stack.size() <= insn.arg || top(insn.arg + 1) != values_.offset()))
        return stuck("RERAISE without an offset");  // a SystemError of the interpreter's
      raise(exception, six ? top(1) : kNoValue);
      return Step::kUnobservable;
    }
    case Op::RAISE_VARARGS: {
      const ValueId handled = get(frame_.handled);
      if (insn.arg == 0 && values_.is_exception(handled)) {
        raise(handled, frame_.handled_type);
        return Step::kUnobservable;
      }
      event(insn, insn.arg, 0);
      event_.form = Event::Form::kRaiseOnly;
      if (insn.arg == 0) event_.operands = {handled};
      event_.optional = insn.arg == 1 && values_.is_exception(event_.operands[0]);
      return Step::kEvent;
    }
    case Op::CHECK_EXC_MATCH:
    case Op::EXC_MATCH: {
      const ValueId every = values_.builtin(trust_.base_exception), unbound = values_.builtin(trust_.name_error);
      ValueId of = top(2);
      if (insn.op == Op::EXC_MATCH && values_.is(of, ValueKind::kPure)) of = values_.items(of)[0];
      event(insn, 2, 0);
      event_.pops = insn.op == Op::EXC_MATCH ? 2 : 1;
      event_.form = Event::Form::kTwoWay;
      event_.then = Event::Then::kMatched;
      const ValueId wanted = event_.operands[1];
      const bool matches = (wanted == every && values_.is_exception(of)) ||
                           (wanted == unbound && values_.is_known(of, Known::kUnboundLocal));
      if (!matches) return Step::kEvent;
      finish(event_, Outcome::kNormal, {});
      return Step::kUnobservable;
    }
    case Op::END_ASYNC_FOR:
      event(insn, six ? 7 : 2, 0);
      event_.arg = 0;  // 3.14+: how far away the loop begins, for sys.monitoring alone (INSTRUMENTED_END_ASYNC_FOR)
      if (six) event_.then = Event::Then::kUnhandle;
      return Step::kEvent;
    case Op::CHECK_EG_MATCH:
      event(insn, 2, 2);
      event_.then = Event::Then::kHandle;
      return Step::kEvent;
    case Op::WITH_EXCEPT_START: {
      const auto depth = static_cast<std::size_t>(effect(program_.dialect.version, insn, false).pops);
      const ValueId exception = top(six ? 2 : 1);
      std::vector<ValueId> args{six ? top(1) : type_now(exception), exception,
                                values_.pure(Pure::kTraceback, exception)};
      if (depth == 5 && top(4) != values_.null()) args.insert(args.begin(), top(4));
      return call(insn, top(depth), std::move(args), kNoValue, 0);
    }
    default: return Step::kNotMine;
  }
}

}  // namespace depyf::proof
