// SPDX-License-Identifier: MIT
// Layout by the columns of the source; see source_layout.h.
//
// The pass visits each block twice. Top down, outer blocks first, it decides which statements belong to the block at
// all: the column of the block is derived from that of its owner, and deeper statements move into arms. Bottom up, it
// moves statements out of the arms of the block's own statements, and merges and splits their tests.
#include "idiom/source_layout.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ast/constants.h"
#include "ast/negation.h"
#include "ast/walk.h"
#include "idiom/arms.h"
#include "idiom/columns.h"
#include "idiom/conditions.h"
#include "idiom/default_cases.h"
#include "idiom/empty_arms.h"
#include "idiom/exits.h"
#include "idiom/line_layout.h"
#include "idiom/loop_exits.h"
#include "idiom/other_indents.h"
#include "idiom/words.h"
#include "support/small_vector.h"
#include "support/unicode.h"

namespace depyf::idiom {

namespace {

// Returns whether `del` of the target is printed as such: an attribute that is no identifier, or a private one, may
// need a call of delattr().
bool is_plain(const ast::Tree& tree, ast::ExprId target) {
  const auto* a = std::get_if<ast::Attribute>(&tree.exprs[target].node);
  if (a == nullptr) return true;
  const auto name = tree.text(a->attr);
  return is_plain_identifier(name) && name.find("__") == std::string_view::npos;
}

// Merges `del a` and `del b` into `del a, b` if the second target starts two columns after the end of the first.
void join_deletions(ast::Tree& tree, const Columns& columns, ast::Block& block) {
  const auto deletes = [&](ast::StmtId s) { return std::holds_alternative<ast::Delete>(tree.stmts[s].node); };
  if (std::ranges::count_if(block, deletes) < 2) return;
  ast::Block out;
  const auto targets_of = [&](ast::StmtId s) -> const ast::ExprIds* {
    const auto* d = std::get_if<ast::Delete>(&tree.stmts[s].node);
    return d != nullptr && is_plain(tree, d->targets[0]) ? &d->targets : nullptr;
  };
  const auto is_next = [&](ast::ExprId before, ast::ExprId target) {
    const auto *p = columns.position_of(tree.exprs[before].origin), *q = columns.position_of(tree.exprs[target].origin);
    if (p != nullptr && q != nullptr) return q->line == p->end_line && q->column == p->end_column + kComma;
    const auto above = columns.lines_of({ast::AnyId{before}}).last;
    return p == q && above >= 0 && above == columns.lines_of({ast::AnyId{target}}).first;
  };
  for (const auto s : block) {
    const auto* next = targets_of(s);
    const auto* last = next != nullptr && !out.empty() ? targets_of(out.back()) : nullptr;
    if (last == nullptr || !is_next(last->back(), next->front())) {
      out.push_back(s);
      continue;
    }
    ast::ExprIds targets = *last;
    targets.insert(targets.end(), next->begin(), next->end());
    const auto origin = tree.stmts[out.back()].origin;
    out.back() = tree.stmt(ast::Delete{std::move(targets)}, origin);  // a new one: the first may be shared
  }
  block = std::move(out);
}

// Splits `with a, b` into nested statements if b is on a later line, at the column of a `with b` in the body of
// `with a`. If only lines are known, the body must start right below: no line is left for a parenthesis.
void split_with(ast::Tree& tree, const Columns& columns, ast::StmtId s) {
  const auto* joined = std::get_if<ast::With>(&tree.stmts[s].node);
  if (joined == nullptr || joined->items.size() < 2) return;
  const auto above_body = columns.lines_of({ast::AnyId{joined->items.back().context}}).last;
  const bool has_parenthesis = columns.first_line(joined->body[0]) != above_body + 1;
  const auto is_nested = [&](ast::ExprId first, ast::ExprId before, ast::ExprId item) {
    const auto above = columns.lines_of({ast::AnyId{before}}).last;
    if (above < 0 || columns.lines_of({ast::AnyId{item}}).first <= above) return false;
    const Start outer = columns.start_of(first), inner = columns.start_of(item);
    return outer.known() ? inner.column == outer.column + kIndent : !has_parenthesis;
  };
  std::vector<ast::With> nested(1);  // outermost first
  for (const auto& item : joined->items) {
    auto& items = nested.back().items;
    if (!items.empty() && is_nested(items.front().context, items.back().context, item.context)) nested.emplace_back();
    nested.back().items.push_back(item);
  }
  ast::Block body = joined->body;
  for (auto at = nested.rbegin(); at != nested.rend(); ++at) {
    auto& with = *at;
    with.is_async = std::get<ast::With>(tree.stmts[s].node).is_async;
    with.body = std::exchange(body, {});
    if (&with == &nested.front())
      tree.stmts[s].node = std::move(with);
    else
      body = {tree.stmt(std::move(with), tree.exprs[with.items[0].context].origin)};
  }
}

End end_of_body(std::uint32_t flags) { return (flags & kCoOptimized) != 0 ? End::kReturn : End::kOther; }

bool is_elif(const ast::Tree& tree, const ast::Block& block, ast::StmtId owner, std::size_t number) {
  const auto is_if = [&](ast::StmtId s) { return ast::is<ast::If>(tree.stmts[s].node); };
  return owner.valid() && number == 1 && block.size() == 1 && is_if(block[0]) && is_if(owner);
}

bool may_change(const ast::Tree& tree, const ast::Block& block) {
  return has_nested_blocks(tree, block) || std::ranges::any_of(block, [&](ast::StmtId s) {
           return ast::is<ast::Assert, ast::Delete>(tree.stmts[s].node);
         });
}

class SourceLayout {
 public:
  SourceLayout(const CodeTree& code_tree, ast::Tree& tree, const Dialect& dialect, SourcePositions& positions,
               CodeId code)
      : tree_(tree),
        dialect_(dialect),
        is_module_(!code_tree.codes[code].parent.valid() && (code_tree.codes[code].flags & kCoOptimized) == 0),
        usual_column_(usual_column(code_tree.codes[code].qualname)),
        columns_(tree, positions, code),
        exits_(code_tree, tree, dialect, columns_),
        loop_exits_(code_tree, tree, columns_, exits_),
        conditions_(code_tree, tree, dialect, columns_, exits_),
        words_(tree, positions, columns_, exits_),
        empty_arms_(tree, columns_, exits_, conditions_, words_),
        default_cases_(tree, positions, columns_),
        lines_(tree, dialect, positions, columns_, exits_, conditions_),
        indents_(tree, columns_) {}

