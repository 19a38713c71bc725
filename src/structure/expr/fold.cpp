// SPDX-License-Identifier: MIT
// Folds acyclic regions that only produce one value, or one test, back into expressions.
//
// Shapes (Python/compile.c, compiler_boolop, compiler_ifexp, compiler_compare, compiler_jump_if; later codegen_*):
//   a and b (value)   a; JUMP_IF_FALSE_OR_POP M; b; M:
//   a and b (test)    a; POP_JUMP_IF_FALSE F; b; POP_JUMP_IF_FALSE F
//   x if c else y     c; POP_JUMP_IF_FALSE E; x; JUMP M; E: y; M:
//   a < b < c         a; b; SWAP 2; COPY 2; <; JUMP_IF_FALSE_OR_POP C; c; <; JUMP M; C: SWAP 2; POP_TOP; M:
// A rule only merges a node into its single predecessor, so the order of evaluation cannot change.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ast/negation.h"
#include "structure/expr/combine.h"
#include "structure/expr/comprehension.h"
#include "structure/expr/shapes.h"

namespace depyf::structure {

namespace {

class Folder {
 public:
  Folder(lift::Unit& unit, lift::Lifter& lifter, Graph& graph)
      : unit_(unit), lifter_(lifter), g_(graph), shapes_(unit, lifter, graph) {}

  Status run() {
    for (auto& n : g_.nodes) n.reset_tail();
    if (g_.nodes.size() == 1) return depyf::Unit{};
    follows_statement_.assign(g_.nodes.size(), false);
    for (const auto& n : g_.nodes)
      if (n.phantom != kNone) follows_statement_[n.phantom] = true;
    const auto order = in_code_order(g_, Nodes::kAll);
    const bool forks = std::any_of(g_.nodes.begin(), g_.nodes.end(), [](const Node& n) { return n.f != kNone; });
    for (const auto i : order) {
      if (!at(i).alive) continue;
      const auto& n = at(i);
      if (n.state.end == EndKind::kReturn) exits_.push_back({n.order, -1, kNone});
      if (n.state.end == EndKind::kFall && n.t != kNone && !n.state.stmts.empty() &&
          (n.state.stmts.back().kind == LKind::kWithExit || n.state.stmts.back().kind == LKind::kLoopExit))
        exits_.push_back({n.order, std::ssize(at(n.t).entry), kNone});
      else if (n.state.end == EndKind::kFall && n.t != kNone && at(n.t).order <= n.order)
        exits_.push_back({n.order, std::ssize(at(n.t).entry), at(n.t).order});
    }
    for (std::size_t round = 0; round < 64; ++round) {
      bool changed = false;
      // Innermost expressions end last, so one backward round folds most of them. Each merge of two lines lifts the
      // second again, so this round only merges the lines of operands and arms.
      mark_arms();
      for (auto it = order.rbegin(); forks && it != order.rend(); ++it)
        DEPYF_CHECK(fold_node(*it, Lines::kOfArms, changed));
      // The forward round lifts each line once more, after all its predecessors.
      for (const auto i : order) DEPYF_CHECK(fold_node(i, Lines::kAll, changed));
      if (changed) continue;
      DEPYF_TRY(is_split, split_tests());
      if (!is_split) return depyf::Unit{};
    }
    return Error{Errc::kLimitExceeded, kNowhere, "expression folding did not settle"};
  }

 private:
  enum class Lines : bool { kOfArms, kAll };

  // Applies rules to node i until none matches.
  Status fold_node(std::uint32_t i, Lines lines, bool& changed) {
    if (!at(i).alive) return depyf::Unit{};
    if (unit_.options.interrupted && unit_.options.interrupted())
      return Error{Errc::kInterrupted, kNowhere, "interrupted"};
    for (bool again = true; again;) {
      DEPYF_TRY(changed_node, apply_rules(i, lines));
      again = changed_node;
      changed |= changed_node;
    }
    return depyf::Unit{};
  }
  // Marks nodes that are entered only by branches that keep no value: each may be the operand or arm of an expression.
  void mark_arms() {
    SmallVector<std::uint32_t, 32> branches(g_.nodes.size());
    for (const auto& n : g_.nodes) {
      if (!n.alive || n.f == kNone) continue;
      if (!n.state.keep_true) ++branches[n.t];
      if (!n.state.keep_false) ++branches[n.f];
    }
    is_arm_.assign(g_.nodes.size(), false);
    for (std::uint32_t i = 0; i < branches.size(); ++i) is_arm_[i] = branches[i] > 0 && branches[i] == at(i).preds;
  }

