// SPDX-License-Identifier: MIT
// Layout by the columns of the source; see source_layout.h.
#include "idiom/source_layout.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "ast/constants.h"
#include "ast/negation.h"
#include "ast/walk.h"
#include "idiom/arms.h"
#include "idiom/columns.h"
#include "support/unicode.h"

namespace depyf::idiom {

namespace {

class SourceLayout {
 public:
  SourceLayout(const CodeTree& code_tree, ast::Tree& tree, const Dialect& dialect, SourcePositions& positions,
               CodeId code)
      : code_tree_(code_tree), tree_(tree), dialect_(dialect), columns_(tree, positions, code) {}

  // A `return` at the end of a function that is written there: the one that is not has the line of another statement.
  // That of a constant stands where that does.
  void end(ast::Block& body, ast::Origin origin) {
    const auto* p = columns_.place_of(origin);
    if (p == nullptr || p->line != p->end_line) return;
    const auto length = p->end_column - p->column;
    const bool has_value = length == kNone;
    const Column column = has_value ? p->column - kReturnWord - 1 : p->column;
    if ((!has_value && length != kReturnWord) || column <= 0 || column % kIndent != 0) return;
    if (!body.empty() && columns_.last_line(body.back()) >= p->line) return;
    if (ast::is_pass(tree_, body)) body.clear();
    body.push_back(tree_.stmt(ast::Return{has_value ? tree_.expr(ast::NoneLiteral{}, origin) : ast::ExprId{}}, origin));
  }

  // Whether a conditional expression of two values may be what a `return` that stands there returns: one of them precedes
  // the test. A `return` out of a with statement has the place of that.
  [[nodiscard]] bool begins_in_return(const Position& place, const Start& test, ast::ExprId a, ast::ExprId b) const {
    for (const auto value : {a, b}) {
      const Start start = value.valid() ? columns_.start_of(value) : Start{};
      if (start.known() && !(start.line == place.line && start.column == place.column) && start.is_before(test))
        return true;
    }
    const Column none_if = place.column + kReturnWord + 1 + kNone + kAfterIf + 1;
    return test.line == place.line && (test.column == none_if || test.column == none_if + kNot);
  }
  // `b if a else c`, or `c if not a else b` where c comes first.
  ast::ExprId conditional(ast::ExprId test, ast::ExprId body, ast::ExprId orelse) {
    const Start start = columns_.start_of(orelse);
    const bool begins_first = !ast::is<ast::NoneLiteral>(tree_.exprs[orelse].node) && start.known() &&
                              start.is_before(columns_.start_of(test));
    const auto negated = begins_first ? without(test) : std::nullopt;
    if (negated) std::swap(body, orelse);
    return tree_.expr(ast::IfExp{negated.value_or(test), body, orelse}, tree_.exprs[body].origin);
  }

  void run(ast::Block& body, std::uint32_t flags) {
    if (!may_change(body)) return;
    ast::walk(tree_, body,
              Overloaded{[](ast::ExprId) { return false; },
                         [&](ast::StmtId s) {
                           const auto* r = std::get_if<ast::Return>(&node(s));
                           gives_values_ = gives_values_ || (r != nullptr && r->value.valid());
                           return !ast::is_scope(node(s));
                         }});
    // Blocks are listed before those within them and laid out after them.
    std::vector<Place> places{{{},
                               0,
                               (flags & kCoOptimized) != 0 ? End::kReturn : End::kOther,
                               (flags & (kCoGenerator | kCoCoroutine | kCoAsyncGenerator)) != 0}};
    for (std::size_t k = 0; k < places.size(); ++k) {
      const Place place = places[k];
      auto nested = *block(place, body);  // a copy: what is made for it may move the statement that holds it
      place_ = &place, around_.reset();
      if (nest(nested)) *block(place, body) = nested;
      list_below(nested, place, places);
    }
    const auto has_arm = [&](ast::StmtId s) { return ast::is<ast::If, ast::Try>(node(s)); };
    for (auto k = places.size(); k-- > 0;) {
      if (std::ranges::none_of(*block(places[k], body), has_arm)) continue;
      auto laid_out = *block(places[k], body);  // a copy: what is made for it may move the statement that holds it
      lay_out(laid_out, places[k]);
      *block(places[k], body) = std::move(laid_out);
    }
  }

 private:
  enum class End : std::uint8_t { kOther, kReturn, kContinue };

