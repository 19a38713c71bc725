// SPDX-License-Identifier: MIT
// stack_origins(): abstract interpretation of one code object's instructions over stacks of origins.
//
// Invariant: a state covers every path to its instruction; states only lose knowledge (values and lists become unknown),
// so the fixpoint comes. A list is followed from the instruction that makes it while only operations carried out here can
// have touched it: one that goes anywhere else (a variable, a call, another container) is unknown from then on, with all
// that it holds, and so is one whose instruction may have run twice. Of what an exception leaves, only the stack below its
// handler is told.
#include "depyf/stack.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "bytecode/indexing.h"
#include "bytecode/instruction.h"
#include "bytecode/raw.h"

namespace depyf {
namespace {

using Value = std::uint32_t;  // index of the instruction that left it
using Values = std::vector<Value>;
constexpr Value kUnknown = StackOrigins::kUnknown;

struct State {
  Values stack;
  std::map<Value, std::optional<Values>> containers;  // items of lists, parts of slices; nothing: unknown by now
  std::map<std::uint32_t, Value> locals;              // what they were assigned
  bool operator==(const State&) const = default;

  // What these values hold may be changed by others from now on.
  void escape(Values gone) {
    while (!gone.empty()) {
      const auto it = containers.find(gone.back());
      gone.pop_back();
      if (it == containers.end() || !it->second) continue;
      gone.insert(gone.end(), it->second->begin(), it->second->end());
      it->second.reset();
    }
  }
};

// What is true of both items, with what that leaves unknown added to `gone`.
Values joined(const Values& a, const Values& b, Values& gone) {
  Values both(a.size(), kUnknown);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) {
      both[i] = a[i];
    } else {
      gone.insert(gone.end(), {a[i], b[i]});
    }
  }
  return both;
}

// What is true of both states, whose stacks are equally deep.
State joined(const State& a, const State& b) {
  State both;
  Values gone;
  both.stack = joined(a.stack, b.stack, gone);
  auto all = a.containers;
  all.insert(b.containers.begin(), b.containers.end());
  for (const auto& [made, unused] : all) {
    const auto x = a.containers.find(made), y = b.containers.find(made);
    const bool certain = x != a.containers.end() && y != b.containers.end() && x->second && y->second &&
                         x->second->size() == y->second->size();
    if (certain) {
      both.containers[made] = joined(*x->second, *y->second, gone);
      continue;
    }
    both.containers[made].reset();
    if (x != a.containers.end() && x->second) gone.insert(gone.end(), x->second->begin(), x->second->end());
    if (y != b.containers.end() && y->second) gone.insert(gone.end(), y->second->begin(), y->second->end());
  }
  both.escape(std::move(gone));
  std::set_intersection(a.locals.begin(), a.locals.end(), b.locals.begin(), b.locals.end(),
                        std::inserter(both.locals, both.locals.end()));
  return both;
}

class Interpreter {
 public:
  Interpreter(const CodeTree& tree, CodeId code, const Bytecode& bytecode, const Limits& limits)
      : tree_(tree), co_(tree.codes[code]), code_(bytecode.code), handlers_(bytecode.handlers), limits_(limits) {}

  Status run() {
    const auto size = static_cast<std::uint32_t>(code_.size());
    entries_.resize(size);
    is_leader_.assign(size, false);
    covered_by_.assign(size, nullptr);
    for (const Instruction& insn : code_)
      if (insn.target != kNoTarget) is_leader_[insn.target] = true;
    for (const ExceptionEntry& handler : handlers_) {
      is_leader_[handler.target] = true;
      std::fill(covered_by_.begin() + handler.start, covered_by_.begin() + handler.end, &handler);
    }
    DEPYF_CHECK(reach(0, State{}));
    while (!work_.empty()) {
      const std::uint32_t leader = work_.back();
      work_.pop_back();
      DEPYF_CHECK(walk(leader));
    }
    return Unit{};
  }

  // The state before an instruction.
  Result<State> before(std::uint32_t index) {
    std::uint32_t leader = index;
    while (leader > 0 && !entries_[leader]) --leader;
    State state = entries_[leader] ? *entries_[leader] : State{};
    for (std::uint32_t i = leader; i < index; ++i) {
      if (is_terminator(code_[i].op)) return Error{Errc::kMalformed, code_[index].offset, "control never comes here"};
      DEPYF_CHECK(step(i, state, false));
    }
    return state;
  }

