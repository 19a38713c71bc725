// SPDX-License-Identifier: MIT
// The normalized control-flow graph of one code object, on which the canonical comparison works.
//
// Invariant: there is one node for each canonical instruction, in code order. A node either has a label (operation, and
// operand as a value) or has no effect and one successor. Optimizations that CPython's compiler applies only where line
// numbers agree (SWAP before stores, jump threading of JUMP_IF_x_OR_POP) are applied everywhere, so that they make no
// difference; `retests` counts the tests that threading removes. Unreachable nodes stay in the graph, where no walk
// visits them. The graph does not model the operand stack.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bytecode/dialect.h"
#include "bytecode/instruction.h"
#include "verify/keys.h"

namespace depyf::equivalence {

// Index into Graph::nodes, or one of the negative values below.
using NodeId = std::int32_t;
inline constexpr NodeId kEndless = -1;  // an empty endless loop
inline constexpr NodeId kOffEnd = -2;   // control falls off the end of the code

struct Label {
  Op op = Op::NOP;  // NOP: the node has no effect
  std::uint8_t flags = 0;
  std::uint32_t arg = 0;
  Key key = kNoKey;  // a name or a constant, in place of `arg`
  friend bool operator==(const Label&, const Label&) = default;
  [[nodiscard]] bool has_effect() const { return op != Op::NOP; }
};

struct Node {
  Label label;
  std::uint8_t successors = 0;
  NodeId next[2] = {kOffEnd, kOffEnd};  // of a branch: the successor for a true test, then the one for a false test
  std::uint32_t retests[2] = {0, 0};    // by successor: tests of the same value on that edge that threading removed
  NodeId effect_node = kOffEnd;         // the first node with an effect, from this one on
  std::int32_t handler = -1;            // index into Graph::handlers, or -1
  CodeId code;                          // the code object that a LOAD_CONST loads
  std::uint32_t offset = 0;             // in bytes
};

struct GraphHandler {
  NodeId target = kOffEnd;
  std::uint32_t depth = 0;
  bool lasti = false;
  friend bool operator==(const GraphHandler&, const GraphHandler&) = default;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<GraphHandler> handlers;
  // Code objects that reachable instructions load, in code order, without duplicates.
  std::vector<CodeId> children;
  std::optional<std::uint32_t> locals_reader;  // offset in bytes of what find_locals_reader() finds
  std::optional<std::uint32_t> offset_use;     // the same of find_offset_use() (offset_uses.h)
};

// Returns whether close() ends a generator suspended at this YIELD_VALUE without running handlers (3.13+). Compilers
// set the bit of the following RESUME that gen_close (Objects/genobject.c) tests where only the handler of the
// generator's whole body protects the yield.
[[nodiscard]] inline bool closes_without_handlers(const std::vector<Instruction>& code, std::size_t index) {
  constexpr std::uint32_t kDepthOne = 4;  // RESUME_OPARG_DEPTH1_MASK
  return code[index].op == Op::YIELD_VALUE && index + 1 < code.size() && code[index + 1].op == Op::RESUME &&
         (code[index + 1].arg & kDepthOne) != 0;
}

// Returns the number of leading instructions that make the frame's cells (3.11+): one MAKE_CELL for each cell variable
// and one COPY_FREE_VARS for all free variables, in any order, as insert_prefix_instructions (Python/flowgraph.c) emits
// them. Returns 0 if they do anything else or are jump targets; a MAKE_CELL is then an instruction with an effect of
// its own.
[[nodiscard]] std::size_t frame_setup_length(const CodeObject& code, const Bytecode& bytecode);

// The stores to `__firstlineno__` and `__static_attributes__` (3.13+) that the compiler adds at the start and the end
// of a class body, as instruction indices. Stores that the program itself makes to these names are not included.
struct ClassStores {
  std::vector<std::size_t> first_line;         // at most one
  std::vector<std::size_t> static_attributes;  // one per copy of the end, a small exit block
};
[[nodiscard]] ClassStores find_compiler_stores(const CodeTree& tree, const CodeObject& code, const Bytecode& bytecode,
                                               const Dialect& dialect);

// Returns the index of the first instruction that loads a function able to read the local variables of the running
// frame: a global `locals`, `vars`, `dir`, `eval` or `exec`, or an attribute `_getframe` or `currentframe` of any
// object.
[[nodiscard]] std::optional<std::size_t> find_locals_reader(const CodeObject& code, const Bytecode& bytecode);

// Returns the names of all variables, by slot.
[[nodiscard]] std::vector<std::string> variable_names(const CodeObject& code);

// Returns for each entry of a list the number of earlier entries with the same name.
[[nodiscard]] std::vector<std::size_t> earlier_occurrences(const std::vector<std::string>& names);

// Builds the graph of a code object. `loose`: of the qualified name that MAKE_FUNCTION takes up to 3.10, only the last
// part becomes part of the label.
[[nodiscard]] Result<Graph> build_graph(const CodeTree& tree, CodeId code, const Dialect& dialect, Keys& keys,
                                        ConstantKeys& constants, bool loose, const Limits& limits);

// Returns a text such as "LOAD_FAST x" for messages.
[[nodiscard]] std::string show(const Label& label, const Keys& keys);

}  // namespace depyf::equivalence
