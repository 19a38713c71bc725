// SPDX-License-Identifier: MIT
// 3.14+: the compiler puts annotations into a function of their own, __annotate__ (PEP 649). This reads them back from
// the decompiled body of that function.
//
// It recognizes the compiler's form only (codegen_deferred_annotations_body in Python/codegen.c); a user's own function
// of that name stays a function.
#pragma once

#include "lift/unit.h"

namespace depyf::lift {

struct LazyAnnotation {
  std::uint32_t mark = 0xFFFFFFFF;  // its number in __conditional_annotations__; 0xFFFFFFFF: unconditional
  std::string name;
  ExprId value;
};

// Returns whether a code object is an __annotate__ function that the compiler made.
[[nodiscard]] bool is_annotate(const Unit& unit, CodeId code);
// Returns the value of an integer expression, the number in an annotation mark; 0xFFFFFFFF for any other expression.
[[nodiscard]] std::uint32_t mark_number(const Unit& unit, ExprId e);
// Returns the annotations, in order, of an __annotate__ function whose body is finished; nullopt if its body does
// anything else than return them.
[[nodiscard]] std::optional<std::vector<LazyAnnotation>> annotations_of(Unit& unit, CodeId code);

}  // namespace depyf::lift
