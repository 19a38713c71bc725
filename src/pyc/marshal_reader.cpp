// SPDX-License-Identifier: MIT
// Reads a marshalled code object, as r_object of Python/marshal.c, but with an explicit stack; see marshal_reader.h.
#include "pyc/marshal_reader.h"

#include <algorithm>
#include <span>
#include <utility>

#include "pyc/code_fields.h"
#include "pyc/compact.h"
#include "pyc/scalar.h"

namespace depyf {
namespace {

constexpr Version kFirstSlice{3, 14};       // TYPE_SLICE: marshal version 5
constexpr Version kFirstFrozenDict{3, 15};  // TYPE_FROZENDICT: marshal version 6
constexpr std::uint8_t kFlagRef = 0x80;

// Names and tables are copied from shared objects; each copy takes only five bytes of input. Compilers repeat short
// names, but only a malicious file repeats long ones.
constexpr std::uint64_t kCopyBudgetBase = 64U << 20U;
constexpr std::uint64_t kCopyBudgetPerByte = 64;

std::string printable(char type) {
  if (type >= ' ' && type <= '~') return std::string("'") + type + "'";
  return "byte " + std::to_string(static_cast<std::uint8_t>(type));
}

}  // namespace

MarshalReader::MarshalReader(ByteSource in, Version version, const Limits& limits) : in_(in), limits_(limits) {
  tree_.version = version;
  fields_ = fields_of(version);
  copy_budget_ = kCopyBudgetBase + kCopyBudgetPerByte * in.left();
  constexpr std::size_t kUsualSize = 32;  // bytes of input per constant, an estimate
  tree_.consts.reserve(in.left() / kUsualSize);
  measures_.reserve(in.left() / kUsualSize);
  refs_.reserve(in.left() / kUsualSize);
}

Result<CodeTree> MarshalReader::read() {
  do {
    DEPYF_CHECK(step());
  } while (!stack_.empty());
  if (!std::holds_alternative<ConstCode>(tree_.consts[root_])) {
    return Error{Errc::kMalformed, in_.at(),
                 "wanted a code object, found " + std::string(type_name(tree_.consts[root_]))};
  }
  return without_unused_constants(std::move(tree_));
}

// Reads one object, or one integer field of a code object, and closes the objects that this completes.
Status MarshalReader::step() {
  if (!stack_.empty() && stack_.back().kind == Kind::kCode) {
    Frame& frame = stack_.back();
    if (fields_[frame.next_field] == CodeField::kFirstLine) {
      DEPYF_TRY(line, in_.take_long("co_firstlineno"));
      tree_.codes[frame.code].firstlineno = line;
      ++frame.next_field;
      return Unit{};
    }
  }
  DEPYF_CHECK(read_object());
  while (!stack_.empty() && is_complete(stack_.back())) {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    DEPYF_CHECK(close(frame));
  }
  return Unit{};
}

bool MarshalReader::is_complete(const Frame& frame) const {
  if (frame.kind == Kind::kCode) return frame.next_field == fields_.size();
  const bool open_ended = frame.kind == Kind::kDict || frame.kind == Kind::kFrozenDict;
  return !open_ended && frame.remaining == 0;
}

std::string_view MarshalReader::wanted() const {
  if (stack_.empty()) return "a code object";
  const Frame& frame = stack_.back();
  if (frame.kind == Kind::kCode) return field_name(fields_[frame.next_field]);
  return "an item of a container";
}

Status MarshalReader::read_object() {
  const std::size_t at = in_.at();
  if (in_.left() == 0) return in_.take_unsigned(1, wanted()).error();
  DEPYF_TRY(code, in_.take_unsigned(1, {}));
  const char type = static_cast<char>(code & 0x7FU);
  if (++item_count_ > limits_.max_items) {
    return Error{Errc::kLimitExceeded, at,
                 "wanted at most " + std::to_string(limits_.max_items) + " objects in one file"};
  }
  if (type == 'r') {
    DEPYF_TRY(value, resolve_ref());
    return deliver(value, at);
  }
  if (type == '0') return end_dict(at);
  const bool is_shared = (code & kFlagRef) != 0;
  if (is_scalar(type)) {
    const ConstId value = add({}, {});
    DEPYF_CHECK(read_scalar(in_, type, tree_.consts[value]));
    if (is_shared) refs_.push_back({value});
    return deliver(value, at, is_shared);
  }
  if (const ConstId value = singleton(type)) return deliver(value, at);  // as CPython, ignore FLAG_REF on these
  std::optional<std::size_t> ref;
  if (is_shared) {
    ref = refs_.size();
    refs_.emplace_back();
  }
  return open_container(type, at, ref);
}

Result<ConstId> MarshalReader::resolve_ref() {
  const std::size_t at = in_.at();
  DEPYF_TRY(index, in_.take_long("the index of a shared object"));
  if (index < 0 || static_cast<std::size_t>(index) >= refs_.size()) {
    return Error{
        Errc::kMalformed, at,
        "wanted one of " + std::to_string(refs_.size()) + " shared objects, found index " + std::to_string(index)};
  }
  const ConstId value = refs_[static_cast<std::size_t>(index)].value;
  if (!value) return Error{Errc::kMalformed, at, "wanted a complete object, found a reference to one that contains it"};
  return value;
}

Status MarshalReader::open_container(char type, std::size_t at, std::optional<std::size_t> ref) {
  const auto sized = [&](Kind kind, std::string_view what) -> Status {
    DEPYF_TRY(n, read_size(in_, what));
    return open_frame(Frame{kind, at, n, ref, {}, {}, 0});
  };
  switch (type) {
    case ')': {
      DEPYF_TRY(n, in_.take_unsigned(1, "the length of a tuple"));
      return open_frame(Frame{Kind::kTuple, at, static_cast<std::size_t>(n), ref, {}, {}, 0});
    }
    case '(': return sized(Kind::kTuple, "a tuple");
    case '>': return sized(Kind::kFrozenSet, "a frozenset");
    case '<': return sized(Kind::kSet, "a set");
    case '[': return sized(Kind::kList, "a list");
    case '{': return open_frame(Frame{Kind::kDict, at, 0, ref, {}, {}, 0});
    case 'c': return open_code(at, ref);
    default: break;
  }
  if (type == ':' && tree_.version >= kFirstSlice) return open_frame(Frame{Kind::kSlice, at, 3, ref, {}, {}, 0});
  if (type == '}' && tree_.version >= kFirstFrozenDict)
    return open_frame(Frame{Kind::kFrozenDict, at, 0, ref, {}, {}, 0});
  return Error{Errc::kMalformed, at,
               "wanted " + std::string(wanted()) + ", found unknown type code " + printable(type)};
}

Status MarshalReader::open_frame(Frame&& frame) {
  // A nested code object takes two frames: its own and that of its co_consts.
  if (stack_.size() >= 2 * std::size_t{limits_.max_depth}) {
    return Error{Errc::kLimitExceeded, frame.at,
                 "wanted at most " + std::to_string(limits_.max_depth) + " nested objects"};
  }
  // Do not reserve a claimed length: deeply nested objects may each claim a large one.
  constexpr std::size_t kUsual = 16;
  if (frame.kind != Kind::kCode) frame.items.reserve(std::min({frame.remaining, in_.left(), kUsual}));
  stack_.push_back(std::move(frame));
  return Unit{};
}

Status MarshalReader::open_code(std::size_t at, std::optional<std::size_t> ref) {
  CodeObject code;
  if (!open_codes_.empty()) code.parent = open_codes_.back();
  const auto take_count = [&](std::uint32_t& out, const char* what) -> Status {
    const std::size_t field_at = in_.at();
    DEPYF_TRY(value, in_.take_long(what));
    if (value < 0)
      return Error{Errc::kMalformed, field_at, "wanted " + std::string(what) + ", found " + std::to_string(value)};
    out = static_cast<std::uint32_t>(value);
    return Unit{};
  };
  std::uint32_t nlocals = 0;
  DEPYF_CHECK(take_count(code.argcount, "co_argcount"));
  DEPYF_CHECK(take_count(code.posonlyargcount, "co_posonlyargcount"));
  DEPYF_CHECK(take_count(code.kwonlyargcount, "co_kwonlyargcount"));
  // CPython derives the number of locals from their names; before 3.11 it is stored as well.
  if (!has_localsplus(tree_.version)) DEPYF_CHECK(take_count(nlocals, "co_nlocals"));
  DEPYF_CHECK(take_count(code.stacksize, "co_stacksize"));
  DEPYF_CHECK(take_count(code.flags, "co_flags"));
  if (code.stacksize > limits_.max_stack) {
    return Error{Errc::kLimitExceeded, at,
                 "wanted a co_stacksize of at most " + std::to_string(limits_.max_stack) + ", found " +
                     std::to_string(code.stacksize)};
  }
  Frame frame{Kind::kCode, at, nlocals, ref, {}, tree_.codes.add(std::move(code)), 0};
  open_codes_.push_back(frame.code);
  return open_frame(std::move(frame));
}

// A NULL object ends a dict; anywhere else it is an error.
Status MarshalReader::end_dict(std::size_t at) {
  const bool in_dict =
      !stack_.empty() && (stack_.back().kind == Kind::kDict || stack_.back().kind == Kind::kFrozenDict);
  if (!in_dict || stack_.back().items.size() % 2 != 0) {
    return Error{Errc::kMalformed, at, "wanted " + std::string(wanted()) + ", found a NULL object"};
  }
  Frame frame = std::move(stack_.back());
  stack_.pop_back();
  return close(frame);
}

Status MarshalReader::deliver(ConstId value, std::size_t at, bool is_shared) {
  if (stack_.empty()) {
    root_ = value;
    return Unit{};
  }
  Frame& frame = stack_.back();
  if (frame.kind != Kind::kCode) {
    frame.items.push_back(value);
    if (frame.remaining != 0) --frame.remaining;
    return Unit{};
  }
  return set_field(tree_.codes[frame.code], fields_[frame.next_field++], value, at, is_shared);
}

Status MarshalReader::close(Frame& frame) {
  if (frame.kind == Kind::kCode) return close_code(frame);
  DEPYF_TRY(measured, measure(frame));
  DEPYF_TRY(value, make_container(frame, measured));
  const ConstId id = add(std::move(value), measured);
  if (frame.ref) refs_[*frame.ref].value = id;
  return deliver(id, frame.at, frame.ref.has_value());
}

Result<Constant> MarshalReader::make_container(Frame& frame, ConstMeasure measured) {
  using Container = ConstOpaque::Container;
  const auto opaque = [&](Container container, const char* name, std::size_t size) {
    // Compilers put none of these into co_consts, and source has no such constants: the text creates equal objects.
    return Constant{ConstOpaque{opaque_count_++, "<" + std::string(name) + " of " + std::to_string(size) + " items>",
                                false, container, add(ConstTuple{std::move(frame.items)}, measured)}};
  };
  const std::size_t count = frame.items.size();
  switch (frame.kind) {
    case Kind::kTuple: return Constant{ConstTuple{std::move(frame.items)}};
    case Kind::kFrozenSet: return Constant{ConstFrozenSet{std::move(frame.items)}};
    case Kind::kSlice: return Constant{ConstSlice{frame.items[0], frame.items[1], frame.items[2]}};
    case Kind::kList: return opaque(Container::kList, "list", count);
    case Kind::kSet: return opaque(Container::kSet, "set", count);
    case Kind::kDict: return opaque(Container::kDict, "dict", count / 2);
    case Kind::kFrozenDict: return opaque(Container::kFrozenDict, "frozendict", count / 2);
    case Kind::kCode: break;
  }
  return Error{Errc::kInternal, frame.at, "wanted a container"};
}

// References let depth and size grow faster than the file, so both are measured, in addition to the depth of reading.
Result<ConstMeasure> MarshalReader::measure(const Frame& frame) const {
  ConstMeasure out;
  for (const ConstId item : frame.items) {
    out.height = std::max(out.height, measures_[item.n].height + 1);
    out.weight += measures_[item.n].weight;
    if (out.weight > limits_.max_items) {
      return Error{Errc::kLimitExceeded, frame.at,
                   "wanted a constant of at most " + std::to_string(limits_.max_items) +
                       " items, shared parts counted each time"};
    }
  }
  if (out.height > limits_.max_depth) {
    return Error{Errc::kLimitExceeded, frame.at,
                 "wanted constants nested at most " + std::to_string(limits_.max_depth) + " deep"};
  }
  return out;
}

ConstId MarshalReader::add(Constant&& value, ConstMeasure measure) {
  measures_.push_back(measure);
  return tree_.consts.add(std::move(value));
}

// Returns the constant for None, True, False or `...`, each of which exists once; invalid for other types.
ConstId MarshalReader::singleton(char type) {
  const auto make_once = [&](ConstId& slot, Constant value) {
    if (!slot) slot = add(std::move(value), {});
    return slot;
  };
  switch (type) {
    case 'N': return make_once(none_, ConstNone{});
    case 'T': return make_once(true_, ConstBool{true});
    case 'F': return make_once(false_, ConstBool{false});
    case '.': return make_once(ellipsis_, ConstEllipsis{});
    case 'S': return add(ConstOpaque{opaque_count_++, "StopIteration", true}, {});
    default: return {};
  }
}

}  // namespace depyf
