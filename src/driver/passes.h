// SPDX-License-Identifier: MIT
// The table of passes, from the control-flow graph to the finished statements, in order of execution.
//
// A pass has a name (`--skip=NAME`), a sentence, the CPython function whose work it undoes, if any, and the passes that
// must run before it, with the reason.
// Invariant: the order satisfies `needs_before`; a test checks this.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "bytecode/operations.h"
#include "cfg/cfg.h"
#include "deopt/operands.h"
#include "depyf/decompile.h"
#include "structure/graph.h"

namespace depyf::driver {

// The state of a pass over the control-flow graph.
struct CfgContext {
  lift::Unit& unit;
  CodeId code;
  Cfg& cfg;
  structure::CasePatterns cases;
  deopt::OwnReturns returns;
  deopt::PositionFacts facts{cfg, unit.dialect.version};  // reset by every pass that changes the graph
};

// The state of a pass over the lifted graph.
struct LiftedContext {
  lift::Unit& unit;
  lift::Lifter& lifter;
  structure::Graph& graph;
};

using CfgRun = void (*)(CfgContext&);
using LiftedRun = Status (*)(LiftedContext&);

struct Pass {
  PassInfo info;
  CfgRun on_cfg = nullptr;
  LiftedRun on_lifted = nullptr;                 // if neither is set, the pipeline calls the pass by name
  bool (*applies)(const Operations&) = nullptr;  // false: the pass changes nothing in code with these operations
};

// Every pass, in order of execution.
[[nodiscard]] std::span<const Pass> pass_table();

}  // namespace depyf::driver
