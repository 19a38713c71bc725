// SPDX-License-Identifier: MIT
// build_cfg(): converts the nodes of flow::explore() to basic blocks, then normalizes them (tidy.h).
//
// Invariant: a node that emits nothing is skipped, except for one node of each loop of such nodes, which becomes an
// empty block that jumps to itself: `while True: pass` may be interrupted, so its handler matters.
#include <algorithm>
#include <utility>

#include "cfg/analysis.h"
#include "cfg/cfg.h"
#include "cfg/flow.h"
#include "cfg/lenient.h"
#include "cfg/tidy.h"
#include "support/small_vector.h"

namespace depyf {

namespace {

using flow::Emit;
using flow::kNone;
using flow::Node;

class BlockMaker {
 public:
  BlockMaker(const Bytecode& bytecode, std::vector<Node> nodes) : bytecode_(bytecode), nodes_(std::move(nodes)) {}
  Cfg run();

 private:
  void resolve();
  std::uint32_t representative(std::uint32_t start) const;
  void find_leaders();
  [[nodiscard]] bool ends_endless_loop(const Node& node);
  void fill(BlockId block, std::uint32_t leader);
  void append(const Node& node, std::vector<Instruction>& line) const;
  [[nodiscard]] bool same_handler(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] std::uint32_t target(std::uint32_t node) const { return node == kNone ? kNone : facts_[node].resolved; }
  [[nodiscard]] BlockId block_at(std::uint32_t node) const {
    return node == kNone ? BlockId{} : facts_[target(node)].block;
  }

  const Bytecode& bytecode_;
  std::vector<Node> nodes_;
  struct Facts {
    std::uint32_t resolved = kNone;  // the first node from here on that emits something
    BlockId block;                   // the block of a leader
    std::uint8_t entered = 0;        // Node::entered of a node that resolves to this one
    bool is_leader = false;
    bool is_reached = false;  // another node falls through to it
    bool jumps = false;       // of a node that emits nothing: there is a JUMP on the path to the resolved node
  };
  SmallVector<Facts, 64> facts_;  // by node
  std::vector<bool> is_covered_;  // by instruction: a row of the exception table covers it; computed on demand
  Arena<BlockTag, BasicBlock> blocks_;
};

// Returns the node to keep of a loop of nodes that emit nothing: a backward jump, where the interpreter checks for
// signals.
std::uint32_t BlockMaker::representative(std::uint32_t start) const {
  std::uint32_t n = start;
  do {
    const Instruction& insn = bytecode_.code[nodes_[n].index];
    if (insn.op == Op::JUMP && insn.target <= nodes_[n].index) return n;
    n = nodes_[n].fall;
  } while (n != start);
  return start;
}

void BlockMaker::resolve() {
  constexpr std::uint32_t kOnPath = kNone - 1;
  facts_.assign(nodes_.size(), {});
  SmallVector<std::uint32_t, 16> path;
  for (std::uint32_t start = 0; start < nodes_.size(); ++start) {
    if (facts_[start].resolved != kNone) continue;
    if (nodes_[start].emit != Emit::kNothing) {
      facts_[start].resolved = start;
      continue;
    }
    path.clear();
    std::uint32_t n = start;
    while (facts_[n].resolved == kNone && nodes_[n].emit == Emit::kNothing) {
      facts_[n].resolved = kOnPath;
      path.push_back(n);
      n = nodes_[n].fall;
    }
    std::uint32_t end = facts_[n].resolved == kNone ? n : facts_[n].resolved;
    if (end == kOnPath) end = representative(n);
    facts_[n].resolved = end;
    for (const std::uint32_t skipped : path) facts_[skipped].resolved = end;
    std::reverse(path.begin(), path.end());
    for (const std::uint32_t skipped : path)
      facts_[skipped].jumps =
          bytecode_.code[nodes_[skipped].index].op == Op::JUMP || facts_[nodes_[skipped].fall].jumps;
  }
}

bool BlockMaker::same_handler(std::uint32_t a, std::uint32_t b) const {
  const Node& x = nodes_[a];
  const Node& y = nodes_[b];
  return (x.handler == y.handler || target(x.handler) == target(y.handler)) && x.handler_depth == y.handler_depth &&
         x.handler_lasti == y.handler_lasti;
}

void BlockMaker::find_leaders() {
  facts_[target(0)].is_leader = true;
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].entered == 0) continue;
    facts_[target(n)].is_leader = true;
    facts_[target(n)].entered = nodes_[n].entered;
  }
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (target(n) != n) continue;
    const Node& node = nodes_[n];
    for (const std::uint32_t to : {node.handler, node.jump, node.phantom}) {
      if (to != kNone) facts_[target(to)].is_leader = true;
    }
    const std::uint32_t fall = target(node.fall);
    if (fall == kNone) continue;
    // 3.8: a finally body returns to earlier code
    if (node.jump != kNone || nodes_[fall].index < node.index || facts_[fall].is_reached || facts_[node.fall].jumps ||
        !same_handler(n, fall) || nodes_[fall].emit == Emit::kNothing || node.emit == Emit::kNothing) {
      facts_[fall].is_leader = true;
    }
    facts_[fall].is_reached = true;
  }
}

