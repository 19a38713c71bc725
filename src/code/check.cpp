// SPDX-License-Identifier: MIT
// The invariants of a single code object: those of _PyCode_Validate in Objects/codeobject.c, and further ones that the
// evaluation loop relies on; see check.h.
#include "code/check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace depyf {
namespace {

std::vector<std::string> names_of_kind(const CodeObject& code, std::uint8_t kind) {
  std::vector<std::string> out;
  out.reserve(static_cast<std::size_t>(std::count_if(code.localspluskinds.begin(), code.localspluskinds.end(),
                                                     [kind](std::uint8_t k) { return (k & kind) != 0; })));
  for (std::size_t i = 0; i < code.localsplus.size(); ++i) {
    if ((code.localspluskinds[i] & kind) != 0) out.push_back(code.localsplus[i]);
  }
  return out;
}

bool are_names_of_kind(const std::vector<std::string>& names, const CodeObject& code, std::uint8_t kind) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < code.localsplus.size(); ++i) {
    if ((code.localspluskinds[i] & kind) == 0) continue;
    if (next == names.size() || names[next++] != code.localsplus[i]) return false;
  }
  return next == names.size();
}

std::string count_fault(const CodeObject& code) {
  constexpr std::uint32_t kMaxInt = 0x7FFFFFFF;
  if (code.flags > kMaxInt) return "wanted co_flags of 31 bits, found " + std::to_string(code.flags);
  if (code.stacksize > kMaxInt) return "wanted a co_stacksize of 31 bits, found " + std::to_string(code.stacksize);
  if (code.posonlyargcount > code.argcount) {
    return "wanted co_posonlyargcount within co_argcount (" + std::to_string(code.argcount) + "), found " +
           std::to_string(code.posonlyargcount);
  }
  if (const std::uint64_t parameters = parameter_count(code); parameters > code.varnames.size()) {
    return "wanted " + std::to_string(parameters) + " names of parameters in co_varnames, found " +
           std::to_string(code.varnames.size());
  }
  return {};
}

std::string kinds_fault(const CodeObject& code) {
  if (code.localsplus.size() != code.localspluskinds.size()) {
    return "wanted " + std::to_string(code.localsplus.size()) + " bytes of local kinds, found " +
           std::to_string(code.localspluskinds.size());
  }
  const std::uint64_t parameters = parameter_count(code);
  bool free_seen = false;
  for (std::size_t i = 0; i < code.localspluskinds.size(); ++i) {
    const std::uint8_t kind = code.localspluskinds[i];
    const bool is_free = (kind & kFastFree) != 0;
    const bool known = is_free ? (kind & (kFastLocal | kFastCell)) == 0 : (kind & (kFastLocal | kFastCell)) != 0;
    // COPY_FREE_VARS fills the last slots and arguments fill the first ones, whatever their kinds are.
    const bool placed = (is_free || !free_seen) && (i >= parameters || (kind & kFastLocal) != 0);
    if (!known || !placed) {
      return "wanted a kind of local that fits slot " + std::to_string(i) + ", found " + std::to_string(kind);
    }
    free_seen = is_free;
  }
  if (!are_names_of_kind(code.varnames, code, kFastLocal) || !are_names_of_kind(code.cellvars, code, kFastCell) ||
      !are_names_of_kind(code.freevars, code, kFastFree)) {
    return "wanted names of locals that follow from the kinds of locals";
  }
  return {};
}

}  // namespace

void derive_local_names(CodeObject& code) {
  if (code.localsplus.size() != code.localspluskinds.size()) return;  // code_fault() reports this
  code.varnames = names_of_kind(code, kFastLocal);
  code.cellvars = names_of_kind(code, kFastCell);
  code.freevars = names_of_kind(code, kFastFree);
}

std::string code_fault(const CodeObject& code, Version version) {
  if (code.code.empty() || code.code.size() % 2 != 0) {
    return "wanted a co_code of whole two-byte units, found " + std::to_string(code.code.size()) + " bytes";
  }
  if (has_localsplus(version)) {
    if (std::string fault = kinds_fault(code); !fault.empty()) return fault;
  } else if (!code.localsplus.empty() || !code.localspluskinds.empty() || !code.exceptiontable.empty()) {
    return "wanted no 3.11 fields in a code object of an older version";
  }
  return count_fault(code);
}

}  // namespace depyf
