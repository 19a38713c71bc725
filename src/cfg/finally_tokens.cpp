// SPDX-License-Identifier: MIT
// 3.8's finally bodies, which find on the stack how they were entered: NULL, a return address or an exception.
//
// The entry is part of the context, so that each way of entering has its own copy of the body, whose END_FINALLY has one
// meaning (ceval.c of 3.8: BEGIN_FINALLY, CALL_FINALLY, END_FINALLY, POP_FINALLY, WITH_CLEANUP_START, _FINISH). Invariant:
// depths are those of 3.9's code: NULL and the return address take no entry. An instruction of another kind that touches
// them is malformed.
#include "cfg/explorer.h"

namespace depyf::flow {

namespace {

constexpr std::uint32_t kOldAndNew = 6;  // entries of an exception in a handler
constexpr std::uint32_t kOld = 3;        // those that POP_EXCEPT takes
constexpr std::uint32_t kExit = 1;       // __exit__ below them

}  // namespace

Result<ContextId> Explorer::markers_after(std::uint32_t node, ContextId context, std::uint32_t low) {
  while (const Marker* top = contexts_.top_marker(context)) {
    if (is_hidden(top->kind)) {
      if (top->position > low) return malformed(node, "a marker is used as a value");
      break;
    }
    if (top->position < low) break;
    context = contexts_.pop_marker(context);
  }
  return context;
}

ContextId Explorer::replace_marker(ContextId context, const Marker& marker) {
  return contexts_.push_marker(contexts_.pop_marker(context), marker);
}

void Explorer::find_setups() {
  setup_of_.assign(code_.size(), kNone);
  for (std::uint32_t i = 0; i < code_.size(); ++i) {
    if (code_[i].op == Op::SETUP_FINALLY && code_[i].target < code_.size()) setup_of_[code_[i].target] = i;
  }
}

// What `except E as x` ends with: x = None; del x; END_FINALLY; POP_EXCEPT, where the body began with POP_TOP, STORE x,
// POP_TOP, SETUP_FINALLY (compiler_try_except of 3.8).
bool Explorer::is_name_cleanup(std::uint32_t index) const {
  constexpr std::uint32_t kLength = 5;
  if (setup_of_.size() < kLength || index > setup_of_.size() - kLength) return false;
  const std::uint32_t setup = setup_of_[index];
  if (setup == kNone || setup < 3) return false;
  const Instruction& store = code_[index + 1];
  const Instruction& bind = code_[setup - 2];
  return code_[index].op == Op::LOAD_CONST && code_[index + 3].op == Op::END_FINALLY &&
         code_[index + 4].op == Op::POP_EXCEPT && code_[setup - 1].op == Op::POP_TOP && bind.op == store.op &&
         bind.arg == store.arg && code_[index + 2].arg == store.arg && code_[setup - 3].op == Op::POP_TOP;
}

// BEGIN_FINALLY too: it differs in where control continues. 3.9 leaves the handler before it unbinds the exception's
// name (which cannot raise), 3.8 after it; a jump out of it does so first in both.
Status Explorer::call_finally(std::uint32_t node) {
  const Instruction& insn = at(node);
  const std::uint32_t depth = nodes_[node].depth;
  const std::uint32_t next = nodes_[node].index + 1;
  if (insn.op == Op::BEGIN_FINALLY && is_name_cleanup(next) && depth >= kOld) {
    const ContextId handling = nodes_[node].context;
    const Frame* frame = contexts_.top_frame(handling);
    if (frame != nullptr && frame->kind == FrameKind::kExceptHandler) {
      const std::uint32_t low = depth - kOld;
      DEPYF_TRY(left, markers_after(node, contexts_.pop_frame(handling), low));
      const ContextId inside = contexts_.push_marker(left, {MarkerKind::kReturn, low, next + 5});
      return continue_at(node, Emit::kPopExcept, next, inside, low);
    }
  }
  const bool calls = insn.op == Op::CALL_FINALLY;
  const Marker marker{calls ? MarkerKind::kReturn : MarkerKind::kNull, depth, calls ? next : 0};
  const ContextId inside = contexts_.push_marker(nodes_[node].context, marker);
  DEPYF_CHECK(continue_at(node, Emit::kNothing, calls ? insn.target : next, inside, depth));
  nodes_[nodes_[node].fall].entered = calls ? kAbruptExit : kFallThroughExit;
  return Unit{};
}

Status Explorer::end_finally(std::uint32_t node) {
  const std::uint32_t depth = nodes_[node].depth;
  const ContextId context = nodes_[node].context;
  const Marker* top = contexts_.top_marker(context);
  if (top != nullptr && top->kind == MarkerKind::kException && top->position + 1 == depth) {
    nodes_[node].emit = Emit::kReraise;
    return Unit{};
  }
  const bool is_entry = top != nullptr && (top->kind == MarkerKind::kNull || top->kind == MarkerKind::kReturn);
  if (!is_entry || top->position != depth) return malformed(node, "END_FINALLY without a finally body");
  const std::uint32_t next = top->kind == MarkerKind::kNull ? nodes_[node].index + 1 : top->value;
  return continue_at(node, Emit::kNothing, next, contexts_.pop_marker(context), depth);
}

// END_FINALLY falls through where nothing was raised. This finds what follows the statement, even where no path of the
// program falls through; jumps and, where an exception's name is unbound, POP_EXCEPT are skipped. With kKept, what no
// other path reaches is visited as well, and then what follows the statements in it.
Status Explorer::find_phantom(PhantomSuccessors which) {
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].emit != Emit::kReraise) continue;
    ContextId context = nodes_[n].context;
    std::uint32_t index = nodes_[n].index;
    std::uint32_t depth = nodes_[n].depth;
    std::uint32_t phantom = kNone;
    bool first = true, leads = true;
    for (std::size_t i = 0; i < code_.size() && index < code_.size(); ++i) {
      phantom = first ? kNone : visited(index, context);
      const bool leaves = first || code_[index].op == Op::POP_EXCEPT;
      if (phantom != kNone || (!leaves && code_[index].op != Op::JUMP)) break;
      index = leaves ? index + 1 : code_[index].target;
      if (leaves) {
        depth -= std::min(depth, first ? kOldAndNew : kOld);
        const Marker* marker = contexts_.top_marker(context);
        if (marker != nullptr && marker->kind == MarkerKind::kException) context = contexts_.pop_marker(context);
        const Frame* frame = contexts_.top_frame(context);
        leads = frame != nullptr && frame->kind == FrameKind::kExceptHandler;
        if (!leads) break;
        context = contexts_.pop_frame(context);
      }
      first = false;
    }
    if (!leads) continue;
    if (phantom == kNone && which == PhantomSuccessors::kKept) {
      DEPYF_TRY(made, reach(n, index, context, depth));
      phantom = made;
      some_unreached_ = true;
      DEPYF_CHECK(visit_all());
    }
    nodes_[n].phantom = phantom;
  }
  return Unit{};
}

