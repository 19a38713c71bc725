// SPDX-License-Identifier: MIT
// Undoes loop inversion: the test of a `while` loop, which 3.10 to 3.13 compile once more at the end of its body
// (codegen_while).
//
// Shape: H: test; POP_JUMP_IF_FALSE X; B: body; the same test; POP_JUMP_IF_TRUE B; X: - both tests are positions of one
// class, as B is a class of its own. The copy becomes an edge back to H. A test begins where no operand is on the stack.
#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "deopt/deopt.h"
#include "deopt/merged_positions.h"
#include "deopt/operands.h"

namespace depyf::deopt {

namespace {

class LoopInversion {
 public:
  LoopInversion(Cfg& cfg, Version version, PositionFacts& facts) : cfg_(cfg), facts_(facts), merged_(cfg, version) {}

  void run() {
    std::map<std::uint32_t, std::vector<Position>> tests;  // by class
    for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i) {
      const Position test{BlockId{i}, start_of_test(BlockId{i})};
      if (test.at != kNoTest && !facts_.is_single(test)) tests[facts_.class_of(test)].push_back(test);
    }
    for (auto& [of, copies] : tests) {
      std::sort(copies.begin(), copies.end(),
                [&](const Position& a, const Position& b) { return order(a) > order(b); });
      for (std::size_t k = 0; k + 1 < copies.size(); ++k) {
        const auto back = last_back_edge(copies[k].block);
        // what only jumps back to before the first of them continues a loop around both
        const auto first = std::find_if(copies.begin() + static_cast<std::ptrdiff_t>(k) + 1, copies.end(),
                                        [&](const Position& p) { return back != kNoTest && back > order(p); });
        if (first != copies.end()) merged_.join(*first, copies[k], Kept::kFirst);
      }
    }
    if (merged_.apply()) facts_.forget();
  }

 private:
  static constexpr std::uint32_t kNoTest = 0xFFFFFFFF;

  [[nodiscard]] const BasicBlock& block(BlockId b) const { return cfg_.blocks[b]; }
  [[nodiscard]] std::uint32_t order(const Position& p) const { return block(p.block).first_index + p.at; }

  // Where the expression begins in which the block ends: the last position without an operand on the stack.
  [[nodiscard]] std::uint32_t start_of_test(BlockId id) const {
    const auto& b = block(id);
    if (!b.fall.valid() || !b.jump.valid() || b.code.empty() || b.code.back().op == Op::FOR_ITER) return kNoTest;
    if (facts_.is_single({id, static_cast<std::uint32_t>(b.code.size()) - 1})) return kNoTest;
    auto stack = facts_.operands().entry(id);
    std::uint32_t found = kNoTest;
    for (std::uint32_t i = 0; i < b.code.size(); ++i) {
      if (!has_operand(stack)) found = i;
      facts_.operands().carry_out({id, i}, false, stack);
    }
    return found;
  }

  [[nodiscard]] static bool has_operand(const OperandStack& stack) {
    return std::any_of(stack.begin(), stack.end(), is_operand);
  }

  // Whether a block is part of a test: nothing in it ends a statement.
  [[nodiscard]] bool is_part_of_test(BlockId id) const {
    const auto& b = block(id);
    auto stack = facts_.operands().entry(id);
    if (b.code.empty()) return true;
    for (std::uint32_t i = 0; i < b.code.size(); ++i) {
      if (i > 0 && !has_operand(stack)) return false;
      facts_.operands().carry_out({id, i}, false, stack);
    }
    return b.jump.valid() || (b.fall.valid() && has_operand(stack));
  }

  // The last position that the exits of the test jump back to; kNoTest: none, or a statement lies before that jump, as in
  // an `if` that the loop's test follows.
  [[nodiscard]] std::uint32_t last_back_edge(BlockId test) const {
    static constexpr std::size_t kMostBlocks = 64;
    std::uint32_t last = kNoTest, jump = 0, statement = kNoTest;
    std::vector<BlockId> todo{test};
    for (std::size_t i = 0; i < todo.size() && i < kMostBlocks; ++i) {
      const auto from = block(todo[i]).first_index;
      for (const BlockId to : {block(todo[i]).fall, block(todo[i]).jump}) {
        if (!to.valid()) continue;
        const auto at = block(to).first_index;
        if (at <= block(test).first_index) {
          if (last == kNoTest || at > last) std::tie(last, jump) = std::pair(at, from);
        } else if (!is_part_of_test(to)) {
          if (!has_operand(facts_.operands().entry(to))) statement = std::min(statement, at);
        } else if (std::find(todo.begin(), todo.end(), to) == todo.end()) {
          todo.push_back(to);
        }
      }
    }
    return statement < jump ? kNoTest : last;
  }

  Cfg& cfg_;
  PositionFacts& facts_;
  MergedPositions merged_;
};

}  // namespace

void merge_loop_tests(Cfg& cfg, const Dialect& dialect, PositionFacts& facts) {
  bool loops = false;
  for (std::uint32_t i = 0; i < cfg.blocks.size() && !loops; ++i) {
    const auto& b = cfg.blocks[BlockId{i}];
    for (const BlockId to : {b.fall, b.jump})
      loops = loops || (b.jump.valid() && to.valid() && cfg.blocks[to].first_index <= b.first_index);
  }
  if (loops && dialect.loop_test_duplicated) LoopInversion(cfg, dialect.version, facts).run();
}

}  // namespace depyf::deopt
