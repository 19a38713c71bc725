// SPDX-License-Identifier: MIT
// One rule of folding: a loop that was an inlined comprehension becomes a value.
//
// Does nothing (and says so) to a loop that is not exactly of the compiler's form.
#pragma once

#include "structure/graph.h"

namespace depyf::structure {

// Node a enters the loop. True: a now holds the comprehension and what follows it.
[[nodiscard]] Result<bool> inline_comprehension(lift::Unit& unit, lift::Lifter& lifter, Graph& graph, std::uint32_t a);

}  // namespace depyf::structure
