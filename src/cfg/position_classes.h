// SPDX-License-Identifier: MIT
// Bisimulation classes of positions, numbered from the exits.
//
// Two positions have one class if they do the same under the same handler and continue at positions of one class, or at one
// block that a retreating edge leads to, which nothing else is equal to. So one sweep in postorder suffices (value
// numbering); the relation is finer than the coarsest bisimulation (deopt/bisimulation_quotient.cpp), and than the judge's.
#pragma once

#include <cstdint>
#include <vector>

#include "cfg/cfg.h"
#include "support/small_vector.h"

namespace depyf {

// A test and its opposite are one operation, with their successors exchanged.
[[nodiscard]] inline Op either_polarity(Op op) {
  if (op == Op::POP_JUMP_IF_TRUE) return Op::POP_JUMP_IF_FALSE;
  return op == Op::POP_JUMP_IF_NOT_NONE ? Op::POP_JUMP_IF_NONE : op;
}

class PositionClasses {
 public:
  static constexpr std::uint32_t kNoClass = 0xFFFFFFFF;

  explicit PositionClasses(const Cfg& cfg);

  // The class of the instruction at an index of a block; at its end, of what it falls through to.
  [[nodiscard]] std::uint32_t at(BlockId block, std::size_t index) const { return classes_[first_[block.n] + index]; }
  // How many instructions of the graph are in a class.
  [[nodiscard]] std::uint32_t multiplicity(std::uint32_t of) const { return of == kNoClass ? 0 : multiplicity_[of]; }

 private:
  SmallVector<std::uint32_t, 32> first_;  // of each block: the number of its first position
  SmallVector<std::uint32_t, 128> classes_, multiplicity_;
};

}  // namespace depyf