  // Appends a piece to node a and executes it.
  Status apply(std::uint32_t a, Piece p) {
    at(a).pieces.push_back(p);
    return replay(unit_, lifter_, g_, {p}, at(a).state);
  }
  void drop(std::uint32_t b) { at(b).alive = false; }
  void copy_test(std::uint32_t a, const Node& b) {
    at(a).inverted = b.inverted;
    at(a).falls_true = b.falls_true;
    at(a).is_threaded = b.is_threaded;
  }
  void retarget(std::uint32_t a, std::uint32_t t, std::uint32_t f) {
    at(a).t = t;
    at(a).f = f;
  }
  // Removes an edge to b; removes b, too, if that was the last.
  void unlink(std::uint32_t b) {
    for (SmallVector<std::uint32_t, 8> todo{b}; !todo.empty();) {
      Node* n = todo.back() != kNone && todo.back() != kReturned ? &at(todo.back()) : nullptr;
      todo.pop_back();
      if (n == nullptr || n->preds == 0 || --n->preds > 0) continue;
      n->alive = false;
      todo.push_back(n->t);
      todo.push_back(n->f);
    }
  }

  // Applies the first rule that matches at node a. Returns whether there was one.
  Result<bool> apply_rules(std::uint32_t a, Lines lines) {
    if (!at(a).alive) return false;
    switch (at(a).state.end) {
      case EndKind::kFall: {
        if (lines == Lines::kAll || is_arm_[a]) {
          DEPYF_TRY(merged, merge_line(a));
          if (merged) return true;
        }
        const auto header = at(a).t;
        const auto exit = header != kNone ? at(header).f : kNone;
        DEPYF_TRY(inlined, inline_comprehension(unit_, lifter_, g_, a));
        if (inlined) at(a).tail = at(exit).tail;
        return inlined;
      }
      case EndKind::kBranch: {
        if (!at(a).state.cond.valid()) return false;
        if (lines == Lines::kOfArms && at(a).preds > 1 && shapes_.tests_top(a))
          return false;  // the value that it tests must be folded first
        DEPYF_TRY(c, fold_chain(a));
        if (c) return true;
        DEPYF_TRY(v, fold_bool_value(a));
        if (v) return true;
        DEPYF_TRY(t, fold_bool_test(a));
        if (t) return true;
        return fold_conditional(a);
      }
      case EndKind::kExcBranch:
      case EndKind::kCase:
      case EndKind::kFor:
      case EndKind::kReturn: return false;
    }
    return false;
  }

