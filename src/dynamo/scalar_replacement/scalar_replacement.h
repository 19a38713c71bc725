// SPDX-License-Identifier: MIT
// Evaluation of fresh containers: lists and tuples that the code builds only to keep values in, for a while, are taken
// apart again, and what shuffled them (COPY, SWAP, subscripts, slices, LIST_EXTEND, deletions) is carried out here.
//
// A partial evaluator over the graph. A container is virtual from its BUILD_ to the moment something else sees it; then
// it is built with what it holds by then. Invariant: every operation that can be observed stays, once, in its order, on
// the same values; a container that anything else can see is the same object for all who see it. Values that outlive
// their expression go to variables of ours, which hold nothing longer than the original did across a call.
// It gives up (the graph stays as it is) on whatever it does not follow. It names no variable: see src/idiom.
#pragma once

#include <optional>
#include <string>

#include "cfg/cfg.h"

namespace depyf::dynamo {

struct Evaluated {
  Cfg cfg;
  std::uint32_t variables = 0;  // of ours: locals after those of the code object
};

// The literal form keeps every container and what is done to it; only the variables of values on the stack, and how long
// they hold them, are decided here.
enum class Containers : bool { kKept, kEvaluated };

// Nothing: the graph holds nothing to evaluate, or something that is not followed here.
[[nodiscard]] std::optional<Evaluated> replace_scalars(const CodeTree& tree, CodeId code, const Dialect& dialect,
                                                       const Cfg& cfg, Containers containers = Containers::kEvaluated);

}  // namespace depyf::dynamo