  struct Place {  // the n-th block of a statement, or the body; what its end does
    ast::StmtId owner;
    std::size_t number = 0;
    End end = End::kOther;
    bool is_protected = false;  // what raises there may have a handler
  };

  [[nodiscard]] bool may_change(const ast::Block& block) const {
    return has_arms(tree_, block) || std::ranges::any_of(block, [&](ast::StmtId s) {
             return ast::is<ast::Assert, ast::Delete>(tree_.stmts[s].node);
           });
  }

  void list_below(const ast::Block& around, const Place& place, std::vector<Place>& places) {
    for (std::size_t i = 0; i < around.size(); ++i) {
      const auto& n = node(around[i]);
      if (!ast::has_blocks(n) || ast::is_scope(n)) continue;
      const bool loop = ast::is<ast::For, ast::While>(n), arms = ast::is<ast::If, ast::Match>(n);
      const bool last = i + 1 == around.size() && place.end != End::kOther;
      const bool same = last && !arms && exits_alike_inside(tree_, dialect_, exit_of(place.end), n);
      std::size_t number = 0;
      ast::for_each_child_block(n, [&](const ast::Block& b) {
        const bool exits = (last && arms) || (same && falls_through_to_follow(n, b));
        const End end = loop && number == 0 ? End::kContinue : exits ? place.end : End::kOther;
        if (may_change(b))
          places.push_back({around[i], number, end, place.is_protected || ast::is<ast::Try, ast::With>(n)});
        ++number;
      });
    }
  }

  ast::Block* block(const Place& place, ast::Block& body) {
    return place.owner.valid() ? block_of(tree_, place.owner, place.number) : &body;
  }

  // What stands further in than the tests before it say. Whether something does.
  bool nest(ast::Block& block) {
    bool changed = false;
    for (std::size_t i = 0; i < block.size(); ++i)
      changed = split_condition(block[i], block) || nest_assertion(block[i]) || changed;
    changed = join_deletions(block) || changed;
    return under_guards(block) || changed;
  }

  // `del a, b`, which is an instruction for each.
  bool join_deletions(ast::Block& block) {
    ast::Block out;
    for (const auto s : block) {
      const auto* next = std::get_if<ast::Delete>(&node(s));
      if (next != nullptr && !is_plain(next->targets[0])) next = nullptr;
      auto* last = next != nullptr && !out.empty() ? std::get_if<ast::Delete>(&node(out.back())) : nullptr;
      if (last != nullptr && !is_plain(last->targets[0])) last = nullptr;
      const auto* p = last != nullptr ? columns_.place_of(tree_.exprs[last->targets.back()].origin) : nullptr;
      const auto* q = p != nullptr ? columns_.place_of(tree_.exprs[next->targets[0]].origin) : nullptr;
      if (q != nullptr && q->line == p->end_line && q->column == p->end_column + kComma)
        last->targets.insert(last->targets.end(), next->targets.begin(), next->targets.end());
      else
        out.push_back(s);
    }
    if (out.size() == block.size()) return false;
    block = std::move(out);
    return true;
  }

  // Whether a target is written as it is: an attribute of another name, or a private one, may be deleted by a call.
  [[nodiscard]] bool is_plain(ast::ExprId target) const {
    const auto* a = std::get_if<ast::Attribute>(&tree_.exprs[target].node);
    if (a == nullptr) return true;
    const auto name = tree_.text(a->attr);
    return is_plain_identifier(name) && name.find("__") == std::string_view::npos;
  }

  // The first operand of an operation that is on a line of its own, and may be the test of a statement at a column whose
  // keyword is so long; none: the number of operands.
  [[nodiscard]] std::ptrdiff_t first_on_line(const ast::ExprIds& values, Column column, Column keyword) const {
    const auto first = std::find_if(values.begin() + 1, values.end(), [&](const ast::ExprId& e) {
      const Start start = columns_.start_of(e), before = columns_.start_of(*(&e - 1));
      return before.known() && before.line < start.line && columns_.may_be_tested_at(e, column, keyword);
    });
    return first - values.begin();
  }
  [[nodiscard]] const ast::BoolOp* as_operation(ast::ExprId e, ast::BoolOperator op) const {
    const auto* both = e.valid() ? std::get_if<ast::BoolOp>(&tree_.exprs[e].node) : nullptr;
    return both != nullptr && both->op == op ? both : nullptr;
  }
  ast::ExprId joined(ast::BoolOperator op, ast::ExprIds values) {
    const auto origin = tree_.exprs[values[0]].origin;
    return values.size() == 1 ? values[0] : tree_.expr(ast::BoolOp{op, std::move(values)}, origin);
  }

