// SPDX-License-Identifier: MIT
// Rules for calls, functions, branches, iteration and exceptions; see effects.h. Calls of trusted builtins and of
// methods of fresh containers become the events of the operations that do the same: `iter(x)` that of GET_ITER.
#include <algorithm>
#include <utility>

#include "bytecode/contract.h"
#include "verify/families.h"

namespace depyf::proof {
namespace {

// Sets the event of a call that does the same as operation `op`, with one result.
Step set_event(Runner& r, const Instruction& insn, Op op, std::vector<ValueId> operands, std::size_t pops) {
  r.observable(insn, 0, 1);
  r.event.op = op;
  r.event.arg = 0;
  r.event.key = kNoKey;
  r.event.flags = 0;
  r.event.operands = std::move(operands);
  r.event.pops = static_cast<std::uint32_t>(pops);
  return Step::kEvent;
}

std::string_view method_name(const Runner& r, const Object& method) {
  return text_of(r.values, method.items[0]).value_or(std::string_view());
}

Step call_method(Runner& r, const Instruction& insn, const std::vector<ValueId>& args, const Object& method,
                 std::size_t pops) {
  const std::string_view name = method_name(r, method);
  const ValueId list = r.get(method.items[1]);
  if (args.size() != 1) return r.stuck("a container's method with other arguments than one");
  if (r.values.is_known(list, Known::kSet)) {
    set_event(r, insn, name == "add" ? Op::SET_ADD : Op::SET_UPDATE, {list, args[0]}, pops);
    r.event.known_result = r.values.none();
    return Step::kEvent;
  }
  if (name == "join") {
    auto parts = *known_items(r.state, r.values, args[0]);
    for (ValueId& part : parts) part = r.get(part);
    if (!std::all_of(parts.begin(), parts.end(), [&](ValueId v) { return is_text(r.values, v); })) {
      const auto count = static_cast<std::uint32_t>(parts.size());
      set_event(r, insn, Op::BUILD_STRING, std::move(parts), pops);
      r.event.arg = count;
      return Step::kEvent;
    }
    return r.replace(pops, joined(r.values, parts));
  }
  if (name == "update") {
    if (update_dict(r.state, r.values, Op::DICT_UPDATE, list, args[0])) return r.replace(pops, r.values.none());
    set_event(r, insn, Op::DICT_UPDATE, {list, args[0]}, pops);
    r.event.arg = 2;  // dict.update() also accepts pairs, and its error messages differ
    r.event.known_result = r.values.none();
    return Step::kEvent;
  }
  if (name == "extend") return extend(r, insn, list, args[0], pops);
  if (Object* fresh = r.object(list, ObjectKind::kList)) {
    fresh->items.push_back(args[0]);
    return r.replace(pops, r.values.none());
  }
  set_event(r, insn, Op::LIST_APPEND, {list, args[0]}, pops);
  r.event.may_raise = false;
  r.event.known_result = r.values.none();
  return Step::kEvent;
}

// Returns whether the arguments of ''.join() are one sequence of known items: the call then does the same as
// BUILD_STRING, also for items that are no strings, since both are _PyUnicode_JoinArray.
bool is_join_of_known(const Runner& r, const std::vector<ValueId>& args) {
  const auto items = args.size() == 1 ? known_items(r.state, r.values, args[0]) : std::nullopt;
  return items && is_count_known(r.values, *items);
}

// Compilers build a tuple in place of a list that is only iterated (`for x in [a, b]`). Therefore the operand of a
// fresh list or tuple without other references is a tuple of its items.
Step get_iter(Runner& r, const Instruction& insn, ValueId of, std::size_t pops) {
  set_event(r, insn, Op::GET_ITER, {of}, pops);
  const bool list = r.object(of, ObjectKind::kList) != nullptr;
  if (!list && r.object(of, ObjectKind::kTuple) == nullptr) return Step::kEvent;
  std::vector<ValueId> others(r.frame.stack.begin(), r.frame.stack.end() - static_cast<std::ptrdiff_t>(pops));
  const auto live = r.program.live_at(r.frame.block, r.frame.index + 1);
  for (std::size_t i = 0; i < live.size(); ++i)
    if (live[i]) others.push_back(r.frame.slots[i]);
  const std::vector<ValueId> items = *known_items(r.state, r.values, of);
  others.insert(others.end(), items.begin(), items.end());  // it may contain itself
  const bool alone = !reachable_values(r.state, r.values, std::move(others)).contains(of);
  r.event.iterates_list = list && alone;
  if (alone) r.event.operands = {r.values.tuple(items)};
  return Step::kEvent;
}

// Executes the call of a builtin with positional arguments that does the same as an operation, if it is one.
std::optional<Step> call_builtin(Runner& r, const Instruction& insn, Key name, const std::vector<ValueId>& args,
                                 std::size_t pops) {
  const auto& names = r.trust;
  if (args.size() == 1) {
    const ValueId of = args[0];
    if (name == names.type) return r.replace(pops, type_now(r, of));
    if (name == names.iter) return get_iter(r, insn, of, pops);
    if (name == names.len) return set_event(r, insn, Op::GET_LEN, args, pops);
    if (name == names.repr || name == names.ascii) {
      set_event(r, insn, Op::CONVERT_VALUE, args, pops);
      r.event.arg = name == names.repr ? 2 : 3;
      r.event.result_known = Known::kText;
      return Step::kEvent;
    }
    if (name != names.tuple) return std::nullopt;
    if (r.object(of, ObjectKind::kList) != nullptr)
      return r.replace(pops, make_tuple(r.state, r.values, *known_items(r.state, r.values, of)));
    if (r.values.is_known(of, Known::kList)) return set_event(r, insn, Op::LIST_TO_TUPLE, args, pops);
    return std::nullopt;
  }
  if (name == names.slice && (args.size() == 2 || args.size() == 3))
    return r.replace(pops, make_slice(r.state, r.values, args));
  if (args.size() != 2) return std::nullopt;
  if (name == names.format && is_text(r.values, args[1])) {
    set_event(r, insn, Op::FORMAT_WITH_SPEC, args, pops);
    r.event.result_known = Known::kText;
    return Step::kEvent;
  }
  if (name == names.next && r.values.is(args[1], ValueKind::kRef)) {
    set_event(r, insn, Op::FOR_ITER, {args[0]}, pops);
    r.event.form = Event::Form::kTwoWay;
    r.event.then = Event::Then::kNextCall;
    r.event.extra = args[1];
    return Step::kEvent;
  }
  return std::nullopt;
}

// Executes any kind of call. The operands of its event are the callable, the arguments, and the tuple of names of the
// last ones, or NULL.
Step call(Runner& r, const Instruction& insn, ValueId callee, const std::vector<ValueId>& args, ValueId names,
          std::size_t pops) {
  const Object* method = r.object(callee, ObjectKind::kMethod);
  if (method != nullptr && names == kNoValue && (method_name(r, *method) != "join" || is_join_of_known(r, args)))
    return call_method(r, insn, args, *method, pops);
  if (r.values.is(callee, ValueKind::kBuiltin) && names == kNoValue && is_count_known(r.values, args))
    if (const auto step = call_builtin(r, insn, r.values[callee].a, args, pops)) return *step;
  set_event(r, insn, Op::CALL, {callee}, pops);
  r.event.arg = static_cast<std::uint32_t>(args.size());
  r.event.operands.insert(r.event.operands.end(), args.begin(), args.end());
  r.event.operands.push_back(names == kNoValue ? kNull : names);
  // super() without arguments reads the frame's first variable
  if (args.empty() && r.program.has_class_cell && !r.frame.slots.empty())
    r.event.operands.push_back(r.get(r.frame.slots[0]));
  return Step::kEvent;
}

// Executes a call whose stack is callable and NULL (in either order), or callable and self, then the arguments.
// `extra`: number of entries above them.
Step call_slots(Runner& r, const Instruction& insn, std::size_t argc, ValueId names, std::size_t extra) {
  auto all = r.peek(argc + 2 + extra);
  all.resize(argc + 2);
  const bool first = all[0] == kNull, second = all[1] == kNull;
  if (first && second) return r.stuck("a call of NULL");
  std::vector<ValueId> args(all.begin() + 2, all.end());
  if (!first && !second) args.insert(args.begin(), all[1]);
  return call(r, insn, first ? all[1] : all[0], std::move(args), names, argc + 2 + extra);
}

// Returns the keys and values of a fresh dict without other references and with constant names as keys: passing it as
// `**kwargs` is the same as passing keyword arguments.
std::optional<std::pair<std::vector<ValueId>, std::vector<ValueId>>> keywords(const Runner& r, ValueId dict,
                                                                              std::size_t pops) {
  const Object* fresh = r.object(dict, ObjectKind::kDict);
  if (fresh == nullptr || fresh->items.empty()) return std::nullopt;
  const auto others = reachable_refs(r.state, r.values, r.program.side, pops);
  if (std::find(others.begin(), others.end(), dict) != others.end()) return std::nullopt;
  std::pair<std::vector<ValueId>, std::vector<ValueId>> out;
  for (std::size_t i = 0; i < fresh->items.size(); i += 2) {
    if (!text_of(r.values, fresh->items[i])) return std::nullopt;
    out.first.push_back(fresh->items[i]);
    out.second.push_back(fresh->items[i + 1]);
  }
  return out;
}

// Executes POP_JUMP_IF_TRUE and POP_JUMP_IF_FALSE. From 3.13 on they do not call __bool__() and require a bool. The
// first code is assumed to obey; the second must jump on a bool too, or on the same value as the first.
Step conditional_jump(Runner& r, const Instruction& insn, ValueId v) {
  const bool needs_bool = tests_need_bool(r.program.dialect.version) && !is_bool(r.values, v);
  const Step step = test(r, insn, v, Event::Then::kBranch, 1);
  if (needs_bool && step == Step::kUnobservable && r.program.side == 1) return r.stuck("a test of what is no bool");
  r.event.needs_bool = needs_bool;
  return step;
}

}  // namespace

Step call_op(Runner& r, const Instruction& insn) {
  switch (insn.op) {
    case Op::CALL: return call_slots(r, insn, insn.arg, kNoValue, 0);
    case Op::CALL_KW: return call_slots(r, insn, insn.arg, r.top(), 1);
    case Op::CALL_FUNCTION:
    case Op::CALL_FUNCTION_KW: {
      const bool named = insn.op == Op::CALL_FUNCTION_KW;
      const ValueId names = named ? r.top() : kNoValue;
      const auto all = r.peek(insn.arg + (named ? 2 : 1));
      std::vector<ValueId> args(all.begin() + 1, all.begin() + 1 + insn.arg);
      return call(r, insn, all[0], std::move(args), names, all.size());
    }
    case Op::CALL_FUNCTION_EX: {
      const auto all = r.peek(static_cast<std::size_t>(effect(r.program.dialect.version, insn, false).pops));
      const bool has_kwargs = (insn.arg & 1U) != 0, has_null = (insn.arg & 2U) != 0;
      const std::size_t callee = has_null && r.program.dialect.null_below_callable ? 1 : 0;
      const std::size_t args_at = all.size() - (has_kwargs ? 2 : 1);
      const ValueId kwargs = has_kwargs ? all.back() : kNull;
      const auto items = known_items(r.state, r.values, all[args_at]);
      if (kwargs == kNull && items) return call(r, insn, all[callee], *items, kNoValue, all.size());
      if (const auto named = keywords(r, kwargs, all.size()); items && named) {
        auto args = *items;
        args.insert(args.end(), named->second.begin(), named->second.end());
        return call(r, insn, all[callee], std::move(args), r.values.tuple(named->first), all.size());
      }
      r.observable(insn, all.size(), 1);
      r.event.arg = 0;
      r.event.operands = {all[callee], items ? r.values.tuple(*items) : all[args_at], kwargs};
      return Step::kEvent;
    }
    default: return Step::kNoRule;
  }
}

Step function_op(Runner& r, const Instruction& insn) {
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
    const ValueId ref = r.top();
    Object* function = r.object(ref, ObjectKind::kFunction);
    if (function == nullptr) return Step::kNoRule;
    function->items[field_of(insn.arg)] = r.top(2);
    return r.replace(2, ref);
  }
  if (insn.op != Op::MAKE_FUNCTION) return Step::kNoRule;
  const bool named = r.program.dialect.qualname_operand;
  const ValueId code = named ? r.top(2) : r.top(1);
  if (!r.values.is(code, ValueKind::kCode)) return r.stuck("a function of an unknown code object");
  const CodeObject& co = r.program.tree->codes[CodeId{r.values[code].a}];
  std::vector<ValueId> fields(kFunctionFields, kDead);
  fields[kFunctionCode] = code;
  fields[kFunctionName] = r.values.text(co.name);
  std::string qualname = co.qualname;
  if (named) {
    const auto text = text_of(r.values, r.top());
    if (!text) return r.stuck("a function whose qualified name is no text");
    qualname = *text;
  }
  fields[kFunctionQualname] = r.values.text(r.program.compared_name(qualname));
  r.pop(named ? 2 : 1);
  for (std::uint32_t bit = 8; bit >= 1; bit /= 2)
    if ((insn.arg & bit) != 0) fields[field_of(bit)] = r.pop(1)[0];
  return r.unobservable(make_object(r.state, r.values, ObjectKind::kFunction, std::move(fields)));
}

