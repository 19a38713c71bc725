// SPDX-License-Identifier: MIT
// Measures how deep statements nest, in the units that CPython limits.
#pragma once

#include "ast/ast.h"
#include "bytecode/dialect.h"

namespace depyf::finish {

struct Nesting {
  std::uint32_t indents = 0;  // levels of indentation
  std::uint32_t blocks = 0;   // of the compiler: one for each loop, with item, try and clause (fblockinfo)
};

// Returns the greatest depths in the block. The body of a function or class in it starts again with no compiler blocks.
[[nodiscard]] Nesting nesting(const ast::Tree& tree, const Dialect& dialect, const ast::Block& block);

}  // namespace depyf::finish
