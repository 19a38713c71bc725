// SPDX-License-Identifier: MIT
// Operations of 3.8's finally bodies, which find on the stack how they were entered: NULL, a return address or an
// exception.
//
// That entry is part of the context, so each way of entering gets a copy of the body, in which END_FINALLY has one
// meaning (BEGIN_FINALLY, CALL_FINALLY, END_FINALLY, POP_FINALLY, WITH_CLEANUP_START and WITH_CLEANUP_FINISH in 3.8's
// ceval.c). Invariant: depths are those of 3.9's code: NULL and the return address take no entry. Other instructions
// that access these entries are malformed.
#include "cfg/explorer.h"

namespace depyf::flow {

namespace {

constexpr std::uint32_t kOldAndNew = 6;  // stack entries of an exception in a handler
constexpr std::uint32_t kOld = 3;        // the entries that POP_EXCEPT pops
constexpr std::uint32_t kExit = 1;       // the entry of __exit__ below them

ContextId replace_marker(Explorer& x, ContextId context, const Marker& marker) {
  return x.contexts.push_marker(x.contexts.pop_marker(context), marker);
}

// Returns whether the instruction starts the end of an `except E as x` clause: x = None; del x; END_FINALLY;
// POP_EXCEPT, where the clause started with POP_TOP, STORE x, POP_TOP, SETUP_FINALLY (compiler_try_except of 3.8).
bool is_name_cleanup(const Explorer& x, std::uint32_t index) {
  constexpr std::uint32_t kLength = 5;
  if (x.code.size() < kLength || index > x.code.size() - kLength) return false;
  const std::uint32_t setup = x.facts.setup_of(index);
  if (setup == kNone || setup < 3) return false;
  const Instruction& store = x.code[index + 1];
  const Instruction& bind = x.code[setup - 2];
  return x.code[index].op == Op::LOAD_CONST && x.code[index + 3].op == Op::END_FINALLY &&
         x.code[index + 4].op == Op::POP_EXCEPT && x.code[setup - 1].op == Op::POP_TOP && bind.op == store.op &&
         bind.arg == store.arg && x.code[index + 2].arg == store.arg && x.code[setup - 3].op == Op::POP_TOP;
}

}  // namespace

Result<ContextId> markers_after(Explorer& x, std::uint32_t node, ContextId context, std::uint32_t low) {
  while (const Marker* top = x.contexts.top_marker(context)) {
    if (is_hidden(top->kind)) {
      if (top->position > low) return x.malformed(node, "a marker is used as a value");
      break;
    }
    if (top->position < low) break;
    context = x.contexts.pop_marker(context);
  }
  return context;
}

// Executes CALL_FINALLY and BEGIN_FINALLY, which differ in the successor. At the end of an `except E as x` clause, 3.9
// leaves the handler before it unbinds x, 3.8 afterwards: POP_EXCEPT is moved, as unbinding cannot raise. A jump out of
// the clause leaves the handler first in both.
Status call_finally(Explorer& x, std::uint32_t node) {
  const Instruction& insn = x.at(node);
  const std::uint32_t depth = x.nodes[node].depth;
  const std::uint32_t next = x.nodes[node].index + 1;
  if (insn.op == Op::BEGIN_FINALLY && is_name_cleanup(x, next) && depth >= kOld) {
    const ContextId handling = x.nodes[node].context;
    const Frame* frame = x.contexts.top_frame(handling);
    if (frame != nullptr && frame->kind == FrameKind::kExceptHandler) {
      const std::uint32_t low = depth - kOld;
      DEPYF_TRY(left, markers_after(x, node, x.contexts.pop_frame(handling), low));
      const ContextId inside = x.contexts.push_marker(left, {MarkerKind::kReturn, low, next + 5});
      return x.continue_at(node, Emit::kPopExcept, next, inside, low);
    }
  }
  const bool calls = insn.op == Op::CALL_FINALLY;
  const Marker marker{calls ? MarkerKind::kReturn : MarkerKind::kNull, depth, calls ? next : 0};
  const ContextId inside = x.contexts.push_marker(x.nodes[node].context, marker);
  DEPYF_CHECK(x.continue_at(node, Emit::kNothing, calls ? insn.target : next, inside, depth));
  x.nodes[x.nodes[node].fall].entered = calls ? kAbruptExit : kFallThroughExit;
  return Unit{};
}

Status end_finally(Explorer& x, std::uint32_t node) {
  const std::uint32_t depth = x.nodes[node].depth;
  const ContextId context = x.nodes[node].context;
  const Marker* top = x.contexts.top_marker(context);
  if (top != nullptr && top->kind == MarkerKind::kException && top->position + 1 == depth) {
    x.nodes[node].emit = Emit::kReraise;
    return Unit{};
  }
  const bool is_entry = top != nullptr && (top->kind == MarkerKind::kNull || top->kind == MarkerKind::kReturn);
  if (!is_entry || top->position != depth) return x.malformed(node, "END_FINALLY without a finally body");
  const std::uint32_t next = top->kind == MarkerKind::kNull ? x.nodes[node].index + 1 : top->value;
  return x.continue_at(node, Emit::kNothing, next, x.contexts.pop_marker(context), depth);
}

// Sets the phantom successors of END_FINALLYs that raise: the node at which control would continue without an
// exception, even if no path does. Skips jumps and, after the unbinding of an exception's name, POP_EXCEPT. With kKept
// it also visits phantom successors that no other path reaches, and then those of the statements in them.
Status find_phantoms(Explorer& x, PhantomSuccessors which, bool& some_unreached) {
  for (std::uint32_t n = 0; n < x.nodes.size(); ++n) {
    if (x.nodes[n].emit != Emit::kReraise) continue;
    ContextId context = x.nodes[n].context;
    std::uint32_t index = x.nodes[n].index;
    std::uint32_t depth = x.nodes[n].depth;
    std::uint32_t phantom = kNone;
    bool first = true, is_valid = true;
    for (std::size_t i = 0; i < x.code.size() && index < x.code.size(); ++i) {
      phantom = first ? kNone : x.visited(index, context);
      const bool leaves = first || x.code[index].op == Op::POP_EXCEPT;
      const bool jumps = !leaves && x.code[index].op == Op::JUMP && x.code[index].target != index;
      if (phantom != kNone || (!leaves && !jumps)) break;
      index = leaves ? index + 1 : x.code[index].target;
      if (leaves) {
        depth -= std::min(depth, first ? kOldAndNew : kOld);
        const Marker* marker = x.contexts.top_marker(context);
        if (marker != nullptr && marker->kind == MarkerKind::kException) context = x.contexts.pop_marker(context);
        const Frame* frame = x.contexts.top_frame(context);
        is_valid = frame != nullptr && frame->kind == FrameKind::kExceptHandler;
        if (!is_valid) break;
        context = x.contexts.pop_frame(context);
      }
      first = false;
    }
    if (!is_valid) continue;
    if (phantom == kNone && which == PhantomSuccessors::kKept) {
      DEPYF_TRY(created, x.reach(n, index, context, depth));
      phantom = created;
      some_unreached = true;
      DEPYF_CHECK(x.visit_all());
    }
    x.nodes[n].phantom = phantom;
  }
  return Unit{};
}

Status pop_finally(Explorer& x, std::uint32_t node) {
  const std::uint32_t depth = x.nodes[node].depth;
  const std::uint32_t kept = x.at(node).arg != 0 ? 1 : 0;
  const std::uint32_t next = x.nodes[node].index + 1;
  const ContextId context = x.nodes[node].context;
  const Marker* top = x.contexts.top_marker(context);
  if (top != nullptr && top->kind == MarkerKind::kException && top->position + 1 + kept == depth) {
    const ContextId outside = x.contexts.pop_marker(context);
    const Frame* frame = x.contexts.top_frame(outside);
    if (frame == nullptr || frame->kind != FrameKind::kExceptHandler) {
      return x.malformed(node, "no exception is being handled");
    }
    const Emit emit = kept != 0 ? Emit::kDropExceptionKeep : Emit::kDropException;
    return x.continue_at(node, emit, next, x.contexts.pop_frame(outside), depth - kOldAndNew);
  }
  const bool is_entry = top != nullptr && (top->kind == MarkerKind::kNull || top->kind == MarkerKind::kReturn);
  if (!is_entry || top->position + kept != depth) return x.malformed(node, "POP_FINALLY without a finally body");
  return x.continue_at(node, Emit::kNothing, next, x.contexts.pop_marker(context), depth);
}

Status with_cleanup_start(Explorer& x, std::uint32_t node) {
  const std::uint32_t depth = x.nodes[node].depth;
  const std::uint32_t next = x.nodes[node].index + 1;
  const ContextId context = x.nodes[node].context;
  const Marker* top = x.contexts.top_marker(context);
  if (top != nullptr && top->kind == MarkerKind::kNull && top->position == depth && depth >= kExit) {
    const ContextId inside = replace_marker(x, context, {MarkerKind::kWithNull, depth - kExit, 0});
    return x.continue_at(node, Emit::kWithCall, next, inside, depth);
  }
  if (top != nullptr && top->kind == MarkerKind::kException && top->position + 1 == depth &&
      depth >= kOldAndNew + kExit) {
    const ContextId inside = replace_marker(x, context, {MarkerKind::kWithException, depth - 1, 0});
    return x.continue_at(node, Emit::kWithExcept, next, inside, depth + 1);
  }
  return x.malformed(node, "WITH_CLEANUP_START outside a with statement's end");
}

Status with_cleanup_finish(Explorer& x, std::uint32_t node) {
  const std::uint32_t depth = x.nodes[node].depth;
  const std::uint32_t next = x.nodes[node].index + 1;
  const ContextId context = x.nodes[node].context;
  const Marker* top = x.contexts.top_marker(context);
  if (top != nullptr && top->kind == MarkerKind::kWithNull && top->position + 1 == depth) {
    const ContextId outside = replace_marker(x, context, {MarkerKind::kNull, depth - 1, 0});
    const Op then = next < x.code.size() ? x.code[next].op : Op::NOP;
    x.nodes[node].arg = then == Op::END_FINALLY ? kFallThroughExit : then == Op::POP_FINALLY ? kAbruptExit : 0;
    return x.continue_at(node, Emit::kPopTop, next, outside, depth - 1);
  }
  if (top == nullptr || top->kind != MarkerKind::kWithException || top->position + 2 != depth) {
    return x.malformed(node, "WITH_CLEANUP_FINISH without WITH_CLEANUP_START");
  }
  const ContextId raised = replace_marker(x, context, {MarkerKind::kException, depth - 2, 0});
  const std::uint32_t below = depth - 1 - kOldAndNew - kExit;
  const ContextId popped = replace_marker(x, context, {MarkerKind::kNull, below, 0});
  const Frame* frame = x.contexts.top_frame(popped);
  if (frame == nullptr || frame->kind != FrameKind::kExceptHandler) {
    return x.malformed(node, "no exception is being handled");
  }
  const ContextId swallowed = x.contexts.pop_frame(popped);
  DEPYF_CHECK(x.continue_at(node, Emit::kSwallowTest, next, raised, depth - 1));
  Node pops = x.nodes[node];  // with the same handler, since the frames above that one are EXCEPT_HANDLERs
  pops.depth = depth - 1;
  pops.jump = kNone;
  pops.is_handler = false;
  const auto swallow = static_cast<std::uint32_t>(x.nodes.size());
  x.nodes.push_back(pops);
  x.nodes[node].jump = swallow;
  return x.continue_at(swallow, Emit::kSwallow, next, swallowed, below);
}

}  // namespace depyf::flow
