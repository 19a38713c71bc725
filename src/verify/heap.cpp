// SPDX-License-Identifier: MIT
// Implements bindings, equality of fresh objects across the two sides (Unifier), publication, reachability, and
// operations on fresh containers; see heap.h.
#include "verify/heap.h"

#include <algorithm>
#include <set>

#include "verify/graph.h"

namespace depyf::proof {
namespace {

constexpr std::uint32_t kMaxDepth = 200;

ValueId norm_deep(const State& state, Values& values, ValueId v, std::uint32_t depth) {
  for (int i = 0; i < 64; ++i) {
    const auto it = state.bind.find(v);
    if (it == state.bind.end()) break;
    v = it->second;
  }
  const ValueNode node = values[v];
  if (!node.open || node.count == 0 || depth > kMaxDepth) return v;
  std::vector<ValueId> items = values.items(v);
  bool same = true;
  for (ValueId& item : items) {
    const ValueId now = norm_deep(state, values, item, depth + 1);
    same = same && now == item;
    item = now;
  }
  if (same) return v;
  if (node.kind == ValueKind::kIs)
    v = identity(values, items[0], items[1]);
  else if (node.kind == ValueKind::kNot)
    v = negation(values, items[0]);
  else
    v = values.intern(node.kind, node.a, node.b, items);
  const auto it = state.bind.find(v);
  return it == state.bind.end() ? v : it->second;
}

bool is_comprehension(const std::string& name) {
  return name == "<listcomp>" || name == "<setcomp>" || name == "<dictcomp>";
}

// Decides whether a value of side 0 equals a value of side 1; see unify().
class Unifier {
 public:
  Unifier(const State& state, Values& values, const Program* const programs[2], Pairing& pairing)
      : state_(state), values_(values), programs_(programs), pairing_(pairing) {}

  bool unify_values(ValueId x, ValueId y, std::uint32_t depth) {
    if (depth > kMaxDepth) return false;
    x = norm(state_, values_, x);
    y = norm(state_, values_, y);
    const ValueNode p = values_[x], q = values_[y];
    if (p.kind == ValueKind::kOffset || q.kind == ValueKind::kOffset) return false;
    if (x == y && !(p.open && (p.count > 0 || p.kind == ValueKind::kRef))) return true;
    if (p.kind != q.kind) return unify_constant(x, y) || unify_constant(y, x);
    if (p.kind == ValueKind::kRef) return unify_objects(x, y, depth);
    if (p.kind == ValueKind::kCode) {
      if (p.b != 0 || q.b != 1) return false;
      pairing_.codes.emplace_back(CodeId{p.a}, CodeId{q.a});
      return true;
    }
    if (p.kind == ValueKind::kSymbol || p.count == 0) return x == y;
    if (p.a != q.a || p.b != q.b || p.count != q.count) return false;
    return unify_items(values_.items(x), values_.items(y), depth);
  }

 private:
  // Matches a fresh tuple or slice of constants with an equal constant of the other side.
  bool unify_constant(ValueId fresh, ValueId constant) {
    if (values_[constant].open || is_shared(values_, constant) || !is_equal_constant(fresh, constant, 0)) return false;
    if (pairing_.forth.contains(fresh) || pairing_.back.contains(fresh)) return false;
    return pairing_.constants.try_emplace(fresh, constant).first->second == constant;
  }

  bool is_equal_constant(ValueId fresh, ValueId constant, std::uint32_t depth) {
    fresh = norm(state_, values_, fresh);
    if (fresh == constant) return true;
    const auto it = state_.heap.find(fresh);
    const bool tuple = it != state_.heap.end() && it->second.kind == ObjectKind::kTuple;
    const bool slice = it != state_.heap.end() && it->second.kind == ObjectKind::kSlice;
    const bool fits =
        (tuple && values_.is(constant, ValueKind::kTuple)) || (slice && values_.is(constant, Pure::kSlice));
    const std::vector<ValueId> items = values_.items(constant);
    if (!fits || depth > kMaxDepth || it->second.items.size() != items.size()) return false;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!is_equal_constant(it->second.items[i], items[i], depth + 1)) return false;
    return true;
  }

