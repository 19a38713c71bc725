// SPDX-License-Identifier: MIT
// 3.15 keeps a NULL above each iterator (an index, for the interpreter's own use); here it is a marker without an entry.
//
// What counts stack entries (handler depths, COPY, SWAP, LIST_APPEND ...) is recounted without them, so that a loop reads
// as 3.14's. Invariant: markers of this kind and those of 3.8's finally bodies never meet. A NULL that no instruction
// shows to be an iterator's is an ordinary PUSH_NULL, and kIterNull stays set on what uses it.
#include <algorithm>

#include "cfg/explorer.h"

namespace depyf::flow {

namespace {

// How many entries an instruction takes off before it looks for the container that is `arg` entries down; 0: it does not.
std::uint32_t items_above_container(Op op) {
  switch (op) {
    case Op::LIST_APPEND:
    case Op::SET_ADD:
    case Op::LIST_EXTEND:
    case Op::SET_UPDATE:
    case Op::DICT_UPDATE:
    case Op::DICT_MERGE: return 1;
    case Op::MAP_ADD: return 2;
    default: return 0;
  }
}

// Of an instruction with kIterNull: how many entries lie above the NULL; whether the NULL goes.
struct SlotUse {
  std::uint32_t above = 0;
  bool is_last = false;
};

bool slot_use(const Instruction& insn, SlotUse& use) {
  if ((insn.flags & kIterNull) == 0) return false;
  switch (insn.op) {
    case Op::FOR_ITER: use = {0, false}; return true;
    case Op::POP_ITER: use = {0, true}; return true;
    case Op::SEND: use = {1, false}; return true;
    case Op::END_SEND: use = {1, true}; return true;
    case Op::CLEANUP_THROW: use = {2, false}; return true;
    default: return false;
  }
}

}  // namespace

// GET_ITER's own, or one that is pushed for FOR_ITER or SEND: [iterator] PUSH_NULL, FOR_ITER; PUSH_NULL, None, SEND.
bool Explorer::makes_slot(std::uint32_t index) const {
  const Instruction& insn = code_[index];
  if (insn.op != Op::PUSH_NULL) return false;
  if (index > 0 && code_[index - 1].offset == insn.offset) {
    const Op before = code_[index - 1].op;
    if (before == Op::GET_ITER || before == Op::GET_YIELD_FROM_ITER) return true;
  }
  const auto uses = [this](std::size_t i, Op op) {
    return i < code_.size() && code_[i].op == op && (code_[i].flags & kIterNull) != 0;
  };
  return uses(std::size_t{index} + 1, Op::FOR_ITER) || uses(std::size_t{index} + 2, Op::SEND);
}

bool Explorer::has_slots(ContextId context) const {
  const Marker* top = contexts_.top_marker(context);
  return top != nullptr && top->kind == MarkerKind::kIterSlot;
}

// The rank-th marker (from 1) stands at CPython's stack index position + rank - 1.
std::uint32_t Explorer::slots_from(ContextId context, std::uint32_t real_index) {
  std::uint32_t count = 0;
  while (const Marker* top = contexts_.top_marker(context)) {
    if (top->position + contexts_.markers(context) - 1 < real_index) break;
    ++count;
    ++steps_;
    context = contexts_.pop_marker(context);
  }
  return count;
}

void Explorer::cut_slots(Landing& landing, ContextId context) {
  for (std::uint32_t count = slots_from(context, landing.depth); count > 0; --count) {
    context = contexts_.pop_marker(context);
  }
  landing.depth -= std::min(landing.depth, contexts_.markers(context));
  landing.context = context;
}

Status Explorer::adjusted(std::uint32_t node, std::uint32_t arg, ContextId context, std::uint32_t depth) {
  nodes_[node].arg = arg;
  return go_on(node, Emit::kAdjusted, nodes_[node].index + 1, context, depth);
}

Status Explorer::use_slot(std::uint32_t node, bool is_last) {
  const ContextId context = nodes_[node].context;
  const Marker slot = *contexts_.top_marker(context);
  Instruction insn = at(node);
  insn.flags = static_cast<std::uint8_t>(insn.flags & ~unsigned{kIterNull});
  nodes_[node].arg = insn.arg;
  return plain_as(node, insn, Emit::kAdjusted, contexts_.pop_marker(context), is_last ? nullptr : &slot);
}

Status Explorer::slot_step(std::uint32_t node) {
  const std::uint32_t next = nodes_[node].index + 1;
  const std::uint32_t depth = nodes_[node].depth;
  const ContextId context = nodes_[node].context;
  const Instruction& insn = at(node);
  if (makes_slot(nodes_[node].index)) {
    return go_on(node, Emit::kNothing, next, contexts_.push_marker(context, {MarkerKind::kIterSlot, depth, 0}), depth);
  }
  if (!has_slots(context)) return plain(node, context);
  const std::uint32_t position = contexts_.top_marker(context)->position;
  SlotUse use;
  if (slot_use(insn, use) && position + use.above == depth) return use_slot(node, use.is_last);
  if (insn.op == Op::POP_TOP && position == depth) {
    return go_on(node, Emit::kNothing, next, contexts_.pop_marker(context), depth);
  }
  if (insn.op == Op::COPY) return copy_over_slots(node);
  if (insn.op == Op::SWAP) return swap_over_slots(node);
  if (const std::uint32_t items = items_above_container(insn.op); items != 0) {
    const std::uint32_t real_depth = depth + contexts_.markers(context);
    if (real_depth < items + insn.arg) return malformed(node, "operand stack underflow");
    const std::uint32_t within = slots_from(context, real_depth - items - insn.arg);
    return adjusted(node, insn.arg - within, context, depth - items);
  }
  return plain(node, context);
}

Status Explorer::copy_over_slots(std::uint32_t node) {
  const std::uint32_t depth = nodes_[node].depth;
  const ContextId context = nodes_[node].context;
  const Instruction& insn = at(node);
  const std::uint32_t real_depth = depth + contexts_.markers(context);
  if (insn.arg == 0 || insn.arg > real_depth) return malformed(node, "operand stack underflow");
  const std::uint32_t source = real_depth - insn.arg;
  const std::uint32_t above = slots_from(context, source + 1);
  if (slots_from(context, source) != above) {
    const ContextId more = contexts_.push_marker(context, {MarkerKind::kIterSlot, depth, 0});
    return go_on(node, Emit::kNothing, nodes_[node].index + 1, more, depth);
  }
  return adjusted(node, insn.arg - above, context, depth + 1);
}

// Exchanging a NULL with a value is, without the NULL, a rotation of that value and what lay between.
Status Explorer::swap_over_slots(std::uint32_t node) {
  const std::uint32_t depth = nodes_[node].depth;
  ContextId context = nodes_[node].context;
  const Instruction& insn = at(node);
  const std::uint32_t real_depth = depth + contexts_.markers(context);
  if (insn.arg < 2 || insn.arg > real_depth) return malformed(node, "operand stack underflow");
  const std::uint32_t other = real_depth - insn.arg;
  std::vector<bool> is_slot(insn.arg, false);  // of the entries from `other` up
  const std::uint32_t within = slots_from(context, other);
  for (std::uint32_t i = 0; i < within; ++i) {
    const std::uint32_t real = contexts_.top_marker(context)->position + contexts_.markers(context) - 1;
    is_slot[real - other] = true;
    context = contexts_.pop_marker(context);
  }
  const bool low_is_slot = is_slot.front();
  const bool top_is_slot = is_slot.back();
  steps_ += insn.arg;
  is_slot.front() = top_is_slot;
  is_slot.back() = low_is_slot;
  std::uint32_t position = depth - (insn.arg - within);
  for (const bool slot : is_slot) {
    if (slot) context = contexts_.push_marker(context, {MarkerKind::kIterSlot, position, 0});
    if (!slot) ++position;
  }
  const std::uint32_t values = insn.arg - within;
  const std::uint32_t next = nodes_[node].index + 1;
  if (low_is_slot && top_is_slot) return go_on(node, Emit::kNothing, next, context, depth);
  if (!low_is_slot && !top_is_slot) return adjusted(node, values, context, depth);
  nodes_[node].arg = values;
  return go_on(node, top_is_slot ? Emit::kRotateUp : Emit::kRotateDown, next, context, depth);
}

}  // namespace depyf::flow
