// SPDX-License-Identifier: MIT
// The set of operations that occur in some code.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "bytecode/instruction.h"

namespace depyf {

class Operations {
 public:
  void add(const std::vector<Instruction>& code) {
    for (const Instruction& insn : code) has_[static_cast<std::size_t>(insn.op)] = true;
  }
  template <class... Ops>
  [[nodiscard]] bool any(Ops... ops) const {
    return (has_[static_cast<std::size_t>(ops)] || ...);
  }

 private:
  std::array<bool, 256> has_{};  // by Op
};

}  // namespace depyf
