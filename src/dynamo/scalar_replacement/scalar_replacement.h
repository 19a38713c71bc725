// SPDX-License-Identifier: MIT
// Scalar replacement of containers that do not escape (partial escape analysis).
//
// Dynamo's code moves values through temporary lists and tuples: `graph_out_0 = __compiled_fn_1(x); tmp_1 =
// [graph_out_0[0]]`. A container is virtual from its BUILD_ instruction until it escapes; only then is it materialized,
// with the items that it has at that point. Operations on virtual containers (COPY, SWAP, subscripts, slices,
// LIST_EXTEND, deletions) are evaluated here and produce no code.
// Invariant: every observable operation is kept, once, in its order, on the same values; an escaped container is the
// same object for everything that can see it. Values that outlive their expression are stored in new variables, which
// hold no value across a call for which the original code had released it. On any operation that is not modelled the
// pass returns nothing and the graph stays as it is. The new variables have no names here: src/idiom chooses them.
#pragma once

#include <optional>
#include <string>

#include "cfg/cfg.h"

namespace depyf::dynamo {

struct Evaluated {
  Cfg cfg;
  std::uint32_t variables = 0;  // new locals, numbered after those of the code object
};

// kKept, for the literal form: every container and every operation on it is kept. The pass then only decides which
// stack values need variables and how long these hold them.
enum class Containers : bool { kKept, kEvaluated };

// Returns nullopt if the graph contains an operation that is not modelled, or if the attempts exceed their budget.
[[nodiscard]] std::optional<Evaluated> replace_scalars(const CodeTree& tree, CodeId code, const Dialect& dialect,
                                                       const Cfg& cfg, Containers containers = Containers::kEvaluated);

}  // namespace depyf::dynamo
