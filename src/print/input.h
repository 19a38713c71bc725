// SPDX-License-Identifier: MIT
// The tree to print, the target's grammar, and queries on nodes that do not print.
//
// Invariant: an id that is invalid or out of range is no error: the query finds nothing.
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "ast/ast.h"
#include "bytecode/dialect.h"
#include "print/print.h"

namespace depyf {

struct Input {
  const CodeTree& code;
  const ast::Tree& tree;
  const Dialect& dialect;
  const PrintOptions& options;

  [[nodiscard]] bool has(ast::ExprId id) const { return id.valid() && id.n < tree.exprs.size(); }
  [[nodiscard]] bool has(ast::StmtId id) const { return id.valid() && id.n < tree.stmts.size(); }
  // Returns the expression's or statement's node if it is a Node, otherwise nullptr.
  template <class Node>
  [[nodiscard]] const Node* find(ast::ExprId id) const {
    return has(id) ? std::get_if<Node>(&tree.exprs[id].node) : nullptr;
  }
  template <class Node>
  [[nodiscard]] const Node* find(ast::StmtId id) const {
    return has(id) ? std::get_if<Node>(&tree.stmts[id].node) : nullptr;
  }
  [[nodiscard]] const Constant* constant(ConstId id) const {
    return id.valid() && id.n < code.consts.size() ? &code.consts[id] : nullptr;
  }
  // Returns the constant of a ConstantExpr if it is a Kind, otherwise nullptr.
  template <class Kind>
  [[nodiscard]] const Kind* constant(ast::ExprId id) const {
    const auto* n = find<ast::ConstantExpr>(id);
    const Constant* value = n != nullptr ? constant(n->value) : nullptr;
    return value != nullptr ? std::get_if<Kind>(value) : nullptr;
  }
  // Returns the text of a str constant or StrLiteral; nullopt for other expressions.
  [[nodiscard]] std::optional<std::string_view> plain_text(ast::ExprId id) const {
    if (const auto* literal = find<ast::StrLiteral>(id)) return literal->text;
    const auto* text = constant<ConstStr>(id);
    return text != nullptr ? std::optional<std::string_view>(text->text) : std::nullopt;
  }
};

}  // namespace depyf