  void run(ast::Block& body, std::uint32_t flags) {
    exits_.collect(body);
    if (!dialect_.call_finally) exits_.return_after_finally(body);
    by_lines_ = !dialect_.exception_table || indents_.has_other_indent(body);
    if (may_change(tree_, body)) lay_out_all(body, flags);
    if (!dialect_.exception_table) return;
    if ((flags & kCoAsyncGenerator) == 0) exits_.write_returns();  // an async generator cannot contain `return None`
    if (!body.empty() || !is_module_) words_.restore_single_words(body, end_of_body(flags));
    words_.restore_passes(body);
  }

 private:
  void lay_out_all(ast::Block& body, std::uint32_t flags) {
    // Outer blocks come before inner ones.
    std::vector<BlockInfo> infos{
        {{}, 0, end_of_body(flags), {(flags & (kCoGenerator | kCoCoroutine | kCoAsyncGenerator)) != 0}}};
    for (std::size_t k = 0; k < infos.size(); ++k) {
      const BlockInfo info = infos[k];
      auto& nested = block_of(tree_, body, info.owner, info.number);
      info_ = &info, column_.reset();
      for (const auto s : nested) split_with(tree_, columns_, s);
      if (by_lines_) {
        join_deletions(tree_, columns_, nested);
      } else {
        for (auto i = nested.size(); i-- > 0;) default_cases_.restore(nested, i);
        lay_out_top_down(nested);
      }
      list_child_blocks(nested, info, infos);
    }
    const auto has_layout = [&](ast::StmtId s) { return ast::is<ast::If, ast::Try, ast::Assert>(node(s)); };
    for (auto k = infos.size(); k-- > 0;) {
      auto& block = block_of(tree_, body, infos[k].owner, infos[k].number);
      if (std::ranges::any_of(block, has_layout)) lay_out_bottom_up(block, infos[k]);
    }
  }

