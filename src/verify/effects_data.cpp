// SPDX-License-Identifier: MIT
// Rules for attributes, items, displays and operators: operations on fresh containers and known values are executed,
// others are effects. Operations that do the same, such as LOAD_METHOD and LOAD_ATTR, become the same event. See
// effects.h.
#include <algorithm>

#include "verify/families.h"

namespace depyf::proof {

namespace {

// Returns whether `of.key` is a method of a container or text that the validator executes.
bool is_known_method(const Runner& r, ValueId of, Key key) {
  const auto is = [&](Known known, ObjectKind kind) {
    return r.values.is_known(of, known) || r.object(of, kind) != nullptr;
  };
  const auto& names = r.trust;
  if (key == names.append || key == names.extend) return is(Known::kList, ObjectKind::kList);
  if (key == names.update && is(Known::kDict, ObjectKind::kDict)) return true;
  if (key == names.add || key == names.update) return r.values.is_known(of, Known::kSet);
  return key == names.join && of == r.values.text("");
}

Step load_attribute(Runner& r, const Instruction& insn) {
  const ValueId of = r.top();
  const Key key = r.program.names[insn.arg];
  const bool method = insn.op == Op::LOAD_METHOD;
  if (is_known_method(r, of, key)) {
    r.pop(1);
    if (method) r.push(kNull);
    const ValueId name = r.values.text(r.values.keys().payload(key).substr(1));
    return r.unobservable(make_object(r.state, r.values, ObjectKind::kMethod, {name, of}));
  }
  if (const Object* function = r.object(of, ObjectKind::kFunction); function != nullptr && key == r.trust.closure) {
    const ValueId cells = function->items[kFunctionClosure];
    if (!method && is_tuple(r.state, r.values, cells)) return r.replace(1, cells);
  }
  if (of == r.values.builtin(r.trust.builtins_module) && r.trust.attributes.contains(key)) {
    r.pop(1);
    if (method) r.push(kNull);
    return r.unobservable(r.values.builtin(key));
  }
  r.observable(insn, 1, 1);
  r.event.op = Op::LOAD_ATTR;  // LOAD_METHOD does the same lookup
  if (method) r.event.then = Event::Then::kPushMethod;
  if (!method && is_exception(r.values, of) && (key == r.trust.context || key == r.trust.traceback)) {
    r.event.optional = true;
    r.event.skip_result = key == r.trust.context ? context_now(r, of) : r.values.pure(Pure::kTraceback, of);
  }
  return Step::kEvent;
}

// Stores an attribute of a fresh function, which is not observable. Returns false for an attribute or a value of which
// the model of functions knows nothing.
bool store_function_attribute(const Runner& r, Object& function, Key key, ValueId value) {
  const auto text = text_of(r.values, value);
  std::size_t field = kFunctionFields;
  if (key == r.trust.name && text) field = kFunctionName;
  if (key == r.trust.qualname && text) {
    field = kFunctionQualname;
    value = r.values.text(r.program.compared_name(*text));
  }
  if (key == r.trust.defaults && is_tuple(r.state, r.values, value)) field = kFunctionDefaults;
  const bool dict = r.object(value, ObjectKind::kDict) != nullptr || r.values.is_known(value, Known::kDict);
  if (key == r.trust.kwdefaults && dict) field = kFunctionKwdefaults;
  const bool callable = r.object(value, ObjectKind::kFunction) != nullptr;
  if (key == r.trust.annotate && callable && function.items[kFunctionAnnotations] == kDead) field = kFunctionAnnotate;
  if (field == kFunctionFields) return false;
  function.items[field] = value;
  return true;
}

Step store_attribute(Runner& r, const Instruction& insn) {
  const ValueId value = r.top(2), of = r.top(1);
  const Key key = r.program.names[insn.arg];
  Object* function = r.object(of, ObjectKind::kFunction);
  if (function != nullptr && store_function_attribute(r, *function, key, value)) return r.drop(2);
  r.observable(insn, 2, 0);
  r.event.optional =
      is_exception(r.values, of) &&
      (key == r.trust.context || (key == r.trust.traceback && value == r.values.pure(Pure::kTraceback, of)));
  return Step::kEvent;
}

}  // namespace

Step attribute_op(Runner& r, const Instruction& insn) {
  switch (insn.op) {
    case Op::LOAD_ATTR:
    case Op::LOAD_METHOD: return load_attribute(r, insn);
    case Op::LOAD_SUPER_METHOD:
      r.observable(insn, 3, 1);
      r.event.op = Op::LOAD_SUPER_ATTR;
      r.event.then = Event::Then::kPushMethod;
      return Step::kEvent;
    case Op::LOAD_SUPER_ATTR: return r.observable(insn, 3, 1);
    case Op::STORE_ATTR: return store_attribute(r, insn);
    default: return Step::kNoRule;
  }
}

Step item_op(Runner& r, const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_SLICE: {
      return r.unobservable(make_slice(r.state, r.values, r.pop(insn.arg)));
    }
    case Op::BINARY_SLICE:
    case Op::BINARY_SUBSCR: {
      const std::size_t n = insn.op == Op::BINARY_SLICE ? 3 : 2;
      const ValueId key = n == 3 ? make_slice(r.state, r.values, r.peek(2)) : r.top();
      const ValueId container = r.top(n);
      if (const auto item = get_item(r.state, r.values, container, key)) return r.replace(n, *item);
      r.observable(insn, n, 1);
      r.event.op = Op::BINARY_SUBSCR;
      r.event.operands = {container, key};
      return Step::kEvent;
    }
    case Op::STORE_SLICE:
    case Op::STORE_SUBSCR: {
      const std::size_t n = insn.op == Op::STORE_SLICE ? 4 : 3;
      const ValueId key = n == 4 ? make_slice(r.state, r.values, r.peek(2)) : r.top();
      const ValueId container = r.top(n - 1), value = r.top(n);
      if (set_item(r.state, r.values, container, key, value)) return r.drop(n);
      r.observable(insn, n, 0);
      r.event.op = Op::STORE_SUBSCR;
      r.event.operands = {value, container, key};
      if (r.values.is_known(container, Known::kDict) || r.object(container, ObjectKind::kDict) != nullptr) {
        r.event.op = Op::MAP_ADD;
        r.event.operands = {container, key, value};
      }
      return Step::kEvent;
    }
    case Op::DELETE_SUBSCR:
      if (!delete_item(r.state, r.values, r.top(2), r.top(1))) return r.observable(insn, 2, 0);
      return r.drop(2);
    case Op::UNPACK_SEQUENCE: {
      const auto items = known_items(r.state, r.values, r.top());
      if (!items || items->size() != insn.arg || !is_count_known(r.values, *items)) return Step::kNoRule;
      r.pop(1);
      for (std::size_t i = items->size(); i-- > 0;) r.push((*items)[i]);
      return r.unobservable();
    }
    default: return Step::kNoRule;
  }
}

