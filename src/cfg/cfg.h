// SPDX-License-Identifier: MIT
// Control-flow graph of one code object: basic blocks, handlers, stack depths.
//
// Block stack (<= 3.10, flow-sensitive) and exception table (3.11+) have one representation: each instruction has at
// most one handler (target block, stack depth to which the stack is cut, lasti), and SETUP_* and POP_BLOCK are removed.
// 3.8's CALL_FINALLY and END_FINALLY are expanded: a finally body has one copy for each way of entering it, as in 3.9+
// code. Invariant: all blocks are reachable; the entry is first, the others are in code order (copies in order of
// discovery); the instructions of a block have one handler. A block contains no JUMP, and is empty only if it is an
// endless loop that does nothing. There are no instructions of the block stack (except for a NOP at a loop header or
// before a loop), no SEND, CLEANUP_THROW, generator prologue or implicit StopIteration handler.
//
// Entries of CPython's operand stack that are no values are omitted: NULL and return address of 3.8's finally bodies,
// the None pushed there for a return value, 3.15's NULL above each iterator. Depths and operands (COPY, SWAP,
// LIST_APPEND) do not count them; kIterNull is cleared. Code of 3.8 becomes the code of 3.9's compiler for the same
// source, except for the None arguments of __exit__ (LOAD_COMMON_CONSTANT, as co_consts may have no None) and the
// operation of `assert`. Flags keep how a statement was left (kFallThroughExit, kAbruptExit) and `phantom` what follows
// it.
//
// An exception pushes on entry to a handler, from bottom to top, above the `depth` entries that remain: <= 3.10 six
// entries: traceback, value and type of the exception handled before, then those of the new one. RERAISE
//             pops the upper three, POP_EXCEPT the lower three (exception_unwind in Python/ceval.c).
//   3.11+     the instruction offset if `lasti`, then the exception; usually the handler starts with PUSH_EXC_INFO.
#pragma once

#include <cstdint>
#include <vector>

#include "bytecode/dialect.h"
#include "bytecode/instruction.h"

namespace depyf {

struct BlockTag;
using BlockId = Id<BlockTag>;

struct Handler {
  BlockId block;            // invalid: no handler
  std::uint32_t depth = 0;  // the stack is cut to this many entries before the exception is pushed
  bool lasti = false;       // 3.11+: an instruction offset is pushed below the exception
  friend bool operator==(const Handler&, const Handler&) = default;
};

// Whether the compiler has inverted a conditional jump. 3.13+ compilers replace a backward conditional jump by a
// forward one over a backward JUMP, and no row of the exception table covers the new jump (normalize_jumps_in_block in
// Python/flowgraph.c). This shows only if a row covers the instruction before it; a conditional jump there that was not
// inverted precedes a `continue` or another jump.
enum class JumpInversion : std::uint8_t { kUnknown, kNo, kYes };

struct BasicBlock {
  std::vector<Instruction> code;  // only the last may be a jump or terminator; `jump` replaces its `target`
  BlockId fall;                   // fall-through successor (also for a JUMP), or invalid
  BlockId jump;                   // target of a conditional jump, FOR_ITER or SEND, or invalid
  Handler handler;
  std::uint32_t entry_depth = 0;  // operand stack entries on entry
  std::uint32_t first_index = 0;  // sort key for code order: the index of its first instruction, unless it was moved
  bool is_handler = false;        // entered by an exception
  JumpInversion inverted = JumpInversion::kUnknown;  // of the conditional jump at its end
  std::uint32_t jump_nop = 0;  // offset in bytes of the removed NOP that the bytecode's jump leads to, if any
  std::uint8_t entered = 0;    // 3.8: starts a finally body, entered for kFallThroughExit or kAbruptExit
  bool has_phantom = false;    // ends in the RERAISE of an END_FINALLY (3.8) or of except*
  BlockId phantom;             // phantom successor: the block after that statement, or invalid if it is not reached
};

struct Cfg {
  Arena<BlockTag, BasicBlock> blocks;  // blocks[0] is the entry
  bool keeps_phantoms = false;         // PhantomSuccessors::kKept: phantom edges count as edges
  bool some_unreached = false;         // 3.8: some blocks are reachable through phantom edges only
};

// The position of an instruction; cfg/cut.h compares positions by block, then by index.
struct Position {
  BlockId block;
  std::uint32_t at = 0;  // index of the instruction in the block; the block's size means its end
};

// Whether the code after an END_FINALLY that always raises (3.8) is part of the graph although no other edge leads
// there.
enum class PhantomSuccessors : bool { kDropped, kKept };

// Builds the graph. Fails if a jump is out of range, if depths at a join differ, if the stack underflows, if control
// falls off the end, or if a limit is exceeded.
[[nodiscard]] Result<Cfg> build_cfg(const CodeTree& tree, CodeId code, const Bytecode& bytecode, const Dialect& dialect,
                                    const Limits& limits, PhantomSuccessors which = PhantomSuccessors::kDropped);

}  // namespace depyf
