// SPDX-License-Identifier: MIT
// drop_unused_constants(): removes loads of constants that are popped in the same block or at the start of the next
// one.
//
// No compiler emits them. Dynamo ends the code that re-enters a `with` statement with such a None (create_with in
// torch/_dynamo/resume_execution.py).
#include <algorithm>

#include "cfg/analysis.h"
#include "cfg/shapes.h"

namespace depyf {

void drop_unused_constants(Cfg& cfg) {
  const auto count = cfg.blocks.size();
  std::vector<std::vector<std::uint32_t>> preds(count);
  std::vector<bool> has_other_entry(count, false);  // by block: entered by a jump or an exception
  has_other_entry[0] = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& b = cfg.blocks[BlockId{i}];
    if (b.fall.valid()) preds[b.fall.n].push_back(i);
    if (b.jump.valid()) has_other_entry[b.jump.n] = true;
    if (b.handler.block.valid()) has_other_entry[b.handler.block.n] = true;
  }
  const auto leaves_constant = [&](std::uint32_t p) {
    const auto& b = cfg.blocks[BlockId{p}];
    return !b.jump.valid() && !b.code.empty() && loads_constant(b.code.back());
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& b = cfg.blocks[BlockId{i}];
    const auto first = std::find_if(b.code.begin(), b.code.end(), [](const auto& x) { return x.op != Op::NOP; });
    if (has_other_entry[i] || b.is_handler || first == b.code.end() || first->op != Op::POP_TOP || preds[i].empty())
      continue;
    if (!std::all_of(preds[i].begin(), preds[i].end(), leaves_constant)) continue;
    for (const auto p : preds[i]) cfg.blocks[BlockId{p}].code.pop_back();
    b.code.erase(first);
    --b.entry_depth;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& code = cfg.blocks[BlockId{i}].code;
    std::size_t kept = 0;
    for (const Instruction& insn : code) {
      if (insn.op == Op::POP_TOP && kept > 0 && loads_constant(code[kept - 1]))
        --kept;
      else
        code[kept++] = insn;
    }
    code.resize(kept);
  }
}

}  // namespace depyf
