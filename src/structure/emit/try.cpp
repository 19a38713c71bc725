// SPDX-License-Identifier: MIT
// try / except / else and try / finally.
//
// Shape (3.11+; earlier versions arrive in the same form): try: [range] body [/range] orelse; handler: PUSH_EXC_INFO,
// then per clause: type, CHECK_EXC_MATCH, POP_JUMP_IF_FALSE next; name or POP_TOP; body; POP_EXCEPT.
#include <algorithm>

#include "ast/constants.h"
#include "structure/emit/emitter.h"
#include "structure/region/rewrites.h"

namespace depyf::structure {

namespace {

// `except E as name` deletes the name at the end: what follows STORE name is protected by a handler that does, or does
// it at once. Other stores of a caught exception have no form as a clause.
bool drops_name(const Regions& r, std::uint32_t body, ast::NameId name) {
  const auto& unit = r.code.unit;
  const auto& b = r.node(body);
  std::size_t at = 1;
  auto n = body;
  if (b.state.stmts.size() == 1 && b.state.end == EndKind::kFall && b.t != kNone) {
    n = b.t;
    at = 0;
    auto inner = r.code.protector(n);  // the body may begin with statements that have handlers of their own
    for (std::size_t i = 0; i < r.nodes().size() && inner != kNone; ++i, inner = r.code.protector(inner))
      if (r.kind(inner) == HandlerKind::kCleanup && dropped_name(unit, r.node(inner).state.stmts, 0) == name)
        return true;
  }
  const auto& s = r.node(n).state.stmts;
  return at < s.size() && s[at].kind == LKind::kPopExcept && dropped_name(unit, s, at + 1) == name;
}

// The first statement of a clause's body takes the exception (or nothing does).
bool emit_clauses(Emitter& e, std::uint32_t handler, std::uint32_t follow, const Context& ctx,
                  std::vector<ast::ExceptHandler>& out) {
  std::uint32_t at = handler;
  for (std::size_t guard = 0; guard < e.r.nodes().size(); ++guard) {
    const Node& node = e.node(at);
    const auto& st = node.state;
    const Context inner = ctx.inside(follow);
    if (st.end == EndKind::kExcBranch && st.stmts.empty()) {
      ast::ExceptHandler clause;
      clause.type = st.cond;
      const auto body = node.t;
      if (!has_single_entry(e.node(body), LKind::kExcStore)) return e.fail();
      if (const auto target = e.take_target(body, LKind::kExcStore); target.valid()) {
        const auto* name = std::get_if<ast::Name>(&e.tree().exprs[target].node);
        if (name == nullptr || !drops_name(e.r, body, name->id)) return e.fail();
        clause.name = name->id;
      }
      if (!e.emit_block(body, inner, at, clause.body)) return e.fail();
      out.push_back(std::move(clause));
      at = node.f;
      continue;
    }
    if (only_reraises(node) && !out.empty()) return true;  // no clause matched
    ast::ExceptHandler clause;
    if (!e.emit_block(at, inner, at, clause.body)) return e.fail();
    out.push_back(std::move(clause));
    return true;
  }
  return e.fail();
}

// How many entries of exceptions there are at most in what handles one, nothing within it aside.
std::size_t exceptions_in(const Emitter& e, std::uint32_t handler) {
  const std::size_t previous = e.code.unit.dialect.handler_pushes_six ? 0 : 1;  // PUSH_EXC_INFO (3.11+) adds it
  return e.node(handler).entry.count(ValueKind::kExc) + previous;
}

// Whether a `break` or the like leads there: neither a return nor what is known around the statement.
bool is_place(const Emitter& e, std::uint32_t n, const Context& ctx) {
  return n != kNone && !is_constant_return(e.code, n) && !ctx.is_loop_edge(n);
}

// Where a try statement with a finally body continues: after that body, and where the body leads by itself.
bool emit_loop_once(Emitter& e, std::uint32_t n, std::uint32_t handler, const NodeSet& in, const Context& ctx) {
  std::vector<std::uint32_t> places;
  for (auto exit : exits_of(e.r, in))
    if (is_cleanup_only(e.code, exit) && is_place(e, e.node(exit).t, ctx)) places.push_back(e.node(exit).t);
  std::uint32_t left = kNone;
  for (auto exit : exits_of(e.r, e.r.handler_nodes(handler)))
    if (is_place(e, exit, ctx)) {
      places.push_back(exit);
      left = handler;
    }
  e.r.sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return (left != kNone || places.size() > 1) && loop_once(e.code, e.r, n, std::move(places), left, ctx);
}

// The line of the instruction that a statement or expression comes from; -1: unknown.
std::int32_t line_of(const Emitter& e, ast::Origin origin) {
  const auto* place = e.code.unit.positions.at(origin.offset);
  return place != nullptr ? place->line : -1;
}

// A `return` of a constant that ends what a `finally` guards, but lies below that clause: it is the same after the statement.
bool returns_below(const Emitter& e, const ast::Try& guard) {
  const auto& tree = e.code.unit.ast;
  const auto* last = std::get_if<ast::Return>(&tree.stmts[guard.body.back()].node);
  if (guard.body.size() < 2 || last == nullptr || !last->value.valid() || !ast::is_constant(tree, last->value))
    return false;
  const auto line = line_of(e, tree.stmts[guard.finalbody.back()].origin);
  return line >= 0 && line_of(e, tree.stmts[guard.body.back()].origin) > line;
}

// Makes try / except / else / finally one statement: the body of `guard` is, or begins with, a statement with clauses. Where
// all of these leave, what follows may be an `else`.
void join_finally(Emitter& e, std::uint32_t n, std::uint32_t handler, ast::Try& guard) {
  auto& unit = e.code.unit;
  const auto* t = std::get_if<ast::Try>(&unit.ast.stmts[guard.body[0]].node);
  if (t == nullptr || !t->finalbody.empty()) return;
  const auto first = [&](std::uint32_t node) {
    const auto& pieces = e.node(node).pieces;
    const bool begins = !pieces.empty() && pieces[0].kind == Piece::Kind::kCode && pieces[0].first < pieces[0].last;
    return begins ? e.code.graph.code[pieces[0].block][pieces[0].first].offset : kNone;
  };
  const auto& clause = t->handlers[0];  // a `return` or `continue` in it may have the place of the `finally` clause
  const auto except = clause.type.valid() ? unit.ast.exprs[clause.type].origin : unit.ast.stmts[clause.body[0]].origin;
  const auto one = unit.positions.are_of_one_statement(
      {first(n), first(handler), line_of(e, except), line_of(e, unit.ast.stmts[guard.finalbody[0]].origin)});
  const auto falls = [&](const ast::ExceptHandler& h) { return e.falls_through(h.body); };
  if (guard.body.size() == 1 ? one == false : one != true || std::ranges::any_of(t->handlers, falls)) return;
  ast::Try joined = *t;
  joined.orelse.insert(joined.orelse.end(), guard.body.begin() + 1, guard.body.end());
  joined.finalbody = std::move(guard.finalbody);
  guard = std::move(joined);
}

bool emit_finally(Emitter& e, std::uint32_t& n, std::uint32_t handler, const Context& ctx, ast::Block& out) {
  const auto in = e.r.range_nodes(n, handler);
  const auto ends = follow_of_finally(e.r, handler, in, ctx);
  if (emit_loop_once(e, n, handler, in, ctx)) return e.restart();
  if (!ends.found) return e.fail();
  ast::Try stmt;
  Context inner = ctx.inside(ends.follow);
  inner.handler = handler;
  inner.start = n;
  if (!e.emit_block(n, inner, n, stmt.body)) return e.fail();
  Context last = ctx.inside(kNone);
  last.after = kNone;
  last.loop_around_finally = ctx.loop;
  last.finally_depth = e.node(handler).entry.size();
  last.exceptions = exceptions_in(e, handler);
  last.in_finally = true;
  if (!e.emit_block(handler, last, n, stmt.finalbody)) return e.fail();
  out.push_back(e.make(std::move(stmt), n));
  const auto made = out.back();
  auto& guard = std::get<ast::Try>(e.code.unit.ast.stmts[made].node);
  const bool is_copied = ends.follow != kNone && e.at(ends.follow).visits > 0;
  const bool reached =
      ends.reached && (!is_copied || e.falls_through(out, ends.follow));  // not if each path ends in an exit
  if ((!reached || ends.follow == kNone) && returns_below(e, guard)) {
    out.push_back(guard.body.back());
    guard.body.pop_back();
  }
  join_finally(e, n, handler, guard);
  if (!reached) e.unreached(made, ends.follow);
  n = reached ? ends.follow : kNone;
  return true;
}

}  // namespace

bool emit_try(Emitter& e, std::uint32_t& n, std::uint32_t handler, const Context& ctx, ast::Block& out) {
  if (e.r.kind(handler) == HandlerKind::kFinally) return emit_finally(e, n, handler, ctx, out);
  if (e.r.kind(handler) != HandlerKind::kExcept) return e.fail();
  const auto in = e.r.range_nodes(n, handler);
  const auto clause_nodes = e.r.handler_nodes(handler);
  Context in_clause = ctx;
  if (e.node(handler).state.matches_group) {
    in_clause.in_star = true;
    in_clause.loop_around_star = ctx.loop;
  }
  RegionExits body = region_exits(e.r, in, ctx), clauses = region_exits(e.r, clause_nodes, in_clause);
  auto exits = body.required;
  exits.insert(exits.end(), clauses.required.begin(), clauses.required.end());
  if (merge_tails(e.code, exits)) return e.restart();
  const auto ends = follow_of_try(e.r, handler, body, clauses, clause_nodes, ctx);
  if (!ends.found) return loop_once(e.code, e.r, n, exits, kNone, ctx) ? e.restart() : e.fail();
  ast::Try stmt;
  Context inner = ctx.inside(ends.normal != kNone ? ends.normal : ends.follow);
  inner.handler = handler;
  inner.start = n;
  if (!e.emit_block(n, inner, n, stmt.body)) return e.fail();
  stmt.is_star = e.node(handler).state.matches_group;
  in_clause.exceptions = exceptions_in(e, handler);
  if (!emit_clauses(e, handler, ends.follow, in_clause, stmt.handlers)) return e.fail();
  if (ends.normal != kNone && ends.normal != ends.follow && !e.emit(ends.normal, ctx.inside(ends.follow), stmt.orelse))
    return e.fail();
  out.push_back(e.make(std::move(stmt), n));
  if (!ends.reached) e.unreached(out.back(), ends.follow);
  n = ends.reached ? ends.follow : kNone;
  return true;
}

}  // namespace depyf::structure
