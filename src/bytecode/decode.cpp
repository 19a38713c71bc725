// SPDX-License-Identifier: MIT
// decode(): raw instructions become canonical ones; jumps, handlers and positions come to name them.
//
// Invariant: what leaves here is checked: arguments index what they name, counts fit the limits, targets are
// instructions. The meaning of each opcode is in meaning.def and translate.cpp; this file only joins the parts.
#include <algorithm>

#include "bytecode/meaning.h"
#include "bytecode/raw.h"
#include "bytecode/translate.h"

namespace depyf {
namespace {

constexpr std::uint32_t kNoInstruction = 0xFFFFFFFF;

// From offsets to raw instructions.
class OffsetMap {
 public:
  OffsetMap(const std::vector<RawInstruction>& raw, std::size_t size) : raw_(raw), starts_(size / 2, kNoInstruction) {
    for (std::uint32_t i = 0; i < raw.size(); ++i) starts_[raw[i].start / 2] = i;
  }
  // The instruction that starts there (with its first prefix); kNoInstruction in the middle of one or outside.
  [[nodiscard]] std::uint32_t starting_at(std::uint32_t offset) const {
    return offset % 2 != 0 || offset / 2 >= starts_.size() ? kNoInstruction : starts_[offset / 2];
  }
  // The first instruction whose opcode lies there or later: how CPython looks up a range.
  [[nodiscard]] std::uint32_t first_from(std::uint32_t offset) const {
    const auto it = std::lower_bound(raw_.begin(), raw_.end(), offset,
                                     [](const RawInstruction& r, std::uint32_t o) { return r.offset < o; });
    return static_cast<std::uint32_t>(it - raw_.begin());
  }

 private:
  const std::vector<RawInstruction>& raw_;
  std::vector<std::uint32_t> starts_;
};

// Replaces the offsets of exception table entries by indices of raw instructions.
Status locate_handlers(const OffsetMap& map, std::size_t size, const Limits& limits, std::vector<RawInstruction>& raw,
                       std::vector<ExceptionEntry>& entries) {
  for (ExceptionEntry& entry : entries) {
    const std::uint32_t target = map.starting_at(entry.target);
    if (target == kNoInstruction) {
      return Error{Errc::kMalformed, entry.target, "exception handler is not an instruction"};
    }
    if (entry.end > size) return Error{Errc::kMalformed, entry.start, "exception range passes the code"};
    if (entry.depth > limits.max_stack) return Error{Errc::kLimitExceeded, entry.start, "exception depth"};
    raw[target].entered = true;
    entry = {map.first_from(entry.start), map.first_from(entry.end), target, entry.depth, entry.lasti};
  }
  return Unit{};
}

// Replaces the offsets of jumps by indices of raw instructions.
Status locate_jumps(const OffsetMap& map, std::vector<RawInstruction>& raw) {
  for (RawInstruction& insn : raw) {
    if (insn.target == kNoTarget) continue;
    insn.target = map.starting_at(insn.target);
    if (insn.target == kNoInstruction) {
      return Error{Errc::kMalformed, insn.offset, "jump into the middle of an instruction"};
    }
    raw[insn.target].entered = true;
  }
  return Unit{};
}

// Renames raw indices in targets and handlers to indices of what was made of them; `first[i]` is where i begins.
Status rename(const std::vector<std::uint32_t>& first, Bytecode& bytecode) {
  const auto size = static_cast<std::uint32_t>(bytecode.code.size());
  for (Instruction& insn : bytecode.code) {
    if (insn.target == kNoTarget) continue;
    insn.target = first[insn.target];
    if (insn.target >= size) return Error{Errc::kMalformed, insn.offset, "jump to an empty end"};
    // The interpreters of 3.12+ do not look at what a FOR_ITER jumps to: they step over it as an END_FOR.
    if (insn.op == Op::FOR_ITER && (insn.flags & kIterKept) != 0 && bytecode.code[insn.target].op != Op::END_FOR) {
      return Error{Errc::kMalformed, insn.offset, "FOR_ITER jumps to something else than END_FOR"};
    }
  }
  for (ExceptionEntry& entry : bytecode.handlers) {
    entry = {first[entry.start], first[entry.end], first[entry.target], entry.depth, entry.lasti};
    if (entry.target >= size) return Error{Errc::kMalformed, kNowhere, "exception handler is an empty end"};
  }
  std::erase_if(bytecode.handlers, [](const ExceptionEntry& entry) { return entry.start >= entry.end; });
  return Unit{};
}

}  // namespace

Result<Bytecode> decode(const CodeTree& tree, CodeId id, const Limits& limits, Positions wanted) {
  const CodeObject& code = tree.codes[id];
  const InstructionSet* set = instruction_set(tree.version);
  if (set == nullptr) return Error{Errc::kBadMagic, kNowhere, "not a version from 3.8 to 3.15"};
  DEPYF_TRY(raw, read_raw(*set, code.code, limits));
  const OffsetMap map(raw, code.code.size());
  DEPYF_CHECK(locate_jumps(map, raw));
  Bytecode result;
  if (tree.version.minor >= 11) {
    DEPYF_TRY(handlers, read_exception_table(code.exceptiontable));
    DEPYF_CHECK(locate_handlers(map, code.code.size(), limits, raw, handlers));
    result.handlers = std::move(handlers);
  }
  std::vector<Position> positions;
  if (wanted == Positions::kRead) positions = read_positions(tree.version, code, raw);

  result.code.reserve(raw.size() + raw.size() / 4);  // superinstructions and their like become several
  if (!positions.empty()) result.positions.reserve(result.code.capacity());
  Translator translator(tree.version, *set, code, limits, result.code);
  std::vector<std::uint32_t> first(raw.size() + 1);
  for (std::size_t i = 0; i < raw.size(); ++i) {
    first[i] = static_cast<std::uint32_t>(result.code.size());
    DEPYF_CHECK(translator.add(raw[i]));
    if (!positions.empty()) result.positions.resize(result.code.size(), positions[i]);
  }
  first[raw.size()] = static_cast<std::uint32_t>(result.code.size());
  DEPYF_CHECK(translator.finish());
  DEPYF_CHECK(rename(first, result));
  return result;
}

}  // namespace depyf