  bool unify_items(const std::vector<ValueId>& a, const std::vector<ValueId>& b, std::uint32_t depth) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!unify_values(a[i], b[i], depth + 1)) return false;
    return true;
  }

  bool unify_objects(ValueId x, ValueId y, std::uint32_t depth) {
    const auto forth = pairing_.forth.find(x);
    const auto back = pairing_.back.find(y);
    if (forth != pairing_.forth.end() || back != pairing_.back.end())
      return forth != pairing_.forth.end() && forth->second == y && back != pairing_.back.end();
    const auto a = state_.heap.find(x), b = state_.heap.find(y);
    if (a == state_.heap.end() || b == state_.heap.end() || a->second.kind != b->second.kind) return false;
    if (pairing_.constants.contains(x) || pairing_.constants.contains(y)) return false;
    pairing_.forth[x] = y;
    pairing_.back[y] = x;
    if (a->second.kind == ObjectKind::kFunction) return unify_functions(a->second.items, b->second.items, depth);
    return unify_items(a->second.items, b->second.items, depth);
  }

  bool unify_functions(const std::vector<ValueId>& a, const std::vector<ValueId>& b, std::uint32_t depth) {
    const ValueNode code_a = values_[a[kFunctionCode]], code_b = values_[b[kFunctionCode]];
    if (code_a.kind != ValueKind::kCode || code_b.kind != ValueKind::kCode) return false;
    if (!unify_values(a[kFunctionCode], b[kFunctionCode], depth + 1)) return false;
    const CodeObject& first = programs_[0]->tree->codes[CodeId{code_a.a}];
    const CodeObject& second = programs_[1]->tree->codes[CodeId{code_b.a}];
    for (std::size_t i = kFunctionDefaults; i < kFunctionFields; ++i) {
      if (i == kFunctionClosure) continue;
      // no program sees the name of a comprehension's function, which is called where it is created
      if (i >= kFunctionName && is_comprehension(first.name)) continue;
      if (!unify_values(a[i], b[i], depth + 1)) return false;
    }
    return unify_closures(a[kFunctionClosure], b[kFunctionClosure], first, second, depth);
  }

  // Matches cells by the names of free variables, whose order the compiler chooses.
  bool unify_closures(ValueId x, ValueId y, const CodeObject& first, const CodeObject& second, std::uint32_t depth) {
    const auto cells = [&](ValueId v) {
      return is_tuple(state_, values_, v) ? *known_items(state_, values_, v) : std::vector<ValueId>{};
    };
    const auto a = cells(norm(state_, values_, x)), b = cells(norm(state_, values_, y));
    if (a.size() != first.freevars.size() || b.size() != second.freevars.size() || a.size() != b.size()) return false;
    const auto nth_a = equivalence::earlier_occurrences(first.freevars),
               nth_b = equivalence::earlier_occurrences(second.freevars);
    for (std::size_t i = 0; i < a.size(); ++i) {
      std::size_t j = 0;
      while (j < b.size() && (second.freevars[j] != first.freevars[i] || nth_b[j] != nth_a[i])) ++j;
      if (j == b.size() || !unify_values(a[i], b[j], depth + 1)) return false;
    }
    return true;
  }

  const State& state_;
  Values& values_;
  const Program* const* programs_;
  Pairing& pairing_;
};

Known known_of(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kList: return Known::kList;
    case ObjectKind::kDict: return Known::kDict;
    case ObjectKind::kFunction: return Known::kFunction;
    case ObjectKind::kCell: return Known::kCell;
    case ObjectKind::kTuple:
    case ObjectKind::kSlice:
    case ObjectKind::kMethod: break;
  }
  return Known::kNothing;
}

}  // namespace

