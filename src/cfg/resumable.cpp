// SPDX-License-Identifier: MIT
// Generators and coroutines: what 3.11+ compilers spell out, and earlier ones leave to the interpreter, is taken back.
//
// Invariant: behaviour is that of the earlier spelling. A loop of other shape than codegen_add_yield_from's
// (Python/codegen.c) is left alone.
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
  [[nodiscard]] bool is_await(BlockId send);
  [[nodiscard]] bool is_cleanup(const Handler& handler, const BasicBlock& send);
  void count_edges();
  // The block where `count` collapsed loops go on; END_SEND goes.
  BlockId without_end_send(BlockId exit, std::uint32_t count);

  Cfg& cfg_;
  const Dialect& dialect_;
  std::vector<std::uint32_t> edges_in_;  // normal ones
  std::vector<bool> is_handler_;
};

void AwaitCollapser::count_edges() {
  const auto count = static_cast<std::uint32_t>(cfg_.blocks.size());
  edges_in_.assign(count, 0);
  is_handler_.assign(count, false);
  for (std::uint32_t b = 0; b < count; ++b) {
    const BasicBlock& from = block(BlockId{b});
    if (from.fall) ++edges_in_[from.fall.n];
    if (from.jump) ++edges_in_[from.jump.n];
    if (from.handler.block) is_handler_[from.handler.block.n] = true;
  }
}

// [CLEANUP_THROW], going on where SEND jumps to: it turns StopIteration into SEND's result.
bool AwaitCollapser::is_cleanup(const Handler& handler, const BasicBlock& send) {
  const BasicBlock& b = block(handler.block);
  return b.code.size() == 1 && b.code[0].op == Op::CLEANUP_THROW && b.fall == send.jump && edges_in_[handler.block.n] == 0;
}

// send: [SEND] falls to [YIELD_VALUE], which falls back; jumps to the exit.
bool AwaitCollapser::is_await(BlockId id) {
  const BasicBlock& send = block(id);
  if (send.code.size() != 1 || send.code[0].op != Op::SEND || !send.jump || !send.fall) return false;
  const BasicBlock& yield = block(send.fall);
  if (yield.code.size() != 1 || yield.code[0].op != Op::YIELD_VALUE || yield.fall != id) return false;
  if (edges_in_[send.fall.n] != 1 || is_handler_[send.fall.n] || is_handler_[id.n]) return false;
  if (!yield.handler.block || yield.handler == send.handler) return yield.handler == send.handler;
  return is_cleanup(yield.handler, send);
}

BlockId AwaitCollapser::without_end_send(BlockId exit, std::uint32_t count) {
  if (block(exit).code.empty() || block(exit).code[0].op != Op::END_SEND) return exit;
  BlockId target = exit;
  if (edges_in_[exit.n] != count || is_handler_[exit.n]) {
    BasicBlock copy = block(exit);
    target = cfg_.blocks.add(std::move(copy));
  }
  BasicBlock& b = block(target);
  const Effect e = effect(dialect_.version, b.code[0], false);
  b.entry_depth = static_cast<std::uint32_t>(std::int64_t{b.entry_depth} - e.pops + e.pushes);
  b.code.erase(b.code.begin());
  b.index.erase(b.index.begin());
  return target;
}

void AwaitCollapser::run() {
  count_edges();
  std::vector<BlockId> sends;
  std::vector<std::uint32_t> collapsed_in(cfg_.blocks.size(), 0);  // of each exit: edges that go
  std::vector<bool> is_counted(cfg_.blocks.size(), false);        // clean-up blocks
  for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
    if (!is_await(BlockId{b})) continue;
    sends.push_back(BlockId{b});
    const BasicBlock& send = block(BlockId{b});
    ++collapsed_in[send.jump.n];
    const Handler& handler = block(send.fall).handler;
    if (handler == send.handler || is_counted[handler.block.n]) continue;
    is_counted[handler.block.n] = true;
    ++collapsed_in[send.jump.n];
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
