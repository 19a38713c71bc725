// SPDX-License-Identifier: MIT
// Guard clauses for arms that exit a block; see guard_clauses.h.
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

// An exit that is duplicated has at most this many nodes.
constexpr std::size_t kMaxDuplicatedNodes = 12;

// A block to visit: the body (no owner), or the n-th block of a statement. `exit`: the statement that does what the end
// of the block does, if there is one.
struct BlockToVisit {
  ast::StmtId owner;
  std::size_t number = 0;
  ast::StmtId exit;
  Protection protection;
};

class GuardClauses {
 public:
  GuardClauses(ast::Tree& tree, const Dialect& dialect, ast::Block& body)
      : tree_(tree), dialect_(dialect), body_(body) {}

  void run(std::uint32_t flags) {
    if (!has_nested_blocks(tree_, body_)) return;
    SmallVector<BlockToVisit, 16> todo(1);
    if ((flags & kCoOptimized) != 0) todo.front().exit = tree_.stmt(ast::Return{});
    todo.front().protection.is_protected = (flags & (kCoGenerator | kCoCoroutine | kCoAsyncGenerator)) != 0;
    while (!todo.empty()) {
      const auto visited = todo.back();
      todo.pop_back();
      auto& block = block_of(tree_, body_, visited.owner, visited.number);
      drop_repeated_exits(block);
      move_exiting_else_first(block);
      for (const auto s : block) rewrite_loop(s, visited.protection.is_protected);
      const auto last = write_guard_clauses(block, visited.exit, may_invert(visited));
      for (std::size_t i = 0; i < block.size(); ++i)
        if (ast::has_blocks(node(block[i])))
          push_child_blocks(block[i], visited, i == last.index ? last.exit : ast::StmtId{}, todo);
    }
  }

 private:
  // The last statement of a block that has blocks, and the exit with which control continues after it.
  struct Last {
    std::size_t index = 0;
    ast::StmtId exit;
  };

  // Returns whether the end of a block may become the other arm of a test. In a protected range, the exception table
  // may show a `continue` (3.13+).
  [[nodiscard]] bool may_invert(const BlockToVisit& visited) const {
    const bool continues = visited.exit && ast::is<ast::Continue>(tree_.stmts[visited.exit].node);
    return !continues || visited.protection.may_invert_continue(dialect_);
  }