ValueId norm(const State& state, Values& values, ValueId v) {
  return values[v].open ? norm_deep(state, values, v, 0) : v;
}

bool unify(const State& state, Values& values, const Program* const programs[2], ValueId x, ValueId y,
           Pairing& pairing) {
  return Unifier(state, values, programs, pairing).unify_values(x, y, 0);
}

bool publish(State& state, Values& values, const Pairing& pairing) {
  for (const auto& [x, y] : pairing.forth) {
    const auto it = state.heap.find(x);
    if (it == state.heap.end()) continue;
    const Object& object = it->second;
    state.bind[x] = state.bind[y] = object.kind == ObjectKind::kTuple   ? values.shared_tuple(object.items)
                                    : object.kind == ObjectKind::kSlice ? values.shared_slice(object.items)
                                                                        : values.symbol(known_of(object.kind));
    state.heap.erase(x);
    state.heap.erase(y);
  }
  for (const auto& [fresh, constant] : pairing.constants) {
    state.bind[fresh] = constant;
    state.heap.erase(fresh);
  }
  return !pairing.constants.empty();
}

std::set<ValueId> reachable_values(const State& state, Values& values, std::vector<ValueId> from) {
  std::set<ValueId> seen;
  std::vector<ValueId> todo;
  const auto look = [&](ValueId v) {
    v = norm(state, values, v);
    if (values[v].open && seen.insert(v).second) todo.push_back(v);
  };
  for (const ValueId v : from) look(v);
  while (!todo.empty()) {
    const ValueId v = todo.back();
    todo.pop_back();
    for (const ValueId c : values.items(v)) look(c);
    if (const auto it = state.heap.find(v); it != state.heap.end())
      for (const ValueId c : it->second.items) look(c);
  }
  return seen;
}

std::vector<ValueId> reachable_refs(const State& state, Values& values, std::uint32_t side, std::size_t popped) {
  const Frame& f = state.side[side];
  std::vector<ValueId> from(f.stack.begin(), f.stack.end() - static_cast<std::ptrdiff_t>(popped));
  from.insert(from.end(), f.slots.begin(), f.slots.end());
  from.push_back(f.handled);
  if (f.scratch != kNoValue) from.push_back(f.scratch);
  for (const auto& [e, c] : f.contexts) from.insert(from.end(), {e, c});
  std::vector<ValueId> out;
  for (const ValueId v : reachable_values(state, values, std::move(from)))
    if (values.is(v, ValueKind::kRef)) out.push_back(v);
  return out;
}

std::vector<ValueId> held_symbols(const State& state, Values& values, std::uint32_t side, std::size_t popped) {
  const Frame& f = state.side[side];
  std::vector<ValueId> from(f.stack.begin(), f.stack.end() - static_cast<std::ptrdiff_t>(popped));
  from.insert(from.end(), f.slots.begin(), f.slots.end());
  from.push_back(f.handled);
  std::vector<ValueId> out;
  for (const ValueId v : reachable_values(state, values, std::move(from)))
    if (values.is(v, ValueKind::kSymbol) && values[v].known == Known::kNothing && values[v].b == 0) out.push_back(v);
  return out;
}

namespace {

// Ranks the objects of the other side that may correspond to a fresh object. Variables of the same name that hold it
// count most, then membership in `preferred` (objects that do not fit their join either), then the same rank by age
// among similar objects. A wrong choice only loses a proof.
class Likeness {
 public:
  Likeness(const State& state, Values& values, const Program* const programs[2], ValueId ref, std::uint32_t side,
           const std::vector<ValueId>& preferred)
      : state_(state), values_(values), programs_(programs), preferred_(preferred), side_(side) {
    names_ = names_of(ref, side);
    similar_ = similar_objects(ref, side);
    rank_ = static_cast<std::size_t>(std::find(similar_.begin(), similar_.end(), ref) - similar_.begin());
  }