void BlockMaker::append(const Node& node, std::vector<Instruction>& line) const {
  const Instruction& original = bytecode_.code[node.index];
  const auto put = [&](Op op, std::uint32_t arg = 0) {
    Instruction insn;
    insn.op = op;
    insn.arg = arg;
    insn.offset = original.offset;
    line.push_back(insn);
  };
  const auto pops = [&put](int count) {
    for (; count > 0; --count) put(Op::POP_TOP);
  };
  const auto rotate_down = [&put](std::uint32_t n) {
    for (; n > 1; --n) put(Op::SWAP, n);
  };
  switch (node.emit) {
    case Emit::kNothing: return;
    case Emit::kSelf: line.insert(line.end(), &original, &original + node.count); return;
    case Emit::kPopExcept:
      put(Op::POP_EXCEPT);
      line.back().flags = kFallThroughExit;
      return;
    case Emit::kReraise: return put(Op::RERAISE);
    case Emit::kHeader: return put(Op::NOP);
    case Emit::kWithCall:
      for (int i = 0; i < 3; ++i) put(Op::LOAD_COMMON_CONSTANT, static_cast<std::uint32_t>(CommonConstant::kNone));
      return put(Op::CALL_FUNCTION, 3);
    case Emit::kWithExcept: return put(Op::WITH_EXCEPT_START);
    case Emit::kPopTop:
      put(Op::POP_TOP);
      line.back().flags = static_cast<std::uint8_t>(node.arg);
      return;
    case Emit::kSwallowTest: return put(Op::POP_JUMP_IF_TRUE);
    case Emit::kSwallow:
      pops(3);
      put(Op::POP_EXCEPT);
      return put(Op::POP_TOP);
    case Emit::kDropException:
      put(Op::POP_TOP);
      line.back().flags = kAbruptExit;
      pops(2);
      return put(Op::POP_EXCEPT);
    case Emit::kDropExceptionKeep:  // compiler_unwind_fblock of 3.9, FINALLY_END with preserve_tos
      rotate_down(4);
      pops(3);
      rotate_down(4);
      return put(Op::POP_EXCEPT);
    case Emit::kAdjusted:
      line.push_back(original);
      line.back().arg = node.arg;
      line.back().flags = static_cast<std::uint8_t>(original.flags & ~unsigned{kIterNull});
      return;
    case Emit::kRotateUp:
      for (std::uint32_t n = 2; n <= node.arg; ++n) put(Op::SWAP, n);
      return;
    case Emit::kRotateDown: return rotate_down(node.arg);
  }
}

