// SPDX-License-Identifier: MIT
// Attributes, items, displays and operators, as effects or on fresh containers; see effects.h.
#include <algorithm>

#include "verify/effects.h"

namespace depyf::proof {

Runner::Step Runner::attribute_op(const Instruction& insn) {
  if (insn.op == Op::LOAD_ATTR || insn.op == Op::LOAD_METHOD) {
    const ValueId of = top();
    const Key key = program_.names[insn.arg];
    const bool method = insn.op == Op::LOAD_METHOD;
    const bool list = values_.is_known(of, Known::kList) || object(of, ObjectKind::kList) != nullptr;
    const bool dict = values_.is_known(of, Known::kDict) || object(of, ObjectKind::kDict) != nullptr;
    const bool set = values_.is_known(of, Known::kSet), empty_text = of == values_.text("");
    if ((list && (key == trust_.append || key == trust_.extend)) || (dict && key == trust_.update) ||
        (set && (key == trust_.add || key == trust_.update)) || (empty_text && key == trust_.join)) {
      pop(1);
      if (method) push(values_.null());
      return unobservable(values_.method(of, key));
    }
    if (const Object* function = object(of, ObjectKind::kFunction); function != nullptr && key == trust_.closure) {
      const ValueId cells = function->items[kFunctionClosure];
      if (!method && is_tuple(state_, values_, cells)) {
        pop(1);
        return unobservable(cells);
      }
    }
    if (of == values_.builtin(trust_.builtins_module) && trust_.attributes.contains(key)) {
      pop(1);
      if (method) push(values_.null());
      return unobservable(values_.builtin(key));
    }
    event(insn, 1, 1);
    event_.op = Op::LOAD_ATTR;  // the same lookup, whoever binds the method
    if (method) event_.then = Event::Then::kPushMethod;
    if (!method && values_.is_exception(of) && (key == trust_.context || key == trust_.traceback)) {
      event_.optional = true;
      event_.skipped = key == trust_.context ? context_now(of) : values_.pure(Pure::kTraceback, of);
    }
    return Step::kEvent;
  }
  if (insn.op == Op::LOAD_SUPER_METHOD) {
    event(insn, 3, 1);
    event_.op = Op::LOAD_SUPER_ATTR;
    event_.then = Event::Then::kPushMethod;
    return Step::kEvent;
  }
  if (insn.op == Op::LOAD_SUPER_ATTR) return event(insn, 3, 1);
  if (insn.op != Op::STORE_ATTR) return Step::kNotMine;
  ValueId value = top(2);
  const ValueId of = top(1);
  const Key key = program_.names[insn.arg];
  if (Object* function = object(of, ObjectKind::kFunction)) {  // nobody has seen it yet
    const bool text = values_.is(value, ValueKind::kConst) && values_.keys().payload(values_[value].a).starts_with('s');
    std::size_t field = kFunctionFields;
    if (key == trust_.name && text) field = kFunctionName;
    if (key == trust_.qualname && text) {
      field = kFunctionQualname;
      value = values_.text(program_.compared_name(values_.keys().payload(values_[value].a).substr(1)));
    }
    if (key == trust_.defaults && is_tuple(state_, values_, value)) field = kFunctionDefaults;
    const bool dict = object(value, ObjectKind::kDict) != nullptr || values_.is_known(value, Known::kDict);
    if (key == trust_.kwdefaults && dict) field = kFunctionKwdefaults;
    const bool callable = object(value, ObjectKind::kFunction) != nullptr;
    if (key == trust_.annotate && callable && function->items[kFunctionAnnotations] == values_.dead())
      field = kFunctionAnnotate;
    if (field != kFunctionFields) {
      function->items[field] = value;
      pop(2);
      return unobservable();
    }
  }
  event(insn, 2, 0);
  event_.optional = values_.is_exception(of) &&
                    (key == trust_.context || (key == trust_.traceback && value == values_.pure(Pure::kTraceback, of)));
  return Step::kEvent;
}

Runner::Step Runner::item_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_SLICE: {
      return unobservable(slice_of(pop(insn.arg)));
    }
    case Op::BINARY_SLICE:
    case Op::BINARY_SUBSCR: {
      const std::size_t n = insn.op == Op::BINARY_SLICE ? 3 : 2;
      const ValueId key = n == 3 ? slice_of(peek(2)) : top();
      const ValueId container = top(n);
      if (const auto item = get_item(state_, values_, container, key)) {
        pop(n);
        return unobservable(*item);
      }
      event(insn, n, 1);
      event_.op = Op::BINARY_SUBSCR;
      event_.operands = {container, key};
      return Step::kEvent;
    }
    case Op::STORE_SLICE:
    case Op::STORE_SUBSCR: {
      const std::size_t n = insn.op == Op::STORE_SLICE ? 4 : 3;
      const ValueId key = n == 4 ? slice_of(peek(2)) : top();
      const ValueId container = top(n - 1), value = top(n);
      if (set_item(state_, values_, container, key, value)) {
        pop(n);
        return unobservable();
      }
      event(insn, n, 0);
      event_.op = Op::STORE_SUBSCR;
      event_.operands = {value, container, key};
      if (values_.is_known(container, Known::kDict) || object(container, ObjectKind::kDict) != nullptr) {
        event_.op = Op::MAP_ADD;
        event_.operands = {container, key, value};
      }
      return Step::kEvent;
    }
    case Op::DELETE_SUBSCR:
      if (!delete_item(state_, values_, top(2), top(1))) return event(insn, 2, 0);
      pop(2);
      return unobservable();
    case Op::UNPACK_SEQUENCE: {
      const auto items = known_items(state_, values_, top());
      const bool counted =
          items && items->size() == insn.arg &&
          std::none_of(items->begin(), items->end(), [&](ValueId v) { return values_.is(v, ValueKind::kSplat); });
      if (!counted) return Step::kNotMine;
      pop(1);
      for (std::size_t i = items->size(); i-- > 0;) push((*items)[i]);
      return unobservable();
    }
    default: return Step::kNotMine;
  }
}

