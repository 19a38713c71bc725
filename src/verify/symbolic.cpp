// SPDX-License-Identifier: MIT
// Interning of symbolic values; see symbolic.h.
#include "verify/symbolic.h"

#include <algorithm>
#include <cstring>

namespace depyf::proof {

Values::Values(Keys& keys) : keys_(keys) {
  for (const ValueKind kind : {ValueKind::kDead, ValueKind::kUnbound, ValueKind::kNull, ValueKind::kOffset}) {
    ValueNode node;
    node.kind = kind;
    node.open = kind == ValueKind::kOffset;
    add(node);
  }
  ConstFacts facts;
  facts.hashable = facts.is_singleton = true;
  facts.truth = Truth::kFalse;
  none_ = constant(keys.none(), facts);
  facts.is_bool = true;
  false_ = constant(keys.boolean(false), facts);
  facts.truth = Truth::kTrue;
  facts.value = 1;
  true_ = constant(keys.boolean(true), facts);
}

ValueId Values::add(const ValueNode& node) {
  nodes_.push_back(node);
  return static_cast<ValueId>(nodes_.size() - 1);
}

ValueId Values::intern(ValueKind kind, std::uint32_t a, std::uint32_t b, std::span<const ValueId> children) {
  std::string key(sizeof(std::uint32_t) * (3 + children.size()), '\0');
  const std::uint32_t head[3] = {static_cast<std::uint32_t>(kind), a, b};
  std::memcpy(key.data(), head, sizeof head);
  if (!children.empty()) std::memcpy(key.data() + sizeof head, children.data(), children.size_bytes());
  const auto [it, fresh] = ids_.try_emplace(std::move(key), static_cast<ValueId>(nodes_.size()));
  if (!fresh) return it->second;
  ValueNode node;
  node.kind = kind;
  node.a = a;
  node.b = b;
  node.first = static_cast<std::uint32_t>(pool_.size());
  node.count = static_cast<std::uint32_t>(children.size());
  const std::vector<ValueId> copy(children.begin(), children.end());  // they may lie in the pool
  pool_.insert(pool_.end(), copy.begin(), copy.end());
  node.open = std::any_of(copy.begin(), copy.end(), [&](ValueId v) { return nodes_[v].open; });
  return add(node);
}

ValueId Values::constant(Key key, const ConstFacts& facts) {
  facts_.try_emplace(key, facts);
  return intern(ValueKind::kConst, key, 0, {});
}

ValueId Values::text(std::string_view value) {
  ConstFacts facts;
  facts.hashable = true;
  facts.truth = value.empty() ? Truth::kFalse : Truth::kTrue;
  return constant(keys_.text(value), facts);
}

ValueId Values::symbol(Known known, bool borrowed) {
  ValueNode node;
  node.kind = ValueKind::kSymbol;
  node.known = known;
  node.b = borrowed ? 1 : 0;
  node.a = serial_++;
  node.open = true;
  return add(node);
}

ValueId Values::reference() {
  ValueNode node;
  node.kind = ValueKind::kRef;
  node.a = serial_++;
  node.open = true;
  return add(node);
}

const ConstFacts* Values::facts(ValueId v) const {
  if (nodes_[v].kind != ValueKind::kConst) return nullptr;
  const auto it = facts_.find(nodes_[v].a);
  return it == facts_.end() ? nullptr : &it->second;
}

bool Values::hashable(ValueId v) const {
  if (is(v, ValueKind::kTuple)) {
    const auto c = children(v);
    return std::all_of(c.begin(), c.end(), [&](ValueId x) { return facts(x) != nullptr && facts(x)->hashable; });
  }
  return facts(v) != nullptr && facts(v)->hashable;
}

// Parts of parts are parts, and empty ones are none.
ValueId Values::joined(std::span<const ValueId> texts) {
  std::vector<ValueId> parts;
  for (const ValueId v : texts) {
    const bool whole = is(v, ValueKind::kPure) && nodes_[v].a == static_cast<std::uint32_t>(Pure::kString);
    if (whole)
      parts.insert(parts.end(), children(v).begin(), children(v).end());
    else if (v != text(""))
      parts.push_back(v);
  }
  return pure(Pure::kString, parts);
}

bool Values::is_text(ValueId v) const {
  if (is(v, ValueKind::kConst)) return keys_.payload(nodes_[v].a).starts_with('s');
  return is_known(v, Known::kText) ||
         (is(v, ValueKind::kPure) && nodes_[v].a == static_cast<std::uint32_t>(Pure::kString));
}

bool Values::is_bool(ValueId v) const {
  if (const ConstFacts* f = facts(v)) return f->is_bool;
  return is(v, ValueKind::kIs) || is(v, ValueKind::kNot) || is_known(v, Known::kBool);
}

Truth Values::truth(ValueId v) const {
  if (const ConstFacts* f = facts(v)) return f->truth;
  if (is(v, ValueKind::kNot)) {
    const Truth inner = truth(children(v)[0]);
    return inner == Truth::kUnknown ? inner : inner == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
  }
  if (!is(v, ValueKind::kTuple)) return Truth::kUnknown;
  const auto c = children(v);
  if (c.empty()) return Truth::kFalse;
  return std::any_of(c.begin(), c.end(), [&](ValueId x) { return !is(x, ValueKind::kSplat); }) ? Truth::kTrue
                                                                                               : Truth::kUnknown;
}

ValueId Values::negation(ValueId truth_value) {
  if (const Truth t = truth(truth_value); t != Truth::kUnknown) return boolean(t == Truth::kFalse);
  if (is(truth_value, ValueKind::kNot)) return children(truth_value)[0];
  return intern(ValueKind::kNot, 0, 0, {&truth_value, 1});
}

// References are objects made here, so they are no other reference, nothing that comes from outside and no constant.
ValueId Values::identity(ValueId x, ValueId y) {
  const ValueNode &p = nodes_[x], &q = nodes_[y];
  const auto one_object = [&](const ValueNode& n, ValueId v) {
    return n.kind == ValueKind::kSymbol || n.kind == ValueKind::kRef || n.kind == ValueKind::kBuiltin ||
           n.kind == ValueKind::kCellVar || is_shared(v) || (facts(v) != nullptr && facts(v)->is_singleton);
  };
  if (x == y && one_object(p, x)) return boolean(true);
  const auto differ = [&](const ValueNode& a, ValueId w) {
    const bool single = facts(w) != nullptr && facts(w)->is_singleton;
    if (a.kind == ValueKind::kRef || a.kind == ValueKind::kTuple) return single;
    return single && a.known != Known::kNothing && a.known != Known::kBool && a.known != Known::kMaybeUnbound;
  };
  if (differ(p, y) || differ(q, x)) return boolean(false);
  const auto apart = [](const ValueNode& a, const ValueNode& b) {
    return a.kind == ValueKind::kRef && (b.kind == ValueKind::kRef || b.kind == ValueKind::kSymbol ||
                                         b.kind == ValueKind::kConst || b.kind == ValueKind::kBuiltin);
  };
  if (x != y && (apart(p, q) || apart(q, p))) return boolean(false);
  if (const ConstFacts *f = facts(x), *g = facts(y); x != y && f != nullptr && g != nullptr)
    if (f->is_singleton || g->is_singleton) return boolean(false);
  const ValueId pair[2] = {std::min(x, y), std::max(x, y)};
  return intern(ValueKind::kIs, 0, 0, pair);
}

std::string Values::show(ValueId v) const {
  const ValueNode& n = nodes_[v];
  switch (n.kind) {
    case ValueKind::kDead: return "-";
    case ValueKind::kUnbound: return "unbound";
    case ValueKind::kNull: return "NULL";
    case ValueKind::kOffset: return "offset";
    case ValueKind::kConst: return keys_.show(n.a);
    case ValueKind::kSymbol: return "v" + std::to_string(n.a);
    case ValueKind::kRef: return "fresh" + std::to_string(n.a);
    case ValueKind::kBuiltin: return keys_.show(n.a);
    case ValueKind::kCode: return "code " + std::to_string(n.a);
    case ValueKind::kCellVar: return "cell " + keys_.show(n.a);
    default: break;
  }
  std::string out = n.kind == ValueKind::kTuple ? "(" : n.kind == ValueKind::kSplat ? "*(" : "expression(";
  for (const ValueId c : children(v)) {
    if (out.size() > 60) return out + "...)";
    out += show(c) + ",";
  }
  return out + ")";
}

}  // namespace depyf::proof
