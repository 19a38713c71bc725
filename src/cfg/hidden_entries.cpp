// SPDX-License-Identifier: MIT
// Entries of CPython's stack that are no values: markers without an entry here.
//
// 3.15 keeps a NULL above each iterator (an index, for the interpreter's own use); 3.8 puts a None below a try whose finally
// body may jump out, in a return value's place. What counts entries (handler depths, COPY, SWAP, LIST_APPEND ...) is
// recounted without them, so that a loop reads as 3.14's and a try as 3.9's. Invariant: a NULL that no instruction shows to
// be an iterator's is an ordinary PUSH_NULL, and kIterNull stays set on what uses it.
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

// Those that may be popped or copied like a value.
bool is_plain(MarkerKind kind) { return kind == MarkerKind::kIterSlot || kind == MarkerKind::kPlaceholder; }

}  // namespace

constexpr std::size_t kMostJumps = 4;  // from one instruction to the next

// GET_ITER's own NULL, or one that is pushed for FOR_ITER or SEND: [iterator] PUSH_NULL, FOR_ITER; PUSH_NULL, None, SEND.
// compiler_try_finally of 3.8 alone has a constant right before SETUP_FINALLY.
bool Explorer::makes_hidden(std::uint32_t index, MarkerKind& kind) const {
  const Instruction& insn = code_[index];
  if (!may_make_hidden(insn.op)) return false;
  if (insn.op == Op::LOAD_CONST) {
    kind = MarkerKind::kPlaceholder;
    return std::size_t{index} + 1 < code_.size() && code_[index + 1].op == Op::SETUP_FINALLY;
  }
  kind = MarkerKind::kIterSlot;
  if (index > 0 && code_[index - 1].offset == insn.offset) {
    const Op before = code_[index - 1].op;
    if (before == Op::GET_ITER || before == Op::GET_YIELD_FROM_ITER) return true;
  }
  const auto index_after = [this](std::size_t i) {
    ++i;
    for (std::size_t jumps = 0; jumps < kMostJumps && i < code_.size(); ++jumps) {
      if (code_[i].op != Op::JUMP && code_[i].op != Op::NOP) break;
      i = code_[i].op == Op::JUMP ? code_[i].target : i + 1;
    }
    return i;
  };
  const auto uses = [this](std::size_t i, Op op) {
    return i < code_.size() && code_[i].op == op && (code_[i].flags & kIterNull) != 0;
  };
  const std::size_t next = index_after(index);
  return uses(next, Op::FOR_ITER) || uses(index_after(next), Op::SEND);
}

// CPython's stack index of the topmost marker: all hidden ones below it count.
std::uint32_t Explorer::real_index(ContextId context) const {
  const Marker& top = *contexts_.top_marker(context);
  return top.position + contexts_.hidden(context) - (is_hidden(top.kind) ? 1 : 0);
}

std::uint32_t Explorer::hidden_from(ContextId context, std::uint32_t index) {
  std::uint32_t count = 0;
  while (const Marker* top = contexts_.top_marker(context)) {
    if (real_index(context) < index) break;
    if (is_hidden(top->kind)) ++count;
    ++steps_;
    context = contexts_.pop_marker(context);
  }
  return count;
}

// The depth in an exception table counts hidden entries.
void Explorer::cut_hidden(Landing& landing, ContextId context) {
  while (contexts_.top_marker(context) != nullptr && real_index(context) >= landing.depth) {
    ++steps_;
    context = contexts_.pop_marker(context);
  }
  landing.depth -= std::min(landing.depth, contexts_.hidden(context));
  landing.context = context;
}

Status Explorer::adjusted(std::uint32_t node, std::uint32_t arg, ContextId context, std::uint32_t depth) {
  nodes_[node].arg = arg;
  return continue_at(node, Emit::kAdjusted, nodes_[node].index + 1, context, depth);
}

Status Explorer::use_slot(std::uint32_t node, bool is_last) {
  const ContextId context = nodes_[node].context;
  const Marker slot = *contexts_.top_marker(context);
  Instruction insn = at(node);
  insn.flags = static_cast<std::uint8_t>(insn.flags & ~unsigned{kIterNull});
  nodes_[node].arg = insn.arg;
  return plain_as(node, insn, Emit::kAdjusted, contexts_.pop_marker(context), is_last ? nullptr : &slot);
}

