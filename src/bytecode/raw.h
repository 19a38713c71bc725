// SPDX-License-Identifier: MIT
// Raw instructions: CPython's instructions with prefixes folded and caches skipped, before translation to canonical
// ones.
//
// Invariant: offsets are byte offsets in co_code; operands are as encoded. Facts (numbers, caches, jumps) come from the
// generated tables, the meaning of opcodes from meaning.def. Private to src/bytecode and its tests.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode/instruction.h"

namespace depyf {

enum class Raw : std::uint8_t {
#define DEPYF_RAW(name, rule, op, arg, flags) name,
#include "bytecode/meaning.def"
#undef DEPYF_RAW
};

enum class JumpKind : std::uint8_t { kNone, kForward, kBackward, kAbsolute };

struct RawOpcode {
  bool known = false;
  bool is_instruction = false;  // occurs in compiled code, and is not a prefix
  Raw raw = Raw::NOP;
  bool has_arg = false;
  std::uint8_t caches = 0;
  JumpKind jump = JumpKind::kNone;
};

// An operator of BINARY_OP (3.11+).
struct RawOperator {
  BinaryOperator op = BinaryOperator::kAdd;
  bool in_place = false;
  bool subscript = false;
};

struct InstructionSet {
  std::uint32_t jump_unit = 2;      // bytes
  std::uint32_t compare_shift = 0;  // position of the operator in COMPARE_OP's operand, in bits
  std::array<RawOpcode, 256> opcodes;
  std::uint32_t operator_count = 0;
  std::array<RawOperator, 32> operators;
  std::uint32_t intrinsic1_count = 0;
  std::array<Intrinsic1, 32> intrinsics1;
  std::uint32_t intrinsic2_count = 0;
  std::array<Intrinsic2, 32> intrinsics2;
  std::uint32_t constant_count = 0;
  std::array<CommonConstant, 32> constants;
  std::uint32_t special_count = 0;
  std::array<SpecialMethod, 8> specials;
};

// Returns the tables of one version, or nullptr for an unknown version.
[[nodiscard]] const InstructionSet* instruction_set(Version version);

[[nodiscard]] std::string_view raw_name(Raw raw);

struct RawInstruction {
  Raw raw = Raw::NOP;
  std::uint8_t opcode = 0;
  std::uint32_t arg = 0;             // 0 if the opcode has no operand
  std::uint32_t start = 0;           // offset of its first prefix, which jumps to it have as target
  std::uint32_t offset = 0;          // offset of the opcode itself, by which tables of ranges are looked up
  std::uint32_t next = 0;            // offset of the next instruction, after its caches
  std::uint32_t target = kNoTarget;  // of a jump: the offset of its target
};

// Reads the raw instructions of some code one by one.
class RawReader {
 public:
  RawReader(const InstructionSet& set, const std::string& code, const Limits& limits);
  // Reads the next instruction. Returns false at the end of the code and on an error, which status() returns.
  [[nodiscard]] bool next() {
    std::uint32_t at = insn_.start = insn_.next;
    if (at == size_) return false;
    const RawOpcode* info = &set_.opcodes[byte(at)];
    std::uint32_t arg = byte(at + 1);
    if (!info->is_instruction) {
      if (!fold_prefixes(at, arg)) return false;
      info = &set_.opcodes[byte(at)];
    }
    insn_.raw = info->raw;
    insn_.opcode = byte(at);
    insn_.arg = info->has_arg ? arg : 0;
    insn_.offset = at;
    insn_.next = at + 2 + 2U * info->caches;
    insn_.target = kNoTarget;
    if (insn_.next > size_) return fail(Errc::kTruncated, at, "code ends inside an instruction's cache");
    return info->jump == JumpKind::kNone || set_target(info->jump);
  }
  // After an error that concerns only the current instruction, skips it: to the next code unit if its length is
  // unknown. Returns false if there is no such error.
  [[nodiscard]] bool skip();
  [[nodiscard]] const RawInstruction& instruction() const { return insn_; }
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  [[nodiscard]] std::uint8_t byte(std::size_t at) const { return static_cast<std::uint8_t>(code_[at]); }
  // Moves from an EXTENDED_ARG to its instruction, and computes the complete operand.
  bool fold_prefixes(std::uint32_t& at, std::uint32_t& arg);
  bool fail(Errc errc, std::size_t at, std::string message);
  bool set_target(JumpKind jump);

  const InstructionSet& set_;
  const char* code_;
  std::uint32_t size_ = 0;  // even
  RawInstruction insn_;
  Status status_ = Unit{};
};

[[nodiscard]] Result<std::vector<RawInstruction>> read_raw(const InstructionSet& set, const std::string& code,
                                                           const Limits& limits);

// Reads an exception table; its entries have byte offsets in co_code.
[[nodiscard]] Result<std::vector<ExceptionEntry>> read_exception_table(const std::string& table);

}  // namespace depyf