  // The state while the instruction is executed that begins at this index.
  Result<State> during(std::uint32_t index, State state) {
    State after = state;
    std::size_t low = state.stack.size();
    for (std::uint32_t i = index; i < code_.size() && code_[i].offset == code_[index].offset; ++i) {
      const auto pops = static_cast<std::size_t>(effect(tree_.version, code_[i], false).pops);
      low = std::min(low, after.stack.size() - std::min(after.stack.size(), pops));
      if (code_[i].op == Op::STORE_FAST) state.locals.erase(code_[i].arg);
      DEPYF_CHECK(step(i, after, false));
    }
    state.escape({state.stack.begin() + static_cast<std::ptrdiff_t>(low), state.stack.end()});
    state.stack.resize(low);
    return state;
  }

 private:
  Status reach(std::uint32_t index, State state) {
    auto& known = entries_[index];
    if (known) {
      if (known->stack.size() != state.stack.size())
        return Error{Errc::kMalformed, code_[index].offset, "reached with stacks of different depths"};
      State both = joined(*known, state);
      if (both == *known) return Unit{};
      state = std::move(both);
    }
    known = std::move(state);
    work_.push_back(index);
    return Unit{};
  }

  Status walk(std::uint32_t index) {
    State state = *entries_[index];
    for (;; ++index) {
      const Instruction& insn = code_[index];
      if (++steps_ > limits_.max_steps) return Error{Errc::kLimitExceeded, insn.offset, "too many steps"};
      if (covered_by_[index] != nullptr) DEPYF_CHECK(raise(*covered_by_[index], state));
      if (is_jump(insn.op)) {
        State jumped = state;
        DEPYF_CHECK(step(index, jumped, true));
        DEPYF_CHECK(reach(insn.target, std::move(jumped)));
      }
      if (is_terminator(insn.op)) return Unit{};
      DEPYF_CHECK(step(index, state, false));
      if (index + 1 == code_.size()) return Unit{};
      if (is_leader_[index + 1]) return reach(index + 1, std::move(state));
    }
  }

  // The state in which an exception here enters its handler.
  Status raise(const ExceptionEntry& handler, const State& from) {
    State state;
    const auto kept = std::min<std::size_t>(handler.depth, from.stack.size());
    state.stack.assign(from.stack.begin(), from.stack.begin() + static_cast<std::ptrdiff_t>(kept));
    state.stack.resize(kept + (handler.lasti ? 2 : 1), kUnknown);
    for (const auto& [made, unused] : from.containers) state.containers[made].reset();
    return reach(handler.target, std::move(state));
  }

  // Carries out one instruction.
  Status step(std::uint32_t index, State& s, bool jump) {
    const Instruction& insn = code_[index];
    const Effect e = effect(tree_.version, insn, jump);
    const std::size_t size = s.stack.size(), pops = static_cast<std::size_t>(e.pops);
    if (size < pops) return Error{Errc::kMalformed, insn.offset, "takes more than lies on the stack"};
    switch (insn.op) {
      case Op::COPY: s.stack.push_back(s.stack[size - insn.arg]); return Unit{};
      case Op::SWAP: std::swap(s.stack[size - 1], s.stack[size - insn.arg]); return Unit{};
      case Op::POP_TOP: s.stack.pop_back(); return Unit{};
      case Op::STORE_FAST: s.locals[insn.arg] = s.stack.back(); break;
      case Op::DELETE_FAST:
      case Op::LOAD_FAST_AND_CLEAR: s.locals.erase(insn.arg); break;
      case Op::SETUP_FINALLY:
      case Op::SETUP_WITH:
      case Op::SETUP_ASYNC_WITH:
        if (!jump) break;
        s.locals.clear();  // the exception comes later
        for (auto& [made, items] : s.containers) items.reset();
        break;
      case Op::JUMP_IF_FALSE_OR_POP:
      case Op::JUMP_IF_TRUE_OR_POP:
        if (jump) return Unit{};
        break;
      default:  // the rest touches no variable
        break;
    }
    const Values taken(s.stack.end() - e.pops, s.stack.end());
    if (use_list(index, taken, s)) return Unit{};
    s.escape(taken);
    s.escape({index});  // what it made before, if anything
    s.stack.resize(size - pops);
    s.stack.resize(s.stack.size() + static_cast<std::size_t>(e.pushes), e.pushes == 1 ? index : kUnknown);
    return Unit{};
  }