Step flow_op(Runner& r, const Instruction& insn) {
  const BasicBlock& b = r.program.cfg.blocks[r.frame.block];
  switch (insn.op) {
    case Op::JUMP: r.enter_block(b.jump.valid() ? b.jump : b.fall); return Step::kUnobservable;
    case Op::POP_JUMP_IF_FALSE:
    case Op::POP_JUMP_IF_TRUE: return conditional_jump(r, insn, r.top());
    case Op::JUMP_IF_FALSE_OR_POP:
    case Op::JUMP_IF_TRUE_OR_POP: return test(r, insn, r.top(), Event::Then::kBranchOrPop, 1);
    case Op::POP_JUMP_IF_NONE:
    case Op::POP_JUMP_IF_NOT_NONE: {
      const ValueId is = norm(r.state, r.values, identity(r.values, r.top(), r.values.none()));
      return test(r, insn, is, Event::Then::kBranch, 1);
    }
    case Op::SETUP_WITH:  // <= 3.10; the graph has its handler
      r.observable(insn, 1, 2);
      r.event.op = Op::BEFORE_WITH;
      r.event.arg = 0;
      return Step::kEvent;
    case Op::SETUP_ASYNC_WITH: return r.unobservable();
    case Op::GET_ITER: return get_iter(r, insn, r.top(), 1);
    case Op::FOR_ITER:
      r.observable(insn, 1, 1);
      r.event.flags = 0;
      r.event.arg = 0;
      r.event.form = Event::Form::kTwoWay;
      r.event.then = Event::Then::kIterate;
      return Step::kEvent;
    case Op::RETURN_VALUE:
      r.observable(insn, 1, 0);
      r.event.form = Event::Form::kReturn;
      r.event.may_raise = false;
      return Step::kEvent;
    default: return Step::kNoRule;
  }
}

