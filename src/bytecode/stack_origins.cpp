// SPDX-License-Identifier: MIT
// stack_origins(): abstract interpretation of one code object over stacks of origins: which instruction has pushed a
// value.
//
// Invariant: a state covers every path to its instruction. Joins only lose information (values and lists become
// unknown), so the fixpoint terminates. The items of a list are known from the instruction that creates it until it
// escapes to anything but the operations modelled here (a variable, a call, another container): then the list and all
// lists in it become unknown. So does a list whose instruction may have run twice. On entry to a handler only the stack
// below the exception is known.
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

using Value = std::uint32_t;  // index of the instruction that pushed the value
using Values = std::vector<Value>;
constexpr Value kUnknown = StackOrigins::kUnknown;

struct State {
  Values stack;
  std::map<Value, std::optional<Values>> containers;  // items of lists, parts of slices; nullopt: unknown
  std::map<std::uint32_t, Value> locals;              // by index: the value that was stored
  bool operator==(const State&) const = default;

  // Makes the contents of these values unknown, and of all containers in them: other code may change them from now on.
  void escape(Values values) {
    while (!values.empty()) {
      const auto it = containers.find(values.back());
      values.pop_back();
      if (it == containers.end() || !it->second) continue;
      values.insert(values.end(), it->second->begin(), it->second->end());
      it->second.reset();
    }
  }
};

// Joins two lists of values of equal length. Values that differ become unknown and are added to `escaped`.
Values join(const Values& a, const Values& b, Values& escaped) {
  Values merged(a.size(), kUnknown);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) {
      merged[i] = a[i];
    } else {
      escaped.insert(escaped.end(), {a[i], b[i]});
    }
  }
  return merged;
}

