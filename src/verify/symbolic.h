// SPDX-License-Identifier: MIT
// Symbolic values of the translation validator: what a slot of either side may hold.
//
// Invariant: values are interned, so that equal numbers mean equal values; a symbol represents one unknown object,
// the same on both sides. A reference names a fresh container of one side's heap (heap.h). Nothing here knows
// instructions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "verify/keys.h"

namespace depyf::proof {

using equivalence::Key;
using equivalence::Keys;
using equivalence::kNoKey;

using ValueId = std::uint32_t;
inline constexpr ValueId kNoValue = 0xFFFFFFFF;

enum class ValueKind : std::uint8_t {
  kDead,     // nobody will look
  kUnbound,  // a local without a value
  kNull,     // PUSH_NULL
  kOffset,   // an instruction offset below an exception: no two codes have the same
  kConst,    // a: its Key
  kTuple,    // the items; a: tells apart those that somebody has made (heap.h), 0: a constant
  kSplat,    // inside a display: all items of the sequence that is the only child
  kSymbol,   // unknown; told apart by a
  kRef,      // a fresh container, function or cell; told apart by a
  kIs,       // identity of the two children
  kNot,      // of a truth value
  kPure,     // a: a Pure; no effect, no identity of its own that matters, but for slices: b as a of a tuple
  kBuiltin,  // a: Key of the name
  kCode,     // a: CodeId, b: side
  kCellVar,  // a: Key of the name; the cell of a cell or free variable
};

enum class Pure : std::uint32_t { kTypeOf, kTraceback, kContext, kSlice, kString, kGroupHandled };

// What is known of the object that a symbol represents.
enum class Known : std::uint8_t {
  kNothing,
  kBool,
  kException,
  kUnboundLocal,  // an exception too: what reading a local without a value raises
  kList,
  kDict,
  kSet,
  kText,   // a str, maybe of a subclass
  kItems,  // iterates over a list on one side, over a tuple of the same on the other
  kFunction,
  kCell,
  kMaybeUnbound
};

enum class Truth : std::uint8_t { kUnknown, kFalse, kTrue };

struct ValueNode {
  ValueKind kind = ValueKind::kDead;
  Known known = Known::kNothing;
  std::uint32_t a = 0, b = 0;
  std::uint32_t first = 0, count = 0;  // children
  bool open = false;                   // holds symbols or references, at any depth
};

struct ConstFacts {
  Truth truth = Truth::kUnknown;
  bool is_int = false;  // and fits
  bool is_bool = false;
  bool hashable = false;      // hashing and comparing it runs no code of anybody's
  bool is_singleton = false;  // None, True, False, ...: identity is equality
  std::int64_t value = 0;
};

// The values that are there from the start.
inline constexpr ValueId kDead = 0, kUnbound = 1, kNull = 2, kOffset = 3;

// The table of values.
class Values {
 public:
  explicit Values(Keys& keys);

  ValueId intern(ValueKind kind, std::uint32_t a, std::uint32_t b, std::span<const ValueId> children);
  ValueId constant(Key key, const ConstFacts& facts);
  ValueId text(std::string_view value);
  ValueId boolean(bool value) const { return value ? true_ : false_; }
  ValueId none() const { return none_; }
  ValueId builtin(Key name) { return intern(ValueKind::kBuiltin, name, 0, {}); }
  ValueId symbol(Known known, bool borrowed = false);  // borrowed: somebody else holds it too
  ValueId reference();
  ValueId tuple(std::span<const ValueId> items) { return intern(ValueKind::kTuple, 0, 0, items); }
  ValueId splat(ValueId sequence) { return intern(ValueKind::kSplat, 0, 0, {&sequence, 1}); }
  ValueId pure(Pure what, std::span<const ValueId> of) {
    return intern(ValueKind::kPure, static_cast<std::uint32_t>(what), 0, of);
  }
  ValueId pure(Pure what, ValueId of) { return pure(what, {&of, 1}); }
  // What a tuple or slice becomes that somebody else has got: one object, whose items are known.
  ValueId shared_tuple(std::span<const ValueId> items) { return intern(ValueKind::kTuple, ++serial_, 0, items); }
  ValueId shared_slice(std::span<const ValueId> parts) {
    return intern(ValueKind::kPure, static_cast<std::uint32_t>(Pure::kSlice), ++serial_, parts);
  }

  [[nodiscard]] const ValueNode& operator[](ValueId v) const { return nodes_[v]; }
  [[nodiscard]] std::span<const ValueId> children(ValueId v) const {
    return {pool_.data() + nodes_[v].first, nodes_[v].count};
  }
  [[nodiscard]] std::vector<ValueId> items(ValueId v) const {
    const auto c = children(v);
    return {c.begin(), c.end()};
  }
  [[nodiscard]] bool is(ValueId v, ValueKind kind) const { return nodes_[v].kind == kind; }
  [[nodiscard]] bool is(ValueId v, Pure what) const {
    return is(v, ValueKind::kPure) && nodes_[v].a == static_cast<std::uint32_t>(what);
  }
  [[nodiscard]] bool is_known(ValueId v, Known known) const { return nodes_[v].known == known; }
  [[nodiscard]] const ConstFacts* facts(ValueId v) const;
  [[nodiscard]] Keys& keys() const { return keys_; }

 private:
  ValueId add(const ValueNode& node);

  Keys& keys_;
  std::vector<ValueNode> nodes_;
  std::vector<ValueId> pool_;
  std::unordered_map<std::string, ValueId> ids_;
  std::unordered_map<Key, ConstFacts> facts_;
  ValueId none_ = 0, true_ = 0, false_ = 0;
  std::uint32_t serial_ = 0;
};

// ---- terms in their simplest form
// The truth of `x is y`, where that is known; else an expression.
[[nodiscard]] ValueId identity(Values& values, ValueId x, ValueId y);
[[nodiscard]] ValueId negation(Values& values, ValueId truth);
[[nodiscard]] ValueId joined(Values& values, std::span<const ValueId> texts);  // one after the other

// ---- what is known of a value
// A tuple or slice that shared_tuple() or shared_slice() made: no other value is that object.
[[nodiscard]] inline bool is_shared(const Values& values, ValueId v) {
  return values.is(v, Pure::kSlice) ? values[v].b != 0 : values.is(v, ValueKind::kTuple) && values[v].a != 0;
}
[[nodiscard]] inline bool is_exception(const Values& values, ValueId v) {
  return values.is_known(v, Known::kException) || values.is_known(v, Known::kUnboundLocal);
}
[[nodiscard]] bool is_text(const Values& values, ValueId v);
[[nodiscard]] bool is_bool(const Values& values, ValueId v);
[[nodiscard]] bool is_hashable(const Values& values, ValueId v);
[[nodiscard]] Truth truth_of(const Values& values, ValueId v);
// The text of a str constant.
[[nodiscard]] std::optional<std::string_view> text_of(const Values& values, ValueId v);
// Whether there is no splat among them, so that they are as many as they are.
[[nodiscard]] bool are_counted(const Values& values, std::span<const ValueId> items);
[[nodiscard]] std::string show(const Values& values, ValueId v);

}  // namespace depyf::proof
