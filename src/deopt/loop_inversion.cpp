// SPDX-License-Identifier: MIT
// Undoes loop inversion: 3.10 to 3.13 generate the test of a `while` loop a second time at the end of the body
// (codegen_while).
//
//   H: test; POP_JUMP_IF_FALSE X;  B: body; the same test; POP_JUMP_IF_TRUE B;  X:
// Both tests are positions of one bisimulation class, because B is in a class of its own, so the second one becomes an
// edge back to H. If comprehensions are inlined in the tests, their loops are different classes, too; then the tests
// are compared in lockstep. A test begins where no operand is on the stack.
#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "cfg/cut.h"
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
    for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i) has_comprehension_ |= starts_comprehension(BlockId{i});
    for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i) {
      const Position test{BlockId{i}, start_of_test(BlockId{i})};
      if (test.at == kNoTest) continue;
      if (!facts_.is_single(test)) tests[facts_.class_of(test)].push_back(test);
      if (facts_.is_single(test) && has_comprehension_) tests[hash_of_first_block(test)].push_back(test);
    }
    for (auto& [of, copies] : tests) {
      std::sort(copies.begin(), copies.end(),
                [&](const Position& a, const Position& b) { return order(a) > order(b); });
      for (std::size_t k = 0; k + 1 < copies.size(); ++k) {
        const auto back = last_back_edge(copies[k].block);
        // A position before the first copy is the header of a loop around both, which the second test continues.
        const auto first =
            std::find_if(copies.begin() + static_cast<std::ptrdiff_t>(k) + 1, copies.end(), [&](const Position& p) {
              return back != kNoTest && back > order(p) && (!facts_.is_single(p) || are_equivalent(p, copies[k], back));
            });
        if (first != copies.end()) merged_.join(*first, copies[k], Kept::kFirst);
      }
    }
    if (merged_.apply()) facts_.forget();
  }

 private:
  static constexpr std::uint32_t kNoTest = 0xFFFFFFFF;

  [[nodiscard]] const BasicBlock& block(BlockId b) const { return cfg_.blocks[b]; }
  [[nodiscard]] std::uint32_t order(const Position& p) const { return block(p.block).first_index + p.at; }

  // Returns the index of the first instruction in the block that saves the locals of an inlined comprehension, or the
  // block's size.
  [[nodiscard]] std::size_t index_of_save(BlockId id) const {
    const auto& code = block(id).code;
    const auto save =
        std::find_if(code.begin(), code.end(), [](const auto& i) { return i.op == Op::LOAD_FAST_AND_CLEAR; });
    return static_cast<std::size_t>(save - code.begin());
  }
  [[nodiscard]] bool starts_comprehension(BlockId id) const { return index_of_save(id) < block(id).code.size(); }

  // Returns where the expression begins that ends the block: the last position without an operand on the stack. kNoTest
  // if the block ends with no test.
  [[nodiscard]] std::uint32_t start_of_test(BlockId id) const {
    const auto& b = block(id);
    if (!b.fall.valid() || b.code.empty() || b.code.back().op == Op::FOR_ITER) return kNoTest;
    if (!b.jump.valid() && !starts_comprehension(id)) return kNoTest;
    if (!has_comprehension_ && facts_.is_single({id, static_cast<std::uint32_t>(b.code.size()) - 1})) return kNoTest;
    auto stack = facts_.operands().entry(id);
    std::uint32_t start = kNoTest;
    const auto end = index_of_save(id);
    for (std::uint32_t i = 0; i < end; ++i) {
      if (!has_operand(stack)) start = i;
      facts_.operands().carry_out({id, i}, false, stack);
    }
    return start;
  }

  [[nodiscard]] static bool has_operand(const OperandStack& stack) {
    return std::any_of(stack.begin(), stack.end(), is_operand);
  }

  // Returns a hash of the code in the test's first block, by which tests that are alone in their class are grouped.
  [[nodiscard]] std::uint32_t hash_of_first_block(const Position& p) const {
    std::uint64_t hash = 0;
    for (auto i = p.at; i < block(p.block).code.size(); ++i) {
      const auto& insn = block(p.block).code[i];
      const auto op = either_polarity(insn.op);
      hash = ((hash ^ static_cast<std::uint64_t>(op)) * 0x9E3779B97F4A7C15U + (is_jump(op) ? 0 : insn.arg)) ^
             (hash >> 29U);
    }
    return static_cast<std::uint32_t>(hash >> 32U) | 0x80000000U;
  }

  // Returns whether the code at `a` and at `b` does the same until it joins. Fails where `b` reaches `back`, the target
  // of its back edge.
  [[nodiscard]] bool are_equivalent(const Position& a, const Position& b, std::uint32_t back) {
    std::vector<std::pair<Position, Position>> todo{{a, b}};
    for (std::size_t k = 0; k < todo.size(); ++k) {
      const auto x = past_ends(cfg_, todo[k].first), y = past_ends(cfg_, todo[k].second);
      if (x == y || facts_.class_of(x) == facts_.class_of(y)) continue;
      const auto &left = block(x.block), &right = block(y.block);
      if (budget_ == 0 || order(y) == back || x.at >= left.code.size() || y.at >= right.code.size()) return false;
      --budget_;
      const auto &i = left.code[x.at], &j = right.code[y.at];
      const bool ends_block = x.at + 1 == left.code.size(), jumps = ends_block && left.jump.valid();
      if (either_polarity(i.op) != either_polarity(j.op) || (!is_jump(i.op) && i.arg != j.arg) || i.flags != j.flags ||
          !(left.handler == right.handler) || jumps != (y.at + 1 == right.code.size() && right.jump.valid()))
        return false;
      const auto add = [&](const Position& p, const Position& q) {
        if (std::find(todo.begin(), todo.end(), std::pair(p, q)) == todo.end()) todo.push_back({p, q});
      };
      if (!jumps && is_terminator(i.op)) continue;
      if (!jumps) {
        add({x.block, x.at + 1}, {y.block, y.at + 1});
      } else {
        add({left.fall, 0}, {i.op == j.op ? right.fall : right.jump, 0});
        add({left.jump, 0}, {i.op == j.op ? right.jump : right.fall, 0});
      }
    }
    return true;
  }

  // Returns whether a block is part of a test: no statement ends in it.
  [[nodiscard]] bool is_part_of_test(BlockId id) {
    auto& known = parts_of_tests_[id.n];
    if (!known) known = find_part_of_test(id);
    return *known;
  }

  [[nodiscard]] bool find_part_of_test(BlockId id) const {
    const auto& b = block(id);
    if (starts_comprehension(id)) return start_of_test(id) == 0 || start_of_test(id) == kNoTest;
    auto stack = facts_.operands().entry(id);
    if (b.code.empty()) return true;
    for (std::uint32_t i = 0; i < b.code.size(); ++i) {
      if (i > 0 && !has_operand(stack)) return false;
      facts_.operands().carry_out({id, i}, false, stack);
    }
    return b.jump.valid() || (b.fall.valid() && has_operand(stack));
  }

  // Returns the order of the last position that the exits of the test jump back to. kNoTest: there is none, or a
  // statement comes before that jump, so the test is that of an `if` after which the loop's test follows.
  [[nodiscard]] std::uint32_t last_back_edge(BlockId test) {
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
  bool has_comprehension_ = false;
  std::vector<std::optional<bool>> parts_of_tests_ = std::vector<std::optional<bool>>(cfg_.blocks.size());  // by block
  std::size_t budget_ = 64 * cfg_.blocks.size();
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
