// SPDX-License-Identifier: MIT
// Executes one instruction in the abstract interpreter: evaluates it on virtual containers, or records it.
//
// Whatever may raise or be observed is recorded: a subscript out of range, an index that is not constant, any operation
// on an escaped container. The evaluation follows list_subscript and list_ass_subscript in CPython's
// Objects/listobject.c.
#include "dynamo/scalar_replacement/interpreter.h"

namespace depyf::dynamo {

Outcome Interpreter::step() {
  const Instruction& insn = *insn_;
  const Effect e = effect(dialect_.version, insn, false);
  if (e.pops > static_cast<std::int32_t>(s_.stack.size())) return Outcome::kGiveUp;
  const bool evaluates = containers_ == Containers::kEvaluated || insn.op == Op::BUILD_SLICE;  // `a:b` is no value
  if (evaluates && evaluate()) return Outcome::kDone;
  switch (insn.op) {
    case Op::NOP: return Outcome::kDone;
    case Op::LOAD_CONST:
    case Op::LOAD_SMALL_INT:
    case Op::LOAD_COMMON_CONSTANT:
    case Op::PUSH_NULL:
    case Op::LOAD_CLOSURE: push(pure(insn.op, insn.arg)); return Outcome::kDone;
    case Op::LOAD_FAST:
    case Op::STORE_FAST:
    case Op::DELETE_FAST: return access_local();
    case Op::POP_TOP:
    case Op::COPY:
    case Op::SWAP: return rearrange_stack();
    default: break;
  }
  if (insn.op >= Op::LIST_APPEND && insn.op <= Op::DICT_MERGE) return grow_container();
  if (is_one_of<Op::LOAD_FAST_AND_CLEAR, Op::LOAD_LOCALS, Op::SETUP_ANNOTATIONS, Op::YIELD_FROM, Op::SEND>(insn.op))
    return Outcome::kGiveUp;
  const bool is_special = is_one_of<Op::FOR_ITER, Op::JUMP_IF_FALSE_OR_POP, Op::JUMP_IF_TRUE_OR_POP,
                                    Op::CHECK_EXC_MATCH, Op::CHECK_EG_MATCH, Op::PUSH_EXC_INFO, Op::IMPORT_FROM,
                                    Op::WITH_EXCEPT_START, Op::LOAD_METHOD, Op::LOAD_SUPER_METHOD>(insn.op);
  return is_special ? keep_special() : keep_operation();
}

// ---------------------------------------------------------------- locals and the operand stack
// Executes LOAD_FAST, STORE_FAST and DELETE_FAST.
Outcome Interpreter::access_local() {
  const std::uint32_t x = insn_->arg;
  if (temporaries_.contains(x)) return access_temporary(x);
  Val& state = s_.locals[x];
  if (insn_->op == Op::LOAD_FAST) {
    if (state == kUnbound) {
      add_operation(*insn_, {});
      state = result();
      f_.blocks[block_].operations.back().results = {state};
    }
    push(state);
    return Outcome::kDone;
  }
  if (insn_->op == Op::DELETE_FAST) {
    add_operation(*insn_, {});
    f_.blocks[block_].operations.back().cannot_raise = state != kUnbound;
    state = kUnbound;
    changed_locals_[x] = false;
    return Outcome::kDone;
  }
  std::vector<Val> v{pop()};
  const bool is_own_value = state == v[0] && v[0] < f_.values.size() && !is(v[0], Kind::kPure);
  if (is_own_value && by_dynamo_) return Outcome::kDone;  // `x` stored from a list that holds the value of `x`
  changed_locals_.emplace(x, true);
  if (!materialize_all(v)) return Outcome::kGiveUp;
  add_operation(*insn_, v);
  if (is_physical(v[0])) {
    const Val now = result(Kind::kHeld);
    f_.values[now].local = x;
    f_.blocks[block_].operations.back().results = {now};
    s_.locals[x] = now;
  } else {
    s_.locals[x] = v[0];
  }
  return Outcome::kDone;
}

// Propagates the values of Dynamo's temporaries to their uses; the Regenerator makes a variable where one is needed. A
// temporary that is read where its paths disagree on the value stays a local variable.
Outcome Interpreter::access_temporary(std::uint32_t x) {
  Val& state = s_.locals[x];
  const bool known = state != kUnbound && state != kVaries;
  const bool is_load = insn_->op == Op::LOAD_FAST, is_delete = insn_->op == Op::DELETE_FAST;
  const bool is_object =
      !is_load && !is_delete && (is_physical(s_.stack.back()) || is(s_.stack.back(), Kind::kVirtual));
  if ((is_load && !known) || (is_delete && state == kUnbound) || (is_object && loaded_locals_.contains(x))) {
    demands_.locals.insert(x);
    return Outcome::kRetry;
  }
  if (is_load) {
    push(state);
  } else if (is_delete) {
    state = kUnbound;
    changed_locals_[x] = false;
  } else {
    const Val v = pop();
    if (is_physical(v)) return Outcome::kGiveUp;
    changed_locals_.emplace(x, true);
    state = loaded_locals_.contains(x) ? v : kVaries;
  }
  return Outcome::kDone;
}

// Executes POP_TOP, COPY and SWAP. They are recorded only for physical values, which are on the real stack as well.
Outcome Interpreter::rearrange_stack() {
  const auto size = s_.stack.size();
  const std::uint32_t n = insn_->arg;
  switch (insn_->op) {
    case Op::POP_TOP:
      if (is_physical(s_.stack.back())) {
        add_operation(*insn_, {s_.stack.back()});
      }
      pop();
      return Outcome::kDone;
    case Op::COPY: {
      const Val v = s_.stack[size - n];
      if (is(v, Kind::kLeaf)) return Outcome::kGiveUp;
      if (is(v, Kind::kPinned)) {
        Instruction insn = *insn_;
        insn.arg = physical_above(size - n);
        add_operation(insn, {});
        push(result(Kind::kPinned));
        f_.blocks[block_].operations.back().results = {s_.stack.back()};
        return Outcome::kDone;
      }
      push(v);
      return Outcome::kDone;
    }
    default: {
      std::size_t physical = 0;
      for (std::size_t i = size - n; i < size; ++i) physical += is_physical(s_.stack[i]) ? 1U : 0U;
      const bool ends = is_physical(s_.stack[size - n]) || is_physical(s_.stack[size - 1]);
      if (is_physical(s_.stack[size - n]) && is_physical(s_.stack[size - 1])) {
        Instruction insn = *insn_;
        insn.arg = physical_above(size - n);
        add_operation(insn, {});
      } else if (ends && physical > 1) {
        return Outcome::kGiveUp;
      }
      std::swap(s_.stack[size - n], s_.stack[size - 1]);
      return Outcome::kDone;
    }
  }
}

// ---------------------------------------------------------------- containers that are evaluated
// Evaluates the instruction if it only needs virtual containers and known values. Returns false if it must be recorded.
bool Interpreter::evaluate() {
  const auto size = s_.stack.size();
  const std::uint32_t n = insn_->arg;
  const auto top = [&](std::size_t i) { return s_.stack[size - i]; };
  const auto none_physical = [&](std::size_t count) {
    for (std::size_t i = 1; i <= count; ++i)
      if (is_physical(top(i))) return false;
    return true;
  };
  switch (insn_->op) {
    case Op::BUILD_LIST:
    case Op::BUILD_TUPLE:
    case Op::BUILD_SLICE: {
      if (!none_physical(n)) return false;
      std::vector<Val> items(s_.stack.end() - n, s_.stack.end());
      s_.stack.resize(size - n);
      const Shape shape = insn_->op == Op::BUILD_LIST    ? Shape::kList
                          : insn_->op == Op::BUILD_TUPLE ? Shape::kTuple
                                                         : Shape::kSlice;
      push(make_virtual(shape, std::move(items)));
      return true;
    }
    case Op::BUILD_MAP:
    case Op::BUILD_CONST_KEY_MAP:
      return n > 0 && none_physical(insn_->op == Op::BUILD_MAP ? 2 * n : n + 1) && evaluate_keywords();
    case Op::LIST_EXTEND: {
      const Val item = top(1), list = top(n + 1);
      if (!is_list(list) || !is_sequence(item) || reaches(item, list)) return false;
      const auto items = s_.heap.at(item);
      auto& into = s_.heap.at(list);
      into.insert(into.end(), items.begin(), items.end());
      pop();
      return true;
    }
    case Op::LIST_APPEND: {
      const Val item = top(1), list = top(n + 1);
      if (!is_list(list) || is_physical(item) || reaches(item, list)) return false;
      s_.heap.at(list).push_back(item);
      pop();
      return true;
    }
    case Op::UNPACK_SEQUENCE: {
      if (!is_sequence(top(1)) || s_.heap.at(top(1)).size() != n) return false;
      const auto items = s_.heap.at(pop());
      s_.stack.insert(s_.stack.end(), items.rbegin(), items.rend());
      return true;
    }
    case Op::BINARY_SUBSCR:
    case Op::STORE_SUBSCR:
    case Op::DELETE_SUBSCR:
    case Op::BINARY_SLICE:
    case Op::STORE_SLICE: return evaluate_subscript();
    default: return false;
  }
}

// Makes a virtual dict if all keys are distinct constant strings: it may become the keyword arguments of a call.
bool Interpreter::evaluate_keywords() {
  const std::size_t n = insn_->arg;
  const bool pairs = insn_->op == Op::BUILD_MAP;
  std::set<std::string> names;
  const auto add_name = [&](const Constant* key) {
    const auto* text = key != nullptr ? std::get_if<ConstStr>(key) : nullptr;
    return text != nullptr && names.insert(text->text).second;
  };
  std::vector<Val> items(s_.stack.end() - static_cast<std::ptrdiff_t>(pairs ? 2 * n : n + 1), s_.stack.end());
  if (pairs) {
    for (std::size_t i = 0; i < n; ++i)
      if (!add_name(constant(items[2 * i]))) return false;
  } else {
    const auto* keys = constant(items.back());
    const auto* tuple = keys != nullptr ? std::get_if<ConstTuple>(keys) : nullptr;
    if (tuple == nullptr || tuple->items.size() != n) return false;
    for (ConstId key : tuple->items)
      if (!add_name(&tree_.consts[key])) return false;
  }
  s_.stack.resize(s_.stack.size() - items.size());
  push(make_virtual(pairs ? Shape::kDict : Shape::kConstKeyDict, std::move(items)));
  return true;
}

bool Interpreter::evaluate_subscript() {
  const auto size = s_.stack.size();
  const bool two = insn_->op == Op::BINARY_SLICE || insn_->op == Op::STORE_SLICE;
  const std::size_t keys = two ? 2 : 1;
  const Val container = s_.stack[size - keys - 1];
  if (!is_sequence(container)) return false;
  const auto length = s_.heap.at(container).size();
  const Val key = s_.stack[size - 1];
  const auto slice = two ? range(s_.stack[size - 2], key, length) : slice_of(key, length);
  const auto at = two ? std::nullopt : position(key, length);
  if (!slice && !at) return false;
  const auto first = static_cast<std::ptrdiff_t>(slice ? slice->first : *at);
  const auto last = static_cast<std::ptrdiff_t>(slice ? slice->second : *at + 1);
  const auto drop = [&](std::size_t entries) { s_.stack.resize(size - entries); };
  auto& items = s_.heap.at(container);
  switch (insn_->op) {
    case Op::BINARY_SUBSCR:
    case Op::BINARY_SLICE: {
      if (at) {
        const Val item = items[*at];
        drop(keys + 1);
        push(item);
        return true;
      }
      std::vector<Val> part(items.begin() + first, items.begin() + last);
      drop(keys + 1);
      push(make_virtual(f_.values[container].shape, std::move(part)));
      return true;
    }
    case Op::DELETE_SUBSCR:
      if (!is_list(container)) return false;
      items.erase(items.begin() + first, items.begin() + last);
      drop(keys + 1);
      return true;
    default: {  // stores
      const Val value = s_.stack[size - keys - 2];
      if (!is_list(container) || is_physical(value) || reaches(value, container)) return false;
      if (at) {
        items[*at] = value;
      } else {
        if (!is_sequence(value)) return false;
        const auto part = s_.heap.at(value);
        items.erase(items.begin() + first, items.begin() + last);
        items.insert(items.begin() + first, part.begin(), part.end());
      }
      drop(keys + 2);
      return true;
    }
  }
}

// Records an operation that adds to a materialized container, or adds unknown items, to the same object.
Outcome Interpreter::grow_container() {
  const std::uint32_t n = insn_->arg;
  const std::size_t count = insn_->op == Op::MAP_ADD ? 2 : 1;
  const auto size = s_.stack.size();
  std::vector<Val> operands{s_.stack[size - count - n]};
  operands.insert(operands.end(), s_.stack.end() - static_cast<std::ptrdiff_t>(count), s_.stack.end());
  for (Val v : operands)
    if (is_physical(v)) return Outcome::kGiveUp;
  s_.stack.resize(size - count);
  if (!materialize_all(operands)) return Outcome::kGiveUp;
  Instruction insn = *insn_;
  insn.arg = 1;
  add_operation(insn, operands);
  const Val grown = result();
  f_.blocks[block_].operations.back().results = {grown};
  replace(operands[0], grown);
  return Outcome::kDone;
}

// ---------------------------------------------------------------- operations that are recorded
namespace {

bool pins_results(Op op) {
  return is_one_of<Op::GET_ITER, Op::GET_AITER, Op::GET_ANEXT, Op::GET_YIELD_FROM_ITER, Op::GET_AWAITABLE,
                   Op::LOAD_SPECIAL, Op::SETUP_WITH, Op::BEFORE_WITH, Op::BEFORE_ASYNC_WITH, Op::EXC_MATCH,
                   Op::PREP_RERAISE_STAR, Op::LOAD_BUILD_CLASS, Op::IMPORT_NAME, Op::GET_LEN, Op::MATCH_MAPPING,
                   Op::MATCH_SEQUENCE, Op::MATCH_KEYS, Op::MATCH_CLASS, Op::COPY_DICT_WITHOUT_KEYS>(op);
}

bool is_call(Op op) {
  return is_one_of<Op::CALL_FUNCTION, Op::CALL_FUNCTION_KW, Op::CALL, Op::CALL_KW, Op::CALL_FUNCTION_EX>(op);
}

}  // namespace

void Interpreter::add_reachable(std::set<Val>& held, Val v) const {
  std::vector<Val> todo{v};
  while (!todo.empty()) {
    const Val x = todo.back();
    todo.pop_back();
    if (x >= f_.values.size() || !held.insert(x).second) continue;
    if (auto it = s_.heap.find(x); it != s_.heap.end()) todo.insert(todo.end(), it->second.begin(), it->second.end());
    if (auto it = f_.contents.find(x); it != f_.contents.end())
      todo.insert(todo.end(), it->second.begin(), it->second.end());
  }
}

// Turns the virtual positional arguments of CALL_FUNCTION_EX into a tuple: the call accepts a list as well.
bool Interpreter::build_call_arguments(std::vector<Val>& operands) {
  Val& args = operands[operands.size() - 1 - (insn_->arg & 1U)];
  if (!is_sequence(args)) return true;
  auto items = s_.heap.at(args);
  if (!materialize_all(items)) return false;
  Instruction insn = *insn_;
  insn.op = Op::BUILD_TUPLE;
  insn.arg = static_cast<std::uint32_t>(items.size());
  add_operation(insn, items).pure = true;
  args = result();
  f_.blocks[block_].operations.back().results = {args};
  f_.contents[args] = items;
  return true;
}

// Returns whether the GET_ITER is followed by the call that takes the iterator, as for a generator expression. Such an
// iterator does not stay on the stack for a loop.
bool Interpreter::is_argument_of_next_call() const {
  const auto& code = cfg_.blocks[BlockId{block_}].code;
  return insn_->op == Op::GET_ITER && effect(dialect_.version, *insn_, false).pushes == 1 && at_ + 1 < code.size() &&
         is_call(code[at_ + 1].op);
}

// Records the instruction, with its operands materialized, and pushes its results.
Outcome Interpreter::keep_operation() {
  const Effect e = effect(dialect_.version, *insn_, false);
  const auto pops = static_cast<std::size_t>(e.pops);
  std::vector<Val> operands(s_.stack.end() - e.pops, s_.stack.end());
  s_.stack.resize(s_.stack.size() - pops);
  keywords_ = kNone;
  if (insn_->op == Op::CALL_FUNCTION_EX) {
    if (!build_call_arguments(operands)) return Outcome::kGiveUp;
    if ((insn_->arg & 1U) != 0) keywords_ = operands.back();
  }
  if (!materialize_all(operands)) return Outcome::kGiveUp;
  keywords_ = kNone;
  const bool pinned = (pins_results(insn_->op) && !is_argument_of_next_call()) ||
                      std::any_of(operands.begin(), operands.end(), [&](Val v) { return is(v, Kind::kPinned); });
  add_operation(*insn_, operands);
  const bool pushes_leaves = insn_->op == Op::UNPACK_SEQUENCE || insn_->op == Op::UNPACK_EX;
  std::vector<Val> results;
  const bool ends = is_terminator(insn_->op) && !pinned;  // no later instruction takes the result of RERAISE
  for (std::int32_t i = 0; i < e.pushes && !ends; ++i)
    results.push_back(result(pinned ? Kind::kPinned : pushes_leaves ? Kind::kLeaf : Kind::kResult));
  if ((insn_->op == Op::BEFORE_WITH || insn_->op == Op::SETUP_WITH) && results.size() == 2) {
    f_.values[results[0]].is_exit = true;
    f_.values[results[1]].kind = Kind::kLeaf;
  }
  if (results.size() > 1 && !is_physical(results[0])) return Outcome::kGiveUp;
  if (insn_->op == Op::LOAD_GLOBAL) f_.values[results[0]].is_global = true;
  if (insn_->op == Op::LOAD_ATTR) {  // an attribute of a module is kept alive by the module
    f_.values[results[0]].is_attribute = true;
    f_.values[results[0]].is_exit = co_.names[insn_->arg] == "__exit__";
    f_.values[results[0]].is_global = f_.values[operands[0]].is_global;
  }
  auto& o = f_.blocks[block_].operations.back();
  o.results = results;
  // Neither a method call without arguments (`x.item()`) nor `__exit__` of a context manager runs a graph.
  const bool runs_no_graph = insn_->op == Op::CALL && std::any_of(operands.begin(), operands.end(), [&](Val v) {
                               return f_.values[v].is_exit || (f_.values[v].is_attribute && insn_->arg == 0);
                             });
  if (is_call(insn_->op) && !runs_no_graph) {
    o.calls = true;
    std::set<Val> held;
    for (const auto* list : {&s_.stack, &s_.locals, &operands})
      for (Val v : *list) add_reachable(held, v);
    f_.blocks[block_].operations.back().held = std::move(held);
  }
  for (Val v : results) push(v);
  return Outcome::kDone;
}

// Records operations that read below their operands, that leave a different stack on the jump edge, or that push the
// two slots of a method call.
Outcome Interpreter::keep_special() {
  const auto take = [&](std::size_t n) {
    std::vector<Val> out(s_.stack.end() - static_cast<std::ptrdiff_t>(n), s_.stack.end());
    s_.stack.resize(s_.stack.size() - n);
    return out;
  };
  const auto finish = [&](const Instruction& insn, std::vector<Val>& operands, const std::vector<Val>& results) {
    if (!materialize_all(operands)) return Outcome::kGiveUp;
    add_operation(insn, operands);
    f_.blocks[block_].operations.back().results = results;
    for (Val v : results) push(v);
    return Outcome::kDone;
  };
  Instruction insn = *insn_;
  switch (insn.op) {
    case Op::FOR_ITER: {
      auto v = take(1);
      if (!is(v[0], Kind::kPinned)) return Outcome::kGiveUp;
      jump_stack_ = s_.stack;
      if ((insn.flags & kIterKept) != 0) {
        jump_stack_->push_back(v[0]);
        jump_stack_->push_back(result(Kind::kPinned));
      }
      return finish(insn, v, {v[0], result(Kind::kLeaf)});
    }
    case Op::JUMP_IF_FALSE_OR_POP:
    case Op::JUMP_IF_TRUE_OR_POP: {
      auto v = take(1);
      if (is_physical(v[0]) || !materialize_all(v)) return Outcome::kGiveUp;
      insn.op = insn.op == Op::JUMP_IF_FALSE_OR_POP ? Op::POP_JUMP_IF_FALSE : Op::POP_JUMP_IF_TRUE;
      const auto o = finish(insn, v, {});
      jump_stack_ = s_.stack;
      jump_stack_->push_back(v[0]);
      return o;
    }
    case Op::CHECK_EXC_MATCH:
    case Op::CHECK_EG_MATCH: {
      auto v = take(2);
      if (!is(v[0], Kind::kPinned)) return Outcome::kGiveUp;
      return finish(insn, v, {v[0], result(Kind::kPinned)});
    }
    case Op::PUSH_EXC_INFO: {
      auto v = take(1);
      if (!is_physical(v[0])) return Outcome::kGiveUp;
      const Val previous = result(Kind::kPinned);
      return finish(insn, v, {previous, v[0]});
    }
    case Op::IMPORT_FROM: {
      auto v = take(1);
      if (!is(v[0], Kind::kPinned)) return Outcome::kGiveUp;
      return finish(insn, v, {v[0], result(Kind::kPinned)});
    }
    case Op::WITH_EXCEPT_START: {
      const Effect e = effect(dialect_.version, insn, false);
      for (std::size_t i = s_.stack.size() - static_cast<std::size_t>(e.pops); i < s_.stack.size(); ++i)
        if (!is(s_.stack[i], Kind::kPinned)) return Outcome::kGiveUp;
      std::vector<Val> none;
      return finish(insn, none, {result(Kind::kPinned)});
    }
    default: {  // LOAD_METHOD, LOAD_SUPER_METHOD: push the attribute and NULL
      auto v = take(insn.op == Op::LOAD_METHOD ? 1 : 3);
      insn.op = insn.op == Op::LOAD_METHOD ? Op::LOAD_ATTR : Op::LOAD_SUPER_ATTR;
      const Val attribute = result();
      f_.values[attribute].is_attribute = true;
      f_.values[attribute].is_exit = co_.names[insn.arg] == "__exit__";
      const auto o = finish(insn, v, {attribute});
      push(pure(Op::PUSH_NULL, 0));
      return o;
    }
  }
}

}  // namespace depyf::dynamo