  // `assert not a or b`, where `assert b` stands under `if a`.
  bool nest_assertion(ast::StmtId s) {
    const auto* assertion = std::get_if<ast::Assert>(&node(s));
    const auto* either = assertion != nullptr ? as_operation(assertion->test, ast::BoolOperator::kOr) : nullptr;
    if (either == nullptr) return false;
    const auto values = ast::operands(tree_, *either);
    const Start start = columns_.start_of(values[0]);
    const auto may_stand_at = [&](Column c) {
      return c % kIndent == 0 && first_on_line(values, c + kIndent, kAfterAssert) == 1;
    };
    if (!start.known() || (!may_stand_at(start.column - kAfterIf) && !may_stand_at(start.column - kAfterIf - kNot)))
      return false;
    const auto holds = without(values[0]);
    if (!holds) return false;
    const auto origin = tree_.stmts[s].origin;
    const auto message = std::get<ast::Assert>(node(s)).msg;
    const auto rest = joined(ast::BoolOperator::kOr, {values.begin() + 1, values.end()});
    const auto below = tree_.stmt(ast::Assert{rest, message}, origin);
    node(s) = ast::If{*holds, {below}, {}};
    return true;
  }

  // `if a or b: continue`, where `b` is the test of a second `if`.
  bool split_guard(std::size_t i, ast::Block& block) {
    const auto* test = std::get_if<ast::If>(&node(block[i]));
    const auto* either =
        test != nullptr && test->orelse.empty() ? as_operation(test->test, ast::BoolOperator::kOr) : nullptr;
    if (either == nullptr || test->body.size() != 1 || !is_plain_exit(test->body[0]) || around(block) == kUnknown)
      return false;
    const auto values = ast::operands(tree_, *either);
    const auto own = values.begin() + first_on_line(values, around(block), kAfterIf);
    if (own == values.end()) return false;
    const auto exit = test->body[0];
    const auto origin = tree_.stmts[block[i]].origin, place = tree_.stmts[exit].origin;
    const auto first = joined(ast::BoolOperator::kOr, {values.begin(), own});
    const auto rest = joined(ast::BoolOperator::kOr, {own, values.end()});
    const auto again = tree_.stmt(ast::StmtNode(node(exit)), place);
    const auto second = tree_.stmt(ast::If{rest, {again}, {}}, origin);
    std::get<ast::If>(node(block[i])).test = first;
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, second);
    return true;
  }

  // `if a and b`, where `b` is the test of an `if` of its own.
  bool split_condition(ast::StmtId s, const ast::Block& block) {
    const auto* test = std::get_if<ast::If>(&node(s));
    const auto* both =
        test != nullptr && test->orelse.empty() ? as_operation(test->test, ast::BoolOperator::kAnd) : nullptr;
    if (both == nullptr || around(block) == kUnknown) return false;
    const Column inner = around(block) + kIndent;
    const Column body = columns_.column_of_block(test->body);
    if (body == kUnknown || body < inner + kIndent) return false;
    const auto values = ast::operands(tree_, *both);
    const auto own = values.begin() + first_on_line(values, inner, kAfterIf);
    if (own == values.end()) return false;
    const auto origin = tree_.stmts[s].origin;
    const auto below = tree_.stmt(ast::If{joined(both->op, {own, values.end()}), test->body, {}}, origin);
    const auto rest = joined(ast::BoolOperator::kAnd, {values.begin(), own});
    auto& changed = std::get<ast::If>(node(s));
    changed.test = rest;
    changed.body = {below};
    return true;
  }

