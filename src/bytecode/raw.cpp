// SPDX-License-Identifier: MIT
// Reads co_code into raw instructions: folds EXTENDED_ARG chains, skips caches, computes jump targets.
//
// Invariant: the raw instructions cover the code in order. decode.cpp checks targets against instructions. See
// Lib/dis.py (_unpack_opargs, findlabels) and Python/ceval.c.
#include "bytecode/raw.h"

#include <algorithm>
#include <utility>

namespace depyf {

RawReader::RawReader(const InstructionSet& set, const std::string& code, const Limits& limits)
    : set_(set), code_(code.data()) {
  if (code.size() % 2 != 0) fail(Errc::kMalformed, code.size(), "co_code of odd length");
  if (code.size() / 2 > limits.max_instructions) fail(Errc::kLimitExceeded, 0, "too many instructions");
  if (code.empty()) fail(Errc::kMalformed, 0, "empty co_code");
  if (status_) size_ = static_cast<std::uint32_t>(code.size());
}

bool RawReader::fail(Errc errc, std::size_t at, std::string message) {
  status_ = Error{errc, at, std::move(message)};
  return false;
}

bool RawReader::skip() {
  if (status_ || status_.error().code == Errc::kLimitExceeded || insn_.start >= size_) return false;
  insn_.next = std::min(std::max(insn_.next, insn_.start + 2), size_);
  insn_.offset = insn_.start;
  insn_.arg = 0;
  status_ = Unit{};
  return true;
}

// Computes the target of a jump. CPython counts from the end of the instruction, caches included.
bool RawReader::set_target(JumpKind jump) {
  const std::uint64_t distance = std::uint64_t{insn_.arg} * set_.jump_unit;
  std::uint64_t target = distance;
  if (jump == JumpKind::kForward) target = insn_.next + distance;
  if (jump == JumpKind::kBackward) {
    if (distance > insn_.next) return fail(Errc::kMalformed, insn_.offset, "jump to before the code");
    target = insn_.next - distance;
  }
  if (target >= size_) return fail(Errc::kMalformed, insn_.offset, "jump to after the code");
  insn_.target = static_cast<std::uint32_t>(target);
  return true;
}

bool RawReader::fold_prefixes(std::uint32_t& at, std::uint32_t& arg) {
  std::uint32_t prefix = 0;
  for (; at < size_; at += 2) {
    const RawOpcode& info = set_.opcodes[byte(at)];
    if (!info.known) return fail(Errc::kMalformed, at, "unknown opcode " + std::to_string(byte(at)));
    arg = prefix | byte(at + 1);
    if (info.is_instruction) return true;
    if (info.raw != Raw::EXTENDED_ARG)
      return fail(Errc::kMalformed, at, "opcode that compiled code never has: " + std::string(raw_name(info.raw)));
    if (arg > 0x00FFFFFF) return fail(Errc::kMalformed, at, "argument of more than 32 bits");
    prefix = arg << 8U;
  }
  return fail(Errc::kTruncated, insn_.start, "code ends after EXTENDED_ARG");
}

Result<std::vector<RawInstruction>> read_raw(const InstructionSet& set, const std::string& code, const Limits& limits) {
  std::vector<RawInstruction> result;
  RawReader reader(set, code, limits);
  while (reader.next()) result.push_back(reader.instruction());
  if (const Status& status = reader.status(); !status) return status.error();
  return result;
}

}  // namespace depyf