  // Merges line b into line a if a falls through to b and b has no other predecessor. Not merged: the node of a loop,
  // because the loop begins there even if it has no back edge, and the code after a statement that never reaches its
  // end.
  Result<bool> merge_line(std::uint32_t a) {
    const auto b = at(a).t;
    if (b == kNone || b == a || !at(b).alive || at(b).preds != 1 || at(b).is_handler) return false;
    if (at(b).state.end == EndKind::kFor || skips_exit(a, b)) return false;
    if (!at(a).state.stmts.empty()) {
      const auto k = at(a).state.stmts.back().kind;
      if ((leaves_construct(k) || k == LKind::kWithEnter) && !shapes_.returns_slot(b)) return false;
      if (shapes_.has_clean_up_tail(a) && !shapes_.returns_slot(b)) return false;
    }
    // Otherwise b leaves a range with the value of a `return` on the stack.
    const bool starts_statement = follows_statement_[b] || !(at(b).handler == at(a).handler);
    if (starts_statement && !shapes_.returns_slot(b)) return false;
    const auto handler = at(a).handler;
    auto pieces = at(b).pieces;
    at(a).pieces.insert(at(a).pieces.end(), pieces.begin(), pieces.end());
    DEPYF_CHECK(replay(unit_, lifter_, g_, pieces, at(a).state));
    retarget(a, at(b).t, at(b).f);
    copy_test(a, at(b));
    at(a).handler = handler;
    at(a).tail = at(b).tail;
    at(a).jumps_past_next_test = at(b).jumps_past_next_test;
    drop(b);
    return true;
  }
  // If the test through which jumps of a value were threaded has other predecessors, duplicates it for that value: as a
  // test of a variable, it would test again what those jumps have tested. Returns whether there was any.
  Result<bool> split_tests() {
    bool any = false;
    for (std::uint32_t a = 0; a < g_.nodes.size(); ++a) {
      if (!at(a).alive || !at(a).jumps_past_next_test || at(a).state.end != EndKind::kFall) continue;
      const auto test = at(a).t;
      if (at(test).is_handler || at(test).state.end != EndKind::kBranch || !(at(test).handler == at(a).handler))
        return Error{Errc::kInternal, at(a).order, "a value would be tested twice"};
      const auto pieces = at(test).pieces;
      at(a).pieces.insert(at(a).pieces.end(), pieces.begin(), pieces.end());
      DEPYF_CHECK(replay(unit_, lifter_, g_, pieces, at(a).state));
      ++at(at(test).t).preds;
      ++at(at(test).f).preds;
      retarget(a, at(test).t, at(test).f);
      copy_test(a, at(test));
      at(a).tail = at(test).tail;
      at(a).jumps_past_next_test = false;
      unlink(test);
      any = true;
    }
    return any;
  }
  // Returns whether the code between a and b leaves something, as in `if x: a` with `else: raise` before the code that
  // follows. Then b is not part of the arm.
  bool skips_exit(std::uint32_t a, std::uint32_t b) {
    const auto& entry = at(b).entry;
    const auto [from, is_empty] = at(a).tail;
    if (is_empty || entry.has(ValueKind::kExpr)) return false;
    auto exit =
        std::upper_bound(exits_.begin(), exits_.end(), from, [](auto order, const Exit& e) { return order < e.order; });
    for (; exit != exits_.end() && exit->order < at(b).order; ++exit)
      if (exit->depth < std::ssize(entry) || (exit->depth == std::ssize(entry) && exit->to <= from)) return true;
    return false;
  }
  // Folds `a and b`, `a or b` as a value: b computes one value, and both lead to one node.
  Result<bool> fold_bool_value(std::uint32_t a) {
    const auto& s = at(a).state;
    for (const bool holds : {true, false}) {  // the outcome of a after which b is not evaluated
      const auto out = holds ? at(a).t : at(a).f, b = holds ? at(a).f : at(a).t;
      const bool keeps = holds ? s.keep_true : s.keep_false;
      if ((holds ? s.keep_false : s.keep_true) || !shapes_.has_single_edge(a, b)) continue;
      const auto p = shapes_.product(b);
      if (!p || p->next == kReturned) continue;
      if (!(keeps && p->next == out) && !shapes_.tests_again(p->next, holds, out, keeps)) continue;
      Piece piece{.kind = Piece::Kind::kBool, .is_value = true};
      piece.op = holds ? ast::BoolOperator::kOr : ast::BoolOperator::kAnd;
      piece.a = p->value;
      piece.is_one_operand = at(a).pieces.back().kind == Piece::Kind::kCode;
      decide_grouping(a, b, piece);
      DEPYF_CHECK(apply(a, piece));
      at(a).jumps_past_next_test = at(b).jumps_past_next_test || p->next != out;
      drop(b);
      --at(out).preds;
      retarget(a, p->next, kNone);
      return true;
    }
    return false;
  }

  // Decides which operands of b's operation the test of a joins in parentheses: those up to the first through which no
  // jump was threaded.
  void decide_grouping(std::uint32_t a, std::uint32_t b, Piece& piece) {
    const auto operation = [&](ExprId e) {
      const auto* x = std::get_if<ast::BoolOp>(&unit_.ast.exprs[e].node);
      return x != nullptr && x->op == piece.op ? x : nullptr;
    };
    const auto* rest = operation(piece.a);
    piece.is_threaded = at(a).is_threaded;
    piece.joins_first_operand = piece.is_threaded && rest != nullptr &&
                                (!at(b).pieces.back().is_threaded || operation(rest->values[0]) != nullptr);
  }

  // Returns whether the test of a jumps back to x in the same protected range, and it is visible whether it was
  // inverted.
  bool leads_back(std::uint32_t a, std::uint32_t x) {
    return unit_.dialect.inverted_jumps_unprotected && at(a).inverted != JumpInversion::kUnknown &&
           at(x).order <= at(a).order && at(x).handler == at(a).handler;
  }

  // Returns whether n does nothing but test a value, and leaves the rest of the stack as it is.
  bool is_pure_test(std::uint32_t n) {
    const auto& s = at(n).state;
    return shapes_.is_pure(n) && s.end == EndKind::kBranch && s.cond.valid() && s.stack.size() == at(n).entry.size();
  }