Step display_op(Runner& r, const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_TUPLE: return r.unobservable(make_tuple(r.state, r.values, r.pop(insn.arg)));
    case Op::BUILD_LIST: return r.unobservable(make_object(r.state, r.values, ObjectKind::kList, r.pop(insn.arg)));
    case Op::BUILD_STRING: {
      const auto parts = r.peek(insn.arg);
      if (!std::all_of(parts.begin(), parts.end(), [&](ValueId v) { return is_text(r.values, v); }))
        return Step::kNoRule;
      return r.replace(insn.arg, joined(r.values, parts));
    }
    case Op::BUILD_SET_UNPACK: {  // <= 3.8
      const auto parts = r.peek(insn.arg);
      const bool is_empty = std::all_of(parts.begin(), parts.end(), [&](ValueId v) { return v == r.values.tuple({}); });
      if (!is_empty) return Step::kNoRule;
      r.observable(insn, insn.arg, 1);
      r.event.op = Op::BUILD_SET;
      r.event.arg = 0;
      r.event.operands.clear();
      r.event.result_known = Known::kSet;
      return Step::kEvent;
    }
    case Op::LIST_TO_TUPLE: {
      const ValueId list = r.top();
      if (r.object(list, ObjectKind::kList) == nullptr) return Step::kNoRule;
      auto items = *known_items(r.state, r.values, list);
      return r.replace(1, make_tuple(r.state, r.values, std::move(items)));
    }
    case Op::FORMAT_SIMPLE:
    case Op::FORMAT_VALUE: {  // an exact str is formatted to itself
      const ValueId v = r.top();
      const bool joined = r.values.is(v, Pure::kString);
      if (!joined || insn.arg > 1) return Step::kNoRule;
      return r.unobservable();
    }
    case Op::GET_LEN:  // does not pop its operand
      r.observable(insn, 1, 1);
      r.event.pops = 0;
      return Step::kEvent;
    case Op::MATCH_MAPPING:
    case Op::MATCH_SEQUENCE:
      r.observable(insn, 1, 0);
      r.event.pops = 0;
      r.event.form = Event::Form::kTwoWay;
      r.event.then = Event::Then::kPushTruth;
      r.event.may_raise = false;
      return Step::kEvent;
    case Op::IMPORT_FROM:
    case Op::GET_ANEXT:
      r.observable(insn, 1, 1);
      r.event.pops = 0;
      return Step::kEvent;
    case Op::MATCH_KEYS:
    case Op::COPY_DICT_WITHOUT_KEYS: {  // do not pop all of their operands
      const Effect e = effect(r.program.dialect.version, insn, false);
      r.observable(insn, 2, static_cast<std::size_t>(e.pushes) - (insn.op == Op::MATCH_KEYS ? 2U : 1U));
      r.event.pops = insn.op == Op::MATCH_KEYS ? 0 : 1;
      return Step::kEvent;
    }
    default: return Step::kNoRule;
  }
}

