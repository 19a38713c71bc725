// SPDX-License-Identifier: MIT
// What is done on the stack to no end: no compiler does it.
//
// Constants that are loaded only to be dropped, in the same block or in the next one; and copies, swaps, constants and
// containers taken apart again, after which the stack is what it was before.
// Dynamo ends what it re-enters a with statement by with such a None (create_with in torch/_dynamo/resume_execution.py).
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "cfg/analysis.h"
#include "cfg/shapes.h"

namespace depyf {

namespace {

// Runs of a block's instructions that only move values, and what they leave on the stack.
class Shuffles {
 public:
  void undo(std::vector<Instruction>& code) {
    std::size_t kept = 0;
    for (const Instruction insn : std::vector<Instruction>(code)) {
      if (before_.empty()) start(kept);
      code[kept++] = insn;
      if (insn.op == Op::NOP) continue;
      if (before_.size() > kLongest || !moves(insn)) {
        before_.clear();
        continue;
      }
      const auto same = std::find_if(before_.begin(), before_.end(), [&](const auto& b) { return b.second == stack_; });
      if (same == before_.end()) {
        before_.emplace_back(kept, stack_);
      } else {
        kept = same->first;
        before_.erase(same + 1, before_.end());
      }
    }
    code.resize(kept);
    before_.clear();
  }

 private:
  static constexpr std::size_t kLongest = 16;  // instructions of a run
  static constexpr std::uint32_t kMost = 4;    // items of a container
  static constexpr std::uint32_t kDeepest = 32;
  using Values = std::vector<std::uint32_t>;

  void start(std::size_t kept) {
    stack_.resize(kDeepest + kLongest * kMost);  // more than a run can reach
    std::iota(stack_.begin(), stack_.end(), 0U);
    made_ = static_cast<std::uint32_t>(stack_.size());
    containers_.clear();
    before_.emplace_back(kept, stack_);
  }

  // False: more than moving values.
  bool moves(const Instruction& insn) {
    const auto n = insn.arg;
    switch (insn.op) {
      case Op::LOAD_CONST:
      case Op::LOAD_SMALL_INT:
      case Op::LOAD_COMMON_CONSTANT: stack_.push_back(made_++); return true;
      case Op::POP_TOP: stack_.pop_back(); return true;
      case Op::COPY:
        if (n > kDeepest) return false;
        stack_.push_back(stack_[stack_.size() - n]);
        return true;
      case Op::SWAP:
        if (n > kDeepest) return false;
        std::swap(stack_[stack_.size() - n], stack_.back());
        return true;
      case Op::BUILD_TUPLE:
      case Op::BUILD_LIST: {
        if (n > kMost) return false;
        const auto first = stack_.end() - static_cast<std::ptrdiff_t>(n);
        containers_[made_] = Values(first, stack_.end());
        stack_.erase(first, stack_.end());
        stack_.push_back(made_++);
        return true;
      }
      case Op::UNPACK_SEQUENCE: {
        const auto it = containers_.find(stack_.back());
        if (it == containers_.end() || it->second.size() != n) return false;
        stack_.pop_back();
        stack_.insert(stack_.end(), it->second.rbegin(), it->second.rend());
        return true;
      }
      default: return false;
    }
  }

  Values stack_;
  std::map<std::uint32_t, Values> containers_;          // made in this run
  std::uint32_t made_ = 0;                              // values so far
  std::vector<std::pair<std::size_t, Values>> before_;  // how much code was kept by then, and the stack
};

}  // namespace

void undo_shuffles(Cfg& cfg) {
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
    return !b.jump.valid() && !b.code.empty() && loads_constant(b.code.back());
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
  Shuffles shuffles;
  for (std::uint32_t i = 0; i < count; ++i) shuffles.undo(cfg.blocks[BlockId{i}].code);
}

}  // namespace depyf
