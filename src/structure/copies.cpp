// SPDX-License-Identifier: MIT
// Undoing the copies that the compiler made: loop tests (3.10-3.13) and exit blocks (3.10+, inline_small_exit_blocks).
//
// Two nodes that do the same and continue at the same places are one position of the program; edges are moved to one of
// them, so that a loop has one header and several exits one follow. Nothing is merged that differs in handler or stack.
#include <algorithm>
#include <map>
#include <tuple>

#include "ast/walk.h"
#include "structure/graph.h"

namespace depyf::structure {

namespace {

class Merger {
 public:
  Merger(lift::Unit& unit, lift::Lifter& lifter, Graph& graph) : unit_(unit), lifter_(lifter), g_(graph) {}

  void before_folding() {
    merge_implicit_returns();
    merge_exits_of_bodies();
    split_cleanups();
    merge_reraises();
    if (!unit_.dialect.loop_test_duplicated) return;
    const auto count = g_.nodes.size();
    bool changed = false;
    for (int round = 0; round < 64 && loop_tests(); ++round) changed = true;
    if (changed || g_.nodes.size() > count) count_preds(g_);
  }

  void after_folding(bool cleanups) {
    split_returns();
    for (int round = 0; round < 8; ++round)
      if (!exits(cleanups)) break;
    count_preds(g_);
  }

 private:
  // A simple `return` at the end of a line was a node of its own before the compiler copied it (inline_small_exit_blocks).
  void split_returns() {
    const auto count = g_.nodes.size();
    for (std::uint32_t i = 0; i < count; ++i) {
      auto& n = g_.nodes[i];
      if (!n.alive || n.state.end != EndKind::kReturn || n.state.stmts.size() < 2) continue;
      const LStmt last = n.state.stmts.back();
      if (last.kind != LKind::kStmt) continue;
      const auto* r = std::get_if<ast::Return>(&unit_.ast.stmts[last.stmt].node);
      if (r == nullptr || !r->value.valid()) continue;
      const auto& v = unit_.ast.exprs[r->value].node;
      if (!std::holds_alternative<ast::ConstantExpr>(v) && !std::holds_alternative<ast::Name>(v) &&
          !std::holds_alternative<ast::NoneLiteral>(v) && !std::holds_alternative<ast::Verbatim>(v) &&
          !std::holds_alternative<ast::IntLiteral>(v))
        continue;
      // a return out of a protected range stays where it is, unless its value is loaded after the exit of the range
      if (!loaded_last(n, r->value)) continue;
      Node tail = n;
      tail.state.stmts = {last};
      if (tail.pieces.back().kind == Piece::Kind::kCode) {  // the line before it may be long
        Piece end = tail.pieces.back();
        end.first = end.last - 1;
        tail.pieces = {end};
      }
      tail.is_handler = false;
      tail.order += 3;
      tail.entry.clear();
      tail.state.low = 0;
      n.state.stmts.pop_back();
      n.state.end = EndKind::kFall;
      n.t = static_cast<std::uint32_t>(g_.nodes.size());
      g_.nodes.push_back(std::move(tail));
    }
  }

  // Whether the line returns a variable that it loads after all exits of statements, or has no such exit.
  bool loaded_last(const Node& n, ExprId value) const {
    const auto& s = n.state.stmts;
    const auto exit = std::find_if(s.rbegin(), s.rend(), [](const LStmt& x) { return x.kind != LKind::kStmt; });
    if (exit == s.rend()) return true;
    const auto& x = unit_.ast.exprs[value];
    return std::holds_alternative<ast::Name>(x.node) && x.origin.offset > exit->offset;
  }

