// SPDX-License-Identifier: MIT
// Rewrites with statements that continue at two places.
//
// The functions with which Dynamo resumes inside a `with` enter it again in a prologue of their own. After a suppressed
// exception they end there, in `raise None`; the normal exit of the body continues in the code of the resumed function.
// No statement has two such exits, but with a variable that records the exit, both can continue at a test of this
// variable.
#include <algorithm>
#include <map>

#include "structure/region/rewrites.h"

namespace depyf::structure {

bool join_with_exits(LiftedCode& code, const Regions& r, const WithParts& with, const Context& ctx) {
  if (!code.is_function()) return false;  // elsewhere the variable would be visible as a global or an attribute
  auto& nodes = code.graph.nodes;
  const auto body = nodes[with.enter].t;
  std::vector<std::uint32_t> exits;
  std::uint32_t normal_follow = kNone;
  for (auto exit : exits_of(r, r.range_nodes(body, with.handler))) {
    const auto& s = nodes[exit].state;
    if (s.end != EndKind::kFall || s.stmts.empty() || s.stmts.back().kind != LKind::kWithExit) continue;
    const auto follow = nodes[exit].t;
    if (is_constant_return(code, skip_cleanup(code, follow))) continue;  // a `return` in the body
    exits.push_back(exit);
    if (follow == with.swallowed) continue;
    if (s.stmts.size() > 1 || (normal_follow != kNone && normal_follow != follow)) return false;
    normal_follow = follow;
  }
  if (normal_follow == kNone || common_follow(r, {{normal_follow}, {with.swallowed}}, ctx) != kNone) return false;
  if (r.handler(body) != with.handler) return false;
  const auto is_inside = [&](std::uint32_t n) {
    return n != kNone && r.handler(n) != kNone && r.inside(r.handler(n), with.handler);
  };
  for (auto i : r.nodes())  // code that enters elsewhere would not have set the variable
    if (i != with.enter && !is_inside(i) && (is_inside(nodes[i].t) || is_inside(nodes[i].f))) return false;

  auto suppress_end = nodes[with.handler].t;  // the last node on the handler's path for a suppressed exception
  for (std::size_t steps = 0; suppress_end != kNone && nodes[suppress_end].t != with.swallowed; ++steps)
    suppress_end = steps < nodes.size() ? nodes[suppress_end].t : kNone;
  if (suppress_end == kNone) return false;

  const auto flag = code.unit.fresh_temp();
  const auto name = [&] { return code.unit.ast.expr(ast::Name{flag}); };
  const auto set_flag = [&](const char* value, std::uint32_t at) {
    LStmt out;
    out.stmt = code.make(ast::Assign{{name()}, code.unit.ast.expr(ast::Verbatim{value})}, at);
    return out;
  };
  Node join;
  join.handler = nodes[with.enter].handler;
  join.state.stack = join.entry = nodes[normal_follow].entry;
  join.state.end = EndKind::kBranch;
  join.state.cond = name();
  join.t = with.swallowed;
  join.f = normal_follow;
  join.order = std::min(nodes[normal_follow].order, nodes[with.swallowed].order) - 2;
  if (nodes[with.swallowed].state.end == EndKind::kReturn) nodes[with.swallowed].order = join.order + 1;
  const auto join_node = code.add_node(std::move(join));

  auto& stmts = nodes[with.enter].state.stmts;
  stmts.insert(stmts.end() - 1, set_flag("True", with.enter));
  for (const auto exit : exits) {
    if (nodes[exit].t == normal_follow) {
      Node last;  // the last node of the body
      last.handler = nodes[body].handler;
      last.state.stack = last.entry = nodes[exit].entry;
      last.state.stmts.push_back(set_flag("False", exit));
      last.order = nodes[exit].order - 1;
      const auto added = code.add_node(std::move(last));
      code.redirect(std::map<std::uint32_t, std::uint32_t>{{exit, added}});
      nodes[added].t = exit;
    }
    nodes[exit].t = join_node;
  }
  nodes[suppress_end].t = join_node;
  return true;
}

}  // namespace depyf::structure