  struct BlockInfo {  // the n-th block of a statement, or the body, and what is known of it
    ast::StmtId owner;
    std::size_t number = 0;
    End end = End::kOther;
    Protection protection;
    bool break_returns = false;    // a `break` in it ends the function
    ast::StmtId next = {};         // the `return` of a constant to which control falls through, if there is one
    ast::StmtId after_break = {};  // the same for a `break` in it
    Column column = kUnknown;      // its column, if the statement that contains it decides it

    // Returns whether an exit is a copy of the code to which a `break` jumps. If that is short, the compiler copies it,
    // with the position of the original.
    [[nodiscard]] bool is_break(const Exits& exits, ast::StmtId s) const {
      return (break_returns && exits.is_break(s)) || (after_break.valid() && exits.is_copy(s, after_break));
    }
  };

  void list_child_blocks(const ast::Block& outer, const BlockInfo& info, std::vector<BlockInfo>& infos) {
    for (std::size_t i = 0; i < outer.size(); ++i) {
      const auto& n = node(outer[i]);
      if (!ast::has_blocks(n) || ast::is_scope(n)) continue;
      const bool loop = ast::is<ast::For, ast::While>(n);
      const bool is_last = i + 1 == outer.size();
      const End follow = is_last ? info.end : End::kOther;
      const auto exit = is_last ? info.next : exits_.is_constant_return(outer[i + 1]) ? outer[i + 1] : ast::StmtId{};
      std::size_t number = 0;
      ast::for_each_child_block(n, [&](const ast::Block& b) {
        const bool is_loop_body = loop && number == 0;
        const BlockInfo part{outer[i],
                             number,
                             exits_.end_of(n, number, b, follow),
                             info.protection.in_part(n, b),
                             is_loop_body ? follow == End::kReturn : info.break_returns,
                             is_loop_body || !(loop || ast::is<ast::If, ast::Match>(n)) ? ast::StmtId{} : exit,
                             is_loop_body ? exit : info.after_break};
        if (may_change(tree_, b) || std::ranges::any_of(b, [&](ast::StmtId s) { return part.is_break(exits_, s); })) {
          infos.push_back(part);
          infos.back().column = column_of_part(outer, i, number, b);
        }
        ++number;
      });
    }
  }

  // Returns the column of the n-th block of a statement as decided by the statement, kUnknown if it does not. The body
  // of an `if` counts only if it surely is the body in the source, and an `else` only if it is an `elif`.
  Column column_of_part(const ast::Block& outer, std::size_t i, std::size_t number, const ast::Block& part) {
    const auto& n = node(outer[i]);
    if (ast::is<ast::Match>(n) || column_of(outer) == kUnknown) return kUnknown;
    const Column inner = column_of(outer) + kIndent;
    if (!std::holds_alternative<ast::If>(n)) return number == 0 || ast::is<ast::For, ast::While>(n) ? inner : kUnknown;
    if (number == 0) return columns_.has_source_test(outer[i], column_of(outer)) ? inner : kUnknown;
    return columns_.keyword(part[0], column_of(outer)) == Keyword::kElif ? column_of(outer) : kUnknown;
  }

