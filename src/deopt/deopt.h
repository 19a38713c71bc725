// SPDX-License-Identifier: MIT
// The inverses of CPython's optimizer and of what its compiler duplicates: graph to graph, before anything is lifted.
//
// One file a transformation, in the order of the table of passes (driver/passes.cpp), which names the function of CPython
// that each inverts. Invariant: a graph that a pass does not recognise stays as it is. The judge (src/verify) sees none of it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "bytecode/positions.h"
#include "cfg/cfg.h"

namespace depyf::deopt {

class PositionFacts;

// Makes asynchronous loops FOR_ITER loops.
void loop_over_async_iterators(Cfg& cfg);
// Handlers of `except*` in the form of those of `except`.
void rewrite_group_handlers(Cfg& cfg, const Dialect& dialect);
// Drops handlers and copies of code that 3.12+ compilers inline (comprehensions, any(), all(), tuple()).
void undo_inlining(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect);

// Moves tests that jump threading put outside the protected range of the value they test back into it, and marks them.
void protect_threaded_tests(const CodeObject& code, Cfg& cfg, const Dialect& dialect);
using OwnReturns = std::set<std::uint32_t>;  // blocks that end in a `return` of the source's own
// Merges the duplicates of code within an expression: its arms meet in one position again. Where both ended the function,
// that is one.
[[nodiscard]] OwnReturns merge_duplicated_tails(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect,
                                                SourcePositions& positions, PositionFacts& facts);
// Merges the two copies of the test of each inverted loop.
void merge_loop_tests(Cfg& cfg, const Dialect& dialect, PositionFacts& facts);
// Merges the duplicates of exits that leave a protected range or end a handler.
void merge_range_exits(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect, SourcePositions& positions,
                       PositionFacts& facts);
// Replaces the copies of finally bodies on normal exits by markers. Whether there are any.
bool collapse_finally_bodies(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect);

// The graph with one copy of all code that no run can tell apart (the quotient by bisimulation); nothing if it has one.
[[nodiscard]] std::optional<Cfg> bisimulation_quotient(const Cfg& cfg, const CodeTree& tree, CodeId code);

}  // namespace depyf::deopt
