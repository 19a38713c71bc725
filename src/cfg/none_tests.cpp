// SPDX-License-Identifier: MIT
// fold_none_tests(): combines a test for None and the jump on it to one instruction.
//
// Dynamo splits POP_JUMP_IF_NONE of 3.11+ (remove_jump_if_none in torch/_dynamo/bytecode_transformation.py); the code
// that recognizes patterns, `except*` and chained comparisons expects the form of CPython's compiler.
#include <variant>

#include "cfg/tidy.h"
#include "depyf/code.h"

namespace depyf {

void fold_none_tests(Cfg& cfg, const CodeTree& tree, CodeId code) {
  const CodeObject& co = tree.codes[code];
  const auto is_none = [&](const Instruction& insn) {
    return insn.op == Op::LOAD_CONST && std::holds_alternative<ConstNone>(tree.consts[co.consts[insn.arg]]);
  };
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b) {
    auto& instructions = cfg.blocks[BlockId{b}].code;
    const std::size_t n = instructions.size();
    if (n < 3 || instructions[n - 2].op != Op::IS_OP || !is_none(instructions[n - 3])) continue;
    Instruction jump = instructions[n - 1];
    if (jump.op != Op::POP_JUMP_IF_TRUE && jump.op != Op::POP_JUMP_IF_FALSE) continue;
    const bool if_true = jump.op == Op::POP_JUMP_IF_TRUE, is_not = (instructions[n - 2].arg & 1U) != 0;
    jump.op = if_true != is_not ? Op::POP_JUMP_IF_NONE : Op::POP_JUMP_IF_NOT_NONE;
    instructions.resize(n - 3);
    instructions.push_back(jump);
  }
}

}  // namespace depyf
