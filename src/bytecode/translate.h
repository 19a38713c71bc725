// SPDX-License-Identifier: MIT
// Translates one raw instruction to canonical instructions.
//
// Invariant: operands of emitted instructions are checked. Targets are still offsets; decode.cpp converts them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "bytecode/meaning.h"
#include "bytecode/raw.h"

namespace depyf {

class Translator {
 public:
  Translator(Version version, const InstructionSet& set, const CodeObject& code, const Limits& limits,
             std::vector<Instruction>& out);

  // Appends the canonical instructions of `raw`. Returns false on an error, which error() returns.
  [[nodiscard]] bool add(const RawInstruction& raw) {
    raw_ = &raw;
    const Meaning& meaning = kMeanings[static_cast<std::size_t>(raw.raw)];
    if (meaning.rule != Rule::kSame) return translate(raw, meaning) && !error_;
    return emit(meaning.op, arg_kind(meaning.op) == ArgKind::None ? 0 : raw.arg);
  }
  // Returns whether the code is complete: no KW_NAMES is without its CALL.
  [[nodiscard]] bool finish();
  [[nodiscard]] const Error& error() const { return *error_; }
  // Clears the error, so that the next instruction can be added.
  void forget_error() {
    error_.reset();
    keywords_pending_ = false;
  }
  [[nodiscard]] bool keywords_pending() const { return keywords_pending_; }  // after KW_NAMES, before its CALL

 private:
  bool translate(const RawInstruction& raw, const Meaning& meaning);  // all rules but kSame
  bool emit(Op op, std::uint32_t arg = 0, std::uint32_t flags = 0) {
    const ArgKind kind = arg_kind(op);
    if (arg >= bounds_[static_cast<std::size_t>(kind)] && !is_legal(op, arg)) return false;
    if (out_.size() >= limits_.max_instructions) return fail(Errc::kLimitExceeded, "too many instructions");
    const bool jumps = kind == ArgKind::Jump;
    out_.push_back(
        {op, static_cast<std::uint8_t>(flags), jumps ? 0 : arg, jumps ? raw_->target : kNoTarget, raw_->start});
    return true;
  }
  bool emit_load_fast(std::uint32_t index);
  bool emit_rotate(std::uint32_t count);
  bool emit_pair(Op first, std::uint32_t pair, bool then_load);
  bool emit_attribute(std::uint32_t arg);
  bool emit_global(std::uint32_t arg);
  bool emit_super(std::uint32_t arg);
  bool emit_binary(std::uint32_t arg);
  bool emit_compare(std::uint32_t arg);
  bool emit_call(std::uint32_t arg);
  bool emit_call_ex(std::uint32_t arg);
  bool emit_intrinsic1(std::uint32_t arg);
  bool emit_intrinsic2(std::uint32_t arg);
  bool emit_get_iter(std::uint32_t arg);
  [[nodiscard]] bool is_legal(Op op, std::uint32_t arg);
  [[nodiscard]] bool is_legal_count(Op op, std::uint32_t arg);
  bool fail(Errc code, std::string message);  // keeps the first error
  bool malformed(const char* message);

  const Version version_;
  const InstructionSet& set_;
  const CodeObject& code_;
  const Limits& limits_;
  std::vector<Instruction>& out_;
  const RawInstruction* raw_ = nullptr;                                                // the current one
  std::array<std::size_t, static_cast<std::size_t>(ArgKind::Intrinsic2) + 1> bounds_;  // smaller operands are legal
  std::optional<Error> error_;
  bool keywords_pending_ = false;
  std::uint32_t keywords_ = 0;  // index of the constant of KW_NAMES
};

}  // namespace depyf
