// SPDX-License-Identifier: MIT
// Constants that the compiler folds only after it has generated the code that uses them.
#pragma once

#include "lift/unit.h"

namespace depyf::lift {

// From 3.14 on, `+1` is still an operation when the compiler decides how to use a value, and is folded to 1 later.
// Returns `+1` for the number 1, for a place where a constant would have been compiled differently: a test, or a
// `return` that leaves a statement, which computes other values before (codegen_return in Python/codegen.c). Returns any
// other value unchanged.
[[nodiscard]] ExprId unfolded(Unit& unit, ExprId value);
// Returns `0 or value`, which is no constant for operations that the compiler folds first or treats in another way, and
// is folded to the constant later. `value` is a constant.
[[nodiscard]] ExprId hidden(Unit& unit, ExprId value);

}  // namespace depyf::lift
