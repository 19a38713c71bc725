// SPDX-License-Identifier: MIT
// One instruction of the abstract interpreter: carried out on virtual containers, or kept as an operation.
//
// What may fail or be seen is kept: a subscript out of range, an index that is no constant, anything on a container that
// something else has seen. The meanings are CPython's (Objects/listobject.c: list_ass_subscript, list_subscript).
#include "dynamo/scalar_replacement/interpreter.h"

namespace depyf::dynamo {

Outcome Interpreter::step() {
  const Instruction& insn = *insn_;
  const Effect e = effect(dialect_.version, insn, false);
  if (e.pops > static_cast<std::int32_t>(s_.stack.size())) return Outcome::kGiveUp;
  const bool evaluates = containers_ == Containers::kEvaluated || insn.op == Op::BUILD_SLICE;  // `[a:b]` is no value
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
    case Op::DELETE_FAST: return local();
    case Op::POP_TOP:
    case Op::COPY:
    case Op::SWAP: return shuffle();
    default: break;
  }
  if (insn.op >= Op::LIST_APPEND && insn.op <= Op::DICT_MERGE) return grow();
  if (is_one_of<Op::LOAD_FAST_AND_CLEAR, Op::LOAD_LOCALS, Op::SETUP_ANNOTATIONS, Op::YIELD_FROM, Op::SEND>(insn.op))
    return Outcome::kGiveUp;
  const bool is_special = is_one_of<Op::FOR_ITER, Op::JUMP_IF_FALSE_OR_POP, Op::JUMP_IF_TRUE_OR_POP,
                                    Op::CHECK_EXC_MATCH, Op::CHECK_EG_MATCH, Op::PUSH_EXC_INFO, Op::IMPORT_FROM,
                                    Op::WITH_EXCEPT_START, Op::LOAD_METHOD, Op::LOAD_SUPER_METHOD>(insn.op);
  return is_special ? special() : keep();
}

// ---------------------------------------------------------------- locals and the stack
Outcome Interpreter::local() {
  const std::uint32_t x = insn_->arg;
  if (temporaries_.contains(x)) return temporary(x);
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
    f_.blocks[block_].operations.back().quiet = state != kUnbound;
    state = kUnbound;
    changed_[x] = false;
    return Outcome::kDone;
  }
  std::vector<Val> v{pop()};
  const bool itself = state == v[0] && v[0] < f_.values.size() && !is(v[0], Kind::kPure);
  if (itself && by_dynamo_) return Outcome::kDone;  // out of a list that hands over the variable's own value
  changed_.emplace(x, true);
  if (!build_all(v)) return Outcome::kGiveUp;
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

// A temporary of Dynamo's: whoever reads it reads the value, which gets a variable of ours where it needs one. One whose
// value is not the same on every way to where it is read stays a local variable.
Outcome Interpreter::temporary(std::uint32_t x) {
  Val& state = s_.locals[x];
  const bool known = state != kUnbound && state != kVaries;
  const bool is_load = insn_->op == Op::LOAD_FAST, is_delete = insn_->op == Op::DELETE_FAST;
  const bool is_object =
      !is_load && !is_delete && (is_physical(s_.stack.back()) || is(s_.stack.back(), Kind::kVirtual));
  if ((is_load && !known) || (is_delete && state == kUnbound) || (is_object && loaded_.contains(x))) {
    demands_.locals.insert(x);
    return Outcome::kAgain;
  }
  if (is_load) {
    push(state);
  } else if (is_delete) {
    state = kUnbound;
    changed_[x] = false;
  } else {
    const Val v = pop();
    if (is_physical(v)) return Outcome::kGiveUp;
    changed_.emplace(x, true);
    state = loaded_.contains(x) ? v : kVaries;
  }
  return Outcome::kDone;
}

