// SPDX-License-Identifier: MIT
// Implements find_offset_use() as a data-flow analysis of the operand stack; see offset_uses.h.
#include "verify/offset_uses.h"

#include <algorithm>
#include <span>

#include "cfg/lenient.h"
#include "cfg/stack_flow.h"

namespace depyf::equivalence {
namespace {

// The domain of StackFlow: whether an entry may be an offset.
struct Offsets {
  [[nodiscard]] static std::uint32_t pushed(Position, std::uint32_t, const AbstractStack&) { return 0; }
  [[nodiscard]] static std::uint32_t raised(BlockId, std::uint32_t nth) { return nth == 1 ? 1 : 0; }
  [[nodiscard]] static std::uint32_t met(BlockId) { return 1; }
};

// Returns whether the instruction, whose operands are the top `pops` entries, uses an offset as a value.
bool uses_offset(const Instruction& insn, const AbstractStack& stack, std::size_t pops) {
  if (is_one_of<Op::COPY, Op::SWAP, Op::POP_TOP, Op::RERAISE, Op::WITH_EXCEPT_START, Op::PUSH_EXC_INFO>(insn.op))
    return false;  // programs cannot observe its value
  const auto operands = std::span(stack.begin(), stack.end()).last(std::min(pops, stack.size()));
  if (!is_one_of<Op::LIST_APPEND, Op::SET_ADD, Op::MAP_ADD>(insn.op))
    return std::ranges::find(operands, 1U) != operands.end();
  const std::size_t added =
      insn.op == Op::MAP_ADD ? 2 : 1;  // the entries between these and the container are no operands
  const auto last = operands.last(std::min(added, operands.size()));
  return std::ranges::find(last, 1U) != last.end();
}

}  // namespace

Result<std::optional<std::uint32_t>> find_offset_use(const CodeTree& tree, CodeId code, const Bytecode& bytecode,
                                                     const Dialect& dialect, const Limits& limits) {
  std::optional<std::uint32_t> first;
  if (std::ranges::none_of(bytecode.handlers, &ExceptionEntry::lasti)) return first;
  DEPYF_TRY(cfg, build_lenient_cfg(tree, code, bytecode, dialect, limits));
  const StackFlow<Offsets> flow(cfg, tree.version, {});
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    AbstractStack stack = flow.entry(BlockId{b});
    const auto& line = cfg.blocks[BlockId{b}].code;
    for (std::uint32_t i = 0; i < line.size(); ++i) {
      const auto pops = static_cast<std::size_t>(effect(tree.version, line[i], false).pops);
      if (uses_offset(line[i], stack, pops) && (!first || line[i].offset < *first)) first = line[i].offset;
      (void)flow.carry_out({BlockId{b}, i}, false, stack);
    }
  }
  return first;
}

}  // namespace depyf::equivalence
