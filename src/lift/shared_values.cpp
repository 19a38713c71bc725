// SPDX-License-Identifier: MIT
#include "lift/shared_values.h"

#include <unordered_map>

#include "ast/walk.h"

namespace depyf::lift {

void SharedValues::note_use(ast::ExprId e) {
  if (copies.empty() && inplace.empty()) return;  // of most lines
  if (auto it = copies.find(e.n); it != copies.end()) ++it->second.uses;
  if (auto it = inplace.find(e.n); it != inplace.end()) ++it->second.uses;
}

void SharedValues::unembed(ast::ExprId e) {
  if (auto it = copies.find(e.n); it != copies.end()) --it->second.uses;
  if (auto it = inplace.find(e.n); it != inplace.end()) --it->second.uses;
}

// Uses are counted over every lifting of a line, of which only the last one is in the result: that one decides.
std::set<std::uint32_t> SharedValues::violations(const ast::Tree& tree, const std::optional<ast::Block>& result) const {
  std::unordered_map<std::uint32_t, std::uint32_t> most;  // by ExprId: uses allowed
  for (const auto& [expr, s] : copies)
    if (s.uses > 1) most[expr] = 1;
  for (const auto& [expr, s] : inplace)
    if (s.uses > 0) most[expr] = 0;
  std::set<std::uint32_t> out;
  const auto add = [&](std::uint32_t expr) {
    const auto it = copies.find(expr);
    out.insert(it != copies.end() ? it->second.offset : inplace.at(expr).offset);
  };
  if (most.empty()) return out;
  if (!result) {
    for (const auto& [expr, uses] : most) add(expr);
    return out;
  }
  std::set<ast::StmtId> seen;  // an exit may be written more than once
  std::unordered_map<std::uint32_t, std::uint32_t> uses;
  ast::Visitor count;
  count.stmt = [&](ast::StmtId s) { return seen.insert(s).second; };
  count.expr = [&](ast::ExprId e) {
    if (const auto it = most.find(e.n); it != most.end() && ++uses[e.n] > it->second) add(e.n);
    return true;
  };
  ast::walk(tree, *result, count);
  return out;
}

// Whether a display was built item by item, each hashed before the next was evaluated, that its text would build at
// once: the compiler adds one by one after a star and in long displays only (starunpack_helper of Python/compile.c).
bool SharedValues::splits_display(const ast::Tree& tree, const ast::Block& result, std::uint32_t first) const {
  if (one_by_one.empty()) return false;
  bool found = false;
  ast::Visitor visitor;
  visitor.stmt = [&](ast::StmtId s) { return s.n >= first; };
  visitor.expr = [&](ast::ExprId e) {
    if (!one_by_one.contains(e.n)) return !found;
    const auto& node = tree.exprs[e].node;
    if (const auto* s = std::get_if<ast::Set>(&node)) found = found || s->elts.size() <= 30;
    if (const auto* d = std::get_if<ast::Dict>(&node)) found = found || d->values.size() <= 15;
    return !found;
  };
  ast::walk(tree, result, visitor);
  return found;
}

}  // namespace depyf::lift
