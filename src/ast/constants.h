// SPDX-License-Identifier: MIT
// Queries about constants in a tree, assignments with one target, and blocks without effect.
#pragma once

#include "ast/ast.h"

namespace depyf::ast {

// Returns the constant if the expression is one of the code's constants (and of that kind), otherwise nullptr.
[[nodiscard]] const Constant* constant_of(const Tree& tree, const CodeTree& code, ExprId e);
template <class Kind>
[[nodiscard]] const Kind* constant_of(const Tree& tree, const CodeTree& code, ExprId e) {
  const auto* c = constant_of(tree, code, e);
  return c != nullptr ? std::get_if<Kind>(c) : nullptr;
}

// Returns whether the expression is None, as one of the code's constants or as a literal.
[[nodiscard]] bool is_none(const Tree& tree, const CodeTree& code, ExprId e);

// Returns whether the expression is a constant of the code or a literal.
[[nodiscard]] bool is_constant(const Tree& tree, ExprId e);

// Returns `(a if test else b, c)` or `[a if test else b, c, d]` for arms that create the tuples or lists `(a, c)` and
// `(b, c)`; otherwise an invalid id. If such an expression ends the code, the compiler copies the code after the
// conditional into the first arm and folds only the copy (fold_tuple_of_constants and optimize_lists_and_sets in
// Python/flowgraph.c). So `body` must be a constant or a list of a constant's items, and `orelse` be built from
// constants. The first item of `orelse` may be any expression if the caller knows that the source has this form
// (`is_known`).
[[nodiscard]] ExprId conditional_item(Tree& tree, const CodeTree& code, ExprId test, ExprId body, ExprId orelse,
                                      bool is_known = false);

// Returns the only target of an assignment if it is of that kind, otherwise nullptr.
template <class Kind>
[[nodiscard]] const Kind* sole_target(const Tree& tree, StmtId s) {
  const auto* a = std::get_if<Assign>(&tree.stmts[s].node);
  return a != nullptr && a->targets.size() == 1 ? std::get_if<Kind>(&tree.exprs[a->targets[0]].node) : nullptr;
}

// Returns whether a block consists of one `pass`.
[[nodiscard]] bool is_pass(const Tree& tree, const Block& block);

}  // namespace depyf::ast
