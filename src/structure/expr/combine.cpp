// SPDX-License-Identifier: MIT
#include "structure/expr/combine.h"

#include <utility>

#include "ast/constants.h"
#include "ast/negation.h"
#include "ast/walk.h"
#include "cfg/shapes.h"

namespace depyf::structure {

ExprId tested(lift::Unit& unit, const State& branch, bool holds) {
  return holds ? branch.cond : ast::negated(unit.ast, branch.cond, branch.free_polarity);
}

bool may_negate(const lift::Unit& unit, const State& branch) {
  if (branch.free_polarity || !unit.dialect.folds_not_contains) return true;
  return !ast::is_inverted_by_not(unit.ast, branch.cond);
}

ExprId bool_op(lift::Unit& unit, ast::BoolOperator op, ExprId a, ExprId b, bool is_one_operand) {
  const auto origin = unit.ast.exprs[a].origin;
  const auto same_operation = [&](ExprId e) {
    const auto* x = std::get_if<ast::BoolOp>(&unit.ast.exprs[e].node);
    return x != nullptr && x->op == op ? x : nullptr;
  };
  const auto* first = is_one_operand ? nullptr : same_operation(a);
  ExprIds values = first != nullptr ? ast::operands(unit.ast, *first) : ExprIds{a};
  const auto* rest = same_operation(b);
  if (rest != nullptr && rest->values.size() < ast::kManyOperands)
    values.insert(values.end(), rest->values.begin(), rest->values.end());
  else
    values.push_back(b);  // long operations are nested: copying them for each operand would take quadratic time
  return unit.ast.expr(ast::BoolOp{op, std::move(values)}, origin);
}

ExprId grouped(lift::Unit& unit, ast::BoolOperator op, ExprId a, ExprId rest) {
  auto values = std::get<ast::BoolOp>(unit.ast.exprs[rest].node).values;
  values[0] = bool_op(unit, op, a, values[0]);
  return unit.ast.expr(ast::BoolOp{op, std::move(values)}, unit.ast.exprs[a].origin);
}

ExprId unfolded_operand(lift::Unit& unit, ast::BoolOperator op, ExprId value) {
  if (!ast::is_constant(unit.ast, value) || !unit.dialect.folds_constant_tests) return value;
  if (const auto spelled_out = lift::unfolded(unit, value); spelled_out != value) return spelled_out;
  const auto* constant = ast::constant_of(unit.ast, unit.code, value);
  // lift::unfolded() leaves no other literals than negative ones
  const bool is_negative = std::holds_alternative<ast::IntLiteral>(unit.ast.exprs[value].node);
  const bool is_late = is_negative || (constant != nullptr && is_folded_late(*constant));
  if (unit.dialect.folds_arithmetic_after_tests && is_late) return value;
  const bool ors = op == ast::BoolOperator::kOr;
  const auto first = unit.ast.expr(ast::IntLiteral{ors ? 1 : 0}, unit.ast.exprs[value].origin);
  return bool_op(unit, ors ? ast::BoolOperator::kAnd : ast::BoolOperator::kOr, first, value);
}

ExprId chain(lift::Unit& unit, ExprId first, ExprId rest) {
  const auto origin = unit.ast.exprs[first].origin;
  ast::Compare c = std::get<ast::Compare>(unit.ast.exprs[first].node);
  const auto& r = std::get<ast::Compare>(unit.ast.exprs[rest].node);
  c.ops.insert(c.ops.end(), r.ops.begin(), r.ops.end());
  c.comparators.insert(c.comparators.end(), r.comparators.begin(), r.comparators.end());
  return unit.ast.expr(std::move(c), origin);
}

}  // namespace depyf::structure
