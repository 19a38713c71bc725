// SPDX-License-Identifier: MIT
// Computes where try statements end.
//
// In 3.8, the bytecode shows it: END_FINALLY continues at the end of the statement (exit_kind, phantom successors). In
// other versions it follows from the exits of the body and of the clauses. Source order is body, else, clauses, follow.
// Handlers that the compiler moved have been placed directly after the body.
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
    // A `return` that another try statement protects is not a candidate.
    const bool returns = function && may_return_inside(code, to) && e != ctx.follow &&
                         (r.handler(to) == ctx.handler || !r.inside(r.handler(to), ctx.handler));
    const bool ends = returns || ctx.is_left_for(code, e);
    ((in_loop && ctx.is_loop_edge(to)) || ends ? out.candidates : out.required).push_back(e);
  }
  return out;
}

namespace {

struct StatementFollow {
  bool is_known = false;
  std::uint32_t node = kNone;
  bool by_reraise = false;  // only the reraise leads there
};

// Returns the node after the except clauses of `handler`, or after the statement that has `handler` as its finally body
// (3.8).
StatementFollow follow_of_statement(const Regions& r, std::uint32_t handler) {
  if (!r.code.unit.dialect.call_finally) return {};
  const auto in = r.handler_nodes(handler);
  const auto entries = r.handler_depth(handler) + 6;
  StatementFollow out;
  for (auto i : r.in_order(in)) {
    const auto& n = r.node(i);
    if (!out.is_known && n.has_phantom && n.entry.size() == entries) out = {true, n.phantom, false};
  }
  out.by_reraise = std::any_of(in.nodes().begin(), in.nodes().end(), [&](auto i) {
    return r.node(i).state.end == EndKind::kReturn && r.node(i).t != kNone && r.node(i).t == out.node;
  });
  return out;
}

// Returns the node after the whole try statement, which is where control continues after the name of an except clause
// is unbound (3.8).
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

// Returns the end of the finally body around the statement, if a clause leads there; then the normal exit of the body
// must be an else clause.
std::uint32_t enclosing_finally_end(const Regions& r, const NodeSet& clause_nodes, const Context& ctx) {
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

// Returns whether an exit of the clauses is also reachable from `normal`. It is not if all its predecessors are in the
// clauses.
bool is_shared_exit(const Regions& r, std::uint32_t exit, const NodeSet& clause_nodes, std::uint32_t normal,
                    const Context& ctx) {
  std::uint32_t edges = 0;
  for (auto i : clause_nodes.nodes())
    for (auto s : Successors(r.node(i))) edges += s == exit ? 1 : 0;
  return r.node(exit).preds > edges && leads_to(r, normal, exit, ctx.handler);
}

// Returns the exit to the end of the statement around this one, if a clause and `normal` lead there.
std::uint32_t enclosing_statement_end(const Regions& r, const RegionExits& clauses, const NodeSet& clause_nodes,
                                      std::uint32_t normal, const Context& ctx) {
  for (auto e : clauses.candidates)
    if (e != ctx.follow && e != normal && skip_cleanup(r.code, e) == ctx.follow && ctx.follow != kNone)
      if (is_shared_exit(r, e, clause_nodes, normal, ctx)) return e;
  return kNone;
}

// Returns the implicit `return` of None to which clauses and `normal` lead, because an else clause ends there. If an
// empty clause leads there, line numbers without columns do not show whether that clause has a `return`.
std::uint32_t implicit_return_end(const Regions& r, const RegionExits& clauses, const NodeSet& clause_nodes,
                                  std::uint32_t normal, const Context& ctx) {
  if (ctx.loop != nullptr) return kNone;  // in a loop, only a statement leads to the end of the function
  for (const auto e : clauses.candidates) {
    if (e == normal || !returns_none(r.code, e) || !is_shared_exit(r, e, clause_nodes, normal, ctx)) continue;
    const auto* position = r.code.unit.positions.at(r.node(e).state.stmts.back().offset);
    const auto is_empty = [&](auto i) {
      const auto& s = r.node(i).state.stmts;
      return r.node(i).t == e &&
             std::none_of(s.begin(), s.end(), [](const LStmt& x) { return x.kind == LKind::kStmt; });
    };
    const bool has_column = position != nullptr && position->column >= 0;
    if (has_column || std::ranges::none_of(clause_nodes.nodes(), is_empty)) return e;
  }
  return kNone;
}

}  // namespace

TryFollow follow_of_try(const Regions& r, std::uint32_t handler, const RegionExits& body, const RegionExits& clauses,
                        const NodeSet& clause_nodes, const Context& ctx) {
  const StatementFollow statement = follow_of_statement(r, handler);
  const auto end = enclosing_finally_end(r, clause_nodes, ctx);
  auto clause_targets = clauses.required;  // of statements in the clauses
  if (statement.by_reraise) std::erase(clause_targets, statement.node);
  TryFollow ends;
  if (body.required.size() > 1 || clause_targets.size() > 1) return ends;
  if (statement.is_known) {
    const bool is_normal_exit =
        statement.node != kNone &&
        (statement.by_reraise || has(body.required, statement.node) || has(body.candidates, statement.node));
    const auto returns = [&](auto e) { return r.code.is_function() && !ctx.in_star && is_constant_return(r.code, e); };
    if (!is_normal_exit && !std::ranges::all_of(body.required, returns)) return ends;
    const StatementFollow handlers = follow_of_handlers(r, handler, clause_nodes);
    ends.normal = is_normal_exit ? statement.node : kNone;
    ends.follow = !clause_targets.empty() ? clause_targets[0]
                  : end != kNone ? end
                                 : (handlers.is_known && handlers.node != kNone ? handlers.node : statement.node);
    const bool breaks = ctx.loop != nullptr && statement.node == ctx.loop->brk;
    // Clauses lead there, too, or would if they reached their end.
    const bool follows = handlers.is_known && handlers.node == statement.node;
    // Otherwise a `break` leads there.
    if (is_normal_exit && breaks && !follows && clause_targets.empty() && ends.follow == statement.node)
      ends.follow = has(clauses.candidates, ctx.follow) ? ctx.follow : kNone;
    ends.is_reached = !clause_targets.empty() || is_normal_exit || has(clauses.candidates, ends.follow);
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
  const StatementFollow handlers = follow_of_handlers(r, handler, clause_nodes);
  if (!body.required.empty()) {
    ends.normal = ends.follow = body.required[0];
    if (end != kNone) {
      ends.follow = end;
    } else if (handlers.is_known && handlers.node != kNone &&
               skip_cleanup(r.code, handlers.node) != skip_cleanup(r.code, ends.normal)) {
      ends.follow = handlers.node;
    } else if (const auto around = enclosing_statement_end(r, clauses, clause_nodes, ends.normal, ctx);
               around != kNone) {
      ends.follow = around;
    } else if (const auto ending = implicit_return_end(r, clauses, clause_nodes, ends.normal, ctx); ending != kNone) {
      ends.follow = ending;
    } else if (r.code.guards == Guards::kOfJumps && r.rank(ends.normal) <= r.rank(handler) &&
               skip_cleanup(r.code, ends.normal) != ctx.follow) {
      ends.follow = kNone;  // an else clause, which ends at the first node after the except clauses
      if (has(clauses.candidates, ctx.follow)) ends.follow = ctx.follow;
      for (auto i : r.in_order(forward_reachable(r, ends.normal, ctx.handler)))
        if (ends.follow == kNone && (r.rank(i) > last || has(clauses.candidates, i))) ends.follow = i;
    }
    return ends;
  }
  const auto try_follow = [&](std::uint32_t n) {
    if (n == kNone || (!has(body.candidates, n) && !has(clauses.candidates, n))) return false;
    ends.follow = n;
    ends.normal = has(body.candidates, n) ? n : kNone;
    return true;
  };
  if (try_follow(ctx.follow)) return ends;
  for (auto e : body.candidates)
    if (has(clauses.candidates, e) && try_follow(e)) return ends;
  std::uint32_t best = kNone;
  for (const auto* v : {&body.candidates, &clauses.candidates})
    for (auto e : *v)
      if (r.rank(e) > last && !ctx.is_left_for(r.code, e) && (best == kNone || r.rank(e) > r.rank(best))) best = e;
  if (!handlers.is_known || skip_cleanup(r.code, handlers.node) == best) try_follow(best);
  return ends;
}

TryFollow follow_of_finally(const Regions& r, std::uint32_t handler, const NodeSet& in, const Context& ctx) {
  const auto& code = r.code;
  // Returns where an exit leads after the finally body, kNone if it does not go through that body. An empty body leaves
  // no code there.
  const bool is_empty = only_reraises(r.node(handler));
  const auto after = [&](std::uint32_t exit) {
    return is_empty ? exit : is_cleanup_only(code, exit) ? r.node(exit).t : kNone;
  };
  TryFollow ends;
  const auto all = exits_of(r, in);
  for (auto e : all) {
    const auto& s = r.node(e).state.stmts;
    const auto leaves = [](const LStmt& x) { return x.kind == LKind::kFinallyExit; };
    // An exit that bypasses the finally body.
    if (after(e) != e && std::none_of(s.begin(), s.end(), leaves)) return ends;
  }
  RegionExits exits = region_exits(r, in, ctx);
  if (code.unit.dialect.call_finally) {
    const StatementFollow statement = follow_of_statement(r, handler);
    exits = {};
    for (auto e : all)
      if (exit_kind(code, e) != ExitKind::kAbrupt) exits.required.push_back(e);
    ends.is_reached = statement.by_reraise || !exits.required.empty();
    if (exits.required.empty()) ends.follow = statement.node;
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
  // Of several returns of constants, the last is the end of the statement if it returns None.
  r.sort(exits.candidates);
  if (!exits.candidates.empty())
    if (const auto last = after(exits.candidates.back()); exits.candidates.size() == 1 || returns_none(code, last))
      ends.follow = last;
  return ends;
}

}  // namespace depyf::structure
