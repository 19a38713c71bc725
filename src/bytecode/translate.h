// SPDX-License-Identifier: MIT
// From one raw instruction to the canonical ones that represent it.
//
// Invariant: arguments are checked as they are emitted. Targets are passed through: decode.cpp renames them.
#pragma once

#include <array>
#include <vector>

#include "bytecode/meaning.h"
#include "bytecode/raw.h"

namespace depyf {

class Translator {
 public:
  Translator(Version version, const InstructionSet& set, const CodeObject& code, const Limits& limits,
             std::vector<Instruction>& out);

  // Appends the canonical instructions of `raw`.
  [[nodiscard]] Status add(const RawInstruction& raw);
  // Says whether something was left open at the end of the code.
  [[nodiscard]] Status finish() const;

 private:
  [[nodiscard]] Status emit(Op op, std::uint32_t arg = 0, std::uint32_t flags = 0);
  [[nodiscard]] Status emit_load_fast(std::uint32_t index);
  [[nodiscard]] Status emit_rotate(std::uint32_t count);
  [[nodiscard]] Status emit_pair(Op first, std::uint32_t pair, bool then_load);
  [[nodiscard]] Status emit_attribute(std::uint32_t arg);
  [[nodiscard]] Status emit_global(std::uint32_t arg);
  [[nodiscard]] Status emit_super(std::uint32_t arg);
  [[nodiscard]] Status emit_binary(std::uint32_t arg);
  [[nodiscard]] Status emit_compare(std::uint32_t arg);
  [[nodiscard]] Status emit_call(std::uint32_t arg);
  [[nodiscard]] Status emit_call_ex(std::uint32_t arg);
  [[nodiscard]] Status emit_intrinsic1(std::uint32_t arg);
  [[nodiscard]] Status emit_intrinsic2(std::uint32_t arg);
  [[nodiscard]] Status emit_get_iter(std::uint32_t arg);
  [[nodiscard]] Status check_argument(Op op, std::uint32_t arg) const;
  [[nodiscard]] Status check_count(Op op, std::uint32_t arg) const;
  [[nodiscard]] Error malformed(const char* what) const;

  const Version version_;
  const InstructionSet& set_;
  const CodeObject& code_;
  const Limits& limits_;
  std::vector<Instruction>& out_;
  RawInstruction raw_;                                                                 // the one at work
  std::array<std::size_t, static_cast<std::size_t>(ArgKind::Intrinsic2) + 1> bounds_;  // arguments below need no look
  bool keywords_pending_ = false;                                                      // a KW_NAMES waits for its CALL
  std::uint32_t keywords_ = 0;                                                         // its constant
};

}  // namespace depyf
