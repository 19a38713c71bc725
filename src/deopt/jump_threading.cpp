// SPDX-License-Identifier: MIT
// Restores the handler of tests that jump threading moved out of a protected range.
//
// In `a and x or b` (3.14+) the test of x jumps to another test of the same value. jump_thread in Python/flowgraph.c
// appends a new jump without a handler, and convert_pseudo_conditional_jumps adds its COPY 1; TO_BOOL. So the test is
// outside the protected range of the value before it, although no source could place it there. Such tests are also
// marked (kThreaded), because only `(a or b) or c` has them, `a or b or c` does not. `verify` compares the code as it
// was.
//
// A generator is protected as a whole by its StopIteration handler, which the graph does not have: there, a test is
// marked if no row of the exception table covers it.
#include "cfg/shapes.h"
#include "deopt/deopt.h"
#include "support/small_vector.h"

namespace depyf::deopt {

void protect_threaded_tests(const CodeObject& code, Cfg& cfg, const Dialect& dialect) {
  struct Entries {  // edges into a block
    std::uint32_t edges = 0, values = 0;
    BlockId value;  // a predecessor that falls through; all that `values` counts have one handler
  };
  const auto count = cfg.blocks.size();
  SmallVector<Entries, 64> entries(count);
  const bool is_covered =
      dialect.inverted_jumps_unprotected && (code.flags & (kCoGenerator | kCoCoroutine | kCoAsyncGenerator)) != 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& b = cfg.blocks[BlockId{i}];
    if (is_covered && !b.handler.block.valid() && b.inverted == JumpInversion::kUnknown &&
        test_of_copy(b.code) < b.code.size())
      b.code.back().flags = kThreaded;
    for (const BlockId to : {b.fall, b.jump})
      if (to.valid()) ++entries[to.n].edges;
    if (!b.fall.valid() || b.jump.valid() || !b.handler.block.valid()) continue;
    auto& [edges, values, value] = entries[b.fall.n];
    if (values == 0 || cfg.blocks[value].handler == b.handler) ++values;
    value = BlockId{i};
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& [edges, values, from] = entries[i];
    auto& test = cfg.blocks[BlockId{i}];
    if (values == 0 || values != edges || test.is_handler || test.handler.block.valid() || test.code.empty() ||
        test_of_copy(test.code) != 0)
      continue;
    auto& value = cfg.blocks[from];
    test.handler = value.handler;
    test.code.back().flags = kThreaded;
    if (edges > 1) continue;
    value.code.insert(value.code.end(), test.code.begin(), test.code.end());
    value.inverted = test.inverted;
    value.fall = test.fall;
    value.jump = test.jump;
    test.code.clear();
    test.fall = test.jump = BlockId{};
  }
}

}  // namespace depyf::deopt
