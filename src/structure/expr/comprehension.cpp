// SPDX-License-Identifier: MIT
// Turns the loop of a comprehension into one expression: of a function that is a comprehension, and of an inlined
// comprehension (3.12+, PEP 709), whose loop is between saving and restoring the locals.
//
// Shape (codegen_comprehension in Python/codegen.c): iter; GET_ITER; LOAD_FAST_AND_CLEAR x ...; SWAP; BUILD_LIST 0;
// SWAP; H: FOR_ITER X; target; tests that jump back to H; element; LIST_APPEND; JUMP H; X: END_FOR; POP_ITER; code that
// restores. Invariant: the graph is unchanged unless every node of the loop has that form.
#include "structure/expr/comprehension.h"

#include <algorithm>

#include "ast/constants.h"
#include "ast/walk.h"
#include "structure/expr/combine.h"
#include "structure/expr/dead_names.h"

namespace depyf::structure {

namespace {

class Reader {
 public:
  Reader(lift::Unit& unit, const Graph& graph) : unit_(unit), g_(graph) {}

  // Returns whether the loop that node a enters is a comprehension; `nodes` are its nodes. A generator expression has
  // no result on the stack.
  bool read(std::uint32_t a, bool is_generator) {
    const auto& stack = g_.nodes[a].state.stack;
    if (stack.empty() || reads_slots(g_.nodes[a], stack.back()) || stack.back().kind != ValueKind::kIter) return false;
    if (is_generator)
      out.kind = ast::ComprehensionKind::kGenerator;
    else if (stack.size() < 2 || !read_result(stack[stack.size() - 2]))
      return false;
    handler_ = g_.nodes[a].handler;
    header_ = g_.nodes[a].t;
    source_ = stack.back().expr;
    while (read_clause())
      if (is_complete_) return is_entered_once();
    return false;
  }

  std::vector<std::uint32_t> nodes;
  ast::Comprehension out{ast::ComprehensionKind::kList, {}, {}, {}};
  ast::Origin result_origin;  // of the result
  std::uint32_t exit = kNone;