  // Applies the rules that decide which statements belong to the block, before its inner blocks are visited.
  void lay_out_top_down(ast::Block& block) {
    while (split_inverted_exit(block)) continue;
    for (auto i = block.size(); i-- > 0;) loop_exits_.lay_out(block, i, info_->end);
    for (auto& s : block) {
      if (info_->is_break(exits_, s)) s = tree_.stmt(ast::Break{}, tree_.stmts[s].origin);
      empty_arms_.restore_in_test(s);
      conditions_.split_loop_test(s);
      if (conditions_.tests_of(s).operation != nullptr)
        conditions_.split_condition(s, column_of(block));
      else
        conditions_.nest_assertion(s);
    }
    const auto split_inner_guard = [&] {
      if (info_->end != End::kOther && may_invert() && conditions_.tests_of(block.back()).operation != nullptr)
        conditions_.split_inner_guard(block.back(), column_of(block), info_->end);
    };
    split_inner_guard();
    if (info_->end != End::kOther && may_invert())
      while (conditions_.split_guard(block, block.size() - 1, column_of(block), info_->end)) continue;
    for (std::size_t i = 0; i < block.size(); ++i)
      if (const auto line = empty_arms_.line_of_else(block, i, info_->end); line >= 0 && column_of(block) != kUnknown)
        empty_arms_.restore_else(block, i, line, *column_);
    join_deletions(tree_, columns_, block);
    nest_under_guard(block);
    if (info_->end == End::kContinue && may_invert() && ast::is<ast::If>(node(block.back())) &&
        column_of(block) != kUnknown)
      empty_arms_.restore_continue(block.back(), *column_);
    split_inner_guard();
    if (info_->end == End::kReturn && column_of(block) != kUnknown) exits_.move_return_after(block, *column_);
    known_.clear(), covered_ = 0;
    for (auto i = block.size(); i-- > 0;) {
      if (!ast::is<ast::If, ast::Try>(node(block[i]))) continue;
      if (!std::holds_alternative<ast::If>(node(block[i])) || !make_conditional(block, i)) move_into_arm(block, i);
      covered_ = std::min(covered_, block.size() - i - 1);
    }
  }

  // Replaces the i-th statement by one with a conditional expression. Returns false if it is none.
  bool make_conditional(ast::Block& block, std::size_t i) {
    return conditions_.assign_conditional(block, i) || conditions_.return_conditional(block, i) ||
           (info_->end == End::kReturn && conditions_.return_conditional_or_none(block, i));
  }

  // Rewrites `if not a: b; c` to `if a: continue`, `else: b` and then c, if c is at the column of the `if`.
  bool split_inverted_exit(ast::Block& block) {
    const auto* test = std::get_if<ast::If>(&node(block.back()));
    if (test == nullptr || !test->orelse.empty() || info_->end == End::kOther || !may_invert()) return false;
    if (column_of(block) == kUnknown) return false;
    const auto size = columns_.size_of_deeper_part(test->body, column_of(block));
    const auto negated = size < test->body.size() ? conditions_.negation_of(test->test) : std::nullopt;
    if (!negated) return false;
    const auto exit = exits_.make_exit(info_->end, tree_.stmts[block.back()].origin);
    auto& changed = std::get<ast::If>(node(block.back()));
    changed.test = *negated;
    const auto all = std::exchange(changed.body, {exit});
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(size);
    changed.orelse.assign(all.begin(), first);
    block.insert(block.end(), first, all.end());
    return true;
  }

  // Returns whether the current block is the body of a `try` with `finally` and no clauses. A `try` in it may be the
  // same statement in the source.
  [[nodiscard]] bool is_finally_body() const {
    const auto* guard = info_->owner.valid() ? std::get_if<ast::Try>(&tree_.stmts[info_->owner].node) : nullptr;
    return guard != nullptr && guard->handlers.empty() && info_->number == 0;
  }

