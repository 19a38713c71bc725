// SPDX-License-Identifier: MIT
// Undoing what 3.12+ compilers inline: handlers of inlined comprehensions, tests for `any(... for ...)` and its like.
//
// An exception inside an inlined comprehension (PEP 709) only puts the saved locals back and goes on, so its handler is
// no position of the program: what it covers gets the handler around it. A call of any, all, tuple, list or set with a
// generator expression (codegen_maybe_optimize_function_call in Python/codegen.c) stands twice, inlined and as a call,
// behind a test of the callable; the call alone is kept. Neither is undone unless the shape is exactly the compiler's.
#include <algorithm>

#include "structure/graph.h"

namespace depyf::structure {

namespace {

// SWAP 2; POP_TOP; SWAP n + 1; STORE_FAST (n times); RERAISE
bool restores_locals(const BasicBlock& b) {
  if (!b.is_handler || b.code.size() < 4 || b.jump.valid() || b.code.back().op != Op::RERAISE) return false;
  std::size_t at = 0, stores = 0;
  while (at + 1 < b.code.size() && (b.code[at].op == Op::SWAP || b.code[at].op == Op::POP_TOP)) ++at;
  if (at == 0 || b.code[0].op != Op::SWAP) return false;
  for (; at + 1 < b.code.size(); ++at, ++stores)
    if (b.code[at].op != Op::STORE_FAST) return false;
  return stores > 0;
}

void drop_restoring_handlers(Cfg& cfg) {
  const auto n = static_cast<std::uint32_t>(cfg.blocks.size());
  std::vector<bool> restores(n, false);
  for (std::uint32_t i = 0; i < n; ++i) restores[i] = restores_locals(cfg.blocks[BlockId{i}]);
  for (std::uint32_t i = 0; i < n; ++i) {
    auto& handler = cfg.blocks[BlockId{i}].handler;
    for (std::uint32_t step = 0; handler.block.valid() && restores[handler.block.n] && step < n; ++step) {
      const Handler outer = cfg.blocks[handler.block].handler;
      handler = outer;
    }
  }
}

// f; COPY 1; LOAD_COMMON_CONSTANT any; IS_OP; POP_JUMP_IF_FALSE call
bool tests_builtin(const BasicBlock& b) {
  const auto n = b.code.size();
  if (n < 4 || b.code[n - 1].op != Op::POP_JUMP_IF_FALSE || b.code[n - 2].op != Op::IS_OP || b.code[n - 2].arg != 0)
    return false;
  const auto &constant = b.code[n - 3], &copy = b.code[n - 4];
  if (constant.op != Op::LOAD_COMMON_CONSTANT || copy.op != Op::COPY || copy.arg != 1) return false;
  switch (static_cast<CommonConstant>(constant.arg)) {
    case CommonConstant::kTuple:
    case CommonConstant::kAll:
    case CommonConstant::kAny:
    case CommonConstant::kList:
    case CommonConstant::kSet: return true;
    default: return false;
  }
}

void keep_calls(Cfg& cfg) {
  for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i) {
    auto& b = cfg.blocks[BlockId{i}];
    if (!tests_builtin(b)) continue;
    b.code.resize(b.code.size() - 4);
    b.index.resize(std::min(b.index.size(), b.code.size()));
    b.fall = b.jump;
    b.jump = BlockId{};
  }
}

// What nothing leads to any more leads nowhere either, so that edges can be counted.
void unlink_unreachable(Cfg& cfg) {
  std::vector<bool> seen(cfg.blocks.size(), false);
  std::vector<std::uint32_t> todo{0};
  const auto reach = [&](BlockId b) {
    if (!b.valid() || seen[b.n]) return;
    seen[b.n] = true;
    todo.push_back(b.n);
  };
  seen[0] = true;
  while (!todo.empty()) {
    const auto& b = cfg.blocks[BlockId{todo.back()}];
    todo.pop_back();
    reach(b.fall);
    reach(b.jump);
    reach(b.handler.block);
  }
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    if (seen[i]) continue;
    auto& b = cfg.blocks[BlockId{i}];
    b.fall = b.jump = BlockId{};
    b.handler = Handler{};
    b.is_handler = false;
  }
}

}  // namespace

void undo_inlining(Cfg& cfg, const Dialect& dialect) {
  if (!dialect.inlines_comprehensions && !dialect.inlines_any_all) return;
  if (cfg.blocks.size() == 0) return;
  drop_restoring_handlers(cfg);
  keep_calls(cfg);
  unlink_unreachable(cfg);
}

}  // namespace depyf::structure