// Joins two states with stacks of equal depth.
State join(const State& a, const State& b) {
  State merged;
  Values escaped;
  merged.stack = join(a.stack, b.stack, escaped);
  auto all = a.containers;
  all.insert(b.containers.begin(), b.containers.end());
  for (const auto& [container, unused] : all) {
    const auto x = a.containers.find(container), y = b.containers.find(container);
    const bool certain = x != a.containers.end() && y != b.containers.end() && x->second && y->second &&
                         x->second->size() == y->second->size();
    if (certain) {
      merged.containers[container] = join(*x->second, *y->second, escaped);
      continue;
    }
    merged.containers[container].reset();
    if (x != a.containers.end() && x->second) escaped.insert(escaped.end(), x->second->begin(), x->second->end());
    if (y != b.containers.end() && y->second) escaped.insert(escaped.end(), y->second->begin(), y->second->end());
  }
  merged.escape(std::move(escaped));
  std::set_intersection(a.locals.begin(), a.locals.end(), b.locals.begin(), b.locals.end(),
                        std::inserter(merged.locals, merged.locals.end()));
  return merged;
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
    for (auto handler = handlers_.rbegin(); handler != handlers_.rend(); ++handler) {  // CPython takes the first entry
      is_leader_[handler->target] = true;
      std::fill(covered_by_.begin() + handler->start, covered_by_.begin() + handler->end, &*handler);
    }
    DEPYF_CHECK(reach(0, State{}));
    while (!work_.empty()) {
      const std::uint32_t leader = work_.back();
      work_.pop_back();
      DEPYF_CHECK(walk(leader));
    }
    return Unit{};
  }

  // Returns the state before an instruction.
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

  // Returns the state during the execution of the CPython instruction that starts at this index: without the entries
  // that it pops, whose contents may change.
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
      State merged = join(*known, state);
      if (merged == *known) return Unit{};
      state = std::move(merged);
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

  // Propagates the state after an exception to its handler.
  Status raise(const ExceptionEntry& handler, const State& from) {
    State state;
    const auto kept = std::min<std::size_t>(handler.depth, from.stack.size());
    state.stack.assign(from.stack.begin(), from.stack.begin() + static_cast<std::ptrdiff_t>(kept));
    state.stack.resize(kept + (handler.lasti ? 2 : 1), kUnknown);
    for (const auto& [container, unused] : from.containers) state.containers[container].reset();
    return reach(handler.target, std::move(state));
  }

  // Executes one instruction. `jump`: on the jump edge.
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
        s.locals.clear();  // the exception may be raised by any later instruction
        for (auto& [container, items] : s.containers) items.reset();
        break;
      case Op::JUMP_IF_FALSE_OR_POP:
      case Op::JUMP_IF_TRUE_OR_POP:
        if (jump) return Unit{};
        break;
      default:  // all others access no local variable
        break;
    }
    const Values operands(s.stack.end() - e.pops, s.stack.end());
    if (use_list(index, operands, s)) return Unit{};
    s.escape(operands);
    s.escape({index});  // a container that it created in an earlier iteration
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

  // The range of a list that an index or a slice selects.
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

  // Executes an operation that creates, reads or changes a list with known items. Returns false, and does nothing, if
  // it is none.
  bool use_list(std::uint32_t index, const Values& operands, State& s) {
    switch (code_[index].op) {
      case Op::BUILD_LIST:
      case Op::BUILD_SLICE: return make(index, operands.size(), operands, s);
      case Op::LIST_APPEND:
      case Op::LIST_EXTEND: return extend(index, operands, s);
      case Op::BINARY_SUBSCR:
      case Op::BINARY_SLICE: return read(index, operands, s);
      case Op::STORE_SUBSCR:
      case Op::STORE_SLICE: return store(operands, s);
      case Op::DELETE_SUBSCR: return store({kUnknown, operands[0], operands[1]}, s, true);
      default:  // all others let their operands escape
        return false;
    }
  }

  bool make(std::uint32_t index, std::size_t pops, Values items, State& s) {
    if (s.containers.contains(index)) return false;  // created before: there may be two of them
    s.stack.resize(s.stack.size() - pops);
    s.containers[index] = std::move(items);
    s.stack.push_back(index);
    return true;
  }

  bool extend(std::uint32_t index, const Values& operands, State& s) {
    const Values* items = list(s, operands.front());
    if (items == nullptr) return false;
    Values all = *items;
    if (code_[index].op == Op::LIST_APPEND) {
      all.push_back(operands.back());
    } else if (const Values* more = list(s, operands.back())) {
      all.insert(all.end(), more->begin(), more->end());
    } else {
      return false;
    }
    s.containers[operands.front()] = std::move(all);
    s.stack.pop_back();
    return true;
  }

  bool read(std::uint32_t index, const Values& operands, State& s) {
    const Values* items = list(s, operands[0]);
    if (items == nullptr) return false;
    const auto where = range(s, {operands.begin() + 1, operands.end()}, items->size());
    if (!where) return false;
    const Values part(items->begin() + static_cast<std::ptrdiff_t>(where->from),
                      items->begin() + static_cast<std::ptrdiff_t>(where->to));
    if (!where->is_index) return make(index, operands.size(), part, s);
    s.stack.resize(s.stack.size() - operands.size());
    s.stack.push_back(part[0]);
    return true;
  }

  // Executes a store to, or a deletion from, a list. Operands: value, list, key (or start and stop).
  bool store(const Values& operands, State& s, bool deletes = false) {
    const Values* items = list(s, operands[1]);
    if (items == nullptr) return false;
    const auto where = range(s, {operands.begin() + 2, operands.end()}, items->size());
    if (!where) return false;
    Values put;
    if (!deletes && where->is_index) {
      put = {operands[0]};
    } else if (!deletes) {
      const Values* value = list(s, operands[0]);
      if (value == nullptr) return false;
      put = *value;
    }
    Values all(items->begin(), items->begin() + static_cast<std::ptrdiff_t>(where->from));
    all.insert(all.end(), put.begin(), put.end());
    all.insert(all.end(), items->begin() + static_cast<std::ptrdiff_t>(where->to), items->end());
    s.containers[operands[1]] = std::move(all);
    s.stack.resize(s.stack.size() - operands.size() + (deletes ? 1 : 0));
    return true;
  }

  const CodeTree& tree_;
  const CodeObject& co_;
  const std::vector<Instruction>& code_;
  const std::vector<ExceptionEntry>& handlers_;
  const Limits& limits_;
  std::vector<std::optional<State>> entries_;  // by instruction, for leaders: the state before it
  std::vector<bool> is_leader_;
  std::vector<const ExceptionEntry*> covered_by_;
  std::vector<std::uint32_t> work_;
  std::uint64_t steps_ = 0;
};

// Converts a state: instructions are identified by their offsets.
StackOrigins origins_of(const CodeObject& co, const std::vector<Instruction>& code, const State& state) {
  StackOrigins out;
  std::map<Value, std::uint32_t> rows;
  const auto row = [&](Value value) {
    if (value == kUnknown) return kUnknown;
    const auto [it, is_new] = rows.try_emplace(value, static_cast<std::uint32_t>(out.origins.size()));
    if (is_new) out.origins.push_back({code[value].offset, op_name(code[value].op)});
    return it->second;
  };
  for (const Value value : state.stack) out.stack.push_back(row(value));
  for (const auto& [container, items] : state.containers) {
    if (!items || code[container].op == Op::BUILD_SLICE) continue;
    out.lists.push_back({row(container), {}});
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
  // The first canonical instruction of that one; if it has none, the next one.
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
    return origins_of(tree.codes[id], code, now);
  }
  return origins_of(tree.codes[id], code, state);
}

}  // namespace depyf
