// SPDX-License-Identifier: MIT
// One rule of folding: a loop that was an inlined comprehension becomes a value. So the function of any other is read.
//
// Does nothing (and says so) to a loop that is not exactly of the compiler's form.
#pragma once

#include "structure/graph.h"

namespace depyf::structure {

// Node a enters the loop. True: a now holds the comprehension and what follows it.
[[nodiscard]] Result<bool> inline_comprehension(lift::Unit& unit, lift::Lifter& lifter, Graph& graph, std::uint32_t a);

// What the function of a comprehension or a generator expression is, once its lines are folded; nothing if it does more.
// It has no element where nothing is left of that.
[[nodiscard]] std::optional<ast::Comprehension> comprehension_of(lift::Unit& unit, const lift::Lifter& lifter,
                                                                 const Graph& graph);

}  // namespace depyf::structure
