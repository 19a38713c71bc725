// SPDX-License-Identifier: MIT
// Fuzz target: any bytes as a .pyc file, decompiled. A text or an error must come back; the text itself is not judged.
#include <cstddef>
#include <cstdint>
#include <span>

#include "depyf/decompile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  depyf::DecompileOptions options;
  options.limits = depyf::Limits::fuzzing();
  const auto tree = depyf::read_pyc(std::as_bytes(std::span(data, size)), options.limits);
  if (!tree.ok()) return 0;
  const auto result = depyf::decompile(*tree, options);
  if (!result.ok()) {
    if (result.error().code == depyf::Errc::kInternal) __builtin_trap();
    return 0;
  }
  for (const auto& failure : result->failures)
    if (failure.error.code == depyf::Errc::kInternal) __builtin_trap();
  return 0;
}
