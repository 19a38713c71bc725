// SPDX-License-Identifier: MIT
// Reads co_exceptiontable (3.11+) into entries whose start, end and target are byte offsets in co_code.
//
// Invariant: entries keep the table's order. decode.cpp checks offsets against instructions. CPython describes the
// format in InternalDocs/exception_handling.md (earlier: Objects/exception_handling_notes.txt).
#include "bytecode/raw.h"

namespace depyf {
namespace {

constexpr std::uint32_t kMaxOffset = 0x3FFFFFFF;

// Reads a number of six bits per byte, high bits first. Bit 6 means that more bytes follow, bit 7 marks the start of an
// entry.
Result<std::uint32_t> read_varint(const std::string& table, std::size_t& at) {
  std::uint32_t value = 0;
  for (;;) {
    if (at >= table.size()) return Error{Errc::kTruncated, at, "exception table ends inside an entry"};
    const auto byte = static_cast<std::uint8_t>(table[at++]);
    if (value > (kMaxOffset >> 6U)) return Error{Errc::kMalformed, at - 1, "number too large in exception table"};
    value = (value << 6U) | (byte & 0x3FU);
    if ((byte & 0x40U) == 0) return value;
  }
}

}  // namespace

Result<std::vector<ExceptionEntry>> read_exception_table(const std::string& table) {
  std::vector<ExceptionEntry> entries;
  for (std::size_t at = 0; at < table.size();) {
    const std::size_t entry_at = at;
    DEPYF_TRY(start, read_varint(table, at));
    DEPYF_TRY(length, read_varint(table, at));
    DEPYF_TRY(target, read_varint(table, at));
    DEPYF_TRY(depth_lasti, read_varint(table, at));
    if (start > kMaxOffset / 4 || length > kMaxOffset / 4 || target > kMaxOffset / 4) {
      return Error{Errc::kMalformed, entry_at, "offset too large in exception table"};
    }
    entries.push_back({start * 2, (start + length) * 2, target * 2, depth_lasti >> 1U, (depth_lasti & 1U) != 0});
  }
  return entries;
}

}  // namespace depyf
