// SPDX-License-Identifier: MIT
// Canonical instructions: what a decoder of any version produces.
//
// Invariant: `target` is an index into the same vector (jumps name instructions, never offsets); prefixes and caches are
// gone; a superinstruction becomes several instructions with the same offset. Meaning lives in ops.def and effect().
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
enum class BinaryOperator : std::uint8_t {
  kAdd,
  kAnd,
  kFloorDivide,
  kLshift,
  kMatrixMultiply,
  kMultiply,
  kRemainder,
  kOr,
  kPower,
  kRshift,
  kSubtract,
  kTrueDivide,
  kXor
};

// LOAD_COMMON_CONSTANT's argument, in CPython 3.15's order (Include/internal/pycore_opcode_utils.h).
enum class CommonConstant : std::uint8_t {
  kAssertionError,
  kNotImplementedError,
  kTuple,
  kAll,
  kAny,
  kList,
  kSet,
  kNone,
  kEmptyStr,
  kTrue,
  kFalse,
  kMinusOne
};

// LOAD_SPECIAL's argument (3.14+).
enum class SpecialMethod : std::uint8_t { kEnter, kExit, kAenter, kAexit };

// CALL_INTRINSIC_1/2's arguments (Include/internal/pycore_intrinsics.h).
enum class Intrinsic1 : std::uint8_t {
  INTRINSIC_1_INVALID,
  INTRINSIC_PRINT,
  INTRINSIC_IMPORT_STAR,
  INTRINSIC_STOPITERATION_ERROR,
  INTRINSIC_ASYNC_GEN_WRAP,
  INTRINSIC_UNARY_POSITIVE,
  INTRINSIC_LIST_TO_TUPLE,
  INTRINSIC_TYPEVAR,
  INTRINSIC_PARAMSPEC,
  INTRINSIC_TYPEVARTUPLE,
  INTRINSIC_SUBSCRIPT_GENERIC,
  INTRINSIC_TYPEALIAS
};
enum class Intrinsic2 : std::uint8_t {
  INTRINSIC_2_INVALID,
  INTRINSIC_PREP_RERAISE_STAR,
  INTRINSIC_TYPEVAR_WITH_BOUND,
  INTRINSIC_TYPEVAR_WITH_CONSTRAINTS,
  INTRINSIC_SET_FUNCTION_TYPE_PARAMS,
  INTRINSIC_SET_TYPEPARAM_DEFAULT
};

// What an operation's argument is; the names are explained in ops.def. Deref counts co_cellvars then co_freevars before
// 3.11 and indexes localsplus from 3.11 on, where Local does too (before: co_varnames).
enum class ArgKind : std::uint8_t {
  None,
  Const,
  Name,
  Local,
  Deref,
  Count,
  Flags,
  Jump,
  Distance,
  Common,
  SuperName,
  Special,
  BinaryOp,
  CompareOp,
  FormatFlags,
  UnpackEx,
  Intrinsic1,
  Intrinsic2
};

// Each operation's row of ops.def; -1: see effect().
struct OpFacts {
  ArgKind argument;
  std::int8_t pops, pushes;
};
inline constexpr OpFacts kOpFacts[] = {
#define DEPYF_OP(name, argument, pops, pushes) OpFacts{ArgKind::argument, pops, pushes},
#include "bytecode/ops.def"
#undef DEPYF_OP
};
[[nodiscard]] constexpr const OpFacts& facts(Op op) { return kOpFacts[static_cast<std::size_t>(op)]; }
[[nodiscard]] inline ArgKind arg_kind(Op op) { return facts(op).argument; }
[[nodiscard]] constexpr bool is_jump(Op op) { return facts(op).argument == ArgKind::Jump; }  // has a target
template <auto... kValues>
[[nodiscard]] constexpr bool is_one_of(auto value) {
  return ((value == kValues) || ...);
}
// To a variable.
[[nodiscard]] constexpr bool stores_name(Op op) {
  return is_one_of<Op::STORE_FAST, Op::STORE_NAME, Op::STORE_GLOBAL, Op::STORE_DEREF>(op);
}
[[nodiscard]] constexpr bool deletes_name(Op op) {
  return is_one_of<Op::DELETE_FAST, Op::DELETE_NAME, Op::DELETE_GLOBAL, Op::DELETE_DEREF>(op);
}
// Never falls through.
[[nodiscard]] constexpr bool is_terminator(Op op) {
  return is_one_of<Op::JUMP, Op::RETURN_VALUE, Op::RAISE_VARARGS, Op::RERAISE, Op::ILLEGAL>(op);
}

