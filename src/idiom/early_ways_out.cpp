// SPDX-License-Identifier: MIT
// Arms with nothing in them; see early_ways_out.h.
#include "idiom/early_ways_out.h"

#include <algorithm>

#include "ast/walk.h"

namespace depyf::idiom {

namespace {

class EarlyWaysOut {
 public:
  explicit EarlyWaysOut(ast::Tree& tree) : tree_(tree) {}

  void in_loops(const ast::Block& body) {
    std::vector<ast::StmtId> loops, todo(body.rbegin(), body.rend());
    while (!todo.empty()) {
      const auto s = todo.back();
      todo.pop_back();
      const auto& node = tree_.stmts[s].node;
      if (std::holds_alternative<ast::For>(node) || std::holds_alternative<ast::While>(node)) loops.push_back(s);
      if (std::holds_alternative<ast::FunctionDef>(node) || std::holds_alternative<ast::ClassDef>(node)) continue;
      ast::for_each_child_block(node, [&](const ast::Block& b) { todo.insert(todo.end(), b.begin(), b.end()); });
    }
    for (const auto s : loops) {
      ast::Block inner = body_of(s);
      at_end_of(inner, ast::Continue{});
      body_of(s) = std::move(inner);
    }
  }

  // The last statement: an empty arm leaves by `way`, the other one follows.
  void at_end_of(ast::Block& block, const ast::StmtNode& way) {
    while (!block.empty()) {
      const auto last = block.back();
      const auto* test = std::get_if<ast::If>(&tree_.stmts[last].node);
      if (test == nullptr || test->orelse.empty() || !is_empty(test->body)) return;
      const ast::Block rest = test->orelse;
      const auto origin = tree_.stmts[test->body.front()].origin;
      const auto leave = tree_.stmt(way, origin);
      auto& changed = std::get<ast::If>(tree_.stmts[last].node);
      changed.body = {leave};
      changed.orelse.clear();
      block.insert(block.end(), rest.begin(), rest.end());
    }
  }

 private:
  [[nodiscard]] bool is_empty(const ast::Block& block) const {
    return !block.empty() && std::all_of(block.begin(), block.end(), [&](ast::StmtId s) {
      return std::holds_alternative<ast::Pass>(tree_.stmts[s].node);
    });
  }
  ast::Block& body_of(ast::StmtId loop) {
    auto& node = tree_.stmts[loop].node;
    auto* each = std::get_if<ast::For>(&node);
    return each != nullptr ? each->body : std::get<ast::While>(node).body;
  }

  ast::Tree& tree_;
};

}  // namespace

void leave_early(ast::Tree& tree, ast::Block& body, bool function) {
  EarlyWaysOut ways(tree);
  ways.in_loops(body);
  if (function) ways.at_end_of(body, ast::Return{});
}

}  // namespace depyf::idiom
