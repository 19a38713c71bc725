// SPDX-License-Identifier: MIT
// Layout by the columns of the source; see source_layout.h.
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

// Whether a target is written as it is: an attribute of another name, or a private one, may be deleted by a call.
bool is_plain(const ast::Tree& tree, ast::ExprId target) {
  const auto* a = std::get_if<ast::Attribute>(&tree.exprs[target].node);
  if (a == nullptr) return true;
  const auto name = tree.text(a->attr);
  return is_plain_identifier(name) && name.find("__") == std::string_view::npos;
}

// `del a, b`, which is an instruction for each.
void join_deletions(ast::Tree& tree, const Columns& columns, ast::Block& block) {
  const auto deletes = [&](ast::StmtId s) { return std::holds_alternative<ast::Delete>(tree.stmts[s].node); };
  if (std::ranges::count_if(block, deletes) < 2) return;
  ast::Block out;
  const auto targets_of = [&](ast::StmtId s) -> const ast::ExprIds* {
    const auto* d = std::get_if<ast::Delete>(&tree.stmts[s].node);
    return d != nullptr && is_plain(tree, d->targets[0]) ? &d->targets : nullptr;
  };
  const auto is_next = [&](ast::ExprId before, ast::ExprId target) {
    const auto *p = columns.place_of(tree.exprs[before].origin), *q = columns.place_of(tree.exprs[target].origin);
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
    out.back() = tree.stmt(ast::Delete{std::move(targets)}, origin);  // a new one: the first may stand elsewhere, too
  }
  block = std::move(out);
}

