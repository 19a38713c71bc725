// SPDX-License-Identifier: MIT
// Names of an inlined comprehension that only code that cannot be reached binds, shares or mentions.
//
// Does nothing to a comprehension whose own text tells them all.
#pragma once

#include "structure/graph.h"

namespace depyf::structure {

// Precondition: the uppermost of `stack` are what the comprehension saved, its result and the iterator; it has no element
// where nothing is left of that. It has one afterwards.
void keep_dead_names(lift::Unit& unit, const lift::Lifter& lifter, const Graph& graph, const lift::Stack& stack,
                     ast::Comprehension& made);

}  // namespace depyf::structure
