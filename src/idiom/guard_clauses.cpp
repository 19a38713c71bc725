// SPDX-License-Identifier: MIT
// Guard clauses for arms that leave a block; see guard_clauses.h.
#include "idiom/guard_clauses.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ast/constants.h"
#include "ast/negation.h"
#include "ast/walk.h"
#include "idiom/arms.h"
#include "support/small_vector.h"

namespace depyf::idiom {

namespace {

// A statement that may be duplicated has at most this many nodes.
constexpr std::size_t kShort = 12;

// A block to visit: the body (no owner), or the n-th block of a statement, and the statement that says where control
// continues from its end, if a single one does.
struct Place {
  ast::StmtId owner;
  std::size_t number = 0;
  ast::StmtId exit;
  Protection protection;
};

class GuardClauses {
 public:
  GuardClauses(ast::Tree& tree, const Dialect& dialect, ast::Block& body)
      : tree_(tree), dialect_(dialect), body_(body) {}

  void everywhere(std::uint32_t flags) {
    if (!has_arms(tree_, body_)) return;
    SmallVector<Place, 16> todo(1);
    if ((flags & kCoOptimized) != 0) todo.front().exit = tree_.stmt(ast::Return{});
    todo.front().protection.is_protected = (flags & (kCoGenerator | kCoCoroutine | kCoAsyncGenerator)) != 0;
    while (!todo.empty()) {
      const auto place = todo.back();
      todo.pop_back();
      auto& block = block_of(tree_, body_, place.owner, place.number);
      exit_once(block);
      exit_first(block);
      for (const auto s : block) rewrite_loop(s, place.protection.is_protected);
      const auto last = in_block(block, place.exit, may_invert(place));
      for (std::size_t i = 0; i < block.size(); ++i)
        if (ast::has_blocks(node(block[i]))) below(block[i], place, i == last.index ? last.exit : ast::StmtId{}, todo);
    }
  }

 private:
  // The statement whose arms continue as `way` says.
  struct Last {
    std::size_t index = 0;
    ast::StmtId exit;
  };

  // Whether the end of a block may become the other arm of a test: a `continue` in a protected range may show (3.13+).
  [[nodiscard]] bool may_invert(const Place& place) const {
    const bool back = place.exit && ast::is<ast::Continue>(tree_.stmts[place.exit].node);
    return !back || place.protection.may_invert_continue(dialect_);
  }

  // An empty arm leaves, the other one follows, as often as there is one; so does the arm that `not a < b` leads to. After
  // such a guard clause, others of the same chain are guard clauses, too: no arm nests deeper for those before it.
  Last in_block(ast::Block& block, ast::StmtId after, bool may_invert) {
    bool has_guards = false;
    while (!block.empty()) {
      const bool tail = is_exit(tree_, block.back());
      if (tail && block.size() == 1) break;
      const auto index = block.size() - (tail ? 2 : 1);
      if (!ast::has_blocks(node(block[index]))) break;  // where control continues matters to arms alone
      const auto exit = !tail ? after : is_short(block.back()) ? block.back() : ast::StmtId{};
      const auto* test = std::get_if<ast::If>(&node(block[index]));
      if (test == nullptr || !exit) return {index, exit};
      if (has_guards && !test->orelse.empty() && always_exits(tree_, test->body)) {
        const ast::Block rest = std::exchange(std::get<ast::If>(node(block[index])).orelse, {});
        block.insert(block.begin() + static_cast<std::ptrdiff_t>(index) + 1, rest.begin(), rest.end());
        continue;
      }
      const bool inverts = may_invert && !tail && is_negated(*test);
      if (!inverts && (test->orelse.empty() || !is_empty(test->body))) return {index, exit};
      has_guards = true;
      const ast::Block rest = inverts ? test->body : test->orelse;
      const auto origin = tail ? tree_.stmts[block.back()].origin : tree_.stmts[test->body.front()].origin;
      const auto early = tree_.stmt(copy(node(exit)), origin);
      auto& changed = std::get<ast::If>(node(block[index]));
      if (inverts) changed.test = *positive(changed.test);
      changed.body = {early};
      changed.orelse.clear();
      if (tail && always_exits(tree_, rest)) block.pop_back();  // only the empty arm went there
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(index) + 1, rest.begin(), rest.end());
    }
    return {};
  }

