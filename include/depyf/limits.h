// SPDX-License-Identifier: MIT
// Limits on input. Exceeding one is an error, Errc::kLimitExceeded; without them input could cause a crash or a hang.
#pragma once

#include <cstddef>
#include <cstdint>

namespace depyf {

struct Limits {
  std::size_t max_bytes = std::size_t{1} << 30;      // of one input file
  std::uint32_t max_depth = 1000;                    // nesting of constants and of code objects
  std::uint32_t max_items = 4U << 20U;               // objects in one file; keeps the memory for them below 1 GB
  std::uint32_t max_instructions = 256U << 20U;      // of one code object
  std::uint32_t max_stack = 1U << 20U;               // operand stack entries
  std::uint64_t max_steps = std::uint64_t{1} << 32;  // worklist steps of one fixpoint

  static Limits fuzzing() {
    Limits l;
    l.max_bytes = 1U << 20U;
    l.max_depth = 100;
    l.max_items = 1U << 16U;
    l.max_instructions = 1U << 14U;
    l.max_stack = 1U << 12U;
    l.max_steps = 1U << 22U;
    return l;
  }
};

}  // namespace depyf
