// SPDX-License-Identifier: MIT
// collapse_awaits(): replaces the loop that 3.11+ compilers emit for `await` and `yield from` (codegen_add_yield_from
// in Python/codegen.c) by YIELD_FROM, the single instruction of earlier versions.
//
//   send: SEND exit; YIELD_VALUE; JUMP send; exit: END_SEND    becomes    YIELD_FROM
//
// Invariant: behaviour is unchanged; loops of any other shape are not rewritten.
#include "cfg/tidy.h"

#include <vector>

namespace depyf {

namespace {

class AwaitCollapser {
 public:
  AwaitCollapser(Cfg& cfg, const Dialect& dialect) : cfg_(cfg), dialect_(dialect) {}
  void run();

 private:
  [[nodiscard]] BasicBlock& block(BlockId b) { return cfg_.blocks[b]; }
  [[nodiscard]] bool has_end_send(BlockId exit);
  [[nodiscard]] bool is_await(BlockId send);
  [[nodiscard]] bool is_cleanup(const Handler& handler, const BasicBlock& send);
  void count_edges();
  // Removes END_SEND from the exit of `count` collapsed loops, or from a copy if it has other predecessors. Returns
  // that block.
  BlockId without_end_send(BlockId exit, std::uint32_t count);

  Cfg& cfg_;
  const Dialect& dialect_;
  std::vector<std::uint32_t> edges_in_;  // by block: number of normal edges to it
  std::vector<std::uint32_t> covers_;    // by handler: number of blocks that it protects
};

void AwaitCollapser::count_edges() {
  const auto count = static_cast<std::uint32_t>(cfg_.blocks.size());
  edges_in_.assign(count, 0);
  covers_.assign(count, 0);
  for (std::uint32_t b = 0; b < count; ++b) {
    const BasicBlock& from = block(BlockId{b});
    if (from.fall) ++edges_in_[from.fall.n];
    if (from.jump) ++edges_in_[from.jump.n];
    if (from.handler.block) ++covers_[from.handler.block.n];
  }
}

// Returns whether a handler is [CLEANUP_THROW] and continues at the exit of SEND: it turns StopIteration into SEND's
// result.
bool AwaitCollapser::is_cleanup(const Handler& handler, const BasicBlock& send) {
  const BasicBlock& b = block(handler.block);
  return b.code.size() == 1 && b.code[0].op == Op::CLEANUP_THROW && b.fall == send.jump &&
         edges_in_[handler.block.n] == 0;
}

bool AwaitCollapser::has_end_send(BlockId exit) {
  const BasicBlock& b = block(exit);
  return !b.code.empty() && b.code[0].op == Op::END_SEND && (b.code[0].flags & kIterNull) == 0;
}

// Returns whether a block is the SEND of such a loop: it falls through to [YIELD_VALUE], which falls back to it, and
// jumps to the exit, which starts with END_SEND if SEND does not pop its receiver (3.12+).
bool AwaitCollapser::is_await(BlockId id) {
  const BasicBlock& send = block(id);
  if (send.code.size() != 1 || send.code[0].op != Op::SEND || !send.jump || !send.fall) return false;
  const Effect jump = effect(dialect_.version, send.code[0], true);
  if ((send.code[0].flags & kIterNull) != 0 || (jump.pushes == jump.pops) != has_end_send(send.jump)) return false;
  const BasicBlock& yield = block(send.fall);
  if (yield.code.size() != 1 || yield.code[0].op != Op::YIELD_VALUE || yield.fall != id) return false;
  if (edges_in_[send.fall.n] != 1 || covers_[send.fall.n] != 0 || covers_[id.n] != 0) return false;
  if (!yield.handler.block || yield.handler == send.handler) return yield.handler == send.handler;
  return is_cleanup(yield.handler, send);
}

BlockId AwaitCollapser::without_end_send(BlockId exit, std::uint32_t count) {
  if (!has_end_send(exit)) return exit;
  BlockId target = exit;
  if (edges_in_[exit.n] != count || covers_[exit.n] != 0) {
    BasicBlock copy = block(exit);
    target = cfg_.blocks.add(std::move(copy));
  }
  BasicBlock& b = block(target);
  const Effect e = effect(dialect_.version, b.code[0], false);
  b.entry_depth = static_cast<std::uint32_t>(std::int64_t{b.entry_depth} - e.pops + e.pushes);
  b.code.erase(b.code.begin());
  return target;
}

void AwaitCollapser::run() {
  count_edges();
  std::vector<BlockId> sends;
  std::vector<std::uint32_t> collapsed_in(cfg_.blocks.size(), 0);  // by exit: number of edges that disappear
  for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
    if (!is_await(BlockId{b})) continue;
    sends.push_back(BlockId{b});
    const BasicBlock& send = block(BlockId{b});
    ++collapsed_in[send.jump.n];
    const Handler& handler = block(send.fall).handler;
    // A clean-up block becomes unreachable with the last YIELD_VALUE that it protects.
    if (handler != send.handler && --covers_[handler.block.n] == 0) ++collapsed_in[send.jump.n];
  }
  std::vector<BlockId> exits(cfg_.blocks.size());
  for (const BlockId id : sends) {
    const BlockId old = block(id).jump;
    if (!exits[old.n]) exits[old.n] = without_end_send(old, collapsed_in[old.n]);
    BasicBlock& send = block(id);
    send.code[0].op = Op::YIELD_FROM;
    send.code[0].target = kNoTarget;
    send.fall = exits[old.n];
    send.jump = {};
  }
}

}  // namespace

void collapse_awaits(Cfg& cfg, const Dialect& dialect) {
  if (dialect.block_stack) return;
  AwaitCollapser(cfg, dialect).run();
}

}  // namespace depyf