 private:
  bool read_result(const Value& result) {
    if (result.kind != ValueKind::kExpr) return false;
    const auto& node = unit_.ast.exprs[result.expr].node;
    result_origin = unit_.ast.exprs[result.expr].origin;
    if (const auto* s = std::get_if<ast::Set>(&node); s != nullptr && s->elts.empty()) {
      out.kind = ast::ComprehensionKind::kSet;
      return true;
    }
    if (const auto* d = std::get_if<ast::Dict>(&node); d != nullptr && d->values.empty()) {
      out.kind = ast::ComprehensionKind::kDict;
      return true;
    }
    const auto* l = std::get_if<ast::List>(&node);
    return l != nullptr && l->elts.empty();
  }
  // Reads one `for` with its conditions, up to the inner loop or the element.
  bool read_clause() {
    nodes.push_back(header_);
    const auto& h = g_.nodes[header_];
    if (h.preds < 2 || !is_valid(h) || h.state.end != EndKind::kFor || !h.state.stmts.empty() ||
        h.state.low + 1 < h.entry.size())
      return false;
    // The exit of an inner loop must lead straight back to the outer one.
    if (headers_.empty())
      exit = h.f;
    else if (!leads_back(h.f, headers_.back()))
      return false;
    headers_.push_back(header_);
    std::uint32_t at = h.t;
    if (at == kNone || g_.nodes[at].preds != 1) return false;
    const auto& first = g_.nodes[at].state.stmts;
    if (first.empty() || first[0].kind != LKind::kForStore) return false;
    out.generators.push_back({first[0].expr, source_, {}, h.state.async_loop});
    std::size_t items = 1;  // entries that the loop has pushed
    std::uint32_t edges = 1;
    for (;; items = 0) {
      const auto& n = g_.nodes[at];
      nodes.push_back(at);
      if (n.preds != edges || !is_valid(n) || n.is_handler) return false;
      const auto used = skip_single_item_loops(n.state, items);
      const auto height = n.state.stack.size() + items;
      if (n.state.end != EndKind::kBranch) return read_end_of_clause(n, used, height);
      if (n.state.stmts.size() != used || height != n.entry.size() || !n.state.cond.valid() || n.state.keep_true ||
          n.state.keep_false)
        return false;
      edges = n.t == n.f ? 2 : 1;
      auto& ifs = out.generators.back().ifs;
      if (n.t == n.f && n.t == header_) {
        ifs.push_back(n.state.cond);
        return read_never();
      }
      if (n.t == n.f) {
        ifs.push_back(or_number(n.state.cond, 1));  // of `x or 1` the compiler leaves the test of x
        at = n.t;
        continue;
      }
      const bool back_false = n.f == header_, back_true = n.t == header_;
      if (back_false == back_true || (back_true && !may_negate(unit_, n.state))) return false;
      const auto test = tested(unit_, n.state, back_false);
      // A condition that jumps back is inverted. A jump that is not leads past a jump back, as that of `x or 0` does.
      ifs.push_back(has_own_continue(unit_.dialect, n, g_.nodes[header_]) ? or_number(test, 0) : test);
      at = back_true ? n.f : n.t;
    }
  }
  // The compiler leaves nothing of `if 0`, nor of the element after it.
  bool read_never() {
    out.generators.back().ifs.push_back(unit_.ast.expr(ast::IntLiteral{0}, {}));
    return is_complete_ = true;
  }
  // Returns whether node n ends the clause: at the next loop, or at the back edge, with the element.
  bool read_end_of_clause(const Node& n, std::size_t used, std::size_t height) {
    if (n.state.end != EndKind::kFall || n.t == kNone) return false;
    is_complete_ = n.t == header_;
    if (is_complete_) {
      if (height != n.entry.size()) return false;
      if (n.state.stmts.size() != used) return n.state.stmts.size() == used + 1 && read_element(n.state.stmts[used]);
      return read_never();
    }
    if (n.state.stmts.size() != used || height != n.entry.size() + 1) return false;
    const Value& inner = n.state.stack.back();
    header_ = n.t;
    source_ = inner.expr;
    return inner.kind == ValueKind::kIter;
  }
  [[nodiscard]] bool is_valid(const Node& n) const {
    return nodes.size() <= 400 && n.state.refusal.empty() && n.handler == handler_;
  }
  // Reads the assignments after the first `used` statements, to which the compiler has optimized `for y in [e]`.
  // Returns the index of the first other statement.
  std::size_t skip_single_item_loops(const State& s, std::size_t used) {
    for (; used < s.stmts.size() && s.stmts[used].kind == LKind::kStmt; ++used) {
      const auto* a = std::get_if<ast::Assign>(&unit_.ast.stmts[s.stmts[used].stmt].node);
      if (a == nullptr || a->targets.size() != 1) break;
      const auto target = a->targets[0], value = a->value;
      const auto origin = unit_.ast.exprs[value].origin;
      out.generators.push_back({target, unit_.ast.expr(ast::List{{value}}, origin), {}, false});
    }
    return used;
  }
  // Returns whether the line still reads values of earlier lines from slots: it is not merged with them yet.
  static bool reads_slots(const Node& n, const Value& iter) {
    for (std::size_t d = n.state.low; d < n.entry.size(); ++d)
      if (n.entry[d].kind == ValueKind::kExpr || (n.entry[d].kind == ValueKind::kIter && n.entry[d].expr == iter.expr))
        return true;
    return false;
  }
  // Reads the element: x, k: v, *x, or (3.15) **x, which has no key. A generator yields x, or (3.15) the items of `*x`
  // in a loop of its own.
  bool read_element(const LStmt& s) {
    if (out.kind == ast::ComprehensionKind::kGenerator) return s.kind == LKind::kStmt && read_yield(s.stmt);
    if (s.kind != LKind::kAppend) return false;
    const auto* star = std::get_if<ast::Starred>(&unit_.ast.exprs[s.expr].node);
    const bool dict = out.kind == ast::ComprehensionKind::kDict;
    if (dict ? !s.key.valid() && star == nullptr : s.key.valid()) return false;
    out.elt = dict ? s.key : s.expr;
    if (dict) out.value = s.key.valid() ? s.expr : star->value;
    return true;
  }
  bool read_yield(ast::StmtId stmt) {
    const auto* e = std::get_if<ast::ExprStmt>(&unit_.ast.stmts[stmt].node);
    const auto* y = e != nullptr ? std::get_if<ast::Yield>(&unit_.ast.exprs[e->value].node) : nullptr;
    if (y == nullptr) return false;
    const auto origin = unit_.ast.exprs[e->value].origin;
    out.elt = y->value.valid() ? y->value : unit_.ast.expr(ast::NoneLiteral{}, origin);
    const auto is_item = [&](ExprId x) {
      const auto* name = std::get_if<ast::Name>(&unit_.ast.exprs[x].node);
      return name != nullptr && name->id == unit_.item_name();
    };
    if (!is_item(out.elt)) return true;
    const auto inner = out.generators.back();
    if (out.generators.size() < 2 || !is_item(inner.target) || !inner.ifs.empty()) return false;
    out.elt = unit_.ast.expr(ast::Starred{inner.iter}, unit_.ast.exprs[inner.iter].origin);
    out.generators.pop_back();
    return true;
  }
  // Returns `test or number`.
  ExprId or_number(ExprId test, std::int64_t number) {
    const auto origin = unit_.ast.exprs[test].origin;
    const auto constant = unit_.ast.expr(ast::IntLiteral{number}, origin);
    return unit_.ast.expr(ast::BoolOp{ast::BoolOperator::kOr, {test, constant}}, origin);
  }
  // Returns whether the loop has no predecessors but the node before it and its own nodes.
  [[nodiscard]] bool is_entered_once() const {
    std::uint32_t edges = 1;
    for (const auto i : nodes)
      for (const auto to : {g_.nodes[i].t, g_.nodes[i].f})
        if (to == headers_[0]) ++edges;
    return g_.nodes[headers_[0]].preds == edges;
  }
  bool leads_back(std::uint32_t n, std::uint32_t header) {
    if (n == kNone || n == header) return n == header;
    const auto& x = g_.nodes[n];
    nodes.push_back(n);
    return x.preds == 1 && x.state.stmts.empty() && x.state.end == EndKind::kFall && x.t == header;
  }
  lift::Unit& unit_;
  const Graph& g_;
  Handler handler_;
  std::vector<std::uint32_t> headers_;
  std::uint32_t header_ = kNone;  // of the current clause
  ExprId source_;                 // the iterable of the current clause
  bool is_complete_ = false;      // the element has been read
};

// Returns whether a comprehension contains `yield` outside its first iterable, which Python refuses since 3.8.
bool yields(const ast::Tree& tree, const ast::Comprehension& made) {
  bool found = false;
  const auto look =
      Overloaded{[](ast::StmtId) { return true; }, [](ast::PatternId) { return true; },
                 [&](ExprId e) {
                   const auto& node = tree.exprs[e].node;
                   found |= std::holds_alternative<ast::Yield>(node) || std::holds_alternative<ast::YieldFrom>(node);
                   return !found && !std::holds_alternative<ast::Lambda>(node);
                 }};
  ast::walk(tree, made.elt, look);
  ast::walk(tree, made.value, look);
  for (std::size_t i = 0; i < made.generators.size(); ++i) {
    const auto& clause = made.generators[i];
    ast::walk(tree, clause.target, look);
    if (i > 0) ast::walk(tree, clause.iter, look);
    for (const ExprId test : clause.ifs) ast::walk(tree, test, look);
  }
  return found;
}

// Returns whether a loop iterates over the argument of a comprehension's function.
bool is_argument(const lift::Unit& unit, ExprId iter) {
  const auto* n = std::get_if<ast::Name>(&unit.ast.exprs[iter].node);
  return n != nullptr && n->id == unit.argument_name();
}

}  // namespace

std::optional<ast::Comprehension> comprehension_of(lift::Unit& unit, const lift::Lifter& lifter, const Graph& g) {
  const bool is_generator = lifter.co.name == "<genexpr>";
  if ((!is_generator && !lifter.is_comprehension()) || !g.nodes[0].state.stmts.empty()) return std::nullopt;
  if (g.nodes[0].state.end != EndKind::kFall || g.nodes[0].t == kNone) return std::nullopt;
  Reader reader(unit, g);
  if (!reader.read(0, is_generator) || !is_argument(unit, reader.out.generators[0].iter)) return std::nullopt;
  if (reader.exit == kNone || g.nodes[reader.exit].state.end != EndKind::kReturn) return std::nullopt;
  const auto& last = g.nodes[reader.exit].state.stmts;
  const auto* r = last.size() == 1 ? return_of(unit, last[0]) : nullptr;
  if (r == nullptr) return std::nullopt;
  if (yields(unit.ast, reader.out)) return std::nullopt;
  const bool returns_result = is_generator ? ast::is_none(unit.ast, unit.code, r->value) : lifter.is_slot(r->value, 0);
  return returns_result ? std::optional(std::move(reader.out)) : std::nullopt;
}

Result<bool> inline_comprehension(lift::Unit& unit, lift::Lifter& lifter, Graph& g, std::uint32_t a) {
  if (!unit.dialect.inlines_comprehensions || g.nodes[a].t == kNone) return false;
  if (g.nodes[a].state.end != EndKind::kFall || g.nodes[g.nodes[a].t].state.end != EndKind::kFor) return false;
  Reader reader(unit, g);
  if (!reader.read(a, false) || yields(unit.ast, reader.out)) return false;
  auto& made = reader.out;
  const bool is_async = made.generators[0].is_async;
  // The loop over the argument is the whole body of a comprehension's function, not an inlined comprehension. Such
  // functions exist in the annotations of a generic method (ste_can_see_class_scope in Python/symtable.c).
  if (lifter.is_comprehension() && is_argument(unit, made.generators[0].iter)) return false;
  const auto exit = reader.exit;
  if (exit == kNone || g.nodes[exit].preds != 1) return false;
  keep_dead_names(unit, lifter, g, g.nodes[a].state.stack, made);
  const ExprId value = unit.ast.expr(std::move(made), reader.result_origin);
  // The instructions after the loop that pop the iterator are part of the loop.
  auto rest = g.nodes[exit].pieces;
  const auto take = [&]() -> const Instruction* {
    while (!rest.empty() && rest[0].kind == Piece::Kind::kCode && rest[0].first == rest[0].last)
      rest.erase(rest.begin());
    const bool code = !rest.empty() && rest[0].kind == Piece::Kind::kCode;
    return code ? &g.code[rest[0].block][rest[0].first++] : nullptr;
  };
  if (!is_async) {
    const auto* end = take();
    if (end == nullptr || end->op != Op::END_FOR) return false;
    // END_FOR, and POP_ITER, or (3.13) POP_TOP if END_FOR leaves the iterator.
    if (effect(unit.dialect.version, *end, false).pops < 2 && take() == nullptr) return false;
  }
  Piece piece{Piece::Kind::kValue};
  piece.first = 2;
  piece.a = value;
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