// Builds a dict item by item. A key whose hash or comparison may run Python code is an effect of its own (MAP_ADD), in
// order; `phase` is 1 + the number of items added so far.
Step map_op(Runner& r, const Instruction& insn) {
  std::vector<ValueId> pairs;
  std::size_t pops = 0;
  if (insn.op == Op::BUILD_CONST_KEY_MAP) {
    if (!is_tuple(r.state, r.values, r.top())) return Step::kNoRule;
    const auto keys = *known_items(r.state, r.values, r.top());
    const auto all = r.peek(insn.arg + 1);
    if (keys.size() != insn.arg) return Step::kNoRule;
    for (std::size_t i = 0; i < keys.size(); ++i) pairs.insert(pairs.end(), {keys[i], all[i]});
    pops = insn.arg + 1;
  } else if (insn.op == Op::BUILD_MAP) {
    pops = 2 * std::size_t{insn.arg};
    pairs = r.peek(pops);
  } else {
    return Step::kNoRule;
  }
  if (r.frame.phase == 0) {
    r.frame.scratch = make_object(r.state, r.values, ObjectKind::kDict, {});
    r.frame.phase = 1;
  }
  for (; 2 * (r.frame.phase - 1) < pairs.size(); ++r.frame.phase) {
    const std::size_t i = 2 * (r.frame.phase - 1);
    const ValueId dict = r.get(r.frame.scratch);
    if (set_item(r.state, r.values, dict, pairs[i], pairs[i + 1])) continue;
    r.observable(insn, 0, 0);
    r.event.op = Op::MAP_ADD;
    r.event.arg = 0;
    r.event.operands = {dict, pairs[i], pairs[i + 1]};
    r.event.then = Event::Then::kPhase;
    return Step::kEvent;
  }
  const ValueId dict = r.get(r.frame.scratch);
  r.frame.scratch = kNoValue;
  return r.replace(pops, dict);
}

