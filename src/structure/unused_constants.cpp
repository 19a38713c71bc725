// SPDX-License-Identifier: MIT
// Constants that every way to a block leaves on the stack for it to drop: nobody has ever seen them.
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
  const auto leaves_constant = [&](std::uint32_t p) {
    const auto& b = cfg.blocks[BlockId{p}];
    if (b.jump.valid() || b.code.empty()) return false;
    return b.code.back().op == Op::LOAD_CONST || b.code.back().op == Op::LOAD_COMMON_CONSTANT;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    auto& b = cfg.blocks[BlockId{i}];
    if (enters[i] || b.is_handler || b.code.empty() || b.code.front().op != Op::POP_TOP || preds[i].empty()) continue;
    if (!std::all_of(preds[i].begin(), preds[i].end(), leaves_constant)) continue;
    for (const auto p : preds[i]) cfg.blocks[BlockId{p}].code.pop_back();
    b.code.erase(b.code.begin());
    --b.entry_depth;
  }
}

}  // namespace depyf::structure
