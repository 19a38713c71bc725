// SPDX-License-Identifier: MIT
// Bisimulation classes of positions, computed from the exits backwards.
//
// Two positions are in one class if they have the same operation and handler and their successors are in one class. A
// block that a retreating edge leads to is in a class of its own, so one sweep in postorder suffices (value numbering).
// The relation is finer than the coarsest bisimulation (deopt/bisimulation_quotient.cpp) and than the one that `verify`
// uses.
#pragma once

#include <cstdint>
#include <vector>

#include "cfg/cfg.h"
#include "support/small_vector.h"

namespace depyf {

// Maps a test and its opposite to one operation; the successors of one of them must be exchanged.
[[nodiscard]] inline Op either_polarity(Op op) {
  if (op == Op::POP_JUMP_IF_TRUE) return Op::POP_JUMP_IF_FALSE;
  return op == Op::POP_JUMP_IF_NOT_NONE ? Op::POP_JUMP_IF_NONE : op;
}

class PositionClasses {
 public:
  static constexpr std::uint32_t kNoClass = 0xFFFFFFFF;

  explicit PositionClasses(const Cfg& cfg);

  // Returns the class of the instruction at an index of a block; at the block's end, that of its fall-through
  // successor.
  [[nodiscard]] std::uint32_t at(BlockId block, std::size_t index) const { return classes_[first_[block.n] + index]; }
  // Returns the number of instructions in a class.
  [[nodiscard]] std::uint32_t multiplicity(std::uint32_t of) const { return of == kNoClass ? 0 : multiplicity_[of]; }

 private:
  SmallVector<std::uint32_t, 32> first_;  // by block: the index in classes_ of its first position
  SmallVector<std::uint32_t, 128> classes_, multiplicity_;
};

}  // namespace depyf