Step extend(Runner& r, const Instruction& insn, ValueId list, ValueId by, std::size_t pops) {
  Object* fresh = r.object(list, ObjectKind::kList);
  const auto items = known_items(r.state, r.values, by);
  const bool method = insn.op != Op::LIST_EXTEND;
  if (fresh != nullptr && items) {
    fresh->items.insert(fresh->items.end(), items->begin(), items->end());
    r.pop(pops);
    if (method) r.push(r.values.none());
    return r.unobservable();
  }
  r.observable(insn, 0, 0);
  r.event.op = Op::LIST_EXTEND;
  r.event.key = kNoKey;
  r.event.flags = 0;
  r.event.pops = static_cast<std::uint32_t>(pops);
  if (!items) {  // `arg` distinguishes a method call, whose error messages differ
    r.event.arg = method ? 2 : 0;
    r.event.operands = {by};
    r.event.results = 1;
    r.event.then = fresh != nullptr ? Event::Then::kExtend : Event::Then::kExtendLater;
    r.event.extra = list;
    r.event.pushes_none = method;
    if (method && fresh == nullptr) {
      r.event.arg = 3;
      r.event.operands = {list, by};
      r.event.then = Event::Then::kPush;
      r.event.known_result = r.values.none();
    }
    return Step::kEvent;
  }
  r.event.arg = 1;
  r.event.operands = {list, r.values.tuple(*items)};
  r.event.may_raise = false;
  r.event.results = method ? 1 : 0;
  if (method) r.event.known_result = r.values.none();
  return Step::kEvent;
}

Step grow_op(Runner& r, const Instruction& insn) {
  switch (insn.op) {
    case Op::LIST_APPEND: {
      const ValueId list = r.top(insn.arg + 1), item = r.top();
      if (Object* fresh = r.object(list, ObjectKind::kList)) {
        fresh->items.push_back(item);
        return r.drop(1);
      }
      r.observable(insn, 1, 0);
      r.event.arg = 0;
      r.event.operands = {list, item};
      r.event.may_raise = false;
      return Step::kEvent;
    }
    case Op::LIST_EXTEND: return extend(r, insn, r.top(insn.arg + 1), r.top(), 1);
    case Op::MAP_ADD: {
      const ValueId dict = r.top(insn.arg + 2), key = r.top(2), value = r.top(1);
      if (set_item(r.state, r.values, dict, key, value)) return r.drop(2);
      r.observable(insn, 2, 0);
      r.event.arg = 0;
      r.event.operands = {dict, key, value};
      return Step::kEvent;
    }
    case Op::SET_ADD:
    case Op::SET_UPDATE:
    case Op::DICT_UPDATE:
    case Op::DICT_MERGE: {
      const ValueId into = r.top(insn.arg + 1), by = r.top();
      const bool is_empty =
          insn.op == Op::SET_UPDATE && r.values.is(by, ValueKind::kTuple) && r.values.items(by).empty();
      if (is_empty ||
          (insn.op != Op::SET_ADD && insn.op != Op::SET_UPDATE && update_dict(r.state, r.values, insn.op, into, by)))
        return r.drop(1);
      r.observable(insn, 1, 0);
      r.event.arg = 0;
      r.event.operands = {into, by};
      return Step::kEvent;
    }
    default: return Step::kNoRule;
  }
}

Step test(Runner& r, const Instruction& insn, ValueId v, Event::Then then, std::size_t pops) {
  Truth truth = truth_of(r.values, v);
  if (const auto it = r.state.heap.find(v); it != r.state.heap.end()) {
    const auto& items = it->second.items;
    const bool container = it->second.kind == ObjectKind::kList || it->second.kind == ObjectKind::kDict ||
                           it->second.kind == ObjectKind::kTuple;
    if (!container || (!items.empty() && is_count_known(r.values, items))) truth = Truth::kTrue;
    if (container && items.empty()) truth = Truth::kFalse;
  }
  r.observable(insn, 0, 0);
  r.event.op = Op::TO_BOOL;
  r.event.arg = 0;
  r.event.flags = 0;
  r.event.pops = static_cast<std::uint32_t>(pops);
  r.event.operands = {v};
  r.event.form = Event::Form::kTwoWay;
  r.event.then = then;
  if (truth != Truth::kUnknown) {
    r.finish(r.event, truth == Truth::kTrue ? Outcome::kNormal : Outcome::kFalse, {});
    return Step::kUnobservable;
  }
  if (!is_bool(r.values, v)) return Step::kEvent;
  const bool pushes = then == Event::Then::kPushTruth || then == Event::Then::kPushFalsity;
  if (pushes) return r.replace(pops, then == Event::Then::kPushTruth ? v : negation(r.values, v));
  r.event.form = Event::Form::kDecide;
  if (r.values.is(v, ValueKind::kNot)) r.event.operands = {r.values.items(v)[0]};
  return Step::kEvent;
}