Runner::Step Runner::display_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_TUPLE: return unobservable(make_tuple(state_, values_, pop(insn.arg)));
    case Op::BUILD_LIST: return unobservable(make_object(state_, values_, ObjectKind::kList, pop(insn.arg)));
    case Op::BUILD_STRING: {
      const auto parts = peek(insn.arg);
      if (!std::all_of(parts.begin(), parts.end(), [&](ValueId v) { return values_.is_text(v); }))
        return Step::kNotMine;
      pop(insn.arg);
      return unobservable(values_.joined(parts));
    }
    case Op::BUILD_SET_UNPACK: {  // <= 3.8
      const auto parts = peek(insn.arg);
      const bool nothing = std::all_of(parts.begin(), parts.end(), [&](ValueId v) { return v == values_.tuple({}); });
      if (!nothing) return Step::kNotMine;
      event(insn, insn.arg, 1);
      event_.op = Op::BUILD_SET;
      event_.arg = 0;
      event_.operands.clear();
      event_.gives = Known::kSet;
      return Step::kEvent;
    }
    case Op::LIST_TO_TUPLE: {
      const ValueId list = top();
      if (object(list, ObjectKind::kList) == nullptr) return Step::kNotMine;
      auto items = *known_items(state_, values_, list);
      pop(1);
      return unobservable(make_tuple(state_, values_, std::move(items)));
    }
    case Op::FORMAT_SIMPLE:
    case Op::FORMAT_VALUE: {  // what is a str by its making stays as it is
      const ValueId v = top();
      const bool joined = values_.is(v, ValueKind::kPure) && values_[v].a == static_cast<std::uint32_t>(Pure::kString);
      if (!joined || insn.arg > 1) return Step::kNotMine;
      return unobservable();
    }
    case Op::GET_LEN:  // keeps its operand
      event(insn, 1, 1);
      event_.pops = 0;
      return Step::kEvent;
    case Op::MATCH_MAPPING:
    case Op::MATCH_SEQUENCE:
      event(insn, 1, 0);
      event_.pops = 0;
      event_.form = Event::Form::kTwoWay;
      event_.then = Event::Then::kPushTruth;
      event_.may_raise = false;
      return Step::kEvent;
    case Op::IMPORT_FROM:
    case Op::GET_ANEXT:
      event(insn, 1, 1);
      event_.pops = 0;
      return Step::kEvent;
    case Op::MATCH_KEYS:
    case Op::COPY_DICT_WITHOUT_KEYS: {  // keep some of their operands
      const Effect e = effect(program_.dialect.version, insn, false);
      event(insn, 2, static_cast<std::size_t>(e.pushes) - (insn.op == Op::MATCH_KEYS ? 2U : 1U));
      event_.pops = insn.op == Op::MATCH_KEYS ? 0 : 1;
      return Step::kEvent;
    }
    default: return Step::kNotMine;
  }
}

