// SPDX-License-Identifier: MIT
// Folding acyclic regions whose only product is one value, or one test, back into expressions.
//
// Shapes (Python/compile.c, compiler_boolop, compiler_ifexp, compiler_compare, compiler_jump_if):
//   a and b (value)   a; JUMP_IF_FALSE_OR_POP M; b; M:
//   a and b (test)    a; POP_JUMP_IF_FALSE F; b; POP_JUMP_IF_FALSE F
//   x if c else y     c; POP_JUMP_IF_FALSE E; x; JUMP M; E: y; M:
//   a < b < c         a; b; SWAP 2; COPY 2; <; JUMP_IF_FALSE_OR_POP C; c; <; JUMP M; C: SWAP 2; POP_TOP; M:
// A rule only merges a node into the one node that leads to it, so evaluation order cannot change.
#include <algorithm>
#include <map>

#include "ast/constants.h"
#include "ast/negation.h"
#include "ast/walk.h"
#include "structure/expr/combine.h"
#include "structure/expr/comprehension.h"
#include "structure/graph.h"

namespace depyf::structure {

namespace {

// What a node that only computes one value gives: the value and where it continues (kReturned: it is returned at once).
inline constexpr std::uint32_t kReturned = 0xFFFFFFFE;
struct Product {
  ExprId value{};
  std::uint32_t next = kNone;
};

class Folder {
 public:
  Folder(lift::Unit& unit, lift::Lifter& lifter, Graph& graph) : unit_(unit), lifter_(lifter), g_(graph) {}

  Status run() {
    for (auto& n : g_.nodes) n.ends_as_lifted();
    if (g_.nodes.size() == 1) return depyf::Unit{};
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
      // Innermost expressions end last: walking backwards settles most of it in one round. A line is lifted again when
      // another is put before it, so that only those of operands and arms are merged here.
      mark_arms();
      for (auto it = order.rbegin(); forks && it != order.rend(); ++it)
        DEPYF_CHECK(settle(*it, Lines::kOfArms, changed));
      // Walking forwards each line is lifted once more, after all that leads to it.
      for (const auto i : order) DEPYF_CHECK(settle(i, Lines::kAll, changed));
      if (!changed) return depyf::Unit{};
    }
    return Error{Errc::kLimitExceeded, kNowhere, "expression folding did not settle"};
  }

 private:
  enum class Lines : bool { kOfArms, kAll };

  Status settle(std::uint32_t i, Lines lines, bool& changed) {
    if (!at(i).alive) return depyf::Unit{};
    if (unit_.options.interrupted && unit_.options.interrupted())
      return Error{Errc::kInterrupted, kNowhere, "interrupted"};
    for (bool again = true; again;) {
      DEPYF_TRY(did, step(i, lines));
      again = did;
      changed |= did;
    }
    return depyf::Unit{};
  }
  // Nodes that only branches lead to, with nothing left on the stack: each may be the operand or the arm of an expression.
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

  Node& at(std::uint32_t i) { return g_.nodes[i]; }
  bool has_single_edge(std::uint32_t a, std::uint32_t b) {
    return b != kNone && b != a && at(b).alive && at(b).preds == 1 && !at(b).is_handler &&
           at(b).handler == at(a).handler;
  }
  // no statement, and the stack that came in is still there
  bool pure(std::uint32_t b) {
    const auto& s = at(b).state;
    return s.stmts.empty() && s.low >= at(b).entry.size() && s.refusal.empty();
  }

  std::optional<Product> product(std::uint32_t b) {
    Node& n = at(b);
    const auto depth = n.entry.size();
    if (n.state.low < depth || !n.state.refusal.empty()) return std::nullopt;
    if (n.state.end == EndKind::kFall && n.t != kNone && n.state.stmts.empty() && n.state.stack.size() == depth + 1 &&
        n.state.stack.back().kind == ValueKind::kExpr)
      return Product{n.state.stack.back().expr, n.t};
    if (n.state.end == EndKind::kReturn && n.state.stmts.size() == 1 && n.state.stack.size() == depth)
      if (auto e = returned(n.state.stmts[0])) return Product{*e, kReturned};
    return std::nullopt;
  }
  std::optional<ExprId> returned(const LStmt& s) {
    if (s.kind != LKind::kStmt) return std::nullopt;
    const auto* r = std::get_if<ast::Return>(&unit_.ast.stmts[s.stmt].node);
    return r != nullptr && r->value.valid() ? std::optional(r->value) : std::nullopt;
  }
  // The node returns the value that came in on top of the stack, and does nothing else.
  bool returns_top(std::uint32_t m) {
    Node& n = at(m);
    if (n.entry.empty() || n.state.end != EndKind::kReturn || n.state.stmts.size() != 1) return false;
    const auto e = returned(n.state.stmts[0]);
    return e && lifter_.is_slot(*e, static_cast<std::uint32_t>(n.entry.size() - 1));
  }

