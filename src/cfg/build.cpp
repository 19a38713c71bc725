// SPDX-License-Identifier: MIT
// build_cfg(): from the flow's nodes to basic blocks.
//
// Invariant: a node that stands for nothing leaves no trace, except one of each loop of such nodes: an empty block that
// jumps to itself (`while True: pass` may be interrupted, so its handler matters). Shapes are refined by tidy.h.
#include <algorithm>
#include <utility>

#include "cfg/cfg.h"
#include "cfg/flow.h"
#include "cfg/tidy.h"

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
  void fill(BlockId block, std::uint32_t leader);
  void append(BasicBlock& block, const Node& node) const;
  [[nodiscard]] bool same_handler(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] std::uint32_t target(std::uint32_t node) const { return node == kNone ? kNone : resolved_[node]; }
  [[nodiscard]] BlockId block_at(std::uint32_t node) const {
    return node == kNone ? BlockId{} : block_of_[target(node)];
  }

  const Bytecode& bytecode_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> resolved_;  // the node that control really reaches
  std::vector<bool> is_leader_;
  std::vector<std::uint8_t> entered_;  // Node::entered, of the nodes that control really reaches
  std::vector<BlockId> block_of_;      // of leaders
  Arena<BlockTag, BasicBlock> blocks_;
};

// Of a loop of nodes that stand for nothing, the one to keep: a backward jump, where the interpreter looks for signals.
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
  resolved_.assign(nodes_.size(), kNone);
  std::vector<std::uint32_t> path;
  for (std::uint32_t start = 0; start < nodes_.size(); ++start) {
    path.clear();
    std::uint32_t n = start;
    while (resolved_[n] == kNone && nodes_[n].emit == Emit::kNothing) {
      resolved_[n] = kOnPath;
      path.push_back(n);
      n = nodes_[n].fall;
    }
    std::uint32_t end = resolved_[n] == kNone ? n : resolved_[n];
    if (end == kOnPath) end = representative(n);
    resolved_[n] = end;
    for (const std::uint32_t passed : path) resolved_[passed] = end;
  }
}

bool BlockMaker::same_handler(std::uint32_t a, std::uint32_t b) const {
  const Node& x = nodes_[a];
  const Node& y = nodes_[b];
  return target(x.handler) == target(y.handler) && x.handler_depth == y.handler_depth &&
         x.handler_lasti == y.handler_lasti;
}

void BlockMaker::find_leaders() {
  is_leader_.assign(nodes_.size(), false);
  std::vector<bool> is_reached(nodes_.size(), false);
  is_leader_[resolved_[0]] = true;
  entered_.assign(nodes_.size(), 0);
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (nodes_[n].entered == 0) continue;
    is_leader_[resolved_[n]] = true;
    entered_[resolved_[n]] = nodes_[n].entered;
  }
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (resolved_[n] != n) continue;
    const std::uint32_t fall = target(nodes_[n].fall);
    const std::uint32_t jump = target(nodes_[n].jump);
    const std::uint32_t handler = target(nodes_[n].handler);
    if (handler != kNone) is_leader_[handler] = true;
    if (jump != kNone) is_leader_[jump] = true;
    if (nodes_[n].behind != kNone) is_leader_[target(nodes_[n].behind)] = true;
    if (fall == kNone) continue;
    if (jump != kNone || is_reached[fall] || !same_handler(n, fall) || nodes_[fall].emit == Emit::kNothing ||
        nodes_[n].emit == Emit::kNothing) {
      is_leader_[fall] = true;
    }
    is_reached[fall] = true;
  }
}

