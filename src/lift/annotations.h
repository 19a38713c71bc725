// SPDX-License-Identifier: MIT
// 3.14+: annotations live in a function of their own, __annotate__ (PEP 649); here they are read back from its text.
//
// Knows the compiler's form alone (codegen_deferred_annotations_body in Python/codegen.c); a user's own function of that
// name is left as it is.
#pragma once

#include "lift/unit.h"

namespace depyf::lift {

struct LazyAnnotation {
  std::uint32_t mark = 0xFFFFFFFF;  // its number in __conditional_annotations__; none: unconditional
  std::string name;
  ExprId value;
};

// Whether a code object is an __annotate__ function that the compiler made.
[[nodiscard]] bool is_annotate(const Unit& unit, CodeId code);
// The number in an annotation mark; 0xFFFFFFFF if the expression is none.
[[nodiscard]] std::uint32_t mark_number(const Unit& unit, ExprId e);
// What the (finished) function returns, in order; nothing if it does more than return it.
[[nodiscard]] std::optional<std::vector<LazyAnnotation>> annotations_of(Unit& unit, CodeId code);

}  // namespace depyf::lift