  // The tests of two nodes as operands of one operation.
  struct BoolTest {
    ast::BoolOperator op;
    bool negates_first = false, negates_second = false;
  };
  // Returns how the test of a joins with that of b, where a leads if it is true (`via_true`) or false; nullopt if it
  // does not. Both have the other exit of a in common, x.
  std::optional<BoolTest> join_tests(std::uint32_t a, bool via_true) {
    const auto& s = at(a).state;
    const auto b = via_true ? at(a).t : at(a).f, x = via_true ? at(a).f : at(a).t;
    if (!shapes_.has_single_edge(a, b) || !is_pure_test(b) || (via_true ? s.keep_true : s.keep_false)) return {};
    // If the test of b decides nothing, the source had `a or b` if the jump of a leads past a jump back; otherwise the
    // test of a is a statement of its own.
    const bool decides = at(b).t != x || at(b).f != x || !leads_back(a, x);
    const bool is_either = !decides && at(a).inverted == JumpInversion::kNo;
    if (!decides && !is_either && !via_true) return {};
    if (decides && has_own_continue(unit_.dialect, at(a), at(x)) != has_own_continue(unit_.dialect, at(b), at(x)))
      return {};
    const bool keep_x = via_true ? s.keep_false : s.keep_true;
    const auto& sb = at(b).state;
    if (via_true && x == at(b).f && keep_x == sb.keep_false && !is_either) return BoolTest{ast::BoolOperator::kAnd};
    if (!via_true && x == at(b).t && keep_x == sb.keep_true) return BoolTest{ast::BoolOperator::kOr};
    if (keep_x || x != (via_true ? at(b).t : at(b).f) || (via_true ? sb.keep_true : sb.keep_false)) return {};
    // x is the exit of both: `a and not b`, `not a and b`; also if it is another operand, as in `a and not b or x`.
    // Otherwise b falls through to x: `not a or b`, `a or not b`.
    const auto other = via_true ? at(b).f : at(b).t;
    const bool both_jump = at(x).order <= at(a).order || at(x).order > at(other).order;
    bool negates_first = is_either || (both_jump || shapes_.adds_test(x, other)) != via_true;
    const bool may_negate_first = may_negate(unit_, s), may_negate_second = shapes_.may_be_negated(sb);
    if (!may_negate_first && !may_negate_second) return {};
    if (!(negates_first ? may_negate_first : may_negate_second)) negates_first = !negates_first;
    return BoolTest{negates_first == via_true ? ast::BoolOperator::kOr : ast::BoolOperator::kAnd, negates_first,
                    !negates_first};
  }

  // Folds `a and b`, `a or b` as a test.
  Result<bool> fold_bool_test(std::uint32_t a) {
    if (shapes_.continues_chain(at(a))) return false;
    for (const bool via_true : {true, false}) {
      const auto joined = join_tests(a, via_true);
      if (!joined) continue;
      const auto b = via_true ? at(a).t : at(a).f, x = via_true ? at(a).f : at(a).t;
      const bool swap = joined->negates_second;
      const auto& sb = at(b).state;
      Piece p{Piece::Kind::kBool};
      p.op = joined->op;
      p.negate = joined->negates_first;
      p.a = swap ? ast::negated(unit_.ast, sb.cond, sb.free_polarity) : sb.cond;
      p.keep_true = sb.keep_true;
      p.keep_false = sb.keep_false;
      const auto t = swap ? at(b).f : at(b).t, f = swap ? at(b).t : at(b).f;
      decide_grouping(a, b, p);
      DEPYF_CHECK(apply(a, p));
      copy_test(a, at(b));
      at(a).falls_true = at(b).falls_true != swap;
      drop(b);
      --at(x).preds;
      retarget(a, t, f);
      return true;
    }
    return false;
  }

