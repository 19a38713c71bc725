// SPDX-License-Identifier: MIT
// Walkers over a tree: the children of a node, every node below a block, sizes, equality of blocks.
//
// Invariant: iterative, so that no depth of nesting can overflow the stack; children come in declaration order (which is
// not always evaluation order: a Dict's keys come before its values). Invalid ids are not visited. Nothing is changed.
#pragma once

#include <cstddef>
#include <functional>

#include "ast/fields.h"

namespace depyf::ast {

// The direct children of a node: each function is called with a reference to the id (or to the Block), so that a
// mutable node's children can be replaced in place. An absent (invalid) child is skipped.
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
  // Lengths arrive as temporaries, which bind to no mutable reference.
  auto either = [&](auto&& field) {
    if constexpr (std::is_lvalue_reference_v<decltype(field)>) sink(field);
  };
  for_each_node_leaf(node, either);
}

// The direct subexpressions of an expression.
template <class Node, class OnExpr>
void for_each_child_expr(Node& node, OnExpr&& on_expr) {
  for_each_child(node, on_expr, [](auto&) {}, [](auto&) {});
}
// The blocks directly held by a statement, in declaration order.
template <class Node, class OnBlock>
void for_each_child_block(Node& node, OnBlock&& on_block) {
  for_each_child(node, [](auto&) {}, [](auto&) {}, on_block);
}

// The operands of `a and b and ...`: the last value may be an operation with the rest of them, if these are many.
inline constexpr std::size_t kManyOperands = 32;
[[nodiscard]] ExprIds operands(const Tree& tree, const BoolOp& operation);

// Whether a statement has blocks.
[[nodiscard]] inline bool has_blocks(const StmtNode& node) {
  return is<FunctionDef, ClassDef, For, While, If, With, Match, Try>(node);
}

using AnyId = std::variant<StmtId, ExprId, PatternId>;
using AnyIds = SmallVector<AnyId, 32>;
// Puts the children of a node, or the statements of its blocks alone, on a list from whose end they are taken.
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
// Calls visit(id) for each node of the kinds that it takes (a StmtId, ExprId or PatternId; Overloaded takes several),
// parents before children. It says whether to go below; what it does not take is entered.
template <class Visit>
void walk(const Tree& tree, const Block& block, Visit&& visit) {
  walk(tree, AnyIds(block.rbegin(), block.rend()), visit);
}
template <class Visit>
void walk(const Tree& tree, ExprId expr, Visit&& visit) {
  if (expr.valid()) walk(tree, AnyIds{AnyId{expr}}, visit);
}

// The same with functions that are known at run time only; an empty one is not called.
struct Visitor {
  std::function<bool(StmtId)> stmt;
  std::function<bool(ExprId)> expr;
  std::function<bool(PatternId)> pattern;

  bool operator()(StmtId s) const { return !stmt || stmt(s); }
  bool operator()(ExprId e) const { return !expr || expr(e); }
  bool operator()(PatternId p) const { return !pattern || pattern(p); }
};

// Nodes below and with the given ones, counted as Python's `ast` would count them (`ast.walk` without contexts):
// operators, arguments, keywords, handlers and the like are nodes too; comments are not.
[[nodiscard]] std::size_t tree_size(const Tree& tree, const Block& block);
[[nodiscard]] std::size_t tree_size(const Tree& tree, ExprId expr);

// Structural equality, origins aside; constants compared with same_constant. See also equal() of ast.h.
[[nodiscard]] bool equal(const Tree& tree, const CodeTree& code, const Block& a, const Block& b);

}  // namespace depyf::ast
