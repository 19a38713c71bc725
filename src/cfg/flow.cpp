// SPDX-License-Identifier: MIT
// Abstract interpretation of control: depth, block stack, handlers, successors.
//
// Invariant: linear in nodes (an instruction has one node a context, and code of CPython's compilers one context an
// instruction, but for 3.8's finally bodies). Values are not tracked, only how many there are.
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
// Each round lowers one row to the stack of one more place; generated code has a few such rows a nested `with`.
constexpr int kMaxLoweredRows = 100;
// ROT_FOUR is three SWAPs.
constexpr std::size_t kRotFour = 3;

bool makes_bool(const Instruction& insn) {
  switch (insn.op) {
    case Op::TO_BOOL:
    case Op::UNARY_NOT:
    case Op::IS_OP:
    case Op::CONTAINS_OP:
    case Op::CHECK_EXC_MATCH: return true;
    case Op::COMPARE_OP: return (insn.flags & kMakesBool) != 0;
    default: return false;
  }
}

// Whether `insn` is a conditional jump that cannot raise, where `test` before it makes its operand.
bool tests_bool(const Instruction& test, const Instruction& insn) {
  switch (insn.op) {
    case Op::POP_JUMP_IF_NONE:
    case Op::POP_JUMP_IF_NOT_NONE: return !is_jump(test.op) && !is_terminator(test.op);
    case Op::POP_JUMP_IF_TRUE:
    case Op::POP_JUMP_IF_FALSE: return makes_bool(test);
    default: return false;
  }
}

// Whether it falls through and changes nothing but the depth, entries that are no values aside.
constexpr bool falls_to(Op op) {
  switch (op) {
    case Op::NOP:
    case Op::RESUME:
    case Op::MAKE_CELL:
    case Op::COPY_FREE_VARS:
    case Op::GEN_START:
    case Op::RETURN_GENERATOR:
    case Op::SETUP_FINALLY:
    case Op::SETUP_WITH:
    case Op::SETUP_ASYNC_WITH:
    case Op::POP_BLOCK:
    case Op::POP_EXCEPT:
    case Op::END_ASYNC_FOR:
    case Op::BEGIN_FINALLY:
    case Op::CALL_FINALLY:
    case Op::END_FINALLY:
    case Op::POP_FINALLY:
    case Op::WITH_CLEANUP_START:
    case Op::WITH_CLEANUP_FINISH:
    case Op::COPY:
    case Op::SWAP: return false;
    default: return !is_jump(op) && !is_terminator(op);
  }
}

constexpr auto kFallsTo = [] {
  std::array<bool, std::size(kOpFacts)> of{};
  for (std::size_t op = 0; op < of.size(); ++op) of[op] = falls_to(static_cast<Op>(op));
  return of;
}();

}  // namespace

Explorer::Explorer(const Bytecode& bytecode, const Dialect& dialect, const Limits& limits, bool hides_placeholders)
    : bytecode_(bytecode),
      code_(bytecode.code),
      dialect_(dialect),
      limits_(limits),
      hides_placeholders_(hides_placeholders),
      first_node_(bytecode.code.size(), kNone) {}

Error Explorer::malformed(std::uint32_t node, std::string what) const {
  return Error{Errc::kMalformed, at(node).offset, std::move(what)};
}

std::uint32_t Explorer::visited(std::uint32_t index, ContextId context) const {
  const std::uint32_t first = index < first_node_.size() ? first_node_[index] : kNone;
  if (first == kNone || nodes_[first].context == context) return first;
  const auto it = more_nodes_.find(std::uint64_t{index} << 32U | context);
  return it != more_nodes_.end() ? it->second : kNone;
}

