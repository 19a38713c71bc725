// SPDX-License-Identifier: MIT
// The fallback for code objects that have no structured form: writes any control-flow graph as a dispatch loop.
//
// The result is `pc = 0; while 1: if pc == 0: ... elif pc == 1: ...`. Each basic block becomes an arm of this dispatch
// over an integer state. Operand stack entries that live across a block edge become variables, and protected ranges
// become try statements around the dispatch, one for each level of exceptions that are being handled.
#pragma once

#include <optional>

#include "cfg/cfg.h"
#include "lift/lift.h"

namespace depyf::fallback {

// Writes `with` statements as such; returns nullopt if some `with` statement of the graph cannot be written so.
[[nodiscard]] Result<std::optional<ast::Block>> dispatch_loop_with_statements(lift::Unit& unit, CodeId code,
                                                                              const Cfg& cfg);
// Writes `with` statements as calls of __enter__ and __exit__, which is possible for all code.
[[nodiscard]] Result<ast::Block> dispatch_loop(lift::Unit& unit, CodeId code, const Cfg& cfg);

}  // namespace depyf::fallback
