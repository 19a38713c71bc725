// SPDX-License-Identifier: MIT
// The total fallback: any flow graph as correct, if plain, Python.
//
// Every basic block becomes one arm of a dispatch over an integer state; operand stack entries become variables, and
// handler ranges become try statements around the dispatch, one a depth of handled exceptions.
#pragma once

#include <optional>

#include "cfg/cfg.h"
#include "lift/lift.h"

namespace depyf::fallback {

// With statements as such; nothing: the graph has one that is not whole.
[[nodiscard]] Result<std::optional<ast::Block>> dispatch_loop_with_statements(lift::Unit& unit, CodeId code,
                                                                              const Cfg& cfg);
// The form that looks the methods of managers up is there for all code.
[[nodiscard]] Result<ast::Block> dispatch_loop(lift::Unit& unit, CodeId code, const Cfg& cfg);

}  // namespace depyf::fallback
