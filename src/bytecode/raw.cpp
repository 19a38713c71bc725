// SPDX-License-Identifier: MIT
// Reads co_code into raw instructions: EXTENDED_ARG chains folded, caches stepped over, jump offsets computed.
//
// Invariant: what it returns covers the code in order; targets are offsets not yet checked against instructions.
// It gives opcodes no meaning. See Lib/dis.py (_unpack_opargs, findlabels) and Python/ceval.c.
#include "bytecode/raw.h"

#include <utility>

#include "bytecode/meaning.h"

namespace depyf {

RawReader::RawReader(const InstructionSet& set, const std::string& code, const Limits& limits)
    : set_(set), code_(code) {
  if (code.size() % 2 != 0) fail(Errc::kMalformed, code.size(), "co_code of odd length");
  if (code.size() / 2 > limits.max_instructions) fail(Errc::kLimitExceeded, 0, "too many instructions");
  if (code.empty()) fail(Errc::kMalformed, 0, "empty co_code");
}

bool RawReader::fail(Errc errc, std::size_t at, std::string what) {
  status_ = Error{errc, at, std::move(what)};
  return false;
}

// Where a jump lands. CPython counts from the end of the instruction, caches included.
bool RawReader::set_target(JumpKind jump) {
  const std::uint64_t distance = std::uint64_t{insn_.arg} * set_.jump_unit;
  std::uint64_t target = distance;
  if (jump == JumpKind::kForward) target = insn_.next + distance;
  if (jump == JumpKind::kBackward) {
    if (distance > insn_.next) return fail(Errc::kMalformed, insn_.offset, "jump to before the code");
    target = insn_.next - distance;
  }
  if (target >= code_.size()) return fail(Errc::kMalformed, insn_.offset, "jump to after the code");
  insn_.target = static_cast<std::uint32_t>(target);
  return true;
}

bool RawReader::next() {
  if (!status_) return false;
  const auto size = static_cast<std::uint32_t>(code_.size());
  const auto byte = [this](std::size_t at) { return static_cast<std::uint8_t>(code_[at]); };
  std::uint32_t prefix = 0;
  insn_.start = insn_.next;
  for (std::uint32_t at = insn_.start; at < size; at += 2) {
    const RawOpcode& info = set_.opcodes[byte(at)];
    if (!info.known) return fail(Errc::kMalformed, at, "unknown opcode " + std::to_string(byte(at)));
    const std::uint32_t arg = prefix | byte(at + 1);
    if (info.raw == Raw::EXTENDED_ARG) {
      if (arg > 0x00FFFFFF) return fail(Errc::kMalformed, at, "argument of more than 32 bits");
      prefix = arg << 8U;
      continue;
    }
    insn_.raw = info.raw;
    insn_.opcode = byte(at);
    insn_.arg = info.has_arg ? arg : 0;
    insn_.offset = at;
    insn_.next = at + 2 + 2U * info.caches;
    insn_.target = kNoTarget;
    if (kMeanings[static_cast<std::size_t>(info.raw)].rule == Rule::kNever)
      return fail(Errc::kMalformed, at, "opcode that compiled code never has: " + std::string(raw_name(info.raw)));
    if (insn_.next > size) return fail(Errc::kTruncated, at, "code ends inside an instruction's cache");
    return info.jump == JumpKind::kNone || set_target(info.jump);
  }
  if (insn_.start != size) return fail(Errc::kTruncated, insn_.start, "code ends after EXTENDED_ARG");
  return false;
}

Result<std::vector<RawInstruction>> read_raw(const InstructionSet& set, const std::string& code, const Limits& limits) {
  std::vector<RawInstruction> result;
  RawReader reader(set, code, limits);
  while (reader.next()) result.push_back(reader.instruction());
  if (const Status& status = reader.status(); !status) return status.error();
  return result;
}

}  // namespace depyf
