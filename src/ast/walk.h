// SPDX-License-Identifier: MIT
// Walks over a tree: the children of a node, all nodes below a block, sizes, equality of blocks.
//
// Invariant: no walk recurses, so deep nesting cannot overflow the stack. Children are visited in declaration order,
// which is not always evaluation order: a Dict's keys come before its values. Invalid ids are skipped. Nothing is
// changed.
#pragma once

#include <cstddef>
#include <functional>

#include "ast/fields.h"

namespace depyf::ast {

// Calls a function for each direct child of a node, with a reference to the id or Block, so that the children of a
// mutable node can be replaced.
template <class Node, class OnExpr, class OnPattern, class OnBlock>
void for_each_child(Node& node, OnExpr&& on_expr, OnPattern&& on_pattern, OnBlock&& on_block) {
  auto sink = [&](auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, ExprId>) {
      if (field.valid()) on_expr(field);
    } else if constexpr (std::is_same_v<Field, PatternId>) {
      if (field.valid()) on_pattern(field);
    } else if constexpr (std::is_same_v<Field, Block>) {
      on_block(field);
    }
  };
  // Lengths of sequences are passed as temporaries and are no children.
  auto on_field = [&](auto&& field) {
    if constexpr (std::is_lvalue_reference_v<decltype(field)>) sink(field);
  };
  for_each_node_leaf(node, on_field);
}

// Calls `on_expr` for each direct subexpression.
template <class Node, class OnExpr>
void for_each_child_expr(Node& node, OnExpr&& on_expr) {
  for_each_child(node, on_expr, [](auto&) {}, [](auto&) {});
}
// Calls `on_block` for each block of a statement, in declaration order.
template <class Node, class OnBlock>
void for_each_child_block(Node& node, OnBlock&& on_block) {
  for_each_child(node, [](auto&) {}, [](auto&) {}, on_block);
}

// Returns the operands of `a and b and ...`. In long chains the last value is a BoolOp with the remaining operands.
inline constexpr std::size_t kManyOperands = 32;
[[nodiscard]] ExprIds operands(const Tree& tree, const BoolOp& operation);

// Returns whether a statement has blocks.
[[nodiscard]] inline bool has_blocks(const StmtNode& node) {
  return is<FunctionDef, ClassDef, For, While, If, With, Match, Try>(node);
}

using AnyId = std::variant<StmtId, ExprId, PatternId>;
using AnyIds = SmallVector<AnyId, 32>;
// Appends the children of a node, or only the statements of its blocks, to a list that is processed from its end.
void push_children(const Tree& tree, AnyId node, AnyIds& todo);
void push_statements(const Tree& tree, StmtId node, AnyIds& todo);

template <class Visit>
void walk(const Tree& tree, AnyIds todo, Visit& visit) {
  constexpr bool kStatementsAlone = !std::is_invocable_v<Visit&, ExprId> && !std::is_invocable_v<Visit&, PatternId>;
  const auto is_entered = [&](auto id) {
    if constexpr (std::is_invocable_v<Visit&, decltype(id)>) return visit(id);
    return true;
  };
  while (!todo.empty()) {
    const AnyId top = todo.back();
    todo.pop_back();
    if (!std::visit(is_entered, top)) continue;
    if constexpr (kStatementsAlone)
      push_statements(tree, std::get<StmtId>(top), todo);
    else
      push_children(tree, top, todo);
  }
}
// Calls visit(id) for each node of the kinds that `visit` accepts (StmtId, ExprId, PatternId; Overloaded accepts
// several), parents before children. The result tells whether to visit the node's children; other kinds of nodes are
// always entered.
template <class Visit>
void walk(const Tree& tree, const Block& block, Visit&& visit) {
  walk(tree, AnyIds(block.rbegin(), block.rend()), visit);
}
template <class Visit>
void walk(const Tree& tree, ExprId expr, Visit&& visit) {
  if (expr.valid()) walk(tree, AnyIds{AnyId{expr}}, visit);
}

// A visitor of functions that are chosen at run time; empty ones are not called.
struct Visitor {
  std::function<bool(StmtId)> stmt;
  std::function<bool(ExprId)> expr;
  std::function<bool(PatternId)> pattern;

  bool operator()(StmtId s) const { return !stmt || stmt(s); }
  bool operator()(ExprId e) const { return !expr || expr(e); }
  bool operator()(PatternId p) const { return !pattern || pattern(p); }
};

// Return the number of nodes, roots included, as Python's `ast.walk` counts them without contexts: operators,
// arguments, keywords, handlers and the like are nodes, comments are not.
[[nodiscard]] std::size_t tree_size(const Tree& tree, const Block& block);
[[nodiscard]] std::size_t tree_size(const Tree& tree, ExprId expr);

// Structural equality without origins. Constants are compared with same_constant(). See also equal() in ast.h.
[[nodiscard]] bool equal(const Tree& tree, const CodeTree& code, const Block& a, const Block& b);

}  // namespace depyf::ast