Outcome Interpreter::shuffle() {
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

// ---------------------------------------------------------------- containers
bool Interpreter::evaluate() {
  const auto size = s_.stack.size();
  const std::uint32_t n = insn_->arg;
  const auto top = [&](std::size_t i) { return s_.stack[size - i]; };
  const auto plain = [&](std::size_t count) {
    for (std::size_t i = 1; i <= count; ++i)
      if (is_physical(top(i))) return false;
    return true;
  };
  switch (insn_->op) {
    case Op::BUILD_LIST:
    case Op::BUILD_TUPLE:
    case Op::BUILD_SLICE: {
      if (!plain(n)) return false;
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
      return n > 0 && plain(insn_->op == Op::BUILD_MAP ? 2 * n : n + 1) && evaluate_keywords();
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

// A dict whose keys are different constant strings may be the keywords of a call, spelt there.
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
  const auto where = two ? range(s_.stack[size - 2], key, length) : slice_of(key, length);
  const auto at = two ? std::nullopt : position(key, length);
  if (!where && !at) return false;
  const auto first = static_cast<std::ptrdiff_t>(where ? where->first : *at);
  const auto last = static_cast<std::ptrdiff_t>(where ? where->second : *at + 1);
  const auto leave = [&](std::size_t entries) { s_.stack.resize(size - entries); };
  auto& items = s_.heap.at(container);
  switch (insn_->op) {
    case Op::BINARY_SUBSCR:
    case Op::BINARY_SLICE: {
      if (at) {
        const Val item = items[*at];
        leave(keys + 1);
        push(item);
        return true;
      }
      std::vector<Val> part(items.begin() + first, items.begin() + last);
      leave(keys + 1);
      push(make_virtual(f_.values[container].shape, std::move(part)));
      return true;
    }
    case Op::DELETE_SUBSCR:
      if (!is_list(container)) return false;
      items.erase(items.begin() + first, items.begin() + last);
      leave(keys + 1);
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
      leave(keys + 2);
      return true;
    }
  }
}

// Adds to a container that is not virtual, or adds what is not known. It stays the same object.
Outcome Interpreter::grow() {
  const std::uint32_t n = insn_->arg;
  const std::size_t count = insn_->op == Op::MAP_ADD ? 2 : 1;
  const auto size = s_.stack.size();
  std::vector<Val> operands{s_.stack[size - count - n]};
  operands.insert(operands.end(), s_.stack.end() - static_cast<std::ptrdiff_t>(count), s_.stack.end());
  for (Val v : operands)
    if (is_physical(v)) return Outcome::kGiveUp;
  s_.stack.resize(size - count);
  if (!build_all(operands)) return Outcome::kGiveUp;
  Instruction insn = *insn_;
  insn.arg = 1;
  add_operation(insn, operands);
  const Val grown = result();
  f_.blocks[block_].operations.back().results = {grown};
  replace(operands[0], grown);
  return Outcome::kDone;
}

// ---------------------------------------------------------------- operations that are kept
namespace {

bool pins(Op op) {
  return is_one_of<Op::GET_ITER, Op::GET_AITER, Op::GET_ANEXT, Op::GET_YIELD_FROM_ITER, Op::GET_AWAITABLE,
                   Op::LOAD_SPECIAL, Op::SETUP_WITH, Op::BEFORE_WITH, Op::BEFORE_ASYNC_WITH, Op::EXC_MATCH,
                   Op::PREP_RERAISE_STAR, Op::LOAD_BUILD_CLASS, Op::IMPORT_NAME, Op::GET_LEN, Op::MATCH_MAPPING,
                   Op::MATCH_SEQUENCE, Op::MATCH_KEYS, Op::MATCH_CLASS, Op::COPY_DICT_WITHOUT_KEYS>(op);
}

bool is_call(Op op) {
  return is_one_of<Op::CALL_FUNCTION, Op::CALL_FUNCTION_KW, Op::CALL, Op::CALL_KW, Op::CALL_FUNCTION_EX>(op);
}

}  // namespace

void Interpreter::note_held(std::set<Val>& held, Val v) const {
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

// A call takes its positional arguments from a list as well as from a tuple of them.
bool Interpreter::spread(std::vector<Val>& operands) {
  Val& args = operands[operands.size() - 1 - (insn_->arg & 1U)];
  if (!is_sequence(args)) return true;
  auto items = s_.heap.at(args);
  if (!build_all(items)) return false;
  Instruction insn = *insn_;
  insn.op = Op::BUILD_TUPLE;
  insn.arg = static_cast<std::uint32_t>(items.size());
  add_operation(insn, items).pure = true;
  args = result();
  f_.blocks[block_].operations.back().results = {args};
  f_.contents[args] = items;
  return true;
}

// Whether an iterator is the operand of what comes next, as a comprehension's is, and waits for no loop.
bool Interpreter::iterates_at_once() const {
  const auto& code = cfg_.blocks[BlockId{block_}].code;
  return insn_->op == Op::GET_ITER && effect(dialect_.version, *insn_, false).pushes == 1 && at_ + 1 < code.size() &&
         is_call(code[at_ + 1].op);
}

Outcome Interpreter::keep() {
  const Effect e = effect(dialect_.version, *insn_, false);
  const auto pops = static_cast<std::size_t>(e.pops);
  std::vector<Val> operands(s_.stack.end() - e.pops, s_.stack.end());
  s_.stack.resize(s_.stack.size() - pops);
  keywords_ = kNone;
  if (insn_->op == Op::CALL_FUNCTION_EX) {
    if (!spread(operands)) return Outcome::kGiveUp;
    if ((insn_->arg & 1U) != 0) keywords_ = operands.back();
  }
  if (!build_all(operands)) return Outcome::kGiveUp;
  keywords_ = kNone;
  const bool pinned = (pins(insn_->op) && !iterates_at_once()) ||
                      std::any_of(operands.begin(), operands.end(), [&](Val v) { return is(v, Kind::kPinned); });
  add_operation(*insn_, operands);
  const bool leaves = insn_->op == Op::UNPACK_SEQUENCE || insn_->op == Op::UNPACK_EX;
  std::vector<Val> results;
  const bool ends = is_terminator(insn_->op) && !pinned;  // nothing takes what RERAISE reads
  for (std::int32_t i = 0; i < e.pushes && !ends; ++i)
    results.push_back(result(pinned ? Kind::kPinned : leaves ? Kind::kLeaf : Kind::kResult));
  if ((insn_->op == Op::BEFORE_WITH || insn_->op == Op::SETUP_WITH) && results.size() == 2) {
    f_.values[results[0]].is_exit = true;
    f_.values[results[1]].kind = Kind::kLeaf;
  }
  if (results.size() > 1 && !is_physical(results[0])) return Outcome::kGiveUp;
  if (insn_->op == Op::LOAD_GLOBAL) f_.values[results[0]].is_global = true;
  if (insn_->op == Op::LOAD_ATTR) {  // of a module and what it holds: held there as well
    f_.values[results[0]].is_attribute = true;
    f_.values[results[0]].is_exit = co_.names[insn_->arg] == "__exit__";
    f_.values[results[0]].is_global = f_.values[operands[0]].is_global;
  }
  auto& o = f_.blocks[block_].operations.back();
  o.results = results;
  // Neither a method without arguments (`x.item()`) nor a context manager's own runs a graph.
  const bool bare = insn_->op == Op::CALL && std::any_of(operands.begin(), operands.end(), [&](Val v) {
                      return f_.values[v].is_exit || (f_.values[v].is_attribute && insn_->arg == 0);
                    });
  if (is_call(insn_->op) && !bare) {
    o.calls = true;
    std::set<Val> held;
    for (const auto* list : {&s_.stack, &s_.locals, &operands})
      for (Val v : *list) note_held(held, v);
    f_.blocks[block_].operations.back().held = std::move(held);
  }
  for (Val v : results) push(v);
  return Outcome::kDone;
}

// Operations that read below what they take, have another stack on their jump, or leave two slots of a call.
Outcome Interpreter::special() {
  const auto take = [&](std::size_t n) {
    std::vector<Val> out(s_.stack.end() - static_cast<std::ptrdiff_t>(n), s_.stack.end());
    s_.stack.resize(s_.stack.size() - n);
    return out;
  };
  const auto finish = [&](const Instruction& insn, std::vector<Val>& operands, const std::vector<Val>& results) {
    if (!build_all(operands)) return Outcome::kGiveUp;
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
      if (is_physical(v[0]) || !build_all(v)) return Outcome::kGiveUp;
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
      const Val before = result(Kind::kPinned);
      return finish(insn, v, {before, v[0]});
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
    default: {  // LOAD_METHOD and LOAD_SUPER_METHOD as the attribute and an empty slot
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