Result<std::uint32_t> Explorer::reach(std::uint32_t from, std::uint32_t index, ContextId context, std::uint32_t depth) {
  const auto where = [&] { return nodes_.empty() ? 0 : at(from).offset; };
  if (index >= code_.size()) return Error{Errc::kMalformed, where(), "control leaves the code"};
  if (depth > limits_.max_stack) return Error{Errc::kLimitExceeded, where(), "operand stack too deep"};
  const auto fresh = static_cast<std::uint32_t>(nodes_.size());
  std::uint32_t& first = first_node_[index];
  std::uint32_t found = first;
  if (first == kNone) {
    first = found = fresh;
  } else if (nodes_[first].context != context) {
    found = more_nodes_.try_emplace(std::uint64_t{index} << 32U | context, fresh).first->second;
  }
  if (found != fresh) {
    if (nodes_[found].depth == depth) return found;
    return Error{Errc::kMalformed, code_[index].offset, "unequal stack depths where control flow joins"};
  }
  // 3.8 reaches an instruction in as many contexts as there are ways into the finally bodies around it.
  constexpr std::size_t kCopies = 64, kFew = 4096;
  if (steps_ + work_.size() >= std::min<std::size_t>(limits_.max_instructions, kFew + kCopies * code_.size())) {
    return Error{Errc::kLimitExceeded, where(), "too many copies of instructions"};
  }
  Node& node = nodes_.emplace_back();
  node.index = index;
  node.context = context;
  node.depth = depth;
  work_.push_back(fresh);
  return fresh;
}

Status Explorer::visit_all() {
  const bool protects = dialect_.block_stack || !table_row_.empty();
  while (!work_.empty()) {
    const std::uint32_t node = work_.back();
    work_.pop_back();
    if (++steps_ > limits_.max_steps) return Error{Errc::kLimitExceeded, at(node).offset, "too many steps"};
    if (protects) DEPYF_CHECK(handler_edge(node));
    DEPYF_TRY(ran, run_straight(node));
    if (!ran) DEPYF_CHECK(step(node));
  }
  return Unit{};
}

Result<Flow> Explorer::run(PhantomSuccessors which) {
  if (code_.empty()) return Error{Errc::kMalformed, 0, "no instructions"};
  nodes_.reserve(code_.size() / 2 + 1);
  const bool loops = find_entries();
  if (!bytecode_.handlers.empty()) paint_handlers();
  if (loops) find_headers();
  if (dialect_.call_finally) find_setups();
  DEPYF_CHECK(reach(0, 0, 0, 0));
  DEPYF_CHECK(visit_all());
  if (dialect_.call_finally) DEPYF_CHECK(find_phantom(which));
  return Flow{std::move(nodes_), some_unreached_};
}

// 3.12+: a generator's whole body is covered by [STOPITERATION_ERROR, RERAISE] (wrap_in_stopiteration_handler in the
// compiler). PEP 479 says the same without it; and 3.15 gives a depth that the stack does not have everywhere.
bool Explorer::is_stop_iteration(const ExceptionEntry& entry) const {
  const std::size_t target = entry.target;
  return entry.lasti && target + 1 < code_.size() && code_[target].op == Op::STOPITERATION_ERROR &&
         code_[target + 1].op == Op::RERAISE;
}

// get_exception_handler in ceval.c takes the first row that covers the instruction: rows are painted in order, each over
// what is still bare. `next` skips painted stretches, so that overlapping rows cost no more than disjoint ones.
void Explorer::paint_handlers() {
  const auto size = static_cast<std::uint32_t>(code_.size());
  table_row_.assign(size, kNone);
  inverted_.assign(size, JumpInversion::kUnknown);
  std::vector<std::uint32_t> next(size + 1);
  for (std::uint32_t i = 0; i <= size; ++i) next[i] = i;
  const auto bare_from = [&next](std::uint32_t i) {
    while (next[i] != i) i = next[i] = next[next[i]];
    return i;
  };
  for (std::uint32_t row = 0; row < bytecode_.handlers.size(); ++row) {
    const ExceptionEntry& entry = bytecode_.handlers[row];
    const std::uint32_t end = std::min(entry.end, size);
    if (entry.start >= end) continue;
    const std::uint32_t painted = is_stop_iteration(entry) ? kNone : row;
    for (std::uint32_t i = bare_from(entry.start); i < end; i = bare_from(i)) {
      table_row_[i] = painted;
      inverted_[i] = JumpInversion::kNo;
      next[i] = i + 1;
    }
  }
  join_tests();
}

