// SPDX-License-Identifier: MIT
// Turns asynchronous loops into FOR_ITER loops (with kIterAsync), so that later passes see one kind of loop with one
// exit.
//
// Input shape (codegen_async_for and codegen_async_comprehension_generator in Python/codegen.c): H: [range] GET_ANEXT;
// None; YIELD_FROM [/range]; target; body; JUMP H; handler of that range: END_ASYNC_FOR; orelse. StopAsyncIteration
// ends the loop, so the handler becomes the exit edge of FOR_ITER. The handler must protect only the block that
// requests the next item; any other shape is kept.
#include "cfg/shapes.h"
#include "deopt/deopt.h"
#include "support/small_vector.h"

namespace depyf::deopt {

namespace {

class AsyncLoops {
 public:
  explicit AsyncLoops(Cfg& cfg) : cfg_(cfg), protected_counts_(cfg.blocks.size(), 0) {}

  void run() {
    for (std::uint32_t i = 0; i < protected_counts_.size(); ++i)
      if (const auto h = block(i).handler.block; h.valid()) ++protected_counts_[h.n];
    for (std::uint32_t i = 0; i < protected_counts_.size(); ++i) rewrite_loop(i);
  }

 private:
  BasicBlock& block(std::uint32_t i) { return cfg_.blocks[BlockId{i}]; }

  void rewrite_loop(std::uint32_t i) {
    auto& head = block(i);
    if (head.code.size() != 3 || head.code[0].op != Op::GET_ANEXT || head.code[2].op != Op::YIELD_FROM) return;
    if (!loads_constant(head.code[1])) return;
    const auto h = head.handler.block;
    if (!h.valid() || protected_counts_[h.n] != 1 || !head.fall.valid() || head.jump.valid()) return;
    auto& exit = block(h.n);
    if (exit.code.empty() || exit.code[0].op != Op::END_ASYNC_FOR || head.handler.depth != head.entry_depth) return;
    Instruction for_iter;
    for_iter.op = Op::FOR_ITER;
    for_iter.flags = kIterAsync;
    for_iter.offset = head.code[0].offset;
    head.code = {for_iter};
    head.jump = h;
    head.handler = exit.handler;
    exit.code.erase(exit.code.begin());
    exit.is_handler = false;
    exit.entry_depth = head.entry_depth - 1;
  }

  Cfg& cfg_;
  SmallVector<std::uint32_t, 32> protected_counts_;  // by handler: the number of blocks that it protects
};

}  // namespace

void loop_over_async_iterators(Cfg& cfg) { AsyncLoops(cfg).run(); }

}  // namespace depyf::deopt
