// SPDX-License-Identifier: MIT
// Interning of contexts: hash consing of two kinds of persistent lists and of their pairs.
//
// Invariant: node 0 of each list is the empty list; a node's parent has a smaller id.
#include "cfg/context.h"

namespace depyf::flow {

namespace {

std::size_t mix(std::size_t seed, std::uint32_t value) {
  return (seed ^ value) * 0x9E3779B97F4A7C15ULL + (seed >> 29U);
}

// The id of `node`, which is added if it is new.
template <class Nodes, class Map, class Node>
std::uint32_t intern_node(Nodes& nodes, Map& ids, const Node& node) {
  const auto [it, is_new] = ids.try_emplace(node, static_cast<std::uint32_t>(nodes.size()));
  if (is_new) nodes.push_back(node);
  return it->second;
}

}  // namespace

std::size_t Contexts::Hash::operator()(const FrameNode& n) const {
  return mix(mix(mix(mix(n.parent, static_cast<std::uint32_t>(n.frame.kind)), n.frame.target), n.frame.level),
             n.frame.markers);
}
std::size_t Contexts::Hash::operator()(const MarkerNode& n) const {
  return mix(mix(mix(n.parent, static_cast<std::uint32_t>(n.marker.kind)), n.marker.position), n.marker.value);
}
std::size_t Contexts::Hash::operator()(const Pair& p) const { return mix(p.frames, p.markers); }

Contexts::Contexts() : frames_(1), markers_(1), pairs_(1) {}

const Frame* Contexts::top_frame(ContextId c) const {
  return pairs_[c].frames == 0 ? nullptr : &frames_[pairs_[c].frames].frame;
}

const Marker* Contexts::top_marker(ContextId c) const {
  return pairs_[c].markers == 0 ? nullptr : &markers_[pairs_[c].markers].marker;
}

ContextId Contexts::intern(Pair pair) { return pair == Pair{} ? 0 : intern_node(pairs_, pair_ids_, pair); }

ContextId Contexts::push_frame(ContextId c, const Frame& frame) {
  const FrameNode node{pairs_[c].frames, frames(c) + 1, frame};
  return intern({intern_node(frames_, frame_ids_, node), pairs_[c].markers});
}

ContextId Contexts::pop_frame(ContextId c) { return intern({frames_[pairs_[c].frames].parent, pairs_[c].markers}); }

ContextId Contexts::push_marker(ContextId c, const Marker& marker) {
  const MarkerNode node{pairs_[c].markers, markers(c) + 1, hidden(c) + (is_hidden(marker.kind) ? 1 : 0), marker};
  return intern({pairs_[c].frames, intern_node(markers_, marker_ids_, node)});
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
