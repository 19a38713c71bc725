// SPDX-License-Identifier: MIT
// The state of both sides: frames, and fresh containers that nobody else has seen.
//
// Invariant: a reference in `heap` is reachable from one side only, and no foreign code has got it; when a side gives one
// away, the matching reference of the other side and it become one symbol (`bind`). What a slot holds is read through
// norm(), which carries out `bind`.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "verify/program.h"

namespace depyf::proof {

// Tuples, slices and bound methods never change, but are told apart by `is`: each one that is made is an object of its
// own, but for ().
enum class ObjectKind : std::uint8_t { kList, kDict, kFunction, kCell, kTuple, kSlice, kMethod };

// Fields of a function, in `items`; kDead where it has none.
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
  // kDict: key, value, key, value, ... with constant keys, or one splat twice: all items of a dict; kCell: what is in it;
  // kMethod: its name, a text, and the list, dict, set or '' that it is of
  std::vector<ValueId> items;
};

struct Frame {
  BlockId block{0};
  std::uint32_t at = 0;
  std::uint32_t phase = 0;  // instructions with several effects: which comes next
  ValueId scratch = kNoValue;
  std::vector<ValueId> stack;
  std::vector<ValueId> slots;
  ValueId handled = 0;              // the exception that is being handled
  ValueId handled_type = kNoValue;  // <= 3.10: the class that sys.exc_info() has of it, as it was when it was raised
  std::map<ValueId, ValueId> contexts;  // of exceptions: a __context__ that is not the one they came with
  std::vector<std::uint32_t> handlers;  // <= 3.10: where on the stack six values lie, for each handler that was entered
  ValueId left_with = kNoValue;         // the exception that left the code object,
  bool left_uncovered = false;          // from an instruction that no row of the exception table covers
  bool joined = false;                  // came through a join since the last meeting
};

struct State {
  Frame side[2];
  std::map<ValueId, Object> heap;
  std::unordered_map<ValueId, ValueId> bind;
  bool progressed = true;  // both have had an effect since the last meeting
  ValueId now = kNoValue;  // a symbol for the time since the last effect, when somebody asked for it
};

// A correspondence of fresh objects, and the code objects that their functions need.
struct Pairing {
  std::map<ValueId, ValueId> forth, back;
  std::map<ValueId, ValueId> constants;  // of tuples and slices of constants: what the other side has a constant for
  std::vector<std::pair<CodeId, CodeId>> codes;
};

[[nodiscard]] ValueId norm(const State& state, Values& values, ValueId v);
// Is what x is on side 0 what y is on side 1? Adds to the pairing.
[[nodiscard]] bool unify(const State& state, Values& values, const Program* const programs[2], ValueId x, ValueId y,
                         Pairing& pairing);
// The paired objects become symbols, tuples and slices become shared ones. True: an object that one side makes is a
// constant of the other's.
bool publish(State& state, Values& values, const Pairing& pairing);
// References reachable from one side, older ones first; without the `popped` topmost entries of its stack.
[[nodiscard]] std::vector<ValueId> reachable(const State& state, Values& values, std::uint32_t side,
                                             std::size_t popped = 0);
// Everything reachable from some values, through bindings and fresh objects.
[[nodiscard]] std::set<ValueId> closure(const State& state, Values& values, std::vector<ValueId> from);
// Objects that one side's frame holds, besides the `popped` topmost entries of its stack: variables that nobody will look
// at any more count, what others hold too (globals) does not.
[[nodiscard]] std::vector<ValueId> held(const State& state, Values& values, std::uint32_t side, std::size_t popped);
// Finds the partner of a fresh object on the other side, among `likely` if there is one, and publishes both; alone, it
// becomes an unknown of its own side. Answers as publish() does.
bool publish_one(State& state, Values& values, const Program* const programs[2], ValueId ref,
                 const std::vector<ValueId>& likely, std::vector<std::pair<CodeId, CodeId>>& codes);

// Fresh lists and tuples: known items, or none if some are not.
[[nodiscard]] std::optional<std::vector<ValueId>> known_items(const State& state, Values& values, ValueId v);
struct Range {
  std::size_t from = 0, to = 0;
};
// A slice of constants without a step, cut to `size`.
[[nodiscard]] std::optional<Range> constant_slice(Values& values, ValueId slice, std::size_t size);
[[nodiscard]] std::optional<std::size_t> constant_index(Values& values, ValueId index, std::size_t size);

// Of a fresh container: each answers false where it cannot tell.
[[nodiscard]] std::optional<ValueId> get_item(State& state, Values& values, ValueId container, ValueId key);
[[nodiscard]] bool set_item(State& state, Values& values, ValueId container, ValueId key, ValueId item);
// DICT_UPDATE, or DICT_MERGE, which refuses a key that is there already.
[[nodiscard]] bool update_dict(State& state, Values& values, Op op, ValueId into, ValueId by);
[[nodiscard]] bool delete_item(State& state, Values& values, ValueId container, ValueId key);
[[nodiscard]] ValueId make_object(State& state, Values& values, ObjectKind kind, std::vector<ValueId> items);
[[nodiscard]] ValueId make_tuple(State& state, Values& values, std::vector<ValueId> items);
[[nodiscard]] ValueId make_slice(State& state, Values& values, std::vector<ValueId> parts);
[[nodiscard]] bool is_tuple(const State& state, const Values& values, ValueId v);
// The fresh object that a value is, if it is one of that kind.
[[nodiscard]] Object* object_of(State& state, ValueId v, ObjectKind kind);

}  // namespace depyf::proof
