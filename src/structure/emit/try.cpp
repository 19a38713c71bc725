// SPDX-License-Identifier: MIT
// Emits try / except / else and try / finally.
//
// Shape (3.11+; earlier versions have been brought into the same form): try: [range] body [/range] orelse; handler:
// PUSH_EXC_INFO, then for each clause: type, CHECK_EXC_MATCH, POP_JUMP_IF_FALSE next; name or POP_TOP; body;
// POP_EXCEPT.
#include <algorithm>

#include "ast/constants.h"
#include "structure/emit/emitter.h"
#include "structure/region/rewrites.h"

namespace depyf::structure {

namespace {

// Returns whether the name of `except E as name` is deleted at the end of the clause: by a handler that protects the
// code after its store, or at once. A caught exception that is stored in another way is not a clause.
bool deletes_name(const Regions& r, std::uint32_t body, ast::NameId name) {
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

// Emits the clauses. The first statement of a clause's body stores the exception, or nothing does.
bool emit_clauses(Emitter& e, std::uint32_t handler, std::uint32_t follow, const Context& ctx,
                  std::vector<ast::ExceptHandler>& out) {
  std::uint32_t at = handler;
  for (std::size_t attempt = 0; attempt < e.r.nodes().size(); ++attempt) {
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
        if (name == nullptr || !deletes_name(e.r, body, name->id)) return e.fail();
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

// Returns the number of exceptions on the stack while the handler handles one, apart from code nested in it.
std::size_t exceptions_in(const Emitter& e, std::uint32_t handler) {
  const std::size_t previous = e.code.unit.dialect.handler_pushes_six ? 0 : 1;  // PUSH_EXC_INFO (3.11+) adds it
  return e.node(handler).entry.count(ValueKind::kExc) + previous;
}

// Returns whether a `break` or similar jump may lead to n: it is not a return, nor known from the context.
bool is_break_target(const Emitter& e, std::uint32_t n, const Context& ctx) {
  return n != kNone && !is_constant_return(e.code, n) && !ctx.is_loop_edge(n);
}

// Makes a try statement with a finally body the body of a loop, if it continues at several places: after the finally
// body, and where that body leads by itself. Returns whether it did.
bool emit_loop_once(Emitter& e, std::uint32_t n, std::uint32_t handler, const NodeSet& in, const Context& ctx) {
  std::vector<std::uint32_t> targets;
  for (auto exit : exits_of(e.r, in))
    if (is_cleanup_only(e.code, exit) && is_break_target(e, e.node(exit).t, ctx)) targets.push_back(e.node(exit).t);
  std::uint32_t left = kNone;
  for (auto exit : exits_of(e.r, e.r.handler_nodes(handler)))
    if (is_break_target(e, exit, ctx)) {
      targets.push_back(exit);
      left = handler;
    }
  e.r.sort(targets);
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return (left != kNone || targets.size() > 1) && loop_once(e.code, e.r, n, std::move(targets), left, ctx);
}

// Returns the line of the instruction that a statement or expression comes from; -1: unknown.
std::int32_t line_of(const Emitter& e, ast::Origin origin) {
  const auto* position = e.code.unit.positions.at(origin.offset);
  return position != nullptr ? position->line : -1;
}

// Returns whether the body under a `finally` ends with a `return` of a constant that is below the finally clause in the
// source. Then it belongs after the statement, which has the same effect.
bool returns_below(const Emitter& e, const ast::Try& finally_stmt) {
  const auto& tree = e.code.unit.ast;
  const auto* last = std::get_if<ast::Return>(&tree.stmts[finally_stmt.body.back()].node);
  if (finally_stmt.body.size() < 2 || last == nullptr || !last->value.valid() || !ast::is_constant(tree, last->value))
    return false;
  const auto line = line_of(e, tree.stmts[finally_stmt.finalbody.back()].origin);
  // RETURN_VALUE may have the line of the except clause before it, so the value's line decides
  return line >= 0 && line_of(e, tree.exprs[last->value].origin) > line;
}

// Merges try / except / else and try / finally into one statement if the body of `finally_stmt` is, or begins with, a
// statement with clauses. If all of these leave, the code after it may be an `else`.
void merge_with_finally(Emitter& e, std::uint32_t n, std::uint32_t handler, ast::Try& finally_stmt) {
  auto& unit = e.code.unit;
  const auto* t = std::get_if<ast::Try>(&unit.ast.stmts[finally_stmt.body[0]].node);
  if (t == nullptr || !t->finalbody.empty()) return;
  const auto first_offset = [&](std::uint32_t node) {
    const auto& pieces = e.node(node).pieces;
    const bool begins = !pieces.empty() && pieces[0].kind == Piece::Kind::kCode && pieces[0].first < pieces[0].last;
    return begins ? e.code.graph.code[pieces[0].block][pieces[0].first].offset : kNone;
  };
  const auto& clause = t->handlers[0];  // a `return` or `continue` in it may have the position of the `finally` clause
  const auto except = clause.type.valid() ? unit.ast.exprs[clause.type].origin : unit.ast.stmts[clause.body[0]].origin;
  const auto is_one_statement =
      unit.positions.are_of_one_statement({first_offset(n), first_offset(handler), line_of(e, except),
                                           line_of(e, unit.ast.stmts[finally_stmt.finalbody[0]].origin)});
  const auto falls_through = [&](const ast::ExceptHandler& h) { return e.falls_through(h.body); };
  if (finally_stmt.body.size() == 1 ? is_one_statement == false
                                    : is_one_statement != true || std::ranges::any_of(t->handlers, falls_through))
    return;
  ast::Try merged = *t;
  merged.orelse.insert(merged.orelse.end(), finally_stmt.body.begin() + 1, finally_stmt.body.end());
  merged.finalbody = std::move(finally_stmt.finalbody);
  finally_stmt = std::move(merged);
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
  const auto stmt_id = out.back();
  auto& finally_stmt = std::get<ast::Try>(e.code.unit.ast.stmts[stmt_id].node);
  const bool is_copied = ends.follow != kNone && e.written(ends.follow).visits > 0;
  const bool reached =
      ends.is_reached && (!is_copied || e.falls_through(out, ends.follow));  // not if each path ends in an exit
  if ((!reached || ends.follow == kNone) && returns_below(e, finally_stmt)) {
    out.push_back(finally_stmt.body.back());
    finally_stmt.body.pop_back();
  }
  merge_with_finally(e, n, handler, finally_stmt);
  if (!reached) e.set_unreached_follow(stmt_id, ends.follow);
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
  if (!ends.is_reached) e.set_unreached_follow(out.back(), ends.follow);
  n = ends.is_reached ? ends.follow : kNone;
  return true;
}

}  // namespace depyf::structure
