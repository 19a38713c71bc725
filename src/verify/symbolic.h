// SPDX-License-Identifier: MIT
// Symbolic values of the translation validator: the contents of stack entries, slots and fresh containers of both
// sides.
//
// A value is a term: a constant, a symbol for an unknown object, a reference to a fresh container in the heap of one
// side (heap.h), or an expression over such, as the identity test `x is y`. Invariant: values are interned, so equal
// ids mean equal values, and a symbol represents the same object on both sides. This file does not know instructions.
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
  kDead,     // the content of a slot or field that is not read again
  kUnbound,  // a local variable without a value
  kNull,     // what PUSH_NULL pushes
  kOffset,   // the instruction offset pushed below an exception (lasti); never equal on both sides
  kConst,    // a constant; a: its Key
  kTuple,    // a tuple of the children; a: 0 for a constant, else the serial number of an object (shared_tuple())
  kSplat,    // among the items of a container: all items of the only child, a sequence
  kSymbol,   // an unknown object; a: its serial number
  kRef,      // an object of State::heap (heap.h); a: its serial number
  kIs,       // the truth of `x is y` for the two children
  kNot,      // the negation of a truth value
  kPure,     // a function of the children without effect; a: a Pure; b: of slices, the serial number as in kTuple
  kBuiltin,  // a builtin object; a: Key of its name
  kCode,     // a code object; a: CodeId, b: side
  kCellVar,  // the cell of a cell or free variable; a: Key of the name
};

// kTypeOf and kContext have a second child, the epoch (State::epoch), if effects can change the result. kString is the
// concatenation of the children; kGroupHandled the exception handled before and the group that CHECK_EG_MATCH matched.
enum class Pure : std::uint32_t { kTypeOf, kTraceback, kContext, kSlice, kString, kGroupHandled };

// What is known about the object that a symbol represents.
enum class Known : std::uint8_t {
  kNothing,
  kBool,
  kException,
  kUnboundLocal,  // the UnboundLocalError or NameError that reading a variable without a value raises
  kList,
  kDict,
  kSet,
  kText,   // a str or an instance of a subclass
  kItems,  // an iterator: of a list on one side, of a tuple with the same items on the other
  kFunction,
  kCell,
  kMaybeUnbound  // kUnbound or an unknown object
};

enum class Truth : std::uint8_t { kUnknown, kFalse, kTrue };

struct ValueNode {
  ValueKind kind = ValueKind::kDead;
  Known known = Known::kNothing;
  std::uint32_t a = 0, b = 0;          // see ValueKind; b of a symbol: 1 if borrowed
  std::uint32_t first = 0, count = 0;  // the children in the pool
  bool open = false;                   // contains symbols, references or offsets at any depth
};

struct ConstFacts {
  Truth truth = Truth::kUnknown;
  bool is_int = false;  // an int of at most 32 bits of magnitude: `value`
  bool is_bool = false;
  bool hashable = false;      // hashing it and comparing it runs no Python code
  bool is_singleton = false;  // None, True, False, Ellipsis: equal means identical
  std::int64_t value = 0;
};

// The ids of the values without parameters, which the constructor adds first.
inline constexpr ValueId kDead = 0, kUnbound = 1, kNull = 2, kOffset = 3;

// The table of interned values, for both sides of one validation.
class Values {
 public:
  explicit Values(Keys& keys);

  ValueId intern(ValueKind kind, std::uint32_t a, std::uint32_t b, std::span<const ValueId> children);
  ValueId constant(Key key, const ConstFacts& facts);
  ValueId text(std::string_view value);
  ValueId boolean(bool value) const { return value ? true_ : false_; }
  ValueId none() const { return none_; }
  ValueId builtin(Key name) { return intern(ValueKind::kBuiltin, name, 0, {}); }
  // Returns a new symbol. `borrowed`: another object outlives this use and holds it (held_symbols() in heap.h).
  ValueId symbol(Known known, bool borrowed = false);
  ValueId reference();
  ValueId tuple(std::span<const ValueId> items) { return intern(ValueKind::kTuple, 0, 0, items); }
  ValueId splat(ValueId sequence) { return intern(ValueKind::kSplat, 0, 0, {&sequence, 1}); }
  ValueId pure(Pure function, std::span<const ValueId> operands) {
    return intern(ValueKind::kPure, static_cast<std::uint32_t>(function), 0, operands);
  }
  ValueId pure(Pure function, ValueId operand) { return pure(function, {&operand, 1}); }
  // Return the value of a fresh tuple or slice after it was published: an object of its own whose items are known.
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
  [[nodiscard]] bool is(ValueId v, Pure function) const {
    return is(v, ValueKind::kPure) && nodes_[v].a == static_cast<std::uint32_t>(function);
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

// ---- smart constructors, which simplify
// Returns True or False if the outcome of `x is y` is known, else a kIs.
[[nodiscard]] ValueId identity(Values& values, ValueId x, ValueId y);
[[nodiscard]] ValueId negation(Values& values, ValueId truth);
// Returns the concatenation of strings; flattens nested ones and drops empty ones.
[[nodiscard]] ValueId joined(Values& values, std::span<const ValueId> texts);

// ---- facts about a value
// Returns whether v is a tuple or slice made by shared_tuple() or shared_slice(): no other value is the same object.
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
// Returns the text of a str constant, nullopt for other values.
[[nodiscard]] std::optional<std::string_view> text_of(const Values& values, ValueId v);
// Returns whether there is no splat among the items, so that their number is known.
[[nodiscard]] bool is_count_known(const Values& values, std::span<const ValueId> items);
[[nodiscard]] std::string show(const Values& values, ValueId v);

}  // namespace depyf::proof
