// SPDX-License-Identifier: MIT
// Converts code of altered CPythons, whose opcodes have other numbers; see depyf/opcodes.h. In all versions code
// consists of units of two bytes, the first of which is an opcode, also in caches (3.11+).
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "bytecode/raw.h"
#include "depyf/opcodes.h"

namespace depyf {

namespace {

using Numbers = std::array<std::uint8_t, 256>;  // by number in the altered CPython

// Returns the inverse mapping: CPython's numbers by the numbers of the altered CPython.
Numbers inverse_of(const InstructionSet& set, const OpcodeNumbers& numbers) {
  const auto own = [&](std::size_t number) {
    return set.opcodes[number].known ? numbers.find(std::string(raw_name(set.opcodes[number].raw))) : numbers.end();
  };
  std::uint8_t unknown = 0;  // any number that no opcode has
  for (std::size_t i = 0; i < set.opcodes.size(); ++i)
    if (!set.opcodes[i].known) unknown = static_cast<std::uint8_t>(i);
  Numbers out;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = own(i) == numbers.end() ? static_cast<std::uint8_t>(i) : unknown;
  for (const auto& [name, number] : numbers) out[number] = unknown;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (const auto at = own(i); at != numbers.end()) out[at->second] = static_cast<std::uint8_t>(i);
  return out;
}

}  // namespace

void restore_opcodes(CodeTree& tree, const OpcodeNumbers& numbers) {
  const auto* set = instruction_set(tree.version);
  if (set == nullptr) return;
  const auto restored = inverse_of(*set, numbers);
  for (std::uint32_t n = 0; n < tree.codes.size(); ++n) {
    auto& code = tree.codes[CodeId{n}].code;
    for (std::size_t i = 0; i < code.size(); i += 2)
      code[i] = static_cast<char>(restored[static_cast<std::uint8_t>(code[i])]);
  }
}

Result<OpcodeNumbers> infer_opcodes(const CodeTree& known, const CodeTree& altered) {
  const auto* set = instruction_set(known.version);
  const auto differ = [](std::size_t at, const std::string& where, const std::string& what) {
    return Error{Errc::kMalformed, at,
                 "wanted one source, compiled by CPython and by an altered one of the same version; " + where +
                     " differs in " + what};
  };
  if (set == nullptr || known.version != altered.version) return differ(kNowhere, "the files' version", "number");
  if (known.codes.size() != altered.codes.size()) return differ(kNowhere, "the files", "the number of code objects");
  OpcodeNumbers numbers;
  std::array<std::optional<std::uint8_t>, 256> own;  // by number in the altered one
  for (std::uint32_t n = 0; n < known.codes.size(); ++n) {
    const auto &a = known.codes[CodeId{n}], &b = altered.codes[CodeId{n}];
    if (a.code.size() != b.code.size() || a.name != b.name) return differ(0, a.name, "more than opcodes");
    for (std::size_t i = 0; i + 1 < a.code.size(); i += 2) {
      const auto from = static_cast<std::uint8_t>(b.code[i]), to = static_cast<std::uint8_t>(a.code[i]);
      if (a.code[i + 1] != b.code[i + 1] || own[from].value_or(to) != to) return differ(i, a.name, "more than opcodes");
      own[from] = to;
      if (!set->opcodes[to].known) continue;
      const auto [at, is_new] = numbers.try_emplace(std::string(raw_name(set->opcodes[to].raw)), from);
      if (!is_new && at->second != from) return differ(i, a.name, "more than opcodes");
    }
  }
  return numbers;
}

}  // namespace depyf
