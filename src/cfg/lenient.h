// SPDX-License-Identifier: MIT
// build_lenient_cfg(): builds the graph of code whose exception table has depths greater than the stack's (3.11+), as
// some code of Dynamo has.
//
// CPython's unwinder then pops nothing (exception_unwind in Python/ceval.c): the handler finds on the stack whatever
// the raising instruction left there, and a handler that should restore the previously handled exception restores
// another one, which stays in sys.exc_info(). No source has this behaviour. Here the depth of such a row, and of all
// rows of its handler, is the smallest depth of the instructions that it covers. Invariant: all other code has the
// graph that build_cfg() returns. `verify` uses it for the original code of resume functions only, and says so in the
// verdict.
#pragma once

#include "cfg/cfg.h"

namespace depyf {

[[nodiscard]] Result<Cfg> build_lenient_cfg(const CodeTree& tree, CodeId code, const Bytecode& bytecode,
                                            const Dialect& dialect, const Limits& limits,
                                            PhantomSuccessors which = PhantomSuccessors::kDropped);

}  // namespace depyf