  int score(ValueId other) {
    const auto similar = similar_objects(other, 1 - side_);
    const auto rank = static_cast<std::size_t>(std::find(similar.begin(), similar.end(), other) - similar.begin());
    const auto names = names_of(other, 1 - side_);
    int points = rank == rank_ ? 1 : 0;
    if (std::find(preferred_.begin(), preferred_.end(), other) != preferred_.end()) points += 2;
    for (const std::string& name : names) points += names_.contains(name) ? 4 : 0;
    return points;
  }

 private:
  std::set<std::string> names_of(ValueId ref, std::uint32_t side) const {
    std::set<std::string> out;
    const Frame& f = state_.side[side];
    for (std::size_t i = 0; i < f.slots.size(); ++i)
      if (norm(state_, values_, f.slots[i]) == ref) out.insert(programs_[side]->slots[i].name);
    return out;
  }

  std::vector<ValueId> similar_objects(ValueId ref, std::uint32_t side) const {
    const Object& object = state_.heap.at(ref);
    std::vector<ValueId> out;
    for (const ValueId other : reachable_refs(state_, values_, side)) {
      const auto it = state_.heap.find(other);
      if (it == state_.heap.end() || it->second.kind != object.kind) continue;
      if (it->second.items.size() == object.items.size()) out.push_back(other);
    }
    return out;
  }

  const State& state_;
  Values& values_;
  const Program* const* programs_;
  const std::vector<ValueId>& preferred_;
  std::uint32_t side_;
  std::set<std::string> names_;
  std::vector<ValueId> similar_;
  std::size_t rank_ = 0;
};

constexpr std::size_t kMostCandidates = 64;

}  // namespace

bool publish_one(State& state, Values& values, const Program* const programs[2], ValueId ref,
                 const std::vector<ValueId>& preferred, std::vector<std::pair<CodeId, CodeId>>& codes) {
  const auto refs = reachable_refs(state, values, 0);
  const bool first = std::find(refs.begin(), refs.end(), ref) != refs.end();
  Likeness likeness(state, values, programs, ref, first ? 0 : 1, preferred);
  Pairing best;
  int score = -1;
  std::size_t looked_at = 0;
  for (const ValueId candidate : reachable_refs(state, values, first ? 1 : 0)) {
    if (!state.heap.contains(candidate)) continue;
    Pairing pairing;
    if (!unify(state, values, programs, first ? ref : candidate, first ? candidate : ref, pairing)) continue;
    if (const int candidate_score = likeness.score(candidate); candidate_score > score) {
      score = candidate_score;
      best = std::move(pairing);
    }
    if (++looked_at == kMostCandidates) break;
  }
  if (score >= 0) {
    codes.insert(codes.end(), best.codes.begin(), best.codes.end());
    return publish(state, values, best);
  }
  state.bind[ref] = values.symbol(Known::kNothing);
  state.heap.erase(ref);
  return false;
}

std::optional<std::vector<ValueId>> known_items(const State& state, Values& values, ValueId v) {
  if (values.is(v, ValueKind::kTuple)) return values.items(v);
  const auto it = state.heap.find(v);
  const bool listed =
      it != state.heap.end() && (it->second.kind == ObjectKind::kList || it->second.kind == ObjectKind::kTuple);
  return listed ? std::optional(it->second.items) : std::nullopt;
}

std::optional<std::size_t> constant_index(Values& values, ValueId index, std::size_t size) {
  const ConstFacts* f = values.facts(index);
  if (f == nullptr || !(f->is_int || f->is_bool)) return std::nullopt;
  const auto n = static_cast<std::int64_t>(size);
  const std::int64_t i = f->value < 0 ? f->value + n : f->value;
  if (i < 0 || i >= n) return std::nullopt;
  return static_cast<std::size_t>(i);
}

