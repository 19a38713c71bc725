// SPDX-License-Identifier: MIT
// Contexts of the flow analysis: together with its index they identify a visit of an instruction.
//
// A context is a block stack (<= 3.10) and a stack of markers for entries of CPython's operand stack that are no
// values: the entries that tell 3.8's finally bodies how they were entered, and 3.15's NULLs above iterators. Both are
// interned persistent lists, so equal contexts have equal ids and a push takes constant time (but for a map lookup).
// Invariant: id 0 is the empty context, the only one in 3.11 to 3.14.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <utility>

#include "support/small_vector.h"

namespace depyf::flow {

using ContextId = std::uint32_t;

enum class FrameKind : std::uint8_t { kFinally, kExceptHandler };

struct Frame {  // an entry of the block stack
  FrameKind kind = FrameKind::kFinally;
  std::uint32_t target = 0;   // kFinally: index of the handler
  std::uint32_t level = 0;    // kFinally: number of operand stack entries that remain for the handler
  std::uint32_t markers = 0;  // kFinally: number of markers that remain
  friend auto operator<=>(const Frame&, const Frame&) = default;
};

enum class MarkerKind : std::uint8_t {
  kNull,           // BEGIN_FINALLY: END_FINALLY falls through
  kReturn,         // CALL_FINALLY: END_FINALLY continues at instruction `value`
  kException,      // the six values of an exception: END_FINALLY raises it again
  kWithNull,       // kNull between WITH_CLEANUP_START and WITH_CLEANUP_FINISH
  kWithException,  // kException between them
  kIterSlot,       // 3.15: the NULL above an iterator
  kPlaceholder,    // 3.8: None in place of a return value, below a `try` whose finally body may jump out
};

// `position` is an index into the operand stack. For an exception it is that of its topmost entry. All other markers
// are hidden: they have an entry on CPython's stack but none here, between the entries position - 1 and position.
struct Marker {
  MarkerKind kind = MarkerKind::kNull;
  std::uint32_t position = 0;
  std::uint32_t value = 0;
  friend auto operator<=>(const Marker&, const Marker&) = default;
};

[[nodiscard]] inline bool is_hidden(MarkerKind kind) {
  return kind != MarkerKind::kException && kind != MarkerKind::kWithException;
}

// Interned persistent lists. Node 0 is the empty list; a node's parent, the list without its last item, has a smaller
// id.
template <class Item>
class Lists {
 public:
  struct Node {
    std::uint32_t parent = 0, count = 0, hidden = 0;
    Item item;
  };
  const Node& operator[](std::uint32_t id) const { return nodes_[id]; }
  std::uint32_t push(std::uint32_t parent, const Item& item, bool hidden) {
    const auto [it, is_new] = ids_.try_emplace({parent, item}, static_cast<std::uint32_t>(nodes_.size()));
    const Node& below = nodes_[parent];
    if (is_new) nodes_.push_back({parent, below.count + 1, below.hidden + (hidden ? 1 : 0), item});
    return it->second;
  }

 private:
  SmallVector<Node, 4> nodes_ = SmallVector<Node, 4>(1);
  std::map<std::pair<std::uint32_t, Item>, std::uint32_t> ids_;
};

class Contexts {
 public:
  [[nodiscard]] const Frame* top_frame(ContextId c) const;    // nullptr if the block stack is empty
  [[nodiscard]] const Marker* top_marker(ContextId c) const;  // nullptr if there is none
  [[nodiscard]] ContextId push_frame(ContextId c, const Frame& frame);
  [[nodiscard]] ContextId pop_frame(ContextId c);  // precondition: there is one
  [[nodiscard]] ContextId push_marker(ContextId c, const Marker& marker);
  [[nodiscard]] ContextId pop_marker(ContextId c);  // precondition: there is one
  // Return the numbers of frames, of markers, and of hidden markers.
  [[nodiscard]] std::uint32_t frames(ContextId c) const { return frames_[pairs_[c].frames].count; }
  [[nodiscard]] std::uint32_t markers(ContextId c) const { return markers_[pairs_[c].markers].count; }
  [[nodiscard]] std::uint32_t hidden(ContextId c) const { return markers_[pairs_[c].markers].hidden; }

  // Returns c without the frames above its innermost kFinally, or without any: exceptions unwind EXCEPT_HANDLER frames.
  [[nodiscard]] ContextId unwound(ContextId c);

 private:
  struct Pair {
    std::uint32_t frames = 0, markers = 0;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };

  ContextId intern(Pair pair);

  Lists<Frame> frames_;
  Lists<Marker> markers_;
  SmallVector<Pair, 8> pairs_ = SmallVector<Pair, 8>(1);
  std::map<Pair, ContextId> ids_;
};

}  // namespace depyf::flow