  // a < b, if the test is `not a < b`.
  [[nodiscard]] std::optional<ast::ExprId> positive(ast::ExprId test) const {
    const auto operand = ast::without_not(tree_, test);
    const auto* c = operand.valid() ? std::get_if<ast::Compare>(&tree_.exprs[operand].node) : nullptr;
    if (c == nullptr || c->ops.size() > 1 || ast::is_inverted_by_not(tree_, operand)) return std::nullopt;
    return operand;
  }

  // `if not a < b` around all that is left, where a person leaves if a < b.
  [[nodiscard]] bool is_negated(const ast::If& test) const {
    return test.orelse.empty() && positive(test.test) && !is_exit(tree_, test.body.back()) &&
           (test.body.size() > 1 || !is_short(test.body[0]));
  }

  // `if a: b; return c` before the same `return c`, where both are of one place in the code; so is each `break` there.
  void exit_once(const ast::Block& block) {
    for (std::size_t i = 0; i + 1 < block.size(); ++i) {
      if (!ast::is<ast::If>(node(block[i])) || !is_exit(tree_, block[i + 1])) continue;
      std::vector<ast::StmtId> ends{block[i]};
      while (!ends.empty()) {
        auto* test = std::get_if<ast::If>(&node(ends.back()));
        ends.pop_back();
        if (test == nullptr) continue;
        for (auto* arm : {&test->body, &test->orelse}) {
          const bool may_be_empty = arm == &test->orelse;
          if (arm->size() > (may_be_empty ? 0 : 1) && is_same_exit(arm->back(), block[i + 1])) arm->pop_back();
          if (!arm->empty()) ends.push_back(arm->back());
        }
      }
    }
  }
  [[nodiscard]] bool is_same_exit(ast::StmtId a, ast::StmtId b) const {
    const auto &x = tree_.stmts[a], &y = tree_.stmts[b];
    if (ast::is<ast::Break, ast::Continue>(x.node)) return x.node.index() == y.node.index();
    const auto *r = std::get_if<ast::Return>(&x.node), *q = std::get_if<ast::Return>(&y.node);
    return r != nullptr && q != nullptr && x.origin.offset == y.origin.offset && r->value == q->value;
  }

  // `if not a < b` with an else that leaves: that comes first.
  void exit_first(ast::Block& block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      auto* test = std::get_if<ast::If>(&node(block[i]));
      if (test == nullptr || test->orelse.empty() || !is_exit(tree_, test->orelse.back())) continue;
      const auto without = positive(test->test);
      if (!without) continue;
      test->test = *without;
      const auto rest = std::exchange(test->body, std::exchange(test->orelse, {}));
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
    }
  }

