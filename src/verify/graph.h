// SPDX-License-Identifier: MIT
// The normalised control-flow graph of one code object: what the canonical comparison walks.
//
// Invariant: nodes are the canonical instructions, one each, in code order; a node either has a label (operation and
// operand as a value) or is without effect and has one successor. What CPython's compiler decides by line numbers
// alone (SWAPs before stores, threaded JUMP_IF_x_OR_POP) is carried out, so that it makes no difference; of the latter
// it is kept how often the truth of the value is asked.
// It keeps unreachable nodes, which no walk meets, and knows no stack.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bytecode/dialect.h"
#include "bytecode/instruction.h"
#include "verify/keys.h"

namespace depyf::equivalence {

// Node numbers; the negative ones are used in place of a node.
using NodeId = std::int32_t;
inline constexpr NodeId kEndless = -1;  // an empty endless loop
inline constexpr NodeId kOffEnd = -2;   // control falls off the end of the code

struct Label {
  Op op = Op::NOP;  // NOP: without effect
  std::uint8_t flags = 0;
  std::uint32_t arg = 0;
  Key key = kNoKey;  // a name or a constant, in place of `arg`
  friend bool operator==(const Label&, const Label&) = default;
  [[nodiscard]] bool effective() const { return op != Op::NOP; }
};

struct Node {
  Label label;
  std::uint8_t successors = 0;
  NodeId next[2] = {kOffEnd, kOffEnd};  // of branches: first where the test holds, whichever way the jump went
  std::uint32_t retests[2] = {0, 0};    // on the way there: tests of the same value that threading took away
  NodeId real = kOffEnd;                // the first effective node from here on
  std::int32_t handler = -1;            // index into Graph::handlers
  CodeId code;                          // the code object that this LOAD_CONST loads
  std::uint32_t offset = 0;
};

struct GraphHandler {
  NodeId target = kOffEnd;
  std::uint32_t depth = 0;
  bool lasti = false;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<GraphHandler> handlers;
  // Code objects that reachable instructions load, in code order, each once.
  std::vector<CodeId> children;
  std::optional<std::uint32_t> reads_locals;  // offset of what shows the local variables
};

// 3.13+: whether close() ends a generator that waits at this YIELD_VALUE without a look at the handlers around it: the
// RESUME after it says so (gen_close in Objects/genobject.c), where compilers see none but that of the whole body.
[[nodiscard]] inline bool closes_at_once(const std::vector<Instruction>& code, std::size_t index) {
  constexpr std::uint32_t kDepthOne = 4;  // RESUME_OPARG_DEPTH1_MASK
  return code[index].op == Op::YIELD_VALUE && index + 1 < code.size() && code[index + 1].op == Op::RESUME &&
         (code[index + 1].arg & kDepthOne) != 0;
}

// 3.11+: how many leading instructions make the frame's cells: one MAKE_CELL for each cell variable and one
// COPY_FREE_VARS for all free ones, in any order, as compilers emit them (Python/flowgraph.c, insert_prefix_instructions).
// 0 where they do something else or are jumped to: each MAKE_CELL then makes a cell of whatever its slot holds.
[[nodiscard]] std::size_t frame_setup(const CodeObject& code, const Bytecode& bytecode);

// Stores of `__firstlineno__` and `__static_attributes__` (3.13+) that the compiler itself puts at the two ends of a class
// body, as indices of instructions. What the program stores under these names is not meant.
struct ClassStores {
  std::vector<std::size_t> first_line;         // one at most
  std::vector<std::size_t> static_attributes;  // one for each end: small blocks are copied
};
[[nodiscard]] ClassStores compilers_stores(const CodeTree& tree, const CodeObject& code, const Bytecode& bytecode,
                                           const Dialect& dialect);

// The first instruction that loads something that shows the local variables of the frame it runs in: a name that is
// `locals`, `vars`, `dir`, `eval` or `exec`, or `_getframe` or `currentframe` of whatever object.
[[nodiscard]] std::optional<std::size_t> reads_locals(const CodeObject& code, const Bytecode& bytecode);

// The names of all variables, slot by slot.
[[nodiscard]] std::vector<std::string> variables(const CodeObject& code);

// How many earlier entries of a list have the name of each: 0 everywhere but where names repeat.
[[nodiscard]] std::vector<std::size_t> repetitions(const std::vector<std::string>& names);

// `loose`: the qualname that a MAKE_FUNCTION takes (up to 3.10) counts by its last part only.
[[nodiscard]] Result<Graph> build_graph(const CodeTree& tree, CodeId code, const Dialect& dialect, Keys& keys,
                                        ConstantKeys& constants, bool loose, const Limits& limits);

// "LOAD_FAST x", for messages.
[[nodiscard]] std::string show(const Label& label, const Keys& keys);

}  // namespace depyf::equivalence
