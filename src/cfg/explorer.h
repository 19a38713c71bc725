// SPDX-License-Identifier: MIT
// The worklist of explore(): visits every reachable (instruction, context) once.
//
// Invariant: a node is created by reach() alone, which checks the index, the depth and the limits. The class is private to
// src/cfg; flow.cpp holds the common operations, finally_tokens.cpp those of 3.8's finally bodies,
// hidden_entries.cpp entries that are no values.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "cfg/context.h"
#include "cfg/flow.h"
#include "support/small_vector.h"

namespace depyf::flow {

class Explorer {
 public:
  Explorer(const Bytecode& bytecode, const Dialect& dialect, const Limits& limits, bool hides_placeholders);
  Result<Flow> run(PhantomSuccessors which);
  struct TooDeep {  // the row of the exception table that run() failed at: it keeps `by` entries more than there are
    std::uint32_t row = kNone;
    std::uint32_t by = 0;
  };
  [[nodiscard]] TooDeep too_deep() const { return too_deep_; }

 private:
  struct Landing {  // where an exception goes
    bool known = false;
    std::uint32_t target = kNone;  // index; kNone: out of the code object
    std::uint32_t depth = 0;
    bool lasti = false;
    ContextId context = 0;
  };

  [[nodiscard]] const Instruction& at(std::uint32_t node) const { return code_[nodes_[node].index]; }
  [[nodiscard]] Error malformed(std::uint32_t node, std::string what) const;
  [[nodiscard]] std::uint32_t visited(std::uint32_t index, ContextId context) const;
  Result<std::uint32_t> reach(std::uint32_t from, std::uint32_t index, ContextId context, std::uint32_t depth);
  [[nodiscard]] bool is_stop_iteration(const ExceptionEntry& entry) const;
  void paint_handlers();
  void join_tests();
  void find_setups();
  Landing landing(std::uint32_t node);
  [[nodiscard]] bool is_moved_swap(std::uint32_t node) const;
  Landing block_landing(ContextId context);
  Status handler_edge(std::uint32_t node);

  Status visit_all();
  Result<bool> run_straight(std::uint32_t node);
  [[nodiscard]] bool may_join(const Node& run, std::uint32_t index, std::int64_t depth) const;
  Status step(std::uint32_t node);
  // Control continues at `index` in `context`; the node represents `emit`.
  Status continue_at(std::uint32_t node, Emit emit, std::uint32_t index, ContextId context, std::uint32_t depth);
  Status vanish(std::uint32_t node, std::uint32_t index);
  // The node is its instruction, or `insn` in its place, and leaves `context` but for markers that it pops; then `marker`,
  // if any, is there again.
  Status plain(std::uint32_t node, ContextId context);
  Status plain_as(std::uint32_t node, const Instruction& insn, Emit emit, ContextId context, const Marker* marker);
  struct After {
    std::uint32_t depth = 0;
    ContextId context = 0;
  };
  Result<After> after(std::uint32_t node, const Instruction& insn, ContextId context, bool jump);
  // What is left of `context`'s markers when the stack has been down to `low` entries.
  Result<ContextId> markers_after(std::uint32_t node, ContextId context, std::uint32_t low);

  bool find_entries();
  void find_headers();
  [[nodiscard]] Emit header_or_nothing(std::uint32_t index) const {
    return (entries_[index] & kHeader) != 0 ? Emit::kHeader : Emit::kNothing;
  }
  Status setup_block(std::uint32_t node);
  Status pop_block(std::uint32_t node);
  Status leave_handler(std::uint32_t node);

  [[nodiscard]] bool is_name_cleanup(std::uint32_t index) const;
  Status call_finally(std::uint32_t node);
  Status end_finally(std::uint32_t node);
  Status find_phantom(PhantomSuccessors which);
  Status pop_finally(std::uint32_t node);
  Status with_cleanup_start(std::uint32_t node);
  Status with_cleanup_finish(std::uint32_t node);
  ContextId replace_marker(ContextId context, const Marker& marker);

  [[nodiscard]] bool may_make_hidden(Op op) const {
    return (op == Op::PUSH_NULL && dialect_.iterator_null) || (op == Op::LOAD_CONST && hides_placeholders_);
  }
  [[nodiscard]] bool makes_hidden(std::uint32_t index, MarkerKind& kind) const;
  [[nodiscard]] std::uint32_t real_index(ContextId context) const;
  // How many hidden markers are at or above an index of CPython's stack.
  std::uint32_t hidden_from(ContextId context, std::uint32_t index);
  void cut_hidden(Landing& landing, ContextId context);
  Status hide(std::uint32_t node, MarkerKind kind);
  Status step_over_hidden(std::uint32_t node);  // the context has markers
  Status use_slot(std::uint32_t node, bool is_last);
  Status adjusted(std::uint32_t node, std::uint32_t arg, ContextId context, std::uint32_t depth);
  Status copy_over_hidden(std::uint32_t node);
  Status swap_over_hidden(std::uint32_t node);

  const Bytecode& bytecode_;
  const std::vector<Instruction>& code_;
  const Dialect& dialect_;
  const Limits& limits_;
  const bool hides_placeholders_;
  Contexts contexts_;
  std::vector<Node> nodes_;
  SmallVector<std::uint32_t, 128> first_node_;                   // of each index: the node made first
  std::unordered_map<std::uint64_t, std::uint32_t> more_nodes_;  // (index, context) of all others
  enum EntryFlag : std::uint8_t {
    kEntered = 1,  // control may come from elsewhere than the instruction before it
    kLoop = 2,     // it is jumped back to
    kHeader = 4,   // a loop begins with what vanishes there
  };
  SmallVector<std::uint8_t, 128> entries_;  // of each index
  std::vector<JumpInversion> inverted_;     // of each index
  std::vector<std::uint32_t> table_row_;  // of each index: row of the exception table, or kNone; empty without a table
  std::vector<std::uint32_t> setup_of_;   // of each index: a SETUP_FINALLY whose handler it is, or kNone (3.8)
  std::vector<Landing> landings_;         // of each context (block stack)
  SmallVector<std::uint32_t, 32> work_;
  TooDeep too_deep_;
  bool some_unreached_ = false;
  std::uint64_t steps_ = 0;
};

}  // namespace depyf::flow
