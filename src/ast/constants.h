// SPDX-License-Identifier: MIT
// Constants in a tree, assignments to one target, and blocks that say nothing.
#pragma once

#include "ast/ast.h"

namespace depyf::ast {

// The value of an expression that is one of the code's constants, else null; the second, if it is of that kind.
[[nodiscard]] const Constant* constant_of(const Tree& tree, const CodeTree& code, ExprId e);
template <class Kind>
[[nodiscard]] const Kind* constant_of(const Tree& tree, const CodeTree& code, ExprId e) {
  const auto* c = constant_of(tree, code, e);
  return c != nullptr ? std::get_if<Kind>(c) : nullptr;
}

// Whether it is None, as one of the code's constants or by name.
[[nodiscard]] bool is_none(const Tree& tree, const CodeTree& code, ExprId e);

// Whether it is a constant, of the code's or spelled.
[[nodiscard]] bool is_constant(const Tree& tree, ExprId e);

// `(a if test else b, c)` or `[a if test else b, c, d]` for the tuples or lists that two arms make, else an invalid one. Where
// such an expression ends the code, the compiler copies what follows the conditional into the first arm and folds the copy
// alone (fold_tuple_of_constants and optimize_lists_and_sets in Python/flowgraph.c): that one is a constant, or a list of a
// constant's items, the other is built of constants, but for its first item if it is known from elsewhere (`is_known`) that
// such an expression it is.
[[nodiscard]] ExprId conditional_item(Tree& tree, const CodeTree& code, ExprId test, ExprId body, ExprId orelse,
                                      bool is_known = false);

// The only target of an assignment, if it is of that kind, else null.
template <class Kind>
[[nodiscard]] const Kind* sole_target(const Tree& tree, StmtId s) {
  const auto* a = std::get_if<Assign>(&tree.stmts[s].node);
  return a != nullptr && a->targets.size() == 1 ? std::get_if<Kind>(&tree.exprs[a->targets[0]].node) : nullptr;
}

// Whether a block is nothing but `pass`.
[[nodiscard]] bool is_pass(const Tree& tree, const Block& block);

}  // namespace depyf::ast
