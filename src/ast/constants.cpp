// SPDX-License-Identifier: MIT
#include "ast/constants.h"

namespace depyf::ast {

const Constant* constant_of(const Tree& tree, const CodeTree& code, ExprId e) {
  const auto* c = std::get_if<ConstantExpr>(&tree.exprs[e].node);
  return c != nullptr ? &code.consts[c->value] : nullptr;
}

bool is_none(const Tree& tree, const CodeTree& code, ExprId e) {
  return std::holds_alternative<NoneLiteral>(tree.exprs[e].node) || constant_of<ConstNone>(tree, code, e) != nullptr;
}

bool is_constant(const Tree& tree, ExprId e) {
  const auto& n = tree.exprs[e].node;
  return std::holds_alternative<ConstantExpr>(n) || std::holds_alternative<NoneLiteral>(n) ||
         std::holds_alternative<IntLiteral>(n) || std::holds_alternative<StrLiteral>(n) ||
         std::holds_alternative<BytesLiteral>(n) || std::holds_alternative<EllipsisLiteral>(n) ||
         std::holds_alternative<Verbatim>(n);
}

bool is_pass(const Tree& tree, const Block& block) {
  return block.size() == 1 && std::holds_alternative<Pass>(tree.stmts[block[0]].node);
}

}  // namespace depyf::ast
