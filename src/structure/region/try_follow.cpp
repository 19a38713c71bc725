// SPDX-License-Identifier: MIT
// Computes where try statements end.
//
// In 3.8, the bytecode shows it: END_FINALLY continues at the end of the statement (exit_kind, phantom successors). In
// other versions it follows from the exits of the body and of the clauses. Source order is body, else, clauses, follow.
// Handlers that the compiler moved have been placed directly after the body.
#include <optional>

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

// A try statement with except clauses, and what is known of where it ends.
struct TryStatement {
  const Regions& r;
  std::uint32_t handler;
  const RegionExits& body;
  const RegionExits& clauses;
  const NodeSet& clause_nodes;
  const Context& ctx;

  // Returns whether an exit of the clauses is also reachable from `normal`. It is not if all its predecessors are in
  // the clauses.
  [[nodiscard]] bool shares_exit(std::uint32_t exit, std::uint32_t normal) const {
    std::uint32_t edges = 0;
    for (auto i : clause_nodes.nodes())
      for (auto s : Successors(r.node(i))) edges += s == exit ? 1 : 0;
    return r.node(exit).preds > edges && leads_to(r, normal, exit, ctx.handler);
  }
};

// Returns the node after the whole try statement, which is where control continues after the name of an except clause
// is unbound (3.8), or kNone if it does not continue; nullopt if no clause shows it.
std::optional<std::uint32_t> follow_of_handlers(const TryStatement& t) {
  const Regions& r = t.r;
  if (!r.code.unit.dialect.call_finally) return std::nullopt;
  for (auto i : r.in_order(t.clause_nodes)) {
    const auto cleanup = r.code.protector(i);
    if (cleanup == kNone || r.node(i).handler.depth != r.handler_depth(t.handler) + 3) continue;
    if (r.kind(cleanup) == HandlerKind::kCleanup && r.node(cleanup).has_phantom) return r.node(cleanup).phantom;
  }
  return std::nullopt;
}

// Returns the end of the finally body around the statement, if a clause leads there; then the normal exit of the body
// must be an else clause.
std::uint32_t enclosing_finally_end(const TryStatement& t) {
  std::uint32_t end = kNone;
  const Regions& r = t.r;
  if (!t.ctx.in_finally) return end;
  for (auto i : t.clause_nodes.nodes()) {
    const auto& s = r.node(i).state.stmts;
    const auto left = s.size() > 2 && dropped_name(r.code.unit, s, s.size() - 2).valid() ? s.size() - 2 : s.size();
    if (left == 0 || s[left - 1].kind != LKind::kPopExcept) continue;
    auto last = r.node(i).t;
    while (last != kNone && !t.ctx.is_stop(last) && is_cleanup_only(r.code, last)) last = r.node(last).t;
    if (last != kNone && only_reraises(r.node(last))) end = last;
  }
  return end;
}

// Returns the exit to the end of the statement around this one, if a clause and `normal` lead there.
std::uint32_t enclosing_statement_end(const TryStatement& t, std::uint32_t normal) {
  const auto follow = t.ctx.follow;
  for (auto e : t.clauses.candidates)
    if (follow != kNone && e != follow && e != normal && skip_cleanup(t.r.code, e) == follow &&
        t.shares_exit(e, normal))
      return e;
  return kNone;
}

// Returns the implicit `return` of None to which clauses and `normal` lead, because an else clause ends there. If an
// empty clause leads there, line numbers without columns do not show whether that clause has a `return`.
std::uint32_t implicit_return_end(const TryStatement& t, std::uint32_t normal) {
  const Regions& r = t.r;
  if (t.ctx.loop != nullptr) return kNone;  // in a loop, only a statement leads to the end of the function
  for (const auto e : t.clauses.candidates) {
    if (e == normal || !returns_none(r.code, e) || !t.shares_exit(e, normal)) continue;
    const auto* position = r.code.unit.positions.at(r.node(e).state.stmts.back().offset);
    const auto is_empty = [&](auto i) {
      const auto& s = r.node(i).state.stmts;
      return r.node(i).t == e &&
             std::none_of(s.begin(), s.end(), [](const LStmt& x) { return x.kind == LKind::kStmt; });
    };
    const bool has_column = position != nullptr && position->column >= 0;
    if (has_column || std::ranges::none_of(t.clause_nodes.nodes(), is_empty)) return e;
  }
  return kNone;
}

