// SPDX-License-Identifier: MIT
// Reads co_code into raw instructions: EXTENDED_ARG chains folded, caches stepped over, jump offsets computed.
//
// Invariant: what it returns covers the code in order; targets are offsets not yet checked against instructions.
// It gives opcodes no meaning. See Lib/dis.py (_unpack_opargs, findlabels) and Python/ceval.c.
#include "bytecode/raw.h"

#include "bytecode/meaning.h"

namespace depyf {
namespace {

// Where a jump lands. CPython counts from the end of the instruction, caches included.
Result<std::uint32_t> jump_target(const InstructionSet& set, const RawOpcode& info, const RawInstruction& insn,
                                  std::uint32_t next, std::size_t size) {
  const std::uint64_t distance = std::uint64_t{insn.arg} * set.jump_unit;
  std::uint64_t target = distance;
  if (info.jump == JumpKind::kForward) target = next + distance;
  if (info.jump == JumpKind::kBackward) {
    if (distance > next) return Error{Errc::kMalformed, insn.offset, "jump to before the code"};
    target = next - distance;
  }
  if (target >= size) return Error{Errc::kMalformed, insn.offset, "jump to after the code"};
  return static_cast<std::uint32_t>(target);
}

}  // namespace

Result<std::vector<RawInstruction>> read_raw(const InstructionSet& set, const std::string& code, const Limits& limits) {
  if (code.size() % 2 != 0) return Error{Errc::kMalformed, code.size(), "co_code of odd length"};
  if (code.size() / 2 > limits.max_instructions) return Error{Errc::kLimitExceeded, 0, "too many instructions"};
  const auto byte = [&code](std::size_t at) { return static_cast<std::uint8_t>(code[at]); };
  const auto size = static_cast<std::uint32_t>(code.size());
  std::vector<RawInstruction> result;
  result.reserve(size / 2);
  std::uint32_t prefix = 0;
  std::uint32_t start = 0;
  for (std::uint32_t at = 0; at < size;) {
    const RawOpcode& info = set.opcodes[byte(at)];
    if (!info.known) return Error{Errc::kMalformed, at, "unknown opcode " + std::to_string(byte(at))};
    const std::uint32_t arg = prefix | byte(at + 1);
    if (info.raw == Raw::EXTENDED_ARG) {
      if (arg > 0x00FFFFFF) return Error{Errc::kMalformed, at, "argument of more than 32 bits"};
      prefix = arg << 8U;
      at += 2;
      continue;
    }
    if (kMeanings[static_cast<std::size_t>(info.raw)].rule == Rule::kNever) {
      return Error{Errc::kMalformed, at, "opcode that compiled code never has: " + std::string(raw_name(info.raw))};
    }
    const std::uint32_t next = at + 2 + 2U * info.caches;
    if (next > size) return Error{Errc::kTruncated, at, "code ends inside an instruction's cache"};
    RawInstruction insn{info.raw, byte(at), info.has_arg ? arg : 0, start, at, kNoTarget};
    if (info.jump != JumpKind::kNone) {
      DEPYF_TRY(target, jump_target(set, info, insn, next, size));
      insn.target = target;
    }
    result.push_back(insn);
    prefix = 0;
    start = at = next;
  }
  if (start != size) return Error{Errc::kTruncated, start, "code ends after EXTENDED_ARG"};
  if (result.empty()) return Error{Errc::kMalformed, 0, "empty co_code"};
  return result;
}

}  // namespace depyf
