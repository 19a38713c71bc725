// SPDX-License-Identifier: MIT
// The worklist algorithm of explore(): visits every reachable pair of instruction and context once.
//
// Invariant: only reach() creates nodes; it checks the index, the depth and the limits. The class is private to
// src/cfg. The functions for single operations are in flow.cpp (most), finally_tokens.cpp (3.8's finally bodies) and
// hidden_entries.cpp (stack entries that are no values).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "cfg/code_facts.h"
#include "cfg/context.h"

namespace depyf::flow {

struct Landing {  // where an exception is handled
  bool known = false;
  std::uint32_t target = kNone;  // instruction index; kNone: the exception leaves the code object
  std::uint32_t depth = 0;
  bool lasti = false;
  ContextId context = 0;
};

class Explorer {
 public:
  Explorer(const Bytecode& bytecode, const Dialect& dialect, const Limits& limits, bool hides_placeholders);
  Result<Flow> run(PhantomSuccessors which);
  struct TooDeep {  // the row of the exception table at which run() failed: its depth exceeds the stack's by `by`
    std::uint32_t row = kNone;
    std::uint32_t by = 0;
  };
  [[nodiscard]] TooDeep too_deep() const { return too_deep_; }

  // ---- for the functions below. `node` is a node id, `index` an instruction index.
  [[nodiscard]] const Instruction& at(std::uint32_t node) const { return code[nodes[node].index]; }
  [[nodiscard]] Error malformed(std::uint32_t node, std::string message) const;
  // Returns the node of an instruction in a context, or kNone.
  [[nodiscard]] std::uint32_t visited(std::uint32_t index, ContextId context) const;
  // Returns that node, creating it if necessary. Fails if its depth differs. `from`: the predecessor, for error
  // messages.
  Result<std::uint32_t> reach(std::uint32_t from, std::uint32_t index, ContextId context, std::uint32_t depth);
  Status visit_all();
  // Sets what the node emits, and its fall-through successor: the instruction `index` in `context`.
  Status continue_at(std::uint32_t node, Emit emit, std::uint32_t index, ContextId context, std::uint32_t depth);
  // Let the node emit its instruction (plain_as: `insn` in its place), and set its successors. Their context is
  // `context` without the markers that the instruction pops, and with `marker` pushed again if it is not null.
  Status plain(std::uint32_t node, ContextId context) {
    return plain_as(node, at(node), Emit::kSelf, context, nullptr);
  }
  Status plain_as(std::uint32_t node, const Instruction& insn, Emit emit, ContextId context, const Marker* marker);

  const std::vector<Instruction>& code;
  const std::vector<Error>& illegal;
  const Dialect& dialect;
  const CodeFacts facts;
  const bool hides_placeholders;
  Contexts contexts;
  std::vector<Node> nodes;
  std::uint64_t steps = 0;

 private:
  Landing landing(std::uint32_t node);
  Landing block_landing(ContextId context);
  Status handler_edge(std::uint32_t node);
  Result<bool> run_straight(std::uint32_t node);
  [[nodiscard]] bool may_join(const Node& run, std::uint32_t index, std::int64_t depth) const;
  struct After {
    std::uint32_t depth = 0;
    ContextId context = 0;
  };
  Result<After> after(std::uint32_t node, const Instruction& insn, ContextId context, bool jump);

  const std::vector<ExceptionEntry>& handlers_;
  const Limits& limits_;
  SmallVector<std::uint32_t, 128> first_node_;                   // by instruction index: the node created first
  std::unordered_map<std::uint64_t, std::uint32_t> more_nodes_;  // by index and context: all other nodes
  std::vector<Landing> landings_;                                // by context, for the block stack
  SmallVector<std::uint32_t, 32> work_;
  TooDeep too_deep_;
};

// ---- finally_tokens.cpp
Status call_finally(Explorer& x, std::uint32_t node);
Status end_finally(Explorer& x, std::uint32_t node);
Status pop_finally(Explorer& x, std::uint32_t node);
Status with_cleanup_start(Explorer& x, std::uint32_t node);
Status with_cleanup_finish(Explorer& x, std::uint32_t node);
Status find_phantoms(Explorer& x, PhantomSuccessors which, bool& some_unreached);
// Returns `context` without the markers that an instruction popped which reduced the stack to `low` entries.
Result<ContextId> markers_after(Explorer& x, std::uint32_t node, ContextId context, std::uint32_t low);

// ---- hidden_entries.cpp
[[nodiscard]] inline bool may_make_hidden(const Explorer& x, Op op) {
  return (op == Op::PUSH_NULL && x.dialect.iterator_null) || (op == Op::LOAD_CONST && x.hides_placeholders);
}
// Returns whether the instruction at `index` pushes a hidden entry, and sets `kind`.
[[nodiscard]] bool makes_hidden(const Explorer& x, std::uint32_t index, MarkerKind& kind);
void cut_hidden(Explorer& x, Landing& landing, ContextId context);
Status hide(Explorer& x, std::uint32_t node, MarkerKind kind);
Status step_over_hidden(Explorer& x, std::uint32_t node);  // the context has markers

}  // namespace depyf::flow
