// SPDX-License-Identifier: MIT
// The code that the Regenerator produces, block by block, and the pass that limits the lifetimes of its variables.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "dynamo/scalar_replacement/values.h"

namespace depyf::dynamo {

struct Item {
  Instruction insn;
  const Operation* call = nullptr;
};
using Code = std::vector<Item>;

struct Boundary {
  std::size_t at = 0;          // index of an instruction that starts a statement
  std::uint32_t physical = 0;  // number of physical stack entries there
};

struct Line {  // one block of the output, or a block on a split edge
  Code code;
  std::vector<Boundary> boundaries;  // in ascending order
  std::uint32_t source = 0;          // the block it comes from
  std::uint32_t fall = kNone, jump = kNone;
  std::uint32_t depth = 0;  // number of physical stack entries at the entry
  bool jumped = false;      // for a split edge: it was the jump edge of the source
};

// Deletes new variables (numbered after the locals of the code object) before calls across which the original code did
// not keep their values alive. `value_of` maps a variable to its value.
Outcome end_lifetimes(const Cfg& cfg, const Form& form, Demands& demands, const std::vector<Val>& value_of,
                      std::vector<Line>& lines);

}  // namespace depyf::dynamo
