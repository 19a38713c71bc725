// SPDX-License-Identifier: MIT
// The graph that structuring starts from, as text, for people who ask why a rule gave up.
#pragma once

#include <string>

#include "lift/lift.h"
#include "structure/graph.h"

namespace depyf {

[[nodiscard]] std::string graph_text(const lift::Unit& unit, const structure::Graph& graph);

}  // namespace depyf