void BlockMaker::append(BasicBlock& block, const Node& node) const {
  const Instruction& original = bytecode_.code[node.index];
  const auto put = [&](Op op, std::uint32_t arg = 0) {
    Instruction insn;
    insn.op = op;
    insn.arg = arg;
    insn.offset = original.offset;
    block.code.push_back(insn);
    block.index.push_back(node.index);
  };
  const auto pops = [&put](int count) {
    for (; count > 0; --count) put(Op::POP_TOP);
  };
  const auto rotate_down = [&put](std::uint32_t n) {
    for (; n > 1; --n) put(Op::SWAP, n);
  };
  switch (node.emit) {
    case Emit::kNothing: return;
    case Emit::kSelf:
      block.code.push_back(original);
      block.index.push_back(node.index);
      return;
    case Emit::kPopExcept:
      put(Op::POP_EXCEPT);
      block.code.back().flags = kOwnEnd;
      return;
    case Emit::kReraise: return put(Op::RERAISE);
    case Emit::kHeader: return put(Op::NOP);
    case Emit::kWithCall:
      for (int i = 0; i < 3; ++i) put(Op::LOAD_COMMON_CONSTANT, static_cast<std::uint32_t>(CommonConstant::kNone));
      return put(Op::CALL_FUNCTION, 3);
    case Emit::kWithExcept: return put(Op::WITH_EXCEPT_START);
    case Emit::kPopTop:
      put(Op::POP_TOP);
      block.code.back().flags = static_cast<std::uint8_t>(node.arg);
      return;
    case Emit::kSwallowTest: return put(Op::POP_JUMP_IF_TRUE);
    case Emit::kSwallow:
      pops(3);
      put(Op::POP_EXCEPT);
      return put(Op::POP_TOP);
    case Emit::kDropException: pops(3); return put(Op::POP_EXCEPT);
    case Emit::kDropExceptionKeep:  // compiler_unwind_fblock of 3.9, FINALLY_END with preserve_tos
      rotate_down(4);
      pops(3);
      rotate_down(4);
      return put(Op::POP_EXCEPT);
    case Emit::kAdjusted:
      block.code.push_back(original);
      block.code.back().arg = node.arg;
      block.code.back().flags = static_cast<std::uint8_t>(original.flags & ~unsigned{kIterNull});
      block.index.push_back(node.index);
      return;
    case Emit::kRotateUp:
      for (std::uint32_t n = 2; n <= node.arg; ++n) put(Op::SWAP, n);
      return;
    case Emit::kRotateDown: return rotate_down(node.arg);
  }
}

void BlockMaker::fill(BlockId block, std::uint32_t leader) {
  BasicBlock made;
  made.entry_depth = nodes_[leader].depth;
  made.first_index = nodes_[leader].index;
  made.is_handler = nodes_[leader].is_handler;
  made.entered = entered_[leader];
  const Node& first = nodes_[leader];
  if (first.handler != kNone) made.handler = {block_at(first.handler), first.handler_depth, first.handler_lasti};
  const auto next = [this](std::uint32_t node) {
    const std::uint32_t fall = target(nodes_[node].fall);
    return fall == kNone || is_leader_[fall] ? kNone : fall;
  };
  std::size_t size = 0;
  for (std::uint32_t i = leader; i != kNone; i = next(i)) ++size;
  made.code.reserve(size);
  made.index.reserve(size);
  std::uint32_t n = leader;
  for (std::uint32_t i = leader; i != kNone; i = next(i)) append(made, nodes_[n = i]);
  made.turned = nodes_[n].turned;
  made.shows_behind = nodes_[n].emit == Emit::kReraise;
  made.behind = block_at(nodes_[n].behind);
  made.fall = block_at(nodes_[n].fall);
  made.jump = block_at(nodes_[n].jump);
  blocks_[block] = std::move(made);
}

Cfg BlockMaker::run() {
  resolve();
  find_leaders();
  block_of_.assign(nodes_.size(), BlockId{});
  const auto count = static_cast<std::size_t>(std::count(is_leader_.begin(), is_leader_.end(), true));
  std::vector<std::uint32_t> leaders;
  leaders.reserve(count);
  blocks_.reserve(count);
  const auto add = [&](std::uint32_t n) {
    block_of_[n] = blocks_.add({});
    leaders.push_back(n);
  };
  add(resolved_[0]);
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    if (is_leader_[n] && n != resolved_[0]) add(n);
  }
  for (std::uint32_t i = 0; i < leaders.size(); ++i) fill(BlockId{i}, leaders[i]);
  return Cfg{std::move(blocks_)};
}

}  // namespace

Result<Cfg> build_cfg(const CodeTree& tree, CodeId code, const Bytecode& bytecode, const Dialect& dialect,
                      const Limits& limits) {
  DEPYF_TRY(found, flow::explore(bytecode, dialect, limits));
  Cfg cfg = BlockMaker(bytecode, std::move(found.nodes)).run();
  constexpr std::uint32_t kResumable = kCoGenerator | kCoCoroutine | kCoAsyncGenerator;
  if ((tree.codes[code].flags & kResumable) != 0) collapse_awaits(cfg, dialect);
  tidy(cfg);
  return cfg;
}

}  // namespace depyf
