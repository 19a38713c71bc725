// SPDX-License-Identifier: MIT
// The state of both sides of a validation: two frames, and a heap of fresh objects: containers, functions and cells
// that the code has created and that have not escaped.
//
// Invariant: an object in `heap` is reachable from one side only, and no other code has a reference to it. When it
// escapes through an effect, it and the matching object of the other side are published: a binding replaces both
// references by one symbol. Values are therefore read through norm(), which applies the bindings.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "verify/program.h"

namespace depyf::proof {

// Tuples, slices and bound methods are immutable but have an identity: each creation makes a new object, except for ().
enum class ObjectKind : std::uint8_t { kList, kDict, kFunction, kCell, kTuple, kSlice, kMethod };

// Indices into Object::items of a function; absent fields are kDead.
enum FunctionField : std::uint8_t {
  kFunctionCode,
  kFunctionDefaults,
  kFunctionKwdefaults,
  kFunctionAnnotations,
  kFunctionClosure,
  kFunctionAnnotate,
  kFunctionName,
  kFunctionQualname,
  kFunctionFields
};

struct Object {
  ObjectKind kind = ObjectKind::kList;
  // kDict: key, value, key, value, ... with constant keys, or the same splat twice for the unknown items of a dict;
  // kCell: the content; kMethod: its name as a str constant, and the list, dict, set or '' that it is bound to;
  // kFunction: see FunctionField
  std::vector<ValueId> items;
  friend bool operator==(const Object&, const Object&) = default;
};

struct Frame {
  BlockId block{0};
  std::uint32_t index = 0;     // of the next instruction in the block
  std::uint32_t phase = 0;     // the next step of an instruction with several effects; 0 at its start
  ValueId scratch = kNoValue;  // the dict that BUILD_MAP is filling between its phases
  std::vector<ValueId> stack;
  std::vector<ValueId> slots;
  ValueId handled = 0;                        // the exception that is being handled
  ValueId handled_type = kNoValue;            // <= 3.10: its class when it was raised, which sys.exc_info() returns
  std::map<ValueId, ValueId> contexts;        // by exception: its __context__, if this side has changed it
  std::vector<std::uint32_t> handler_depths;  // <= 3.10: stack depths below the six values of each entered handler
  ValueId uncaught = kNoValue;                // the exception that has left the code object, if any
  bool uncaught_is_uncovered = false;         // no row of the exception table covers the instruction that raised it
  // Since the last meeting:
  bool entered_join = false;  // has entered a join block
  bool went_back = false;     // has gone to an earlier block, in reverse postorder, or to the same one
  bool passed_join = false;   // has entered a join block, or has taken one of several outcomes
};

struct State {
  Frame side[2];
  std::map<ValueId, Object> heap;
  std::unordered_map<ValueId, ValueId> bind;  // replacements that norm() applies
  bool progressed = true;                     // both sides have had an effect since the last meeting
  std::uint32_t decisions = 0;                // outcomes that were assumed since then
  ValueId epoch = kNoValue;  // a symbol for the time since the last effect, created on demand (effects.cpp)
};

// A one-to-one correspondence of fresh objects of the two sides, under which two values are equal.
struct Pairing {
  std::map<ValueId, ValueId> forth, back;        // from the first side to the second, and its inverse
  std::map<ValueId, ValueId> constants;          // fresh tuples and slices that are constants on the other side
  std::vector<std::pair<CodeId, CodeId>> codes;  // pairs of code objects that must be equal
};

// Returns v with all bindings applied, at any depth.
[[nodiscard]] ValueId norm(const State& state, Values& values, ValueId v);
// Returns whether x on side 0 equals y on side 1, and adds the fresh objects that must correspond to `pairing`, which
// is meaningless if the result is false.
[[nodiscard]] bool unify(const State& state, Values& values, const Program* const programs[2], ValueId x, ValueId y,
                         Pairing& pairing);
// Publishes the paired objects: tuples and slices become shared ones, others become symbols. Returns whether any object
// that one side creates is a constant on the other.
bool publish(State& state, Values& values, const Pairing& pairing);
// Returns the references reachable from one side's frame, older ones first, ignoring the top `popped` stack entries.
[[nodiscard]] std::vector<ValueId> reachable_refs(const State& state, Values& values, std::uint32_t side,
                                                  std::size_t popped = 0);
// Returns all symbols, references and terms over them that are reachable from some values, through bindings and fresh
// objects.
[[nodiscard]] std::set<ValueId> reachable_values(const State& state, Values& values, std::vector<ValueId> from);
// Returns the unknown objects that one side's frame keeps alive, ignoring the top `popped` stack entries. Variables
// that are dead count; borrowed symbols (globals, attributes), which other objects keep alive, do not.
[[nodiscard]] std::vector<ValueId> held_symbols(const State& state, Values& values, std::uint32_t side,
                                                std::size_t popped);
// Finds the object of the other side that corresponds to a fresh object, preferably in `likely`, and publishes both. An
// object without a partner becomes a new symbol. Returns the same as publish().
bool publish_one(State& state, Values& values, const Program* const programs[2], ValueId ref,
                 const std::vector<ValueId>& preferred, std::vector<std::pair<CodeId, CodeId>>& codes);

// Returns the items, splats included, of a tuple or a fresh list; nullopt for other values.
[[nodiscard]] std::optional<std::vector<ValueId>> known_items(const State& state, Values& values, ValueId v);
struct Range {
  std::size_t from = 0, to = 0;
};
// Returns the range that a slice of constants with step 1 selects from a sequence of `size` items.
[[nodiscard]] std::optional<Range> constant_slice(Values& values, ValueId slice, std::size_t size);
// Returns the position that a constant integer selects; nullopt if it is out of range or no such constant.
[[nodiscard]] std::optional<std::size_t> constant_index(Values& values, ValueId index, std::size_t size);

// The following operate on fresh containers. They return false or nullopt, and change nothing, if the container is not
// fresh or the outcome is unknown.
[[nodiscard]] std::optional<ValueId> get_item(State& state, Values& values, ValueId container, ValueId key);
[[nodiscard]] bool set_item(State& state, Values& values, ValueId container, ValueId key, ValueId item);
// Performs DICT_UPDATE or DICT_MERGE, which fails on a key that exists already.
[[nodiscard]] bool update_dict(State& state, Values& values, Op op, ValueId into, ValueId by);
[[nodiscard]] bool delete_item(State& state, Values& values, ValueId container, ValueId key);
[[nodiscard]] ValueId make_object(State& state, Values& values, ObjectKind kind, std::vector<ValueId> items);
[[nodiscard]] ValueId make_tuple(State& state, Values& values, std::vector<ValueId> items);
[[nodiscard]] ValueId make_slice(State& state, Values& values, std::vector<ValueId> parts);
[[nodiscard]] bool is_tuple(const State& state, const Values& values, ValueId v);
// Returns the fresh object of this kind that v refers to, or nullptr.
[[nodiscard]] Object* object_of(State& state, ValueId v, ObjectKind kind);

}  // namespace depyf::proof