// Returns the ends of a statement whose follow the bytecode shows (3.8). `target`: where statements in the clauses
// lead, or kNone.
TryFollow shown_follow(const TryStatement& t, const StatementFollow& statement, std::uint32_t target,
                       std::uint32_t finally_end) {
  const Regions& r = t.r;
  const bool is_normal_exit =
      statement.by_reraise || has(t.body.required, statement.node) || has(t.body.candidates, statement.node);
  const auto returns = [&](auto e) { return r.code.is_function() && is_constant_return(r.code, e); };
  if (!is_normal_exit && !std::ranges::all_of(t.body.required, returns)) return {};
  const auto handlers = follow_of_handlers(t).value_or(kNone);
  TryFollow ends;
  ends.found = true;
  ends.normal = is_normal_exit ? statement.node : kNone;
  ends.follow = target != kNone        ? target
                : finally_end != kNone ? finally_end
                : handlers != kNone    ? handlers
                                       : statement.node;
  const bool breaks = t.ctx.loop != nullptr && statement.node == t.ctx.loop->brk;
  // Unless the clauses lead there, or would if they reached their end, a `break` does.
  if (is_normal_exit && breaks && handlers != statement.node && target == kNone && ends.follow == statement.node)
    ends.follow = has(t.clauses.candidates, t.ctx.follow) ? t.ctx.follow : kNone;
  ends.is_reached = target != kNone || is_normal_exit || has(t.clauses.candidates, ends.follow);
  return ends;
}

// Returns where an else clause that begins at `normal` ends; `normal` if there is none. `last`: the rank of the last
// node of the clauses.
std::uint32_t end_of_else(const TryStatement& t, std::uint32_t normal, std::uint32_t handlers,
                          std::uint32_t finally_end, std::uint32_t last) {
  const Regions& r = t.r;
  if (finally_end != kNone) return finally_end;
  if (handlers != kNone && skip_cleanup(r.code, handlers) != skip_cleanup(r.code, normal)) return handlers;
  if (const auto around = enclosing_statement_end(t, normal); around != kNone) return around;
  if (const auto ending = implicit_return_end(t, normal); ending != kNone) return ending;
  if (r.code.guards != Guards::kOfJumps || r.rank(normal) > r.rank(t.handler) ||
      skip_cleanup(r.code, normal) == t.ctx.follow)
    return normal;
  if (has(t.clauses.candidates, t.ctx.follow)) return t.ctx.follow;
  for (auto i : r.in_order(forward_reachable(r, normal, t.ctx.handler)))
    if (r.rank(i) > last || has(t.clauses.candidates, i)) return i;
  return kNone;
}

// Returns the ends of a statement of which any exit could be a `break`, `continue` or `return`: the end of the block
// around it, else an exit that body and clauses share, else the last exit after the clauses.
TryFollow follow_among_candidates(const TryStatement& t, std::optional<std::uint32_t> handlers, std::uint32_t last) {
  const Regions& r = t.r;
  const auto ends_at = [&](std::uint32_t n) { return TryFollow{true, n, has(t.body.candidates, n) ? n : kNone}; };
  if (has(t.body.candidates, t.ctx.follow) || has(t.clauses.candidates, t.ctx.follow)) return ends_at(t.ctx.follow);
  for (auto e : t.body.candidates)
    if (has(t.clauses.candidates, e)) return ends_at(e);
  std::uint32_t best = kNone;
  for (const auto* v : {&t.body.candidates, &t.clauses.candidates})
    for (auto e : *v)
      if (r.rank(e) > last && !t.ctx.is_left_for(r.code, e) && (best == kNone || r.rank(e) > r.rank(best))) best = e;
  return !handlers || skip_cleanup(r.code, *handlers) == best ? ends_at(best) : TryFollow{true};
}

}  // namespace

TryFollow follow_of_try(const Regions& r, std::uint32_t handler, const RegionExits& body, const RegionExits& clauses,
                        const NodeSet& clause_nodes, const Context& ctx) {
  const TryStatement t{r, handler, body, clauses, clause_nodes, ctx};
  const StatementFollow statement = follow_of_statement(r, handler);
  auto clause_targets = clauses.required;  // of statements in the clauses
  if (statement.by_reraise) std::erase(clause_targets, statement.node);
  if (body.required.size() > 1 || clause_targets.size() > 1) return {};
  const auto finally_end = enclosing_finally_end(t);
  if (statement.is_known)
    return shown_follow(t, statement, clause_targets.empty() ? kNone : clause_targets[0], finally_end);
  TryFollow ends;
  ends.found = true;
  if (!clauses.required.empty()) {
    ends.follow = clauses.required[0];
    ends.normal = !body.required.empty() ? body.required[0] : (has(body.candidates, ends.follow) ? ends.follow : kNone);
    return ends;
  }
  std::uint32_t last = r.rank(handler);
  for (auto i : clause_nodes.nodes()) last = std::max(last, r.rank(i));
  const auto handlers = follow_of_handlers(t);
  if (body.required.empty()) return follow_among_candidates(t, handlers, last);
  ends.normal = body.required[0];
  ends.follow = end_of_else(t, ends.normal, handlers.value_or(kNone), finally_end, last);
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
