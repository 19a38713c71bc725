// SPDX-License-Identifier: MIT
// Constants that the compiler folds after it has written the code.
#pragma once

#include "lift/unit.h"

namespace depyf::lift {

// Returns `+1` for a number 1 that was no constant yet where the compiler used it (3.14+): one that is tested, or one
// that a `return` computes before it leaves a statement (codegen_return in Python/codegen.c). Returns any other value as
// it is.
[[nodiscard]] ExprId unfolded(Unit& unit, ExprId value);

}  // namespace depyf::lift
