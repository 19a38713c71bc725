// SPDX-License-Identifier: MIT
// Implements explore(): abstract interpretation of depths, block stack, handlers and successors. Values are not
// tracked.
//
// Takes time linear in the nodes. An instruction has one node for each context; in code of CPython's compilers that is
// one, except in 3.8's finally bodies.
#include "cfg/flow.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "cfg/explorer.h"

namespace depyf::flow {

namespace {

// CO_MAXBLOCKS is 20 (Include/cpython/code.h): the interpreter aborts when a frame's block stack grows past it.
constexpr std::uint32_t kMaxBlocks = 20;
// exception_unwind in ceval.c (<= 3.10) pushes the old and the new exception, three entries each.
constexpr std::uint32_t kSixValues = 6;
// Each round lowers the depth of one row to the stack of one instruction; Dynamo's code has a few such rows for each
// nested `with`.
constexpr int kMaxLoweredRows = 100;
// ROT_FOUR is three SWAPs.
constexpr std::size_t kRotFour = 3;

// Returns whether an operation only changes the depth and falls through (disregarding hidden entries).
constexpr bool is_straight(Op op) {
  return !is_jump(op) && !is_terminator(op) &&
         !is_one_of<Op::NOP, Op::RESUME, Op::MAKE_CELL, Op::COPY_FREE_VARS, Op::GEN_START, Op::RETURN_GENERATOR,
                    Op::SETUP_FINALLY, Op::SETUP_WITH, Op::SETUP_ASYNC_WITH, Op::POP_BLOCK, Op::POP_EXCEPT,
                    Op::END_ASYNC_FOR, Op::BEGIN_FINALLY, Op::CALL_FINALLY, Op::END_FINALLY, Op::POP_FINALLY,
                    Op::WITH_CLEANUP_START, Op::WITH_CLEANUP_FINISH, Op::COPY, Op::SWAP>(op);
}

constexpr auto kIsStraight = [] {
  std::array<bool, std::size(kOpFacts)> of{};
  for (std::size_t op = 0; op < of.size(); ++op) of[op] = is_straight(static_cast<Op>(op));
  return of;
}();
// Returns whether a node is a SWAP of a return value before POP_BLOCK: compiler_unwind_fblock of 3.8 rotates the value
// first, that of 3.9 pops the block first. Since SWAP cannot raise, it gets the handler that it has in 3.9.
bool is_moved_swap(const Explorer& x, std::uint32_t node) {
  const std::size_t first = x.nodes[node].index;
  std::size_t i = first;
  while (i < x.code.size() && i < first + kRotFour && x.code[i].op == Op::SWAP) ++i;
  if (i == first || i == x.code.size() || x.code[i].op != Op::POP_BLOCK) return false;
  const Frame* top = x.contexts.top_frame(x.nodes[node].context);
  return top != nullptr && top->kind == FrameKind::kFinally;
}

Status setup_block(Explorer& x, std::uint32_t node) {
  const Instruction& insn = x.at(node);
  const std::uint32_t depth = x.nodes[node].depth;
  const ContextId context = x.nodes[node].context;
  if (x.contexts.frames(context) >= kMaxBlocks) return x.malformed(node, "block stack overflow");
  if (insn.op != Op::SETUP_FINALLY && depth == 0) return x.malformed(node, "operand stack underflow");
  // SETUP_WITH replaces the manager by __exit__; SETUP_ASYNC_WITH excludes the awaited value from the block's level.
  const std::uint32_t level = insn.op == Op::SETUP_ASYNC_WITH ? depth - 1 : depth;
  const ContextId inside =
      x.contexts.push_frame(context, {FrameKind::kFinally, insn.target, level, x.contexts.markers(context)});
  if (insn.op == Op::SETUP_WITH) return x.plain(node, inside);
  return x.continue_at(node, x.facts.header_or_nothing(x.nodes[node].index), x.nodes[node].index + 1, inside, depth);
}

Status pop_block(Explorer& x, std::uint32_t node) {
  const Frame* top = x.contexts.top_frame(x.nodes[node].context);
  if (top == nullptr || top->kind != FrameKind::kFinally) return x.malformed(node, "POP_BLOCK without a block");
  const ContextId outside = x.contexts.pop_frame(x.nodes[node].context);
  const std::uint32_t index = x.nodes[node].index;
  const bool is_empty_try = index > 0 && x.code[index - 1].op == Op::SETUP_FINALLY;  // try: pass
  return x.continue_at(node, is_empty_try ? Emit::kHeader : Emit::kNothing, index + 1, outside, x.nodes[node].depth);
}

// Executes POP_EXCEPT and END_ASYNC_FOR, which up to 3.10 also pop the EXCEPT_HANDLER block.
Status leave_handler(Explorer& x, std::uint32_t node) {
  const ContextId context = x.nodes[node].context;
  if (!x.dialect.block_stack) return x.plain(node, context);
  const Frame* top = x.contexts.top_frame(context);
  if (top == nullptr || top->kind != FrameKind::kExceptHandler)
    return x.malformed(node, "no exception is being handled");
  return x.plain(node, x.contexts.pop_frame(context));
}

Status step(Explorer& x, std::uint32_t node) {
  const std::uint32_t index = x.nodes[node].index;
  const Instruction& insn = x.code[index];
  const auto vanish = [&](std::uint32_t next, Emit emit = Emit::kNothing) {
    return x.continue_at(node, emit, next, x.nodes[node].context, x.nodes[node].depth);
  };
  switch (insn.op) {
    case Op::ILLEGAL: return x.illegal[insn.arg];
    case Op::NOP: return vanish(index + 1, x.facts.header_or_nothing(index));
    case Op::RESUME:
    case Op::MAKE_CELL:
    case Op::COPY_FREE_VARS:
    case Op::GEN_START:  // pops the None that the first send() pushed: our depth starts at 0
      return vanish(index + 1);
    case Op::RETURN_GENERATOR:
      if (index + 1 < x.code.size() && x.code[index + 1].op == Op::POP_TOP) return vanish(index + 2);
      return x.plain(node, x.nodes[node].context);
    case Op::JUMP: return vanish(insn.target);
    case Op::SETUP_FINALLY:
    case Op::SETUP_WITH:
    case Op::SETUP_ASYNC_WITH: return setup_block(x, node);
    case Op::POP_BLOCK: return pop_block(x, node);
    case Op::POP_EXCEPT:
    case Op::END_ASYNC_FOR: return leave_handler(x, node);
    case Op::BEGIN_FINALLY:
    case Op::CALL_FINALLY: return call_finally(x, node);
    case Op::END_FINALLY: return end_finally(x, node);
    case Op::POP_FINALLY: return pop_finally(x, node);
    case Op::WITH_CLEANUP_START: return with_cleanup_start(x, node);
    case Op::WITH_CLEANUP_FINISH: return with_cleanup_finish(x, node);
    default: break;
  }
  if (MarkerKind kind{}; makes_hidden(x, index, kind)) return hide(x, node, kind);
  const ContextId context = x.nodes[node].context;
  if (x.contexts.markers(context) != 0) return step_over_hidden(x, node);
  return x.plain(node, context);
}

}  // namespace

Explorer::Explorer(const Bytecode& bytecode, const Dialect& of, const Limits& limits, bool hides)
    : code(bytecode.code),
      illegal(bytecode.illegal),
      dialect(of),
      facts(bytecode, of),
      hides_placeholders(hides),
      handlers_(bytecode.handlers),
      limits_(limits),
      first_node_(bytecode.code.size(), kNone) {}

Error Explorer::malformed(std::uint32_t node, std::string message) const {
  return Error{Errc::kMalformed, at(node).offset, std::move(message)};
}

std::uint32_t Explorer::visited(std::uint32_t index, ContextId context) const {
  const std::uint32_t first = index < first_node_.size() ? first_node_[index] : kNone;
  if (first == kNone || nodes[first].context == context) return first;
  const auto it = more_nodes_.find(std::uint64_t{index} << 32U | context);
  return it != more_nodes_.end() ? it->second : kNone;
}

Result<std::uint32_t> Explorer::reach(std::uint32_t from, std::uint32_t index, ContextId context, std::uint32_t depth) {
  const auto where = [&] { return nodes.empty() ? 0 : at(from).offset; };
  if (index >= code.size()) return Error{Errc::kMalformed, where(), "control leaves the code"};
  if (depth > limits_.max_stack) return Error{Errc::kLimitExceeded, where(), "operand stack too deep"};
  const auto fresh = static_cast<std::uint32_t>(nodes.size());
  std::uint32_t& first = first_node_[index];
  std::uint32_t found = first;
  if (first == kNone) {
    first = found = fresh;
  } else if (nodes[first].context != context) {
    found = more_nodes_.try_emplace(std::uint64_t{index} << 32U | context, fresh).first->second;
  }
  if (found != fresh) {
    if (nodes[found].depth == depth) return found;
    return Error{Errc::kMalformed, code[index].offset, "unequal stack depths where control flow joins"};
  }
  // In 3.8 an instruction has as many contexts as there are combinations of entries to the finally bodies around it.
  constexpr std::size_t kCopies = 64, kFew = 4096;
  if (steps + work_.size() >= std::min<std::size_t>(limits_.max_instructions, kFew + kCopies * code.size())) {
    return Error{Errc::kLimitExceeded, where(), "too many copies of instructions"};
  }
  Node& node = nodes.emplace_back();
  node.index = index;
  node.context = context;
  node.depth = depth;
  work_.push_back(fresh);
  return fresh;
}

Status Explorer::visit_all() {
  const bool protects = dialect.block_stack || facts.has_table();
  while (!work_.empty()) {
    const std::uint32_t node = work_.back();
    work_.pop_back();
    if (++steps > limits_.max_steps) return Error{Errc::kLimitExceeded, at(node).offset, "too many steps"};
    if (protects) DEPYF_CHECK(handler_edge(node));
    DEPYF_TRY(ran, run_straight(node));
    if (!ran) DEPYF_CHECK(step(*this, node));
  }
  return Unit{};
}

Result<Flow> Explorer::run(PhantomSuccessors which) {
  if (code.empty()) return Error{Errc::kMalformed, 0, "no instructions"};
  nodes.reserve(code.size() / 2 + 1);
  DEPYF_CHECK(reach(0, 0, 0, 0));
  DEPYF_CHECK(visit_all());
  bool some_unreached = false;
  if (dialect.call_finally) DEPYF_CHECK(find_phantoms(*this, which, some_unreached));
  return Flow{std::move(nodes), some_unreached};
}

Landing Explorer::landing(std::uint32_t node) {
  ContextId context = nodes[node].context;
  if (dialect.call_finally && is_moved_swap(*this, node)) context = contexts.pop_frame(context);
  if (!dialect.block_stack) {
    const std::uint32_t row = facts.row(nodes[node].index);
    if (row == kNone) return {};
    const ExceptionEntry& entry = handlers_[row];
    Landing found{true, entry.target, entry.depth, entry.lasti, 0};
    if (contexts.hidden(context) != 0) cut_hidden(*this, found, context);
    return found;
  }
  if (context >= landings_.size()) landings_.resize(std::size_t{context} + 1);
  if (!landings_[context].known) landings_[context] = block_landing(context);
  return landings_[context];
}

Landing Explorer::block_landing(ContextId context) {
  Landing found;
  found.known = true;
  ContextId c = contexts.unwound(context);
  const Frame* top = contexts.top_frame(c);
  if (top == nullptr) return found;
  const Frame frame = *top;
  found.target = frame.target;
  found.depth = frame.level;
  c = contexts.pop_frame(c);
  while (contexts.markers(c) > frame.markers) c = contexts.pop_marker(c);
  c = contexts.push_frame(c, {FrameKind::kExceptHandler, 0, 0, 0});
  if (dialect.call_finally) {
    c = contexts.push_marker(c, {MarkerKind::kException, frame.level + kSixValues - 1, 0});
  }
  found.context = c;
  return found;
}

Status Explorer::handler_edge(std::uint32_t node) {
  if (dialect.block_stack && contexts.frames(nodes[node].context) == 0) return Unit{};
  nodes[node].inverted = facts.inverted(nodes[node].index);
  const Landing to = landing(node);
  if (to.target == kNone) return Unit{};
  if (nodes[node].depth < to.depth) {
    if (!dialect.block_stack) too_deep_ = {facts.row(nodes[node].index), to.depth - nodes[node].depth};
    return malformed(node, "stack lower than its exception handler expects");
  }
  const std::uint32_t pushed = dialect.block_stack ? kSixValues : (to.lasti ? 2U : 1U);
  DEPYF_TRY(handler, reach(node, to.target, to.context, to.depth + pushed));
  nodes[handler].is_handler = true;
  nodes[node].handler = handler;
  nodes[node].handler_depth = to.depth;
  nodes[node].handler_lasti = to.lasti;
  return Unit{};
}

// Returns whether the instruction at `index` can be part of the straight line before it: it has no other predecessor
// and the same handler.
bool Explorer::may_join(const Node& run, std::uint32_t index, std::int64_t depth) const {
  return !facts.is_entered(index) && first_node_[index] == kNone && depth >= run.handler_depth &&
         facts.same_row(index, run.index);
}

// Makes one node of a straight line of instructions that only change the depth, as most do. Returns false if the first
// of them is none, so that it needs step().
Result<bool> Explorer::run_straight(std::uint32_t node) {
  const Node run = nodes[node];
  if (contexts.markers(run.context) != 0) return false;
  const Instruction* const insns = code.data();
  const auto last = static_cast<std::uint32_t>(code.size()) - 1;
  std::uint32_t end = run.index;
  std::int64_t depth = run.depth;
  for (; end < last && kIsStraight[static_cast<std::size_t>(insns[end].op)]; ++end) {
    if (end != run.index && !may_join(run, end, depth)) break;
    const Effect e = effect(dialect.version, insns[end], false);
    if (e.pops > depth || depth - e.pops + e.pushes > limits_.max_stack) break;
    if (MarkerKind kind{}; may_make_hidden(*this, insns[end].op) && makes_hidden(*this, end, kind)) break;
    depth += e.pushes - e.pops;
  }
  if (end == run.index) return false;
  nodes[node].count = end - run.index;
  steps += end - run.index - 1;
  DEPYF_CHECK(continue_at(node, Emit::kSelf, end, run.context, static_cast<std::uint32_t>(depth)));
  return true;
}

Status Explorer::continue_at(std::uint32_t node, Emit emit, std::uint32_t index, ContextId context,
                             std::uint32_t depth) {
  nodes[node].emit = emit;
  DEPYF_TRY(fall, reach(node, index, context, depth));
  nodes[node].fall = fall;
  return Unit{};
}

Result<Explorer::After> Explorer::after(std::uint32_t node, const Instruction& insn, ContextId context, bool jump) {
  const std::uint32_t depth = nodes[node].depth;
  const Effect e = effect(dialect.version, insn, jump);
  const std::int64_t low = std::int64_t{depth} - e.pops;
  const bool reaches_down = insn.op == Op::COPY || insn.op == Op::SWAP;
  if (low < 0 || (reaches_down && (insn.arg == 0 || insn.arg > depth))) {
    return malformed(node, "operand stack underflow");
  }
  After out{static_cast<std::uint32_t>(low + e.pushes), context};
  if (contexts.markers(context) == 0) return out;
  DEPYF_TRY(left, markers_after(*this, node, context, static_cast<std::uint32_t>(low)));
  out.context = left;
  return out;
}

Status Explorer::plain_as(std::uint32_t node, const Instruction& insn, Emit emit, ContextId context,
                          const Marker* marker) {
  nodes[node].emit = emit;
  DEPYF_TRY(next_node, after(node, insn, context, false));
  if (marker != nullptr) next_node.context = contexts.push_marker(next_node.context, *marker);
  if (!is_terminator(insn.op)) {
    DEPYF_CHECK(continue_at(node, emit, nodes[node].index + 1, next_node.context, next_node.depth));
  }
  if (!is_jump(insn.op) || insn.op == Op::SETUP_WITH) return Unit{};  // the target of SETUP_WITH is its handler
  DEPYF_TRY(jumped, after(node, insn, context, true));
  if (marker != nullptr) jumped.context = contexts.push_marker(jumped.context, *marker);
  DEPYF_TRY(jump, reach(node, insn.target, jumped.context, jumped.depth));
  nodes[node].jump = jump;
  return Unit{};
}

Result<Flow> explore(const Bytecode& bytecode, const Dialect& dialect, const Limits& limits, PhantomSuccessors which) {
  Result<Flow> flow = Explorer(bytecode, dialect, limits, dialect.call_finally).run(which);
  if (!flow && dialect.call_finally && which == PhantomSuccessors::kKept)
    return explore(bytecode, dialect, limits, PhantomSuccessors::kDropped);
  if (flow || !dialect.call_finally || flow.error().code != Errc::kMalformed) return flow;
  return Explorer(bytecode, dialect, limits, false).run(which);  // the code uses such a None as a value
}

Result<Flow> explore_lenient(const Bytecode& bytecode, const Dialect& dialect, const Limits& limits,
                             PhantomSuccessors which) {
  Result<Flow> flow = explore(bytecode, dialect, limits, which);
  if (dialect.block_stack || flow || flow.error().code != Errc::kMalformed) return flow;
  Bytecode lowered = bytecode;
  for (int round = 0; round < kMaxLoweredRows; ++round) {
    Explorer explorer(lowered, dialect, limits, false);
    Result<Flow> lenient = explorer.run(which);
    const Explorer::TooDeep too_deep = explorer.too_deep();
    if (lenient) return lenient;
    if (too_deep.row == kNone) break;
    const ExceptionEntry row = lowered.handlers[too_deep.row];
    for (ExceptionEntry& other : lowered.handlers)
      if (other.target == row.target) other.depth = std::min(other.depth, row.depth - too_deep.by);
  }
  return flow;
}

}  // namespace depyf::flow