// 3.13+: the compiler inverts and splits conditional jumps after it has assigned handlers (normalize_jumps_in_block in
// Python/flowgraph.c), which may leave one without its own. It tests a bool, so it raises nothing: it joins its test.
void Explorer::join_tests() {
  bool covered = inverted_[0] == JumpInversion::kNo;  // the instruction before
  for (std::size_t i = 1; i < code_.size(); ++i) {
    const bool before = std::exchange(covered, inverted_[i] == JumpInversion::kNo);
    if ((entries_[i] & kEntered) != 0 || !tests_bool(code_[i - 1], code_[i])) continue;
    if (!covered && before) inverted_[i] = JumpInversion::kYes;
    table_row_[i] = table_row_[i - 1];
  }
}

Explorer::Landing Explorer::landing(std::uint32_t node) {
  ContextId context = nodes_[node].context;
  if (dialect_.call_finally && is_moved_swap(node)) context = contexts_.pop_frame(context);
  if (!dialect_.block_stack) {
    const std::uint32_t row = table_row_.empty() ? kNone : table_row_[nodes_[node].index];
    if (row == kNone) return {};
    const ExceptionEntry& entry = bytecode_.handlers[row];
    Landing found{true, entry.target, entry.depth, entry.lasti, 0};
    if (contexts_.hidden(context) != 0) cut_hidden(found, context);
    return found;
  }
  if (context >= landings_.size()) landings_.resize(std::size_t{context} + 1);
  if (!landings_[context].known) landings_[context] = block_landing(context);
  return landings_[context];
}

// compiler_unwind_fblock of 3.8 rotates a return value before POP_BLOCK, that of 3.9 after it. SWAP does not raise.
bool Explorer::is_moved_swap(std::uint32_t node) const {
  const std::size_t first = nodes_[node].index;
  std::size_t i = first;
  while (i < code_.size() && i < first + kRotFour && code_[i].op == Op::SWAP) ++i;
  if (i == first || i == code_.size() || code_[i].op != Op::POP_BLOCK) return false;
  const Frame* top = contexts_.top_frame(nodes_[node].context);
  return top != nullptr && top->kind == FrameKind::kFinally;
}

Explorer::Landing Explorer::block_landing(ContextId context) {
  Landing found;
  found.known = true;
  ContextId c = contexts_.unwound(context);
  const Frame* top = contexts_.top_frame(c);
  if (top == nullptr) return found;
  const Frame frame = *top;
  found.target = frame.target;
  found.depth = frame.level;
  c = contexts_.pop_frame(c);
  while (contexts_.markers(c) > frame.markers) c = contexts_.pop_marker(c);
  c = contexts_.push_frame(c, {FrameKind::kExceptHandler, 0, 0, 0});
  if (dialect_.call_finally) {
    c = contexts_.push_marker(c, {MarkerKind::kException, frame.level + kSixValues - 1, 0});
  }
  found.context = c;
  return found;
}

Status Explorer::handler_edge(std::uint32_t node) {
  if (dialect_.block_stack && contexts_.frames(nodes_[node].context) == 0) return Unit{};
  if (!inverted_.empty()) nodes_[node].inverted = inverted_[nodes_[node].index];
  const Landing to = landing(node);
  if (to.target == kNone) return Unit{};
  if (nodes_[node].depth < to.depth) {
    if (!dialect_.block_stack) too_deep_ = {table_row_[nodes_[node].index], to.depth - nodes_[node].depth};
    return malformed(node, "stack lower than its exception handler expects");
  }
  const std::uint32_t pushed = dialect_.block_stack ? kSixValues : (to.lasti ? 2U : 1U);
  DEPYF_TRY(handler, reach(node, to.target, to.context, to.depth + pushed));
  nodes_[handler].is_handler = true;
  nodes_[node].handler = handler;
  nodes_[node].handler_depth = to.depth;
  nodes_[node].handler_lasti = to.lasti;
  return Unit{};
}