  // Folds `p if a else q` as a value: both arms compute one value and lead to one node, or return it.
  Result<bool> fold_conditional(std::uint32_t a) {
    const auto& s = at(a).state;
    const auto t = at(a).t, f = at(a).f;
    if (s.keep_true || s.keep_false || t == f || !shapes_.has_single_edge(a, t) || !shapes_.has_single_edge(a, f))
      return false;
    const auto pt = shapes_.product(t), pf = shapes_.product(f);
    if (pt && pf &&
        ((pt->next == pf->next && pt->next != kReturned) ||
         (pt->next == kReturned && pf->next != kReturned && shapes_.returns_top(pf->next)) ||
         (pf->next == kReturned && pt->next != kReturned && shapes_.returns_top(pt->next)))) {
      Piece p{.kind = Piece::Kind::kIf, .is_value = true};
      p.a = pt->value;
      p.b = pf->value;
      arrange_arms(a, p);
      const auto next = pt->next != kReturned ? pt->next : pf->next;
      const bool both = pt->next == pf->next;
      DEPYF_CHECK(apply(a, p));
      at(a).jumps_past_next_test = at(t).jumps_past_next_test || at(f).jumps_past_next_test;
      drop(t);
      drop(f);
      if (both) --at(next).preds;
      retarget(a, next, kNone);
      return true;
    }
    return fold_conditional_test(a, t, f);
  }
  // Makes the arm that is first in code order the first arm of the expression.
  void arrange_arms(std::uint32_t a, Piece& p) {
    p.negate = at(at(a).f).order < at(at(a).t).order && may_negate(unit_, at(a).state);
    if (p.negate) std::swap(p.a, p.b);
  }
  // Returns the line of the test of n; -1: unknown.
  std::int32_t line_of(std::uint32_t n) {
    const auto* position = unit_.positions.at(unit_.ast.exprs[at(n).state.cond].origin.offset);
    return position != nullptr ? position->line : -1;
  }
  // Folds `q if a else s` as a test; within an expression, or on one line, also `q if a else not s`, which as a
  // statement may be nested tests.
  Result<bool> fold_conditional_test(std::uint32_t a, std::uint32_t t, std::uint32_t f) {
    if (!is_pure_test(t) || !is_pure_test(f)) return false;
    const auto &x = at(t), &y = at(f);
    const bool in_expression = x.entry.has(ValueKind::kExpr) || lifter_.is_expression();
    const bool is_spelling = x.state.free_polarity || y.state.free_polarity;  // `is None` or `is not None`
    const bool is_crossed =
        x.t == y.f && x.f == y.t &&
        (in_expression || is_spelling || (line_of(a) >= 0 && line_of(a) == line_of(t) && line_of(a) == line_of(f)));
    if (!is_crossed && (x.t != y.t || x.f != y.f || x.state.keep_true != y.state.keep_true ||
                        x.state.keep_false != y.state.keep_false))
      return false;
    const auto keeps = [](const Node& n) { return n.state.keep_true || n.state.keep_false; };
    if (is_crossed && (keeps(x) || keeps(y) || (!may_negate(unit_, x.state) && !may_negate(unit_, y.state))))
      return false;
    Piece p{Piece::Kind::kIf};
    p.a = x.state.cond;
    p.b = y.state.cond;
    p.keep_true = x.state.keep_true;
    p.keep_false = x.state.keep_false;
    bool negates_x = false;
    if (is_crossed) {
      // A filter jumps back if it is false. Otherwise the arm that falls through does so if it is true.
      const auto leads_back = [&](std::uint32_t to) { return at(to).order <= at(a).order; };
      negates_x = leads_back(x.t) != leads_back(x.f) ? leads_back(x.t) : !x.falls_true;
      if (!in_expression && is_spelling) negates_x = x.state.free_polarity && (!y.state.free_polarity || negates_x);
      if (!may_negate(unit_, (negates_x ? x : y).state)) negates_x = !negates_x;
      ExprId& negated = negates_x ? p.a : p.b;
      negated = ast::negated(unit_.ast, negated, (negates_x ? x : y).state.free_polarity);
    }
    const auto& kept = negates_x ? y : x;
    const auto nt = kept.t, nf = kept.f;
    arrange_arms(a, p);
    copy_test(a, kept);
    DEPYF_CHECK(apply(a, p));
    drop(t);
    drop(f);
    --at(nt).preds;
    --at(nf).preds;
    retarget(a, nt, nf);
    return true;
  }
  // Folds `a < b` and `b < c` into `a < b < c`.
  Result<bool> fold_chain(std::uint32_t a) {
    const auto& s = at(a).state;
    const auto* c = std::get_if<ast::Compare>(&unit_.ast.exprs[s.cond].node);
    const auto b = at(a).t, clean = at(a).f;
    if (c == nullptr || s.stack.empty() || s.stack.back().kind != ValueKind::kExpr ||
        s.stack.back().expr != c->comparators.back() || s.keep_true || !shapes_.has_single_edge(a, b))
      return false;
    Node& n = at(b);
    const auto middle = static_cast<std::uint32_t>(n.entry.size() - 1);
    if (!shapes_.is_chain_clean_up(clean, s.keep_false) || n.state.low + 1 < n.entry.size() || !n.state.refusal.empty())
      return false;
    const auto continues = [&](ExprId e) {
      const auto* r = std::get_if<ast::Compare>(&unit_.ast.exprs[e].node);
      return r != nullptr && lifter_.is_slot(r->left, middle);
    };
    const auto after = at(clean).t;
    if (s.keep_false) {
      if (n.state.end != EndKind::kFall || n.t != after || !n.state.stmts.empty() ||
          n.state.stack.size() != n.entry.size() || n.state.stack.back().kind != ValueKind::kExpr ||
          !continues(n.state.stack.back().expr))
        return false;
      Piece p{.kind = Piece::Kind::kChain, .is_value = true};
      p.a = n.state.stack.back().expr;
      DEPYF_CHECK(apply(a, p));
      drop(b);
      unlink(clean);
      retarget(a, after, kNone);
      return true;
    }
    if (n.state.end != EndKind::kBranch || !n.state.cond.valid() || !n.state.stmts.empty() ||
        n.state.stack.size() + 1 != n.entry.size() || !continues(n.state.cond))
      return false;
    if (n.state.keep_false || n.state.keep_true) return false;
    const bool is_negated = n.state.free_polarity && n.t == after;  // 3.11+: of `a is b is not None`
    auto t = n.t, f = n.f;
    if (is_negated) std::swap(t, f);
    if (f != after) return false;
    Piece p{Piece::Kind::kChain};
    p.a = is_negated ? ast::negated(unit_.ast, n.state.cond, true) : n.state.cond;
    DEPYF_CHECK(apply(a, p));
    copy_test(a, n);
    at(a).falls_true = n.falls_true != is_negated;
    drop(b);
    retarget(a, t, f);
    unlink(clean);
    return true;
  }