  Status apply(std::uint32_t a, Piece p) {
    at(a).pieces.push_back(p);
    return replay(unit_, lifter_, g_, {p}, at(a).state);
  }
  void drop(std::uint32_t b) { at(b).alive = false; }
  void take_test(std::uint32_t a, const Node& b) {
    at(a).inverted = b.inverted;
    at(a).falls_true = b.falls_true;
    at(a).is_threaded = b.is_threaded;
  }
  void retarget(std::uint32_t a, std::uint32_t t, std::uint32_t f) {
    at(a).t = t;
    at(a).f = f;
  }
  void unlink(std::uint32_t b) {
    if (b != kNone && b != kReturned && at(b).preds > 0 && --at(b).preds == 0) {
      at(b).alive = false;
      const auto t = at(b).t, f = at(b).f;
      unlink(t);
      unlink(f);
    }
  }

  Result<bool> step(std::uint32_t a, Lines lines) {
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
        DEPYF_TRY(c, chained(a));
        if (c) return true;
        DEPYF_TRY(v, bool_value(a));
        if (v) return true;
        DEPYF_TRY(t, bool_test(a));
        if (t) return true;
        return conditional(a);
      }
      case EndKind::kExcBranch:
      case EndKind::kCase:
      case EndKind::kFor:
      case EndKind::kReturn: return false;
    }
    return false;
  }

  // a falls into b, and nothing else leads there; a loop begins at its own node whether or not it is run again
  Result<bool> merge_line(std::uint32_t a) {
    const auto b = at(a).t;
    if (b == kNone || b == a || !at(b).alive || at(b).preds != 1 || at(b).is_handler) return false;
    if (at(b).state.end == EndKind::kFor || passes_exit(a, b)) return false;
    if (!at(a).state.stmts.empty()) {
      const auto k = at(a).state.stmts.back().kind;
      if ((k == LKind::kPopExcept || k == LKind::kWithExit || k == LKind::kFinallyExit || k == LKind::kLoopExit ||
           k == LKind::kWithEnter) &&
          !returns_slot(b))
        return false;
      if (cleanup_tail(a) && !returns_slot(b)) return false;
    }
    // else it leaves a range with the value of a `return` on the stack
    if (!(at(b).handler == at(a).handler) && !returns_slot(b)) return false;
    const auto handler = at(a).handler;
    auto pieces = at(b).pieces;
    at(a).pieces.insert(at(a).pieces.end(), pieces.begin(), pieces.end());
    DEPYF_CHECK(replay(unit_, lifter_, g_, pieces, at(a).state));
    retarget(a, at(b).t, at(b).f);
    take_test(a, at(b));
    at(a).handler = handler;
    at(a).tail = at(b).tail;
    drop(b);
    return true;
  }
  // `if x: a` with `else: raise` or the like between it and what follows: that is no part of the arm.
  bool passes_exit(std::uint32_t a, std::uint32_t b) {
    const auto& entry = at(b).entry;
    const auto [from, is_silent] = at(a).tail;
    if (is_silent || entry.has(ValueKind::kExpr)) return false;
    auto exit =
        std::upper_bound(exits_.begin(), exits_.end(), from, [](auto order, const Exit& e) { return order < e.order; });
    for (; exit != exits_.end() && exit->order < at(b).order; ++exit)
      if (exit->depth < std::ssize(entry) || (exit->depth == std::ssize(entry) && exit->to <= from)) return true;
    return false;
  }
  // POP_EXCEPT; e = None; del e
  bool cleanup_tail(std::uint32_t a) {
    const auto& s = at(a).state.stmts;
    return s.size() >= 3 && s[s.size() - 3].kind == LKind::kPopExcept;
  }
  bool leaves(const LStmt& s) {
    return s.kind == LKind::kWithExit || s.kind == LKind::kPopExcept || s.kind == LKind::kFinallyExit ||
           s.kind == LKind::kLoopExit || clears_name(s);
  }
  // The node leaves ranges, if anything, and returns a value that came in on the stack.
  bool returns_slot(std::uint32_t m) {
    Node& n = at(m);
    if (n.state.end != EndKind::kReturn || n.state.stmts.empty()) return false;
    for (std::size_t i = 0; i + 1 < n.state.stmts.size(); ++i)
      if (!leaves(n.state.stmts[i])) return false;
    const auto e = returned(n.state.stmts.back());
    return e && is_entry_slot(n, *e);
  }
  bool is_entry_slot(const Node& n, ExprId e) {
    for (std::uint32_t d = 0; d < n.entry.size(); ++d)
      if (lifter_.is_slot(e, d)) return n.entry[d].kind == ValueKind::kExpr;
    return false;
  }
  // e = None or del e, at the end of `except E as e`
  bool clears_name(const LStmt& s) {
    if (s.kind != LKind::kStmt) return false;
    const auto& node = unit_.ast.stmts[s.stmt].node;
    if (std::holds_alternative<ast::Delete>(node)) return true;
    const auto* a = std::get_if<ast::Assign>(&node);
    return a != nullptr && a->targets.size() == 1 && ast::is_none(unit_.ast, unit_.code, a->value);
  }

  Result<bool> bool_value(std::uint32_t a) {
    auto& s = at(a).state;
    if (s.keep_true == s.keep_false) return false;
    const auto m = s.keep_true ? at(a).t : at(a).f;
    const auto b = s.keep_true ? at(a).f : at(a).t;
    if (!has_single_edge(a, b)) return false;
    const auto p = product(b);
    if (!p || p->next != m) return false;
    Piece piece{Piece::Kind::kBoolPush};
    piece.op = s.keep_true ? ast::BoolOperator::kOr : ast::BoolOperator::kAnd;
    piece.a = p->value;
    piece.apart = at(a).pieces.back().kind == Piece::Kind::kCode;
    const auto* rest = std::get_if<ast::BoolOp>(&unit_.ast.exprs[p->value].node);
    if (at(a).is_threaded && rest != nullptr && rest->op == piece.op)
      piece.groups = !at(b).is_threaded || is_operation(rest->values[0], piece.op);
    DEPYF_CHECK(apply(a, piece));
    drop(b);
    --at(m).preds;
    retarget(a, m, kNone);
    return true;
  }

  bool is_operation(ExprId e, ast::BoolOperator op) {
    const auto* x = std::get_if<ast::BoolOp>(&unit_.ast.exprs[e].node);
    return x != nullptr && x->op == op;
  }

  // The test continues with the operand that a comparison before it left on the stack: the two are one chain first.
  bool continues_chain(const Node& n) {
    const auto* c = std::get_if<ast::Compare>(&unit_.ast.exprs[n.state.cond].node);
    return c != nullptr && !n.entry.empty() && n.preds == 1 && n.state.stack.size() + 1 == n.entry.size() &&
           lifter_.is_slot(c->left, static_cast<std::uint32_t>(n.entry.size() - 1));
  }

  Result<bool> bool_test(std::uint32_t a) {
    const auto& s = at(a).state;
    if (continues_chain(at(a))) return false;
    for (const bool via_true : {true, false}) {
      const auto b = via_true ? at(a).t : at(a).f;
      const auto x = via_true ? at(a).f : at(a).t;
      if (!has_single_edge(a, b) || !pure(b) || at(b).state.end != EndKind::kBranch || !at(b).state.cond.valid())
        continue;
      if (at(b).state.stack.size() != at(b).entry.size()) continue;
      if (via_true ? s.keep_true : s.keep_false) continue;
      if (continues(unit_.dialect, at(a), at(x)) != continues(unit_.dialect, at(b), at(x))) continue;
      const bool keep_x = via_true ? s.keep_false : s.keep_true;
      const auto& sb = at(b).state;
      Piece p{Piece::Kind::kBoolBranch};
      bool swap = false;
      p.a = sb.cond;
      p.keep_true = sb.keep_true;
      p.keep_false = sb.keep_false;
      if (via_true && x == at(b).f && keep_x == sb.keep_false) {
        p.op = ast::BoolOperator::kAnd;
      } else if (!via_true && x == at(b).t && keep_x == sb.keep_true) {
        p.op = ast::BoolOperator::kOr;
      } else if (keep_x || x != (via_true ? at(b).t : at(b).f) || (via_true ? sb.keep_true : sb.keep_false)) {
        continue;
      } else {
        // x is the exit of both: `a and not b`, `not a and b`; so it is as another operand, as in `a and not b or x`.
        // Or b falls through to it: `not a or b`, `a or not b`
        const auto other = via_true ? at(b).f : at(b).t;
        const bool both_jump = at(x).order <= at(a).order || at(x).order > at(other).order;
        bool negate_a = (both_jump || tests_on(x, other)) != via_true;
        const auto may_negate_one = [&](bool is_a) { return is_a ? may_negate(unit_, s) : may_be_negated(sb); };
        if (!may_negate_one(negate_a)) negate_a = !negate_a;
        if (!may_negate_one(negate_a)) continue;
        p.op = negate_a == via_true ? ast::BoolOperator::kOr : ast::BoolOperator::kAnd;
        p.negate = negate_a;
        if (!negate_a) {
          p.a = ast::negated(unit_.ast, sb.cond, sb.free_polarity);
          swap = true;
        }
      }
      const auto t = swap ? at(b).f : at(b).t, f = swap ? at(b).t : at(b).f;
      DEPYF_CHECK(apply(a, p));
      take_test(a, at(b));
      at(a).falls_true = at(b).falls_true != swap;
      drop(b);
      --at(x).preds;
      retarget(a, t, f);
      return true;
    }
    return false;
  }
  // Two edges lead to x, which tests one thing more to jump to `other` as well, and that follows x in code order.
  bool tests_on(std::uint32_t x, std::uint32_t other) {
    const Node& n = at(x);
    if (n.preds != 2 || !pure(x) || n.state.end != EndKind::kBranch || !n.state.cond.valid()) return false;
    if (n.t != other && n.f != other) return false;
    const auto out = at(n.t == other ? n.f : n.t).order;
    return at(other).order > n.order && (out <= n.order || out > at(other).order);
  }
  Result<bool> conditional(std::uint32_t a) {
    const auto& s = at(a).state;
    const auto t = at(a).t, f = at(a).f;
    if (s.keep_true || s.keep_false || t == f || !has_single_edge(a, t) || !has_single_edge(a, f)) return false;
    const auto pt = product(t), pf = product(f);
    if (pt && pf &&
        ((pt->next == pf->next && pt->next != kReturned) ||
         (pt->next == kReturned && pf->next != kReturned && returns_top(pf->next)) ||
         (pf->next == kReturned && pt->next != kReturned && returns_top(pt->next)))) {
      Piece p{Piece::Kind::kIfPush};
      p.a = pt->value;
      p.b = pf->value;
      const auto next = pt->next != kReturned ? pt->next : pf->next;
      const bool both = pt->next == pf->next;
      DEPYF_CHECK(apply(a, p));
      drop(t);
      drop(f);
      if (both) --at(next).preds;
      retarget(a, next, kNone);
      return true;
    }
    return conditional_test(a, t, f);
  }
  // `q if a else s` as a test; within an expression `q if a else not s`, too: as statements they may be nested tests
  Result<bool> conditional_test(std::uint32_t a, std::uint32_t t, std::uint32_t f) {
    const auto is_test = [&](std::uint32_t i) {
      return pure(i) && at(i).state.end == EndKind::kBranch && at(i).state.cond.valid() &&
             at(i).state.stack.size() == at(i).entry.size();
    };
    if (!is_test(t) || !is_test(f)) return false;
    const auto &x = at(t), &y = at(f);
    const bool in_expression = x.entry.has(ValueKind::kExpr) || lifter_.co.name == "<lambda>";
    const bool crossed = in_expression && x.t == y.f && x.f == y.t;
    if (!crossed && (x.t != y.t || x.f != y.f || x.state.keep_true != y.state.keep_true ||
                     x.state.keep_false != y.state.keep_false))
      return false;
    if (crossed && (!may_be_negated(x.state) || !may_be_negated(y.state))) return false;
    Piece p{Piece::Kind::kIfBranch};
    p.a = x.state.cond;
    p.b = y.state.cond;
    p.keep_true = x.state.keep_true;
    p.keep_false = x.state.keep_false;
    const bool negates_x = crossed && !x.falls_true;
    if (crossed) {
      ExprId& negated = negates_x ? p.a : p.b;
      negated = ast::negated(unit_.ast, negated, (negates_x ? x : y).state.free_polarity);
    }
    const auto& kept = negates_x ? y : x;
    const auto nt = kept.t, nf = kept.f;
    take_test(a, kept);
    DEPYF_CHECK(apply(a, p));
    drop(t);
    drop(f);
    --at(nt).preds;
    --at(nf).preds;
    retarget(a, nt, nf);
    return true;
  }
  [[nodiscard]] bool may_be_negated(const State& s) const {
    return may_negate(unit_, s) && !s.keep_true && !s.keep_false;
  }

  // Cleanup of a chained comparison: drops the middle operand (under the outcome, for a value).
  bool cleans_up(std::uint32_t c, bool value) {
    Node& n = at(c);
    const auto depth = n.entry.size();
    if (!n.state.stmts.empty() || n.state.end != EndKind::kFall || n.state.stack.size() + 1 != depth) return false;
    if (!value) return n.state.low + 1 >= depth;
    return depth >= 2 && n.state.low + 2 >= depth && n.state.stack.back().kind == ValueKind::kExpr &&
           lifter_.is_slot(n.state.stack.back().expr, static_cast<std::uint32_t>(depth - 1));
  }

  Result<bool> chained(std::uint32_t a) {
    const auto& s = at(a).state;
    const auto* c = std::get_if<ast::Compare>(&unit_.ast.exprs[s.cond].node);
    const auto b = at(a).t, clean = at(a).f;
    if (c == nullptr || s.stack.empty() || s.stack.back().kind != ValueKind::kExpr ||
        s.stack.back().expr != c->comparators.back() || s.keep_true || !has_single_edge(a, b))
      return false;
    Node& n = at(b);
    const auto middle = static_cast<std::uint32_t>(n.entry.size() - 1);
    if (!cleans_up(clean, s.keep_false) || n.state.low + 1 < n.entry.size() || !n.state.refusal.empty()) return false;
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
      Piece p{Piece::Kind::kChainPush};
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
    if (n.f != after) return false;
    Piece p{Piece::Kind::kChainBranch};
    p.a = n.state.cond;
    const auto t = n.t, f = n.f;
    DEPYF_CHECK(apply(a, p));
    take_test(a, n);
    drop(b);
    retarget(a, t, f);
    unlink(clean);
    return true;
  }

  lift::Unit& unit_;
  lift::Lifter& lifter_;
  Graph& g_;
  struct Exit {
    std::uint32_t order = 0;
    std::ptrdiff_t depth = -1;  // stack entries where it continues; -1: the function is left
    std::uint32_t to = kNone;   // of a jump back: where
  };
  SmallVector<Exit, 8> exits_;    // in code order: where something is left
  SmallVector<bool, 64> is_arm_;  // by node
};

}  // namespace

