// SPDX-License-Identifier: MIT
// From 3.14 on: moves the annotations of a class's or module's __annotate__ function back to their statements.
#pragma once

#include "lift/lift.h"

namespace depyf::finish {

// `block` has the finished statements of class or module `code`. Also removes what the compiler stores for annotations.
void place_annotations(lift::Unit& unit, CodeId code, ast::Block& block);

}  // namespace depyf::finish
