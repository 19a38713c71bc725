// SPDX-License-Identifier: MIT
// Preserves names of an inlined comprehension that only unreachable code in it binds, shares or mentions.
//
// A comprehension whose text already implies all names that it saves is kept.
#pragma once

#include "structure/graph.h"

namespace depyf::structure {

// `stack` ends with the locals that the comprehension saved, its result, and the iterator. If `made` has no element
// because the compiler has left nothing of it, it gets one.
void keep_dead_names(lift::Unit& unit, const lift::Lifter& lifter, const Graph& graph, const lift::Stack& stack,
                     ast::Comprehension& made);

}  // namespace depyf::structure