  bool same(ExprId a, ExprId b) { return ast::equal(unit_.ast, unit_.code, a, b); }
  // Simple statements only, and functions of one code object; anything else counts as different.
  bool same_stmt(const LStmt& a, const LStmt& b) {
    if (a.kind != b.kind) return false;
    if (a.kind != LKind::kStmt)
      return (a.kind == LKind::kPopExcept || a.kind == LKind::kWithExit || a.kind == LKind::kFinallyExit ||
              a.kind == LKind::kLoopExit || a.kind == LKind::kReraise) &&
             a.is_async == b.is_async && a.depth == b.depth && a.exit_flag == b.exit_flag;
    const auto &x = unit_.ast.stmts[a.stmt].node, &y = unit_.ast.stmts[b.stmt].node;
    const auto *f = std::get_if<ast::FunctionDef>(&x), *g = std::get_if<ast::FunctionDef>(&y);
    const bool simple = std::holds_alternative<ast::Return>(x) || std::holds_alternative<ast::ExprStmt>(x) ||
                        std::holds_alternative<ast::Assign>(x) || std::holds_alternative<ast::AugAssign>(x) ||
                        std::holds_alternative<ast::Delete>(x) || std::holds_alternative<ast::Raise>(x);
    const bool one_code = f != nullptr && g != nullptr && f->body == g->body;
    const auto *r = std::get_if<ast::Return>(&x), *q = std::get_if<ast::Return>(&y);
    if (r != nullptr && q != nullptr && r->is_observable != q->is_observable) return false;
    return (simple || one_code) && ast::equal(unit_.ast, unit_.code, ast::Block{a.stmt}, ast::Block{b.stmt});
  }
  bool same_stmts(const Stmts& a, std::size_t from, const Stmts& b) {
    if (a.size() - from != b.size()) return false;
    for (std::size_t i = 0; i < b.size(); ++i)
      if (!same_stmt(a[from + i], b[i])) return false;
    return true;
  }

