// SPDX-License-Identifier: MIT
// Stack effects of canonical operations that depend on the version, the operand or the edge; names of operations.
//
// Invariant: exact for instructions that decode() returned for that version; tests/bytecode compares with
// dis.stack_effect of every interpreter. Entries that an operation only reads count as popped and pushed again.
#include <bit>

#include "bytecode/instruction.h"

namespace depyf {
namespace {

constexpr std::string_view kNames[] = {
#define DEPYF_OP(name, argument, pops, pushes) #name,
#include "bytecode/ops.def"
#undef DEPYF_OP
};

// The stack entries of an exception before 3.11: traceback, value and type of the handled one, then those of the new
// one.
constexpr std::int32_t kExceptionEntries = 6;

// Returns the number of entries of an iterator. decode() sets the flag in 3.15; the graph builder removes flag and
// NULL.
std::int32_t iterator_entries(const Instruction& insn) { return (insn.flags & kIterNull) != 0 ? 2 : 1; }

// Returns the effect on the jump edge.
Effect jump_effect(Version version, const Instruction& insn) {
  const std::int32_t iterator = iterator_entries(insn);
  switch (insn.op) {
    case Op::FOR_ITER:
      if (version.minor <= 11 || (insn.flags & kIterAsync) != 0) return {1, 0};
      return {iterator, iterator + 1};
    case Op::SEND:
      if (version.minor <= 11) return {2, 1};
      return {iterator + 1, iterator + 1};
    case Op::JUMP_IF_FALSE_OR_POP:
    case Op::JUMP_IF_TRUE_OR_POP: return {1, 1};
    case Op::CALL_FINALLY: return {0, 1};
    case Op::SETUP_FINALLY: return {0, kExceptionEntries};
    case Op::SETUP_WITH: return {1, 1 + kExceptionEntries};
    case Op::SETUP_ASYNC_WITH: return {1, kExceptionEntries};
    default:  // all others have the same effect on both edges
      return {facts(insn.op).pops, facts(insn.op).pushes};
  }
}

// Returns the effect of operations for which it depends on the operand only.
Effect counted_effect(const Instruction& insn) {
  const auto n = static_cast<std::int32_t>(insn.arg);
  switch (insn.op) {
    case Op::COPY: return {n, n + 1};
    case Op::SWAP: return {n, n};
    case Op::LIST_APPEND:
    case Op::SET_ADD:
    case Op::LIST_EXTEND:
    case Op::SET_UPDATE:
    case Op::DICT_UPDATE:
    case Op::DICT_MERGE: return {1 + n, n};
    case Op::MAP_ADD: return {2 + n, n};
    case Op::BUILD_MAP: return {2 * n, 1};
    case Op::BUILD_CONST_KEY_MAP:
    case Op::CALL_FUNCTION: return {n + 1, 1};
    case Op::CALL_FUNCTION_KW:
    case Op::CALL: return {n + 2, 1};
    case Op::CALL_KW: return {n + 3, 1};
    case Op::CALL_FUNCTION_EX: return {2 + (n & 1) + ((n >> 1) & 1), 1};
    case Op::FORMAT_VALUE: return {1 + ((n >> 2) & 1), 1};
    case Op::BUILD_INTERPOLATION: return {2 + (n & 1), 1};
    case Op::UNPACK_SEQUENCE: return {1, n};
    case Op::UNPACK_EX: return {1, 1 + (n & 0xFF) + (n >> 8)};
    case Op::RAISE_VARARGS: return {n, 0};
    case Op::POP_FINALLY: return {1 + (n & 1), n & 1};
    default:  // displays: n entries become one
      return {n, 1};
  }
}

// Returns the effect on the fall-through edge.
Effect versioned_effect(Version version, const Instruction& insn) {
  const unsigned minor = version.minor;
  const std::int32_t iterator = iterator_entries(insn);
  const auto n = static_cast<std::int32_t>(insn.arg);
  switch (insn.op) {
    case Op::MAKE_FUNCTION: return {(minor <= 10 ? 2 : 1) + std::popcount(insn.arg & 0xFU), 1};
    case Op::FOR_ITER: return {iterator, iterator + 1};
    case Op::SEND: return {iterator + 1, iterator + 1};
    case Op::END_SEND: return {iterator + 1, 1};
    case Op::CLEANUP_THROW: return {iterator + 2, iterator + 1};
    case Op::POP_ITER: return {iterator, 0};
    case Op::END_FOR: return {minor == 12 ? 2 : 1, 0};
    case Op::RERAISE:
      if (minor <= 10) return {3, 0};
      return {1 + n, n};
    case Op::POP_EXCEPT: return {minor <= 10 ? 3 : 1, 0};
    case Op::END_ASYNC_FOR: return {minor <= 10 ? 7 : 2, 0};
    case Op::WITH_EXCEPT_START: {
      const std::int32_t depth = minor <= 10 ? 7 : minor <= 13 ? 4 : 5;
      return {depth, depth + 1};
    }
    case Op::MATCH_KEYS: return {2, minor == 10 ? 4 : 3};
    case Op::MATCH_CLASS: return {3, minor == 10 ? 2 : 1};
    default: return counted_effect(insn);
  }
}

}  // namespace

Effect varying_effect(Version version, const Instruction& insn, bool jump) {
  return jump && is_jump(insn.op) ? jump_effect(version, insn) : versioned_effect(version, insn);
}

std::string_view op_name(Op op) { return kNames[static_cast<std::size_t>(op)]; }

}  // namespace depyf