  Node& at(std::uint32_t i) { return g_.nodes[i]; }

  lift::Unit& unit_;
  lift::Lifter& lifter_;
  Graph& g_;
  Shapes shapes_;
  struct Exit {
    std::uint32_t order = 0;
    std::ptrdiff_t depth = -1;  // depth of the stack where it continues; -1: the function ends
    std::uint32_t to = kNone;   // the target of a back edge
  };
  SmallVector<Exit, 8> exits_;    // in code order
  SmallVector<bool, 64> is_arm_;  // by node
  // By node: it follows a statement that never reaches its end (3.8, except*).
  SmallVector<bool, 64> follows_statement_;
};

// Returns the stack index of the lowest iterator that n leaves for `next` and for which `next` still has the expression
// from before n's line was merged with earlier ones.
std::optional<std::size_t> find_stale_iterator(const Node& n, const Node& next) {
  for (std::size_t d = n.state.low; d < std::min(n.state.stack.size(), next.entry.size()); ++d) {
    const Value now = n.state.stack[d], then = next.entry[d];
    if (now.kind == ValueKind::kIter && then.kind == ValueKind::kIter && now.expr != then.expr) return d;
  }
  return std::nullopt;
}

}  // namespace

Status fold_expressions(lift::Unit& unit, lift::Lifter& lifter, Graph& graph) {
  DEPYF_CHECK(Folder(unit, lifter, graph).run());
  for (auto& n : graph.nodes)
    if (n.alive && n.state.end == EndKind::kBranch && n.state.cond.valid())
      n.state.cond = lift::unfolded(unit, n.state.cond);
  std::map<std::uint32_t, ExprId> iterators;  // by loop: its iterator, as known after merging
  for (const auto& n : graph.nodes) {
    if (!n.alive) continue;
    for (const auto to : {n.t, n.f}) {
      const auto found = to != kNone && to != kReturned ? find_stale_iterator(n, graph.nodes[to]) : std::nullopt;
      if (!found) continue;
      const auto& loop = graph.nodes[to];
      const bool is_loop_iterator = n.state.end == EndKind::kFall && loop.state.end == EndKind::kFor &&
                                    *found + 1 == n.state.stack.size() && !loop.state.stack.empty() &&
                                    loop.state.stack.back().kind == ValueKind::kIter &&
                                    loop.state.low + 1 >= loop.entry.size();
      if (!is_loop_iterator || !iterators.try_emplace(to, n.state.stack.back().expr).second)
        return Error{Errc::kInternal, loop.order, "a loop over what several lines make"};
    }
  }
  for (const auto& [loop, iterator] : iterators) graph.nodes[loop].state.stack.back().expr = iterator;
  unit.bodies[lifter.code.n].comprehension = comprehension_of(unit, lifter, graph);
  return depyf::Unit{};
}

}  // namespace depyf::structure
