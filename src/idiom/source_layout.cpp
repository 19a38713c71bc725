// SPDX-License-Identifier: MIT
// Layout by the columns of the source; see source_layout.h.
#include "idiom/source_layout.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "ast/negation.h"
#include "ast/walk.h"
#include "idiom/arms.h"

namespace depyf::idiom {

namespace {

using Column = std::int32_t;
constexpr Column kUnknown = -1;
constexpr Column kAfterIf = 3, kAfterElif = 5, kAfterWhile = 6, kNot = 4;  // keywords, with the blank after them
constexpr int kDeepest = 8;                                      // of `if` statements that begin one another's body
constexpr Column kIndent = 4;  // of one level; a source with another keeps the layout it has

struct Start {
  std::int32_t line = -1;
  Column column = kUnknown;
  [[nodiscard]] bool known() const { return column != kUnknown; }
  [[nodiscard]] bool is_before(const Start& other) const {
    return line < other.line || (line == other.line && column < other.column);
  }
};

enum class Keyword : std::uint8_t { kOther, kIf, kElif };

// Where statements stand, as far as the positions of their instructions tell.
class Columns {
 public:
  Columns(const ast::Tree& tree, SourcePositions& positions, CodeId code)
      : tree_(tree), positions_(positions), code_(code) {}

  const Position* place_of(ast::StmtId s) const { return place_of(tree_.stmts[s].origin); }
  const Position* place_of(ast::Origin origin) const {
    const auto* p = origin.code == code_ && origin.offset != 0 ? positions_.at(origin.offset) : nullptr;
    return p != nullptr && p->column >= 0 ? p : nullptr;
  }

  // Whether what is known of a block's statements says that they stand at a column.
  [[nodiscard]] bool is_at_column(const ast::Block& block, Column column) const {
    bool known = false;
    for (const auto s : block) {
      const Column c = column_of(s, column);
      if (c != kUnknown && c != column) return false;
      known = known || c != kUnknown;
    }
    return known;
  }

  [[nodiscard]] bool is_else_arm(const ast::Block& orelse, Column around) const {
    return (orelse.size() == 1 && keyword(orelse[0], around) == Keyword::kElif) ||
           is_at_column(orelse, around + kIndent);
  }

  // What the test of an `if` statement begins with, if that stands at a column.
  [[nodiscard]] Keyword keyword(ast::StmtId s, Column column) const {
    const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
    if (test == nullptr) return Keyword::kOther;
    const Column from = start_of(test->test).column - column;
    if (is_after(test->test, from, kAfterIf)) return Keyword::kIf;
    return from == 5 || from == 6 || from == 9 || from == 10 ? Keyword::kElif : Keyword::kOther;
  }

  // Where a block stands: where the first of its statements does for which that is known. What comes after an `if`
  // may stand in its `else`.
  [[nodiscard]] Column column_of_block(const ast::Block& block, int depth = 0) const {
    const ast::If* before = nullptr;  // of which nothing but where its test begins is known
    Start start;
    bool begins_with_not = false;  // where an exit is written first, the source may have the other arm
    const auto may_stand_at = [&](Column c) {
      const Column from = start.column - c - (begins_with_not && !is_exit(tree_, before->body[0]) ? kNot : 0);
      return is_after(before->test, from, kAfterIf) || is_after(before->test, from, kAfterElif);
    };
    for (const auto s : block) {
      const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
      if (test == nullptr) {
        const auto [line, c] = simple_start(s);
        if (c == kUnknown) continue;
        const bool in_else = before != nullptr && line > start.line && !may_stand_at(c) && may_stand_at(c - kIndent);
        return in_else ? c - kIndent : c;
      }
      const Start begins = start_of(test->test);
      if (!begins.known()) continue;
      before = test, start = begins, begins_with_not = begins_negated(test->test);
      Column arm = least_column(test->body, start.line);
      if (depth < kDeepest && ast::is<ast::If>(tree_.stmts[test->body[0]].node))
        arm = column_of_block(test->body, depth + 1);
      if (arm == kUnknown) arm = least_column(test->orelse, start.line);
      if (arm == kUnknown) continue;
      if (may_stand_at(arm - kIndent)) return arm - kIndent;
      const bool may_follow = start.column - arm >= kAfterIf + kIndent && !is_exit(tree_, test->body[0]);
      if (may_follow) return arm;  // what is left after a guard clause
      for (const Column keyword : {kAfterIf, kAfterElif}) {  // before an `if` that begins its body
        const Column at = start.column - keyword - (begins_with_not ? kNot : 0);
        if (at % kIndent == 0 && arm > at + kIndent) return at;
      }
    }
    return kUnknown;
  }