  // Turns an empty arm, or the missing arm of `not a < b`, into an exit, and moves the other arm to after the
  // statement; repeats this with the new last statement. After one guard clause, the other tests of an `elif` chain
  // that exit become guard clauses, too, so that the last arm is not nested. Returns the last statement that is left.
  Last write_guard_clauses(ast::Block& block, ast::StmtId after, bool may_invert) {
    bool has_guards = false;
    while (!block.empty()) {
      const bool ends_in_exit = is_exit(tree_, block.back());
      if (ends_in_exit && block.size() == 1) break;
      const auto index = block.size() - (ends_in_exit ? 2 : 1);
      if (!ast::has_blocks(node(block[index]))) break;
      const auto exit = !ends_in_exit ? after : is_short(block.back()) ? block.back() : ast::StmtId{};
      const auto* test = std::get_if<ast::If>(&node(block[index]));
      if (test == nullptr || !exit) return {index, exit};
      if (has_guards && !test->orelse.empty() && always_exits(tree_, test->body)) {
        const ast::Block rest = std::exchange(std::get<ast::If>(node(block[index])).orelse, {});
        block.insert(block.begin() + static_cast<std::ptrdiff_t>(index) + 1, rest.begin(), rest.end());
        continue;
      }
      const bool inverts = may_invert && !ends_in_exit && can_be_inverted(*test);
      if (!inverts && (test->orelse.empty() || !is_empty(test->body))) return {index, exit};
      has_guards = true;
      const ast::Block rest = inverts ? test->body : test->orelse;
      const auto origin = ends_in_exit ? tree_.stmts[block.back()].origin : tree_.stmts[test->body.front()].origin;
      const auto exit_copy = tree_.stmt(copy(node(exit)), origin);
      auto& changed = std::get<ast::If>(node(block[index]));
      if (inverts) changed.test = *operand_of_negated_comparison(changed.test);
      changed.body = {exit_copy};
      changed.orelse.clear();
      if (ends_in_exit && always_exits(tree_, rest)) block.pop_back();  // only the empty arm continued there
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(index) + 1, rest.begin(), rest.end());
    }
    return {};
  }

  // Returns a < b for the test `not a < b`, nullopt for other tests.
  [[nodiscard]] std::optional<ast::ExprId> operand_of_negated_comparison(ast::ExprId test) const {
    const auto operand = ast::without_not(tree_, test);
    const auto* c = operand.valid() ? std::get_if<ast::Compare>(&tree_.exprs[operand].node) : nullptr;
    if (c == nullptr || c->ops.size() > 1 || ast::is_inverted_by_not(tree_, operand)) return std::nullopt;
    return operand;
  }

  // Returns whether the statement is `if not a < b` around a body that is worth a guard clause.
  [[nodiscard]] bool can_be_inverted(const ast::If& test) const {
    return test.orelse.empty() && operand_of_negated_comparison(test.test) && !is_exit(tree_, test.body.back()) &&
           (test.body.size() > 1 || !is_short(test.body[0]));
  }

  // Removes an exit at the end of an arm if the statement is followed by the same exit: a `return` of the same
  // instruction, or any `break` or `continue`.
  void drop_repeated_exits(const ast::Block& block) {
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

  // Rewrites `if not a < b` with an `else` that exits to the guard clause `if a < b`.
  void move_exiting_else_first(ast::Block& block) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      auto* test = std::get_if<ast::If>(&node(block[i]));
      if (test == nullptr || test->orelse.empty() || !is_exit(tree_, test->orelse.back())) continue;
      const auto operand = operand_of_negated_comparison(test->test);
      if (!operand) continue;
      test->test = *operand;
      const auto rest = std::exchange(test->body, std::exchange(test->orelse, {}));
      block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
    }
  }

  // Writes `while a: if not b: break` for `while True: if not (a and b): break`, and for `while a and b: pass` if that
  // is the same.
  void rewrite_loop(ast::StmtId s, bool is_protected) {
    const auto* loop = std::get_if<ast::While>(&node(s));
    if (loop == nullptr || !loop->orelse.empty()) return;
    const auto origin = tree_.stmts[s].origin;
    if (is_empty(loop->body)) {
      const auto* conjunction = as_and(loop->test);
      const bool is_observable = is_protected && dialect_.inverted_jumps_unprotected && !dialect_.loop_test_duplicated;
      if (conjunction == nullptr || is_observable) return;
      auto values = ast::operands(tree_, *conjunction);
      const auto exit = tree_.stmt(ast::Break{}, origin);
      split_loop_test(s, std::move(values), tree_.stmt(ast::If{{}, {exit}, {}}, origin));
      return;
    }
    const auto* loop_test = std::get_if<ast::Verbatim>(&tree_.exprs[loop->test].node);
    const auto* test = std::get_if<ast::If>(&node(loop->body[0]));
    if (loop_test == nullptr || loop_test->text != "True" || loop->body.size() > 1 || test == nullptr) return;
    if (!test->orelse.empty() || !std::holds_alternative<ast::Break>(node(test->body[0]))) return;
    const auto continues = ast::without_not(tree_, test->test);
    const auto* conjunction = continues.valid() ? as_and(continues) : nullptr;
    if (conjunction != nullptr) split_loop_test(s, ast::operands(tree_, *conjunction), loop->body[0]);
  }
  [[nodiscard]] const ast::BoolOp* as_and(ast::ExprId e) const {
    const auto* test = std::get_if<ast::BoolOp>(&tree_.exprs[e].node);
    return test != nullptr && test->op == ast::BoolOperator::kAnd ? test : nullptr;
  }
  // Gives the loop all operands but the last one as its test, and `exit`, an `if` with a `break`, the negated last one.
  void split_loop_test(ast::StmtId s, ast::ExprIds values, ast::StmtId exit) {
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

  // Appends the blocks of a statement of the block `outer`, after which control continues with `exit`.
  void push_child_blocks(ast::StmtId s, const BlockToVisit& outer, ast::StmtId exit,
                         SmallVector<BlockToVisit, 16>& todo) {
    if (ast::is_scope(node(s))) return;
    const bool loop = ast::is<ast::For, ast::While>(node(s));
    const ast::StmtId next = loop ? tree_.stmt(ast::Continue{}) : ast::StmtId{};
    const auto& n = node(s);
    const bool is_branch = ast::is<ast::If, ast::Match>(n);
    std::size_t number = 0;
    ast::for_each_child_block(n, [&](const ast::Block& b) {
      BlockToVisit visited{s, number++, {}, outer.protection.in_part(n, b)};
      if (!has_nested_blocks(tree_, b)) return;
      if (visited.number == 0) visited.exit = next;
      const auto compiles_to_exit = [&] {
        return falls_through_to_follow(n, b) && is_same_code_inside(tree_, dialect_, node(exit));
      };
      if (exit && (is_branch || compiles_to_exit())) visited.exit = exit;
      todo.push_back(visited);
    });
  }

  [[nodiscard]] bool is_empty(const ast::Block& block) const {
    return !block.empty() && std::all_of(block.begin(), block.end(), [&](ast::StmtId s) {
      return std::holds_alternative<ast::Pass>(tree_.stmts[s].node);
    });
  }
  // Returns whether a statement is small and contains no code object.
  [[nodiscard]] bool is_short(ast::StmtId s) const {
    bool plain = ast::tree_size(tree_, {s}) <= kMaxDuplicatedNodes;
    ast::for_each_child_expr(tree_.stmts[s].node, [&](ast::ExprId e) {
      ast::walk(tree_, e, [&](ast::ExprId child) {
        return plain = plain && !ast::is<ast::Lambda, ast::Comprehension>(tree_.exprs[child].node);
      });
    });
    return plain;
  }
  // Returns a copy of a statement whose expressions are new nodes.
  ast::StmtNode copy(ast::StmtNode n) {
    std::vector<ast::ExprId> todo;
    const auto renew = [&](ast::ExprId& e) {
      auto expr_node = tree_.exprs[e].node;
      e = tree_.expr(std::move(expr_node), tree_.exprs[e].origin);
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
  GuardClauses(tree, dialect, body).run(flags);
}

}  // namespace depyf::idiom
