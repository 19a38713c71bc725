// SPDX-License-Identifier: MIT
// Contexts of the flow analysis: what, besides its index, tells two visits of an instruction apart.
//
// A context is a block stack (<= 3.10) and a stack of markers: entries of CPython's operand stack that are no values, namely
// what 3.8's finally bodies find there to say how they were entered, and 3.15's NULLs above iterators. Both are persistent
// lists, interned, so that equal contexts have equal ids and a push is O(1).
// Invariant: id 0 is the empty context (3.11-3.14: the only one). This file knows no instruction.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <utility>

#include "support/small_vector.h"

namespace depyf::flow {

using ContextId = std::uint32_t;

enum class FrameKind : std::uint8_t { kFinally, kExceptHandler };

struct Frame {  // of the block stack
  FrameKind kind = FrameKind::kFinally;
  std::uint32_t target = 0;   // kFinally: index of the handler
  std::uint32_t level = 0;    // kFinally: operand stack entries kept
  std::uint32_t markers = 0;  // kFinally: markers kept
  friend auto operator<=>(const Frame&, const Frame&) = default;
};

enum class MarkerKind : std::uint8_t {
  kNull,           // BEGIN_FINALLY: END_FINALLY falls through
  kReturn,         // CALL_FINALLY: END_FINALLY continues at instruction `value`
  kException,      // an exception: END_FINALLY raises it again
  kWithNull,       // kNull between WITH_CLEANUP_START and _FINISH
  kWithException,  // kException, likewise
  kIterSlot,       // 3.15: the NULL above an iterator
  kPlaceholder,    // 3.8: the None in place of a return value below a try with a jump out of its finally
};

// `position` is a depth of the operand stack. An exception's is that of its topmost entry; the others are hidden: they have
// an entry on CPython's stack and none here, and lie between the entries position - 1 and position.
struct Marker {
  MarkerKind kind = MarkerKind::kNull;
  std::uint32_t position = 0;
  std::uint32_t value = 0;
  friend auto operator<=>(const Marker&, const Marker&) = default;
};

[[nodiscard]] inline bool is_hidden(MarkerKind kind) {
  return kind != MarkerKind::kException && kind != MarkerKind::kWithException;
}

// Persistent lists, interned. Node 0 is the empty list; a node's parent has a smaller id.
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
  [[nodiscard]] const Frame* top_frame(ContextId c) const;    // null: the block stack is empty
  [[nodiscard]] const Marker* top_marker(ContextId c) const;  // null: none
  [[nodiscard]] ContextId push_frame(ContextId c, const Frame& frame);
  [[nodiscard]] ContextId pop_frame(ContextId c);  // there is one
  [[nodiscard]] ContextId push_marker(ContextId c, const Marker& marker);
  [[nodiscard]] ContextId pop_marker(ContextId c);  // there is one
  // How many there are of them; of the markers, how many have an entry on CPython's stack only.
  [[nodiscard]] std::uint32_t frames(ContextId c) const { return frames_[pairs_[c].frames].count; }
  [[nodiscard]] std::uint32_t markers(ContextId c) const { return markers_[pairs_[c].markers].count; }
  [[nodiscard]] std::uint32_t hidden(ContextId c) const { return markers_[pairs_[c].markers].hidden; }

  // The innermost context of c whose top frame is kFinally; 0 frames if there is none. Exceptions leave EXCEPT_HANDLERs.
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
