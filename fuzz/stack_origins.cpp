// SPDX-License-Identifier: MIT
// Fuzz target: reads any bytes as a .pyc file and computes the origins of the values on the stack, at the first offsets
// of each code object.
#include <cstddef>
#include <cstdint>
#include <span>

#include "depyf/decompile.h"
#include "depyf/stack.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint32_t kMaxCount = 64;
  const depyf::Limits limits = depyf::Limits::fuzzing();
  const auto tree = depyf::read_pyc(std::as_bytes(std::span(data, size)), limits);
  if (!tree.ok()) return 0;
  for (std::uint32_t code = 0; code < tree->codes.size() && code < kMaxCount; ++code) {
    for (std::uint32_t offset = 0; offset < kMaxCount; offset += 2) {
      const auto moment = offset % 4 == 0 ? depyf::Moment::kBefore : depyf::Moment::kDuring;
      const auto origins = depyf::stack_origins(*tree, depyf::CodeId{code}, offset, moment, limits);
      if (!origins.ok() && origins.error().code == depyf::Errc::kInternal) __builtin_trap();
    }
  }
  return 0;
}
