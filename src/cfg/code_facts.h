// SPDX-License-Identifier: MIT
// Facts about each instruction that do not depend on control flow: whether it is a jump target, whether a loop starts
// there, which row of the exception table protects it.
//
// Computed in linear time, without contexts and stack depths. It reports no errors: the Explorer (explorer.h) checks
// jump targets.
#pragma once

#include <vector>

#include "cfg/flow.h"
#include "support/small_vector.h"

namespace depyf::flow {

class CodeFacts {
 public:
  CodeFacts(const Bytecode& bytecode, const Dialect& dialect);

  // Returns whether the instruction is the target of a jump or a handler.
  [[nodiscard]] bool is_entered(std::uint32_t index) const { return (entries_[index] & kEntered) != 0; }
  // Returns kHeader for an instruction without effect at which a loop starts, else kNothing.
  [[nodiscard]] Emit header_or_nothing(std::uint32_t index) const {
    return (entries_[index] & kHeader) != 0 ? Emit::kHeader : Emit::kNothing;
  }
  [[nodiscard]] bool has_table() const { return !table_row_.empty(); }
  // Returns the index of the row of the exception table that protects the instruction, or kNone.
  [[nodiscard]] std::uint32_t row(std::uint32_t index) const { return has_table() ? table_row_[index] : kNone; }
  [[nodiscard]] JumpInversion inverted(std::uint32_t index) const {
    return has_table() ? inverted_[index] : JumpInversion::kUnknown;
  }
  [[nodiscard]] bool same_row(std::uint32_t a, std::uint32_t b) const {
    return !has_table() || (table_row_[a] == table_row_[b] && inverted_[a] == inverted_[b]);
  }
  // Returns the index of a SETUP_FINALLY whose handler starts at this instruction (3.8), or kNone.
  [[nodiscard]] std::uint32_t setup_of(std::uint32_t index) const {
    return index < setup_of_.size() ? setup_of_[index] : kNone;
  }

 private:
  bool find_entries();
  void find_headers();
  void find_setups();
  void assign_rows();
  void assign_rows_of_tests();
  [[nodiscard]] bool is_stop_iteration(const ExceptionEntry& entry) const;

  enum EntryFlag : std::uint8_t {
    kEntered = 1,
    kLoop = 2,    // target of a backward jump
    kHeader = 4,  // an instruction without effect at which a loop starts
  };
  const std::vector<Instruction>& code_;
  const std::vector<ExceptionEntry>& handlers_;
  const Dialect& dialect_;
  SmallVector<std::uint8_t, 128> entries_;  // EntryFlags by instruction index; the following have the same index
  std::vector<std::uint32_t> table_row_;    // empty without an exception table
  std::vector<JumpInversion> inverted_;     // likewise
  std::vector<std::uint32_t> setup_of_;     // 3.8 only
};

}  // namespace depyf::flow