Step exception_op(Runner& r, const Instruction& insn) {
  const bool six = r.program.dialect.handler_pushes_six;
  switch (insn.op) {
    case Op::PUSH_EXC_INFO: {
      const ValueId exception = r.top();
      r.pop(1);
      r.push(r.frame.handled);
      r.frame.handled = exception;
      return r.unobservable(exception);
    }
    case Op::POP_EXCEPT: {
      const auto popped = r.pop(six ? 3 : 1);
      if (popped[0] == kOffset) return r.stuck("POP_EXCEPT of an offset");  // the interpreter may crash
      if (!r.frame.handler_depths.empty()) r.frame.handler_depths.pop_back();
      r.frame.handled = popped[six ? 1 : 0];
      if (six) r.frame.handled_type = popped[2];
      return r.unobservable();
    }
    case Op::RERAISE: {
      const ValueId exception = r.top(six ? 2 : 1);
      if (!six && insn.arg > 0 && (r.frame.stack.size() <= insn.arg || r.top(insn.arg + 1) != kOffset))
        return r.stuck("RERAISE without an offset");  // the interpreter raises SystemError
      r.raise(exception, six ? r.top(1) : kNoValue);
      return Step::kUnobservable;
    }
    case Op::RAISE_VARARGS: {
      const ValueId handled = r.get(r.frame.handled);
      if (insn.arg == 0 && is_exception(r.values, handled)) {
        r.raise(handled, r.frame.handled_type);
        return Step::kUnobservable;
      }
      r.observable(insn, insn.arg, 0);
      r.event.form = Event::Form::kRaiseOnly;
      if (insn.arg == 0) r.event.operands = {handled};
      r.event.optional = insn.arg == 1 && is_exception(r.values, r.event.operands[0]);
      return Step::kEvent;
    }
    case Op::CHECK_EXC_MATCH:
    case Op::EXC_MATCH: {
      const ValueId any_exception = r.values.builtin(r.trust.base_exception),
                    name_error = r.values.builtin(r.trust.name_error);
      ValueId of = r.top(2);
      if (insn.op == Op::EXC_MATCH && r.values.is(of, ValueKind::kPure)) of = r.values.items(of)[0];
      r.observable(insn, 2, 0);
      r.event.pops = insn.op == Op::EXC_MATCH ? 2 : 1;
      r.event.form = Event::Form::kTwoWay;
      r.event.then = Event::Then::kMatched;
      const ValueId wanted = r.event.operands[1];
      const bool matches = (wanted == any_exception && is_exception(r.values, of)) ||
                           (wanted == name_error && r.values.is_known(of, Known::kUnboundLocal));
      if (!matches) return Step::kEvent;
      r.finish(r.event, Outcome::kNormal, {});
      return Step::kUnobservable;
    }
    case Op::END_ASYNC_FOR:
      r.observable(insn, six ? 7 : 2, 0);
      r.event.arg = 0;  // 3.14+: the distance to the loop's start, only for sys.monitoring (INSTRUMENTED_END_ASYNC_FOR)
      if (six) r.event.then = Event::Then::kUnhandle;
      return Step::kEvent;
    case Op::CHECK_EG_MATCH:
      r.observable(insn, 2, 2);
      r.event.then = Event::Then::kHandle;
      return Step::kEvent;
    case Op::WITH_EXCEPT_START: {
      const auto depth = static_cast<std::size_t>(effect(r.program.dialect.version, insn, false).pops);
      const ValueId exception = r.top(six ? 2 : 1);
      std::vector<ValueId> args{six ? r.top(1) : type_now(r, exception), exception,
                                r.values.pure(Pure::kTraceback, exception)};
      if (depth == 5 && r.top(4) != kNull) args.insert(args.begin(), r.top(4));
      return call(r, insn, r.top(depth), std::move(args), kNoValue, 0);
    }
    default: return Step::kNoRule;
  }
}

}  // namespace depyf::proof