std::optional<Range> constant_slice(Values& values, ValueId slice, std::size_t size) {
  if (!values.is(slice, Pure::kSlice)) return std::nullopt;
  const auto parts = values.items(slice);
  const auto n = static_cast<std::int64_t>(size);
  const auto bound = [&](std::size_t i, std::int64_t otherwise) -> std::optional<std::int64_t> {
    if (i >= parts.size() || parts[i] == values.none()) return otherwise;
    const ConstFacts* f = values.facts(parts[i]);
    if (f == nullptr || !(f->is_int || f->is_bool)) return std::nullopt;
    return std::clamp(f->value < 0 ? f->value + n : f->value, std::int64_t{0}, n);
  };
  if (parts.size() > 2 && parts[2] != values.none()) {
    const ConstFacts* step = values.facts(parts[2]);
    if (step == nullptr || !step->is_int || step->value != 1) return std::nullopt;
  }
  const auto from = bound(0, 0), to = bound(1, n);
  if (!from || !to) return std::nullopt;
  return Range{static_cast<std::size_t>(*from), static_cast<std::size_t>(std::max(*from, *to))};
}

Object* object_of(State& state, ValueId v, ObjectKind kind) {
  const auto it = state.heap.find(v);
  return it != state.heap.end() && it->second.kind == kind ? &it->second : nullptr;
}

namespace {

// Returns whether the positions of all items are known: there is no splat among them.
bool has_known_positions(Values& values, const std::vector<ValueId>& items) {
  return is_count_known(values, items) && std::ranges::find(items, kDead) == items.end();
}

// Converts a fresh slice to a term over its parts, without identity. Returns other values as they are.
ValueId slice_by_parts(State& state, Values& values, ValueId v) {
  const Object* slice = object_of(state, v, ObjectKind::kSlice);
  return slice != nullptr ? values.pure(Pure::kSlice, slice->items) : v;
}

// Returns whether the keys of a dict are unknown, as those of a dict that Dynamo passes to a resume function.
bool has_unknown_keys(const Values& values, const Object& dict) {
  return !dict.items.empty() && values.is(dict.items[0], ValueKind::kSplat);
}

// Returns the index of `key` in dict.items, or nullopt. Sets `unsure` if another key may equal it at run time: hashing
// may run code, or neither of them is a str or bytes constant, and their Keys differ although they are equal (1 and
// True).
std::optional<std::size_t> find_key(Values& values, const Object& dict, ValueId key, bool& unsure) {
  unsure = !is_hashable(values, key) || has_unknown_keys(values, dict);
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2)
    if (dict.items[i] == key) return i;
  const auto numeric = [&](ValueId v) {
    const std::string& text = values.keys().payload(values[v].a);
    return !text.empty() && text[0] != 's' && text[0] != 'y';
  };
  const bool may_equal_others = !values.is(key, ValueKind::kConst) || numeric(key);
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2)
    unsure = unsure || (may_equal_others && (!values.is(dict.items[i], ValueKind::kConst) || numeric(dict.items[i])));
  return std::nullopt;
}

}  // namespace

ValueId make_tuple(State& state, Values& values, std::vector<ValueId> items) {
  if (items.empty()) return values.tuple(items);  // () is a singleton
  return make_object(state, values, ObjectKind::kTuple, std::move(items));
}

bool is_tuple(const State& state, const Values& values, ValueId v) {
  const auto it = state.heap.find(v);
  return values.is(v, ValueKind::kTuple) || (it != state.heap.end() && it->second.kind == ObjectKind::kTuple);
}

ValueId make_slice(State& state, Values& values, std::vector<ValueId> parts) {
  parts.resize(3, values.none());
  return make_object(state, values, ObjectKind::kSlice, std::move(parts));
}

ValueId make_object(State& state, Values& values, ObjectKind kind, std::vector<ValueId> items) {
  const ValueId ref = values.reference();
  state.heap[ref] = {kind, std::move(items)};
  return ref;
}