Status fold_expressions(lift::Unit& unit, lift::Lifter& lifter, Graph& graph) {
  DEPYF_CHECK(Folder(unit, lifter, graph).run());
  for (auto& n : graph.nodes)
    if (n.alive && n.state.end == EndKind::kBranch && n.state.cond.valid())
      n.state.cond = unfolded_test(unit, n.state.cond);
  std::map<std::uint32_t, ExprId> known;  // by loop: its iterator, known only since its line was merged
  for (const auto& n : graph.nodes) {
    if (!n.alive || n.state.end != EndKind::kFall || n.t == kNone || n.state.stack.empty()) continue;
    const auto& loop = graph.nodes[n.t];
    const Value& it = n.state.stack.back();
    if (loop.state.end != EndKind::kFor || loop.state.stack.empty() || it.kind != ValueKind::kIter) continue;
    const Value& now = loop.state.stack.back();
    if (now.kind != ValueKind::kIter || loop.state.low + 1 < loop.entry.size() || it.expr == now.expr) continue;
    if (!known.try_emplace(n.t, it.expr).second)
      return Error{Errc::kInternal, loop.order, "a loop over what several lines make"};
  }
  for (const auto& [loop, iterator] : known) graph.nodes[loop].state.stack.back().expr = iterator;
  return depyf::Unit{};
}

}  // namespace depyf::structure
