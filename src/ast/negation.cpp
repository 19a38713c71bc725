// SPDX-License-Identifier: MIT
// Negation of tests; see negation.h.
#include "ast/negation.h"

#include <utility>

#include "ast/constants.h"

namespace depyf::ast {

namespace {

const Compare* single_comparison(const Tree& tree, ExprId e) {
  const auto* c = std::get_if<Compare>(&tree.exprs[e].node);
  return c != nullptr && c->ops.size() == 1 ? c : nullptr;
}

}  // namespace

ExprId without_not(const Tree& tree, ExprId e) {
  const auto* u = std::get_if<UnaryOp>(&tree.exprs[e].node);
  return u != nullptr && u->op == UnaryOperator::kNot ? u->operand : ExprId{};
}

CompareOperator opposite(CompareOperator op) {
  return static_cast<CompareOperator>(static_cast<std::uint8_t>(op) ^ 1U);  // opposites are adjacent
}

bool is_inverted_by_not(const Tree& tree, ExprId e) {
  const auto* c = single_comparison(tree, e);
  return c != nullptr && c->ops[0] >= CompareOperator::kIs;
}

bool is_none_test(const Tree& tree, const CodeTree& code, ExprId e) {
  const auto* c = single_comparison(tree, e);
  if (c == nullptr || (c->ops[0] != CompareOperator::kIs && c->ops[0] != CompareOperator::kIsNot)) return false;
  return is_none(tree, code, c->comparators[0]);
}

ExprId negated(Tree& tree, ExprId e, bool flips_identity) {
  const auto origin = tree.exprs[e].origin;
  if (const auto* c = single_comparison(tree, e); c != nullptr && flips_identity) {
    Compare flipped = *c;
    flipped.ops[0] = opposite(flipped.ops[0]);
    return tree.expr(std::move(flipped), origin);
  }
  if (const ExprId inner = without_not(tree, e); inner.valid()) return inner;
  return tree.expr(UnaryOp{UnaryOperator::kNot, e}, origin);
}

}  // namespace depyf::ast
