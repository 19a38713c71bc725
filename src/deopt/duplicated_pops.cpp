// SPDX-License-Identifier: MIT
// What follows an operation `a or b`, where the compiler duplicated it at the end of `b`
// (inline_small_or_no_lineno_blocks in Python/flowgraph.c, and jumps back to a loop).
//
// Shape of the statement `a or b` at the end of a function: a; COPY 1; POP_JUMP_IF_TRUE L; POP_TOP; b; POP_TOP; RETURN; L:
// POP_TOP; RETURN (JUMP_IF_TRUE_OR_POP L before 3.12). Both paths drop their value: b's path is redirected to L. Every
// path executes the same code as before.
#include <algorithm>

#include "cfg/shapes.h"
#include "deopt/deopt.h"

namespace depyf::deopt {

namespace {

class DuplicatedPops {
 public:
  explicit DuplicatedPops(Cfg& cfg) : cfg_(cfg) {}

  void run() {
    for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i) {
      const auto& b = block(i);
      if (!keeps_tested(b) || b.jump == b.fall || !drops_first(b.jump.n)) continue;
      redirect_duplicates(b.fall.n, b.jump.n);
    }
  }

 private:
  static constexpr std::size_t kMostBlocks = 64;  // of an operand
  static constexpr std::size_t kMostCode = 8;     // of a copy

  [[nodiscard]] BasicBlock& block(std::uint32_t i) { return cfg_.blocks[BlockId{i}]; }

  // The tested value is on the stack where it jumps.
  static bool keeps_tested(const BasicBlock& b) {
    const auto n = b.code.size();
    if (!b.jump.valid() || !b.fall.valid() || n == 0) return false;
    const auto op = b.code[n - 1].op;
    if (op == Op::JUMP_IF_FALSE_OR_POP || op == Op::JUMP_IF_TRUE_OR_POP) return true;
    return test_of_copy(b.code) < n;
  }
  bool drops_first(std::uint32_t i) {
    const auto& b = block(i);
    return !b.is_handler && !b.code.empty() && b.code[0].op == Op::POP_TOP && !b.jump.valid() &&
           b.code.size() <= kMostCode;
  }

  // Redirects what is reached from an operand and ends as `end` does to `end`.
  void redirect_duplicates(std::uint32_t operand, std::uint32_t end) {
    std::vector<std::uint32_t> todo{operand};
    for (std::size_t k = 0; k < todo.size() && k < kMostBlocks; ++k) {
      const auto i = todo[k];
      for (const BlockId to : {block(i).fall, block(i).jump})
        if (to.valid() && to.n != end && std::find(todo.begin(), todo.end(), to.n) == todo.end()) todo.push_back(to.n);
      if (!has_suffix(i, end)) continue;
      auto& b = block(i);
      if (b.code.size() == block(end).code.size()) {  // the exit of another test
        redirect(i, end);
        continue;
      }
      b.code.resize(b.code.size() - block(end).code.size());
      b.fall = BlockId{end};
    }
  }
  void redirect(std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i) {
      auto& b = block(i);
      if (b.fall.valid() && b.fall.n == from) b.fall = BlockId{to};
      if (b.jump.valid() && b.jump.n == from) b.jump = BlockId{to};
    }
  }
  bool has_suffix(std::uint32_t i, std::uint32_t end) {
    const auto &b = block(i), &e = block(end);
    return !b.jump.valid() && b.handler == e.handler && b.code.size() >= e.code.size() &&
           std::equal(e.code.rbegin(), e.code.rend(), b.code.rbegin(), same_operation) &&
           same_continuation(b.fall, e.fall);
  }
  bool same_continuation(BlockId x, BlockId y) {
    for (std::size_t k = 0; k < kMostCode; ++k) {
      if (x == y) return true;
      if (!x.valid() || !y.valid()) return false;
      const auto &a = cfg_.blocks[x], &b = cfg_.blocks[y];
      if (a.jump.valid() || b.jump.valid() || a.is_handler || b.is_handler || !(a.handler == b.handler) ||
          a.code.size() > kMostCode ||
          !std::equal(a.code.begin(), a.code.end(), b.code.begin(), b.code.end(), same_operation))
        return false;
      x = a.fall;
      y = b.fall;
    }
    return false;
  }
  Cfg& cfg_;
};

}  // namespace

void merge_duplicated_pops(Cfg& cfg) { DuplicatedPops(cfg).run(); }

}  // namespace depyf::deopt