// Whether control comes to the instruction at `index` from the run before it alone, and finds the run's handler there.
bool Explorer::may_join(const Node& run, std::uint32_t index, std::int64_t depth) const {
  if ((entries_[index] & kEntered) != 0 || first_node_[index] != kNone || depth < run.handler_depth) return false;
  return table_row_.empty() || (table_row_[index] == table_row_[run.index] && inverted_[index] == inverted_[run.index]);
}

// What most instructions are: they change nothing but the depth, and nothing can be wrong. All that may join the first
// become one node with it. False: that one needs a step of its own.
Result<bool> Explorer::run_straight(std::uint32_t node) {
  const Node run = nodes_[node];
  if (contexts_.markers(run.context) != 0) return false;
  const Instruction* const code = code_.data();
  const auto last = static_cast<std::uint32_t>(code_.size()) - 1;
  std::uint32_t end = run.index;
  std::int64_t depth = run.depth;
  for (; end < last && kFallsTo[static_cast<std::size_t>(code[end].op)]; ++end) {
    if (end != run.index && !may_join(run, end, depth)) break;
    const Effect e = effect(dialect_.version, code[end], false);
    if (e.pops > depth || depth - e.pops + e.pushes > limits_.max_stack) break;
    if (MarkerKind kind{}; may_make_hidden(code[end].op) && makes_hidden(end, kind)) break;
    depth += e.pushes - e.pops;
  }
  if (end == run.index) return false;
  nodes_[node].count = end - run.index;
  steps_ += end - run.index - 1;
  DEPYF_CHECK(continue_at(node, Emit::kSelf, end, run.context, static_cast<std::uint32_t>(depth)));
  return true;
}

Status Explorer::step(std::uint32_t node) {
  const std::uint32_t index = nodes_[node].index;
  const Instruction& insn = code_[index];
  switch (insn.op) {
    case Op::NOP:
      return continue_at(node, header_or_nothing(index), index + 1, nodes_[node].context, nodes_[node].depth);
    case Op::RESUME:
    case Op::MAKE_CELL:
    case Op::COPY_FREE_VARS:
    case Op::
        GEN_START:  // pops the None that the first send() pushed before the first instruction: our depth starts at 0
      return vanish(node, index + 1);
    case Op::RETURN_GENERATOR:
      if (index + 1 < code_.size() && code_[index + 1].op == Op::POP_TOP) return vanish(node, index + 2);
      return plain(node, nodes_[node].context);
    case Op::JUMP: return vanish(node, insn.target);
    case Op::SETUP_FINALLY:
    case Op::SETUP_WITH:
    case Op::SETUP_ASYNC_WITH: return setup_block(node);
    case Op::POP_BLOCK: return pop_block(node);
    case Op::POP_EXCEPT:
    case Op::END_ASYNC_FOR: return leave_handler(node);
    case Op::BEGIN_FINALLY:
    case Op::CALL_FINALLY: return call_finally(node);
    case Op::END_FINALLY: return end_finally(node);
    case Op::POP_FINALLY: return pop_finally(node);
    case Op::WITH_CLEANUP_START: return with_cleanup_start(node);
    case Op::WITH_CLEANUP_FINISH: return with_cleanup_finish(node);
    default: break;
  }
  if (MarkerKind kind{}; makes_hidden(index, kind)) return hide(node, kind);
  const ContextId context = nodes_[node].context;
  if (contexts_.markers(context) != 0) return step_over_hidden(node);
  return plain(node, context);
}