  // ---- lists
  [[nodiscard]] static const Values* items_of(const State& s, Value container) {
    const auto it = s.containers.find(container);
    return it != s.containers.end() && it->second ? &*it->second : nullptr;
  }
  [[nodiscard]] const Values* list(const State& s, Value value) const {
    return value != kUnknown && code_[value].op != Op::BUILD_SLICE ? items_of(s, value) : nullptr;
  }
  [[nodiscard]] const Constant* constant(Value v) const {
    return v != kUnknown && code_[v].op == Op::LOAD_CONST ? &tree_.consts[co_.consts[code_[v].arg]] : nullptr;
  }
  [[nodiscard]] std::optional<std::int64_t> integer(Value v) const {
    if (v != kUnknown && code_[v].op == Op::LOAD_SMALL_INT) return code_[v].arg;
    if (is_common(v, CommonConstant::kMinusOne)) return -1;
    const Constant* c = constant(v);
    return c != nullptr ? integer_of(*c) : std::nullopt;
  }
  [[nodiscard]] bool is_common(Value v, CommonConstant which) const {
    return v != kUnknown && code_[v].op == Op::LOAD_COMMON_CONSTANT &&
           code_[v].arg == static_cast<std::uint32_t>(which);
  }
  [[nodiscard]] bool is_none(Value v) const {
    const Constant* c = constant(v);
    return is_common(v, CommonConstant::kNone) || (c != nullptr && std::holds_alternative<ConstNone>(*c));
  }

  // The range that an index or a slice means in a list of this length; one item's for an index.
  struct Range {
    std::size_t from = 0, to = 0;
    bool is_index = false;
  };
  [[nodiscard]] std::optional<Range> range(const State& s, const Values& key, std::size_t length) const {
    if (key.size() == 1) {
      if (const auto at = position_of(integer(key[0]), length)) return Range{*at, *at + 1, true};
      if (const Constant* c = constant(key[0]); c != nullptr && std::holds_alternative<ConstSlice>(*c))
        return constant_range(std::get<ConstSlice>(*c), length);
      const bool is_slice = key[0] != kUnknown && code_[key[0]].op == Op::BUILD_SLICE;
      const Values* parts = is_slice ? items_of(s, key[0]) : nullptr;
      if (parts == nullptr || (parts->size() == 3 && !is_none(parts->back()))) return std::nullopt;
      return range(s, {(*parts)[0], (*parts)[1]}, length);
    }
    const auto a = integer(key[0]), b = integer(key[1]);
    if ((!a && !is_none(key[0])) || (!b && !is_none(key[1]))) return std::nullopt;
    const auto [from, to] = range_of(a, b, length);
    return Range{from, to};
  }
  [[nodiscard]] std::optional<Range> constant_range(const ConstSlice& slice, std::size_t length) const {
    const auto is_none = [&](ConstId id) { return std::holds_alternative<ConstNone>(tree_.consts[id]); };
    const auto a = integer_of(tree_.consts[slice.start]), b = integer_of(tree_.consts[slice.stop]);
    if ((!a && !is_none(slice.start)) || (!b && !is_none(slice.stop)) || !is_none(slice.step)) return std::nullopt;
    const auto [from, to] = range_of(a, b, length);
    return Range{from, to};
  }

  // Carries out what makes, reads or changes a list that is followed; false if this is none, and nothing is done.
  bool use_list(std::uint32_t index, const Values& taken, State& s) {
    switch (code_[index].op) {
      case Op::BUILD_LIST:
      case Op::BUILD_SLICE: return make(index, taken.size(), taken, s);
      case Op::LIST_APPEND:
      case Op::LIST_EXTEND: return extend(index, taken, s);
      case Op::BINARY_SUBSCR:
      case Op::BINARY_SLICE: return read(index, taken, s);
      case Op::STORE_SUBSCR:
      case Op::STORE_SLICE: return store(taken, s);
      case Op::DELETE_SUBSCR: return store({kUnknown, taken[0], taken[1]}, s, true);
      default:  // others let go of what they take
        return false;
    }
  }

  bool make(std::uint32_t index, std::size_t pops, Values items, State& s) {
    if (s.containers.contains(index)) return false;  // made before: there may be two
    s.stack.resize(s.stack.size() - pops);
    s.containers[index] = std::move(items);
    s.stack.push_back(index);
    return true;
  }

  bool extend(std::uint32_t index, const Values& taken, State& s) {
    const Values* items = list(s, taken.front());
    if (items == nullptr) return false;
    Values all = *items;
    if (code_[index].op == Op::LIST_APPEND) {
      all.push_back(taken.back());
    } else if (const Values* more = list(s, taken.back())) {
      all.insert(all.end(), more->begin(), more->end());
    } else {
      return false;
    }
    s.containers[taken.front()] = std::move(all);
    s.stack.pop_back();
    return true;
  }

