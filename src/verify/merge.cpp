// SPDX-License-Identifier: MIT
// Joins states by anti-unification; see merge.h.
//
// Two different values of one slot are generalized to a symbol that represents the pair: the same pair gives the same
// symbol in all slots of both sides. A fresh object without a matching object in the other state is published, together
// with its partner on the other side of its own state, and the join starts again.
#include "verify/merge.h"

#include <algorithm>

namespace depyf::proof {
namespace {

constexpr std::uint32_t kMaxDepth = 200;
constexpr int kAttempts = 6;

bool is_unbound(const Values& values, ValueId v) {
  return values.is(v, ValueKind::kUnbound) || values.is_known(v, Known::kMaybeUnbound);
}

}  // namespace

void compact(State& state, Values& values, const Program* const programs[2]) {
  for (std::uint32_t side = 0; side < 2; ++side) {
    Frame& f = state.side[side];
    std::vector<bool> live(f.slots.size(), false);
    if (f.uncaught == kNoValue) live = programs[side]->live_at(f.block, f.index);
    for (std::size_t i = 0; i < f.slots.size(); ++i) {  // held_symbols() needs the symbols of dead variables
      f.slots[i] = norm(state, values, f.slots[i]);
      if (!live[i] && !values.is(f.slots[i], ValueKind::kSymbol)) f.slots[i] = kDead;
    }
    for (ValueId& v : f.stack) v = norm(state, values, v);
    f.handled = norm(state, values, f.handled);
    if (f.handled_type != kNoValue) f.handled_type = norm(state, values, f.handled_type);
    if (f.scratch != kNoValue) f.scratch = norm(state, values, f.scratch);
    if (f.uncaught != kNoValue) f.uncaught = norm(state, values, f.uncaught);
    std::map<ValueId, ValueId> contexts;
    for (const auto& [e, c] : f.contexts) contexts[norm(state, values, e)] = norm(state, values, c);
    f.contexts = std::move(contexts);
    f.passed_join = f.entered_join = f.went_back = false;
  }
  std::map<ValueId, Object> heap;
  for (std::uint32_t side = 0; side < 2; ++side) {
    for (const ValueId ref : reachable_refs(state, values, side)) {
      const auto it = state.heap.find(ref);
      if (it == state.heap.end()) continue;
      Object object = it->second;
      for (ValueId& v : object.items) v = norm(state, values, v);
      heap[ref] = std::move(object);
    }
  }
  state.heap = std::move(heap);
  state.bind.clear();
}

Known Merger::known(ValueId v) const {
  if (is_bool(values_, v)) return Known::kBool;
  return is_text(values_, v) ? Known::kText : values_[v].known;
}

ValueId Merger::generalize(ValueId x, ValueId y) {
  changed_ = true;
  // No symbol, which may equal one of the other side, stands for these.
  for (const ValueId v : {x, y})
    if (values_.is(v, ValueKind::kNull) || values_.is(v, ValueKind::kOffset)) failed_ = true;
  const auto [it, fresh] = pairs_.try_emplace({x, y}, kNoValue);
  if (!fresh) return it->second;
  Known result = known(x) == known(y) ? known(x) : Known::kNothing;
  if (is_unbound(values_, x) || is_unbound(values_, y)) result = Known::kMaybeUnbound;
  if (known(x) == Known::kItems || known(y) == Known::kItems) {
    failed_ = failed_ || result == Known::kMaybeUnbound;  // no Known expresses both
    result = Known::kItems;
  }
  return it->second = values_.symbol(result);
}

// A symbol x covers any value y of which at least as much is known, provided that x covers the same y in all slots.
ValueId Merger::join_symbol(ValueId x, ValueId y) {
  const Known known_x = values_[x].known;
  const bool fits = (known_x == Known::kMaybeUnbound ||
                     ((known_x == Known::kNothing || known(y) == known_x) && !is_unbound(values_, y))) &&
                    (known_x == Known::kItems || known(y) != Known::kItems);
  const bool is_internal =
      values_.is(y, ValueKind::kNull) || values_.is(y, ValueKind::kDead) || values_.is(y, ValueKind::kOffset);
  if (!fits || is_internal) return generalize(x, y);
  const auto [it, fresh] = image_.try_emplace(x, y);
  return fresh || it->second == y ? x : generalize(x, y);
}

ValueId Merger::join_objects(const State& s, const State& t, ValueId x, ValueId y, std::uint32_t depth) {
  const auto forth = refs_.find(x);
  const auto back = back_.find(y);
  if (forth != refs_.end() && back != back_.end() && forth->second == y && back->second == x) return x;
  const auto a = s.heap.find(x), b = t.heap.find(y);
  const bool fits = forth == refs_.end() && back == back_.end() && a != s.heap.end() && b != t.heap.end() &&
                    a->second.kind == b->second.kind && a->second.items.size() == b->second.items.size();
  // Only objects of equal structure are joined: functions of one code object, methods of one name, dicts of equal keys.
  const auto same_structure = [&] {
    const auto &p = a->second.items, &q = b->second.items;
    if (a->second.kind == ObjectKind::kFunction) return p[kFunctionCode] == q[kFunctionCode];
    if (a->second.kind == ObjectKind::kMethod) return p[0] == q[0];
    for (std::size_t i = 0; a->second.kind == ObjectKind::kDict && i < p.size(); i += 2)
      if (p[i] != q[i]) return false;
    return true;
  };
  if (!fits || !same_structure()) {
    widen_first_.push_back(x);
    widen_second_.push_back(y);
    return generalize(x, y);
  }
  refs_[x] = y;
  back_[y] = x;
  Object joined{a->second.kind, {}};
  for (std::size_t i = 0; i < a->second.items.size(); ++i)
    joined.items.push_back(join(s, t, a->second.items[i], b->second.items[i], depth + 1));
  out_->heap[x] = std::move(joined);
  return x;
}

ValueId Merger::join(const State& s, const State& t, ValueId x, ValueId y, std::uint32_t depth) {
  const ValueNode p = values_[x], q = values_[y];
  if (x == y && !p.open) return x;
  if (depth > kMaxDepth) {
    failed_ = true;
    return x;
  }
  if (p.kind == ValueKind::kRef && q.kind == ValueKind::kRef) return join_objects(s, t, x, y, depth);
  if (p.kind == ValueKind::kRef || q.kind == ValueKind::kRef) {
    if (p.kind == ValueKind::kRef) widen_first_.push_back(x);
    if (q.kind == ValueKind::kRef) widen_second_.push_back(y);
    return generalize(x, y);
  }
  if (p.kind == ValueKind::kSymbol) return join_symbol(x, y);
  if (p.kind != q.kind || p.a != q.a || p.b != q.b || p.count != q.count || p.count == 0)
    return x == y ? x : generalize(x, y);
  std::vector<ValueId> a = values_.items(x);
  const std::vector<ValueId> b = values_.items(y);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = join(s, t, a[i], b[i], depth + 1);
  if (p.kind == ValueKind::kIs) return identity(values_, a[0], a[1]);
  return values_.intern(p.kind, p.a, p.b, a);
}

State Merger::join(const State& s, const State& t) {
  State out;
  out.progressed = s.progressed;
  out_ = &out;
  for (std::uint32_t side = 0; side < 2; ++side) {
    const Frame &a = s.side[side], &b = t.side[side];
    Frame& f = out.side[side];
    f = a;
    f.contexts.clear();
    failed_ = failed_ || a.handler_depths != b.handler_depths || a.uncaught_is_uncovered != b.uncaught_is_uncovered;
    for (std::size_t i = 0; i < a.stack.size(); ++i) f.stack[i] = join(s, t, a.stack[i], b.stack[i], 0);
    for (std::size_t i = 0; i < a.slots.size(); ++i)
      if (live_[side][i]) f.slots[i] = join(s, t, a.slots[i], b.slots[i], 0);
    f.handled = join(s, t, a.handled, b.handled, 0);
    failed_ = failed_ || (a.handled_type == kNoValue) != (b.handled_type == kNoValue);
    if (a.handled_type != kNoValue) f.handled_type = join(s, t, a.handled_type, b.handled_type, 0);
    if (a.scratch != kNoValue) f.scratch = join(s, t, a.scratch, b.scratch, 0);
    if (a.uncaught != kNoValue) f.uncaught = join(s, t, a.uncaught, b.uncaught, 0);
    auto other = b.contexts.begin();
    for (const auto& [e, c] : a.contexts) {
      const ValueId key = join(s, t, e, other->first, 0);
      f.contexts[key] = join(s, t, c, other->second, 0);
      ++other;
    }
  }
  for (std::uint32_t side = 0; side < 2; ++side) {
    Frame& f = out.side[side];
    for (std::size_t i = 0; i < f.slots.size(); ++i) {
      if (live_[side][i]) continue;
      const auto it = image_.find(f.slots[i]);
      if (it == image_.end() || it->second != t.side[side].slots[i]) f.slots[i] = kDead;
    }
  }
  if (s.epoch != kNoValue && t.epoch != kNoValue) out.epoch = join(s, t, s.epoch, t.epoch, 0);
  return out;
}

bool Merger::merge(State& into, State& other) {
  bool widened = false;
  for (std::uint32_t side = 0; side < 2; ++side) {
    const Frame& f = into.side[side];
    live_[side].assign(f.slots.size(), false);
    if (f.uncaught == kNoValue) live_[side] = programs_[side]->live_at(f.block, f.index);
  }
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    pairs_.clear();
    image_.clear();
    refs_.clear();
    back_.clear();
    widen_first_.clear();
    widen_second_.clear();
    changed_ = failed_ = false;
    State joined = join(into, other);
    if (failed_) return true;
    if (widen_first_.empty() && widen_second_.empty()) {
      if (!changed_ && !widened) {
        for (std::uint32_t side = 0; side < 2; ++side) into.side[side].slots = joined.side[side].slots;
        return false;
      }
      into = std::move(joined);
      return true;
    }
    widened = widened || !widen_first_.empty();
    for (const ValueId ref : widen_first_)
      if (into.heap.contains(ref))
        matched_constant_ = publish_one(into, values_, programs_, ref, widen_first_, codes_) || matched_constant_;
    for (const ValueId ref : widen_second_)
      if (other.heap.contains(ref))
        matched_constant_ = publish_one(other, values_, programs_, ref, widen_second_, codes_) || matched_constant_;
    compact(into, values_, programs_);
    compact(other, values_, programs_);
  }
  failed_ = true;
  return true;
}

}  // namespace depyf::proof
