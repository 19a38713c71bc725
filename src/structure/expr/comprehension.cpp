// SPDX-License-Identifier: MIT
// Inlined comprehensions (3.12+, PEP 709): the loop between clearing and restoring the locals becomes one expression.
//
// Shape (codegen_comprehension in Python/codegen.c): iter; GET_ITER; LOAD_FAST_AND_CLEAR x ...; SWAP; BUILD_LIST 0;
// SWAP; H: FOR_ITER X; target; tests that lead back to H; element; LIST_APPEND; JUMP H; X: END_FOR; POP_ITER; restoring.
// Invariant: the graph is unchanged unless every node of the loop has that form.
#include "structure/expr/comprehension.h"

#include <algorithm>

#include "structure/expr/combine.h"

namespace depyf::structure {

namespace {

class Reader {
 public:
  Reader(lift::Unit& unit, Graph& graph, bool in_comprehension)
      : unit_(unit), g_(graph), in_comprehension_(in_comprehension) {}

  // The loop that node a enters, as a comprehension; `nodes` are what it takes the place of.
  std::optional<ExprId> read(std::uint32_t a) {
    const auto& stack = g_.nodes[a].state.stack;
    if (stack.size() < 2 || reads_slots(g_.nodes[a], stack.back())) return std::nullopt;
    const Value &iter = stack.back(), &result = stack[stack.size() - 2];
    if (iter.kind != ValueKind::kIter || result.kind != ValueKind::kExpr || is_own(iter.expr)) return std::nullopt;
    const auto& display = unit_.ast.exprs[result.expr];
    if (const auto* l = std::get_if<ast::List>(&display.node); l != nullptr && l->elts.empty())
      out_.kind = ast::ComprehensionKind::kList;
    else if (const auto* s = std::get_if<ast::Set>(&display.node); s != nullptr && s->elts.empty())
      out_.kind = ast::ComprehensionKind::kSet;
    else if (const auto* d = std::get_if<ast::Dict>(&display.node); d != nullptr && d->values.empty())
      out_.kind = ast::ComprehensionKind::kDict;
    else
      return std::nullopt;
    const auto handler = g_.nodes[a].handler;
    const auto origin = display.origin;
    std::uint32_t header = g_.nodes[a].t;
    ExprId source = iter.expr;
    for (;;) {
      nodes.push_back(header);
      const auto& h = g_.nodes[header];
      if (nodes.size() > 400 || h.preds < 2 || !h.state.refusal.empty() || !(h.handler == handler)) return std::nullopt;
      if (h.state.end != EndKind::kFor || !h.state.stmts.empty() || h.state.low + 1 < h.entry.size())
        return std::nullopt;
      // an inner loop is left into nothing but the way back to the outer one
      if (headers_.empty())
        exit = h.f, is_async = h.state.async_loop;
      else if (!leads_back(h.f, headers_.back()))
        return std::nullopt;
      headers_.push_back(header);
      std::uint32_t at = h.t;
      if (at == kNone || g_.nodes[at].preds != 1) return std::nullopt;
      const auto& first = g_.nodes[at].state.stmts;
      if (first.empty() || first[0].kind != LKind::kForStore) return std::nullopt;
      out_.generators.push_back({first[0].expr, source, {}, h.state.async_loop});
      std::size_t items = 1;  // what the loop has put on the stack
      std::uint32_t edges = 1;
      for (;; items = 0) {
        const auto& n = g_.nodes[at];
        nodes.push_back(at);
        if (nodes.size() > 400 || n.preds != edges || !n.state.refusal.empty() || !(n.handler == handler) ||
            n.is_handler)
          return std::nullopt;
        const auto used = assigned(n.state, items);
        if (n.state.end == EndKind::kBranch) {
          if (n.state.stmts.size() != used || n.state.stack.size() + items != n.entry.size() || !n.state.cond.valid() ||
              n.state.keep_true || n.state.keep_false)
            return std::nullopt;
          edges = n.t == n.f ? 2 : 1;
          if (n.t == n.f) {
            out_.generators.back().ifs.push_back(always(n.state.cond));
            at = n.t;
            continue;
          }
          const bool back_false = n.f == header, back_true = n.t == header;
          if (back_false == back_true || (back_true && !may_negate(unit_, n.state))) return std::nullopt;
          out_.generators.back().ifs.push_back(tested(unit_, n.state, back_false));
          at = back_true ? n.f : n.t;
          continue;
        }
        if (n.state.end != EndKind::kFall || n.t == kNone) return std::nullopt;
        if (n.t == header) {
          if (n.state.stack.size() + items != n.entry.size()) return std::nullopt;
          if (n.state.stmts.size() == used)
            never();
          else if (n.state.stmts.size() != used + 1 || n.state.stmts[used].kind != LKind::kAppend ||
                   !element(n.state.stmts[used]))
            return std::nullopt;
          return is_entered_once() ? std::optional(unit_.ast.expr(std::move(out_), origin)) : std::nullopt;
        }
        if (n.state.stmts.size() != used || n.state.stack.size() + items != n.entry.size() + 1) return std::nullopt;
        const Value& inner = n.state.stack.back();
        if (inner.kind != ValueKind::kIter) return std::nullopt;
        source = inner.expr;
        header = n.t;
        break;
      }
    }
  }

  std::vector<std::uint32_t> nodes;
  std::uint32_t exit = kNone;
  bool is_async = false;  // the outermost loop

