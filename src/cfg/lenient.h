// SPDX-License-Identifier: MIT
// build_lenient_cfg(): the graph of code whose exception table keeps more of the stack than there is (3.11+).
//
// CPython's unwinder pops nothing there (exception_unwind in ceval.c): what the handler finds depends on what the
// instruction has popped when it raises, and a handler that is to restore the exception handled before restores the one
// below it, which then remains in sys.exc_info(): no source can say that. As meant, such a row keeps what is there
// wherever it covers, and so do all rows of its handler. Invariant: all other code has the graph that build_cfg() gives.
// Whoever judges what code does reads tables as they are written; but for Dynamo's, with a word to the reader.
#pragma once

#include "cfg/cfg.h"

namespace depyf {

[[nodiscard]] Result<Cfg> build_lenient_cfg(const CodeTree& tree, CodeId code, const Bytecode& bytecode,
                                            const Dialect& dialect, const Limits& limits,
                                            PhantomSuccessors which = PhantomSuccessors::kDropped);

}  // namespace depyf