  // `if a: continue` before statements of which none stands as far out as it does.
  bool under_guards(ast::Block& block) {
    if (place_->end == End::kOther || !may_invert() || is_exit(tree_, block.back())) return false;
    const auto is_guard = [&](ast::StmtId s) {
      const auto* test = std::get_if<ast::If>(&node(s));
      return test != nullptr && test->orelse.empty() && test->body.size() == 1 && is_end(test->body[0]);
    };
    if (std::none_of(block.begin(), block.end() - 1, is_guard) || around(block) == kUnknown) return false;
    const Column inner = around(block) + kIndent;
    std::optional<std::size_t> guard;       // the first
    Column least = inner, next = kUnknown;  // of what follows
    for (auto i = block.size(); i-- > 0 && least >= inner;) {
      if (next == inner && is_guard(block[i]) && without(std::get<ast::If>(node(block[i])).test)) guard = i;
      next = columns_.column_of(block[i], inner);
      if (next != kUnknown) least = std::min(least, next);
    }
    if (!guard) return false;
    const auto negated = *without(std::get<ast::If>(node(block[*guard])).test);
    auto& test = std::get<ast::If>(node(block[*guard]));
    const auto first = block.begin() + static_cast<std::ptrdiff_t>(*guard) + 1;
    test.test = negated;
    test.body.assign(first, block.end());
    block.erase(first, block.end());
    return true;
  }

  void lay_out(ast::Block& block, const Place& place) {
    place_ = &place, around_.reset();
    known_.clear(), described_ = 0;
    for (auto i = block.size(); i-- > 0;) {
      described_ = std::min(described_, block.size() - i - 1);
      if (std::holds_alternative<ast::Try>(node(block[i]))) after_clauses(block, i);
      if (!std::holds_alternative<ast::If>(node(block[i])) || assigned_conditional(block, i)) continue;
      after_else(block, i);
      into_else(block, i);
      described_ = std::min(described_, block.size() - i - 1);
      if (!as_conditional(block, i) && !ends_in_conditional(block, i)) after_guard(block, i);
      for (auto guard = i; split_guard(guard, block);) ++guard;
    }
  }

  // Where the block at work stood before anything in it was changed; most rules find out before they have to know.
  Column around(const ast::Block& block) {
    if (around_) return *around_;
    Column outer = kUnknown;  // of the loop or the with statement whose body it is
    if (place_->owner.valid() && place_->number == 0 && !std::holds_alternative<ast::If>(node(place_->owner)))
      outer = columns_.simple_start(place_->owner).column;
    around_ = outer == kUnknown ? columns_.column_of_block(block) : outer + kIndent;
    return *around_;
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
    if (columns_.is_else_arm(test.orelse, around(block)) || !columns_.is_at_column(test.orelse, around(block))) return;
    const auto exit = exits ? ast::StmtId{} : exit_at(tree_.stmts[test.body.back()].origin);
    auto& changed = std::get<ast::If>(node(block[i]));
    if (exit.valid()) changed.body.push_back(exit);
    const auto rest = std::exchange(changed.orelse, {});
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
  }

  // `try` with an `else` whose statements stand where the `try` does. The ends of its clauses may be what leaves.
  void after_clauses(ast::Block& block, std::size_t i) {
    const auto& guard = std::get<ast::Try>(node(block[i]));
    if (guard.orelse.empty() || !guard.finalbody.empty()) return;
    const auto falls = [&](const ast::ExceptHandler& h) { return !always_exits(tree_, h.body); };
    const bool leaves = std::ranges::any_of(guard.handlers, falls);
    const bool may_leave = place_->end != End::kOther && i + 1 == block.size() && !guard.is_star &&
                           exits_alike_inside(tree_, dialect_, exit_of(place_->end), guard);
    if ((leaves && !may_leave) || around(block) == kUnknown || !columns_.is_at_column(guard.orelse, around(block)))
      return;
    for (std::size_t k = 0; leaves && k < std::get<ast::Try>(node(block[i])).handlers.size(); ++k) {
      const auto& body = std::get<ast::Try>(node(block[i])).handlers[k].body;
      if (always_exits(tree_, body)) continue;
      const auto exit = exit_at(tree_.stmts[body.back()].origin);
      auto& changed = std::get<ast::Try>(node(block[i])).handlers[k].body;
      if (ast::is_pass(tree_, changed)) changed.clear();
      changed.push_back(exit);
    }
    const auto rest = std::exchange(std::get<ast::Try>(node(block[i])).orelse, {});
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
  }

  // `if a: return`, and what follows stands where the body does, or is an `elif`.
  void into_else(ast::Block& block, std::size_t i) {
    auto& test = std::get<ast::If>(node(block[i]));
    if (!test.orelse.empty() || !always_exits(tree_, test.body) || is_bare_return(test.body.back())) return;
    if (i + 1 == block.size() || around(block) == kUnknown) return;
    if (columns_.keyword(block[i], around(block)) == Keyword::kOther &&
        columns_.keyword(block[i], around(block) + kIndent) == Keyword::kIf)
      return;
    const auto first = block.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    auto last = first;
    if (columns_.keyword(*first, around(block)) == Keyword::kElif) {
      ++last;
    } else {
      describe(block, i, around(block) + kIndent);
      for (auto k = known_.size(); k-- > 0 && known_[k].column == around(block) + kIndent;)
        last = block.end() - static_cast<std::ptrdiff_t>(known_[k].from_end) + 1;
    }
    if (last == first) return;
    test.orelse.assign(first, last);
    block.erase(first, last);
  }

