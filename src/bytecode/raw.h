// SPDX-License-Identifier: MIT
// Raw instructions: CPython's own, prefixes folded and caches stepped over, before anything is made canonical.
//
// Invariant: offsets are byte offsets in co_code; arguments are as encoded. Facts (numbers, caches, jumps) come from the
// generated tables; what an opcode means comes from meaning.def. Inside src/bytecode and its tests only.
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
  bool is_instruction = false;  // in compiled code, and no prefix
  Raw raw = Raw::NOP;
  bool has_arg = false;
  std::uint8_t caches = 0;
  JumpKind jump = JumpKind::kNone;
};

// Operators of BINARY_OP (3.11+), in the table's order.
struct RawOperator {
  BinaryOperator op = BinaryOperator::kAdd;
  bool in_place = false;
  bool subscript = false;
};

struct InstructionSet {
  std::uint32_t jump_unit = 2;      // bytes
  std::uint32_t compare_shift = 0;  // of COMPARE_OP's operator
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

// The tables of one version; null when we do not know the version.
[[nodiscard]] const InstructionSet* instruction_set(Version version);

[[nodiscard]] std::string_view raw_name(Raw raw);

struct RawInstruction {
  Raw raw = Raw::NOP;
  std::uint8_t opcode = 0;
  std::uint32_t arg = 0;             // 0 when the opcode takes none
  std::uint32_t start = 0;           // of its first prefix: what a jump to it names
  std::uint32_t offset = 0;          // of the opcode itself: what tables of ranges look up
  std::uint32_t next = 0;            // of what follows it and its caches
  std::uint32_t target = kNoTarget;  // offset jumped to
};

// The raw instructions of some code, one after the other.
class RawReader {
 public:
  RawReader(const InstructionSet& set, const std::string& code, const Limits& limits);
  // Reads the next one; false at the end of the code, and where something is wrong with it.
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
  // After a failure that is one of this instruction alone: steps over it, to the next code unit if its length is not
  // known.
  [[nodiscard]] bool skip();
  [[nodiscard]] const RawInstruction& instruction() const { return insn_; }
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  [[nodiscard]] std::uint8_t byte(std::size_t at) const { return static_cast<std::uint8_t>(code_[at]); }
  // From an EXTENDED_ARG to the instruction that it is a prefix of, and its whole argument.
  bool fold_prefixes(std::uint32_t& at, std::uint32_t& arg);
  bool fail(Errc errc, std::size_t at, std::string what);
  bool set_target(JumpKind jump);

  const InstructionSet& set_;
  const char* code_;
  std::uint32_t size_ = 0;  // even
  RawInstruction insn_;
  Status status_ = Unit{};
};

[[nodiscard]] Result<std::vector<RawInstruction>> read_raw(const InstructionSet& set, const std::string& code,
                                                           const Limits& limits);

// Raw exception table entries, by offset in co_code.
[[nodiscard]] Result<std::vector<ExceptionEntry>> read_exception_table(const std::string& table);

}  // namespace depyf
