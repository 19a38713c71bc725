// SPDX-License-Identifier: MIT
// Interns and simplifies symbolic values; see symbolic.h.
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
  const std::vector<ValueId> copy(children.begin(),
                                  children.end());  // `children` may point into pool_, which may reallocate
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

bool is_hashable(const Values& values, ValueId v) {
  const auto is_constant = [&](ValueId x) {
    const ConstFacts* facts = values.facts(x);
    return facts != nullptr && facts->hashable;
  };
  return values.is(v, ValueKind::kTuple) ? std::ranges::all_of(values.children(v), is_constant) : is_constant(v);
}

ValueId joined(Values& values, std::span<const ValueId> texts) {
  std::vector<ValueId> parts;
  for (const ValueId v : texts) {
    if (values.is(v, Pure::kString))
      parts.insert(parts.end(), values.children(v).begin(), values.children(v).end());
    else if (v != values.text(""))
      parts.push_back(v);
  }
  return values.pure(Pure::kString, parts);
}

std::optional<std::string_view> text_of(const Values& values, ValueId v) {
  if (!values.is(v, ValueKind::kConst)) return std::nullopt;
  const std::string_view payload = values.keys().payload(values[v].a);
  return payload.starts_with('s') ? std::optional(payload.substr(1)) : std::nullopt;
}

bool is_count_known(const Values& values, std::span<const ValueId> items) {
  return std::ranges::none_of(items, [&](ValueId v) { return values.is(v, ValueKind::kSplat); });
}

bool is_text(const Values& values, ValueId v) {
  return text_of(values, v) || values.is_known(v, Known::kText) || values.is(v, Pure::kString);
}

bool is_bool(const Values& values, ValueId v) {
  if (const ConstFacts* f = values.facts(v)) return f->is_bool;
  return values.is(v, ValueKind::kIs) || values.is(v, ValueKind::kNot) || values.is_known(v, Known::kBool);
}

Truth truth_of(const Values& values, ValueId v) {
  if (const ConstFacts* f = values.facts(v)) return f->truth;
  if (values.is(v, ValueKind::kNot)) {
    const Truth inner = truth_of(values, values.children(v)[0]);
    return inner == Truth::kUnknown ? inner : inner == Truth::kTrue ? Truth::kFalse : Truth::kTrue;
  }
  if (!values.is(v, ValueKind::kTuple)) return Truth::kUnknown;
  const auto c = values.children(v);
  if (c.empty()) return Truth::kFalse;
  const bool has_item = std::ranges::any_of(c, [&](ValueId x) { return !values.is(x, ValueKind::kSplat); });
  return has_item ? Truth::kTrue : Truth::kUnknown;
}

ValueId negation(Values& values, ValueId truth_value) {
  if (const Truth t = truth_of(values, truth_value); t != Truth::kUnknown) return values.boolean(t == Truth::kFalse);
  if (values.is(truth_value, ValueKind::kNot)) return values.children(truth_value)[0];
  return values.intern(ValueKind::kNot, 0, 0, {&truth_value, 1});
}

// A reference is an object that the code itself has created: it differs from every other reference, from every symbol
// (an object from outside) and from every constant.
ValueId identity(Values& values, ValueId x, ValueId y) {
  const ValueNode &p = values[x], &q = values[y];
  const auto has_identity = [&](const ValueNode& n, ValueId v) {
    return n.kind == ValueKind::kSymbol || n.kind == ValueKind::kRef || n.kind == ValueKind::kBuiltin ||
           n.kind == ValueKind::kCellVar || is_shared(values, v) ||
           (values.facts(v) != nullptr && values.facts(v)->is_singleton);
  };
  if (x == y && has_identity(p, x)) return values.boolean(true);
  // Whether w is a singleton and a, by its kind or its known type, is not.
  const auto differ_by_type = [&](const ValueNode& a, ValueId w) {
    const bool single = values.facts(w) != nullptr && values.facts(w)->is_singleton;
    if (a.kind == ValueKind::kRef || a.kind == ValueKind::kTuple) return single;
    return single && a.known != Known::kNothing && a.known != Known::kBool && a.known != Known::kMaybeUnbound;
  };
  if (differ_by_type(p, y) || differ_by_type(q, x)) return values.boolean(false);
  const auto apart = [](const ValueNode& a, const ValueNode& b) {
    return a.kind == ValueKind::kRef && (b.kind == ValueKind::kRef || b.kind == ValueKind::kSymbol ||
                                         b.kind == ValueKind::kConst || b.kind == ValueKind::kBuiltin);
  };
  if (x != y && (apart(p, q) || apart(q, p))) return values.boolean(false);
  if (const ConstFacts *f = values.facts(x), *g = values.facts(y); x != y && f != nullptr && g != nullptr)
    if (f->is_singleton || g->is_singleton) return values.boolean(false);
  const ValueId pair[2] = {std::min(x, y), std::max(x, y)};
  return values.intern(ValueKind::kIs, 0, 0, pair);
}

std::string show(const Values& values, ValueId v) {
  const ValueNode& n = values[v];
  switch (n.kind) {
    case ValueKind::kDead: return "-";
    case ValueKind::kUnbound: return "unbound";
    case ValueKind::kNull: return "NULL";
    case ValueKind::kOffset: return "offset";
    case ValueKind::kConst: return values.keys().show(n.a);
    case ValueKind::kSymbol: return "v" + std::to_string(n.a);
    case ValueKind::kRef: return "fresh" + std::to_string(n.a);
    case ValueKind::kBuiltin: return values.keys().show(n.a);
    case ValueKind::kCode: return "code " + std::to_string(n.a);
    case ValueKind::kCellVar: return "cell " + values.keys().show(n.a);
    default: break;
  }
  std::string out = n.kind == ValueKind::kTuple ? "(" : n.kind == ValueKind::kSplat ? "*(" : "expression(";
  for (const ValueId c : values.children(v)) {
    if (out.size() > 60) return out + "...)";
    out += show(values, c) + ",";
  }
  return out + ")";
}

}  // namespace depyf::proof