// Dicts with constant keys; a key that hashes by somebody's code is an effect of its own, in order.
Runner::Step Runner::map_op(const Instruction& insn) {
  std::vector<ValueId> pairs;
  std::size_t pops = 0;
  if (insn.op == Op::BUILD_CONST_KEY_MAP) {
    if (!is_tuple(state_, values_, top())) return Step::kNotMine;
    const auto keys = *known_items(state_, values_, top());
    const auto all = peek(insn.arg + 1);
    if (keys.size() != insn.arg) return Step::kNotMine;
    for (std::size_t i = 0; i < keys.size(); ++i) pairs.insert(pairs.end(), {keys[i], all[i]});
    pops = insn.arg + 1;
  } else if (insn.op == Op::BUILD_MAP) {
    pops = 2 * std::size_t{insn.arg};
    pairs = peek(pops);
  } else {
    return Step::kNotMine;
  }
  if (frame_.phase == 0) {
    frame_.scratch = make_object(state_, values_, ObjectKind::kDict, {});
    frame_.phase = 1;
  }
  for (; 2 * (frame_.phase - 1) < pairs.size(); ++frame_.phase) {
    const std::size_t i = 2 * (frame_.phase - 1);
    const ValueId dict = get(frame_.scratch);
    if (set_item(state_, values_, dict, pairs[i], pairs[i + 1])) continue;
    event(insn, 0, 0);
    event_.op = Op::MAP_ADD;
    event_.arg = 0;
    event_.operands = {dict, pairs[i], pairs[i + 1]};
    event_.then = Event::Then::kPhase;
    return Step::kEvent;
  }
  const ValueId dict = get(frame_.scratch);
  frame_.scratch = kNoValue;
  pop(pops);
  return unobservable(dict);
}

// list.extend(by): by known items at once; else `by` is iterated first, and what it gave is appended then. An exception
// may come in the middle: what the list holds afterwards is not known.
Runner::Step Runner::extend(const Instruction& insn, ValueId list, ValueId by, std::size_t pops) {
  Object* fresh = object(list, ObjectKind::kList);
  const auto items = known_items(state_, values_, by);
  const bool method = insn.op != Op::LIST_EXTEND;
  if (fresh != nullptr && items) {
    fresh->items.insert(fresh->items.end(), items->begin(), items->end());
    pop(pops);
    if (method) push(values_.none());
    return unobservable();
  }
  event(insn, 0, 0);
  event_.op = Op::LIST_EXTEND;
  event_.key = kNoKey;
  event_.flags = 0;
  event_.pops = static_cast<std::uint32_t>(pops);
  if (!items) {  // the method words its error differently
    event_.arg = method ? 2 : 0;
    event_.operands = {by};
    event_.results = 1;
    event_.then = fresh != nullptr ? Event::Then::kExtend : Event::Then::kExtendLater;
    event_.extra = list;
    event_.gives_none = method;
    if (method && fresh == nullptr) {
      event_.arg = 3;
      event_.operands = {list, by};
      event_.then = Event::Then::kPush;
      event_.fixed = values_.none();
    }
    return Step::kEvent;
  }
  event_.arg = 1;
  event_.operands = {list, values_.tuple(*items)};
  event_.may_raise = false;
  event_.results = method ? 1 : 0;
  if (method) event_.fixed = values_.none();
  return Step::kEvent;
}

