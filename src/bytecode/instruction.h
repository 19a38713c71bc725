// SPDX-License-Identifier: MIT
// Canonical instructions, into which decode() translates the code of all versions.
//
// Invariant: targets of jumps are instruction indices; there are no prefixes and caches; a superinstruction is split
// into several instructions with the same offset. ops.def and effect() define the meaning of operations.
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

// In the order of CPython's NB_* (Include/opcode.h); in-place operators have the flag kInPlace.
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

// The operand of LOAD_COMMON_CONSTANT, in CPython 3.15's order (Include/internal/pycore_opcode_utils.h).
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

// The operand of LOAD_SPECIAL (3.14+).
enum class SpecialMethod : std::uint8_t { kEnter, kExit, kAenter, kAexit };

// The operands of CALL_INTRINSIC_1 and CALL_INTRINSIC_2 (Include/internal/pycore_intrinsics.h).
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

// The kind of an operation's operand; ops.def explains the names. Up to 3.10 Deref is an index into co_cellvars
// followed by co_freevars, and Local into co_varnames; from 3.11 on both are indices into localsplus.
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

// An operation's row of ops.def. A stack effect of -1 varies: see effect().
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
[[nodiscard]] constexpr bool is_jump(Op op) { return facts(op).argument == ArgKind::Jump; }
template <auto... kValues>
[[nodiscard]] constexpr bool is_one_of(auto value) {
  return ((value == kValues) || ...);
}
[[nodiscard]] constexpr bool stores_name(Op op) {
  return is_one_of<Op::STORE_FAST, Op::STORE_NAME, Op::STORE_GLOBAL, Op::STORE_DEREF>(op);
}
[[nodiscard]] constexpr bool deletes_name(Op op) {
  return is_one_of<Op::DELETE_FAST, Op::DELETE_NAME, Op::DELETE_GLOBAL, Op::DELETE_DEREF>(op);
}
// Returns whether an operation never falls through.
[[nodiscard]] constexpr bool is_terminator(Op op) {
  return is_one_of<Op::JUMP, Op::RETURN_VALUE, Op::RAISE_VARARGS, Op::RERAISE, Op::ILLEGAL>(op);
}

// Bits of Instruction::flags, by operation.
enum InstructionFlag : std::uint8_t {
  kInPlace = 1,       // BINARY_OP: x += y
  kMakesBool = 1,     // COMPARE_OP: converts the result to bool (3.13+)
  kTwoArgSuper = 1,   // LOAD_SUPER_ATTR, LOAD_SUPER_METHOD: super(a, b) instead of super()
  kLazyImport = 1,    // IMPORT_NAME (3.15)
  kEagerImport = 2,   // IMPORT_NAME (3.15)
  kMakesCell = 1,     // LOAD_FAST_AND_CLEAR: a MAKE_CELL replaces the saved cell by a new one (set by src/cfg only)
  kThreaded = 1,      // POP_JUMP_IF_x: a jump was threaded through the test of a copy (3.14+, set by src/deopt)
  kMatchesGroup = 1,  // CHECK_EXC_MATCH: a clause of except* (set by src/structure only)
  // How a statement is left; 3.8, set by src/cfg only. On POP_EXCEPT: a clause `except E as x`; on POP_BLOCK: a
  // protected body; on POP_TOP, which pops the result of __exit__: a `with` statement.
  kFallThroughExit = 1,  // at its end
  kAbruptExit = 2,       // by a statement inside
  kEndlessExit = 3,      // by a statement inside, for a finally body that never ends (all versions, set by src/deopt)
  kIterKept = 1,         // FOR_ITER: does not pop the iterator when it jumps (3.12+)
  kIterAsync = 4,        // FOR_ITER: of an asynchronous iterator, which it pops when it jumps (deopt/async_for.cpp)
  kIterNull = 2,         // FOR_ITER, POP_ITER, SEND, END_SEND, CLEANUP_THROW: there is a NULL above the iterator (3.15)
};

inline constexpr std::uint32_t kNoTarget = 0xFFFFFFFF;

struct Instruction {
  Op op = Op::NOP;
  std::uint8_t flags = 0;
  std::uint32_t arg = 0;
  std::uint32_t target = kNoTarget;  // of a jump: an instruction index
  std::uint32_t offset = 0;          // of CPython's instruction (its first prefix), in bytes, in co_code
};

// One row of a 3.11+ exception table, in instruction indices; `end` exclusive.
struct ExceptionEntry {
  std::uint32_t start = 0, end = 0, target = 0;
  std::uint32_t depth = 0;
  bool lasti = false;
};

struct SourcePosition {  // of an instruction; lines from 1, columns in bytes from 0; -1: unknown
  std::int32_t line = -1, end_line = -1, column = -1, end_column = -1;
  friend bool operator==(const SourcePosition&, const SourcePosition&) = default;
};

struct Bytecode {
  std::vector<Instruction> code;
  std::vector<Error> illegal;            // by operand of ILLEGAL: the error to report if control reaches it
  std::vector<ExceptionEntry> handlers;  // rows of the exception table; empty before 3.11
};

// Decodes one code object. Errors have the byte offset in co_code. The result is checked: operands are valid indices,
// counts are within the limits, and a FOR_ITER of 3.12+ jumps to an END_FOR. An instruction that violates this becomes
// an ILLEGAL, not an error, since it may be unreachable (obfuscators add such code).
[[nodiscard]] Result<Bytecode> decode(const CodeTree& tree, CodeId code, const Limits& limits);

// The stack effect of an instruction on the fall-through edge or the jump edge, exact for instructions that decode()
// returned for that version. The jump edge of SETUP_* enters the handler. See ops.def for 3.8's finally bodies.
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
