// SPDX-License-Identifier: MIT
// Fuzz target: any bytes as a .pyc file, asked what lies on the stack at each of the first offsets of each code object.
#include <cstddef>
#include <cstdint>
#include <span>

#include "depyf/decompile.h"
#include "depyf/stack.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint32_t kMost = 64;
  const depyf::Limits limits = depyf::Limits::fuzzing();
  const auto tree = depyf::read_pyc(std::as_bytes(std::span(data, size)), limits);
  if (!tree.ok()) return 0;
  for (std::uint32_t code = 0; code < tree->codes.size() && code < kMost; ++code) {
    for (std::uint32_t offset = 0; offset < kMost; offset += 2) {
      const auto moment = offset % 4 == 0 ? depyf::Moment::kBefore : depyf::Moment::kDuring;
      const auto found = depyf::stack_origins(*tree, depyf::CodeId{code}, offset, moment, limits);
      if (!found.ok() && found.error().code == depyf::Errc::kInternal) __builtin_trap();
    }
  }
  return 0;
}
