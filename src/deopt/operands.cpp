// SPDX-License-Identifier: MIT
#include "deopt/operands.h"

#include <algorithm>

#include "cfg/analysis.h"

namespace depyf::deopt {

namespace {

// Whether what an operation pushes is used by the expression that it is part of.
bool pushes_operand(Op op) {
  return !is_one_of<Op::GET_ITER, Op::GET_AITER, Op::GET_ANEXT, Op::FOR_ITER, Op::BEFORE_WITH, Op::BEFORE_ASYNC_WITH,
                    Op::SETUP_WITH, Op::LOAD_SPECIAL, Op::WITH_EXCEPT_START, Op::PUSH_EXC_INFO, Op::CHECK_EXC_MATCH,
                    Op::CHECK_EG_MATCH, Op::EXC_MATCH, Op::LOAD_FAST_AND_CLEAR>(op);
}

bool pushes_part(Op op) {
  return is_one_of<Op::CONVERT_VALUE, Op::BUILD_INTERPOLATION, Op::PUSH_NULL, Op::LOAD_METHOD, Op::LOAD_SUPER_METHOD,
                   Op::BUILD_SLICE>(op);
}

}  // namespace

OperandStacks::OperandStacks(const Cfg& cfg, Version version)
    : cfg_(cfg), version_(version), entries_(cfg.blocks.size()) {
  SmallVector<bool, 64> seen(cfg.blocks.size(), false);
  std::uint32_t size = 1;
  for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i) {
    firsts_.push_back(size);
    size += static_cast<std::uint32_t>(cfg.blocks[BlockId{i}].code.size());
  }
  // In reverse postorder, so that all paths but those of loops have met before a block is left.
  SmallVector<bool, 64> changed(cfg.blocks.size(), false);
  changed[0] = true;
  const auto meet = [&](BlockId to, const OperandStack& stack) {
    if (!to.valid()) return;
    auto& entry = entries_[to.n];
    if (!seen[to.n]) {
      entry = stack;
      changed[to.n] = true;
    }
    seen[to.n] = true;
    for (std::size_t d = 0; d < std::min(stack.size(), entry.size()); ++d)
      if (entry[d] != stack[d] && entry[d] != (kPhi | to.n)) {
        entry[d] = kPhi | to.n;
        changed[to.n] = true;
      }
  };
  const Order order = reverse_postorder(cfg, EdgeKinds::kAll);
  for (bool again = true; again;) {
    again = false;
    for (const BlockId id : order.blocks) {
      if (!changed[id.n]) continue;
      changed[id.n] = false;
      leave(id, meet);
      again = true;
    }
  }
}

template <class Meet>
void OperandStacks::leave(BlockId id, const Meet& meet) const {
  const auto& b = cfg_.blocks[id];
  OperandStack stack = entries_[id.n];
  if (b.handler.block.valid()) {
    OperandStack raised(stack.begin(), stack.begin() + std::min<std::ptrdiff_t>(b.handler.depth, std::ssize(stack)));
    while (raised.size() < cfg_.blocks[b.handler.block].entry_depth) raised.push_back(kException | b.handler.block.n);
    meet(b.handler.block, raised);
  }
  const auto takes_none = [&](BlockId to) { return !to.valid() || cfg_.blocks[to].entry_depth == 0; };
  if (takes_none(b.fall) && takes_none(b.jump)) {  // most statements leave nothing
    meet(b.jump, {});
    meet(b.fall, {});
    return;
  }
  OperandStack jumped;
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

void OperandStacks::carry_out(Position at, bool jumps, OperandStack& stack) const {
  const Instruction& insn = cfg_.blocks[at.block].code[at.at];
  const auto size = stack.size();
  if (insn.op == Op::SWAP && insn.arg <= size) {
    std::swap(stack[size - insn.arg], stack.back());
    return;
  }
  if (insn.op == Op::COPY && insn.arg <= size) {
    stack.push_back(stack[size - insn.arg]);
    return;
  }
  if (insn.op == Op::PUSH_EXC_INFO && size > 0) {
    stack.insert(stack.end() - 1, 0);
    return;
  }
  const Effect e = effect(version_, insn, jumps);
  const auto kept = e.pops > 1 && e.pushes > 1 ? std::min(e.pops, e.pushes) : 0;  // read and left where it is
  stack.resize(size - std::min<std::size_t>(static_cast<std::size_t>(e.pops - kept), size));
  const bool is_of_handler =  // a list of the exceptions that the clauses of `except*` raise
      insn.op == Op::BUILD_LIST && insn.arg == 0 && cfg_.blocks[at.block].code[0].op == Op::PUSH_EXC_INFO && at.at < 3;
  const auto number = pushes_operand(insn.op) && !is_of_handler ? firsts_[at.block.n] + at.at : 0;
  for (auto i = kept; i < e.pushes; ++i) stack.push_back(pushes_part(insn.op) ? number | kPart : number);
}

}  // namespace depyf::deopt