// Bits of Instruction::flags, by operation.
enum InstructionFlag : std::uint8_t {
  kInPlace = 1,       // BINARY_OP: x += y
  kMakesBool = 1,     // COMPARE_OP: the result is made a bool (3.13+)
  kTwoArgSuper = 1,   // LOAD_SUPER_ATTR, LOAD_SUPER_METHOD: super(a, b), not super()
  kLazyImport = 1,    // IMPORT_NAME (3.15)
  kEagerImport = 2,   // IMPORT_NAME (3.15)
  kMakesCell = 1,     // LOAD_FAST_AND_CLEAR: of a cell, in whose place MAKE_CELL puts another (written by src/cfg only)
  kThreaded = 1,      // POP_JUMP_IF_x: a jump was threaded through the test of a copy (3.14+, written by src/deopt)
  kMatchesGroup = 1,  // CHECK_EXC_MATCH: a clause of except* (written by src/structure only)
  // 3.8, written by src/cfg only. POP_EXCEPT: of `except E as x`; POP_BLOCK: of a protected body; POP_TOP: of a with
  // statement, which drops the answer of __exit__.
  kFallThroughExit = 1,  // it comes to its end
  kAbruptExit = 2,       // a statement inside leaves it
  kEndlessExit = 3,      // a statement inside leaves it for a finally body that never ends (all versions, by src/deopt)
  kIterKept = 1,         // FOR_ITER: jumps with the iterator still there (3.12+)
  kIterAsync = 4,        // FOR_ITER: of an asynchronous iterator, which its jump pops (deopt/async_for.cpp)
  kIterNull = 2,         // FOR_ITER, POP_ITER, SEND, END_SEND, CLEANUP_THROW: a NULL lies above the iterator (3.15)
};

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

struct SourcePosition {  // of one instruction in the original source; -1 when the line table does not say
  std::int32_t line = -1, end_line = -1, column = -1, end_column = -1;
  friend bool operator==(const SourcePosition&, const SourcePosition&) = default;
};

struct Bytecode {
  std::vector<Instruction> code;
  std::vector<Error> illegal;            // what is wrong with each ILLEGAL: an error where control reaches it
  std::vector<ExceptionEntry> handlers;  // empty before 3.11
};

// Decodes one code object. Errors carry the byte offset in co_code. What it returns is checked: every argument indexes
// what it names, counts fit the limits, and a FOR_ITER of 3.12+ jumps to an END_FOR. What is not so is an ILLEGAL, for
// code that control never reaches may be anything (obfuscators put junk there).
[[nodiscard]] Result<Bytecode> decode(const CodeTree& tree, CodeId code, const Limits& limits);

// The stack effect on the fall-through edge / on the jump edge (which only jumps have), exact for an instruction that
// decode() made for that version. SETUP_*: the jump edge is the handler's entry. See ops.def for 3.8's finally bodies.
struct Effect {
  std::int32_t pops = 0, pushes = 0;
};
[[nodiscard]] Effect varying_effect(Version version, const Instruction& insn, bool jump);
[[nodiscard]] inline Effect effect(Version version, const Instruction& insn, bool jump) {
  const OpFacts& op = facts(insn.op);
  const bool varies = op.pops < 0 || op.pushes < 0 || (jump && op.argument == ArgKind::Jump);
  return varies ? varying_effect(version, insn, jump) : Effect{op.pops, op.pushes};
}

}  // namespace depyf
