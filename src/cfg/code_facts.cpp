// SPDX-License-Identifier: MIT
// What the listing alone tells; see code_facts.h.
#include "cfg/code_facts.h"

#include <algorithm>
#include <utility>

namespace depyf::flow {

namespace {

bool makes_bool(const Instruction& insn) {
  return is_one_of<Op::TO_BOOL, Op::UNARY_NOT, Op::IS_OP, Op::CONTAINS_OP, Op::CHECK_EXC_MATCH>(insn.op) ||
         (insn.op == Op::COMPARE_OP && (insn.flags & kMakesBool) != 0);
}

// Whether `insn` is a conditional jump that cannot raise, where `test` before it makes its operand.
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
  if (!handlers_.empty()) paint_handlers();
  if (loops) find_headers();
  if (dialect_.call_finally) find_setups();
}

// Whether something jumps back.
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

// Finds loop headers that do nothing and at which another statement begins. `while True: try: ...` jumps back to its
// SETUP_FINALLY, or the NOP before the protected range, `try: while True: ...` to what follows it (that of `async for` is
// part of asking for the next item);
// `while True: while x: ...` jumps back to a NOP and to what follows it, which a single loop does where its test is
// duplicated at its end (loop inversion).
void CodeFacts::find_headers() {
  const auto goes_back = [this](std::uint32_t to) { return (entries_[to] & kLoop) != 0; };
  for (std::uint32_t to = 0; to < code_.size(); ++to) {
    if (!goes_back(to)) continue;
    bool is_header = code_[to].op == Op::SETUP_FINALLY && code_[to + 1].op != Op::GET_ANEXT;
    std::uint32_t next = to;
    while (next + 1 < code_.size() && code_[next].op == Op::NOP && (next == to || !goes_back(next))) ++next;
    if (next != to && !dialect_.loop_test_duplicated) is_header = goes_back(next);
    const bool enters = code_[next].op != Op::NOP && row(next) != row(to);
    if (next != to && enters) is_header = true;
    if (is_header) entries_[to] |= kHeader;
  }
}

void CodeFacts::find_setups() {
  setup_of_.assign(code_.size(), kNone);
  for (std::uint32_t i = 0; i < code_.size(); ++i) {
    if (code_[i].op == Op::SETUP_FINALLY && code_[i].target < code_.size()) setup_of_[code_[i].target] = i;
  }
}

// 3.12+: a generator's whole body is covered by [STOPITERATION_ERROR, RERAISE] (wrap_in_stopiteration_handler in the
// compiler). PEP 479 says the same without it; and 3.15 gives a depth that the stack does not have everywhere.
bool CodeFacts::is_stop_iteration(const ExceptionEntry& entry) const {
  const std::size_t target = entry.target;
  return entry.lasti && target + 1 < code_.size() && code_[target].op == Op::STOPITERATION_ERROR &&
         code_[target + 1].op == Op::RERAISE;
}

// get_exception_handler in ceval.c takes the first row that covers the instruction: rows are painted in order, each over
// what is still bare. `next` skips painted stretches, so that overlapping rows cost no more than disjoint ones.
void CodeFacts::paint_handlers() {
  const auto size = static_cast<std::uint32_t>(code_.size());
  table_row_.assign(size, kNone);
  inverted_.assign(size, JumpInversion::kUnknown);
  std::vector<std::uint32_t> next(size + 1);
  for (std::uint32_t i = 0; i <= size; ++i) next[i] = i;
  const auto bare_from = [&next](std::uint32_t i) {
    while (next[i] != i) i = next[i] = next[next[i]];
    return i;
  };
  for (std::uint32_t row = 0; row < handlers_.size(); ++row) {
    const ExceptionEntry& entry = handlers_[row];
    const std::uint32_t end = std::min(entry.end, size);
    if (entry.start >= end) continue;
    const std::uint32_t painted = is_stop_iteration(entry) ? kNone : row;
    for (std::uint32_t i = bare_from(entry.start); i < end; i = bare_from(i)) {
      table_row_[i] = painted;
      inverted_[i] = JumpInversion::kNo;
      next[i] = i + 1;
    }
  }
  join_tests();
}

// 3.13+: the compiler inverts and splits conditional jumps after it has assigned handlers (normalize_jumps_in_block in
// Python/flowgraph.c), which may leave one without its own. It tests a bool, so it raises nothing: it joins its test.
void CodeFacts::join_tests() {
  bool covered = inverted_[0] == JumpInversion::kNo;  // the instruction before
  for (std::size_t i = 1; i < code_.size(); ++i) {
    const bool before = std::exchange(covered, inverted_[i] == JumpInversion::kNo);
    if ((entries_[i] & kEntered) != 0 || !tests_bool(code_[i - 1], code_[i])) continue;
    if (!covered && before) inverted_[i] = JumpInversion::kYes;
    table_row_[i] = table_row_[i - 1];
  }
}

}  // namespace depyf::flow
