// SPDX-License-Identifier: MIT
// What the listing alone tells of each instruction, before control is followed: whether it is entered, and by whom it is
// protected.
//
// Invariant: linear in instructions. It knows no context and no depth, and reports no error: targets outside the code are
// left to whoever follows them.
#pragma once

#include <vector>

#include "cfg/flow.h"
#include "support/small_vector.h"

namespace depyf::flow {

class CodeFacts {
 public:
  CodeFacts(const Bytecode& bytecode, const Dialect& dialect);

  // Whether control may come from elsewhere than the instruction before it.
  [[nodiscard]] bool is_entered(std::uint32_t index) const { return (entries_[index] & kEntered) != 0; }
  // What an instruction is that does nothing: a loop may begin with it.
  [[nodiscard]] Emit header_or_nothing(std::uint32_t index) const {
    return (entries_[index] & kHeader) != 0 ? Emit::kHeader : Emit::kNothing;
  }
  [[nodiscard]] bool has_table() const { return !table_row_.empty(); }
  // The row of the exception table that protects it, or kNone.
  [[nodiscard]] std::uint32_t row(std::uint32_t index) const { return has_table() ? table_row_[index] : kNone; }
  [[nodiscard]] JumpInversion inverted(std::uint32_t index) const {
    return has_table() ? inverted_[index] : JumpInversion::kUnknown;
  }
  [[nodiscard]] bool same_row(std::uint32_t a, std::uint32_t b) const {
    return !has_table() || (table_row_[a] == table_row_[b] && inverted_[a] == inverted_[b]);
  }
  // 3.8: a SETUP_FINALLY whose handler it is, or kNone.
  [[nodiscard]] std::uint32_t setup_of(std::uint32_t index) const {
    return index < setup_of_.size() ? setup_of_[index] : kNone;
  }

 private:
  bool find_entries();
  void find_headers();
  void find_setups();
  void paint_handlers();
  void join_tests();
  [[nodiscard]] bool is_stop_iteration(const ExceptionEntry& entry) const;

  enum EntryFlag : std::uint8_t {
    kEntered = 1,
    kLoop = 2,    // it is jumped back to
    kHeader = 4,  // a loop begins with what vanishes there
  };
  const std::vector<Instruction>& code_;
  const std::vector<ExceptionEntry>& handlers_;
  const Dialect& dialect_;
  SmallVector<std::uint8_t, 128> entries_;  // this and the others by index
  std::vector<std::uint32_t> table_row_;    // empty without a table
  std::vector<JumpInversion> inverted_;     // likewise
  std::vector<std::uint32_t> setup_of_;     // 3.8 alone
};

}  // namespace depyf::flow
