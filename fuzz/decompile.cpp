// SPDX-License-Identifier: MIT
// Fuzz target: decompiles any bytes as a .pyc file. The result must be a text or an error other than kInternal; the
// text itself is not checked.
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