  // The implicit return at the end of a function is duplicated for each jump to it, after all other code (3.10+,
  // duplicate_exits_without_lineno in Python/compile.c).
  void merge_implicit_returns() {
    const auto order = in_code_order(g_, Nodes::kAlive);
    const auto returns = [&](std::uint32_t i) {
      const auto& n = g_.nodes[i];
      if (n.is_handler || n.state.end != EndKind::kReturn || n.state.stmts.size() != 1) return false;
      return plain(n) && returns_constant(n);
    };
    bool changed = false;
    for (std::size_t k = order.size(); k-- > 1;) {
      const auto a = order[k - 1], b = order[k];
      if (!returns(a) || !returns(b)) break;
      const auto &x = g_.nodes[a], &y = g_.nodes[b];
      if (!(x.handler == y.handler) || x.entry.size() != y.entry.size() ||
          !same_stmt(x.state.stmts[0], y.state.stmts[0]))
        break;
      redirect(b, a);
      changed = true;
    }
    if (changed) count_preds(g_);
  }
  // So is the end of a finally body, for each jump to it there. The last duplicate represents all.
  void merge_reraises() {
    const auto count = static_cast<std::uint32_t>(g_.nodes.size());
    preds_.clear();  // nodes were added
    std::vector<std::uint32_t> todo, exits_found, seen_by(count, kNone);
    bool changed = false;
    for (std::uint32_t h = 0; h < count; ++h) {
      if (!g_.nodes[h].alive || !g_.nodes[h].is_handler) continue;
      const auto depth = g_.nodes[h].entry.size();
      todo.assign(1, h);
      exits_found.clear();
      while (!todo.empty()) {
        const auto i = todo.back();
        todo.pop_back();
        if (i == kNone || seen_by[i] == h || g_.nodes[i].entry.size() < depth) continue;
        seen_by[i] = h;
        const auto& n = g_.nodes[i];
        if (n.state.end == EndKind::kReturn && n.state.stmts.size() == 1 && !n.is_handler &&
            n.state.stmts[0].kind == LKind::kReraise)
          exits_found.push_back(i);
        todo.push_back(n.t);
        todo.push_back(n.f);
      }
      std::sort(exits_found.begin(), exits_found.end(),
                [&](auto a, auto b) { return g_.nodes[a].order > g_.nodes[b].order; });
      for (std::size_t k = 1; k < exits_found.size(); ++k) {
        const auto &last = g_.nodes[exits_found[0]], &n = g_.nodes[exits_found[k]];
        if (!(n.handler == last.handler) || n.entry.size() != last.entry.size() ||
            !same_stmt(n.state.stmts[0], last.state.stmts[0]))
          continue;
        redirect(exits_found[k], exits_found[0]);
        changed = true;
      }
    }
    if (changed) count_preds(g_);
  }
  // A small exit block after a protected body is duplicated for each line of the body that jumps there: what leaves the
  // body has no line (duplicate_exits_without_lineno, then inline_small_exit_blocks). In the body itself it would be
  // protected, unless it returns a constant. So it is after an except clause, in which the value would be made first.
  void merge_exits_of_bodies() {
    const auto count = static_cast<std::uint32_t>(g_.nodes.size());
    std::vector<bool> after_exit(count, false);
    for (const auto& n : g_.nodes)
      for (const auto to : {n.t, n.f})
        if (n.alive && to != kNone && (leaves_body(n, g_.nodes[to]) || exits_handler(n))) after_exit[to] = true;
    std::vector<std::uint32_t> exits_found;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto& n = g_.nodes[i];
      if (after_exit[i] && n.alive && !n.is_handler && n.state.end == EndKind::kReturn && !n.state.stmts.empty() &&
          plain(n) && n.state.low >= n.entry.size() && !is_long(n) &&
          !(n.state.stmts.size() == 1 && returns_constant(n)))
        exits_found.push_back(i);
    }
    std::sort(exits_found.begin(), exits_found.end(),
              [&](auto a, auto b) { return g_.nodes[a].order > g_.nodes[b].order; });
    bool changed = false;
    for (std::size_t k = 1; k < exits_found.size(); ++k) {
      const auto& n = g_.nodes[exits_found[k]];
      const auto one =
          std::find_if(exits_found.begin(), exits_found.begin() + static_cast<std::ptrdiff_t>(k), [&](auto j) {
            const auto& x = g_.nodes[j];
            return x.alive && x.handler == n.handler && x.entry.size() == n.entry.size() &&
                   same_stmts(x.state.stmts, 0, n.state.stmts);
          });
      if (one == exits_found.begin() + static_cast<std::ptrdiff_t>(k)) continue;
      redirect(exits_found[k], *one);
      changed = true;
    }
    if (changed) count_preds(g_);
  }
  // The edge leaves a protected range for code that has the same handler as the range's handler itself, or as the
  // clean-up code around that (3.11+).
  [[nodiscard]] bool leaves_body(const Node& n, const Node& to) const {
    const auto outside = [&](const Handler& h) -> const Handler& { return g_.nodes[g_.of_block[h.block.n]].handler; };
    if (!n.handler.block.valid() || n.handler == to.handler) return false;
    const Handler& handler = outside(n.handler);
    return handler == to.handler || (handler.block.valid() && outside(handler) == to.handler);
  }
  // It ends with the exit of an except clause or of a with statement.
  [[nodiscard]] static bool exits_handler(const Node& n) {
    const auto& s = n.state.stmts;
    const auto leaves = [&](std::size_t back) {
      const auto kind = s[s.size() - back].kind;
      return kind == LKind::kPopExcept || (kind == LKind::kWithExit && back == 1);
    };
    return n.state.end == EndKind::kFall && ((!s.empty() && leaves(1)) || (s.size() >= 3 && leaves(3)));
  }
  bool returns_constant(const Node& n) {
    const auto* r = std::get_if<ast::Return>(&unit_.ast.stmts[n.state.stmts[0].stmt].node);
    return r != nullptr && (!r->value.valid() || constant(r->value));
  }
  bool constant(ExprId e) {
    const auto& v = unit_.ast.exprs[e].node;
    return std::holds_alternative<ast::ConstantExpr>(v) || std::holds_alternative<ast::NoneLiteral>(v);
  }

  // The exit of a chained comparison drops its middle operand; a duplicate of its target may follow at once.
  void split_cleanups() {
    const auto count = g_.nodes.size();
    for (std::uint32_t a = 0; a < count; ++a) {
      const auto& s = g_.nodes[a].state;
      if (!g_.nodes[a].alive || s.end != EndKind::kBranch || s.keep_false || s.stack.empty() || !s.cond.valid())
        continue;
      const auto* c = std::get_if<ast::Compare>(&unit_.ast.exprs[s.cond].node);
      if (c == nullptr || s.stack.back().kind != ValueKind::kExpr || s.stack.back().expr != c->comparators.back())
        continue;
      const auto clean = g_.nodes[a].f;
      const auto& n = g_.nodes[clean];
      if (n.is_handler || n.pieces.size() != 1 || n.pieces[0].kind != Piece::Kind::kCode) continue;
      const auto first = n.pieces[0].first;
      if (first + 1 < n.pieces[0].last && g_.code[n.pieces[0].block][first].op == Op::POP_TOP) cut(clean, first + 1, 0);
    }
    if (g_.nodes.size() > count) count_preds(g_);
  }

