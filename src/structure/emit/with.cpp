// SPDX-License-Identifier: MIT
// Emits with statements.
//
// Shape (3.11+; earlier versions have been brought into the same form): expr; BEFORE_WITH; [range] target; body
// [/range]; None None None CALL POP_TOP; handler: WITH_EXCEPT_START, after a suppressed exception POP_EXCEPT.
#include "structure/emit/emitter.h"
#include "structure/region/rewrites.h"

namespace depyf::structure {

namespace {

// Returns where control continues after __exit__ has suppressed an exception; kNone: nowhere.
std::uint32_t follow_of_swallowed(const LiftedCode& code, std::uint32_t handler) {
  auto swallowed = code.node(handler).t;
  for (auto left = code.graph.nodes.size(); left > 0 && swallowed != kNone; --left) {  // it may lead to itself
    if (code.node(swallowed).state.end != EndKind::kFall) break;
    const auto& stmts = code.node(swallowed).state.stmts;
    const bool popped = !stmts.empty() && stmts.back().kind == LKind::kPopExcept;
    swallowed = code.node(swallowed).t;
    if (popped) break;
  }
  return swallowed;
}

}  // namespace

bool emit_with(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& node = e.node(n);
  const LStmt enter = node.state.stmts.back();
  const auto body = node.t;
  if (body == kNone || !has_single_entry(e.node(body), LKind::kWithStore)) return e.fail();
  if (!e.emit_stmts(n, ctx, out)) return e.fail();
  const auto handler = e.r.child(e.r.handler(body), ctx.handler);  // the body may begin with a try statement
  if (handler == kNone || handler == ctx.handler || e.r.kind(handler) != HandlerKind::kWith ||
      e.r.outer(handler) != ctx.handler)
    return e.fail();
  const auto swallowed = follow_of_swallowed(e.code, handler);
  if (swallowed == kNone) return e.fail();
  if (e.code.duplication == TailDuplication::kAll && join_with_exits(e.code, e.r, {n, handler, swallowed}, ctx))
    return e.restart();
  auto after = exits_of(e.r, e.r.range_nodes(body, handler));
  for (auto& exit : after) {
    const auto& s = e.node(exit).state;
    if (s.stmts.size() == 1 && s.stmts[0].kind == LKind::kWithExit && s.end == EndKind::kFall) exit = e.node(exit).t;
  }
  // The exit of the except clause that this statement ends, duplicated for each path.
  if (exits_handler(e.code, swallowed)) {
    auto exits = after;
    exits.push_back(swallowed);
    if (merge_tails(e.code, std::move(exits))) return e.restart();
  }
  if (!e.code.unit.dialect.call_finally && !ctx.is_loop_edge(swallowed) && !has(after, swallowed)) {
    const auto common = common_follow(e.r, {after, {swallowed}}, ctx);
    if (common != kNone && common != swallowed) return e.fail();
  }
  ast::With stmt;
  stmt.is_async = enter.is_async;
  stmt.items.push_back({enter.expr, e.take_target(body, LKind::kWithStore)});
  Context inner = ctx.inside(swallowed);
  inner.handler = handler;
  if (swallowed == body || !e.emit_block(body, inner, n, stmt.body)) return e.fail();
  // `with a as x, b as y`: one statement
  if (stmt.body.size() == 1)
    if (auto* w = std::get_if<ast::With>(&e.tree().stmts[stmt.body[0]].node);
        w != nullptr && w->is_async == stmt.is_async) {
      const ast::With nested = *w;
      stmt.items.insert(stmt.items.end(), nested.items.begin(), nested.items.end());
      stmt.body = nested.body;
    }
  out.push_back(e.make(std::move(stmt), n));
  n = swallowed;
  return true;
}

}  // namespace depyf::structure
