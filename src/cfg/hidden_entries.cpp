// SPDX-License-Identifier: MIT
// Hidden entries: entries of CPython's stack that are no values and that the graph omits.
//
// 3.15 has a NULL (an index for the interpreter's own use) above each iterator; 3.8 pushes a None in place of a return
// value below a `try` whose finally body may jump out. Operands that count entries (handler depths, COPY, SWAP,
// LIST_APPEND ...) are recomputed without them, so that loops look as in 3.14 and `try` statements as in 3.9.
// Invariant: a NULL that no instruction shows to be an iterator's is an ordinary PUSH_NULL, and kIterNull stays set on
// the instructions that use it.
#include <algorithm>

#include "cfg/explorer.h"

namespace depyf::flow {

namespace {

// Returns how many entries an instruction pops before it accesses the container `arg` entries below, or 0 if it does
// not.
std::uint32_t items_above_container(Op op) {
  if (op == Op::MAP_ADD) return 2;
  return is_one_of<Op::LIST_APPEND, Op::SET_ADD, Op::LIST_EXTEND, Op::SET_UPDATE, Op::DICT_UPDATE, Op::DICT_MERGE>(op)
             ? 1
             : 0;
}

// How an instruction with kIterNull uses the NULL: the number of entries above it, and whether it pops the NULL.
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

// Returns whether instructions may pop or copy the entry like a value.
bool is_value_like(MarkerKind kind) { return kind == MarkerKind::kIterSlot || kind == MarkerKind::kPlaceholder; }

constexpr std::size_t kMostJumps = 4;  // that index_after() follows

// Returns the index of the topmost marker on CPython's stack, which includes hidden entries.
std::uint32_t real_index(const Explorer& x, ContextId context) {
  const Marker& top = *x.contexts.top_marker(context);
  return top.position + x.contexts.hidden(context) - (is_hidden(top.kind) ? 1 : 0);
}

// Returns the number of hidden entries at or above an index of CPython's stack.
std::uint32_t hidden_from(Explorer& x, ContextId context, std::uint32_t index) {
  std::uint32_t count = 0;
  while (const Marker* top = x.contexts.top_marker(context)) {
    if (real_index(x, context) < index) break;
    if (is_hidden(top->kind)) ++count;
    ++x.steps;
    context = x.contexts.pop_marker(context);
  }
  return count;
}

Status emit_adjusted(Explorer& x, std::uint32_t node, std::uint32_t arg, ContextId context, std::uint32_t depth) {
  x.nodes[node].arg = arg;
  return x.continue_at(node, Emit::kAdjusted, x.nodes[node].index + 1, context, depth);
}

Status use_slot(Explorer& x, std::uint32_t node, bool is_last) {
  const ContextId context = x.nodes[node].context;
  const Marker slot = *x.contexts.top_marker(context);
  Instruction insn = x.at(node);
  insn.flags = static_cast<std::uint8_t>(insn.flags & ~unsigned{kIterNull});
  x.nodes[node].arg = insn.arg;
  return x.plain_as(node, insn, Emit::kAdjusted, x.contexts.pop_marker(context), is_last ? nullptr : &slot);
}

Status copy_over_hidden(Explorer& x, std::uint32_t node) {
  const std::uint32_t depth = x.nodes[node].depth;
  const ContextId context = x.nodes[node].context;
  const Instruction& insn = x.at(node);
  const std::uint32_t real_depth = depth + x.contexts.hidden(context);
  if (insn.arg == 0 || insn.arg > real_depth) return x.malformed(node, "operand stack underflow");
  const std::uint32_t source = real_depth - insn.arg;
  const std::uint32_t above = hidden_from(x, context, source + 1);
  if (hidden_from(x, context, source) == above) return emit_adjusted(x, node, insn.arg - above, context, depth + 1);
  ContextId below = context;
  while (real_index(x, below) > source || !is_hidden(x.contexts.top_marker(below)->kind))
    below = x.contexts.pop_marker(below);
  const MarkerKind kind = x.contexts.top_marker(below)->kind;
  return is_value_like(kind) ? hide(x, node, kind) : x.malformed(node, "a finally marker is used as a value");
}

// Executes SWAP. Exchanging a hidden entry with a value becomes a rotation of that value and the entries between.
Status swap_over_hidden(Explorer& x, std::uint32_t node) {
  struct Entry {  // of CPython's stack
    bool marked = false;
    Marker marker;
    [[nodiscard]] bool hidden() const { return marked && is_hidden(marker.kind); }
  };
  const std::uint32_t depth = x.nodes[node].depth;
  ContextId context = x.nodes[node].context;
  const Instruction& insn = x.at(node);
  const std::uint32_t real_depth = depth + x.contexts.hidden(context);
  if (insn.arg < 2 || insn.arg > real_depth) return x.malformed(node, "operand stack underflow");
  const std::uint32_t other = real_depth - insn.arg;
  const std::uint32_t values = insn.arg - hidden_from(x, context, other);
  std::vector<Entry> entries(insn.arg);
  while (x.contexts.top_marker(context) != nullptr && real_index(x, context) >= other) {
    const std::uint32_t at = real_index(x, context) - other;
    if (at >= entries.size()) return x.malformed(node, "a finally marker without its entry");
    entries[at] = {true, *x.contexts.top_marker(context)};
    context = x.contexts.pop_marker(context);
  }
  x.steps += insn.arg;
  std::swap(entries.front(), entries.back());
  std::uint32_t position = depth - values;
  for (Entry& entry : entries) {
    entry.marker.position = position;
    if (entry.marked) context = x.contexts.push_marker(context, entry.marker);
    if (!entry.hidden()) ++position;
  }
  const bool low_was_hidden = entries.back().hidden();
  const bool top_was_hidden = entries.front().hidden();
  const std::uint32_t next = x.nodes[node].index + 1;
  if (low_was_hidden && top_was_hidden) return x.continue_at(node, Emit::kNothing, next, context, depth);
  if (!low_was_hidden && !top_was_hidden) return emit_adjusted(x, node, values, context, depth);
  if (values == 1) return x.continue_at(node, Emit::kNothing, next, context, depth);
  x.nodes[node].arg = values;
  return x.continue_at(node, top_was_hidden ? Emit::kRotateUp : Emit::kRotateDown, next, context, depth);
}

}  // namespace

// The NULL that GET_ITER pushes, or one for FOR_ITER or SEND: [iterator] PUSH_NULL, FOR_ITER; PUSH_NULL, None, SEND. In
// 3.8 only compiler_try_finally emits a constant directly before SETUP_FINALLY.
bool makes_hidden(const Explorer& x, std::uint32_t index, MarkerKind& kind) {
  const Instruction& insn = x.code[index];
  if (!may_make_hidden(x, insn.op)) return false;
  if (insn.op == Op::LOAD_CONST) {
    kind = MarkerKind::kPlaceholder;
    return std::size_t{index} + 1 < x.code.size() && x.code[index + 1].op == Op::SETUP_FINALLY;
  }
  kind = MarkerKind::kIterSlot;
  if (index > 0 && x.code[index - 1].offset == insn.offset) {
    const Op before = x.code[index - 1].op;
    if (before == Op::GET_ITER || before == Op::GET_YIELD_FROM_ITER) return true;
  }
  const auto index_after = [&](std::size_t i) {
    ++i;
    for (std::size_t jumps = 0; jumps < kMostJumps && i < x.code.size(); ++jumps) {
      if (x.code[i].op != Op::JUMP && x.code[i].op != Op::NOP) break;
      i = x.code[i].op == Op::JUMP ? x.code[i].target : i + 1;
    }
    return i;
  };
  const auto uses = [&](std::size_t i, Op op) {
    return i < x.code.size() && x.code[i].op == op && (x.code[i].flags & kIterNull) != 0;
  };
  const std::size_t next = index_after(index);
  return uses(next, Op::FOR_ITER) || uses(index_after(next), Op::SEND);
}

// Subtracts hidden entries from the depth of a handler, which the exception table includes.
void cut_hidden(Explorer& x, Landing& landing, ContextId context) {
  while (x.contexts.top_marker(context) != nullptr && real_index(x, context) >= landing.depth) {
    ++x.steps;
    context = x.contexts.pop_marker(context);
  }
  landing.depth -= std::min(landing.depth, x.contexts.hidden(context));
  landing.context = context;
}

Status hide(Explorer& x, std::uint32_t node, MarkerKind kind) {
  const std::uint32_t depth = x.nodes[node].depth;
  const ContextId more = x.contexts.push_marker(x.nodes[node].context, {kind, depth, 0});
  return x.continue_at(node, Emit::kNothing, x.nodes[node].index + 1, more, depth);
}

Status step_over_hidden(Explorer& x, std::uint32_t node) {
  const std::uint32_t depth = x.nodes[node].depth;
  const ContextId context = x.nodes[node].context;
  const Instruction& insn = x.at(node);
  const Marker top = *x.contexts.top_marker(context);
  SlotUse use;
  if (top.kind == MarkerKind::kIterSlot && slot_use(insn, use) && top.position + use.above == depth) {
    return use_slot(x, node, use.is_last);
  }
  if (insn.op == Op::POP_TOP && is_value_like(top.kind) && top.position == depth) {
    return x.continue_at(node, Emit::kNothing, x.nodes[node].index + 1, x.contexts.pop_marker(context), depth);
  }
  if (insn.op == Op::COPY) return copy_over_hidden(x, node);
  if (insn.op == Op::SWAP) return swap_over_hidden(x, node);
  if (const std::uint32_t items = items_above_container(insn.op); items != 0) {
    const std::uint32_t real_depth = depth + x.contexts.hidden(context);
    if (real_depth < items + insn.arg) return x.malformed(node, "operand stack underflow");
    const std::uint32_t within = hidden_from(x, context, real_depth - items - insn.arg);
    return emit_adjusted(x, node, insn.arg - within, context, depth - items);
  }
  return x.plain(node, context);
}

}  // namespace depyf::flow
