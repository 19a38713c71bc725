// SPDX-License-Identifier: MIT
// Forward data-flow analysis of the operand stack: an abstract value, a number, for each entry on entry to each block.
//
// A Domain defines the abstract values:
//   pushed(at, nth, before)  the nth value that the instruction `at` pushes, given the stack `before` it
//   raised(handler, nth)     the nth value from the top that an exception pushes on entry to a handler
//   met(block)               the value of an entry for which the paths to a block have different values
//   copied(entry)            the value of an entry and its copy after COPY; without this member, the same as before
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "cfg/analysis.h"
#include "support/small_vector.h"

namespace depyf {

using AbstractStack = SmallVector<std::uint32_t, 8>;  // from bottom to top

template <class Domain>
class StackFlow {
 public:
  StackFlow(const Cfg& cfg, Version version, Domain domain)
      : cfg_(cfg), version_(version), domain_(std::move(domain)), entries_(cfg.blocks.size()) {
    SmallVector<bool, 64> seen(cfg.blocks.size(), false), changed(cfg.blocks.size(), false);
    changed[0] = true;
    const auto meet = [&](BlockId to, const AbstractStack& stack) {
      if (!to.valid()) return;
      auto& entry = entries_[to.n];
      if (!seen[to.n]) {
        entry = stack;
        changed[to.n] = true;
      }
      seen[to.n] = true;
      for (std::size_t d = 0; d < std::min(stack.size(), entry.size()); ++d)
        if (entry[d] != stack[d] && entry[d] != domain_.met(to)) {
          entry[d] = domain_.met(to);
          changed[to.n] = true;
        }
    };
    // Reverse postorder visits a block after all its predecessors except those along back edges.
    const Order order = reverse_postorder(cfg, EdgeKinds::kAll);
    for (bool progress = true; progress;) {
      progress = false;
      for (const BlockId id : order.blocks)
        if (std::exchange(changed[id.n], false)) {
          leave(id, meet);
          progress = true;
        }
    }
  }

  // Returns the stack on entry to a block.
  [[nodiscard]] const AbstractStack& entry(BlockId block) const { return entries_[block.n]; }

  // Replaces the stack before an instruction by the stack after it. Returns how many entries, from the bottom, it left
  // alone.
  std::size_t carry_out(Position at, bool jumps, AbstractStack& stack) const {
    const Instruction& insn = cfg_.blocks[at.block].code[at.at];
    const auto size = stack.size();
    if (insn.op == Op::SWAP && insn.arg <= size) {
      std::swap(stack[size - insn.arg], stack.back());
      return size - insn.arg;
    }
    if (insn.op == Op::COPY && insn.arg <= size) {
      auto& copied = stack[size - insn.arg];
      if constexpr (requires { domain_.copied(copied); }) copied = domain_.copied(copied);
      stack.push_back(copied);
      return size - insn.arg;
    }
    if (insn.op == Op::PUSH_EXC_INFO && size > 0) {
      stack.insert(stack.end() - 1, 0);
      return size - 1;
    }
    const Effect e = effect(version_, insn, jumps);
    const auto kept =
        e.pops > 1 && e.pushes > 1 ? std::min(e.pops, e.pushes) : 0;  // operands that the operation leaves on the stack
    SmallVector<std::uint32_t, 4> pushed;
    for (auto i = kept; i < e.pushes; ++i)
      pushed.push_back(domain_.pushed(at, static_cast<std::uint32_t>(i - kept), std::as_const(stack)));
    const std::size_t left = size - std::min<std::size_t>(static_cast<std::size_t>(e.pops - kept), size);
    stack.resize(left);
    stack.insert(stack.end(), pushed.begin(), pushed.end());
    return left;
  }

 private:
  // Calls `meet` with each successor of a block and the stack on the edge to it.
  template <class Meet>
  void leave(BlockId id, const Meet& meet) const {
    const auto& b = cfg_.blocks[id];
    AbstractStack stack = entries_[id.n];
    if (b.handler.block.valid()) {
      AbstractStack raised(stack.begin(), stack.begin() + std::min<std::ptrdiff_t>(b.handler.depth, std::ssize(stack)));
      const auto depth = cfg_.blocks[b.handler.block].entry_depth;
      while (raised.size() < depth)
        raised.push_back(domain_.raised(b.handler.block, depth - 1 - static_cast<std::uint32_t>(raised.size())));
      meet(b.handler.block, raised);
    }
    const auto is_empty_at = [&](BlockId to) { return !to.valid() || cfg_.blocks[to].entry_depth == 0; };
    if (is_empty_at(b.fall) && is_empty_at(b.jump)) {  // usual: the stack is empty after a statement
      meet(b.jump, {});
      meet(b.fall, {});
      return;
    }
    AbstractStack jumped;
    if (b.jump.valid()) jumped = stack;
    const auto count = static_cast<std::uint32_t>(b.code.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i + 1 == count && b.jump.valid()) jumped = stack;
      carry_out({id, i}, false, stack);
    }
    if (b.jump.valid() && count > 0) carry_out({id, count - 1}, true, jumped);
    meet(b.jump, jumped);
    meet(b.fall, stack);
  }

  const Cfg& cfg_;
  Version version_;
  Domain domain_;
  std::vector<AbstractStack> entries_;
};

}  // namespace depyf
