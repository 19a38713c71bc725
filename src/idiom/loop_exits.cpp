// SPDX-License-Identifier: MIT
// Exits of loops by columns; see loop_exits.h.
#include "idiom/loop_exits.h"

#include <algorithm>
#include <utility>

#include "ast/constants.h"
#include "ast/walk.h"
#include "idiom/arms.h"
#include "support/small_vector.h"

namespace depyf::idiom {

namespace {

struct Part {  // a block in a loop
  ast::Block* block;
  bool is_in_loop = false;  // in an inner loop, to which `break` applies
  bool is_guarded = false;  // in a `try` or `with`, where an exit may run other code
};

// Calls visit(statement, part) for each `break` and `return` in the body of a loop.
template <class Visit>
void for_each_exit(ast::Tree& tree, ast::Block& body, Visit visit) {
  SmallVector<Part, 16> todo{{&body}};
  while (!todo.empty()) {
    const Part part = todo.back();
    todo.pop_back();
    for (auto& s : *part.block) {
      auto& n = tree.stmts[s].node;
      if (ast::is<ast::Break, ast::Return>(n)) visit(s, part);
      if (!ast::has_blocks(n) || ast::is_scope(n)) continue;
      bool is_body = ast::is<ast::For, ast::While>(n);  // a `break` in a loop's `else` leaves the outer loop
      ast::for_each_child_block(n, [&](ast::Block& b) {
        todo.push_back(
            {&b, part.is_in_loop || std::exchange(is_body, false), part.is_guarded || ast::is<ast::Try, ast::With>(n)});
      });
    }
  }
}

// Returns whether evaluating the returned value runs no code of the program.
bool runs_nothing(const ast::Tree& tree, ast::StmtId s) {
  const auto value = std::get<ast::Return>(tree.stmts[s].node).value;
  return !value.valid() || ast::is_constant(tree, value) || ast::is<ast::Name>(tree.exprs[value].node);
}

}  // namespace

void LoopExits::lay_out(ast::Block& block, std::size_t i, End end) {
  if (loop_of(block[i]).body == nullptr) return;
  const Column column = columns_.column_of(block[i], kUnknown);
  if (column == kUnknown) return;
  move_return_after(block, i, column);
  move_into_else(block, i, column, end);
  move_exit_into(block, i, column);
}

LoopExits::Loop LoopExits::loop_of(ast::StmtId s) {
  auto& n = tree_.stmts[s].node;
  if (auto* loop = std::get_if<ast::For>(&n); loop != nullptr && loop->orelse.empty()) return {&loop->body};
  auto* loop = std::get_if<ast::While>(&n);
  if (loop == nullptr || !loop->orelse.empty()) return {};
  const auto* always = std::get_if<ast::Verbatim>(&tree_.exprs[loop->test].node);
  return {&loop->body, always != nullptr && always->text == "True"};
}

void LoopExits::move_return_after(ast::Block& block, std::size_t i, Column column) {
  const auto [body, is_endless] = loop_of(block[i]);
  if (body == nullptr || is_endless != (i + 1 == block.size())) return;
  // A `for` pops its iterator when it is left: after the value of a `return` in it is evaluated, before that of one
  // after it.
  const bool iterates = ast::is<ast::For>(tree_.stmts[block[i]].node);
  SmallVector<ast::StmtId*, 8> returns;
  bool fits = true;
  for_each_exit(tree_, *body, [&](ast::StmtId& s, const Part& part) {
    const bool breaks = ast::is<ast::Break>(tree_.stmts[s].node);
    fits = fits && !(breaks && !part.is_in_loop);
    if (!fits || breaks || columns_.statement_start(s).column != column) return;
    fits = !part.is_in_loop && !part.is_guarded && (!iterates || runs_nothing(tree_, s)) &&
           (returns.empty() || ast::equal(tree_, code_tree_, ast::Block{*returns[0]}, ast::Block{s}));
    returns.push_back(&s);
  });
  if (!fits || returns.empty()) return;
  const ast::Block rest(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, block.end());
  if (!is_endless && (!always_exits(tree_, rest) || !columns_.is_at_column(rest, column + kIndent))) return;
  const auto after = *returns[0];
  const auto exit = tree_.stmt(ast::Break{}, ast::Origin(tree_.stmts[after].origin));
  for (auto* s : returns) *s = exit;
  set_else(block[i], rest);
  block.resize(i + 1);
  block.push_back(after);
}

void LoopExits::move_exit_into(ast::Block& block, std::size_t i, Column column) {
  const auto [body, is_endless] = loop_of(block[i]);
  if (!is_endless || i + 1 == block.size()) return;
  const auto first = block.begin() + static_cast<std::ptrdiff_t>(i) + 1;
  const ast::Block rest(first, block.end());
  const Column inner = columns_.statement_start(rest.back()).column;
  const auto is_within = [&](ast::StmtId s) { return columns_.column_of(s, inner) > column; };
  if (!std::ranges::all_of(rest, is_within) || !is_exit(tree_, rest.back())) return;
  std::size_t count = 0;
  ast::Block* block_of_break = nullptr;  // ends in the only `break`
  for_each_exit(tree_, *body, [&](const ast::StmtId& s, const Part& part) {
    if (part.is_in_loop || !ast::is<ast::Break>(tree_.stmts[s].node)) return;
    ++count;
    if (!part.is_guarded && s == part.block->back()) block_of_break = part.block;
  });
  if (count != 1 || block_of_break == nullptr) return;
  block_of_break->pop_back();
  block_of_break->insert(block_of_break->end(), rest.begin(), rest.end());
  block.erase(first, block.end());
}

void LoopExits::move_into_else(ast::Block& block, std::size_t i, Column column, End end) {
  const auto [body, is_endless] = loop_of(block[i]);
  if (body == nullptr || is_endless || i + 1 == block.size()) return;
  bool breaks = false, returns = false;
  for_each_exit(tree_, *body, [&](ast::StmtId s, const Part& part) {
    breaks = breaks || (!part.is_in_loop && ast::is<ast::Break>(tree_.stmts[s].node));
    returns = returns || (!part.is_in_loop && exits_.is_break(s));
  });
  if (breaks || (returns && end != End::kReturn)) return;
  const auto first = block.begin() + static_cast<std::ptrdiff_t>(i) + 1;
  auto last = block.end();
  const auto is_further_in = [&](ast::StmtId s) { return columns_.column_of(s, column + kIndent) == column + kIndent; };
  if (!returns) last = std::find_if_not(first, block.end(), is_further_in);
  const ast::Block rest(first, last);
  // An `if not a` may be an `if a` one level deeper, so it is not enough as evidence.
  const auto is_surely_deeper = [&](ast::StmtId s) {
    return columns_.column_between(s, column, column + kIndent) == column + kIndent;
  };
  if (!columns_.is_at_column(rest, column + kIndent) || std::ranges::none_of(rest, is_surely_deeper)) return;
  set_else(block[i], rest);
  block.erase(first, last);
}

void LoopExits::set_else(ast::StmtId s, const ast::Block& block) {
  if (auto* loop = std::get_if<ast::For>(&tree_.stmts[s].node)) loop->orelse = block;
  if (auto* loop = std::get_if<ast::While>(&tree_.stmts[s].node)) loop->orelse = block;
}

}  // namespace depyf::idiom
