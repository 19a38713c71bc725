// SPDX-License-Identifier: MIT
// Control-flow graph of one code object: blocks, handler ranges, stack depths.
//
// Block stack (<= 3.10, flow-sensitive) and exception table (3.11+) are the same thing here: each instruction has at most
// one handler (target block, stack depth the stack is cut to, lasti). SETUP_*, POP_BLOCK vanish into it. 3.8's
// CALL_FINALLY/END_FINALLY are expanded: a finally body has one copy a way of entering it, as 3.9+ compilers write it.
// Invariant: only reachable blocks are here; block order is code order (of copies: order of discovery), the entry first; a
// block's instructions share one handler. A block holds no JUMP and may be empty (a loop that does nothing). No
// instruction of the block stack (but a NOP where a loop begins with it, or outside of another loop), SEND, CLEANUP_THROW,
// generator prologue or implicit StopIteration handler is left. This file knows no expressions.
//
// Entries of CPython's stack that are no values have no entry here: NULL and return address of 3.8's finally bodies, the
// None pushed there for a return value, 3.15's NULL above each iterator. Depths and counts (COPY, SWAP, LIST_APPEND)
// leave them out; kIterNull is cleared. What 3.8 wrote reads as 3.9's compiler writes the same source, but for None in a
// with statement's exit (LOAD_COMMON_CONSTANT, not co_consts) and the operation of `assert`. How a statement was left
// (kFallThroughExit, kAbruptExit) and what follows it (where END_FINALLY continues when nothing was raised) is kept.
//
// What an exception pushes on entering a handler, bottom to top, above the `depth` entries that are kept:
//   <= 3.10   six: traceback, value, type of the exception handled so far; then traceback, value, type of the new one.
//             RERAISE takes the upper three, POP_EXCEPT the lower three. (CPython: exception_unwind in ceval.c.)
//   3.11+     the instruction offset if `lasti`, then the exception; the handler begins with PUSH_EXC_INFO, as a rule.
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
  std::uint32_t depth = 0;  // operand stack is cut to this many entries, then the exception is pushed
  bool lasti = false;       // 3.11+: an instruction offset is pushed below the exception
  friend bool operator==(const Handler&, const Handler&) = default;
};

// 3.13+ compilers turn a conditional jump back into one forward over a jump back, and leave it outside the exception
// table's rows (normalize_jumps_in_block in Python/flowgraph.c). What was turned can be seen only where a row covers the
// instruction before it; there, a jump that was not turned precedes a `continue` or another jump.
enum class JumpInversion : std::uint8_t { kUnknown, kNo, kYes };

struct BasicBlock {
  std::vector<Instruction> code;  // the last may be a jump or a terminator; its `target` is not used any more
  BlockId fall;                   // fall-through successor (also the target of JUMP); invalid if none
  BlockId jump;                   // where a conditional jump, FOR_ITER or SEND jumps; invalid if none
  Handler handler;
  std::uint32_t entry_depth = 0;  // operand stack entries on entry
  std::uint32_t first_index = 0;  // of its first instruction, for order: in Bytecode::code, or where it was moved to
  bool is_handler = false;        // entered by an exception
  JumpInversion inverted = JumpInversion::kUnknown;  // the conditional jump that it ends in
  std::uint32_t jump_nop = 0;                        // offset of the NOP that it leads to, of which nothing is left
  std::uint8_t entered = 0;                          // 3.8: a finally body, for kFallThroughExit or kAbruptExit
  bool has_phantom = false;                          // 3.8: it ends in the RERAISE of an END_FINALLY, or of except*;
  BlockId phantom;  // the block that follows that statement; invalid: none that is reached
};

struct Cfg {
  Arena<BlockTag, BasicBlock> blocks;  // blocks[0] is the entry
  bool keeps_phantoms = false;         // edges to BasicBlock::phantom count like any other
  bool some_unreached = false;         // 3.8: blocks that no other edge leads to
};

// Where an instruction is; compared as in cfg/cut.h, block by block.
struct Position {
  BlockId block;
  std::uint32_t at = 0;  // index of an instruction
};

// 3.8: what follows an END_FINALLY that always raises is part of the code, even where no edge leads there.
enum class PhantomSuccessors : bool { kDropped, kKept };

// Builds the graph. Errors: a jump out of range, unequal depths at a join, stack underflow, fall off the end, limits.
[[nodiscard]] Result<Cfg> build_cfg(const CodeTree& tree, CodeId code, const Bytecode& bytecode, const Dialect& dialect,
                                    const Limits& limits, PhantomSuccessors which = PhantomSuccessors::kDropped);

}  // namespace depyf