  // Where a statement stands; one that begins with a test stands at `sought` if its test may begin where it does then.
  [[nodiscard]] Column column_of(ast::StmtId s, Column sought) const {
    if (const auto* loop = std::get_if<ast::While>(&tree_.stmts[s].node)) {
      const Column body = least_column(loop->body, kUnknown);
      const Column at = body == kUnknown ? sought : body - kIndent;
      return is_after(loop->test, start_of(loop->test).column - at, kAfterWhile) ? at : kUnknown;
    }
    const auto* test = std::get_if<ast::If>(&tree_.stmts[s].node);
    if (test == nullptr) return simple_start(s).column;
    const Column outer = sought - kIndent, arm = least_column(test->body, kUnknown);
    const bool may_be = keyword(s, sought) == Keyword::kIf, may_be_outer = keyword(s, outer) == Keyword::kIf;
    if (may_be && may_be_outer && arm == sought) return outer;
    return may_be ? sought : may_be_outer ? outer : kUnknown;
  }

  [[nodiscard]] Start start_of(ast::ExprId e) const {
    Start start;
    begin_at(e, start);
    return start;
  }

  // Of a statement that begins with what one of its instructions is for.
  [[nodiscard]] Start simple_start(ast::StmtId s) const {
    const auto& n = tree_.stmts[s].node;
    Start start;
    const auto after = [&](ast::ExprId first, Column keyword) {
      start = start_of(first);
      if (start.known()) start.column -= keyword;
    };
    if (const auto* loop = std::get_if<ast::For>(&n); loop != nullptr && !loop->is_async) after(loop->target, 4);
    if (const auto* with = std::get_if<ast::With>(&n); with != nullptr && !with->is_async)
      after(with->items[0].context, 5);
    if (const auto* drop = std::get_if<ast::Delete>(&n)) after(drop->targets[0], 4);
    if (ast::is<ast::Assign, ast::AugAssign, ast::ExprStmt, ast::Raise, ast::Import, ast::ImportFrom>(n)) {
      begin_at(tree_.stmts[s].origin, start);
      ast::for_each_child_expr(n, [&](ast::ExprId e) { begin_at(e, start); });
    }
    if (const auto* r = std::get_if<ast::Return>(&n); r != nullptr && r->value.valid()) {
      begin_at(tree_.stmts[s].origin, start);
      Start value;
      begin_at(tree_.exprs[r->value].origin, value);
      // A constant is returned where it stands itself, from a `with` where that begins, from a `try` where `finally` ends.
      if (value.known() && (!is_aligned(start) || value.is_before(start))) after(r->value, 7);
    }
    return is_aligned(start) ? start : Start{};
  }

  // Whether an expression may be the test of an `if` that stands at a column.
  [[nodiscard]] bool may_be_tested_at(ast::ExprId test, Column column) const {
    const Start start = start_of(test);
    return start.known() && is_after(test, start.column - column, kAfterIf);
  }

 private:
  // Whether a test may begin so many columns from where its statement does: after a keyword, a blank, and perhaps `not ` or a
  // parenthesis. An `if not` here is, by that, an `if` one level further in.
  [[nodiscard]] bool is_after(ast::ExprId test, Column from, Column keyword) const {
    return from == keyword || from == keyword + 1 ||
           ((from == keyword + kNot || from == keyword + kNot + 1) && begins_negated(test));
  }

