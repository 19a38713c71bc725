// SPDX-License-Identifier: MIT
// Shapes of single nodes that folding looks for; see shapes.h.
#include "structure/expr/shapes.h"

#include "ast/constants.h"
#include "structure/expr/combine.h"

namespace depyf::structure {

bool Shapes::has_single_edge(std::uint32_t a, std::uint32_t b) const {
  return b != kNone && b != a && at(b).alive && at(b).preds == 1 && !at(b).is_handler && at(b).handler == at(a).handler;
}

bool Shapes::is_pure(std::uint32_t b) const {
  const auto& s = at(b).state;
  return s.stmts.empty() && s.low >= at(b).entry.size() && s.refusal.empty();
}

std::optional<Product> Shapes::product(std::uint32_t b) const {
  const Node& n = at(b);
  const auto depth = n.entry.size();
  if (n.state.low < depth || !n.state.refusal.empty()) return std::nullopt;
  if (n.state.end == EndKind::kFall && n.t != kNone && n.state.stmts.empty() && n.state.stack.size() == depth + 1 &&
      n.state.stack.back().kind == ValueKind::kExpr)
    return Product{n.state.stack.back().expr, n.t};
  if (n.state.end == EndKind::kReturn && n.state.stmts.size() == 1 && n.state.stack.size() == depth)
    if (auto e = returned(n.state.stmts[0])) return Product{*e, kReturned};
  return std::nullopt;
}

std::optional<ExprId> Shapes::returned(const LStmt& s) const {
  const auto* r = return_of(unit_, s);
  return r != nullptr && r->value.valid() ? std::optional(r->value) : std::nullopt;
}

bool Shapes::returns_top(std::uint32_t m) const {
  const Node& n = at(m);
  if (n.entry.empty() || n.state.end != EndKind::kReturn || n.state.stmts.size() != 1) return false;
  const auto e = returned(n.state.stmts[0]);
  return e && lifter_.is_slot(*e, static_cast<std::uint32_t>(n.entry.size() - 1));
}

bool Shapes::has_clean_up_tail(std::uint32_t a) const {
  const auto& s = at(a).state.stmts;
  return s.size() >= 3 && s[s.size() - 3].kind == LKind::kPopExcept;
}

bool Shapes::is_clean_up(const LStmt& s) const { return leaves_construct(s.kind) || clears_name(s); }

bool Shapes::returns_slot(std::uint32_t m) const {
  const Node& n = at(m);
  if (n.state.end != EndKind::kReturn || n.state.stmts.empty()) return false;
  for (std::size_t i = 0; i + 1 < n.state.stmts.size(); ++i)
    if (!is_clean_up(n.state.stmts[i])) return false;
  const auto e = returned(n.state.stmts.back());
  return e && is_entry_slot(n, *e);
}

bool Shapes::is_entry_slot(const Node& n, ExprId e) const {
  for (std::uint32_t d = 0; d < n.entry.size(); ++d)
    if (lifter_.is_slot(e, d)) return n.entry[d].kind == ValueKind::kExpr;
  return false;
}

bool Shapes::clears_name(const LStmt& s) const {
  if (s.kind != LKind::kStmt) return false;
  const auto& node = unit_.ast.stmts[s.stmt].node;
  if (std::holds_alternative<ast::Delete>(node)) return true;
  const auto* a = std::get_if<ast::Assign>(&node);
  return a != nullptr && a->targets.size() == 1 && ast::is_none(unit_.ast, unit_.code, a->value);
}

bool Shapes::tests_top(std::uint32_t m) const {
  const Node& n = at(m);
  return n.state.end == EndKind::kBranch && n.state.cond.valid() && n.state.stmts.empty() && !n.entry.empty() &&
         n.state.low + 1 >= n.entry.size() &&
         lifter_.is_slot(n.state.cond, static_cast<std::uint32_t>(n.entry.size() - 1));
}

bool Shapes::tests_again(std::uint32_t m, bool holds, std::uint32_t out, bool keeps) const {
  const Node& n = at(m);
  return tests_top(m) && (holds ? n.t : n.f) == out && (holds ? n.state.keep_true : n.state.keep_false) == keeps;
}

bool Shapes::continues_chain(const Node& n) const {
  const auto* c = std::get_if<ast::Compare>(&unit_.ast.exprs[n.state.cond].node);
  const auto lowest = n.state.stack.size();  // an operand with jumps has already pushed the entries above
  return c != nullptr && lowest < n.entry.size() && (n.preds == 1 || lowest + 1 < n.entry.size()) &&
         lifter_.is_slot(c->left, static_cast<std::uint32_t>(lowest));
}

bool Shapes::adds_test(std::uint32_t x, std::uint32_t other) const {
  const Node& n = at(x);
  if (n.preds != 2 || !is_pure(x) || n.state.end != EndKind::kBranch || !n.state.cond.valid()) return false;
  if (n.t != other && n.f != other) return false;
  const auto out = at(n.t == other ? n.f : n.t).order;
  return at(other).order > n.order && (out <= n.order || out > at(other).order);
}

bool Shapes::may_be_negated(const State& s) const { return may_negate(unit_, s) && !s.keep_true && !s.keep_false; }

bool Shapes::is_chain_clean_up(std::uint32_t c, bool value) const {
  const Node& n = at(c);
  const auto depth = n.entry.size();
  if (!n.state.stmts.empty() || !n.state.refusal.empty()) return false;
  if (n.state.end != EndKind::kFall || n.state.stack.size() + 1 != depth) return false;
  if (!value) return n.state.low + 1 >= depth;
  return depth >= 2 && n.state.low + 2 >= depth && n.state.stack.back().kind == ValueKind::kExpr &&
         lifter_.is_slot(n.state.stack.back().expr, static_cast<std::uint32_t>(depth - 1));
}

}  // namespace depyf::structure