  bool read(std::uint32_t index, const Values& taken, State& s) {
    const Values* items = list(s, taken[0]);
    if (items == nullptr) return false;
    const auto where = range(s, {taken.begin() + 1, taken.end()}, items->size());
    if (!where) return false;
    const Values part(items->begin() + static_cast<std::ptrdiff_t>(where->from),
                      items->begin() + static_cast<std::ptrdiff_t>(where->to));
    if (!where->is_index) return make(index, taken.size(), part, s);
    s.stack.resize(s.stack.size() - taken.size());
    s.stack.push_back(part[0]);
    return true;
  }

  // [value, list, key...]; or without the value.
  bool store(const Values& taken, State& s, bool deletes = false) {
    const Values* items = list(s, taken[1]);
    if (items == nullptr) return false;
    const auto where = range(s, {taken.begin() + 2, taken.end()}, items->size());
    if (!where) return false;
    Values put;
    if (!deletes && where->is_index) {
      put = {taken[0]};
    } else if (!deletes) {
      const Values* value = list(s, taken[0]);
      if (value == nullptr) return false;
      put = *value;
    }
    Values all(items->begin(), items->begin() + static_cast<std::ptrdiff_t>(where->from));
    all.insert(all.end(), put.begin(), put.end());
    all.insert(all.end(), items->begin() + static_cast<std::ptrdiff_t>(where->to), items->end());
    s.containers[taken[1]] = std::move(all);
    s.stack.resize(s.stack.size() - taken.size() + (deletes ? 1 : 0));
    return true;
  }

  const CodeTree& tree_;
  const CodeObject& co_;
  const std::vector<Instruction>& code_;
  const std::vector<ExceptionEntry>& handlers_;
  const Limits& limits_;
  std::vector<std::optional<State>> entries_;  // of what jumps and handlers lead to, and the first instruction
  std::vector<bool> is_leader_;
  std::vector<const ExceptionEntry*> covered_by_;
  std::vector<std::uint32_t> work_;
  std::uint64_t steps_ = 0;
};

// The state with its instructions named by offset.
StackOrigins named(const CodeObject& co, const std::vector<Instruction>& code, const State& state) {
  StackOrigins out;
  std::map<Value, std::uint32_t> rows;
  const auto row = [&](Value value) {
    if (value == kUnknown) return kUnknown;
    const auto [it, is_new] = rows.try_emplace(value, static_cast<std::uint32_t>(out.origins.size()));
    if (is_new) out.origins.push_back({code[value].offset, op_name(code[value].op)});
    return it->second;
  };
  for (const Value value : state.stack) out.stack.push_back(row(value));
  for (const auto& [made, items] : state.containers) {
    if (!items || code[made].op == Op::BUILD_SLICE) continue;
    out.lists.push_back({row(made), {}});
    for (const Value item : *items) out.lists.back().items.push_back(row(item));
  }
  for (const auto& [local, value] : state.locals)
    if (value != kUnknown) out.variables.push_back({local_names(co)[local], row(value)});
  return out;
}

}  // namespace

Result<StackOrigins> stack_origins(const CodeTree& tree, CodeId id, std::uint32_t offset, Moment moment,
                                   const Limits& limits) {
  DEPYF_CHECK(validate(tree));
  DEPYF_TRY(bytecode, decode(tree, id, limits));
  DEPYF_TRY(raw, read_raw(*instruction_set(tree.version), tree.codes[id].code, limits));
  const auto beyond = std::upper_bound(raw.begin(), raw.end(), offset,
                                       [](std::uint32_t o, const RawInstruction& r) { return o < r.start; });
  if (beyond == raw.begin() || offset >= tree.codes[id].code.size())
    return Error{Errc::kMalformed, offset, "not in the code object"};
  // What is left of that instruction; or, when nothing is, what comes next.
  const auto& code = bytecode.code;
  const std::uint32_t start = std::prev(beyond)->start;
  const auto first = std::lower_bound(code.begin(), code.end(), start,
                                      [](const Instruction& insn, std::uint32_t o) { return insn.offset < o; });
  if (first == code.end()) return Error{Errc::kMalformed, offset, "past the last instruction"};
  const auto index = static_cast<std::uint32_t>(first - code.begin());
  Interpreter interpreter(tree, id, bytecode, limits);
  DEPYF_CHECK(interpreter.run());
  DEPYF_TRY(state, interpreter.before(index));
  if (moment == Moment::kDuring && first->offset == start) {
    DEPYF_TRY(now, interpreter.during(index, std::move(state)));
    return named(tree.codes[id], code, now);
  }
  return named(tree.codes[id], code, state);
}

}  // namespace depyf
