// SPDX-License-Identifier: MIT
// Canonical instructions: what a decoder of any version produces.
//
// Invariant: `target` is an index into the same vector (jumps name instructions, never offsets); prefixes and caches are
// gone; a superinstruction stands as several instructions with the same offset. Meaning lives in ops.def and effect().
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "depyf/code.h"
#include "depyf/limits.h"
#include "depyf/result.h"

namespace depyf {

enum class Op : std::uint8_t {
#define DEPYF_OP(name, argument, pops, pushes) name,
#include "bytecode/ops.def"
#undef DEPYF_OP
};

[[nodiscard]] std::string_view op_name(Op op);

// CPython's NB_* order (Include/opcode.h), in-place variants folded onto the plain ones.
enum class BinaryOperator : std::uint8_t { kAdd, kAnd, kFloorDivide, kLshift, kMatrixMultiply, kMultiply, kRemainder,
                                           kOr, kPower, kRshift, kSubtract, kTrueDivide, kXor };

enum class CommonConstant : std::uint8_t { kAssertionError, kNotImplementedError, kTuple, kAll, kAny, kList, kSet,
                                           kNone, kEmptyStr, kTrue, kFalse, kMinusOne };

inline constexpr std::uint32_t kNoTarget = 0xFFFFFFFF;

struct Instruction {
  Op op = Op::NOP;
  std::uint8_t flags = 0;
  std::uint32_t arg = 0;
  std::uint32_t target = kNoTarget;  // index of an instruction, for jumps (fall-through is always the next one)
  std::uint32_t offset = 0;          // byte offset in co_code of the real instruction (its first prefix)
};

// One row of a 3.11+ exception table, in instruction indices; `end` exclusive.
struct ExceptionEntry {
  std::uint32_t start = 0, end = 0, target = 0;
  std::uint32_t depth = 0;
  bool lasti = false;
};

struct Position {  // of one instruction in the original source; -1 when the line table does not say
  std::int32_t line = -1, end_line = -1, column = -1, end_column = -1;
};

struct Bytecode {
  std::vector<Instruction> code;
  std::vector<ExceptionEntry> handlers;  // empty before 3.11
  std::vector<Position> positions;       // one an instruction; empty when the line table is unusable (it guides layout only)
};

// Decodes one code object. Errors carry the byte offset in co_code.
[[nodiscard]] Result<Bytecode> decode(const CodeTree& tree, CodeId code, const Limits& limits);

// Fixed part of the stack effect on the fall-through edge / on the jump edge, for one version.
struct Effect {
  std::int32_t pops = 0, pushes = 0;
};
[[nodiscard]] Effect effect(Version version, const Instruction& insn, bool jump);

[[nodiscard]] bool is_jump(Op op);          // has a target
[[nodiscard]] bool is_terminator(Op op);    // never falls through: JUMP, RETURN_VALUE, RAISE_VARARGS, RERAISE
}  // namespace depyf
