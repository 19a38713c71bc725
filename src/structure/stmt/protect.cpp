// SPDX-License-Identifier: MIT
// with, try / except / else.
//
// Shapes (3.11+; earlier versions arrive in the same form): with: expr; BEFORE_WITH; [range] target; body [/range];
// None None None CALL POP_TOP; handler: WITH_EXCEPT_START, swallowed: POP_EXCEPT. try: [range] body [/range] orelse;
// handler: PUSH_EXC_INFO, then per clause: type, CHECK_EXC_MATCH, POP_JUMP_IF_FALSE next; name or POP_TOP; body; POP_EXCEPT.
#include <algorithm>

#include "structure/stmt/structurer.h"

namespace depyf::structure {

// Nodes reached from `from` that are still inside `handler`'s range.
NodeSet Structurer::range_nodes(std::uint32_t from, std::uint32_t handler) const {
  NodeSet in(spare_);
  std::vector<std::uint32_t> todo{from};
  in.add(from);
  while (!todo.empty()) {
    const auto i = todo.back();
    todo.pop_back();
    auto next = successors(i);
    const auto own = at_[i].effective;
    if (own != handler && own != kNone) next.push_back(own);
    for (auto s : next)
      if (inside(at_[s].effective, handler) && in.add(s)) todo.push_back(s);
  }
  return in;
}

// Nodes of a handler: reached from it while the exception it handles is on the stack at `depth`.
NodeSet Structurer::handler_nodes(std::uint32_t handler) const {
  const auto depth = handler_depth(handler);
  NodeSet in(spare_);
  std::vector<std::uint32_t> todo{handler};
  in.add(handler);
  while (!todo.empty()) {
    const auto i = todo.back();
    todo.pop_back();
    auto next = successors(i);
    const auto own = at_[i].effective;
    if (own != kNone && own != at_[handler].outer && own != handler) next.push_back(own);
    for (auto s : next) {
      const auto& e = g_.nodes[s].entry;
      if (e.size() > depth && e[depth].kind == ValueKind::kExc && in.add(s)) todo.push_back(s);
    }
  }
  return in;
}

std::size_t Structurer::handler_depth(std::uint32_t handler) const {
  const auto& e = g_.nodes[handler].entry;
  std::size_t d = e.size();
  const std::size_t n = unit_.dialect.handler_pushes_six ? 6 : 1;
  d = d >= n ? d - n : 0;
  return d;
}

// If the node begins by taking what a construct put on the stack, nothing else may lead there.
bool Structurer::has_single_entry(std::uint32_t body, LKind kind) const {
  const auto& n = g_.nodes[body];
  return n.preds == 1 || n.state.stmts.empty() || n.state.stmts[0].kind != kind;
}

bool Structurer::emit_with(std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& node = g_.nodes[n];
  const LStmt enter = node.state.stmts.back();
  const auto body = node.t;
  if (body == kNone || !has_single_entry(body, LKind::kWithStore)) return fail();
  if (!emit_before_with(n, out)) return fail();
  auto handler = at_[body].effective;  // the outermost not yet open: the body may begin with a try statement
  for (std::size_t i = 0; handler != kNone && at_[handler].outer != ctx.handler && i < g_.nodes.size(); ++i)
    handler = at_[handler].outer;
  if (handler == kNone || handler == ctx.handler || at_[handler].kind != HandlerKind::kWith) return fail();
  if (at_[handler].outer != ctx.handler) return fail();
  const auto in = range_nodes(body, handler);
  std::vector<std::uint32_t> outs;
  for (auto e : exits_of(in)) outs.push_back(e);
  const auto swallowed = follow_of_swallowed(handler);
  if (swallowed == kNone) return fail();
  if (duplication_ == TailDuplication::kAll && join_with_exits({n, handler, swallowed}, outs, ctx)) return fail();
  // after the exits
  std::vector<std::uint32_t> after;
  for (auto e : outs) {
    const auto& st = g_.nodes[e].state;
    if (!st.stmts.empty() && st.stmts.back().kind == LKind::kWithExit && st.end == EndKind::kFall &&
        st.stmts.size() == 1)
      after.push_back(g_.nodes[e].t);
    else
      after.push_back(e);
  }
  if (exits_handler(swallowed)) {  // the clause that this statement ends, once for each way
    auto exits = after;
    exits.push_back(swallowed);
    if (merge_tails(std::move(exits))) return fail();
  }
  std::uint32_t follow = swallowed;
  if (unit_.dialect.call_finally ||
      (ctx.loop != nullptr && (swallowed == ctx.loop->header || swallowed == ctx.loop->brk))) {
    follow = swallowed;
  } else if (std::find(after.begin(), after.end(), swallowed) == after.end()) {
    const auto common = common_follow({after, {swallowed}}, ctx);
    if (common != kNone && common != swallowed) return fail();
  }
  ast::With stmt;
  stmt.is_async = enter.is_async;
  ast::WithItem item{enter.expr, {}};
  std::size_t used = 0;
  take_target(body, LKind::kWithStore, item.vars, used);
  at_[body].skip = std::max(at_[body].skip, used);
  stmt.items.push_back(item);
  Context inner = ctx.inside(follow);
  inner.handler = handler;
  if (follow == body || !emit_block(body, inner, n, stmt.body)) return fail();
  // with a as x, b as y: one statement
  if (stmt.body.size() == 1)
    if (auto* w = std::get_if<ast::With>(&unit_.ast.stmts[stmt.body[0]].node);
        w != nullptr && w->is_async == stmt.is_async) {
      const ast::With nested = *w;
      stmt.items.insert(stmt.items.end(), nested.items.begin(), nested.items.end());
      stmt.body = nested.body;
    }
  out.push_back(make(std::move(stmt), n));
  n = follow;
  return true;
}

// The first node after cleanup-only ones; the header and the break target of a loop count as nodes of their own.
std::uint32_t Structurer::skip_cleanup(std::uint32_t n, const Loop* loop) const {
  const auto stops = [&] { return loop != nullptr && (n == loop->header || n == loop->brk); };
  for (std::size_t i = 0; n != kNone && !stops() && is_cleanup_only(n) && i < g_.nodes.size(); ++i) n = g_.nodes[n].t;
  return n;
}

// How a node that leaves a with statement, a protected body or `except E as x` does so. 3.8 unbinds x and then leaves the
// handler where the clause comes to its end, and in the other order for return, break and continue; a finally body is
// entered by BEGIN_FINALLY and CALL_FINALLY, that of a with statement ends with END_FINALLY and POP_FINALLY
// (compiler_try_except, compiler_unwind_fblock).
Structurer::ExitKind Structurer::exit_kind(std::uint32_t n) const {
  const auto& s = g_.nodes[n].state.stmts;
  if (!unit_.dialect.call_finally) return ExitKind::kUnknown;
  if (s.size() > 1 && s[s.size() - 2].kind == LKind::kFinallyExit && s[s.size() - 2].exit_flag == kEndlessExit)
    return ExitKind::kAbrupt;
  if (g_.nodes[n].state.end != EndKind::kFall || s.empty()) return ExitKind::kUnknown;
  if (s.back().kind == LKind::kFinallyExit || s.back().kind == LKind::kWithExit)
    return s.back().exit_flag == kFallThroughExit
               ? ExitKind::kFallThrough
               : (s.back().exit_flag == kAbruptExit ? ExitKind::kAbrupt : ExitKind::kUnknown);
  if (s.size() < 3) return ExitKind::kUnknown;
  const auto at = s.size() - 3;
  if (s[at].kind != LKind::kPopExcept || !dropped_name(s, at + 1).valid()) return ExitKind::kUnknown;
  return s[at].exit_flag == kFallThroughExit ? ExitKind::kFallThrough : ExitKind::kAbrupt;
}

// What follows the except clauses of `handler`, or the statement that it is the finally body of (3.8).
Structurer::StatementFollow Structurer::follow_of_statement(std::uint32_t handler) const {
  if (!unit_.dialect.call_finally) return {};
  const auto in = handler_nodes(handler);
  const auto entries = handler_depth(handler) + 6;
  StatementFollow out;
  for (auto i : in_order(in)) {
    const auto& n = g_.nodes[i];
    if (!out.known && n.has_phantom && n.entry.size() == entries) out = {true, n.phantom, false};
  }
  for (auto i : in.nodes())
    out.alone =
        out.alone || (g_.nodes[i].state.end == EndKind::kReturn && g_.nodes[i].t != kNone && g_.nodes[i].t == out.node);
  return out;
}

// What follows the whole try statement: where control continues after the name of an except clause is unbound.
Structurer::StatementFollow Structurer::follow_of_handlers(std::uint32_t handler, const NodeSet& clause_nodes) const {
  if (!unit_.dialect.call_finally) return {};
  for (auto i : in_order(clause_nodes)) {
    const auto& h = g_.nodes[i].handler;
    if (!h.block.valid() || h.depth != handler_depth(handler) + 3) continue;
    const auto cleanup = g_.of_block[h.block.n];
    if (at_[cleanup].kind == HandlerKind::kCleanup && g_.nodes[cleanup].has_phantom)
      return {true, g_.nodes[cleanup].phantom, false};
  }
  return {};
}

// After an abrupt exit of a handler: its statement is written even where falling off the end has the same successor.
bool Structurer::emit_abrupt_exit(std::uint32_t& n, const Context& ctx, ast::Block& out) {
  if (n == kNone) return true;
  const bool again = ctx.loop != nullptr && n == ctx.loop->header;
  if (again || (ctx.loop != nullptr && n == ctx.loop->brk)) {
    out.push_back(again ? make(ast::Continue{}, n) : make(ast::Break{}, n));
    n = kNone;
  } else if (n == ctx.follow && is_constant_return(n) && g_.nodes[n].state.stmts.size() == 1) {
    if (!emit_stmts(n, 0, out)) return fail();
    n = kNone;
  }
  return true;
}

// Exits of a protected body, or of the except clauses after it. `must`: only the follow of the construct can lead
// there; `may`: a statement inside says it as well (break, continue, return of a constant).
Structurer::RegionExits Structurer::region_exits(const NodeSet& region, const Context& ctx) const {
  RegionExits out;
  const bool function = (lifter_.code_object().flags & kCoOptimized) != 0 && !ctx.in_star;
  const bool in_loop = ctx.loop != nullptr && !(ctx.in_star && ctx.loop == ctx.loop_around_star);
  NodeSet reached(spare_);
  for (auto i : region.nodes())
    if (exit_kind(i) == ExitKind::kFallThrough && g_.nodes[i].state.stmts.size() >= 3) reached.add(g_.nodes[i].t);
  for (auto e : exits_of(region)) {
    const bool breaks = ctx.loop != nullptr && e == ctx.loop->brk;
    if (reached[e] || (exit_kind(e) == ExitKind::kFallThrough && !breaks)) {
      out.required.push_back(e);
      continue;
    }
    const auto r = skip_cleanup(e, ctx.loop);
    const bool stop = in_loop && (r == ctx.loop->header || r == ctx.loop->brk);
    const bool ends = function && is_constant_return(r) && e != ctx.follow;
    (stop || ends ? out.candidates : out.required).push_back(e);
  }
  return out;
}

// The statements of a end in what all those of b, which are clean-up only, do.
bool Structurer::has_cleanup_suffix(const Stmts& a, const Stmts& b) const {
  if (a.size() < b.size()) return false;
  const auto from = a.size() - b.size();
  for (std::size_t k = 0; k < b.size(); ++k) {
    const auto &x = a[from + k], &y = b[k];
    if (x.kind != y.kind || x.depth != y.depth || x.is_async != y.is_async ||
        dropped_name(a, from + k) != dropped_name(b, k))
      return false;
  }
  return true;
}

// Two ways that leave the same constructs towards the same place.
bool Structurer::same_tail(std::uint32_t a, std::uint32_t b) const {
  const auto below =
      [](const Node& n) {  // entries, but for what is called at the end of a with statement: it is dropped
        auto count = n.entry.size();
        while (count > 0 && n.entry[count - 1].kind == ValueKind::kWithExit) --count;
        return count;
      };
  for (std::size_t i = 0; a != b && i < g_.nodes.size(); ++i) {
    if (a == kNone || b == kNone || !is_cleanup_only(a) || !is_cleanup_only(b)) return false;
    const Node &x = g_.nodes[a], &y = g_.nodes[b];
    const auto &s = x.state.stmts, &r = y.state.stmts;
    if (!(x.handler == y.handler) || below(x) != below(y) || s.size() != r.size() || !has_cleanup_suffix(s, r))
      return false;
    a = x.t;
    b = y.t;
  }
  return a == b;
}

// The exit of an except clause has no line of its own: later compilers duplicate it at each jump to it
// (inline_small_or_no_lineno_blocks in Python/flowgraph.c), so that a try statement which ends the clause has one
// duplicate for its body and one for each of its own clauses. They become the last, and the walk starts again.
bool Structurer::merge_tails(std::vector<std::uint32_t> exits) {
  std::erase(exits, kNone);  // a call of __exit__() that nothing follows
  std::sort(exits.begin(), exits.end(), [&](auto a, auto b) { return g_.nodes[a].order > g_.nodes[b].order; });
  exits.erase(std::unique(exits.begin(), exits.end()), exits.end());
  std::map<std::uint32_t, std::uint32_t> into;
  for (std::size_t i = 0; i < exits.size(); ++i)
    for (std::size_t k = 0; k < i && !into.contains(exits[i]); ++k)
      if (!into.contains(exits[k]) && same_tail(exits[k], exits[i])) into[exits[i]] = exits[k];
  if (into.empty()) return false;
  for (auto& n : g_.nodes)
    for (auto* edge : {&n.t, &n.f})
      if (const auto it = into.find(*edge); it != into.end()) *edge = it->second;
  for (auto& to : breaks_)
    if (const auto it = into.find(to); it != into.end()) to = it->second;
  graph_changed_ = true;
  return true;
}

// Cuts the way that node n goes at its end off, if that is the one which begins at `way`; kNone: it is not.
std::uint32_t Structurer::split_tail(std::uint32_t n, std::uint32_t exit) {
  const Node& x = g_.nodes[n];
  Node end = g_.nodes[exit];
  const auto count = end.state.stmts.size();
  if (x.state.end != EndKind::kFall || x.state.stmts.size() <= count || !(x.handler == end.handler) ||
      x.state.stack.size() != end.state.stack.size() || !has_cleanup_suffix(x.state.stmts, end.state.stmts) ||
      !same_tail(x.t, end.t))
    return kNone;
  end.order = x.order + 1;
  const auto added = add_node(std::move(end));
  auto& head = g_.nodes[n];
  head.state.stmts.resize(head.state.stmts.size() - count);
  head.state.stack = g_.nodes[added].entry;
  head.t = added;
  return added;
}

// Nothing but the exit of an except clause.
bool Structurer::exits_handler(std::uint32_t n) const {
  const auto& s = g_.nodes[n].state.stmts;
  return is_cleanup_only(n) &&
         std::any_of(s.begin(), s.end(), [](const LStmt& x) { return x.kind == LKind::kPopExcept; });
}

// A loop's else clause ends in the same way as its `break`.
bool Structurer::merge_tails_with(std::uint32_t brk, std::uint32_t from) {
  if (brk == kNone || !is_cleanup_only(brk)) return false;
  std::vector<std::uint32_t> exits{brk};
  for (auto i : reach(from)) {
    if (i == brk) continue;
    if (const auto exit = same_tail(i, brk) ? i : split_tail(i, brk); exit != kNone) exits.push_back(exit);
  }
  return merge_tails(std::move(exits));
}

// Nodes that n leads to along forward edges, and along exceptional ones as far as the context's handler is not met.
std::vector<std::uint32_t> Structurer::forward_reachable(std::uint32_t n, const Context& ctx) const {
  NodeSet seen(spare_);
  std::vector<std::uint32_t> todo{n};
  seen.add(n);
  while (!todo.empty()) {
    const auto i = todo.back();
    todo.pop_back();
    auto next = successors(i);
    const auto handler = at_[i].effective;
    if (handler != ctx.handler && handler != kNone && inside(handler, ctx.handler)) next.push_back(handler);
    for (auto s : next)
      if (!(at_[s].is_header && at_[s].rank <= at_[i].rank) && seen.add(s)) todo.push_back(s);
  }
  return in_order(seen);
}

// Where a try statement ends, and where its body leads (kNone: never to its own end; other than follow: the else
// clause). Source order is body, else, clauses, follow; handlers that the compiler moved come directly after the body.
bool Structurer::find_try_follow(std::uint32_t handler, const RegionExits& body, const RegionExits& clauses,
                                 const NodeSet& clause_nodes, const Context& ctx, TryFollow& ends) {
  const StatementFollow b = follow_of_statement(handler);
  std::uint32_t end = kNone;  // of the finally body, after a clause, which cannot leave it: the body leads to an else
  for (auto i : clause_nodes.nodes()) {
    const auto& s = g_.nodes[i].state.stmts;
    const auto to = g_.nodes[i].t;
    const auto left = s.size() > 2 && dropped_name(s, s.size() - 2).valid() ? s.size() - 2 : s.size();
    if (in_finally_ == 0 || left == 0 || s[left - 1].kind != LKind::kPopExcept || to == kNone) continue;
    if (ends_finally(to) && is_end_of_finally(to)) end = to;
  }
  auto led_to = clauses.required;  // by statements in the clauses
  if (b.alone) std::erase(led_to, b.node);
  if (body.required.size() > 1 || led_to.size() > 1) return false;
  std::uint32_t last = at_[handler].rank;
  for (auto i : clause_nodes.nodes()) last = std::max(last, at_[i].rank);
  const auto has = [](const std::vector<std::uint32_t>& v, std::uint32_t x) {
    return std::find(v.begin(), v.end(), x) != v.end();
  };
  if (b.known) {
    const bool comes = b.node != kNone && (b.alone || has(body.required, b.node) || has(body.candidates, b.node));
    if (!comes && !body.required.empty()) return false;
    const StatementFollow c = follow_of_handlers(handler, clause_nodes);
    ends.normal = comes ? b.node : kNone;
    ends.follow = !led_to.empty() ? led_to[0] : end != kNone ? end : (c.known ? c.node : b.node);
    const bool breaks = ctx.loop != nullptr && b.node == ctx.loop->brk;
    if (comes && breaks && led_to.empty() && ends.follow == b.node)  // else: break
      ends.follow = has(clauses.candidates, ctx.follow) ? ctx.follow : kNone;
    ends.reached = !led_to.empty() || comes || has(clauses.candidates, ends.follow);
    return true;
  }
  if (!clauses.required.empty()) {
    ends.follow = clauses.required[0];
    ends.normal = !body.required.empty() ? body.required[0] : (has(body.candidates, ends.follow) ? ends.follow : kNone);
    return true;
  }
  if (!body.required.empty()) {
    ends.normal = ends.follow = body.required[0];
    if (end != kNone) {
      ends.follow = end;
      return true;
    }
    const StatementFollow c = follow_of_handlers(handler, clause_nodes);
    if (c.known && c.node != kNone && skip_cleanup(c.node) != skip_cleanup(ends.normal)) {
      ends.follow = c.node;
      return true;
    }
    if (at_[ends.normal].rank > at_[handler].rank || skip_cleanup(ends.normal) == ctx.follow) return true;
    ends.follow = kNone;  // an else clause: up to what lies after the except clauses
    if (has(clauses.candidates, ctx.follow)) ends.follow = ctx.follow;
    for (auto i : forward_reachable(ends.normal, ctx))
      if (ends.follow == kNone && (at_[i].rank > last || has(clauses.candidates, i))) ends.follow = i;
    return true;
  }
  const auto pick = [&](std::uint32_t n) {
    if (n == kNone || (!has(body.candidates, n) && !has(clauses.candidates, n))) return false;
    ends.follow = n;
    ends.normal = has(body.candidates, n) ? n : kNone;
    return true;
  };
  if (pick(ctx.follow)) return true;
  for (auto e : body.candidates)
    if (has(clauses.candidates, e)) return pick(e);
  std::uint32_t best = kNone;
  for (const auto* v : {&body.candidates, &clauses.candidates})
    for (auto e : *v)
      if (at_[e].rank > last && (best == kNone || at_[e].rank > at_[best].rank)) best = e;
  if (const StatementFollow c = follow_of_handlers(handler, clause_nodes); !c.known || skip_cleanup(c.node) == best)
    pick(best);
  return true;
}

bool Structurer::emit_try(std::uint32_t& n, std::uint32_t handler, const Context& ctx, ast::Block& out) {
  if (at_[handler].kind == HandlerKind::kFinally) return emit_finally(n, handler, ctx, out);
  if (at_[handler].kind != HandlerKind::kExcept) return fail();
  const auto in = range_nodes(n, handler);
  const auto clause_nodes = handler_nodes(handler);
  TryFollow ends;
  Context in_clause = ctx;
  if (g_.nodes[handler].state.matches_group) {
    in_clause.in_star = true;
    in_clause.loop_around_star = ctx.loop;
  }
  RegionExits body = region_exits(in, ctx), clauses = region_exits(clause_nodes, in_clause);
  auto exits = body.required;
  exits.insert(exits.end(), clauses.required.begin(), clauses.required.end());
  if (merge_tails(std::move(exits))) return fail();
  if (!find_try_follow(handler, body, clauses, clause_nodes, ctx, ends)) return fail();
  ast::Try stmt;
  Context inner = ctx.inside(ends.normal != kNone ? ends.normal : ends.follow);
  inner.handler = handler;
  inner.start = n;
  if (!emit_block(n, inner, n, stmt.body)) return fail();
  stmt.is_star = g_.nodes[handler].state.matches_group;
  if (!emit_clauses(handler, ends.follow, in_clause, stmt.handlers)) return fail();
  if (ends.normal != kNone && ends.normal != ends.follow && !emit(ends.normal, ctx.inside(ends.follow), stmt.orelse))
    return fail();
  out.push_back(make(std::move(stmt), n));
  if (!ends.reached) unreached_[out.back().n] = ends.follow;
  n = ends.reached ? ends.follow : kNone;
  return true;
}

// Where an exit of a protected body leads after the finally body, kNone if it does not pass that. An empty body leaves
// nothing there.
std::uint32_t Structurer::follow_of_finally(std::uint32_t handler, std::uint32_t exit) const {
  const auto& s = g_.nodes[handler].state;
  if (s.end == EndKind::kReturn && s.stmts.size() == 1 && s.stmts[0].kind == LKind::kReraise) return exit;
  return is_cleanup_only(exit) ? g_.nodes[exit].t : kNone;
}

bool Structurer::emit_finally(std::uint32_t& n, std::uint32_t handler, const Context& ctx, ast::Block& out) {
  const auto in = range_nodes(n, handler);
  for (auto e : exits_of(in)) {
    const auto& st = g_.nodes[e].state;
    const auto leaves = [](const LStmt& s) { return s.kind == LKind::kFinallyExit; };
    if (follow_of_finally(handler, e) != e && std::none_of(st.stmts.begin(), st.stmts.end(), leaves))
      return fail();  // an exit without the body
  }
  RegionExits exits = region_exits(in, ctx);
  const auto follow_of = [&](std::uint32_t e) { return follow_of_finally(handler, e); };
  std::uint32_t follow = kNone;
  bool reached = true;
  if (unit_.dialect.call_finally) {
    const StatementFollow b = follow_of_statement(handler);
    follow = b.node;
    exits = {};
    for (auto e : exits_of(in))
      if (exit_kind(e) != ExitKind::kAbrupt) exits.required.push_back(e);
    reached = b.alone || !exits.required.empty();
    if (!exits.required.empty()) follow = kNone;
  }
  for (auto e : exits.required) {
    if ((!is_cleanup_only(e) && follow_of(e) != e) || (follow != kNone && follow != follow_of(e))) return fail();
    follow = follow_of(e);
  }
  for (auto e : exits.candidates) {
    const auto to = follow_of(e);
    if (follow != kNone || to == kNone) continue;
    if (to == ctx.follow || (ctx.loop != nullptr && to == ctx.loop->header)) follow = to;
  }
  if (follow == kNone) {  // of several constants that are returned, the last is the end if it is None
    std::erase_if(exits.candidates, [&](auto e) {
      return follow_of(e) == kNone || (ctx.loop != nullptr && follow_of(e) == ctx.loop->brk);
    });
    const auto last = std::max_element(exits.candidates.begin(), exits.candidates.end(),
                                       [&](auto a, auto b) { return at_[a].rank < at_[b].rank; });
    if (last != exits.candidates.end() && (exits.candidates.size() == 1 || returns_none(follow_of(*last))))
      follow = follow_of(*last);
  }
  ast::Try stmt;
  Context inner = ctx.inside(follow);
  inner.handler = handler;
  inner.start = n;
  if (!emit_block(n, inner, n, stmt.body)) return fail();
  Context last = ctx.inside(kNone);
  last.loop_around_finally = ctx.loop;
  ++in_finally_;
  const bool ok = emit_block(handler, last, n, stmt.finalbody);
  --in_finally_;
  if (!ok) return fail();
  if (stmt.body.size() == 1)  // try / except / finally is one statement
    if (const auto* t = std::get_if<ast::Try>(&unit_.ast.stmts[stmt.body[0]].node);
        t != nullptr && t->finalbody.empty()) {
      ast::Try merged = *t;
      merged.finalbody = std::move(stmt.finalbody);
      stmt = std::move(merged);
    }
  out.push_back(make(std::move(stmt), n));
  if (!reached) unreached_[out.back().n] = follow;
  n = reached ? follow : kNone;
  return true;
}

// `except E as name` deletes the name at the end: what follows STORE name is protected by a handler that does, or does
// it at once. Other stores of a caught exception have no form as a clause.
bool Structurer::drops_name(std::uint32_t body, ast::NameId name) const {
  const auto& b = g_.nodes[body];
  std::size_t at = 1;
  auto n = body;
  if (b.state.stmts.size() == 1 && b.state.end == EndKind::kFall && b.t != kNone) {
    n = b.t;
    at = 0;
    auto inner = n;  // the body may begin with statements that have handlers of their own
    for (std::size_t i = 0; i < g_.nodes.size() && g_.nodes[inner].handler.block.valid(); ++i) {
      inner = g_.of_block[g_.nodes[inner].handler.block.n];
      if (inner == kNone) break;
      if (at_[inner].kind == HandlerKind::kCleanup && dropped_name(g_.nodes[inner].state.stmts, 0) == name) return true;
    }
  }
  const auto& s = g_.nodes[n].state.stmts;
  return at < s.size() && s[at].kind == LKind::kPopExcept && dropped_name(s, at + 1) == name;
}

// The first statement of a clause's body takes the exception (or nothing does).
bool Structurer::emit_clauses(std::uint32_t handler, std::uint32_t follow, const Context& ctx,
                              std::vector<ast::ExceptHandler>& out) {
  std::uint32_t at = handler;
  for (std::size_t guard = 0; guard < g_.nodes.size(); ++guard) {
    const Node& node = g_.nodes[at];
    const auto& st = node.state;
    const Context inner = ctx.inside(follow);
    if (st.end == EndKind::kExcBranch && st.stmts.empty()) {
      ast::ExceptHandler clause;
      clause.type = st.cond;
      const auto body = node.t;
      if (!has_single_entry(body, LKind::kExcStore)) return fail();
      ExprId target{};
      std::size_t used = 0;
      take_target(body, LKind::kExcStore, target, used);
      if (used != 0) {
        const auto* name = std::get_if<ast::Name>(&unit_.ast.exprs[target].node);
        if (name == nullptr) return fail();
        if (!drops_name(body, name->id)) return fail();
        clause.name = name->id;
        at_[body].skip = used;
      }
      if (!emit_block(body, inner, at, clause.body)) return fail();
      out.push_back(std::move(clause));
      at = node.f;
      continue;
    }
    if (st.end == EndKind::kReturn && st.stmts.size() == 1 && st.stmts[0].kind == LKind::kReraise && !out.empty())
      return true;  // no clause matched
    ast::ExceptHandler clause;
    if (!emit_block(at, inner, at, clause.body)) return fail();
    out.push_back(std::move(clause));
    return true;
  }
  return fail();
}

}  // namespace depyf::structure