std::optional<ValueId> get_item(State& state, Values& values, ValueId container, ValueId key) {
  if (const Object* dict = object_of(state, container, ObjectKind::kDict)) {
    bool unsure = false;
    const auto at = find_key(values, *dict, key, unsure);
    return at && !unsure ? std::optional(dict->items[*at + 1]) : std::nullopt;
  }
  const auto items = known_items(state, values, container);
  if (!items || !has_known_positions(values, *items)) return std::nullopt;
  if (const auto i = constant_index(values, key, items->size())) return (*items)[*i];
  const auto range = constant_slice(values, slice_by_parts(state, values, key), items->size());
  if (!range) return std::nullopt;
  const bool tuple = is_tuple(state, values, container);
  if (tuple && range->from == 0 && range->to == items->size()) return container;  // tupleslice() copies nothing
  std::vector<ValueId> part(items->begin() + static_cast<std::ptrdiff_t>(range->from),
                            items->begin() + static_cast<std::ptrdiff_t>(range->to));
  if (tuple) return make_tuple(state, values, std::move(part));
  return make_object(state, values, ObjectKind::kList, std::move(part));
}

bool set_item(State& state, Values& values, ValueId container, ValueId key, ValueId item) {
  if (Object* dict = object_of(state, container, ObjectKind::kDict)) {
    bool unsure = false;
    const auto at = find_key(values, *dict, key, unsure);
    if (unsure) return false;
    if (at) {
      dict->items[*at + 1] = item;
    } else {
      dict->items.insert(dict->items.end(), {key, item});
    }
    return true;
  }
  Object* list = object_of(state, container, ObjectKind::kList);
  if (list == nullptr || !has_known_positions(values, list->items)) return false;
  if (const auto i = constant_index(values, key, list->items.size())) {
    list->items[*i] = item;
    return true;
  }
  const auto range = constant_slice(values, slice_by_parts(state, values, key), list->items.size());
  const auto items = known_items(state, values, item);
  if (!range || !items) return false;
  const auto begin = list->items.begin();
  list->items.erase(begin + static_cast<std::ptrdiff_t>(range->from), begin + static_cast<std::ptrdiff_t>(range->to));
  list->items.insert(list->items.begin() + static_cast<std::ptrdiff_t>(range->from), items->begin(), items->end());
  return true;
}

// Runs no Python code: the keys are constants whose hashing and comparison are built in.
bool update_dict(State& state, Values& values, Op op, ValueId into, ValueId by) {
  Object* dict = object_of(state, into, ObjectKind::kDict);
  const Object* other = object_of(state, by, ObjectKind::kDict);
  if (dict == nullptr || other == nullptr) return false;
  const auto items = other->items, before = dict->items;
  if (before.empty()) {  // a copy, so that unknown keys do not matter
    dict->items = items;
    return true;
  }
  bool is_complete = true;
  for (std::size_t i = 0; is_complete && i < items.size(); i += 2) {
    const bool exists = op == Op::DICT_MERGE && get_item(state, values, into, items[i]).has_value();
    is_complete = !exists && set_item(state, values, into, items[i], items[i + 1]);
  }
  if (!is_complete) dict->items = before;
  return is_complete;
}

bool delete_item(State& state, Values& values, ValueId container, ValueId key) {
  Object* list = object_of(state, container, ObjectKind::kList);
  if (list == nullptr || !has_known_positions(values, list->items)) return false;
  std::optional<Range> range = constant_slice(values, slice_by_parts(state, values, key), list->items.size());
  if (const auto i = constant_index(values, key, list->items.size())) range = Range{*i, *i + 1};
  if (!range) return false;
  const auto begin = list->items.begin();
  list->items.erase(begin + static_cast<std::ptrdiff_t>(range->from), begin + static_cast<std::ptrdiff_t>(range->to));
  return true;
}

}  // namespace depyf::proof