  // Returns the arm of a `try`, whose clauses exit, that the code after it can move into, else null: the `else` if the
  // code is after the clauses in the source, the body if it is a `return` before them.
  ast::Block* arm_for_follow(ast::StmtNode& n, ast::StmtId next) const {
    auto& guard = std::get<ast::Try>(n);
    const auto exits = [&](const ast::ExceptHandler& h) { return always_exits(tree_, h.body); };
    if (!guard.finalbody.empty() || !std::ranges::all_of(guard.handlers, exits) || is_finally_body()) return nullptr;
    const Start start = columns_.statement_start(next);
    const auto line =
        start.known() || !ast::has_blocks(tree_.stmts[next].node) ? start.line : columns_.first_line(next);
    if (line > columns_.last_line(guard.handlers.back())) return &guard.orelse;
    const auto& returns = tree_.stmts[next].node;
    const bool is_same_code = ast::is<ast::Return>(returns) && is_same_code_inside(tree_, dialect_, returns);
    return is_same_code && guard.orelse.empty() && line > columns_.last_line(guard.body.back()) ? &guard.body : nullptr;
  }
  ast::Block* arm_for_follow(ast::StmtId s, ast::StmtId next) {
    if (auto* test = std::get_if<ast::If>(&node(s))) return fall_through_arm(tree_, *test);
    return std::holds_alternative<ast::Try>(node(s)) ? arm_for_follow(node(s), next) : nullptr;
  }

  // Returns the end of the statements after the i-th that are at the column, or deeper and before one at the column.
  // Updates known_ to cover all statements after the i-th. The last `covered_` statements have not changed.
  ast::Block::iterator end_at_column(ast::Block& block, std::size_t i, Column column) {
    while (!known_.empty() && known_.back().from_end > covered_) known_.pop_back();
    for (; covered_ < block.size() - i - 1; ++covered_)
      if (const Column c = columns_.column_of(block[block.size() - covered_ - 1], column); c != kUnknown)
        known_.push_back({covered_ + 1, c});
    const auto first = block.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    auto last = first;
    for (auto k = known_.size();
         k-- > 0 && (known_[k].column == column || (last != first && known_[k].column > column));)
      last = block.end() - static_cast<std::ptrdiff_t>(known_[k].from_end) + 1;
    return last;
  }

  // Moves the statements after the i-th into its arm if they are at the column of the arm, or are an `elif`.
  void move_into_arm(ast::Block& block, std::size_t i) {
    if (i + 1 == block.size() || column_of(block) == kUnknown) return;
    auto* arm = arm_for_follow(block[i], block[i + 1]);
    if (arm == nullptr) return;
    const auto* test = std::get_if<ast::If>(&node(block[i]));
    const bool has_no_else = test != nullptr && test->orelse.empty();
    const bool is_elif = has_no_else && columns_.is_elif_of(block[i], block[i + 1], column_of(block));
    if (has_no_else && !is_elif && !empty_arms_.can_have_else(*test, block[i + 1])) return;
    const Column inner = column_of(block) + kIndent;
    const bool is_at_block = is_elif || test == nullptr || columns_.statement_start(test->body[0]).column == inner;
    if (!is_at_block && columns_.keyword(block[i], column_of(block)) == Keyword::kOther &&
        columns_.keyword(block[i], inner) == Keyword::kIf)
      return;
    const auto first = block.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    auto last = is_elif ? first + 1 : end_at_column(block, i, inner);
    if (last == first) return;
    // A `continue` has no column of its own and belongs to the statements before it.
    if (last != block.end() && last + 1 == block.end() && ast::is<ast::Continue>(node(*last))) ++last;
    arm->insert(arm->end(), first, last);
    block.erase(first, last);
    if (test == nullptr && i + 1 == block.size()) empty_arms_.drop_exits_of_clauses(block[i], info_->end);
    if (has_no_else && !move_exit_after(block, i)) empty_arms_.drop_exit_before_else(block, i, info_->end);
  }

  // Rewrites `if not a: break` with an `else` that always exits to `if a` and a `break` after it, if the `else` is on
  // the line after the test, where the `break` would be.
  bool move_exit_after(ast::Block& block, std::size_t i) {
    const auto& test = std::get<ast::If>(node(block[i]));
    if (i + 1 != block.size() || test.body.size() != 1 || !ast::is<ast::Break>(node(test.body[0]))) return false;
    const auto line = columns_.lines_of({ast::AnyId{test.orelse[0]}}).first;
    if (line != columns_.lines_of({ast::AnyId{test.test}}).last + 1 || !always_exits(tree_, test.orelse)) return false;
    const auto negated = conditions_.negation_of(test.test);
    if (!negated) return false;
    auto& changed = std::get<ast::If>(node(block[i]));
    changed.test = *negated;
    block.push_back(std::exchange(changed.body, std::exchange(changed.orelse, {}))[0]);
    return true;
  }

