// SPDX-License-Identifier: MIT
// The total fallback: any flow graph as correct, if plain, Python.
//
// Every basic block becomes one arm of a dispatch over an integer state; operand stack entries become variables, and
// handler ranges become try statements around the dispatch, one a depth of handled exceptions.
#pragma once

#include "cfg/cfg.h"
#include "lift/lift.h"

namespace depyf::structure {

[[nodiscard]] Result<ast::Block> dispatch_loop(lift::Unit& unit, CodeId code, const Cfg& cfg);

}  // namespace depyf::structure
