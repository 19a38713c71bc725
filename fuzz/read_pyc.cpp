// SPDX-License-Identifier: MIT
// Fuzz target: reads any bytes as a .pyc file. A tree that is returned must pass validate(); nothing else is checked.
#include <cstddef>
#include <cstdint>
#include <span>

#include "depyf/decompile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto tree = depyf::read_pyc(std::as_bytes(std::span(data, size)), depyf::Limits::fuzzing());
  if (tree.ok() && !depyf::validate(*tree).ok()) __builtin_trap();
  return 0;
}
