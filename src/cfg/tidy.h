// SPDX-License-Identifier: MIT
// Rewrites that normalize a graph, so that code of all versions has the same form.
//
// Invariant: tidy() comes last and establishes the invariants of cfg.h; the rewrites before it may leave unreachable
// and empty blocks.
#pragma once

#include "cfg/cfg.h"

namespace depyf {

// Replaces the loop of SEND and YIELD_VALUE for `await` and `yield from`, with its CLEANUP_THROW, by YIELD_FROM
// (3.11+).
void collapse_awaits(Cfg& cfg, const Dialect& dialect);

// Replaces LOAD_CONST None, IS_OP and a jump on it by POP_JUMP_IF_NONE or POP_JUMP_IF_NOT_NONE (3.11+). Runs after
// tidy(), so that the three are in one block.
void fold_none_tests(Cfg& cfg, const CodeTree& tree, CodeId code);

// Whether code order is that of a compiler: then it shows where statements end, and tidy() keeps blocks apart there,
// even if control falls straight from one to the other.
enum class CodeOrder : bool { kArbitrary, kFromCompiler };

// Threads empty blocks, removes unreachable ones, merges straight lines, and sorts by code order.
void tidy(Cfg& cfg, CodeOrder order = CodeOrder::kFromCompiler);

// Removes the edges of unreachable blocks, so that edges can be counted.
void unlink_unreachable(Cfg& cfg);

}  // namespace depyf
