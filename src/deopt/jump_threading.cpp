// SPDX-License-Identifier: MIT
// Tests of values that a jump was threaded through get their handler back.
//
// Shape (3.14+): in `a and x or b` the test of x leads to another test of the same value; jump_thread in
// Python/flowgraph.c puts a new jump after it, which has no handler, and COPY 1; TO_BOOL are made with it
// (convert_pseudo_conditional_jumps). So a test lies outside the protected range of the value before it, although no
// source says so. Only what structuring reads is changed: the verdict compares the code as it is.
#include "cfg/shapes.h"
#include "deopt/deopt.h"
#include "support/small_vector.h"

namespace depyf::deopt {

ThreadedTests protect_threaded_tests(Cfg& cfg) {
  ThreadedTests threaded;
  const auto count = cfg.blocks.size();
  SmallVector<std::uint32_t, 64> preds(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& b = cfg.blocks[BlockId{i}];
    for (const BlockId to : {b.fall, b.jump})
      if (to.valid()) ++preds[to.n];
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& value = cfg.blocks[BlockId{i}];
    if (!value.fall.valid() || value.jump.valid() || value.fall.n == i || !value.handler.block.valid()) continue;
    auto& test = cfg.blocks[value.fall];
    if (preds[value.fall.n] != 1 || test.is_handler || test.handler.block.valid() || test_of_copy(test.code) != 0 ||
        test.code.empty())
      continue;
    value.code.insert(value.code.end(), test.code.begin(), test.code.end());
    value.inverted = test.inverted;
    value.fall = test.fall;
    value.jump = test.jump;
    test.code.clear();
    test.fall = test.jump = BlockId{};
    threaded.insert(i);
  }
  return threaded;
}

}  // namespace depyf::deopt
