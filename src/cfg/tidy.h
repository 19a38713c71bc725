// SPDX-License-Identifier: MIT
// Rewrites of a finished graph that bring every version to the same shape.
//
// Invariant: tidy() comes last and establishes what cfg.h promises (reachable blocks only, merged, in order); what runs
// before may leave unreachable and empty blocks.
#pragma once

#include "cfg/cfg.h"

namespace depyf {

// 3.11+: the SEND / YIELD_VALUE loop of `await` and `yield from`, with its CLEANUP_THROW, becomes YIELD_FROM.
void collapse_awaits(Cfg& cfg, const Dialect& dialect);

// 3.11+: LOAD_CONST None, IS_OP and a jump on it become POP_JUMP_IF_NONE or POP_JUMP_IF_NOT_NONE. After merging.
void fold_none_tests(Cfg& cfg, const CodeTree& tree, CodeId code);

// Whether the places of blocks tell where statements end, so that a straight line may be of several.
enum class CodeOrder : bool { kSaysNothing, kTellsStatements };

// Threads empty blocks, drops what is unreachable, merges straight lines, sorts.
void tidy(Cfg& cfg, CodeOrder order = CodeOrder::kTellsStatements);

// What nothing leads to any more leads nowhere either, so that edges can be counted.
void unlink_unreachable(Cfg& cfg);

}  // namespace depyf
