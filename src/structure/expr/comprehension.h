// SPDX-License-Identifier: MIT
// One rule of folding: the loop of an inlined comprehension becomes a value. The function of a comprehension that is
// not inlined is read in the same way.
//
// A loop that does not have exactly the compiler's form is kept; the functions tell.
#pragma once

#include "structure/graph.h"

namespace depyf::structure {

// Node a enters the loop. Returns whether it was a comprehension; then a contains it and the code after it.
[[nodiscard]] Result<bool> inline_comprehension(lift::Unit& unit, lift::Lifter& lifter, Graph& graph, std::uint32_t a);

// Returns the comprehension or generator expression that a function consists of, once its lines are folded, or nullopt
// if the function does more. It has no element if the compiler has left nothing of it.
[[nodiscard]] std::optional<ast::Comprehension> comprehension_of(lift::Unit& unit, const lift::Lifter& lifter,
                                                                 const Graph& graph);

}  // namespace depyf::structure
