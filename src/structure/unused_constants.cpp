// SPDX-License-Identifier: MIT
// Constants that are on the stack to be dropped, by the block they are loaded in or by the one behind it: no compiler
// leaves them there.
//
// Dynamo ends what it re-enters a with statement by with such a None (create_with in torch/_dynamo/resume_execution.py).
#include <algorithm>

#include "structure/graph.h"

namespace depyf::structure {

void drop_unused_constants(Cfg& cfg) {
  const auto count = cfg.blocks.size();
  std::vector<std::vector<std::uint32_t>> preds(count);
  std::vector<bool> enters(count, false);  // by a jump or an exception as well
  enters[0] = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto& b = cfg.blocks[BlockId{i}];
    if (b.fall.valid()) preds[b.fall.n].push_back(i);
    if (b.jump.valid()) enters[b.jump.n] = true;
    if (b.handler.block.valid()) enters[b.handler.block.n] = true;
  }
  const auto is_constant = [](const Instruction& insn) {
    return insn.op == Op::LOAD_CONST || insn.op == Op::LOAD_COMMON_CONSTANT;
  };
  const auto leaves_constant = [&](std::uint32_t p) {
    const auto& b = cfg.blocks[BlockId{p}];
    return !b.jump.valid() && !b.code.empty() && is_constant(b.code.back());
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& b = cfg.blocks[BlockId{i}];
    const auto first = std::find_if(b.code.begin(), b.code.end(), [](const auto& x) { return x.op != Op::NOP; });
    if (enters[i] || b.is_handler || first == b.code.end() || first->op != Op::POP_TOP || preds[i].empty()) continue;
    if (!std::all_of(preds[i].begin(), preds[i].end(), leaves_constant)) continue;
    for (const auto p : preds[i]) cfg.blocks[BlockId{p}].code.pop_back();
    b.code.erase(first);
    --b.entry_depth;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& code = cfg.blocks[BlockId{i}].code;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < code.size(); ++k) {
      if (code[k].op == Op::POP_TOP && kept > 0 && is_constant(code[kept - 1]))
        --kept;
      else
        code[kept++] = code[k];
    }
    code.resize(kept);
  }
}

}  // namespace depyf::structure
