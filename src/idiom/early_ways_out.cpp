// SPDX-License-Identifier: MIT
// Arms with nothing in them; see early_ways_out.h.
#include "idiom/early_ways_out.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ast/walk.h"

namespace depyf::idiom {

namespace {

// A statement that may stand twice has at most as many nodes as this.
constexpr std::size_t kShort = 12;

// A block to be looked at: the body (no owner), or the n-th block of a statement, and how a path that reaches its end
// goes on, if one statement says so.
struct Place {
  ast::StmtId owner;
  std::size_t number = 0;
  std::optional<ast::StmtNode> way;
};

class EarlyWaysOut {
 public:
  EarlyWaysOut(ast::Tree& tree, ast::Block& body) : tree_(tree), body_(body) {}

  void everywhere(bool function) {
    std::vector<Place> todo(1);
    if (function) todo.front().way = ast::Return{};
    while (!todo.empty()) {
      const auto place = std::move(todo.back());
      todo.pop_back();
      auto block = *at(place);
      const auto last = in_block(block, place.way);
      *at(place) = block;
      for (std::size_t i = 0; i < block.size(); ++i) below(block[i], i == last.index ? last.way : std::nullopt, todo);
    }
  }

 private:
  // The statement whose arms go on as `way` says.
  struct Last {
    std::size_t index = 0;
    std::optional<ast::StmtNode> way;
  };

  // An empty arm leaves, the other one follows, as often as there is one.
  Last in_block(ast::Block& block, const std::optional<ast::StmtNode>& after) {
    while (!block.empty()) {
      const bool tail = leaves(block.back());
      const auto way = !tail ? after : is_short(block.back()) ? std::optional(node(block.back())) : std::nullopt;
      if (tail && block.size() == 1) break;
      const auto index = block.size() - (tail ? 2 : 1);
      const auto* test = std::get_if<ast::If>(&node(block[index]));
      if (test == nullptr || test->orelse.empty() || !is_empty(test->body) || !way) return {index, way};
      const ast::Block rest = test->orelse;
      const auto origin = tail ? tree_.stmts[block.back()].origin : tree_.stmts[test->body.front()].origin;
      const auto leave = tree_.stmt(copy(*way), origin);
      auto& changed = std::get<ast::If>(node(block[index]));
      changed.body = {leave};
      changed.orelse.clear();
      if (tail && always_leaves(rest)) block.pop_back();  // only the empty arm went there
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(index) + 1, rest.begin(), rest.end());
    }
    return {};
  }

  void below(ast::StmtId s, const std::optional<ast::StmtNode>& way, std::vector<Place>& todo) {
    const auto& n = node(s);
    if (std::holds_alternative<ast::FunctionDef>(n) || std::holds_alternative<ast::ClassDef>(n)) return;
    const bool loop = std::holds_alternative<ast::For>(n) || std::holds_alternative<ast::While>(n);
    const bool arms = std::holds_alternative<ast::If>(n) || std::holds_alternative<ast::Match>(n);
    std::size_t number = 0;
    ast::for_each_child_block(n, [&](const ast::Block&) {
      Place place{s, number++, {}};
      if (loop && place.number == 0) place.way = ast::Continue{};
      if (arms) place.way = way;
      todo.push_back(std::move(place));
    });
  }

  ast::Block* at(const Place& place) {
    if (!place.owner.valid()) return &body_;
    ast::Block* found = nullptr;
    std::size_t number = 0;
    ast::for_each_child_block(node(place.owner), [&](ast::Block& b) {
      if (number++ == place.number) found = &b;
    });
    return found;
  }

  [[nodiscard]] bool is_empty(const ast::Block& block) const {
    return !block.empty() && std::all_of(block.begin(), block.end(), [&](ast::StmtId s) {
      return std::holds_alternative<ast::Pass>(tree_.stmts[s].node);
    });
  }
  [[nodiscard]] bool leaves(ast::StmtId s) const {
    const auto& n = tree_.stmts[s].node;
    return std::holds_alternative<ast::Return>(n) || std::holds_alternative<ast::Raise>(n) ||
           std::holds_alternative<ast::Continue>(n) || std::holds_alternative<ast::Break>(n);
  }
  [[nodiscard]] bool always_leaves(const ast::Block& block) const {
    std::vector<const ast::Block*> todo{&block};
    while (!todo.empty()) {
      const auto& b = *todo.back();
      todo.pop_back();
      if (b.empty()) return false;
      if (leaves(b.back())) continue;
      const auto* test = std::get_if<ast::If>(&tree_.stmts[b.back()].node);
      if (test == nullptr) return false;
      todo.push_back(&test->body);
      todo.push_back(&test->orelse);
    }
    return true;
  }
  // Small, and without a function of its own.
  [[nodiscard]] bool is_short(ast::StmtId s) const {
    bool plain = ast::tree_size(tree_, {s}) <= kShort;
    ast::for_each_child_expr(tree_.stmts[s].node, [&](ast::ExprId e) {
      ast::walk(tree_, e,
                {{},
                 [&](ast::ExprId below) {
                   const auto& n = tree_.exprs[below].node;
                   plain = plain && !std::holds_alternative<ast::Lambda>(n) &&
                           !std::holds_alternative<ast::Comprehension>(n);
                   return plain;
                 },
                 {}});
    });
    return plain;
  }
  ast::StmtNode copy(ast::StmtNode n) {
    std::vector<ast::ExprId> todo;
    const auto renew = [&](ast::ExprId& e) {
      auto held = tree_.exprs[e].node;
      e = tree_.expr(std::move(held), tree_.exprs[e].origin);
      todo.push_back(e);
    };
    ast::for_each_child_expr(n, renew);
    while (!todo.empty()) {
      const auto e = todo.back();
      todo.pop_back();
      auto changed = tree_.exprs[e].node;
      ast::for_each_child_expr(changed, renew);
      tree_.exprs[e].node = std::move(changed);
    }
    return n;
  }
  ast::StmtNode& node(ast::StmtId s) { return tree_.stmts[s].node; }

  ast::Tree& tree_;
  ast::Block& body_;
};

}  // namespace

void leave_early(ast::Tree& tree, ast::Block& body, bool function) { EarlyWaysOut(tree, body).everywhere(function); }

}  // namespace depyf::idiom
