// SPDX-License-Identifier: MIT
// Counts levels of indentation and the compiler's blocks (compiler_push_fblock in Python/compile.c) of statements.
#include "finish/nesting.h"

#include <algorithm>

#include "ast/walk.h"
#include "support/small_vector.h"

namespace depyf::finish {

namespace {

struct Level {
  ast::StmtId stmt;
  Nesting outer;
};

// Returns how many compiler blocks are open in `part`, one of the blocks of a statement.
std::uint32_t blocks_around(const ast::StmtNode& node, const Dialect& dialect, const ast::Block& part) {
  if (const auto* f = std::get_if<ast::For>(&node)) return &part == &f->body ? 1 : 0;
  if (const auto* w = std::get_if<ast::While>(&node)) return &part == &w->body ? 1 : 0;
  if (const auto* w = std::get_if<ast::With>(&node)) return static_cast<std::uint32_t>(w->items.size());
  const auto* t = std::get_if<ast::Try>(&node);
  if (t == nullptr) return 0;
  const std::uint32_t last = t->finalbody.empty() ? 0 : 1;
  if (&part == &t->finalbody) return last;
  if (&part == &t->body) return last + (t->handlers.empty() ? 0 : 1);
  return last + (&part == &t->orelse ? 0 : dialect.blocks_of_clause);
}

}  // namespace

Nesting nesting(const ast::Tree& tree, const Dialect& dialect, const ast::Block& block) {
  Nesting deepest;
  if (!block.empty()) deepest.indents = 1;
  // A statement without blocks is no deeper than the block that contains it.
  const auto has_blocks = [&](ast::StmtId s) { return ast::has_blocks(tree.stmts[s].node); };
  SmallVector<Level, 32> todo;
  for (const auto s : block)
    if (has_blocks(s)) todo.push_back({s, {1, 0}});
  while (!todo.empty()) {
    const ast::StmtId id = todo.back().stmt;
    const Nesting outer = todo.back().outer;
    todo.pop_back();
    const auto& node = tree.stmts[id].node;
    const auto* test = std::get_if<ast::If>(&node);
    const bool scope = ast::is_scope(node);
    const std::uint32_t levels = std::holds_alternative<ast::Match>(node) ? 2 : 1;
    ast::for_each_child_block(node, [&](const ast::Block& b) {
      const bool elif = test != nullptr && &b == &test->orelse && b.size() == 1 &&
                        std::holds_alternative<ast::If>(tree.stmts[b[0]].node);
      const Nesting inner{outer.indents + (elif ? 0 : levels),
                          scope ? 0 : outer.blocks + blocks_around(node, dialect, b)};
      if (b.empty()) return;
      deepest.indents = std::max(deepest.indents, inner.indents);
      deepest.blocks = std::max(deepest.blocks, inner.blocks);
      for (const auto s : b)
        if (has_blocks(s)) todo.push_back({s, inner});
    });
  }
  return deepest;
}

}  // namespace depyf::finish
