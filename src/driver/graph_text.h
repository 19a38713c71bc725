// SPDX-License-Identifier: MIT
// Prints the lifted graph for people who want to know why a rule refused it.
#pragma once

#include <string>

#include "lift/lift.h"
#include "structure/graph.h"

namespace depyf {

[[nodiscard]] std::string graph_text(const lift::Unit& unit, const structure::Graph& graph);

}  // namespace depyf