  [[nodiscard]] bool begins_negated(ast::ExprId e) const {
    while (const auto* both = std::get_if<ast::BoolOp>(&tree_.exprs[e].node)) e = both->values[0];
    return ast::without_not(tree_, e).valid();
  }

  [[nodiscard]] Column least_column(const ast::Block& block, std::int32_t after_line) const {
    Column least = kUnknown;
    for (const auto s : block)
      if (const auto [line, c] = simple_start(s); line > after_line && (least == kUnknown || c < least)) least = c;
    return least;
  }

  void begin_at(ast::Origin origin, Start& start) const {
    if (origin.code != code_ || origin.offset == 0) return;
    const auto* p = positions_.at(origin.offset);
    if (p == nullptr || p->column < 0) return;
    if (const Start here{p->line, p->column}; !start.known() || here.is_before(start)) start = here;
  }

  void begin_at(ast::ExprId e, Start& start) const {
    for (SmallVector<ast::ExprId, 32> todo{e}; !todo.empty();) {
      const auto& [n, origin] = tree_.exprs[todo.back()];
      todo.pop_back();
      begin_at(origin, start);
      if (!ast::is<ast::Lambda, ast::Comprehension, ast::JoinedStr>(n))  // literal parts of `%` stand somewhere else
        ast::for_each_child_expr(n, [&](ast::ExprId below) { todo.push_back(below); });
    }
  }

  // A statement that does not stand so begins with a parenthesis, which no instruction is for.
  static bool is_aligned(const Start& start) { return start.known() && start.column % kIndent == 0; }

  const ast::Tree& tree_;
  SourcePositions& positions_;
  CodeId code_;
};

class SourceLayout {
 public:
  SourceLayout(const CodeTree& code_tree, ast::Tree& tree, const Dialect& dialect, SourcePositions& positions,
               CodeId code)
      : code_tree_(code_tree), tree_(tree), dialect_(dialect), columns_(tree, positions, code) {}

  void run(ast::Block& body, std::uint32_t flags) {
    if (!has_arms(tree_, body)) return;
    // Blocks are listed before those within them and laid out after them.
    std::vector<Place> places{{{}, 0, (flags & kCoOptimized) != 0 ? End::kReturn : End::kOther}};
    for (std::size_t k = 0; k < places.size(); ++k) {
      const Place place = places[k];
      auto nested = *block(place, body);  // a copy: what is made for it may move the statement that holds it
      place_ = &place, around_.reset();
      if (nest(nested)) *block(place, body) = nested;
      list_below(nested, place, places);
    }
    const auto is_if = [&](ast::StmtId s) { return std::holds_alternative<ast::If>(node(s)); };
    for (auto k = places.size(); k-- > 0;) {
      if (std::ranges::none_of(*block(places[k], body), is_if)) continue;
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
  };

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
        if (has_arms(tree_, b)) places.push_back({around[i], number, end});
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
    for (const auto s : block) changed = split_condition(s, block) || changed;
    return under_guards(block) || changed;
  }

  // `if a and b`, where `b` is the test of an `if` of its own.
  bool split_condition(ast::StmtId s, const ast::Block& block) {
    const auto* test = std::get_if<ast::If>(&node(s));
    const auto* both = test != nullptr && test->orelse.empty() ? as_and(test->test) : nullptr;
    if (both == nullptr || around(block) == kUnknown) return false;
    const Column inner = around(block) + kIndent;
    const Column body = columns_.column_of_block(test->body);
    if (body == kUnknown || body < inner + kIndent) return false;
    auto values = ast::operands(tree_, *both);
    auto own = values.begin() + 1;
    const auto begins_if = [&](const ast::ExprId& e) {
      const Start start = columns_.start_of(e), before = columns_.start_of(*(&e - 1));
      return before.known() && before.line < start.line && columns_.may_be_tested_at(e, inner);
    };
    while (own != values.end() && !begins_if(*own)) ++own;
    if (own == values.end()) return false;
    const auto origin = tree_.stmts[s].origin;
    const auto below = tree_.stmt(ast::If{all_of({own, values.end()}), test->body, {}}, origin);
    const auto rest = all_of({values.begin(), own});
    auto& changed = std::get<ast::If>(node(s));
    changed.test = rest;
    changed.body = {below};
    return true;
  }
  [[nodiscard]] const ast::BoolOp* as_and(ast::ExprId e) const {
    const auto* test = std::get_if<ast::BoolOp>(&tree_.exprs[e].node);
    return test != nullptr && test->op == ast::BoolOperator::kAnd ? test : nullptr;
  }
  ast::ExprId all_of(ast::ExprIds values) {
    const auto origin = tree_.exprs[values[0]].origin;
    return values.size() == 1 ? values[0]
                              : tree_.expr(ast::BoolOp{ast::BoolOperator::kAnd, std::move(values)}, origin);
  }