  // Moves the statements after a guard clause into `if not a`, if all of them are deeper. The clause is `if a` with an
  // exit that does what the end of the block does, or with a `break` or `continue` that the block ends in as well. If
  // the statements always exit and a `continue` is observable in the exception table, it is kept after them.
  void nest_under_guard(ast::Block& block) {
    const bool breaks = block.size() > 1 && ast::is<ast::Break, ast::Continue>(node(block.back()));
    const bool continues = !breaks && !info_->protection.may_invert_continue(dialect_) && is_exit(tree_, block.back());
    if (!breaks && !continues && (info_->end == End::kOther || !may_invert() || is_exit(tree_, block.back()))) return;
    const auto is_guard = [&](ast::StmtId s) {
      const auto* test = std::get_if<ast::If>(&node(s));
      if (test == nullptr || !test->orelse.empty() || test->body.size() != 1) return false;
      if (breaks) return node(test->body[0]).index() == node(block.back()).index();
      if (continues) return ast::is<ast::Continue>(node(test->body[0]));
      return exits_.is_exit_of(test->body[0], info_->end) &&
             exits_.column_of_return(test->body[0]) == kUnknown;  // with a column, it is in the source
    };
    const auto end = block.end() - (breaks ? 1 : 0);  // of the statements after a guard clause
    if (std::none_of(block.begin(), end - 1, is_guard) || column_of(block) == kUnknown) return;
    const Column inner = column_of(block) + kIndent;
    std::size_t guard = 0;                  // index of the first clause that fits
    std::optional<ast::ExprId> negated;     // negation of its test
    Column least = inner, next = kUnknown;  // of all statements after it, of the next one
    for (auto i = static_cast<std::size_t>(end - block.begin()); i-- > 0 && least >= inner;) {
      if (next == inner && is_guard(block[i]))
        if (const auto without = conditions_.negation_of(std::get<ast::If>(node(block[i])).test))
          guard = i, negated = without;
      next = columns_.column_of(block[i], inner);
      if (next != kUnknown) least = std::min(least, next);
    }
    if (!negated) return;
    auto& test = std::get<ast::If>(node(block[guard]));
    const auto first = block.begin() + static_cast<std::ptrdiff_t>(guard) + 1;
    test.test = *negated;
    const auto exit = std::exchange(test.body, {first, end})[0];
    block.erase(first, end);
    if (continues) block.push_back(exit);
  }

  // Applies the other rules, after the inner blocks have been visited.
  void lay_out_bottom_up(ast::Block& block, const BlockInfo& info) {
    info_ = &info, column_.reset();
    if (by_lines_) {
      const bool continues = is_elif(tree_, block, info.owner, info.number);
      lines_.lay_out(block, info.end, !info.owner.valid(), continues);
      if (!continues) indents_.lay_out(block);
      return;
    }
    for (auto i = block.size(); i-- > 0;) {
      if (std::holds_alternative<ast::Try>(node(block[i]))) {
        exits_.move_exit_to_else(block[i]);
        if (i + 1 == block.size()) empty_arms_.drop_exits_of_clauses(block[i], info_->end);
        move_try_else_after(block, i);
      }
      if (!std::holds_alternative<ast::If>(node(block[i]))) continue;
      move_else_after(block, i);
      move_end_of_body_after(block, i);
      if (may_invert() || exits_by_single_test(tree_, std::get<ast::If>(node(block[i]))))
        conditions_.swap_arms(block[i], column_of(block));
      conditions_.split_condition(block[i], column_of(block));
      if (!make_conditional(block, i)) write_guard_clause(block, i);
      for (auto k = i; conditions_.split_guard(block, k, column_of(block)); ++k) continue;
    }
  }