Status Explorer::continue_at(std::uint32_t node, Emit emit, std::uint32_t index, ContextId context,
                             std::uint32_t depth) {
  nodes_[node].emit = emit;
  DEPYF_TRY(fall, reach(node, index, context, depth));
  nodes_[node].fall = fall;
  return Unit{};
}

Status Explorer::vanish(std::uint32_t node, std::uint32_t index) {
  return continue_at(node, Emit::kNothing, index, nodes_[node].context, nodes_[node].depth);
}

Result<Explorer::After> Explorer::after(std::uint32_t node, const Instruction& insn, ContextId context, bool jump) {
  const std::uint32_t depth = nodes_[node].depth;
  const Effect e = effect(dialect_.version, insn, jump);
  const std::int64_t low = std::int64_t{depth} - e.pops;
  const bool reaches_down = insn.op == Op::COPY || insn.op == Op::SWAP;
  if (low < 0 || (reaches_down && (insn.arg == 0 || insn.arg > depth))) {
    return malformed(node, "operand stack underflow");
  }
  After out{static_cast<std::uint32_t>(low + e.pushes), context};
  if (contexts_.markers(context) == 0) return out;
  DEPYF_TRY(left, markers_after(node, context, static_cast<std::uint32_t>(low)));
  out.context = left;
  return out;
}

Status Explorer::plain(std::uint32_t node, ContextId context) {
  return plain_as(node, at(node), Emit::kSelf, context, nullptr);
}

Status Explorer::plain_as(std::uint32_t node, const Instruction& insn, Emit emit, ContextId context,
                          const Marker* marker) {
  nodes_[node].emit = emit;
  DEPYF_TRY(next_node, after(node, insn, context, false));
  if (marker != nullptr) next_node.context = contexts_.push_marker(next_node.context, *marker);
  if (!is_terminator(insn.op)) {
    DEPYF_CHECK(continue_at(node, emit, nodes_[node].index + 1, next_node.context, next_node.depth));
  }
  if (!is_jump(insn.op) || insn.op == Op::SETUP_WITH) return Unit{};  // that one's target is its handler
  DEPYF_TRY(there, after(node, insn, context, true));
  if (marker != nullptr) there.context = contexts_.push_marker(there.context, *marker);
  DEPYF_TRY(jump, reach(node, insn.target, there.context, there.depth));
  nodes_[node].jump = jump;
  return Unit{};
}

// Whether something jumps back.
bool Explorer::find_entries() {
  entries_.assign(code_.size(), 0);
  bool loops = false;
  for (std::uint32_t i = 0; i < code_.size(); ++i) {
    const std::uint32_t to = code_[i].target;
    if (to >= code_.size()) continue;
    entries_[to] |= to < i ? kEntered | kLoop : kEntered;
    loops = loops || to < i;
  }
  for (const ExceptionEntry& entry : bytecode_.handlers)
    if (entry.target < code_.size()) entries_[entry.target] |= kEntered;
  return loops;
}

// Finds loop headers that do nothing and at which another statement begins. `while True: try: ...` jumps back to its
// SETUP_FINALLY, or the NOP before the protected range, `try: while True: ...` to what follows it (that of `async for` is
// part of asking for the next item);
// `while True: while x: ...` jumps back to a NOP and to what follows it, which a single loop does where its test is
// duplicated at its end (loop inversion).
void Explorer::find_headers() {
  const auto goes_back = [this](std::uint32_t to) { return (entries_[to] & kLoop) != 0; };
  for (std::uint32_t to = 0; to < code_.size(); ++to) {
    if (!goes_back(to)) continue;
    bool is_header = code_[to].op == Op::SETUP_FINALLY && code_[to + 1].op != Op::GET_ANEXT;
    std::uint32_t next = to;
    while (next + 1 < code_.size() && code_[next].op == Op::NOP && (next == to || !goes_back(next))) ++next;
    if (next != to && !dialect_.loop_test_duplicated) is_header = goes_back(next);
    const bool enters = !table_row_.empty() && code_[next].op != Op::NOP && table_row_[next] != table_row_[to];
    if (next != to && enters) is_header = true;
    if (is_header) entries_[to] |= kHeader;
  }
}

