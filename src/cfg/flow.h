// SPDX-License-Identifier: MIT
// Flow: every reachable (instruction, context) of one code object, with depth, successors and handler; what runs on from
// one instruction to the next is one node.
//
// This is where the versions end: block stack, exception table and 3.8's finally tokens all become handler edges and plain
// successors, and Emit says which canonical instructions a node represents. Invariant: nodes[0] is the entry; depths
// agree at every join. It makes no blocks and removes nothing.
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
  kNothing,            // vanishes; control continues at `fall`
  kSelf,               // the instruction itself
  kReraise,            // END_FINALLY of an exception
  kHeader,             // NOP: SETUP_FINALLY or NOP where a loop begins
  kPopExcept,          // moved here from after the end of a finally body
  kWithCall,           // the normal exit of a with statement: None, None, None, CALL_FUNCTION 3
  kWithExcept,         // the exceptional one: WITH_EXCEPT_START
  kPopTop,             // drops the answer of a normal exit
  kSwallowTest,        // POP_JUMP_IF_TRUE on the answer of an exceptional exit
  kSwallow,            // ... true: the exception is dropped, and __exit__ below it
  kDropException,      // POP_FINALLY of an exception
  kDropExceptionKeep,  // the same below a value that stays
  kAdjusted,           // the instruction with Node::arg and without kIterNull
  kRotateUp,           // the Node::arg-th entry from the top becomes the top
  kRotateDown,         // and back
};

struct Node {
  std::uint32_t index = 0;  // into Bytecode::code
  std::uint32_t count = 1;  // kSelf: of instructions from there on that control runs through one after the other
  std::uint32_t context = 0;
  std::uint32_t depth = 0;     // operand stack entries before it
  std::uint32_t fall = kNone;  // node ids
  std::uint32_t jump = kNone;
  std::uint32_t handler = kNone;
  std::uint32_t handler_depth = 0;
  std::uint32_t phantom = kNone;  // kReraise: the node that an END_FINALLY without exception leads to, if it is reached
  std::uint32_t arg = 0;
  bool handler_lasti = false;
  bool is_handler = false;  // entered by an exception
  JumpInversion inverted = JumpInversion::kUnknown;
  Emit emit = Emit::kSelf;
  std::uint8_t entered = 0;  // the first of a finally body: kFallThroughExit or kAbruptExit
};

struct Flow {
  std::vector<Node> nodes;
  bool some_unreached = false;  // nodes that are kept although nothing leads there; see PhantomSuccessors
};

[[nodiscard]] Result<Flow> explore(const Bytecode& bytecode, const Dialect& dialect, const Limits& limits,
                                   PhantomSuccessors which);
// The same with rows of the exception table that keep no more than there is; see lenient.h.
[[nodiscard]] Result<Flow> explore_lenient(const Bytecode& bytecode, const Dialect& dialect, const Limits& limits,
                                           PhantomSuccessors which);

}  // namespace depyf::flow
