// SPDX-License-Identifier: MIT
// decode(): translates raw instructions to canonical ones, and the targets of jumps and handlers to instruction
// indices.
//
// Invariant: the result is checked: operands are valid indices, counts are within the limits, targets are instructions.
// Instructions that violate this become ILLEGAL. meaning.def and translate.cpp define the meaning of each opcode.
#include <algorithm>

#include "bytecode/raw.h"
#include "bytecode/translate.h"
#include "support/small_vector.h"

namespace depyf {
namespace {

// Maps byte offsets to indices of canonical instructions.
class OffsetMap {
 public:
  explicit OffsetMap(std::size_t size) : units_(size / 2 + 1, 0) {}

  // Adds a raw instruction whose canonical instructions start at index `first`. `bound`: it must follow its
  // predecessor, so jumps to it are illegal (a CALL after KW_NAMES).
  void add(const RawInstruction& raw, std::size_t first, bool bound) {
    const std::uint32_t unit = static_cast<std::uint32_t>(first) | kOpcode;
    // Skipping EXTENDED_ARG prefixes that are 0 makes no difference.
    if (raw.offset != raw.start) units_[raw.offset / 2] = unit | (raw.arg < 256 ? kStart : 0);
    units_[raw.start / 2] = unit | kStart | (bound ? kBound : 0);
  }
  void finish(std::size_t count) { units_.back() = static_cast<std::uint32_t>(count) | kOpcode; }
  // Returns whether an instruction, with its prefixes, starts at an offset.
  [[nodiscard]] bool is_start(std::uint32_t offset) const {
    return offset % 2 == 0 && offset / 2 < units_.size() && (units_[offset / 2] & kStart) != 0;
  }
  [[nodiscard]] bool is_bound(std::uint32_t offset) const { return (units_[offset / 2] & kBound) != 0; }
  // Returns the index of the first instruction whose opcode is at an offset or later, as CPython looks up ranges.
  [[nodiscard]] std::uint32_t first_from(std::uint32_t offset) const {
    auto unit = std::min<std::size_t>(offset / 2, units_.size() - 1);
    while (units_[unit] == 0) ++unit;
    return units_[unit] & kIndex;
  }

 private:
  static constexpr std::uint32_t kStart = 0x80000000, kBound = 0x40000000, kOpcode = 0x20000000;
  static constexpr std::uint32_t kIndex = kOpcode - 1;  // Limits::max_instructions is less
  SmallVector<std::uint32_t, 512> units_;  // by code unit: index and flags of its instruction; 0: prefix or cache
};

Instruction illegal(Bytecode& bytecode, std::uint32_t offset, const Error& why) {
  bytecode.illegal.push_back(why);
  return {.op = Op::ILLEGAL, .arg = static_cast<std::uint32_t>(bytecode.illegal.size()) - 1, .offset = offset};
}

// Replaces the offsets in jumps and exception table entries by indices of canonical instructions.
class Targets {
 public:
  Targets(const InstructionSet& set, const std::string& code, const OffsetMap& map, Bytecode& bytecode)
      : set_(set), code_(code), map_(map), bytecode_(bytecode) {}

  void locate_jumps() {
    for (Instruction& insn : bytecode_.code) {
      if (insn.target == kNoTarget) continue;
      const Status found = locate_jump(insn);
      if (!found) insn = illegal(bytecode_, insn.offset, found.error());
    }
  }

  Status locate_handlers(const Limits& limits) {
    for (ExceptionEntry& entry : bytecode_.handlers) {
      DEPYF_CHECK(locate(entry.target, entry.target, "exception handler is not an instruction"));
      if (entry.end > code_.size()) return Error{Errc::kMalformed, entry.start, "exception range passes the code"};
      if (entry.depth > limits.max_stack) return Error{Errc::kLimitExceeded, entry.start, "exception depth"};
      entry.start = map_.first_from(entry.start);
      entry.end = map_.first_from(entry.end);
      if (entry.target >= bytecode_.code.size())
        return Error{Errc::kMalformed, kNowhere, "exception handler is an empty end"};
    }
    std::erase_if(bytecode_.handlers, [](const ExceptionEntry& entry) { return entry.start >= entry.end; });
    return Unit{};
  }

 private:
  Status locate_jump(Instruction& insn) const {
    DEPYF_CHECK(locate(insn.target, insn.offset, "jump into the middle of an instruction"));
    if (insn.target >= bytecode_.code.size()) return Error{Errc::kMalformed, insn.offset, "jump to an empty end"};
    // 3.12+ interpreters skip the target of a FOR_ITER without looking at it, as it must be END_FOR.
    if (insn.op == Op::FOR_ITER && (insn.flags & kIterKept) != 0 && bytecode_.code[insn.target].op != Op::END_FOR)
      return Error{Errc::kMalformed, insn.offset, "FOR_ITER jumps to something else than END_FOR"};
    return Unit{};
  }

  Status locate(std::uint32_t& target, std::uint32_t from, const char* wrong) const {
    if (!map_.is_start(target)) return Error{Errc::kMalformed, from, wrong};
    if (map_.is_bound(target)) {
      const Raw raw = set_.opcodes[static_cast<std::uint8_t>(code_[target])].raw;
      return Error{Errc::kMalformed, target, std::string(raw_name(raw)) + ": jump between KW_NAMES and its CALL"};
    }
    target = map_.first_from(target);
    return Unit{};
  }

  const InstructionSet& set_;
  const std::string& code_;
  const OffsetMap& map_;
  Bytecode& bytecode_;
};

}  // namespace

Result<Bytecode> decode(const CodeTree& tree, CodeId id, const Limits& limits) {
  const CodeObject& code = tree.codes[id];
  const InstructionSet* set = instruction_set(tree.version);
  if (set == nullptr) return Error{Errc::kBadMagic, kNowhere, "not a version from 3.8 to 3.15"};
  Bytecode result;
  result.code.reserve(code.code.size() / (tree.version.minor >= 11 ? 3 : 2) + 4);
  OffsetMap map(code.code.size());
  RawReader reader(*set, code.code, limits);
  Translator translator(tree.version, *set, code, limits, result.code);
  for (;;) {
    const bool is_read = reader.next();
    const auto& raw = reader.instruction();
    const auto first = result.code.size();
    const bool bound = translator.keywords_pending();
    if (!is_read || !translator.add(raw)) {
      if (!is_read && reader.status()) break;
      const Error why = is_read ? translator.error() : reader.status().error();
      if (is_read ? why.code == Errc::kLimitExceeded : !reader.skip()) return why;
      translator.forget_error();
      result.code.resize(first);
      result.code.push_back(illegal(result, raw.start, why));
    }
    map.add(raw, first, bound);
  }
  if (!translator.finish()) return translator.error();
  map.finish(result.code.size());
  Targets targets(*set, code.code, map, result);
  targets.locate_jumps();
  if (tree.version.minor >= 11 && !code.exceptiontable.empty()) {
    DEPYF_TRY(handlers, read_exception_table(code.exceptiontable));
    result.handlers = std::move(handlers);
    DEPYF_CHECK(targets.locate_handlers(limits));
  }
  return result;
}

}  // namespace depyf