  // `return b if a else c`, of which the compiler makes two: both stand at one place of the source.
  bool as_conditional(ast::Block& block, std::size_t i) {
    auto& test = std::get<ast::If>(node(block[i]));
    const bool follows = test.orelse.empty() && i + 1 < block.size();
    if (test.body.size() != 1 || (!follows && test.orelse.size() != 1)) return false;
    const auto a = test.body[0], b = follows ? block[i + 1] : test.orelse[0];
    const auto *p = columns_.place_of(a), *q = columns_.place_of(b);
    const auto* r = std::get_if<ast::Return>(&node(a));
    const auto* other = std::get_if<ast::Return>(&node(b));
    if (p == nullptr || q == nullptr || !(*p == *q) || r == nullptr || other == nullptr) return false;
    if ((!r->value.valid() && !other->value.valid()) || r->value == other->value) return false;
    const Start start = columns_.start_of(test.test);
    if (!start.known() || start.line < p->line || start.line > p->end_line || around(block) == kUnknown) return false;
    // An arm takes part of the place only; all of it has the return at the end of a function, which has that of an `if`.
    for (const auto value : {r->value, other->value}) {
      const auto* own = value.valid() ? columns_.place_of(tree_.exprs[value].origin) : nullptr;
      if (own != nullptr && *own == *p) return false;
    }
    if (!begins_in_return(*p, start, r->value, other->value)) return false;
    const auto place = tree_.stmts[a].origin;
    ast::Return made = *r;
    ast::ExprIds values{made.value, other->value};
    const auto condition = test.test;
    for (auto& value : values)
      if (!value.valid()) value = tree_.expr(ast::NoneLiteral{}, place);
    made.value = conditional(condition, values[0], values[1]);
    if (follows) block.erase(block.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    block[i] = tree_.stmt(made, place);  // a new one: that of the body may stand in other places, too
    return true;
  }

  // `x = b if a else c`, whose copies store to one place of the source.
  bool assigned_conditional(ast::Block& block, std::size_t i) {
    const auto& test = std::get<ast::If>(node(block[i]));
    if (test.body.size() != 1 || test.orelse.size() != 1) return false;
    const auto *a = std::get_if<ast::Assign>(&node(test.body[0])), *b = std::get_if<ast::Assign>(&node(test.orelse[0]));
    if (a == nullptr || b == nullptr || a->targets.size() != b->targets.size()) return false;
    const auto *p = columns_.place_of(test.body[0]), *q = columns_.place_of(test.orelse[0]);
    if (p == nullptr || q == nullptr || !(*p == *q)) return false;
    for (std::size_t k = 0; k < a->targets.size(); ++k)
      if (!ast::equal(tree_, code_tree_, a->targets[k], b->targets[k])) return false;
    ast::Assign made = *a;
    made.value = conditional(test.test, a->value, b->value);
    const auto place = tree_.stmts[test.body[0]].origin;
    block[i] = tree_.stmt(std::move(made), place);
    return true;
  }

  // `return b if a else None` at the end of a function, whose other copy was left off: the test is within the statement.
  bool ends_in_conditional(ast::Block& block, std::size_t i) {
    const auto& test = std::get<ast::If>(node(block[i]));
    if (place_->end != End::kReturn || i + 1 != block.size() || !test.orelse.empty() || test.body.size() != 1)
      return false;
    const auto* r = std::get_if<ast::Return>(&node(test.body[0]));
    const auto* p = columns_.place_of(test.body[0]);
    const Start start = columns_.start_of(test.test);
    if (r == nullptr || !r->value.valid() || p == nullptr || !start.known()) return false;
    if (!Start{p->line, p->column}.is_before(start) || !start.is_before({p->end_line, p->end_column}) ||
        !begins_in_return(*p, start, r->value, {}))
      return false;
    const auto place = tree_.stmts[test.body[0]].origin;
    const auto value = conditional(test.test, r->value, tree_.expr(ast::NoneLiteral{}, place));
    block[i] = tree_.stmt(ast::Return{value}, place);
    return true;
  }

  // `if not a` around all that is left, or with an `else` that leaves: its body stands where the `if` does.
  void after_guard(ast::Block& block, std::size_t i) {
    const auto& test = std::get<ast::If>(node(block[i]));
    const bool leaves = test.orelse.empty() ? place_->end != End::kOther && may_invert() && i + 1 == block.size()
                                            : always_exits(tree_, test.orelse);
    if (!leaves || around(block) == kUnknown || !columns_.is_at_column(test.body, around(block))) return;
    const auto negated = without(test.test);
    if (!negated) return;
    auto guard = test.orelse;
    if (guard.empty()) guard = {exit_at(tree_.stmts[block[i]].origin)};
    auto& changed = std::get<ast::If>(node(block[i]));
    changed.test = *negated;
    changed.orelse.clear();
    const auto rest = std::exchange(changed.body, guard);
    block.insert(block.begin() + static_cast<std::ptrdiff_t>(i) + 1, rest.begin(), rest.end());
  }

  // The test for the other arm, if that is the same bytecode.
  std::optional<ast::ExprId> without(ast::ExprId test) {
    const bool tests_none = ast::is_none_test(tree_, code_tree_, test);
    if (!tests_none && ast::is_inverted_by_not(tree_, test)) return std::nullopt;
    return ast::negated(tree_, test, tests_none);
  }

  static ast::StmtNode exit_of(End end) {
    return end == End::kReturn ? ast::StmtNode{ast::Return{}} : ast::StmtNode{ast::Continue{}};
  }
  // Whether the end of the block at work may become the other arm of a test: as in GuardClauses::may_invert.
  [[nodiscard]] bool may_invert() const {
    return place_->end != End::kContinue || !place_->is_protected || !dialect_.inverted_jumps_unprotected;
  }

  // A statement that does what the end of the block at work does; it says None where others say a value.
  ast::StmtId exit_at(ast::Origin origin) {
    const bool is_explicit = place_->end == End::kReturn && gives_values_;
    return tree_.stmt(is_explicit ? ast::Return{tree_.expr(ast::NoneLiteral{}, origin)} : exit_of(place_->end), origin);
  }
  // Whether a statement leaves a block and evaluates nothing.
  [[nodiscard]] bool is_plain_exit(ast::StmtId s) const {
    const auto* r = std::get_if<ast::Return>(&tree_.stmts[s].node);
    if (r != nullptr) return !r->value.valid() || ast::is_constant(tree_, r->value);
    return ast::is<ast::Continue, ast::Break>(tree_.stmts[s].node);
  }
  // Whether one does that.
  [[nodiscard]] bool is_end(ast::StmtId s) const {
    return is_bare_return(s)
               ? place_->end == End::kReturn
               : place_->end == End::kContinue && std::holds_alternative<ast::Continue>(tree_.stmts[s].node);
  }
  // One that is written says what falling off the end of the function would not (is_observable of ast::Return).
  [[nodiscard]] bool is_bare_return(ast::StmtId s) const {
    const auto* r = std::get_if<ast::Return>(&tree_.stmts[s].node);
    return r != nullptr && !r->value.valid();
  }
  ast::StmtNode& node(ast::StmtId s) { return tree_.stmts[s].node; }

  const CodeTree& code_tree_;
  ast::Tree& tree_;
  const Dialect& dialect_;
  Columns columns_;
  struct Known {
    std::size_t from_end = 0;  // 1: the last of the block
    Column column = kUnknown;
  };
  bool gives_values_ = false;     // some `return` has a value
  const Place* place_ = nullptr;  // at work
  std::optional<Column> around_;  // where its block stands
  std::vector<Known> known_;      // of the block at work: statements whose column is known, from the last on
  std::size_t described_ = 0;     // how many of its last statements that is about
};

}  // namespace

void follow_source_layout(const CodeTree& code_tree, ast::Tree& tree, const Dialect& dialect,
                          SourcePositions& positions, CodeId code, ast::Block& body, std::uint32_t flags,
                          ast::Origin last_return) {
  if (!dialect.exception_table) return;
  SourceLayout layout(code_tree, tree, dialect, positions, code);
  layout.run(body, flags);
  if ((flags & kCoOptimized) != 0 && last_return.offset != 0) layout.end(body, last_return);
}

}  // namespace depyf::idiom
