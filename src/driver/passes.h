// SPDX-License-Identifier: MIT
// The table of passes: what runs between the control-flow graph and the finished statements, in this order.
//
// A pass has a name (`--skip=NAME`), a sentence, the CPython function whose work it undoes if it undoes one, and the
// passes that must run before it, with the reason. Invariant: the table is the order of execution; a test checks it against
// `needs_before`.
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

// What a pass over the control-flow graph reads and writes.
struct CfgContext {
  lift::Unit& unit;
  CodeId code;
  Cfg& cfg;
  structure::CasePatterns cases;
  deopt::OwnReturns returns;
  deopt::PositionFacts facts{cfg, unit.dialect.version};  // forgotten by what changes the graph
};

// What a pass over the lifted graph reads and writes.
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
  LiftedRun on_lifted = nullptr;  // neither: the pipeline calls it by name, where its arguments are at hand
  bool (*applies)(const Operations&) = nullptr;  // whether code that has these may change; nothing is looked for else
};

// Every pass, in order of execution.
[[nodiscard]] std::span<const Pass> pass_table();

}  // namespace depyf::driver