  // Small ends that say the same are one target of a test: `return`, or the way there: from a chained comparison, which
  // drops its middle operand, or out of a with or try statement; and so are values of which a test within one chooses.
  std::vector<std::uint32_t> targets() {
    const auto count = static_cast<std::uint32_t>(g_.nodes.size());
    std::vector<std::uint32_t> out(count);
    std::map<std::tuple<std::uint32_t, std::size_t, EndKind, std::uint32_t>, std::vector<std::uint32_t>> groups;
    for (std::uint32_t i = 0; i < count; ++i) out[i] = i;
    const auto join = [&](std::uint32_t i) {
      const auto& n = g_.nodes[i];
      auto& group = groups[{n.handler.block.n, n.entry.size(), n.state.end, n.t == kNone ? kNone : out[n.t]}];
      const auto first = std::find_if(group.begin(), group.end(), [&](std::uint32_t j) {
        const auto& s = g_.nodes[j].state;
        return same_stmts(n.state.stmts, 0, s.stmts) && (s.end == EndKind::kReturn || same_stack(n.state, s));
      });
      if (first != group.end())
        out[i] = *first;
      else if (group.size() < 16)
        group.push_back(i);
    };
    enum class Pass : std::uint8_t { kExits, kValues, kPops, kCleanups };
    // targets come first; an exit may follow what drops an operand, and the other way round
    for (const auto pass : {Pass::kExits, Pass::kValues, Pass::kCleanups, Pass::kPops, Pass::kCleanups})
      for (std::uint32_t i = 0; i < count; ++i) {
        const auto& n = g_.nodes[i];
        if (!n.alive || n.is_handler || n.state.stmts.size() > 4) continue;
        const bool exits_found = n.state.end == EndKind::kReturn && !n.state.stmts.empty();
        const bool values = n.state.end == EndKind::kFall && n.state.stmts.empty() && n.t != kNone &&
                            n.state.stack.size() == n.entry.size() + 1 && n.state.low >= n.entry.size() &&
                            n.state.stack.back().kind == ValueKind::kExpr;
        const bool cleans = n.state.end == EndKind::kFall && n.state.stmts.empty() &&
                            n.state.stack.size() + 1 == n.entry.size() && n.state.low + 1 == n.entry.size();
        const bool leaves = n.state.end == EndKind::kFall && !n.state.stmts.empty() && n.t != kNone &&
                            n.state.stack.size() <= n.entry.size() && n.state.low >= n.state.stack.size() &&
                            std::all_of(n.state.stmts.begin(), n.state.stmts.end(),
                                        [](const LStmt& s) { return s.kind != LKind::kStmt; });
        const bool wanted[] = {exits_found, values, cleans, leaves};
        if (wanted[static_cast<std::size_t>(pass)]) join(i);
      }
    return out;
  }

