// SPDX-License-Identifier: MIT
// Undoing what compilers inline: handlers of inlined comprehensions, tests for `any(... for ...)` and its like (3.12+),
// exits of chained comparisons (3.10+).
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

// ... COPY 2; <; (TO_BOOL;) POP_JUMP_IF_x
bool compares_on(const BasicBlock& b) {
  auto n = b.code.size();
  if (n < 3 || (b.code[n - 1].op != Op::POP_JUMP_IF_FALSE && b.code[n - 1].op != Op::POP_JUMP_IF_TRUE)) return false;
  if (b.code[n - 2].op == Op::TO_BOOL) --n;
  if (n < 3) return false;
  const auto &copy = b.code[n - 3], &compare = b.code[n - 2];
  return copy.op == Op::COPY && copy.arg == 2 &&
         (compare.op == Op::COMPARE_OP || compare.op == Op::IS_OP || compare.op == Op::CONTAINS_OP);
}

// Whether block a from instruction `from` on is what block b is.
bool same_end(const BasicBlock& a, std::size_t from, const BasicBlock& b) {
  if (a.code.size() != b.code.size() + from || b.code.empty() || a.fall != b.fall || a.jump != b.jump) return false;
  if (!(a.handler == b.handler) || a.entry_depth != b.entry_depth + from) return false;
  for (std::size_t i = 0; i < b.code.size(); ++i) {
    const auto &x = a.code[from + i], &y = b.code[i];
    if (x.op != y.op || x.arg != y.arg || x.flags != y.flags) return false;
  }
  return true;
}

// A chained comparison used as a test, a < b < c, goes where it is false from its last comparison, and from the others
// over a POP_TOP; where that place is a small exit, it was copied behind the POP_TOP (inline_small_exit_blocks in
// Python/flowgraph.c). The copy is given up.
void join_chain_exits(Cfg& cfg) {
  for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i) {
    const auto drop = cfg.blocks[BlockId{i}].jump;
    if (!compares_on(cfg.blocks[BlockId{i}])) continue;
    BlockId last = cfg.blocks[BlockId{i}].fall;
    for (std::size_t step = 0; compares_on(cfg.blocks[last]) && step < cfg.blocks.size(); ++step)
      last = cfg.blocks[last].fall;
    auto& copy = cfg.blocks[drop];
    if (copy.code.size() < 2 || copy.code[0].op != Op::POP_TOP || copy.is_handler || copy.jump.valid()) continue;
    for (BlockId exit : {cfg.blocks[last].jump, cfg.blocks[last].fall}) {
      if (!cfg.blocks[last].jump.valid() || exit == drop || !same_end(copy, 1, cfg.blocks[exit])) continue;
      copy.code.resize(1);
      copy.index.resize(std::min<std::size_t>(copy.index.size(), 1));
      copy.fall = exit;
      break;
    }
  }
}

}  // namespace

void undo_inlining(Cfg& cfg, const Dialect& dialect) {
  if (cfg.blocks.size() == 0) return;
  join_chain_exits(cfg);
  if (!dialect.inlines_comprehensions && !dialect.inlines_any_all) return;
  drop_restoring_handlers(cfg);
  keep_calls(cfg);
  unlink_unreachable(cfg);
}

}  // namespace depyf::structure