Runner::Step Runner::grow_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::LIST_APPEND: {
      const ValueId list = top(insn.arg + 1), item = top();
      if (Object* fresh = object(list, ObjectKind::kList)) {
        fresh->items.push_back(item);
        pop(1);
        return unobservable();
      }
      event(insn, 1, 0);
      event_.arg = 0;
      event_.operands = {list, item};
      event_.may_raise = false;
      return Step::kEvent;
    }
    case Op::LIST_EXTEND: return extend(insn, top(insn.arg + 1), top(), 1);
    case Op::MAP_ADD: {
      const ValueId dict = top(insn.arg + 2), key = top(2), value = top(1);
      if (set_item(state_, values_, dict, key, value)) {
        pop(2);
        return unobservable();
      }
      event(insn, 2, 0);
      event_.arg = 0;
      event_.operands = {dict, key, value};
      return Step::kEvent;
    }
    case Op::SET_ADD:
    case Op::SET_UPDATE:
    case Op::DICT_UPDATE:
    case Op::DICT_MERGE: {
      const ValueId into = top(insn.arg + 1), by = top();
      const bool nothing = insn.op == Op::SET_UPDATE && values_.is(by, ValueKind::kTuple) && values_.items(by).empty();
      if (nothing || (insn.op != Op::SET_ADD && insn.op != Op::SET_UPDATE && merge(insn.op, into, by))) {
        pop(1);
        return unobservable();
      }
      event(insn, 1, 0);
      event_.arg = 0;
      event_.operands = {into, by};
      return Step::kEvent;
    }
    default: return Step::kNotMine;
  }
}

// One fresh dict into another: no code of anybody's runs. DICT_MERGE refuses a key that is there already.
bool Runner::merge(Op op, ValueId into, ValueId by) {
  if (object(into, ObjectKind::kDict) == nullptr || object(by, ObjectKind::kDict) == nullptr) return false;
  const auto items = object(by, ObjectKind::kDict)->items, before = object(into, ObjectKind::kDict)->items;
  if (before.empty()) {  // a copy, whatever the keys
    object(into, ObjectKind::kDict)->items = items;
    return true;
  }
  bool sure = true;
  for (std::size_t i = 0; sure && i < items.size(); i += 2) {
    const bool there = op == Op::DICT_MERGE && get_item(state_, values_, into, items[i]).has_value();
    sure = !there && set_item(state_, values_, into, items[i], items[i + 1]);
  }
  if (!sure) object(into, ObjectKind::kDict)->items = before;
  return sure;
}

// Jumps on, or pushes, the truth of a value: an effect where it may run somebody's code.
Runner::Step Runner::test(const Instruction& insn, ValueId v, Event::Then then, std::size_t pops) {
  Truth truth = values_.truth(v);
  if (const auto it = state_.heap.find(v); it != state_.heap.end()) {
    const auto& items = it->second.items;
    const bool counted =
        std::none_of(items.begin(), items.end(), [&](ValueId x) { return values_.is(x, ValueKind::kSplat); });
    const bool container = it->second.kind == ObjectKind::kList || it->second.kind == ObjectKind::kDict ||
                           it->second.kind == ObjectKind::kTuple;
    if (!container || (counted && !items.empty())) truth = Truth::kTrue;
    if (container && items.empty()) truth = Truth::kFalse;
  }
  event(insn, 0, 0);
  event_.op = Op::TO_BOOL;
  event_.arg = 0;
  event_.flags = 0;
  event_.pops = static_cast<std::uint32_t>(pops);
  event_.operands = {v};
  event_.form = Event::Form::kTwoWay;
  event_.then = then;
  if (truth != Truth::kUnknown) {
    finish(event_, truth == Truth::kTrue ? Outcome::kNormal : Outcome::kFalse, {});
    return Step::kUnobservable;
  }
  if (!values_.is_bool(v)) return Step::kEvent;
  const bool pushes = then == Event::Then::kPushTruth || then == Event::Then::kPushFalsity;
  if (pushes) {
    pop(pops);
    return unobservable(then == Event::Then::kPushTruth ? v : values_.negation(v));
  }
  event_.form = Event::Form::kDecide;
  if (values_.is(v, ValueKind::kNot)) event_.operands = {values_.items(v)[0]};
  return Step::kEvent;
}

