// SPDX-License-Identifier: MIT
// Where try statements end.
//
// 3.8 says so itself: END_FINALLY continues at the end of the statement (exit_kind, phantom successors). Elsewhere the
// exits of the body and of the clauses tell. Source order is body, else, clauses, follow; handlers that the compiler
// moved come directly after the body.
#include "structure/region/follow.h"

namespace depyf::structure {

RegionExits region_exits(const Regions& r, const NodeSet& region, const Context& ctx) {
  const auto& code = r.code;
  RegionExits out;
  const bool function = code.is_function() && !ctx.in_star;
  const bool in_loop = !(ctx.in_star && ctx.loop == ctx.loop_around_star);
  auto reached = r.no_nodes();
  for (auto i : region.nodes())
    if (exit_kind(code, i) == ExitKind::kFallThrough && r.node(i).state.stmts.size() >= 3) reached.add(r.node(i).t);
  for (auto e : exits_of(r, region, ctx.loop)) {
    const bool breaks = ctx.loop != nullptr && e == ctx.loop->brk;
    if (reached[e] || (exit_kind(code, e) == ExitKind::kFallThrough && !breaks)) {
      out.required.push_back(e);
      continue;
    }
    const auto to = skip_cleanup(code, e, ctx.loop);
    // not where another try statement protects it
    const bool returns = function && may_return_inside(code, to) && e != ctx.follow &&
                         (r.handler(to) == ctx.handler || !r.inside(r.handler(to), ctx.handler));
    const bool ends = returns || ctx.is_left_for(code, e);
    ((in_loop && ctx.is_loop_edge(to)) || ends ? out.candidates : out.required).push_back(e);
  }
  return out;
}

namespace {

struct StatementFollow {
  bool known = false;
  std::uint32_t node = kNone;
  bool alone = false;  // only the re-raise leads there
};

// What follows the except clauses of `handler`, or the statement that it is the finally body of (3.8).
StatementFollow follow_of_statement(const Regions& r, std::uint32_t handler) {
  if (!r.code.unit.dialect.call_finally) return {};
  const auto in = r.handler_nodes(handler);
  const auto entries = r.handler_depth(handler) + 6;
  StatementFollow out;
  for (auto i : r.in_order(in)) {
    const auto& n = r.node(i);
    if (!out.known && n.has_phantom && n.entry.size() == entries) out = {true, n.phantom, false};
  }
  out.alone = std::any_of(in.nodes().begin(), in.nodes().end(), [&](auto i) {
    return r.node(i).state.end == EndKind::kReturn && r.node(i).t != kNone && r.node(i).t == out.node;
  });
  return out;
}

// What follows the whole try statement: where control continues after the name of an except clause is unbound.
StatementFollow follow_of_handlers(const Regions& r, std::uint32_t handler, const NodeSet& clause_nodes) {
  if (!r.code.unit.dialect.call_finally) return {};
  for (auto i : r.in_order(clause_nodes)) {
    const auto cleanup = r.code.protector(i);
    if (cleanup == kNone || r.node(i).handler.depth != r.handler_depth(handler) + 3) continue;
    if (r.kind(cleanup) == HandlerKind::kCleanup && r.node(cleanup).has_phantom)
      return {true, r.node(cleanup).phantom, false};
  }
  return {};
}

// The end of the finally body that a clause cannot leave: where it leads, the body leads to an else.
std::uint32_t end_of_finally_around(const Regions& r, const NodeSet& clause_nodes, const Context& ctx) {
  std::uint32_t end = kNone;
  if (!ctx.in_finally) return end;
  for (auto i : clause_nodes.nodes()) {
    const auto& s = r.node(i).state.stmts;
    const auto to = r.node(i).t;
    const auto left = s.size() > 2 && dropped_name(r.code.unit, s, s.size() - 2).valid() ? s.size() - 2 : s.size();
    if (left == 0 || s[left - 1].kind != LKind::kPopExcept) continue;
    auto last = to;
    while (last != kNone && !ctx.is_stop(last) && is_cleanup_only(r.code, last)) last = r.node(last).t;
    if (last != kNone && only_reraises(r.node(last))) end = last;
  }
  return end;
}

// Whether `normal` leads to an exit of the clauses as well: never where all edges to it come from them.
bool is_shared_exit(const Regions& r, std::uint32_t exit, const NodeSet& clause_nodes, std::uint32_t normal,
                    const Context& ctx) {
  std::uint32_t edges = 0;
  for (auto i : clause_nodes.nodes())
    for (auto s : Successors(r.node(i))) edges += s == exit ? 1 : 0;
  return r.node(exit).preds > edges && leads_to(r, normal, exit, ctx.handler);
}

// The end of the statement around this one, as a place of its own, if both a clause and `normal` lead there.
std::uint32_t end_around(const Regions& r, const RegionExits& clauses, const NodeSet& clause_nodes,
                         std::uint32_t normal, const Context& ctx) {
  for (auto e : clauses.candidates)
    if (e != ctx.follow && e != normal && skip_cleanup(r.code, e) == ctx.follow && ctx.follow != kNone)
      if (is_shared_exit(r, e, clause_nodes, normal, ctx)) return e;
  return kNone;
}

// The `return` of None to which clauses and `normal` lead, which nobody wrote: an else clause ends there. Where an empty
// clause leads there, lines alone do not tell whether it is one that says `return`.
std::uint32_t end_of_function(const Regions& r, const RegionExits& clauses, const NodeSet& clause_nodes,
                              std::uint32_t normal, const Context& ctx) {
  if (ctx.loop != nullptr) return kNone;  // which a statement leaves for it
  for (const auto e : clauses.candidates) {
    if (e == normal || !returns_none(r.code, e) || !is_shared_exit(r, e, clause_nodes, normal, ctx)) continue;
    const auto* place = r.code.unit.positions.at(r.node(e).state.stmts.back().offset);
    const auto is_empty = [&](auto i) {
      const auto& s = r.node(i).state.stmts;
      return r.node(i).t == e &&
             std::none_of(s.begin(), s.end(), [](const LStmt& x) { return x.kind == LKind::kStmt; });
    };
    const bool is_clear = place != nullptr && place->column >= 0;
    if (is_clear || std::ranges::none_of(clause_nodes.nodes(), is_empty)) return e;
  }
  return kNone;
}

}  // namespace

TryFollow follow_of_try(const Regions& r, std::uint32_t handler, const RegionExits& body, const RegionExits& clauses,
                        const NodeSet& clause_nodes, const Context& ctx) {
  const StatementFollow b = follow_of_statement(r, handler);
  const auto end = end_of_finally_around(r, clause_nodes, ctx);
  auto led_to = clauses.required;  // by statements in the clauses
  if (b.alone) std::erase(led_to, b.node);
  TryFollow ends;
  if (body.required.size() > 1 || led_to.size() > 1) return ends;
  if (b.known) {
    const bool comes = b.node != kNone && (b.alone || has(body.required, b.node) || has(body.candidates, b.node));
    const auto returns = [&](auto e) { return r.code.is_function() && !ctx.in_star && is_constant_return(r.code, e); };
    if (!comes && !std::ranges::all_of(body.required, returns)) return ends;
    const StatementFollow c = follow_of_handlers(r, handler, clause_nodes);
    ends.normal = comes ? b.node : kNone;
    ends.follow = !led_to.empty() ? led_to[0] : end != kNone ? end : (c.known && c.node != kNone ? c.node : b.node);
    const bool breaks = ctx.loop != nullptr && b.node == ctx.loop->brk;
    const bool follows = c.known && c.node == b.node;  // clauses lead there as well, or would if they came to their end
    if (comes && breaks && !follows && led_to.empty() && ends.follow == b.node)  // else: break
      ends.follow = has(clauses.candidates, ctx.follow) ? ctx.follow : kNone;
    ends.reached = !led_to.empty() || comes || has(clauses.candidates, ends.follow);
    ends.found = true;
    return ends;
  }
  ends.found = true;
  if (!clauses.required.empty()) {
    ends.follow = clauses.required[0];
    ends.normal = !body.required.empty() ? body.required[0] : (has(body.candidates, ends.follow) ? ends.follow : kNone);
    return ends;
  }
  std::uint32_t last = r.rank(handler);
  for (auto i : clause_nodes.nodes()) last = std::max(last, r.rank(i));
  const StatementFollow c = follow_of_handlers(r, handler, clause_nodes);
  if (!body.required.empty()) {
    ends.normal = ends.follow = body.required[0];
    if (end != kNone) {
      ends.follow = end;
    } else if (c.known && c.node != kNone && skip_cleanup(r.code, c.node) != skip_cleanup(r.code, ends.normal)) {
      ends.follow = c.node;
    } else if (const auto around = end_around(r, clauses, clause_nodes, ends.normal, ctx); around != kNone) {
      ends.follow = around;
    } else if (const auto ending = end_of_function(r, clauses, clause_nodes, ends.normal, ctx); ending != kNone) {
      ends.follow = ending;
    } else if (r.code.guards == Guards::kOfJumps && r.rank(ends.normal) <= r.rank(handler) &&
               skip_cleanup(r.code, ends.normal) != ctx.follow) {
      ends.follow = kNone;  // an else clause: up to what lies after the except clauses
      if (has(clauses.candidates, ctx.follow)) ends.follow = ctx.follow;
      for (auto i : r.in_order(forward_reachable(r, ends.normal, ctx.handler)))
        if (ends.follow == kNone && (r.rank(i) > last || has(clauses.candidates, i))) ends.follow = i;
    }
    return ends;
  }
  const auto pick = [&](std::uint32_t n) {
    if (n == kNone || (!has(body.candidates, n) && !has(clauses.candidates, n))) return false;
    ends.follow = n;
    ends.normal = has(body.candidates, n) ? n : kNone;
    return true;
  };
  if (pick(ctx.follow)) return ends;
  for (auto e : body.candidates)
    if (has(clauses.candidates, e) && pick(e)) return ends;
  std::uint32_t best = kNone;
  for (const auto* v : {&body.candidates, &clauses.candidates})
    for (auto e : *v)
      if (r.rank(e) > last && !ctx.is_left_for(r.code, e) && (best == kNone || r.rank(e) > r.rank(best))) best = e;
  if (!c.known || skip_cleanup(r.code, c.node) == best) pick(best);
  return ends;
}

TryFollow follow_of_finally(const Regions& r, std::uint32_t handler, const NodeSet& in, const Context& ctx) {
  const auto& code = r.code;
  // Where an exit leads after the finally body, kNone if it does not pass that. An empty body leaves nothing there.
  const bool empty = only_reraises(r.node(handler));
  const auto after = [&](std::uint32_t exit) {
    return empty ? exit : is_cleanup_only(code, exit) ? r.node(exit).t : kNone;
  };
  TryFollow ends;
  const auto all = exits_of(r, in);
  for (auto e : all) {
    const auto& s = r.node(e).state.stmts;
    const auto leaves = [](const LStmt& x) { return x.kind == LKind::kFinallyExit; };
    if (after(e) != e && std::none_of(s.begin(), s.end(), leaves)) return ends;  // an exit without the body
  }
  RegionExits exits = region_exits(r, in, ctx);
  if (code.unit.dialect.call_finally) {
    const StatementFollow b = follow_of_statement(r, handler);
    exits = {};
    for (auto e : all)
      if (exit_kind(code, e) != ExitKind::kAbrupt) exits.required.push_back(e);
    ends.reached = b.alone || !exits.required.empty();
    if (exits.required.empty()) ends.follow = b.node;
  }
  for (auto e : exits.required) {
    if ((!is_cleanup_only(code, e) && after(e) != e) || (ends.follow != kNone && ends.follow != after(e))) return ends;
    ends.follow = after(e);
  }
  ends.found = true;
  for (auto e : exits.candidates) {
    const auto to = after(e);
    if (ends.follow != kNone || to == kNone) continue;
    if (to == ctx.follow || (ctx.loop != nullptr && to == ctx.loop->header)) ends.follow = to;
  }
  if (ends.follow != kNone) return ends;
  std::erase_if(exits.candidates, [&](auto e) {
    return after(e) == kNone || (ctx.loop != nullptr && after(e) == ctx.loop->brk) || ctx.is_left_for(code, e);
  });
  // of several constants that are returned, the last is the end if it is None
  r.sort(exits.candidates);
  if (!exits.candidates.empty())
    if (const auto last = after(exits.candidates.back()); exits.candidates.size() == 1 || returns_none(code, last))
      ends.follow = last;
  return ends;
}

}  // namespace depyf::structure