Status Explorer::pop_finally(std::uint32_t node) {
  const std::uint32_t depth = nodes_[node].depth;
  const std::uint32_t kept = at(node).arg != 0 ? 1 : 0;
  const std::uint32_t next = nodes_[node].index + 1;
  const ContextId context = nodes_[node].context;
  const Marker* top = contexts_.top_marker(context);
  if (top != nullptr && top->kind == MarkerKind::kException && top->position + 1 + kept == depth) {
    const ContextId outside = contexts_.pop_marker(context);
    const Frame* frame = contexts_.top_frame(outside);
    if (frame == nullptr || frame->kind != FrameKind::kExceptHandler) {
      return malformed(node, "no exception is being handled");
    }
    const Emit emit = kept != 0 ? Emit::kDropExceptionKeep : Emit::kDropException;
    return continue_at(node, emit, next, contexts_.pop_frame(outside), depth - kOldAndNew);
  }
  const bool is_entry = top != nullptr && (top->kind == MarkerKind::kNull || top->kind == MarkerKind::kReturn);
  if (!is_entry || top->position + kept != depth) return malformed(node, "POP_FINALLY without a finally body");
  return continue_at(node, Emit::kNothing, next, contexts_.pop_marker(context), depth);
}

Status Explorer::with_cleanup_start(std::uint32_t node) {
  const std::uint32_t depth = nodes_[node].depth;
  const std::uint32_t next = nodes_[node].index + 1;
  const ContextId context = nodes_[node].context;
  const Marker* top = contexts_.top_marker(context);
  if (top != nullptr && top->kind == MarkerKind::kNull && top->position == depth && depth >= kExit) {
    const ContextId inside = replace_marker(context, {MarkerKind::kWithNull, depth - kExit, 0});
    return continue_at(node, Emit::kWithCall, next, inside, depth);
  }
  if (top != nullptr && top->kind == MarkerKind::kException && top->position + 1 == depth &&
      depth >= kOldAndNew + kExit) {
    const ContextId inside = replace_marker(context, {MarkerKind::kWithException, depth - 1, 0});
    return continue_at(node, Emit::kWithExcept, next, inside, depth + 1);
  }
  return malformed(node, "WITH_CLEANUP_START outside a with statement's end");
}

Status Explorer::with_cleanup_finish(std::uint32_t node) {
  const std::uint32_t depth = nodes_[node].depth;
  const std::uint32_t next = nodes_[node].index + 1;
  const ContextId context = nodes_[node].context;
  const Marker* top = contexts_.top_marker(context);
  if (top != nullptr && top->kind == MarkerKind::kWithNull && top->position + 1 == depth) {
    const ContextId outside = replace_marker(context, {MarkerKind::kNull, depth - 1, 0});
    const Op then = next < code_.size() ? code_[next].op : Op::NOP;
    nodes_[node].arg = then == Op::END_FINALLY ? kFallThroughExit : then == Op::POP_FINALLY ? kAbruptExit : 0;
    return continue_at(node, Emit::kPopTop, next, outside, depth - 1);
  }
  if (top == nullptr || top->kind != MarkerKind::kWithException || top->position + 2 != depth) {
    return malformed(node, "WITH_CLEANUP_FINISH without WITH_CLEANUP_START");
  }
  const ContextId raised = replace_marker(context, {MarkerKind::kException, depth - 2, 0});
  const std::uint32_t below = depth - 1 - kOldAndNew - kExit;
  const ContextId popped = replace_marker(context, {MarkerKind::kNull, below, 0});
  const Frame* frame = contexts_.top_frame(popped);
  if (frame == nullptr || frame->kind != FrameKind::kExceptHandler) {
    return malformed(node, "no exception is being handled");
  }
  const ContextId swallowed = contexts_.pop_frame(popped);
  DEPYF_CHECK(continue_at(node, Emit::kSwallowTest, next, raised, depth - 1));
  Node pops = nodes_[node];  // same handler: the frames above it are EXCEPT_HANDLERs
  pops.depth = depth - 1;
  pops.jump = kNone;
  pops.is_handler = false;
  const auto swallow = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(pops);
  nodes_[node].jump = swallow;
  return continue_at(swallow, Emit::kSwallow, next, swallowed, below);
}

}  // namespace depyf::flow