  // Returns the column of the current block before it was changed. It is computed when first needed.
  Column column_of(const ast::Block& block) {
    if (!column_) {
      const Column of_owner = column_from_owner(block);
      column_ = of_owner == kUnknown ? columns_.column_of_block(block) : of_owner;
    }
    return *column_;
  }

  // Returns the column of the current block as decided by its owner, kUnknown if that does not. This is more certain
  // than the tests in the block, which may be negated.
  [[nodiscard]] Column column_from_owner(const ast::Block& block) const {
    if (ast::is<ast::If>(tree_.stmts[block[0]].node) && info_->column != kUnknown) return info_->column;
    if (!info_->owner.valid() || info_->number != 0 || ast::is<ast::If>(tree_.stmts[info_->owner].node))
      return kUnknown;
    const Column outer = columns_.statement_start(info_->owner).column;  // of a loop or a `with` statement
    return outer == kUnknown ? kUnknown : outer + kIndent;
  }

  // Moves the `else` of an `if` to after it, if its statements are at the column of the `if`. If the body does not
  // exit, it gets an exit that does what the end of the block does.
  void move_else_after(ast::Block& block, std::size_t i) {
    const auto& test = std::get<ast::If>(node(block[i]));
    if (test.orelse.empty()) return;
    const bool exits = always_exits(tree_, test.body);
    if ((!exits && (info_->end == End::kOther || i + 1 != block.size())) || column_of(block) == kUnknown) return;
    if (columns_.is_at_column(test.orelse, column_of(block) + kIndent)) return;
    const auto kept = columns_.is_elif_of(block[i], test.orelse[0], column_of(block)) ? 1 : 0;
    const ast::Block rest(test.orelse.begin() + kept, test.orelse.end());
    if (!columns_.is_at_column(rest, column_of(block))) return;
    if (!exits && rest.size() == 1 && columns_.may_be_elif(rest[0], column_of(block))) return;
    const auto exit = exits ? ast::StmtId{} : exits_.make_exit(info_->end, tree_.stmts[test.body.back()].origin);
    auto& changed = std::get<ast::If>(node(block[i]));
    if (exit.valid()) changed.body.push_back(exit);
    changed.orelse.resize(static_cast<std::size_t>(kept));
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
  }

  // Moves the end of the body of an `if` to after it, if it is at the column of the `if` and the `else` always exits.
  void move_end_of_body_after(ast::Block& block, std::size_t i) {
    const auto& test = std::get<ast::If>(node(block[i]));
    if (test.orelse.empty() || !always_exits(tree_, test.orelse) || column_of(block) == kUnknown) return;
    const auto size = columns_.size_of_deeper_part(test.body, column_of(block));
    if (size == test.body.size()) return;
    auto& body = std::get<ast::If>(node(block[i])).body;
    const ast::Block rest(body.begin() + static_cast<std::ptrdiff_t>(size), body.end());
    body.resize(size);
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
  }

  // Does what move_else_after() does for the `else` of a `try`; clauses that do not exit get an exit.
  void move_try_else_after(ast::Block& block, std::size_t i) {
    const auto& guard = std::get<ast::Try>(node(block[i]));
    if (guard.orelse.empty() || !guard.finalbody.empty()) return;
    const auto falls_through = [&](const ast::ExceptHandler& h) { return !always_exits(tree_, h.body); };
    const bool needs_exits = std::ranges::any_of(guard.handlers, falls_through);
    const bool may_add_exits = info_->end != End::kOther && i + 1 == block.size() && !guard.is_star &&
                               is_same_code_inside(tree_, dialect_, exits_.exit_node(info_->end));
    if ((needs_exits && !may_add_exits) || column_of(block) == kUnknown ||
        !columns_.is_at_column(guard.orelse, column_of(block)))
      return;
    for (std::size_t k = 0; needs_exits && k < std::get<ast::Try>(node(block[i])).handlers.size(); ++k) {
      const auto& body = std::get<ast::Try>(node(block[i])).handlers[k].body;
      if (always_exits(tree_, body)) continue;
      const auto exit = exits_.make_exit(info_->end, tree_.stmts[body.back()].origin);
      auto& changed = std::get<ast::Try>(node(block[i])).handlers[k].body;
      if (ast::is_pass(tree_, changed)) changed.clear();
      changed.push_back(exit);
    }
    const auto rest = std::exchange(std::get<ast::Try>(node(block[i])).orelse, {});
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
  }

