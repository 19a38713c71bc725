// SPDX-License-Identifier: MIT
// Computes CodeFacts; see code_facts.h.
#include "cfg/code_facts.h"

#include <algorithm>
#include <utility>

namespace depyf::flow {

namespace {

bool makes_bool(const Instruction& insn) {
  return is_one_of<Op::TO_BOOL, Op::UNARY_NOT, Op::IS_OP, Op::CONTAINS_OP, Op::CHECK_EXC_MATCH>(insn.op) ||
         (insn.op == Op::COMPARE_OP && (insn.flags & kMakesBool) != 0);
}

// Returns whether `insn` is a conditional jump that cannot raise, given that `test` before it pushes its operand.
bool tests_bool(const Instruction& test, const Instruction& insn) {
  switch (insn.op) {
    case Op::POP_JUMP_IF_NONE:
    case Op::POP_JUMP_IF_NOT_NONE: return !is_jump(test.op) && !is_terminator(test.op);
    case Op::POP_JUMP_IF_TRUE:
    case Op::POP_JUMP_IF_FALSE: return makes_bool(test);
    default: return false;
  }
}

}  // namespace

CodeFacts::CodeFacts(const Bytecode& bytecode, const Dialect& dialect)
    : code_(bytecode.code), handlers_(bytecode.handlers), dialect_(dialect) {
  if (code_.empty()) return;
  const bool loops = find_entries();
  if (!handlers_.empty()) assign_rows();
  if (loops) find_headers();
  if (dialect_.call_finally) find_setups();
}

// Sets kEntered and kLoop. Returns whether there is a backward jump.
bool CodeFacts::find_entries() {
  entries_.assign(code_.size(), 0);
  bool loops = false;
  for (std::uint32_t i = 0; i < code_.size(); ++i) {
    const std::uint32_t to = code_[i].target;
    if (to >= code_.size()) continue;
    entries_[to] |= to < i ? kEntered | kLoop : kEntered;
    loops = loops || to < i;
  }
  for (const ExceptionEntry& entry : handlers_)
    if (entry.target < code_.size()) entries_[entry.target] |= kEntered;
  return loops;
}

// Sets kHeader on targets of backward jumps that have no effect and start another statement. `while True: try: ...`
// jumps back to the SETUP_FINALLY, or to the NOP before the protected range, while `try: while True: ...` jumps back to
// the instruction after it. (The SETUP_FINALLY of `async for` belongs to fetching the next item.) `while True: while x:
// ...` jumps back both to a NOP and to the instruction after it, as does a single loop whose test is duplicated at its
// end.
void CodeFacts::find_headers() {
  const auto is_loop_target = [this](std::uint32_t to) { return (entries_[to] & kLoop) != 0; };
  for (std::uint32_t to = 0; to < code_.size(); ++to) {
    if (!is_loop_target(to)) continue;
    bool is_header = code_[to].op == Op::SETUP_FINALLY && code_[to + 1].op != Op::GET_ANEXT;
    std::uint32_t next = to;
    while (next + 1 < code_.size() && code_[next].op == Op::NOP && (next == to || !is_loop_target(next))) ++next;
    if (next != to && !dialect_.loop_test_duplicated) is_header = is_loop_target(next);
    const bool enters_range = code_[next].op != Op::NOP && row(next) != row(to);
    if (next != to && enters_range) is_header = true;
    if (is_header) entries_[to] |= kHeader;
  }
}

void CodeFacts::find_setups() {
  setup_of_.assign(code_.size(), kNone);
  for (std::uint32_t i = 0; i < code_.size(); ++i) {
    if (code_[i].op == Op::SETUP_FINALLY && code_[i].target < code_.size()) setup_of_[code_[i].target] = i;
  }
}

// Returns whether a row is that of the handler [STOPITERATION_ERROR, RERAISE] around a generator's whole body (3.12+,
// wrap_in_stopiteration_handler). It is omitted: PEP 479 implies it, and in 3.15 its depth exceeds the stack's in
// places.
bool CodeFacts::is_stop_iteration(const ExceptionEntry& entry) const {
  const std::size_t target = entry.target;
  return entry.lasti && target + 1 < code_.size() && code_[target].op == Op::STOPITERATION_ERROR &&
         code_[target + 1].op == Op::RERAISE;
}

// Assigns to each instruction the first row that covers it, as get_exception_handler (Python/ceval.c) does. `next`
// skips instructions with a row (union-find), so that overlapping rows cost no more than disjoint ones.
void CodeFacts::assign_rows() {
  const auto size = static_cast<std::uint32_t>(code_.size());
  table_row_.assign(size, kNone);
  inverted_.assign(size, JumpInversion::kUnknown);
  std::vector<std::uint32_t> next(size + 1);
  for (std::uint32_t i = 0; i <= size; ++i) next[i] = i;
  const auto unassigned_from = [&next](std::uint32_t i) {
    while (next[i] != i) i = next[i] = next[next[i]];
    return i;
  };
  for (std::uint32_t row = 0; row < handlers_.size(); ++row) {
    const ExceptionEntry& entry = handlers_[row];
    const std::uint32_t end = std::min(entry.end, size);
    if (entry.start >= end) continue;
    const std::uint32_t assigned = is_stop_iteration(entry) ? kNone : row;
    for (std::uint32_t i = unassigned_from(entry.start); i < end; i = unassigned_from(i)) {
      table_row_[i] = assigned;
      inverted_[i] = JumpInversion::kNo;
      next[i] = i + 1;
    }
  }
  assign_rows_of_tests();
}

// Gives conditional jumps the row of their tests. 3.13+ compilers invert and split conditional jumps after they have
// assigned handlers (normalize_jumps_in_block in Python/flowgraph.c), so that no row covers the new jump. This changes
// no behaviour: a jump on a bool cannot raise.
void CodeFacts::assign_rows_of_tests() {
  bool covered = inverted_[0] == JumpInversion::kNo;  // of the previous instruction
  for (std::size_t i = 1; i < code_.size(); ++i) {
    const bool before = std::exchange(covered, inverted_[i] == JumpInversion::kNo);
    if ((entries_[i] & kEntered) != 0 || !tests_bool(code_[i - 1], code_[i])) continue;
    if (!covered && before) inverted_[i] = JumpInversion::kYes;
    table_row_[i] = table_row_[i - 1];
  }
}

}  // namespace depyf::flow