Status Explorer::hide(std::uint32_t node, MarkerKind kind) {
  const std::uint32_t depth = nodes_[node].depth;
  const ContextId more = contexts_.push_marker(nodes_[node].context, {kind, depth, 0});
  return continue_at(node, Emit::kNothing, nodes_[node].index + 1, more, depth);
}

Status Explorer::step_over_hidden(std::uint32_t node) {
  const std::uint32_t depth = nodes_[node].depth;
  const ContextId context = nodes_[node].context;
  const Instruction& insn = at(node);
  const Marker top = *contexts_.top_marker(context);
  SlotUse use;
  if (top.kind == MarkerKind::kIterSlot && slot_use(insn, use) && top.position + use.above == depth) {
    return use_slot(node, use.is_last);
  }
  if (insn.op == Op::POP_TOP && is_plain(top.kind) && top.position == depth) {
    return continue_at(node, Emit::kNothing, nodes_[node].index + 1, contexts_.pop_marker(context), depth);
  }
  if (insn.op == Op::COPY) return copy_over_hidden(node);
  if (insn.op == Op::SWAP) return swap_over_hidden(node);
  if (const std::uint32_t items = items_above_container(insn.op); items != 0) {
    const std::uint32_t real_depth = depth + contexts_.hidden(context);
    if (real_depth < items + insn.arg) return malformed(node, "operand stack underflow");
    const std::uint32_t within = hidden_from(context, real_depth - items - insn.arg);
    return adjusted(node, insn.arg - within, context, depth - items);
  }
  return plain(node, context);
}

Status Explorer::copy_over_hidden(std::uint32_t node) {
  const std::uint32_t depth = nodes_[node].depth;
  const ContextId context = nodes_[node].context;
  const Instruction& insn = at(node);
  const std::uint32_t real_depth = depth + contexts_.hidden(context);
  if (insn.arg == 0 || insn.arg > real_depth) return malformed(node, "operand stack underflow");
  const std::uint32_t source = real_depth - insn.arg;
  const std::uint32_t above = hidden_from(context, source + 1);
  if (hidden_from(context, source) == above) return adjusted(node, insn.arg - above, context, depth + 1);
  ContextId below = context;
  while (real_index(below) > source || !is_hidden(contexts_.top_marker(below)->kind))
    below = contexts_.pop_marker(below);
  const MarkerKind kind = contexts_.top_marker(below)->kind;
  return is_plain(kind) ? hide(node, kind) : malformed(node, "a finally marker is used as a value");
}

// Exchanging a hidden entry with a value is, without it, a rotation of that value and what lay between.
Status Explorer::swap_over_hidden(std::uint32_t node) {
  struct Entry {  // of CPython's stack
    bool marked = false;
    Marker marker;
    [[nodiscard]] bool hidden() const { return marked && is_hidden(marker.kind); }
  };
  const std::uint32_t depth = nodes_[node].depth;
  ContextId context = nodes_[node].context;
  const Instruction& insn = at(node);
  const std::uint32_t real_depth = depth + contexts_.hidden(context);
  if (insn.arg < 2 || insn.arg > real_depth) return malformed(node, "operand stack underflow");
  const std::uint32_t other = real_depth - insn.arg;
  const std::uint32_t values = insn.arg - hidden_from(context, other);
  std::vector<Entry> entries(insn.arg);
  while (contexts_.top_marker(context) != nullptr && real_index(context) >= other) {
    const std::uint32_t at = real_index(context) - other;
    if (at >= entries.size()) return malformed(node, "a finally marker without its entry");
    entries[at] = {true, *contexts_.top_marker(context)};
    context = contexts_.pop_marker(context);
  }
  steps_ += insn.arg;
  std::swap(entries.front(), entries.back());
  std::uint32_t position = depth - values;
  for (Entry& entry : entries) {
    entry.marker.position = position;
    if (entry.marked) context = contexts_.push_marker(context, entry.marker);
    if (!entry.hidden()) ++position;
  }
  const bool low_was_hidden = entries.back().hidden();
  const bool top_was_hidden = entries.front().hidden();
  const std::uint32_t next = nodes_[node].index + 1;
  if (low_was_hidden && top_was_hidden) return continue_at(node, Emit::kNothing, next, context, depth);
  if (!low_was_hidden && !top_was_hidden) return adjusted(node, values, context, depth);
  if (values == 1) return continue_at(node, Emit::kNothing, next, context, depth);
  nodes_[node].arg = values;
  return continue_at(node, top_was_hidden ? Emit::kRotateUp : Emit::kRotateDown, next, context, depth);
}

}  // namespace depyf::flow