  // The test copied to the bottom of a loop (node l, jumping back) becomes an edge to the test at its top. A test of
  // several nodes goes one node a round, from its end; a test is an expression, so statements before it are no part.
  bool loop_tests() {
    const auto goes_back = [&](const Node& n, std::uint32_t to) {
      return to != kNone && g_.nodes[to].order <= n.order;
    };
    if (std::none_of(g_.nodes.begin(), g_.nodes.end(),
                     [&](const Node& n) { return n.alive && (goes_back(n, n.t) || goes_back(n, n.f)); }))
      return false;
    bool changed = false;
    const auto count = static_cast<std::uint32_t>(g_.nodes.size());
    const auto target = targets();
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> tests;
    for (std::uint32_t a = 0; a < count; ++a) {
      const auto& n = g_.nodes[a];
      if (n.alive && n.state.end == EndKind::kBranch && n.state.cond.valid())
        tests[{target[n.t], target[n.f]}].push_back(a);
    }
    for (auto& [to, group] : tests) {
      if (group.size() < 2 || group.size() > 64) continue;
      std::sort(group.begin(), group.end(), [&](auto a, auto b) { return g_.nodes[a].order > g_.nodes[b].order; });
      for (auto l : group) {
        const auto& n = g_.nodes[l];
        const auto back = n.alive ? leads_back(l) : kNone;
        if (back == kNone) continue;
        for (auto a : group) {
          const auto& x = g_.nodes[a];
          // what only jumps back to before the first of them continues a loop around both
          if (a == l || !x.alive || x.order >= n.order || g_.nodes[back].order <= x.order || !same_test(x, n)) continue;
          const auto bottom = split(l, n.state.stmts.size());
          if (bottom == kNone || g_.nodes[bottom].is_handler) break;
          const auto top = split(a, g_.nodes[a].state.stmts.size());
          if (top == kNone) break;
          redirect(bottom, top);
          changed = true;
          break;
        }
      }
    }
    return changed;
  }
  // The last place that the exits of the test jump back to, directly or by further tests; kNone: none.
  std::uint32_t leads_back(std::uint32_t l) {
    const auto order = g_.nodes[l].order;
    std::uint32_t last = kNone;
    std::vector<std::uint32_t> todo{g_.nodes[l].t, g_.nodes[l].f};
    for (std::size_t i = 0; i < todo.size() && i < 64; ++i) {
      if (todo[i] == kNone) continue;
      const auto& n = g_.nodes[todo[i]];
      if (n.order <= order) {
        if (last == kNone || n.order > g_.nodes[last].order) last = todo[i];
        continue;
      }
      if (!n.state.stmts.empty() || n.state.end == EndKind::kReturn) continue;
      todo.push_back(n.t);
      todo.push_back(n.f);
    }
    return last;
  }
  bool same_test(const Node& a, const Node& b) {
    const auto &x = a.state, &y = b.state;
    if (!(a.handler == b.handler) || x.keep_true != y.keep_true || x.keep_false != y.keep_false ||
        a.state.refusal != b.state.refusal || !same(x.cond, y.cond))
      return false;
    return same_stack(x, y);
  }
  bool same_stack(const State& x, const State& y) {
    if (x.stack.size() != y.stack.size()) return false;
    for (std::size_t i = 0; i < x.stack.size(); ++i)
      if (x.stack[i].kind != y.stack[i].kind ||
          (x.stack[i].kind == ValueKind::kExpr && !same(x.stack[i].expr, y.stack[i].expr)))
        return false;
    return true;
  }

  // Cuts node a before its statement `at`; the tail, with the end of the line, is a node of its own. What it begins with
  // to drop values of the line before is no part of the tail.
  std::uint32_t split(std::uint32_t a, std::size_t at) {
    if (at == 0) return drops(a) == 0 ? a : cut(a, g_.nodes[a].pieces[0].first + drops(a), 0);
    if (g_.nodes[a].pieces.size() != 1) return kNone;
    const Piece whole = g_.nodes[a].pieces[0];
    const auto offset = g_.nodes[a].state.stmts[at - 1].offset;
    std::uint32_t cut = whole.first;
    while (cut < whole.last && g_.code[whole.block][cut].offset != offset) ++cut;
    if (cut++ == whole.last) return kNone;
    // `a, b = b, a` is known by its first store; one instruction may be several here
    static constexpr std::uint32_t kStores = 16;
    std::uint32_t tail = kNone;
    for (auto end = std::min(cut + kStores, whole.last); tail == kNone && cut < end; ++cut)
      tail = this->cut(a, cut, at);
    return tail;
  }
  std::uint32_t drops(std::uint32_t a) {
    const Node& n = g_.nodes[a];
    if (n.state.low >= n.entry.size() || n.pieces.size() != 1) return 0;
    const Piece& whole = n.pieces[0];
    std::uint32_t count = 0;
    while (whole.first + count < whole.last && g_.code[whole.block][whole.first + count].op == Op::POP_TOP) ++count;
    return count;
  }
  // Cuts a node of one piece before instruction `place`, where it has made `stmts` statements.
  std::uint32_t cut(std::uint32_t a, std::uint32_t place, std::size_t stmts) {
    Piece head = g_.nodes[a].pieces[0], rest = head;
    head.last = rest.first = place;
    Node first, tail = g_.nodes[a];
    first.state.stack = g_.nodes[a].entry;
    first.state.low = static_cast<std::uint32_t>(first.state.stack.size());
    if (!replay(unit_, lifter_, g_, {head}, first.state) || first.state.stmts.size() != stmts) return kNone;
    tail.entry = first.state.stack;
    for (std::uint32_t d = 0; d < tail.entry.size(); ++d)
      if (!has_role(tail.entry[d]) &&
          !(tail.entry[d].kind == ValueKind::kExpr && lifter_.is_slot(tail.entry[d].expr, d)))
        return kNone;
    tail.state = State{};
    tail.state.stack = tail.entry;
    tail.state.low = static_cast<std::uint32_t>(tail.entry.size());
    if (!replay(unit_, lifter_, g_, {rest}, tail.state)) return kNone;
    // A statement that both halves have a part of (`a: T() = {}`, a chain of stores) is cut by none of them.
    if (first.state.stmts.size() + tail.state.stmts.size() != g_.nodes[a].state.stmts.size()) return kNone;
    tail.pieces = {rest};
    tail.is_handler = false;
    tail.order += 2;
    g_.nodes.push_back(std::move(tail));
    const auto index = static_cast<std::uint32_t>(g_.nodes.size() - 1);
    auto& n = g_.nodes[a];
    n.state = std::move(first.state);
    n.pieces = {head};
    n.t = index;
    n.f = kNone;
    if (preds_.empty()) return index;
    preds_.push_back({a});
    add_predecessors(index);
    return index;
  }

