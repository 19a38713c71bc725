// SPDX-License-Identifier: MIT
// The flow of one code object: a node for every reachable pair of instruction and context (context.h), with stack
// depth, successors and handler. A straight line of instructions in one context is one node.
//
// This step removes the differences between versions: block stack, exception table and 3.8's finally bodies become
// handler edges and plain successors, and Emit tells which canonical instructions a node stands for. Invariant:
// nodes[0] is the entry; depths agree at every join. build.cpp makes blocks of the nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "bytecode/dialect.h"
#include "bytecode/instruction.h"
#include "cfg/cfg.h"
#include "depyf/limits.h"
#include "depyf/result.h"

namespace depyf::flow {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

enum class Emit : std::uint8_t {
  kNothing,            // no instruction; control continues at `fall`
  kSelf,               // the instruction itself
  kReraise,            // RERAISE, for END_FINALLY with an exception
  kHeader,             // NOP, for a SETUP_FINALLY or NOP at a loop header
  kPopExcept,          // POP_EXCEPT, moved here from after a finally body
  kWithCall,           // None, None, None, CALL_FUNCTION 3: the normal exit of a `with` statement
  kWithExcept,         // WITH_EXCEPT_START: the exceptional exit
  kPopTop,             // POP_TOP of the result of a normal exit
  kSwallowTest,        // POP_JUMP_IF_TRUE on the result of an exceptional exit
  kSwallow,            // if true: pops the exception, and __exit__ below it
  kDropException,      // pops the exception, for POP_FINALLY
  kDropExceptionKeep,  // the same below a value that remains
  kAdjusted,           // the instruction with Node::arg as its operand and without kIterNull
  kRotateUp,           // moves the Node::arg-th entry from the top to the top
  kRotateDown,         // the inverse of kRotateUp
};

struct Node {
  std::uint32_t index = 0;  // into Bytecode::code
  std::uint32_t count = 1;  // kSelf: number of instructions in the straight line
  std::uint32_t context = 0;
  std::uint32_t depth = 0;     // of the operand stack before it
  std::uint32_t fall = kNone;  // successors and handler are node ids
  std::uint32_t jump = kNone;
  std::uint32_t handler = kNone;
  std::uint32_t handler_depth = 0;
  std::uint32_t phantom = kNone;  // kReraise: the phantom successor, where END_FINALLY continues without an exception
  std::uint32_t arg = 0;          // see Emit; kPopTop: flags
  bool handler_lasti = false;
  bool is_handler = false;  // entered by an exception
  JumpInversion inverted = JumpInversion::kUnknown;
  Emit emit = Emit::kSelf;
  std::uint8_t entered = 0;  // at the start of a finally body: kFallThroughExit or kAbruptExit
};

struct Flow {
  std::vector<Node> nodes;
  bool some_unreached = false;  // some nodes are reachable through phantom edges only; see PhantomSuccessors
};

[[nodiscard]] Result<Flow> explore(const Bytecode& bytecode, const Dialect& dialect, const Limits& limits,
                                   PhantomSuccessors which);
// The same, with depths in the exception table lowered to the stack's where they exceed it; see lenient.h.
[[nodiscard]] Result<Flow> explore_lenient(const Bytecode& bytecode, const Dialect& dialect, const Limits& limits,
                                           PhantomSuccessors which);

}  // namespace depyf::flow