// Returns whether a node is the jump back at the end of `while True`, whose target follows the NOP that stands for the
// test. The compiler inverts no conditional jump to it. A `continue` jumps to the NOP itself. The NOP of a `try` does
// not count: no row of the exception table covers it.
bool BlockMaker::ends_endless_loop(const Node& node) {
  if (bytecode_.code[node.index].op != Op::JUMP || node.fall == kNone) return false;
  const std::uint32_t to = nodes_[node.fall].index;
  if (to > node.index || to == 0 || bytecode_.code[to - 1].op != Op::NOP) return false;
  if (is_covered_.empty()) {
    is_covered_.resize(bytecode_.code.size());
    for (const Node& n : nodes_)
      std::fill_n(is_covered_.begin() + n.index, n.count, n.inverted != JumpInversion::kUnknown);
  }
  return is_covered_[to - 1];
}

void BlockMaker::fill(BlockId block, std::uint32_t leader) {
  BasicBlock& out = blocks_[block];
  out.entry_depth = nodes_[leader].depth;
  out.first_index = nodes_[leader].index;
  out.is_handler = nodes_[leader].is_handler;
  out.entered = facts_[leader].entered;
  const Node& first = nodes_[leader];
  if (first.handler != kNone) out.handler = {block_at(first.handler), first.handler_depth, first.handler_lasti};
  const auto next = [this](std::uint32_t node) {
    const std::uint32_t fall = target(nodes_[node].fall);
    return fall == kNone || facts_[fall].is_leader ? kNone : fall;
  };
  std::uint32_t n = leader, count = 0;
  for (std::uint32_t i = leader; i != kNone; i = next(i)) count += nodes_[i].emit == Emit::kSelf ? nodes_[i].count : 1;
  out.code.reserve(count);
  for (std::uint32_t i = leader; i != kNone; i = next(i)) {
    n = i;
    // A loop that starts at a block starts with its other code.
    if (nodes_[i].emit != Emit::kHeader || next(i) == kNone) append(nodes_[i], out.code);
  }
  out.inverted = nodes_[n].inverted;
  out.has_phantom = nodes_[n].emit == Emit::kReraise;
  out.phantom = block_at(nodes_[n].phantom);
  out.fall = block_at(nodes_[n].fall);
  out.jump = block_at(nodes_[n].jump);
  if (nodes_[n].jump == kNone) return;
  const Node& to = nodes_[nodes_[n].jump];
  if (ends_endless_loop(to)) out.inverted = JumpInversion::kUnknown;
  if (bytecode_.code[to.index].op == Op::NOP) out.jump_nop = bytecode_.code[to.index].offset;
}

Cfg BlockMaker::run() {
  resolve();
  find_leaders();
  const auto count = static_cast<std::size_t>(
      std::count_if(facts_.begin(), facts_.end(), [](const Facts& facts) { return facts.is_leader; }));
  SmallVector<std::uint32_t, 64> leaders;
  blocks_.reserve(count);
  const auto add = [&](std::uint32_t n) {
    facts_[n].block = blocks_.add();
    leaders.push_back(n);
  };
  add(target(0));
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (facts_[n].is_leader && n != target(0)) add(n);
  }
  for (std::uint32_t i = 0; i < leaders.size(); ++i) fill(BlockId{i}, leaders[i]);
  return Cfg{std::move(blocks_), false};
}

// Fails if COPY_FREE_VARS does not fill exactly the slots of the free variables. It only checks reachable instructions,
// as Dynamo's code may contain unreachable code of the original function.
Status check_free_variables(const flow::Flow& explored, const CodeObject& object, const Bytecode& bytecode) {
  for (const Node& node : explored.nodes) {
    const Instruction& insn = bytecode.code[node.index];
    if (insn.op == Op::COPY_FREE_VARS && insn.arg != object.freevars.size())
      return Error{Errc::kMalformed, insn.offset, "COPY_FREE_VARS: argument out of range"};
  }
  return Unit{};
}

