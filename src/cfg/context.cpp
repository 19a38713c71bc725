// SPDX-License-Identifier: MIT
// Implements contexts as interned pairs of persistent lists; see context.h.
#include "cfg/context.h"

namespace depyf::flow {

const Frame* Contexts::top_frame(ContextId c) const {
  return pairs_[c].frames == 0 ? nullptr : &frames_[pairs_[c].frames].item;
}

const Marker* Contexts::top_marker(ContextId c) const {
  return pairs_[c].markers == 0 ? nullptr : &markers_[pairs_[c].markers].item;
}

ContextId Contexts::intern(Pair pair) {
  if (pair == Pair{}) return 0;
  const auto [it, is_new] = ids_.try_emplace(pair, static_cast<ContextId>(pairs_.size()));
  if (is_new) pairs_.push_back(pair);
  return it->second;
}

ContextId Contexts::push_frame(ContextId c, const Frame& frame) {
  return intern({frames_.push(pairs_[c].frames, frame, false), pairs_[c].markers});
}

ContextId Contexts::pop_frame(ContextId c) { return intern({frames_[pairs_[c].frames].parent, pairs_[c].markers}); }

ContextId Contexts::push_marker(ContextId c, const Marker& marker) {
  return intern({pairs_[c].frames, markers_.push(pairs_[c].markers, marker, is_hidden(marker.kind))});
}

ContextId Contexts::pop_marker(ContextId c) { return intern({pairs_[c].frames, markers_[pairs_[c].markers].parent}); }

ContextId Contexts::unwound(ContextId c) {
  while (const Frame* frame = top_frame(c)) {
    if (frame->kind == FrameKind::kFinally) return c;
    c = pop_frame(c);
  }
  return c;
}

}  // namespace depyf::flow