  // `if a: continue` before statements of which none stands as far out as it does.
  bool under_guards(ast::Block& block) {
    if (place_->end == End::kOther || is_exit(tree_, block.back())) return false;
    const auto is_guard = [&](ast::StmtId s) {
      const auto* test = std::get_if<ast::If>(&node(s));
      return test != nullptr && test->orelse.empty() && test->body.size() == 1 && is_end(test->body[0]);
    };
    if (std::none_of(block.begin(), block.end() - 1, is_guard) || around(block) == kUnknown) return false;
    const Column inner = around(block) + kIndent;
    std::optional<std::size_t> guard;  // the first
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
      if (!std::holds_alternative<ast::If>(node(block[i]))) continue;
      described_ = std::min(described_, block.size() - i - 1);
      after_else(block, i);
      into_else(block, i);
      described_ = std::min(described_, block.size() - i - 1);
      if (!as_conditional(block, i) && place.end != End::kOther) after_guard(block, i);
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
    if (!r->value.valid() || !other->value.valid() || r->value == other->value) return false;
    const Start start = columns_.start_of(test.test);
    if (!start.known() || start.line < p->line || start.line > p->end_line || around(block) == kUnknown) return false;
    // An arm takes part of the place only; all of it has the return at the end of a function, which has that of an `if`.
    for (const auto value : {r->value, other->value})
      if (const auto* own = columns_.place_of(tree_.exprs[value].origin); own != nullptr && *own == *p) return false;
    const auto at = tree_.exprs[r->value].origin, place = tree_.stmts[a].origin;
    ast::Return made = *r;
    made.value = tree_.expr(ast::IfExp{test.test, r->value, other->value}, at);
    if (follows) block.erase(block.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    block[i] = tree_.stmt(made, place);  // a new one: that of the body may stand in other places, too
    return true;
  }

  // `if not a` around all that is left, which stands where the `if` does.
  void after_guard(ast::Block& block, std::size_t i) {
    auto& test = std::get<ast::If>(node(block[i]));
    if (i + 1 != block.size() || !test.orelse.empty() || around(block) == kUnknown) return;
    if (!columns_.is_at_column(test.body, around(block))) return;
    const auto negated = without(test.test);
    if (!negated) return;
    const auto guard = exit_at(tree_.stmts[block[i]].origin);
    auto& changed = std::get<ast::If>(node(block[i]));
    changed.test = *negated;
    const auto rest = std::exchange(changed.body, {guard});
    block.insert(block.end(), rest.begin(), rest.end());
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
  // A statement that does what the end of the block at work does.
  ast::StmtId exit_at(ast::Origin origin) { return tree_.stmt(exit_of(place_->end), origin); }
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
  const Place* place_ = nullptr;  // at work
  std::optional<Column> around_;  // where its block stands
  std::vector<Known> known_;      // of the block at work: statements whose column is known, from the last on
  std::size_t described_ = 0;     // how many of its last statements that is about
};

}  // namespace

void follow_source_layout(const CodeTree& code_tree, ast::Tree& tree, const Dialect& dialect,
                          SourcePositions& positions, CodeId code, ast::Block& body, std::uint32_t flags) {
  if (!dialect.exception_table) return;
  SourceLayout(code_tree, tree, dialect, positions, code).run(body, flags);
}

}  // namespace depyf::idiom