  // `while a: if not b: break` for `while True: if not (a and b): break`, and for `while a and b: pass` where no jump
  // tells them apart.
  void rewrite_loop(ast::StmtId s, bool is_protected) {
    const auto* loop = std::get_if<ast::While>(&node(s));
    if (loop == nullptr || !loop->orelse.empty()) return;
    const auto origin = tree_.stmts[s].origin;
    if (is_empty(loop->body)) {
      const auto* both = as_and(loop->test);
      const bool is_observable = is_protected && dialect_.inverted_jumps_unprotected && !dialect_.loop_test_duplicated;
      if (both == nullptr || is_observable) return;
      auto values = ast::operands(tree_, *both);
      const auto exit = tree_.stmt(ast::Break{}, origin);
      break_in(s, std::move(values), tree_.stmt(ast::If{{}, {exit}, {}}, origin));
      return;
    }
    const auto* forever = std::get_if<ast::Verbatim>(&tree_.exprs[loop->test].node);
    const auto* test = std::get_if<ast::If>(&node(loop->body[0]));
    if (forever == nullptr || forever->text != "True" || loop->body.size() > 1 || test == nullptr) return;
    if (!test->orelse.empty() || !std::holds_alternative<ast::Break>(node(test->body[0]))) return;
    const auto continues = ast::without_not(tree_, test->test);
    const auto* both = continues.valid() ? as_and(continues) : nullptr;
    if (both != nullptr) break_in(s, ast::operands(tree_, *both), loop->body[0]);
  }
  [[nodiscard]] const ast::BoolOp* as_and(ast::ExprId e) const {
    const auto* test = std::get_if<ast::BoolOp>(&tree_.exprs[e].node);
    return test != nullptr && test->op == ast::BoolOperator::kAnd ? test : nullptr;
  }
  // The loop continues while all values are true; the last one is the test of the `if` with the `break`.
  void break_in(ast::StmtId s, ast::ExprIds values, ast::StmtId exit) {
    const auto last = values.back();
    if (ast::is_inverted_by_not(tree_, last) && dialect_.folds_not_contains) return;
    const auto origin = tree_.exprs[last].origin;
    values.pop_back();
    const auto rest = values.size() == 1 ? values[0] : tree_.expr(ast::BoolOp{ast::BoolOperator::kAnd, values}, origin);
    std::get<ast::If>(node(exit)).test = ast::negated(tree_, last, false);
    auto& loop = std::get<ast::While>(node(s));
    loop.test = rest;
    loop.body = {exit};
  }

  // The blocks of a statement of `around`, after which control continues with `exit`.
  void below(ast::StmtId s, const Place& around, ast::StmtId exit, SmallVector<Place, 16>& todo) {
    if (ast::is_scope(node(s))) return;
    const bool loop = ast::is<ast::For, ast::While>(node(s));
    const ast::StmtId next = loop ? tree_.stmt(ast::Continue{}) : ast::StmtId{};
    const auto& n = node(s);
    const bool arms = ast::is<ast::If, ast::Match>(n);
    std::size_t number = 0;
    ast::for_each_child_block(n, [&](const ast::Block& b) {
      Place place{s, number++, {}, around.protection.in_part(n, b)};
      if (!has_arms(tree_, b)) return;
      if (place.number == 0) place.exit = next;
      const auto same = [&] {
        return falls_through_to_follow(n, b) && exits_alike_inside(tree_, dialect_, node(exit));
      };
      if (exit && (arms || same())) place.exit = exit;
      todo.push_back(place);
    });
  }

  [[nodiscard]] bool is_empty(const ast::Block& block) const {
    return !block.empty() && std::all_of(block.begin(), block.end(), [&](ast::StmtId s) {
      return std::holds_alternative<ast::Pass>(tree_.stmts[s].node);
    });
  }
  // Small, and without a function of its own.
  [[nodiscard]] bool is_short(ast::StmtId s) const {
    bool plain = ast::tree_size(tree_, {s}) <= kShort;
    ast::for_each_child_expr(tree_.stmts[s].node, [&](ast::ExprId e) {
      ast::walk(tree_, e, [&](ast::ExprId below) {
        return plain = plain && !ast::is<ast::Lambda, ast::Comprehension>(tree_.exprs[below].node);
      });
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
      ast::for_each_child_expr(tree_.exprs[e].node, renew);
    }
    return n;
  }
  ast::StmtNode& node(ast::StmtId s) { return tree_.stmts[s].node; }

  ast::Tree& tree_;
  const Dialect& dialect_;
  ast::Block& body_;
};

}  // namespace

void write_guard_clauses(ast::Tree& tree, const Dialect& dialect, ast::Block& body, std::uint32_t flags) {
  GuardClauses(tree, dialect, body).everywhere(flags);
}

}  // namespace depyf::idiom