// Equal values of these kinds may be one object or two: nothing here tells. Nor whether a tuple of unknown size is ().
bool Runner::is_evaluated(ValueId v) const {
  if (values_.is_shared(v)) return false;
  if (const auto it = state_.heap.find(v); it != state_.heap.end() && it->second.kind == ObjectKind::kTuple)
    return std::ranges::any_of(it->second.items, [&](ValueId x) { return values_.is(x, ValueKind::kSplat); });
  const auto what = static_cast<Pure>(values_[v].a);
  if (values_.is(v, ValueKind::kPure))
    return what == Pure::kSlice || what == Pure::kString || what == Pure::kGroupHandled;
  return values_.is(v, ValueKind::kMethod) || (values_.is(v, ValueKind::kTuple) && values_[v].open);
}

Runner::Step Runner::operator_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::UNARY_NOT: return test(insn, top(), Event::Then::kPushFalsity, 1);
    case Op::TO_BOOL: return test(insn, top(), Event::Then::kPushTruth, 1);
    case Op::IS_OP: {
      if (top(2) != top(1) && (is_evaluated(top(2)) || is_evaluated(top(1))) && !values_.is(top(), ValueKind::kConst) &&
          !values_.is(top(2), ValueKind::kConst))
        return stuck("the identity of a value that is made anew");
      ValueId is = values_.identity(top(2), top(1));
      if (values_.is(is, ValueKind::kIs)) {
        const auto sides = values_.items(is);
        if (std::any_of(sides.begin(), sides.end(), [&](ValueId v) { return is_evaluated(v); }))
          return stuck("the identity of a value that is made anew");
        const bool plain = std::all_of(sides.begin(), sides.end(), [&](ValueId v) {
          return values_.is(v, ValueKind::kSymbol) || values_.is(v, ValueKind::kRef) ||
                 values_.is(v, ValueKind::kBuiltin) || (values_.facts(v) != nullptr && values_.facts(v)->is_singleton);
        });
        const bool open = values_[is].open;
        if (!plain || !open) {
          event(insn, 2, 1);
          event_.gives = Known::kBool;
          event_.may_raise = false;
          return Step::kEvent;
        }
      }
      pop(2);
      return unobservable((insn.arg & 1U) != 0 ? values_.negation(is) : is);
    }
    case Op::CONTAINS_OP:
      event(insn, 2, 1);
      event_.gives = Known::kBool;
      return Step::kEvent;
    case Op::COMPARE_OP: {
      if (frame_.phase == 1) return test(insn, top(), Event::Then::kPushTruth, 1);
      const ConstFacts *a = values_.facts(top(2)), *b = values_.facts(top(1));
      if (a != nullptr && b != nullptr && a->is_int && b->is_int) {
        const std::int64_t x = a->value, y = b->value;
        const bool answers[6] = {x<y, x <= y, x == y, x != y, x> y, x >= y};
        pop(2);
        return unobservable(values_.boolean(answers[insn.arg % 6]));
      }
      const bool makes_bool = (insn.flags & kMakesBool) != 0;
      event(insn, 2, 1);
      event_.flags = 0;
      if (makes_bool) event_.then = Event::Then::kPushPhase;
      return Step::kEvent;
    }
    default: return Step::kNotMine;
  }
}

}  // namespace depyf::proof
