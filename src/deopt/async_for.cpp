// SPDX-License-Identifier: MIT
// Asynchronous loops as loops: later passes see FOR_ITER, marked as asynchronous, and one exit.
//
// Shape (codegen_async_for and codegen_async_comprehension_generator in Python/codegen.c): H: [range] GET_ANEXT; None;
// YIELD_FROM [/range]; target; body; JUMP H; handler of that range: END_ASYNC_FOR; orelse. Invariant: nothing but the
// asking for the next item is in the handler's range; any other shape is kept.
#include "cfg/shapes.h"
#include "deopt/deopt.h"
#include "support/small_vector.h"

namespace depyf::deopt {

namespace {

class AsyncLoops {
 public:
  explicit AsyncLoops(Cfg& cfg) : cfg_(cfg), covers_(cfg.blocks.size(), 0) {}

  void run() {
    for (std::uint32_t i = 0; i < covers_.size(); ++i)
      if (const auto h = block(i).handler.block; h.valid()) ++covers_[h.n];
    for (std::uint32_t i = 0; i < covers_.size(); ++i) rewrite(i);
  }

 private:
  BasicBlock& block(std::uint32_t i) { return cfg_.blocks[BlockId{i}]; }

  void rewrite(std::uint32_t i) {
    auto& ask = block(i);
    if (ask.code.size() != 3 || ask.code[0].op != Op::GET_ANEXT || ask.code[2].op != Op::YIELD_FROM) return;
    if (!loads_constant(ask.code[1])) return;
    const auto h = ask.handler.block;
    if (!h.valid() || covers_[h.n] != 1 || !ask.fall.valid() || ask.jump.valid()) return;
    auto& end = block(h.n);
    if (end.code.empty() || end.code[0].op != Op::END_ASYNC_FOR || ask.handler.depth != ask.entry_depth) return;
    Instruction next;
    next.op = Op::FOR_ITER;
    next.flags = kIterAsync;
    next.offset = ask.code[0].offset;
    ask.code = {next};
    ask.jump = h;
    ask.handler = end.handler;
    end.code.erase(end.code.begin());
    end.is_handler = false;
    end.entry_depth = ask.entry_depth - 1;
  }

  Cfg& cfg_;
  SmallVector<std::uint32_t, 32> covers_;  // by block: how many blocks it handles
};

}  // namespace

void loop_over_async_iterators(Cfg& cfg) { AsyncLoops(cfg).run(); }

}  // namespace depyf::deopt