  // Rewrites `if not a` to the guard clause `if a` with the body after it, if the body is at the column of the `if` or
  // starts with an `elif`. The exit of the clause is the `else`, or does what the end of the block does.
  void write_guard_clause(ast::Block& block, std::size_t i) {
    const auto& test = std::get<ast::If>(node(block[i]));
    const bool has_exit = test.orelse.empty() ? info_->end != End::kOther && may_invert() && i + 1 == block.size()
                                              : always_exits(tree_, test.orelse);
    if (!has_exit || column_of(block) == kUnknown) return;
    const auto kept = columns_.keyword(test.body[0], column_of(block)) == Keyword::kElif ? 1 : 0;
    const bool has_rest = test.body.size() > static_cast<std::size_t>(kept);
    if (has_rest && !columns_.is_at_column({test.body.begin() + kept, test.body.end()}, column_of(block))) return;
    if (test.orelse.empty() && has_no_line_for_exit(block, test)) return;
    const auto negated = conditions_.negation_of(test.test);
    if (!negated) return;
    auto guard = test.orelse;
    if (guard.empty()) guard = {exits_.make_exit(info_->end, tree_.stmts[block[i]].origin)};
    auto& changed = std::get<ast::If>(node(block[i]));
    changed.test = *negated;
    const auto rest = std::exchange(changed.body, guard);
    changed.orelse.assign(rest.begin(), rest.begin() + kept);
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin() + kept, rest.end());
  }

  // Returns whether the body of `if not a` is on the line after the test, which leaves no line for the exit of `if a`.
  // Such a clause on one line is accepted only if the column of the block is certain and is that of the body.
  bool has_no_line_for_exit(const ast::Block& block, const ast::If& test) {
    if (!columns_.is_right_below(test.test, test.body[0])) return false;
    const Column column = info_->owner.valid() ? column_from_owner(block) : usual_column_;
    return column == kUnknown || !columns_.is_at_column(test.body, column);
  }

  // Returns whether the end of the current block may become an arm of a test; see GuardClauses::may_invert.
  [[nodiscard]] bool may_invert() const {
    return info_->end != End::kContinue || info_->protection.may_invert_continue(dialect_);
  }

  ast::StmtNode& node(ast::StmtId s) { return tree_.stmts[s].node; }

  ast::Tree& tree_;
  const Dialect& dialect_;
  bool is_module_;
  Column usual_column_;
  bool by_lines_ = true;  // columns are unknown, or the code is not indented by four columns
  Columns columns_;
  Exits exits_;
  LoopExits loop_exits_;
  Conditions conditions_;
  Words words_;
  EmptyArms empty_arms_;
  DefaultCases default_cases_;
  LineLayout lines_;
  OtherIndents indents_;
  struct Known {
    std::size_t from_end = 0;  // 1: the last of the block
    Column column = kUnknown;
  };
  const BlockInfo* info_ = nullptr;  // of the current block
  std::optional<Column> column_;     // of the current block
  std::vector<Known> known_;         // statements of the current block whose column is known, the last one first
  std::size_t covered_ = 0;          // how many of its last statements known_ covers
};

}  // namespace

void follow_source_layout(const CodeTree& code_tree, ast::Tree& tree, const Dialect& dialect,
                          SourcePositions& positions, CodeId code, ast::Block& body) {
  SourceLayout layout(code_tree, tree, dialect, positions, code);
  layout.run(body, code_tree.codes[code].flags);
}

}  // namespace depyf::idiom