namespace {

// Returns whether equal values may be one object or two, so that `is` cannot be evaluated: strings and other terms
// without identity, and tuples of unknown size, which may be ().
bool has_unknown_identity(const Runner& r, ValueId v) {
  if (is_shared(r.values, v)) return false;
  if (const auto it = r.state.heap.find(v); it != r.state.heap.end() && it->second.kind == ObjectKind::kTuple)
    return !is_count_known(r.values, it->second.items);
  if (r.values.is(v, Pure::kSlice) || r.values.is(v, Pure::kString) || r.values.is(v, Pure::kGroupHandled)) return true;
  return r.values.is(v, ValueKind::kTuple) && r.values[v].open;
}

}  // namespace

Step operator_op(Runner& r, const Instruction& insn) {
  switch (insn.op) {
    case Op::UNARY_NOT: return test(r, insn, r.top(), Event::Then::kPushFalsity, 1);
    case Op::TO_BOOL: return test(r, insn, r.top(), Event::Then::kPushTruth, 1);
    case Op::IS_OP: {
      if (r.top(2) != r.top(1) && (has_unknown_identity(r, r.top(2)) || has_unknown_identity(r, r.top(1))) &&
          !r.values.is(r.top(), ValueKind::kConst) && !r.values.is(r.top(2), ValueKind::kConst))
        return r.stuck("the identity of a value that is made anew");
      ValueId is = identity(r.values, r.top(2), r.top(1));
      if (r.values.is(is, ValueKind::kIs)) {
        const auto sides = r.values.items(is);
        if (std::any_of(sides.begin(), sides.end(), [&](ValueId v) { return has_unknown_identity(r, v); }))
          return r.stuck("the identity of a value that is made anew");
        const bool have_identity = std::all_of(sides.begin(), sides.end(), [&](ValueId v) {
          return r.values.is(v, ValueKind::kSymbol) || r.values.is(v, ValueKind::kRef) ||
                 r.values.is(v, ValueKind::kBuiltin) ||
                 (r.values.facts(v) != nullptr && r.values.facts(v)->is_singleton);
        });
        const bool open = r.values[is].open;
        if (!have_identity || !open) {
          r.observable(insn, 2, 1);
          r.event.result_known = Known::kBool;
          r.event.may_raise = false;
          return Step::kEvent;
        }
      }
      return r.replace(2, (insn.arg & 1U) != 0 ? negation(r.values, is) : is);
    }
    case Op::CONTAINS_OP:
      r.observable(insn, 2, 1);
      r.event.result_known = Known::kBool;
      return Step::kEvent;
    case Op::COMPARE_OP: {
      if (r.frame.phase == 1) return test(r, insn, r.top(), Event::Then::kPushTruth, 1);
      const ConstFacts *a = r.values.facts(r.top(2)), *b = r.values.facts(r.top(1));
      if (a != nullptr && b != nullptr && a->is_int && b->is_int) {
        const std::int64_t x = a->value, y = b->value;
        const bool answers[6] = {x<y, x <= y, x == y, x != y, x> y, x >= y};
        return r.replace(2, r.values.boolean(answers[insn.arg % 6]));
      }
      const bool makes_bool = (insn.flags & kMakesBool) != 0;
      r.observable(insn, 2, 1);
      r.event.flags = 0;
      if (makes_bool) r.event.then = Event::Then::kPushPhase;
      return Step::kEvent;
    }
    default: return Step::kNoRule;
  }
}

}  // namespace depyf::proof
