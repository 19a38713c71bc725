// SPDX-License-Identifier: MIT
// Passes that undo what CPython's compiler and optimizer did to the code that a person wrote: graph to graph, before
// lifting.
//
// One file per transformation. The table of passes (driver/passes.cpp) has their order and names the function of
// CPython that each inverts. Invariant: a pass leaves a graph that it does not recognize as it is. `verify` uses none
// of them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "bytecode/positions.h"
#include "cfg/cfg.h"

namespace depyf::deopt {

class PositionFacts;

// Turns asynchronous loops into FOR_ITER loops.
void loop_over_async_iterators(Cfg& cfg);
// Turns handlers of `except*` into the form of `except` handlers.
void rewrite_group_handlers(Cfg& cfg, const Dialect& dialect);
// Removes the handlers of inlined comprehensions, and the inlined copies of any(), all(), tuple(), list() and set()
// (3.12+).
void undo_inlining(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect);

// Marks the tests that jump threading created outside the protected range of the value they test, and moves them back.
void protect_threaded_tests(const CodeObject& code, Cfg& cfg, const Dialect& dialect);
using OwnReturns = std::set<std::uint32_t>;  // blocks that end in a `return` statement of the source
// Merges the duplicates of code within an expression, so that its arms join in one position again. Returns the blocks
// of `return` statements that are the join of arms which all left the function.
[[nodiscard]] OwnReturns merge_duplicated_tails(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect,
                                                SourcePositions& positions, PositionFacts& facts);
// Merges the two copies of the test of each inverted loop.
void merge_loop_tests(Cfg& cfg, const Dialect& dialect, PositionFacts& facts);
// Merges the duplicates of exits that leave a protected range or end a handler.
void merge_range_exits(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect, SourcePositions& positions,
                       PositionFacts& facts);
// Replaces the copies of finally bodies on normal exits by markers (POP_BLOCK with the handler as argument). Returns
// whether there were any.
bool collapse_finally_bodies(const CodeTree& tree, CodeId code, Cfg& cfg, const Dialect& dialect);

// Merges all code that no execution can distinguish (the quotient by bisimulation): from any position on, or only from
// statements on, so that no value needs a variable because its expression was merged in part. Returns nullopt if no two
// positions are equal.
enum class Merged : std::uint8_t { kStatements, kPositions };
[[nodiscard]] std::optional<Cfg> bisimulation_quotient(const Cfg& cfg, const CodeTree& tree, CodeId code, Merged which);

}  // namespace depyf::deopt
