// SPDX-License-Identifier: MIT
// The targets of statements: what assignments, `del`, `for` and `with` bind or delete.
#pragma once

#include "ast/ast.h"

namespace depyf::ast {

// Calls visit(ExprId) for a target and for each target within it: items of tuples and lists, operands of stars.
template <class F>
void for_each_target(const Tree& tree, ExprId target, F&& visit) {
  for (ExprIds todo{target}; !todo.empty();) {
    const ExprId e = todo.back();
    todo.pop_back();
    if (!e.valid()) continue;
    visit(e);
    const auto& node = tree.exprs[e].node;
    if (const auto* s = std::get_if<Starred>(&node)) todo.push_back(s->value);
    if (const auto* t = std::get_if<Tuple>(&node)) todo.insert(todo.end(), t->elts.begin(), t->elts.end());
    if (const auto* l = std::get_if<List>(&node)) todo.insert(todo.end(), l->elts.begin(), l->elts.end());
  }
}

// Does the same for all targets of a statement, not of the statements in it.
template <class F>
void for_each_target(const Tree& tree, const StmtNode& node, F&& visit) {
  const auto all = [&](const ExprIds& targets) {
    for (const ExprId e : targets) for_each_target(tree, e, visit);
  };
  if (const auto* a = std::get_if<Assign>(&node)) all(a->targets);
  if (const auto* d = std::get_if<Delete>(&node)) all(d->targets);
  if (const auto* a = std::get_if<AugAssign>(&node)) for_each_target(tree, a->target, visit);
  if (const auto* a = std::get_if<AnnAssign>(&node)) for_each_target(tree, a->target, visit);
  if (const auto* f = std::get_if<For>(&node)) for_each_target(tree, f->target, visit);
  if (const auto* w = std::get_if<With>(&node))
    for (const auto& item : w->items) for_each_target(tree, item.vars, visit);
}

}  // namespace depyf::ast