  void add_predecessors(std::uint32_t i) {
    for (const auto to : {g_.nodes[i].t, g_.nodes[i].f})
      if (to != kNone) preds_[to].push_back(i);
  }

  void redirect(std::uint32_t from, std::uint32_t to) {
    if (preds_.empty()) {
      preds_.resize(g_.nodes.size());
      for (std::uint32_t i = 0; i < g_.nodes.size(); ++i) add_predecessors(i);
    }
    for (const auto i : preds_[from]) {
      auto& n = g_.nodes[i];
      if (n.t == from) n.t = to;
      if (n.f == from) n.f = to;
      const bool forward = g_.nodes[from].order > n.order;
      if (forward && g_.nodes[to].order <= n.order)
        n.inverted = JumpInversion::kUnknown;  // nothing was there to be turned
      preds_[to].push_back(i);
    }
    g_.nodes[from].alive = false;
  }

  // Two `raise` statements of the source stay two: an assert must not lose its own.
  bool raises(const LStmt& s) {
    if (s.kind == LKind::kReraise) return true;  // the end of a handler belongs to it
    return s.kind == LKind::kStmt && std::holds_alternative<ast::Raise>(unit_.ast.stmts[s.stmt].node);
  }

  // Nodes to which an edge out of an except clause or a protected body leads: they follow the statement.
  std::vector<bool> exit_targets() {
    std::vector<bool> out(g_.nodes.size(), false);
    for (const auto& n : g_.nodes) {
      if (!n.alive || n.t == kNone || n.state.end != EndKind::kFall) continue;
      for (const auto& s : n.state.stmts)
        if (s.kind == LKind::kPopExcept || s.kind == LKind::kWithExit || s.kind == LKind::kFinallyExit ||
            s.kind == LKind::kLoopExit)
          out[n.t] = true;
    }
    return out;
  }

  // Only statements that need nothing of the operand stack but variables.
  static bool plain(const Node& n) {
    return std::all_of(n.state.stmts.begin(), n.state.stmts.end(),
                       [](const LStmt& s) { return s.kind == LKind::kStmt; });
  }

  // What a module or class body does last: it has no `return` of its own, so what is equal was copied.
  bool is_last_of_body(const Node& n) const {
    return (lifter_.code_object().flags & kCoOptimized) == 0 && n.state.end == EndKind::kFall && n.t != kNone &&
           g_.nodes[n.t].state.end == EndKind::kReturn;
  }

  // What precedes the `return` at the end of a function was duplicated with it; then it follows a statement.
  bool before_return(const Node& n) const {
    if (n.state.end != EndKind::kFall || n.t == kNone || n.state.stmts.empty() || !plain(n)) return false;
    const auto& to = g_.nodes[n.t].state;
    return to.end == EndKind::kReturn && to.stmts.size() == 1;
  }

  // The exit of a statement: what leaves it is duplicated for each jump there (duplicate_exits_without_lineno).
  static bool is_cleanup(const Node& n) {
    if (n.state.end != EndKind::kFall || n.t == kNone || n.state.stmts.empty()) return false;
    const auto kind = n.state.stmts[0].kind;
    return kind == LKind::kPopExcept || kind == LKind::kWithExit || kind == LKind::kFinallyExit;
  }

