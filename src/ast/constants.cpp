// SPDX-License-Identifier: MIT
// Queries about constants; see constants.h.
#include "ast/constants.h"

#include <algorithm>
#include <utility>
#include <vector>

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

namespace {

// Returns whether the expression has that value, as a constant of the code or as a literal.
bool has_value(const Tree& tree, const CodeTree& code, ExprId e, ConstId value) {
  const auto& constant = code.consts[value];
  const auto is = [&](const auto* other, auto&& same) { return other != nullptr && same(*other); };
  return std::visit(Overloaded{[&](const ConstantExpr& x) { return same_constant(code, x.value, code, value); },
                               [&](const NoneLiteral&) { return std::holds_alternative<ConstNone>(constant); },
                               [&](const Verbatim& x) {
                                 return is(std::get_if<ConstBool>(&constant),
                                           [&](auto& b) { return x.text == (b.value ? "True" : "False"); });
                               },
                               [&](const StrLiteral& x) {
                                 return is(std::get_if<ConstStr>(&constant), [&](auto& s) { return x.text == s.text; });
                               },
                               [&](const IntLiteral& x) {  // of at most 32 bits
                                 return is(std::get_if<ConstInt>(&constant), [&](auto& n) {
                                   const std::int64_t digit = n.digits.empty() ? 0 : n.digits[0];
                                   return n.digits.size() < 2 && x.value == (n.negative ? -digit : digit);
                                 });
                               },
                               [](const auto&) { return false; }},
                    tree.exprs[e].node);
}

// Returns whether the list was extended by a constant tuple: then its items have the same origin.
bool is_from_constant(const Tree& tree, const List& list) {
  return list.elts.size() > 1 && tree.exprs[list.elts[0]].origin.offset == tree.exprs[list.elts[1]].origin.offset;
}

// Returns the items of a constant tuple, or of a list that was extended by one.
std::vector<ConstId> folded_items(const Tree& tree, const CodeTree& code, ExprId e) {
  if (const auto* t = constant_of<ConstTuple>(tree, code, e)) return t->items;
  const auto* list = std::get_if<List>(&tree.exprs[e].node);
  std::vector<ConstId> items;
  if (list == nullptr || !is_from_constant(tree, *list)) return items;
  for (const ExprId item : list->elts)
    if (const auto* c = std::get_if<ConstantExpr>(&tree.exprs[item].node)) items.push_back(c->value);
  return items;
}

}  // namespace

ExprId conditional_item(Tree& tree, const CodeTree& code, ExprId test, ExprId body, ExprId orelse, bool is_known) {
  const auto* tuple = std::get_if<Tuple>(&tree.exprs[orelse].node);
  const auto* list = std::get_if<List>(&tree.exprs[orelse].node);
  if (tuple == nullptr && (list == nullptr || is_from_constant(tree, *list))) return {};
  if ((list != nullptr) != ast::is<List>(tree.exprs[body].node)) return {};
  ExprIds elts = tuple != nullptr ? tuple->elts : list->elts;
  const auto items = folded_items(tree, code, body);
  if (elts.empty() || elts.size() != items.size()) return {};
  if (!is_known && !is_constant(tree, elts[0]) && !ast::is<IfExp>(tree.exprs[elts[0]].node)) return {};
  const auto has = [&](ExprId e, ConstId value) { return has_value(tree, code, e, value); };
  if (!std::equal(elts.begin() + 1, elts.end(), items.begin() + 1, has)) return {};
  const ExprId item = tree.expr(ConstantExpr{items[0]}, tree.exprs[body].origin);
  elts[0] = tree.expr(IfExp{test, item, elts[0]}, tree.exprs[test].origin);
  const Origin origin = tree.exprs[orelse].origin;
  return list != nullptr ? tree.expr(List{std::move(elts)}, origin) : tree.expr(Tuple{std::move(elts)}, origin);
}

bool is_pass(const Tree& tree, const Block& block) {
  return block.size() == 1 && std::holds_alternative<Pass>(tree.stmts[block[0]].node);
}

}  // namespace depyf::ast