// `with a, b` of which b stands on a later line, as far in as a `with b` in the body of `with a` does: it is the same code.
// Where lines alone are known, the body must begin right below: no line is left for a parenthesis.
void nest_with(ast::Tree& tree, const Columns& columns, ast::StmtId s) {
  const auto* joined = std::get_if<ast::With>(&tree.stmts[s].node);
  if (joined == nullptr || joined->items.size() < 2) return;
  const auto above_body = columns.lines_of({ast::AnyId{joined->items.back().context}}).last;
  const bool has_parenthesis = columns.first_line(joined->body[0]) != above_body + 1;
  const auto begins = [&](ast::ExprId first, ast::ExprId before, ast::ExprId item) {
    const auto above = columns.lines_of({ast::AnyId{before}}).last;
    if (above < 0 || columns.lines_of({ast::AnyId{item}}).first <= above) return false;
    const Start outer = columns.start_of(first), inner = columns.start_of(item);
    return outer.known() ? inner.column == outer.column + kIndent : !has_parenthesis;
  };
  std::vector<ast::With> nested(1);  // outermost first
  for (const auto& item : joined->items) {
    auto& items = nested.back().items;
    if (!items.empty() && begins(items.front().context, items.back().context, item.context)) nested.emplace_back();
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

// Whether the n-th block of a statement is an `elif`.
bool is_elif(const ast::Tree& tree, const ast::Block& block, ast::StmtId owner, std::size_t number) {
  const auto is_if = [&](ast::StmtId s) { return ast::is<ast::If>(tree.stmts[s].node); };
  return owner.valid() && number == 1 && block.size() == 1 && is_if(block[0]) && is_if(owner);
}

bool may_change(const ast::Tree& tree, const ast::Block& block) {
  return has_arms(tree, block) || std::ranges::any_of(block, [&](ast::StmtId s) {
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
    exits_.find(body);
    if (!dialect_.call_finally) exits_.return_after_finally(body);
    by_lines_ = !dialect_.exception_table || indents_.are_others(body);
    if (may_change(tree_, body)) lay_out_all(body, flags);
    if (!dialect_.exception_table) return;
    if ((flags & kCoAsyncGenerator) == 0) exits_.write_returns();  // there none may say None
    if (!body.empty() || !is_module_) words_.write(body, end_of_body(flags));
    words_.write_passes(body);
  }

 private:
  void lay_out_all(ast::Block& body, std::uint32_t flags) {
    // Blocks are listed before those within them and laid out after them.
    std::vector<Place> places{
        {{}, 0, end_of_body(flags), {(flags & (kCoGenerator | kCoCoroutine | kCoAsyncGenerator)) != 0}}};
    for (std::size_t k = 0; k < places.size(); ++k) {
      const Place place = places[k];
      auto& nested = block_of(tree_, body, place.owner, place.number);
      place_ = &place, around_.reset();
      for (const auto s : nested) nest_with(tree_, columns_, s);
      if (by_lines_) {
        join_deletions(tree_, columns_, nested);
      } else {
        for (auto i = nested.size(); i-- > 0;) default_cases_.restore(nested, i);
        nest(nested);
      }
      list_below(nested, place, places);
    }
    const auto has_layout = [&](ast::StmtId s) { return ast::is<ast::If, ast::Try, ast::Assert>(node(s)); };
    for (auto k = places.size(); k-- > 0;) {
      auto& block = block_of(tree_, body, places[k].owner, places[k].number);
      if (std::ranges::any_of(block, has_layout)) lay_out(block, places[k]);
    }
  }

  struct Place {  // the n-th block of a statement, or the body; what its end does
    ast::StmtId owner;
    std::size_t number = 0;
    End end = End::kOther;
    Protection protection;
    bool break_returns = false;    // a `break` there ends the function
    ast::StmtId next = {};         // the `return` of a constant that follows it, if one does
    ast::StmtId after_break = {};  // the same for a `break` there
    Column column = kUnknown;      // where it stands, as far as the statement that holds it tells

    // Whether an exit is what a `break` there leads to: the copy of a short one has its place.
    [[nodiscard]] bool is_break(const Exits& exits, ast::StmtId s) const {
      return (break_returns && exits.is_break(s)) || (after_break.valid() && exits.is_copy(s, after_break));
    }
  };

  void list_below(const ast::Block& outer, const Place& place, std::vector<Place>& places) {
    for (std::size_t i = 0; i < outer.size(); ++i) {
      const auto& n = node(outer[i]);
      if (!ast::has_blocks(n) || ast::is_scope(n)) continue;
      const bool loop = ast::is<ast::For, ast::While>(n);
      const bool is_last = i + 1 == outer.size();
      const End follow = is_last ? place.end : End::kOther;
      const auto exit = is_last ? place.next : exits_.is_constant_return(outer[i + 1]) ? outer[i + 1] : ast::StmtId{};
      std::size_t number = 0;
      ast::for_each_child_block(n, [&](const ast::Block& b) {
        const bool repeats = loop && number == 0;
        const Place part{outer[i],
                         number,
                         exits_.end_of(n, number, b, follow),
                         place.protection.in_part(n, b),
                         repeats ? follow == End::kReturn : place.break_returns,
                         repeats || !(loop || ast::is<ast::If, ast::Match>(n)) ? ast::StmtId{} : exit,
                         repeats ? exit : place.after_break};
        if (may_change(tree_, b) || std::ranges::any_of(b, [&](ast::StmtId s) { return part.is_break(exits_, s); })) {
          places.push_back(part);
          places.back().column = column_of_part(outer, i, number, b);
        }
        ++number;
      });
    }
  }

  // Where the n-th block of a statement stands, as far as the statement tells: the body of an `if` only if that surely is
  // its body in the source, an `elif` where the `if` does.
  Column column_of_part(const ast::Block& outer, std::size_t i, std::size_t number, const ast::Block& part) {
    const auto& n = node(outer[i]);
    if (ast::is<ast::Match>(n) || around(outer) == kUnknown) return kUnknown;
    const Column inner = around(outer) + kIndent;
    if (!std::holds_alternative<ast::If>(n)) return number == 0 || ast::is<ast::For, ast::While>(n) ? inner : kUnknown;
    if (number == 0) return columns_.begins_as_written(outer[i], around(outer)) ? inner : kUnknown;
    return columns_.keyword(part[0], around(outer)) == Keyword::kElif ? around(outer) : kUnknown;
  }

  // What stands further in than the tests before it say, or further out.
  void nest(ast::Block& block) {
    while (out_of_arm(block)) continue;
    for (auto i = block.size(); i-- > 0;) loop_exits_.lay_out(block, i, place_->end);
    for (auto& s : block) {
      if (place_->is_break(exits_, s)) s = tree_.stmt(ast::Break{}, tree_.stmts[s].origin);
      empty_arms_.restore_in_test(s);
      conditions_.split_loop_test(s);
      if (conditions_.tests_of(s).both != nullptr)
        conditions_.split_condition(s, around(block));
      else
        conditions_.nest_assertion(s);
    }
    const auto guard_within = [&] {
      if (place_->end != End::kOther && may_invert() && conditions_.tests_of(block.back()).both != nullptr)
        conditions_.split_inner_guard(block.back(), around(block), place_->end);
    };
    guard_within();
    if (place_->end != End::kOther && may_invert())
      while (conditions_.split_guard(block, block.size() - 1, around(block), place_->end)) continue;
    for (std::size_t i = 0; i < block.size(); ++i)
      if (const auto line = empty_arms_.line_of_else(block, i, place_->end); line >= 0 && around(block) != kUnknown)
        empty_arms_.restore_else(block, i, line, *around_);
    join_deletions(tree_, columns_, block);
    under_guards(block);
    if (place_->end == End::kContinue && may_invert() && ast::is<ast::If>(node(block.back())) &&
        around(block) != kUnknown)
      empty_arms_.restore_continue(block.back(), *around_);
    guard_within();
    if (place_->end == End::kReturn && around(block) != kUnknown) exits_.move_return_after(block, *around_);
    known_.clear(), described_ = 0;
    for (auto i = block.size(); i-- > 0;) {
      if (!ast::is<ast::If, ast::Try>(node(block[i]))) continue;
      if (!std::holds_alternative<ast::If>(node(block[i])) || !make_conditional(block, i)) into_arm(block, i);
      described_ = std::min(described_, block.size() - i - 1);
    }
  }

  // Whether the i-th statement was made a statement with a conditional expression.
  bool make_conditional(ast::Block& block, std::size_t i) {
    return conditions_.assigned_conditional(block, i) || conditions_.as_conditional(block, i) ||
           (place_->end == End::kReturn && conditions_.ends_in_conditional(block, i));
  }

  // `if not a` around the `else` of `if a: continue` and what follows that, which stands as far out as the `if`.
  bool out_of_arm(ast::Block& block) {
    const auto* test = std::get_if<ast::If>(&node(block.back()));
    if (test == nullptr || !test->orelse.empty() || place_->end == End::kOther || !may_invert()) return false;
    if (around(block) == kUnknown) return false;
    const auto size = columns_.size_of_arm(test->body, around(block));
    const auto negated = size < test->body.size() ? conditions_.without(test->test) : std::nullopt;
    if (!negated) return false;
    const auto exit = exits_.make(place_->end, tree_.stmts[block.back()].origin);
    auto& changed = std::get<ast::If>(node(block.back()));
    changed.test = *negated;
    const auto all = std::exchange(changed.body, {exit});
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(size);
    changed.orelse.assign(all.begin(), first);
    block.insert(block.end(), first, all.end());
    return true;
  }

  // Whether the block at work is all that a `finally` guards: a `try` there may be the same statement in the source.
  [[nodiscard]] bool is_guarded() const {
    const auto* guard = place_->owner.valid() ? std::get_if<ast::Try>(&tree_.stmts[place_->owner].node) : nullptr;
    return guard != nullptr && guard->handlers.empty() && place_->number == 0;
  }

  // The `else` of a `try` whose clauses leave, if what follows comes after these in the source; its body, if that is a
  // `return` which comes before them and leaves the body as it leaves what is around.
  ast::Block* arm_before(ast::StmtNode& n, ast::StmtId next) const {
    auto& guard = std::get<ast::Try>(n);
    const auto exits = [&](const ast::ExceptHandler& h) { return always_exits(tree_, h.body); };
    if (!guard.finalbody.empty() || !std::ranges::all_of(guard.handlers, exits) || is_guarded()) return nullptr;
    const Start start = columns_.simple_start(next);
    const auto line =
        start.known() || !ast::has_blocks(tree_.stmts[next].node) ? start.line : columns_.first_line(next);
    if (line > columns_.last_line(guard.handlers.back())) return &guard.orelse;
    const auto& returns = tree_.stmts[next].node;
    const bool alike = ast::is<ast::Return>(returns) && exits_alike_inside(tree_, dialect_, returns);
    return alike && guard.orelse.empty() && line > columns_.last_line(guard.body.back()) ? &guard.body : nullptr;
  }
  ast::Block* arm_before(ast::StmtId s, ast::StmtId next) {
    if (auto* test = std::get_if<ast::If>(&node(s))) return open_arm(tree_, *test);
    return std::holds_alternative<ast::Try>(node(s)) ? arm_before(node(s), next) : nullptr;
  }

  // What follows stands where an arm does, or is an `elif`.
  void into_arm(ast::Block& block, std::size_t i) {
    if (i + 1 == block.size() || around(block) == kUnknown) return;
    auto* arm = arm_before(block[i], block[i + 1]);
    if (arm == nullptr) return;
    const auto* test = std::get_if<ast::If>(&node(block[i]));
    const bool alone = test != nullptr && test->orelse.empty();
    const bool is_elif = alone && columns_.is_elif_of(block[i], block[i + 1], around(block));
    if (alone && !is_elif && exits_.is_bare_return(test->body.back()) &&
        exits_.column_of_return(test->body.back()) == kUnknown && !exits_.is_empty_word(test->body) &&
        !exits_.ends_in_unwritten_return(test->body))
      return;
    const auto has_line_for_else = [&] {  // what nobody wrote has the place of the test
      const auto last = columns_.last_line_with_exit(test->body);
      return last <= columns_.lines_of({ast::AnyId{test->test}}).last || columns_.first_line(block[i + 1]) != last + 1;
    };
    if (alone && !is_elif && !has_line_for_else()) return;
    const Column inner = around(block) + kIndent;
    const bool is_here = is_elif || test == nullptr || columns_.simple_start(test->body[0]).column == inner;
    if (!is_here && columns_.keyword(block[i], around(block)) == Keyword::kOther &&
        columns_.keyword(block[i], inner) == Keyword::kIf)
      return;
    const auto first = block.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    auto last = first;
    if (is_elif) {
      ++last;
    } else {
      describe(block, i, inner);
      for (auto k = known_.size();
           k-- > 0 && (known_[k].column == inner || (last != first && known_[k].column > inner));)
        last = block.end() - static_cast<std::ptrdiff_t>(known_[k].from_end) + 1;
    }
    if (last == first) return;
    // a `continue` of its own stands where what precedes it does (SourcePositions::written_jump_after)
    if (last != block.end() && last + 1 == block.end() && ast::is<ast::Continue>(node(*last))) ++last;
    arm->insert(arm->end(), first, last);
    block.erase(first, last);
    if (test == nullptr && i + 1 == block.size()) empty_arms_.drop_exits_of_clauses(block[i], place_->end);
    if (!alone || exit_after_arm(block, i)) return;
    auto& body = std::get<ast::If>(node(block[i])).body;
    const bool ends = i + 1 == block.size();
    const auto is_break = [&](ast::StmtId s) { return std::holds_alternative<ast::Break>(node(s)); };
    if (ends ? exits_.ends_in_unwritten(body, place_->end)
             : body.size() > 1 && is_break(body.back()) && is_break(block[i + 1]))  // one `break` follows both arms
      body.pop_back();
  }

  // `if not a: break` with an `else` that leaves and is on the line after the test, where a `break` would be: that stands
  // after `if a`.
  bool exit_after_arm(ast::Block& block, std::size_t i) {
    const auto& test = std::get<ast::If>(node(block[i]));
    if (i + 1 != block.size() || test.body.size() != 1 || !ast::is<ast::Break>(node(test.body[0]))) return false;
    const auto line = columns_.lines_of({ast::AnyId{test.orelse[0]}}).first;
    if (line != columns_.lines_of({ast::AnyId{test.test}}).last + 1 || !always_exits(tree_, test.orelse)) return false;
    const auto negated = conditions_.without(test.test);
    if (!negated) return false;
    auto& changed = std::get<ast::If>(node(block[i]));
    changed.test = *negated;
    block.push_back(std::exchange(changed.body, std::exchange(changed.orelse, {}))[0]);
    return true;
  }

  // `if a: continue` before statements of which none stands as far out as it does; `if a: break`, if a `break` follows them,
  // or `if a: continue` likewise.
  // If they leave, the `continue` follows them, too: it is known to be one where it shows what the test leads to.
  void under_guards(ast::Block& block) {
    const bool breaks = block.size() > 1 && ast::is<ast::Break, ast::Continue>(node(block.back()));
    const bool continues = !breaks && !place_->protection.may_invert_continue(dialect_) && is_exit(tree_, block.back());
    if (!breaks && !continues && (place_->end == End::kOther || !may_invert() || is_exit(tree_, block.back()))) return;
    const auto is_guard = [&](ast::StmtId s) {
      const auto* test = std::get_if<ast::If>(&node(s));
      if (test == nullptr || !test->orelse.empty() || test->body.size() != 1) return false;
      if (breaks) return node(test->body[0]).index() == node(block.back()).index();
      if (continues) return ast::is<ast::Continue>(node(test->body[0]));
      return exits_.does(test->body[0], place_->end) &&
             exits_.column_of_return(test->body[0]) == kUnknown;  // else the source has it
    };
    const auto end = block.end() - (breaks ? 1 : 0);  // of what follows a guard
    if (std::none_of(block.begin(), end - 1, is_guard) || around(block) == kUnknown) return;
    const Column inner = around(block) + kIndent;
    std::size_t guard = 0;                  // the first
    std::optional<ast::ExprId> negated;     // its test
    Column least = inner, next = kUnknown;  // of what follows
    for (auto i = static_cast<std::size_t>(end - block.begin()); i-- > 0 && least >= inner;) {
      if (next == inner && is_guard(block[i]))
        if (const auto without = conditions_.without(std::get<ast::If>(node(block[i])).test))
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

  void lay_out(ast::Block& block, const Place& place) {
    place_ = &place, around_.reset();
    if (by_lines_) {
      const bool continues = is_elif(tree_, block, place.owner, place.number);
      lines_.lay_out(block, place.end, !place.owner.valid(), continues);
      if (!continues) indents_.lay_out(block);
      return;
    }
    for (auto i = block.size(); i-- > 0;) {
      if (std::holds_alternative<ast::Try>(node(block[i]))) {
        exits_.leave_try(block[i]);
        if (i + 1 == block.size()) empty_arms_.drop_exits_of_clauses(block[i], place_->end);
        after_clauses(block, i);
      }
      if (!std::holds_alternative<ast::If>(node(block[i]))) continue;
      after_else(block, i);
      after_body(block, i);
      if (may_invert() || leaves_by_one_test(tree_, std::get<ast::If>(node(block[i]))))
        conditions_.turn(block[i], around(block));
      conditions_.split_condition(block[i], around(block));
      if (!make_conditional(block, i)) after_guard(block, i);
      for (auto k = i; conditions_.split_guard(block, k, around(block)); ++k) continue;
    }
  }

  // Where the block at work stood before anything in it was changed; most rules find out before they have to know.
  Column around(const ast::Block& block) {
    if (!around_) {
      const Column told = told_by_owner(block);
      around_ = told == kUnknown ? columns_.column_of_block(block) : told;
    }
    return *around_;
  }

  // The same as far as the statement that holds the block says: what its own tests tell may be otherwise in the source.
  [[nodiscard]] Column told_by_owner(const ast::Block& block) const {
    if (ast::is<ast::If>(tree_.stmts[block[0]].node) && place_->column != kUnknown) return place_->column;
    if (!place_->owner.valid() || place_->number != 0 || ast::is<ast::If>(tree_.stmts[place_->owner].node))
      return kUnknown;
    const Column outer = columns_.simple_start(place_->owner).column;  // of a loop or a with statement
    return outer == kUnknown ? kUnknown : outer + kIndent;
  }

  // Makes known_ what is known of the statements after the i-th, of which the last `described_` are unchanged.
  void describe(const ast::Block& block, std::size_t i, Column inner) {
    while (!known_.empty() && known_.back().from_end > described_) known_.pop_back();
    for (; described_ < block.size() - i - 1; ++described_)
      if (const Column c = columns_.column_of(block[block.size() - described_ - 1], inner); c != kUnknown)
        known_.push_back({described_ + 1, c});
  }

  // `if a: return` with an `else` whose statements stand where the `if` does. The end of its body may be what leaves.
  void after_else(ast::Block& block, std::size_t i) {
    const auto& test = std::get<ast::If>(node(block[i]));
    if (test.orelse.empty()) return;
    const bool exits = always_exits(tree_, test.body);
    if ((!exits && (place_->end == End::kOther || i + 1 != block.size())) || around(block) == kUnknown) return;
    if (columns_.is_at_column(test.orelse, around(block) + kIndent)) return;
    const auto own = columns_.is_elif_of(block[i], test.orelse[0], around(block)) ? 1 : 0;
    const ast::Block rest(test.orelse.begin() + own, test.orelse.end());
    if (!columns_.is_at_column(rest, around(block))) return;
    if (!exits && rest.size() == 1 && columns_.may_be_elif(rest[0], around(block))) return;
    const auto exit = exits ? ast::StmtId{} : exits_.make(place_->end, tree_.stmts[test.body.back()].origin);
    auto& changed = std::get<ast::If>(node(block[i]));
    if (exit.valid()) changed.body.push_back(exit);
    changed.orelse.resize(static_cast<std::size_t>(own));
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
  }

  // `if a: b; return c` with an `else` that leaves: `return c` stands where the `if` does.
  void after_body(ast::Block& block, std::size_t i) {
    const auto& test = std::get<ast::If>(node(block[i]));
    if (test.orelse.empty() || !always_exits(tree_, test.orelse) || around(block) == kUnknown) return;
    const auto size = columns_.size_of_arm(test.body, around(block));
    if (size == test.body.size()) return;
    auto& body = std::get<ast::If>(node(block[i])).body;
    const ast::Block rest(body.begin() + static_cast<std::ptrdiff_t>(size), body.end());
    body.resize(size);
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
  }

  // `try` with an `else` whose statements stand where the `try` does. The ends of its clauses may be what leaves.
  void after_clauses(ast::Block& block, std::size_t i) {
    const auto& guard = std::get<ast::Try>(node(block[i]));
    if (guard.orelse.empty() || !guard.finalbody.empty()) return;
    const auto falls = [&](const ast::ExceptHandler& h) { return !always_exits(tree_, h.body); };
    const bool leaves = std::ranges::any_of(guard.handlers, falls);
    const bool may_leave = place_->end != End::kOther && i + 1 == block.size() && !guard.is_star &&
                           exits_alike_inside(tree_, dialect_, exits_.node_of(place_->end));
    if ((leaves && !may_leave) || around(block) == kUnknown || !columns_.is_at_column(guard.orelse, around(block)))
      return;
    for (std::size_t k = 0; leaves && k < std::get<ast::Try>(node(block[i])).handlers.size(); ++k) {
      const auto& body = std::get<ast::Try>(node(block[i])).handlers[k].body;
      if (always_exits(tree_, body)) continue;
      const auto exit = exits_.make(place_->end, tree_.stmts[body.back()].origin);
      auto& changed = std::get<ast::Try>(node(block[i])).handlers[k].body;
      if (ast::is_pass(tree_, changed)) changed.clear();
      changed.push_back(exit);
    }
    const auto rest = std::exchange(std::get<ast::Try>(node(block[i])).orelse, {});
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
  }

  // `if not a` around all that is left, or with an `else` that leaves: its body stands where the `if` does, or is an `elif`.
  void after_guard(ast::Block& block, std::size_t i) {
    const auto& test = std::get<ast::If>(node(block[i]));
    const bool leaves = test.orelse.empty() ? place_->end != End::kOther && may_invert() && i + 1 == block.size()
                                            : always_exits(tree_, test.orelse);
    if (!leaves || around(block) == kUnknown) return;
    const auto own = columns_.keyword(test.body[0], around(block)) == Keyword::kElif ? 1 : 0;
    const bool has_rest = test.body.size() > static_cast<std::size_t>(own);
    if (has_rest && !columns_.is_at_column({test.body.begin() + own, test.body.end()}, around(block))) return;
    if (test.orelse.empty() && has_no_line_for_exit(block, test)) return;
    const auto negated = conditions_.without(test.test);
    if (!negated) return;
    auto guard = test.orelse;
    if (guard.empty()) guard = {exits_.make(place_->end, tree_.stmts[block[i]].origin)};
    auto& changed = std::get<ast::If>(node(block[i]));
    changed.test = *negated;
    const auto rest = std::exchange(changed.body, guard);
    changed.orelse.assign(rest.begin(), rest.begin() + own);
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin() + own, rest.end());
  }

  // Whether the body of `if not a` is right below the test, with no line for `if a: return`: a person writes that on one line
  // at most where the block surely stands as far in as the body does.
  bool has_no_line_for_exit(const ast::Block& block, const ast::If& test) {
    if (!columns_.is_right_below(test.test, test.body[0])) return false;
    const Column told = place_->owner.valid() ? told_by_owner(block) : usual_column_;
    return told == kUnknown || !columns_.is_at_column(test.body, told);
  }

  // Whether the end of the block at work may become the other arm of a test: as in GuardClauses::may_invert.
  [[nodiscard]] bool may_invert() const {
    return place_->end != End::kContinue || place_->protection.may_invert_continue(dialect_);
  }

  ast::StmtNode& node(ast::StmtId s) { return tree_.stmts[s].node; }

  ast::Tree& tree_;
  const Dialect& dialect_;
  bool is_module_;
  Column usual_column_;
  bool by_lines_ = true;  // columns are not known, or not those that the rules know
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
  const Place* place_ = nullptr;  // at work
  std::optional<Column> around_;  // where its block stands
  std::vector<Known> known_;      // of the block at work: statements whose column is known, from the last on
  std::size_t described_ = 0;     // how many of its last statements that is about
};

}  // namespace

void follow_source_layout(const CodeTree& code_tree, ast::Tree& tree, const Dialect& dialect,
                          SourcePositions& positions, CodeId code, ast::Block& body) {
  SourceLayout layout(code_tree, tree, dialect, positions, code);
  layout.run(body, code_tree.codes[code].flags);
}

}  // namespace depyf::idiom