  // The RERAISE at the end of a finally body, copied with the last statement before it; not that of an exception which no
  // clause took.
  [[nodiscard]] bool is_end_of_finally(std::uint32_t i, const std::vector<bool>& after_test) const {
    const auto& s = g_.nodes[i].state.stmts;
    return !after_test[i] && std::all_of(s.begin(), s.end() - 1, [](const LStmt& x) { return x.kind == LKind::kStmt; });
  }

  // Nodes that control comes to from the test of a clause.
  [[nodiscard]] std::vector<bool> handler_bodies() const {
    std::vector<bool> out(g_.nodes.size(), false);
    for (const auto& n : g_.nodes)
      for (const auto to : {n.t, n.f})
        if (n.alive && n.state.end == EndKind::kExcBranch && to != kNone) out[to] = true;
    return out;
  }

  // More than the compiler copies (MAX_COPY_SIZE in Python/flowgraph.c: 4 instructions, of which one may be two here).
  static bool is_long(const Node& n) {
    static constexpr std::uint32_t kMost = 8;
    std::uint32_t length = 0;
    for (const auto& p : n.pieces) length += p.kind == Piece::Kind::kCode ? p.last - p.first : kMost + 1;
    return length > kMost;
  }

  bool exits(bool cleanups) {
    std::map<std::uint32_t, std::uint32_t> into;  // nodes that have become others
    const auto now = [&](std::uint32_t n) {
      const auto it = into.find(n);
      return it == into.end() ? n : it->second;
    };
    SmallVector<std::uint32_t, 16> exits_found;
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i) {
      const auto& n = g_.nodes[i];
      if (n.alive && !n.is_handler && n.state.stmts.size() <= 4 &&
          (n.state.end == EndKind::kReturn || is_last_of_body(n) || (cleanups && is_cleanup(n)) || before_return(n)) &&
          !is_long(n))
        exits_found.push_back(i);
    }
    if (exits_found.size() < 2) return false;
    const auto after_exit = exit_targets();
    auto after_test = handler_bodies();
    std::sort(exits_found.begin(), exits_found.end(),
              [&](auto a, auto b) { return g_.nodes[a].order > g_.nodes[b].order; });
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t, std::size_t>, SmallVector<std::uint32_t, 4>> groups;
    for (auto i : exits_found) {
      const auto& n = g_.nodes[i];
      if (n.state.stmts.empty()) continue;
      if (n.state.stmts.back().kind == LKind::kReraise && !is_end_of_finally(i, after_test)) continue;
      const bool raising = raises(n.state.stmts.back());
      // what the exit of a with statement leaves on the stack is dropped before the last statement
      const std::size_t entries = n.state.stmts.back().kind == LKind::kReraise ? n.state.low : n.entry.size();
      auto& group = groups[{n.handler.block.n, now(n.t), plain(n) ? 0 : entries + 1, n.state.stmts.size()}];
      const bool alone = n.state.end == EndKind::kFall && !is_last_of_body(n) && !is_cleanup(n);
      bool merged = false;
      for (auto j : group)
        if ((!alone || after_exit[i] || after_exit[j]) &&
            (!raising || n.state.stmts.back().kind == LKind::kReraise || after_exit[i] || after_exit[j]) &&
            g_.nodes[j].state.end == n.state.end && g_.nodes[j].state.returns_from_loop == n.state.returns_from_loop &&
            same_stmts(n.state.stmts, 0, g_.nodes[j].state.stmts)) {
          into[i] = j;
          g_.nodes[i].alive = false;
          if (after_test[i]) after_test[j] = true;
          merged = true;
          break;
        }
      if (!merged && group.size() < 16) group.push_back(i);
    }
    for (auto& n : g_.nodes) {
      n.t = now(n.t);
      n.f = now(n.f);
    }
    return !into.empty();
  }

  lift::Unit& unit_;
  lift::Lifter& lifter_;
  Graph& g_;
  std::vector<std::vector<std::uint32_t>> preds_;  // the nodes that lead to one, or have done so; made by redirect()
};

}  // namespace

void merge_loop_tests(lift::Unit& unit, lift::Lifter& lifter, Graph& graph) {
  Merger(unit, lifter, graph).before_folding();
}

void merge_exits(lift::Unit& unit, lift::Lifter& lifter, Graph& graph, bool cleanups) {
  Merger(unit, lifter, graph).after_folding(cleanups);
}

}  // namespace depyf::structure