 private:
  // The loop of a comprehension that has a function of its own, which is all that the function is: in the annotations of a
  // generic method (ste_can_see_class_scope in Python/symtable.c).
  [[nodiscard]] bool is_own(ExprId iter) const {
    const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[iter].node);
    return in_comprehension_ && n != nullptr && n->id == unit_.argument_name();
  }
  // Statements after the first `used` that are `for y in [e]`, which the compiler makes an assignment.
  std::size_t assigned(const State& s, std::size_t used) {
    for (; used < s.stmts.size() && s.stmts[used].kind == LKind::kStmt; ++used) {
      const auto* a = std::get_if<ast::Assign>(&unit_.ast.stmts[s.stmts[used].stmt].node);
      if (a == nullptr || a->targets.size() != 1) break;
      const auto target = a->targets[0], value = a->value;
      const auto origin = unit_.ast.exprs[value].origin;
      out_.generators.push_back({target, unit_.ast.expr(ast::List{{value}}, origin), {}, false});
    }
    return used;
  }
  // A value from before the line is still to be put in its place: the line is not merged yet.
  static bool reads_slots(const Node& n, const Value& iter) {
    for (std::size_t d = n.state.low; d < n.entry.size(); ++d)
      if (n.entry[d].kind == ValueKind::kExpr || (n.entry[d].kind == ValueKind::kIter && n.entry[d].expr == iter.expr))
        return true;
    return false;
  }
  // x, k: v, *x, or (3.15) **x, which has no key
  bool element(const LStmt& append) {
    const auto* star = std::get_if<ast::Starred>(&unit_.ast.exprs[append.expr].node);
    const bool dict = out_.kind == ast::ComprehensionKind::kDict;
    if (dict ? !append.key.valid() && star == nullptr : append.key.valid()) return false;
    out_.elt = dict ? append.key : append.expr;
    if (dict) out_.value = append.key.valid() ? append.expr : star->value;
    return true;
  }
  // Of `x or 1` the compiler leaves the test of x, which leads nowhere else.
  ExprId always(ExprId test) {
    const auto origin = unit_.ast.exprs[test].origin;
    const auto one = unit_.ast.expr(ast::IntLiteral{1}, origin);
    return unit_.ast.expr(ast::BoolOp{ast::BoolOperator::kOr, {test, one}}, origin);
  }
  // Of `if 0` it leaves nothing, nor of the element.
  void never() {
    const auto zero = unit_.ast.expr(ast::IntLiteral{0}, {});
    out_.generators.back().ifs.push_back(zero);
    out_.elt = zero;
    if (out_.kind == ast::ComprehensionKind::kDict) out_.value = zero;
  }
  // Nothing but the node before it and what is in it leads to the loop.
  [[nodiscard]] bool is_entered_once() const {
    std::uint32_t edges = 1;
    for (const auto i : nodes)
      for (const auto to : {g_.nodes[i].t, g_.nodes[i].f})
        if (to == headers_[0]) ++edges;
    return g_.nodes[headers_[0]].preds == edges;
  }
  bool leads_back(std::uint32_t n, std::uint32_t header) {
    if (n == kNone) return false;
    const auto& x = g_.nodes[n];
    nodes.push_back(n);
    return x.preds == 1 && x.state.stmts.empty() && x.state.end == EndKind::kFall && x.t == header;
  }
  lift::Unit& unit_;
  Graph& g_;
  bool in_comprehension_;
  ast::Comprehension out_{ast::ComprehensionKind::kList, {}, {}, {}};
  std::vector<std::uint32_t> headers_;
};

}  // namespace

Result<bool> inline_comprehension(lift::Unit& unit, lift::Lifter& lifter, Graph& g, std::uint32_t a) {
  if (!unit.dialect.inlines_comprehensions || g.nodes[a].t == kNone) return false;
  if (g.nodes[a].state.end != EndKind::kFall || g.nodes[g.nodes[a].t].state.end != EndKind::kFor) return false;
  Reader reader(unit, g, lifter.is_comprehension());
  const auto value = reader.read(a);
  const auto exit = reader.exit;
  if (!value || exit == kNone || g.nodes[exit].preds != 1) return false;
  // after the loop: what takes the iterator off the stack is part of the loop
  auto rest = g.nodes[exit].pieces;
  const auto take = [&]() -> const Instruction* {
    while (!rest.empty() && rest[0].kind == Piece::Kind::kCode && rest[0].first == rest[0].last)
      rest.erase(rest.begin());
    const bool code = !rest.empty() && rest[0].kind == Piece::Kind::kCode;
    return code ? &g.code[rest[0].block][rest[0].first++] : nullptr;
  };
  if (!reader.is_async) {
    const auto* end = take();
    if (end == nullptr || end->op != Op::END_FOR) return false;
    // END_FOR, and POP_ITER or (3.13) POP_TOP where END_FOR leaves the iterator
    if (effect(unit.dialect.version, *end, false).pops < 2 && take() == nullptr) return false;
  }
  Piece piece{Piece::Kind::kValue};
  piece.first = 2;
  piece.a = *value;
  rest.insert(rest.begin(), piece);
  auto& n = g.nodes[a];
  n.pieces.insert(n.pieces.end(), rest.begin(), rest.end());
  DEPYF_CHECK(replay(unit, lifter, g, rest, n.state));
  n.t = g.nodes[exit].t;
  n.f = g.nodes[exit].f;
  n.inverted = g.nodes[exit].inverted;
  n.is_threaded = g.nodes[exit].is_threaded;
  for (auto i : reader.nodes) g.nodes[i].alive = false;
  g.nodes[exit].alive = false;
  return true;
}

}  // namespace depyf::structure
