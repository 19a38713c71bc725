// SPDX-License-Identifier: MIT
// validate(): checks the form of blocks, stack depths on every edge, handlers, reachability and order of a graph.
//
// Invariant: does not depend on the builder; it recomputes depths with effect().
#include <utility>
#include <vector>

#include "cfg/dump.h"

namespace depyf {

namespace {

class Validator {
 public:
  Validator(const Cfg& cfg, const Dialect& dialect, bool rewritten)
      : cfg_(cfg), dialect_(dialect), rewritten_(rewritten) {}
  Status run();

 private:
  [[nodiscard]] Error broken(BlockId id, std::size_t at, const char* message) const;
  Status check_block(BlockId id);
  Status check_handler(BlockId id);
  Status check_instruction(BlockId id, std::size_t i, std::int64_t& depth);
  Status check_edge(BlockId from, BlockId to, std::int64_t depth);
  [[nodiscard]] std::vector<bool> reachable() const;

  const Cfg& cfg_;
  const Dialect& dialect_;
  const bool rewritten_;
  std::vector<bool> is_handler_;
};

bool is_banned(Op op) {
  return is_one_of<Op::JUMP, Op::RESUME, Op::GEN_START, Op::MAKE_CELL, Op::COPY_FREE_VARS, Op::SETUP_FINALLY,
                   Op::SETUP_ASYNC_WITH, Op::POP_BLOCK, Op::BEGIN_FINALLY, Op::CALL_FINALLY, Op::POP_FINALLY,
                   Op::END_FINALLY, Op::WITH_CLEANUP_START, Op::WITH_CLEANUP_FINISH>(op);
}

// Returns whether the operation may jump to the `jump` of its block. SETUP_WITH names a handler.
bool takes_jump(Op op) { return is_jump(op) && op != Op::SETUP_WITH; }

Error Validator::broken(BlockId id, std::size_t at, const char* message) const {
  const BasicBlock& b = cfg_.blocks[id];
  const std::size_t offset = at < b.code.size() ? b.code[at].offset : kNowhere;
  return Error{Errc::kInternal, offset, "graph: B" + std::to_string(id.n) + ": " + message};
}

Status Validator::check_edge(BlockId from, BlockId to, std::int64_t depth) {
  if (!to) return Unit{};
  if (cfg_.blocks[to].entry_depth != depth) return broken(from, 0, "depth differs from its successor's");
  return Unit{};
}

Status Validator::check_handler(BlockId id) {
  const BasicBlock& b = cfg_.blocks[id];
  if (!b.handler.block) return Unit{};
  is_handler_[b.handler.block.n] = true;
  const std::uint32_t pushed = dialect_.block_stack ? 6U : (b.handler.lasti ? 2U : 1U);
  return check_edge(id, b.handler.block, std::int64_t{b.handler.depth} + pushed);
}

Status Validator::check_block(BlockId id) {
  const BasicBlock& b = cfg_.blocks[id];
  for (const BlockId to : {b.fall, b.jump, b.handler.block}) {
    if (to && to.n >= cfg_.blocks.size()) return broken(id, 0, "successor out of range");
  }
  if (b.code.empty() && rewritten_) return Unit{};  // the test of a case; its pattern knows its stack effect
  if (b.code.empty() && (b.jump || b.fall != id)) return broken(id, 0, "empty");
  DEPYF_CHECK(check_handler(id));
  std::int64_t depth = b.entry_depth;
  for (std::size_t i = 0; i < b.code.size(); ++i) DEPYF_CHECK(check_instruction(id, i, depth));
  const bool jumps = !b.code.empty() && takes_jump(b.code.back().op);
  if (jumps != b.jump.valid()) return broken(id, 0, "jump target without a jump");
  if (rewritten_ && b.code.back().op == Op::POP_BLOCK && !b.fall) return Unit{};  // a finally body that never ends
  const bool falls = b.code.empty() || !is_terminator(b.code.back().op);
  if (falls != b.fall.valid()) return broken(id, 0, "fall-through and last instruction disagree");
  return check_edge(id, b.fall, depth);
}

// Checks the i-th instruction of a block, and changes `depth` by its effect on the stack.
Status Validator::check_instruction(BlockId id, std::size_t i, std::int64_t& depth) {
  const BasicBlock& b = cfg_.blocks[id];
  const Instruction& insn = b.code[i];
  const bool is_after_end = i > 0 && (takes_jump(b.code[i - 1].op) || is_terminator(b.code[i - 1].op));
  // A NOP is at a loop header, or at the end of the block before one.
  const bool is_header = insn.op == Op::NOP && (i == 0 || i + 1 == b.code.size());
  const bool is_marker = rewritten_ && insn.op == Op::POP_BLOCK;  // of a finally body
  if (is_after_end || (is_banned(insn.op) && !is_marker) || (insn.op == Op::NOP && !is_header))
    return broken(id, i, "instruction in the wrong place");
  if (b.handler.block && depth < b.handler.depth) return broken(id, i, "stack lower than the handler's");
  if (is_marker) return Unit{};
  const Effect e = effect(dialect_.version, insn, false);
  if (depth < e.pops) return broken(id, i, "stack underflow");
  if (takes_jump(insn.op)) {
    const Effect j = effect(dialect_.version, insn, true);
    if (!b.jump) return broken(id, i, "jump without a target");
    DEPYF_CHECK(check_edge(id, b.jump, depth - j.pops + j.pushes));
  }
  depth += e.pushes - e.pops;
  return Unit{};
}

std::vector<bool> Validator::reachable() const {
  std::vector<bool> seen(cfg_.blocks.size(), false);
  std::vector<BlockId> work{BlockId{0}};
  seen[0] = true;
  while (!work.empty()) {
    const BasicBlock& b = cfg_.blocks[work.back()];
    work.pop_back();
    for (const BlockId to : {b.fall, b.jump, b.handler.block, b.phantom}) {
      if (!to || to.n >= seen.size() || seen[to.n]) continue;
      seen[to.n] = true;
      work.push_back(to);
    }
  }
  return seen;
}

Status Validator::run() {
  const auto count = static_cast<std::uint32_t>(cfg_.blocks.size());
  if (count == 0) return Error{Errc::kInternal, kNowhere, "graph: no entry"};
  is_handler_.assign(count, false);
  if (cfg_.blocks[BlockId{0}].entry_depth != 0) return broken(BlockId{0}, 0, "depth at the entry is not 0");
  const std::vector<bool> reached = reachable();
  for (std::uint32_t b = 0; b < count; ++b) {
    if (reached[b] || !rewritten_) DEPYF_CHECK(check_block(BlockId{b}));
  }
  if (rewritten_) return Unit{};
  for (std::uint32_t b = 0; b < count; ++b) {
    const BasicBlock& block = cfg_.blocks[BlockId{b}];
    if (!reached[b]) return broken(BlockId{b}, 0, "unreachable");
    if (block.is_handler != is_handler_[b]) return broken(BlockId{b}, 0, "is_handler is wrong");
    if (b > 1 && block.first_index < cfg_.blocks[BlockId{b - 1}].first_index) {
      return broken(BlockId{b}, 0, "out of order");
    }
  }
  return Unit{};
}

}  // namespace

Status validate(const Cfg& cfg, const Dialect& dialect) { return Validator(cfg, dialect, false).run(); }

Status validate_rewritten(const Cfg& cfg, const Dialect& dialect) { return Validator(cfg, dialect, true).run(); }

}  // namespace depyf
