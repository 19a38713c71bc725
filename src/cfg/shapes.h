// SPDX-License-Identifier: MIT
// Predicates of short instruction sequences that several passes recognize.
#pragma once

#include <cmath>
#include <span>
#include <utility>

#include "bytecode/instruction.h"

namespace depyf {

[[nodiscard]] inline bool same_operation(const Instruction& a, const Instruction& b) {
  return a.op == b.op && a.arg == b.arg && a.flags == b.flags;
}

// Returns whether 3.14+ compilers create a constant by constant folding in the control-flow graph: a tuple, a negative
// number or a complex sum. The code generator emits the expression.
[[nodiscard]] inline bool is_folded_late(const Constant& value) {
  if (const auto* number = std::get_if<ConstInt>(&value)) return number->negative;
  if (const auto* number = std::get_if<ConstFloat>(&value)) return std::signbit(number->value);
  if (const auto* number = std::get_if<ConstComplex>(&value))
    return number->real != 0 || std::signbit(number->real) || std::signbit(number->imag);
  return std::holds_alternative<ConstTuple>(value);
}
[[nodiscard]] inline bool loads_constant(const Instruction& i) {
  return i.op == Op::LOAD_CONST || i.op == Op::LOAD_COMMON_CONSTANT;
}

// Returns whether the instruction of a code object loads None.
[[nodiscard]] inline bool loads_none(const CodeTree& tree, const CodeObject& co, const Instruction& i) {
  if (i.op == Op::LOAD_COMMON_CONSTANT) return static_cast<CommonConstant>(i.arg) == CommonConstant::kNone;
  return i.op == Op::LOAD_CONST && std::holds_alternative<ConstNone>(tree.consts[co.consts[i.arg]]);
}

// Returns whether two instructions store to and delete the same variable: x = ...; del x
[[nodiscard]] inline bool rebinds_and_deletes(const Instruction& store, const Instruction& del) {
  for (const auto& [s, d] :
       {std::pair(Op::STORE_FAST, Op::DELETE_FAST), std::pair(Op::STORE_NAME, Op::DELETE_NAME),
        std::pair(Op::STORE_GLOBAL, Op::DELETE_GLOBAL), std::pair(Op::STORE_DEREF, Op::DELETE_DEREF)})
    if (store.op == s && del.op == d) return store.arg == del.arg;
  return false;
}

// Returns whether `x = None; del x`, the end of an `except E as x` clause, is at an index.
[[nodiscard]] inline bool clears_name(std::span<const Instruction> code, std::size_t at) {
  return at + 3 <= code.size() && loads_constant(code[at]) && rebinds_and_deletes(code[at + 1], code[at + 2]);
}

// Returns whether the instruction at an index is the call of __exit__ with None, None and None, which are loaded or
// copied.
[[nodiscard]] inline bool calls_exit(const CodeTree& tree, const CodeObject& co, std::span<const Instruction> code,
                                     std::size_t at) {
  if (at < 3 || (code[at].op != Op::CALL && code[at].op != Op::CALL_FUNCTION)) return false;
  const auto is_none = [&](const Instruction& i) { return loads_none(tree, co, i); };
  const auto is_copy = [](const Instruction& i) { return i.op == Op::COPY && i.arg == 1; };
  return is_none(code[at - 3]) && (is_none(code[at - 2]) || is_copy(code[at - 2])) &&
         (is_none(code[at - 1]) || is_copy(code[at - 1]));
}

// Returns the index of the COPY if the code ends with the test of a copied value: COPY 1; (TO_BOOL;) POP_JUMP_IF_x.
// Otherwise returns the code's size.
[[nodiscard]] inline std::size_t test_of_copy(std::span<const Instruction> code) {
  auto n = code.size();
  if (n < 2 || (code[n - 1].op != Op::POP_JUMP_IF_FALSE && code[n - 1].op != Op::POP_JUMP_IF_TRUE)) return n;
  if (code[n - 2].op == Op::TO_BOOL) --n;
  return n >= 2 && code[n - 2].op == Op::COPY && code[n - 2].arg == 1 ? n - 2 : code.size();
}

}  // namespace depyf
