// SPDX-License-Identifier: MIT
// decode(): raw instructions become canonical ones; jumps and handlers come to name them.
//
// Invariant: what leaves here is checked: arguments index what they name, counts fit the limits, targets are
// instructions; what is not so is an ILLEGAL. The meaning of each opcode is in meaning.def and translate.cpp; this file
// only joins the parts.
#include <algorithm>

#include "bytecode/raw.h"
#include "bytecode/translate.h"
#include "support/small_vector.h"

namespace depyf {
namespace {

// From offsets to canonical instructions.
class OffsetMap {
 public:
  explicit OffsetMap(std::size_t size) : units_(size / 2 + 1, 0) {}

  // The canonical instructions of `raw` begin at `first`; `bound`: what precedes it must run before it.
  void add(const RawInstruction& raw, std::size_t first, bool bound) {
    const std::uint32_t unit = static_cast<std::uint32_t>(first) | kOpcode;
    // A jump over prefixes of 0 leads to the same instruction.
    if (raw.offset != raw.start) units_[raw.offset / 2] = unit | (raw.arg < 256 ? kStart : 0);
    units_[raw.start / 2] = unit | kStart | (bound ? kBound : 0);
  }
  void finish(std::size_t count) { units_.back() = static_cast<std::uint32_t>(count) | kOpcode; }
  // Whether an instruction begins there (with its first prefix).
  [[nodiscard]] bool is_start(std::uint32_t offset) const {
    return offset % 2 == 0 && offset / 2 < units_.size() && (units_[offset / 2] & kStart) != 0;
  }
  [[nodiscard]] bool is_bound(std::uint32_t offset) const { return (units_[offset / 2] & kBound) != 0; }
  // The first instruction whose opcode lies there or later: how CPython looks up a range.
  [[nodiscard]] std::uint32_t first_from(std::uint32_t offset) const {
    auto unit = std::min<std::size_t>(offset / 2, units_.size() - 1);
    while (units_[unit] == 0) ++unit;
    return units_[unit] & kIndex;
  }

 private:
  static constexpr std::uint32_t kStart = 0x80000000, kBound = 0x40000000, kOpcode = 0x20000000;
  static constexpr std::uint32_t kIndex = kOpcode - 1;  // Limits::max_instructions is less
  SmallVector<std::uint32_t, 512>
      units_;  // of each code unit: its canonical instruction, with flags; 0: a prefix, a cache
};

Instruction illegal(Bytecode& bytecode, std::uint32_t offset, const Error& why) {
  bytecode.illegal.push_back(why);
  return {.op = Op::ILLEGAL, .arg = static_cast<std::uint32_t>(bytecode.illegal.size()) - 1, .offset = offset};
}

// What jumps and handlers name becomes the index of a canonical instruction.
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
    // The interpreters of 3.12+ do not look at what a FOR_ITER jumps to: they step over it as an END_FOR.
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
