// SPDX-License-Identifier: MIT
// The abstract interpreter's state and the questions its parts ask; interpret.cpp walks, steps.cpp carries out.
//
// Invariant: virtual containers are in State::heap, and only there; a value that left the stack as an operand is built
// before it is recorded.
#pragma once

#include <algorithm>

#include "bytecode/dialect.h"
#include "bytecode/indexing.h"
#include "dynamo/names.h"
#include "dynamo/scalar_replacement/values.h"

namespace depyf::dynamo {

struct State {
  std::vector<Val> stack;
  std::vector<Val> locals;
  std::map<Val, std::vector<Val>> heap;  // what virtual containers hold
};

constexpr std::uint32_t kMaxNesting = 100;

class Interpreter {
 public:
  Interpreter(const CodeTree& tree, CodeId code, const Dialect& dialect, const Cfg& cfg, Containers containers,
              Demands& demands, Form& form)
      : tree_(tree),
        dialect_(dialect),
        co_(tree.codes[code]),
        cfg_(cfg),
        containers_(containers),
        by_dynamo_(containers == Containers::kEvaluated && made_by_dynamo(co_)),
        demands_(demands),
        f_(form) {}

  Outcome run();

 private:
  // ---- values
  Val add(Value v) {
    v.block = block_;
    f_.values.push_back(v);
    return static_cast<Val>(f_.values.size() - 1);
  }
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
  Val held(std::uint32_t local) {
    Value v;
    v.kind = Kind::kHeld;
    v.local = local;
    v.site = (Site{1} << 63U) | (Site{block_} << 32U) | local;
    return add(v);
  }
  Val lost(Val of) {
    if (is(of, Kind::kLost)) return of;
    Value v;
    v.kind = Kind::kLost;
    v.site = is(of, Kind::kVirtual) ? f_.values[of].site : 0;
    return add(v);
  }
  bool build_lost() { return *lost_used_ != 0 && demands_.eager.insert(*lost_used_).second; }
  [[nodiscard]] bool is(Val v, Kind k) const { return v < f_.values.size() && f_.values[v].kind == k; }
  [[nodiscard]] bool is_physical(Val v) const { return is(v, Kind::kPinned) || is(v, Kind::kLeaf); }
  // Entries that stay on the stack, from `at` upwards.
  [[nodiscard]] std::uint32_t physical_above(std::size_t at) const {
    return static_cast<std::uint32_t>(std::count_if(s_.stack.begin() + static_cast<std::ptrdiff_t>(at), s_.stack.end(),
                                                    [&](Val v) { return is_physical(v); }));
  }
  [[nodiscard]] bool has_variable(const Value& v) const { return demands_.stored.contains(v.site); }

  void find_temporaries();

  State first_state();

  // ---- where ways meet
  Outcome visit(std::uint32_t b);

  // Demands that the containers among `values` are built where the code does so.
  bool build_eagerly(const std::vector<Val>& values);

  Outcome merge();

  Outcome edge(std::uint32_t to, State s);

  Outcome raise_edge(const Handler& h);

  // ---- one instruction
  Val pop() {
    const Val v = s_.stack.back();
    s_.stack.pop_back();
    return v;
  }
  void push(Val v) { s_.stack.push_back(v); }

  [[nodiscard]] std::uint32_t home_of(Val v) const {
    for (std::uint32_t x = 0; x < s_.locals.size(); ++x)
      if (s_.locals[x] == v && !temporaries_.contains(x)) return x;
    return kNone;
  }

  // An operand as it can be had now. A value that only a local held, and holds no longer, needs a variable.
  Operand operand(Val v) {
    Operand o{v, kNone};
    if (is(v, Kind::kLost)) lost_used_ = f_.values[v].site;
    if (is(v, Kind::kPure) || is_physical(v)) return o;
    o.home = home_of(v);
    if (o.home == kNone && is(v, Kind::kHeld) && !has_variable(f_.values[v])) demands_.stored.insert(f_.values[v].site);
    return o;
  }

  Operation& add_operation(const Instruction& insn, const std::vector<Val>& operands) {
    Operation o;
    o.insn = insn;
    for (Val v : operands) o.operands.push_back(operand(v));
    auto& list = f_.blocks[block_].operations;
    list.push_back(std::move(o));
    return list.back();
  }

  void replace(Val from, Val to) {
    for (auto* list : {&s_.stack, &s_.locals})
      for (auto& v : *list)
        if (v == from) v = to;
    for (auto& [container, items] : s_.heap)
      for (auto& v : items)
        if (v == from) v = to;
  }