Status Explorer::setup_block(std::uint32_t node) {
  const Instruction& insn = at(node);
  const std::uint32_t depth = nodes_[node].depth;
  const ContextId context = nodes_[node].context;
  if (contexts_.frames(context) >= kMaxBlocks) return malformed(node, "block stack overflow");
  if (insn.op != Op::SETUP_FINALLY && depth == 0) return malformed(node, "operand stack underflow");
  // SETUP_WITH has put __exit__ in the manager's place; SETUP_ASYNC_WITH pushes the block below the awaited value.
  const std::uint32_t level = insn.op == Op::SETUP_ASYNC_WITH ? depth - 1 : depth;
  const ContextId inside =
      contexts_.push_frame(context, {FrameKind::kFinally, insn.target, level, contexts_.markers(context)});
  if (insn.op == Op::SETUP_WITH) return plain(node, inside);
  return continue_at(node, header_or_nothing(nodes_[node].index), nodes_[node].index + 1, inside, depth);
}

Status Explorer::pop_block(std::uint32_t node) {
  const Frame* top = contexts_.top_frame(nodes_[node].context);
  if (top == nullptr || top->kind != FrameKind::kFinally) return malformed(node, "POP_BLOCK without a block");
  const ContextId outside = contexts_.pop_frame(nodes_[node].context);
  const std::uint32_t index = nodes_[node].index;
  const bool passes = index > 0 && code_[index - 1].op == Op::SETUP_FINALLY;  // try: pass
  return continue_at(node, passes ? Emit::kHeader : Emit::kNothing, index + 1, outside, nodes_[node].depth);
}

// POP_EXCEPT and END_ASYNC_FOR: up to 3.10 they pop the EXCEPT_HANDLER block as well.
Status Explorer::leave_handler(std::uint32_t node) {
  const ContextId context = nodes_[node].context;
  if (!dialect_.block_stack) return plain(node, context);
  const Frame* top = contexts_.top_frame(context);
  if (top == nullptr || top->kind != FrameKind::kExceptHandler) return malformed(node, "no exception is being handled");
  return plain(node, contexts_.pop_frame(context));
}

Result<Flow> explore(const Bytecode& bytecode, const Dialect& dialect, const Limits& limits, PhantomSuccessors which) {
  Result<Flow> flow = Explorer(bytecode, dialect, limits, dialect.call_finally).run(which);
  if (!flow && dialect.call_finally && which == PhantomSuccessors::kKept)
    return explore(bytecode, dialect, limits, PhantomSuccessors::kDropped);
  if (flow || !dialect.call_finally || flow.error().code != Errc::kMalformed) return flow;
  return Explorer(bytecode, dialect, limits, false).run(which);  // some compiler uses such a None after all
}

Result<Flow> explore_lenient(const Bytecode& bytecode, const Dialect& dialect, const Limits& limits,
                             PhantomSuccessors which) {
  Result<Flow> flow = explore(bytecode, dialect, limits, which);
  if (dialect.block_stack || flow || flow.error().code != Errc::kMalformed) return flow;
  Bytecode lowered = bytecode;
  for (int round = 0; round < kMaxLoweredRows; ++round) {
    Explorer explorer(lowered, dialect, limits, false);
    Result<Flow> again = explorer.run(which);
    const Explorer::TooDeep found = explorer.too_deep();
    if (again) return again;
    if (found.row == kNone) break;
    const ExceptionEntry row = lowered.handlers[found.row];
    for (ExceptionEntry& other : lowered.handlers)
      if (other.target == row.target) other.depth = std::min(other.depth, row.depth - found.by);
  }
  return flow;
}

}  // namespace depyf::flow
