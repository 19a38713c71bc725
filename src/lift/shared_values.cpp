// SPDX-License-Identifier: MIT
// Counts of uses of shared values; see shared_values.h.
#include "lift/shared_values.h"

#include <unordered_map>

#include "ast/walk.h"

namespace depyf::lift {

void SharedValues::note_use(ast::ExprId e) {
  if (copies.empty() && inplace.empty()) return;
  if (auto it = copies.find(e.n); it != copies.end()) ++it->second.uses;
  if (auto it = inplace.find(e.n); it != inplace.end()) ++it->second.uses;
}

void SharedValues::undo_use(ast::ExprId e) {
  if (auto it = copies.find(e.n); it != copies.end()) --it->second.uses;
  if (auto it = inplace.find(e.n); it != inplace.end()) --it->second.uses;
}

// The counts include each time a line was lifted, and only the last time is in the result. So they only select
// candidates, whose occurrences in the result are counted.
std::set<std::uint32_t> SharedValues::violations(const ast::Tree& tree, const std::optional<ast::Block>& result) const {
  std::unordered_map<std::uint32_t, std::uint32_t> allowed;  // by ExprId: number of uses that are allowed
  for (const auto& [expr, s] : copies)
    if (s.uses > 1) allowed[expr] = 1;
  for (const auto& [expr, s] : inplace)
    if (s.uses > 0) allowed[expr] = 0;
  std::set<std::uint32_t> out;
  const auto add = [&](std::uint32_t expr) {
    const auto it = copies.find(expr);
    out.insert(it != copies.end() ? it->second.offset : inplace.at(expr).offset);
  };
  if (allowed.empty()) return out;
  if (!result) {
    for (const auto& [expr, uses] : allowed) add(expr);
    return out;
  }
  std::set<ast::StmtId> visited;  // the tree may contain a statement twice: exits are duplicated
  std::unordered_map<std::uint32_t, std::uint32_t> uses;
  ast::Visitor count;
  count.stmt = [&](ast::StmtId s) { return visited.insert(s).second; };
  count.expr = [&](ast::ExprId e) {
    if (const auto it = allowed.find(e.n); it != allowed.end() && ++uses[e.n] > it->second) add(e.n);
    return true;
  };
  ast::walk(tree, *result, count);
  return out;
}

// In a display that is built item by item, each item is hashed before the next one is evaluated; one that BUILD_SET or
// BUILD_MAP builds hashes them at the end. The compiler adds items one by one only after a star and in displays of more
// than 30 items or 15 pairs (starunpack_helper and compiler_dict in Python/compile.c).
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