  // Builds a container that something else is about to see, with what it holds now.
  bool build(Val v, std::uint32_t depth = 0) {
    if (!is(v, Kind::kVirtual)) return true;
    if (depth > kMaxNesting) return false;
    for (std::size_t i = 0; i < s_.heap.at(v).size(); ++i)
      if (!build(s_.heap.at(v)[i], depth + 1)) return false;
    const auto items = s_.heap.at(v);
    const Shape shape = f_.values[v].shape;
    // Keywords wait for their call alone: another use has the dict where the code builds it.
    if (is_dict(v) && v != keywords_) unfit_ |= demands_.eager.insert(f_.values[v].site).second;
    Instruction insn;
    insn.offset = insn_->offset;
    insn.arg = static_cast<std::uint32_t>(items.size());
    switch (shape) {
      case Shape::kTuple: insn.op = Op::BUILD_TUPLE; break;
      case Shape::kList: insn.op = Op::BUILD_LIST; break;
      case Shape::kSlice: insn.op = Op::BUILD_SLICE; break;
      case Shape::kDict:
        insn.op = Op::BUILD_MAP;
        insn.arg /= 2;
        break;
      case Shape::kConstKeyDict:
        insn.op = Op::BUILD_CONST_KEY_MAP;
        --insn.arg;
        break;
    }
    auto& o = add_operation(insn, items);
    o.pure = true;
    const Val made = result();
    f_.values[made].site ^= f_.values[v].site << 1U;
    f_.blocks[block_].operations.back().results = {made};
    if (shape == Shape::kTuple || shape == Shape::kSlice || v == keywords_) f_.contents[made] = items;
    s_.heap.erase(v);
    replace(v, made);
    built_[v] = made;
    return true;
  }
  // The same for operands that have left the stack already.
  bool build_all(std::vector<Val>& operands) {
    for (auto& v : operands) {
      if (auto it = built_.find(v); it != built_.end()) v = it->second;
      if (!build(v)) return false;
      if (auto it = built_.find(v); it != built_.end()) v = it->second;
    }
    return true;
  }

  Val make_virtual(Shape shape, std::vector<Val> items) {
    Value v;
    v.kind = Kind::kVirtual;
    v.shape = shape;
    v.site = (Site{block_} << 32U) | (Site{at_} << 8U) | (0x80U + (results_++ & 0x7FU));
    const Val id = add(v);
    s_.heap[id] = std::move(items);
    if (demands_.eager.contains(v.site)) {
      build(id);
      return built_.at(id);
    }
    return id;
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
  // The position that an index means in a container of `size` items, if it is one.
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
  // Whether `item` is, or holds, `container`.
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

  // steps.cpp
  Outcome step();
  Outcome local();

  Outcome temporary(std::uint32_t x);
  Outcome shuffle();
  Outcome grow();
  Outcome keep();
  [[nodiscard]] bool iterates_at_once() const;
  Outcome special();
  bool evaluate();
  bool evaluate_subscript();
  bool evaluate_keywords();
  bool spread(std::vector<Val>& operands);
  void note_held(std::set<Val>& held, Val v) const;

  const CodeTree& tree_;
  const Dialect& dialect_;
  const CodeObject& co_;
  const Cfg& cfg_;
  Containers containers_;
  bool by_dynamo_;  // and to be read, not kept to the letter
  Demands& demands_;
  Form& f_;
  std::vector<std::vector<State>> incoming_;
  std::vector<State> entries_;
  std::vector<bool> done_;
  std::map<std::pair<Op, std::uint32_t>, Val> pure_;
  std::map<Val, Val> built_;             // in this block
  std::set<std::uint32_t> temporaries_;  // locals named by Dynamo whose values are followed instead
  std::set<std::uint32_t> loaded_;       // locals that something reads
  State s_;
  std::vector<Val> kept_;                  // stack below the handler's depth
  std::map<std::uint32_t, bool> changed_;  // locals stored or deleted in this block: bound all the time
  std::optional<std::vector<Val>> jump_stack_;
  std::uint32_t block_ = 0;
  std::size_t at_ = 0;
  std::uint32_t results_ = 0;
  const Instruction* insn_ = nullptr;
  std::optional<Site> lost_used_;
  Val keywords_ = kNone;  // the dict that a call spreads
  bool unfit_ = false;    // a virtual dict turned out to be more than keywords
};

}  // namespace depyf::dynamo
