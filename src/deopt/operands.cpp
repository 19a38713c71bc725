// SPDX-License-Identifier: MIT
#include "deopt/operands.h"

namespace depyf::deopt {

namespace {

// Returns whether the values that the operation pushes belong to the expression that contains it.
bool pushes_operand(Op op) {
  return !is_one_of<Op::GET_AITER, Op::GET_ANEXT, Op::FOR_ITER, Op::BEFORE_WITH, Op::BEFORE_ASYNC_WITH, Op::SETUP_WITH,
                    Op::LOAD_SPECIAL, Op::WITH_EXCEPT_START, Op::PUSH_EXC_INFO, Op::CHECK_EXC_MATCH, Op::CHECK_EG_MATCH,
                    Op::EXC_MATCH, Op::LOAD_FAST_AND_CLEAR>(op);
}

bool pushes_part(Op op) {
  return is_one_of<Op::CONVERT_VALUE, Op::BUILD_INTERPOLATION, Op::PUSH_NULL, Op::LOAD_METHOD, Op::LOAD_SUPER_METHOD,
                   Op::BUILD_SLICE>(op);
}

}  // namespace

OperandDomain::OperandDomain(const Cfg& cfg) : cfg_(cfg) {
  std::uint32_t size = 1;
  for (std::uint32_t i = 0; i < cfg.blocks.size(); ++i) {
    firsts_.push_back(size);
    size += static_cast<std::uint32_t>(cfg.blocks[BlockId{i}].code.size());
  }
}

std::uint32_t OperandDomain::pushed(Position at, std::uint32_t nth, const OperandStack& before) const {
  const auto& code = cfg_.blocks[at.block].code;
  const Instruction& insn = code[at.at];
  if (insn.op == Op::FOR_ITER && nth == 0 && !before.empty()) return before.back();
  const bool is_star_list =  // the list of the exceptions that the clauses of `except*` raise
      insn.op == Op::BUILD_LIST && insn.arg == 0 && code[0].op == Op::PUSH_EXC_INFO && at.at < 3;
  const auto own = firsts_[at.block.n] + at.at;
  if (insn.op == Op::GET_ITER) return kIterator | own;
  const auto number = pushes_operand(insn.op) && !is_star_list ? own : 0;
  return pushes_part(insn.op) ? number | kPart : number;
}

}  // namespace depyf::deopt
