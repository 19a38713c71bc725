// SPDX-License-Identifier: MIT
// Replays the pieces of a node on a state: lifts code again, and builds the expressions that folding made of branches.
#include <algorithm>

#include "ast/constants.h"
#include "ast/negation.h"
#include "structure/expr/combine.h"
#include "structure/graph.h"

namespace depyf::structure {

namespace {

void push_value(lift::Lifter& lifter, State& s, ExprId e) {
  s.stack.push_back({.expr = e, .seq = lifter.next_seq()});
  s.end = EndKind::kFall;
  s.cond = ExprId{};
  s.keep_true = s.keep_false = s.free_polarity = false;
}

// Ends the state with the result of folding: a value, or another test.
void set_result(lift::Lifter& lifter, State& s, const Piece& p, ExprId e) {
  if (p.is_value) return push_value(lifter, s, e);
  s.cond = e;
  s.keep_true = p.keep_true;
  s.keep_false = p.keep_false;
  s.free_polarity = false;
}

// Returns `p.a if test else p.b`, or `(b if test else c, d)` if both arms are tuples: see ast::conditional_item().
ExprId conditional(lift::Unit& unit, const State& s, const Piece& p) {
  const auto test = lift::unfolded(unit, tested(unit, s, !p.negate));
  if (const auto tuple = ast::conditional_item(unit.ast, unit.code, test, p.a, p.b); tuple.valid()) return tuple;
  return unit.ast.expr(ast::IfExp{test, p.a, p.b}, unit.ast.exprs[s.cond].origin);
}

void mark_observable(lift::Unit& unit, const State& s) {
  if (s.stmts.empty() || s.stmts.back().kind != LKind::kStmt) return;
  if (auto* r = std::get_if<ast::Return>(&unit.ast.stmts[s.stmts.back().stmt].node)) r->is_observable = true;
}

}  // namespace

Status replay(lift::Unit& unit, lift::Lifter& lifter, const Graph& graph, const Pieces& pieces, State& s) {
  for (const auto& p : pieces) {
    for (const ExprId value : {p.a, p.b})  // leave the stacks of their nodes without being taken from them
      if (p.is_value && value.valid()) lifter.shared.note_use(value);
    switch (p.kind) {
      case Piece::Kind::kCode:
        DEPYF_CHECK(lifter.run(s, graph.code[p.block], p.first, p.last));
        if (s.end == EndKind::kBranch) {
          s.keep_true = p.keep_true;
          s.keep_false = p.keep_false;
        }
        if (p.has_source_return) mark_observable(unit, s);
        break;
      case Piece::Kind::kBool: {
        const ExprId first =
            p.negate ? ast::negated(unit.ast, s.cond, s.free_polarity) : unfolded_operand(unit, p.op, s.cond);
        set_result(lifter, s, p,
                   p.joins_first_operand ? grouped(unit, p.op, first, p.a)
                                         : bool_op(unit, p.op, first, p.a, p.is_one_operand));
        break;
      }
      case Piece::Kind::kIf: set_result(lifter, s, p, conditional(unit, s, p)); break;
      case Piece::Kind::kChain: {
        const ExprId whole = chain(unit, s.cond, p.a);
        s.stack.pop_back();  // the middle operand
        set_result(lifter, s, p, whole);
        break;
      }
      case Piece::Kind::kCase: DEPYF_CHECK(lifter.test_case(s, p.test.pattern, p.test.keeps_subject)); break;
      case Piece::Kind::kValue:
        for (std::uint32_t i = 0; i < p.first; ++i) s.stack.pop_back();
        s.low = std::min(s.low, static_cast<std::uint32_t>(s.stack.size()));
        for (std::size_t d = s.stack.size(); s.stack.below().has(ValueKind::kCleared);) (void)s.stack[--d];
        for (auto& v : s.stack)
          if (v.kind == ValueKind::kCleared) v.a = 1;  // the comprehension's expression implies that it is restored
        push_value(lifter, s, p.a);
        break;
    }
  }
  return depyf::Unit{};
}

}  // namespace depyf::structure