// Returns the handler around a `try` statement: the one that protects the clean-up code of its handlers (COPY 3;
// POP_EXCEPT; RERAISE 1).
Handler enclosing_handler(const Cfg& cfg, const Handler& inner) {
  const Handler& cleanup = cfg.blocks[inner.block].handler;
  return cleanup.block.valid() && cleanup.lasti ? cfg.blocks[cleanup.block].handler : cleanup;
}

// Gives loop headers a handler. A loop that starts with a `try` starts with its NOP (3.11+), which no row of the
// exception table covers (label_exception_targets in Python/flowgraph.c). It gets the handler around the `try`, unless
// a forward predecessor has the handler of the NOP's successor, which shows that the `try` is empty: then it gets that
// one, and the NOP is removed. NOPs that are no loop headers are removed, too: since handlers are at the end
// (push_cold_blocks_to_end), the code after a statement may be the target of a backward jump without a loop.
void set_header_handlers(Cfg& cfg) {
  std::vector<BlockId> headers;
  for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i) {
    const auto& b = cfg.blocks[BlockId{i}];
    if (b.code.size() == 1 && b.code[0].op == Op::NOP && b.fall.valid()) headers.push_back(BlockId{i});
  }
  if (headers.empty()) return;
  const Order order = reverse_postorder(cfg, EdgeKinds::kAll);
  std::vector<bool> is_loop(cfg.blocks.size()), is_empty(cfg.blocks.size());
  for (const BlockId from : order.blocks)
    for (const BlockId to : successors(cfg, from, EdgeKinds::kNormal)) {
      const BlockId fall = cfg.blocks[to].fall;
      if (order.position[to.n] <= order.position[from.n])
        is_loop[to.n] = true;
      else if (fall.valid() && cfg.blocks[from].handler == cfg.blocks[fall].handler)
        is_empty[to.n] = true;
    }
  for (const BlockId header : headers) {
    auto& b = cfg.blocks[header];
    const Handler& inner = cfg.blocks[b.fall].handler;
    const bool enters_range = !b.handler.block.valid() && inner.block.valid();
    if (!is_loop[header.n] || (enters_range && is_empty[header.n])) b.code.clear();
    if (is_loop[header.n] && enters_range) b.handler = is_empty[header.n] ? inner : enclosing_handler(cfg, inner);
  }
}

Result<Cfg> finish_graph(flow::Flow explored, const CodeTree& tree, CodeId code, const Bytecode& bytecode,
                         const Dialect& dialect, PhantomSuccessors which) {
  DEPYF_CHECK(check_free_variables(explored, tree.codes[code], bytecode));
  Cfg cfg = BlockMaker(bytecode, std::move(explored.nodes)).run();
  cfg.keeps_phantoms = which == PhantomSuccessors::kKept;
  cfg.some_unreached = explored.some_unreached;
  constexpr std::uint32_t kResumable = kCoGenerator | kCoCoroutine | kCoAsyncGenerator;
  if ((tree.codes[code].flags & kResumable) != 0) collapse_awaits(cfg, dialect);
  if (dialect.exception_table) set_header_handlers(cfg);
  tidy(cfg);
  if (dialect.jumps_on_none) fold_none_tests(cfg, tree, code);
  return cfg;
}

}  // namespace

Result<Cfg> build_cfg(const CodeTree& tree, CodeId code, const Bytecode& bytecode, const Dialect& dialect,
                      const Limits& limits, PhantomSuccessors which) {
  DEPYF_TRY(explored, flow::explore(bytecode, dialect, limits, which));
  return finish_graph(std::move(explored), tree, code, bytecode, dialect, which);
}

Result<Cfg> build_lenient_cfg(const CodeTree& tree, CodeId code, const Bytecode& bytecode, const Dialect& dialect,
                              const Limits& limits, PhantomSuccessors which) {
  DEPYF_TRY(explored, flow::explore_lenient(bytecode, dialect, limits, which));
  return finish_graph(std::move(explored), tree, code, bytecode, dialect, which);
}

}  // namespace depyf
