// SPDX-License-Identifier: MIT
// The abstract state of the interpreter: values on the stack and in locals, and the items of virtual containers.
//
// Invariant: a virtual container is a key of State::heap until it is materialized; no other container is.
#pragma once

#include <algorithm>

#include "bytecode/dialect.h"
#include "bytecode/indexing.h"
#include "dynamo/scalar_replacement/values.h"

namespace depyf::dynamo {

struct State {
  std::vector<Val> stack;
  std::vector<Val> locals;
  std::map<Val, std::vector<Val>> heap;  // items of each virtual container
};

class Values {
 protected:
  Values(const CodeTree& tree, CodeId code, Form& form) : tree_(tree), co_(tree.codes[code]), f_(form) {}

  // ---- creating values
  Val add(Value v) {
    v.block = block_;
    f_.values.push_back(v);
    return static_cast<Val>(f_.values.size() - 1);
  }
  // A value that one instruction can recreate anywhere; equal ones share an id.
  Val pure(Op op, std::uint32_t arg) {
    const auto key = std::make_pair(op, arg);
    if (auto it = pure_.find(key); it != pure_.end()) return it->second;
    Value v;
    v.kind = Kind::kPure;
    v.load.op = op;
    v.load.arg = arg;
    v.load.offset = insn_ != nullptr ? insn_->offset : 0;
    return pure_[key] = add(v);
  }
  Val result(Kind kind = Kind::kResult) {
    Value v;
    v.kind = kind;
    v.site = (Site{block_} << 32U) | (Site{at_} << 8U) | (results_++ & 0xFFU);
    return add(v);
  }
  Val held_local(std::uint32_t local) {
    Value v;
    v.kind = Kind::kHeld;
    v.local = local;
    v.site = (Site{1} << 63U) | (Site{block_} << 32U) | local;
    return add(v);
  }
  // Replaces a stack entry that a handler must not use. If it does, the container `of` must be built eagerly.
  Val lost_copy(Val of) {
    if (is(of, Kind::kLost)) return of;
    Value v;
    v.kind = Kind::kLost;
    v.site = is(of, Kind::kVirtual) ? f_.values[of].site : 0;
    return add(v);
  }

  // ---- the operand stack
  Val pop() {
    const Val v = s_.stack.back();
    s_.stack.pop_back();
    return v;
  }
  void push(Val v) { s_.stack.push_back(v); }

  void replace(Val from, Val to) {
    for (auto* list : {&s_.stack, &s_.locals})
      for (auto& v : *list)
        if (v == from) v = to;
    for (auto& [container, items] : s_.heap)
      for (auto& v : items)
        if (v == from) v = to;
  }

  // ---- properties of values
  [[nodiscard]] bool is(Val v, Kind k) const { return v < f_.values.size() && f_.values[v].kind == k; }
  [[nodiscard]] bool is_physical(Val v) const { return is(v, Kind::kPinned) || is(v, Kind::kLeaf); }
  // Returns the number of physical stack entries from depth `at` to the top.
  [[nodiscard]] std::uint32_t physical_above(std::size_t at) const {
    return static_cast<std::uint32_t>(std::count_if(s_.stack.begin() + static_cast<std::ptrdiff_t>(at), s_.stack.end(),
                                                    [&](Val v) { return is_physical(v); }));
  }
  [[nodiscard]] const Constant* constant(Val v) const {
    if (!is(v, Kind::kPure) || f_.values[v].load.op != Op::LOAD_CONST) return nullptr;
    return &tree_.consts[co_.consts[f_.values[v].load.arg]];
  }
  [[nodiscard]] std::optional<std::int64_t> integer(Val v) const {
    if (is(v, Kind::kPure) && f_.values[v].load.op == Op::LOAD_SMALL_INT) return f_.values[v].load.arg;
    if (is_common(v, CommonConstant::kMinusOne)) return -1;
    const auto* c = constant(v);
    return c != nullptr ? integer_of(*c) : std::nullopt;
  }
  [[nodiscard]] bool is_common(Val v, CommonConstant which) const {
    return is(v, Kind::kPure) && f_.values[v].load.op == Op::LOAD_COMMON_CONSTANT &&
           f_.values[v].load.arg == static_cast<std::uint32_t>(which);
  }
  [[nodiscard]] bool is_none(Val v) const {
    const auto* c = constant(v);
    return is_common(v, CommonConstant::kNone) || (c != nullptr && std::holds_alternative<ConstNone>(*c));
  }
  // Returns the position that the index `key` denotes in `size` items; nullopt if it is no constant int in range.
  [[nodiscard]] std::optional<std::size_t> position(Val key, std::size_t size) const {
    return position_of(integer(key), size);
  }
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> range(Val start, Val stop, std::size_t size) const {
    const auto a = integer(start), b = integer(stop);
    if ((!a && !is_none(start)) || (!b && !is_none(stop))) return std::nullopt;
    return range_of(a, b, size);
  }
  [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> slice_of(Val key, std::size_t size) const {
    if (const auto* c = constant(key); c != nullptr && std::holds_alternative<ConstSlice>(*c)) {  // 3.14+
      const auto& slice = std::get<ConstSlice>(*c);
      const auto part = [&](ConstId id) -> const Constant& { return tree_.consts[id]; };
      const auto none = [&](ConstId id) { return std::holds_alternative<ConstNone>(part(id)); };
      const auto a = integer_of(part(slice.start)), b = integer_of(part(slice.stop));
      if ((!a && !none(slice.start)) || (!b && !none(slice.stop)) || !none(slice.step)) return std::nullopt;
      return range_of(a, b, size);
    }
    if (!is(key, Kind::kVirtual) || f_.values[key].shape != Shape::kSlice) return std::nullopt;
    const auto& parts = s_.heap.at(key);
    if (parts.size() == 3 && !is_none(parts[2])) return std::nullopt;
    return range(parts[0], parts[1], size);
  }
  [[nodiscard]] bool is_sequence(Val v) const {
    const Shape shape = is(v, Kind::kVirtual) ? f_.values[v].shape : Shape::kSlice;
    return (shape == Shape::kTuple || shape == Shape::kList) && s_.heap.contains(v);
  }
  [[nodiscard]] bool is_dict(Val v) const {
    return is(v, Kind::kVirtual) && (f_.values[v].shape == Shape::kDict || f_.values[v].shape == Shape::kConstKeyDict);
  }
  [[nodiscard]] bool is_list(Val v) const { return is_sequence(v) && f_.values[v].shape == Shape::kList; }
  // Returns whether `item` is `container` or contains it, directly or not. Answers true if the search gets too long.
  [[nodiscard]] bool reaches(Val item, Val container) const {
    std::vector<Val> todo{item};
    for (std::size_t i = 0; i < todo.size(); ++i) {
      if (todo[i] == container || i > 10000) return true;
      if (is(todo[i], Kind::kVirtual))
        if (auto it = s_.heap.find(todo[i]); it != s_.heap.end())
          todo.insert(todo.end(), it->second.begin(), it->second.end());
    }
    return false;
  }

  const CodeTree& tree_;
  const CodeObject& co_;
  Form& f_;
  State s_;
  std::map<std::pair<Op, std::uint32_t>, Val> pure_;
  std::uint32_t block_ = 0;
  std::size_t at_ = 0;         // index of the current instruction in its block
  std::uint32_t results_ = 0;  // number of results that the current instruction has so far
  const Instruction* insn_ = nullptr;
};

}  // namespace depyf::dynamo
