// SPDX-License-Identifier: MIT
// Code as it comes out of the intermediate form, by block, and how long its variables hold their values.
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
  std::size_t at = 0;          // a position between statements
  std::uint32_t physical = 0;  // entries that lie on the stack there
};

struct Line {  // a block as it comes out
  Code code;
  std::vector<Boundary> boundaries;  // in order
  std::uint32_t source = 0;          // the block it comes from
  std::uint32_t fall = kNone, jump = kNone;
  std::uint32_t depth = 0;  // physical entries on entry
  bool jumped = false;      // a split edge: the source's jump
};

// Deletes variables of ours, which come after the code object's locals, before calls across which the original held
// nothing. `value_of`: by variable.
Outcome end_lifetimes(const Cfg& cfg, const Form& form, Demands& demands, const std::vector<Val>& value_of,
                      std::vector<Line>& lines);

}  // namespace depyf::dynamo
