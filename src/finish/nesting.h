// SPDX-License-Identifier: MIT
// How deep statements nest, in what CPython limits.
#pragma once

#include "ast/ast.h"
#include "bytecode/dialect.h"

namespace depyf::finish {

struct Nesting {
  std::uint32_t indents = 0;  // levels of indentation
  std::uint32_t blocks = 0;   // of the compiler, which has one for each loop, with, try and clause (fblockinfo)
};

// Functions inside the block count for indentation alone.
[[nodiscard]] Nesting nesting(const ast::Tree& tree, const Dialect& dialect, const ast::Block& block);

}  // namespace depyf::finish
