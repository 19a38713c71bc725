// SPDX-License-Identifier: MIT
// With statements that continue at two places.
//
// The functions with which Dynamo resumes inside a `with` enter it again in a prologue of their own. What its handler
// swallows ends there, in `raise None`; the normal exit of the body continues in the code of the function that is
// resumed. No statement does that, but with a variable that records the exit taken both can continue at a test of it.
#include <algorithm>
#include <map>

#include "structure/region/rewrites.h"

namespace depyf::structure {

bool join_with_exits(LiftedCode& code, const Regions& r, const WithParts& with, const Context& ctx) {
  if (!code.is_function()) return false;  // the variable would be somebody's global
  auto& nodes = code.graph.nodes;
  const auto body = nodes[with.enter].t;
  std::vector<std::uint32_t> exits;
  std::uint32_t normal = kNone;
  for (auto exit : exits_of(r, r.range_nodes(body, with.handler))) {
    const auto& s = nodes[exit].state;
    if (s.end != EndKind::kFall || s.stmts.empty() || s.stmts.back().kind != LKind::kWithExit) continue;
    const auto follow = nodes[exit].t;
    if (is_constant_return(code, skip_cleanup(code, follow))) continue;  // a `return` in the body
    exits.push_back(exit);
    if (follow == with.swallowed) continue;
    if (s.stmts.size() > 1 || (normal != kNone && normal != follow)) return false;
    normal = follow;
  }
  if (normal == kNone || common_follow(r, {{normal}, {with.swallowed}}, ctx) != kNone) return false;
  if (r.handler(body) != with.handler) return false;
  const auto within = [&](std::uint32_t n) {
    return n != kNone && r.handler(n) != kNone && r.inside(r.handler(n), with.handler);
  };
  for (auto i : r.nodes())  // entered elsewhere too, it would not have been set there
    if (i != with.enter && !within(i) && (within(nodes[i].t) || within(nodes[i].f))) return false;

  auto swallow = nodes[with.handler].t;  // the last node of the handler's path where it swallows the exception
  for (std::size_t steps = 0; swallow != kNone && nodes[swallow].t != with.swallowed; ++steps)
    swallow = steps < nodes.size() ? nodes[swallow].t : kNone;
  if (swallow == kNone) return false;

  const auto flag = code.unit.fresh_temp();
  const auto name = [&] { return code.unit.ast.expr(ast::Name{flag}); };
  const auto set = [&](const char* value, std::uint32_t at) {
    LStmt out;
    out.stmt = code.make(ast::Assign{{name()}, code.unit.ast.expr(ast::Verbatim{value})}, at);
    return out;
  };
  Node join;
  join.handler = nodes[with.enter].handler;
  join.state.stack = join.entry = nodes[normal].entry;
  join.state.end = EndKind::kBranch;
  join.state.cond = name();
  join.t = with.swallowed;
  join.f = normal;
  join.order = std::min(nodes[normal].order, nodes[with.swallowed].order) - 2;
  if (nodes[with.swallowed].state.end == EndKind::kReturn) nodes[with.swallowed].order = join.order + 1;
  const auto both = code.add_node(std::move(join));

  auto& stmts = nodes[with.enter].state.stmts;
  stmts.insert(stmts.end() - 1, set("True", with.enter));
  for (const auto exit : exits) {
    if (nodes[exit].t == normal) {
      Node last;  // of the body
      last.handler = nodes[body].handler;
      last.state.stack = last.entry = nodes[exit].entry;
      last.state.stmts.push_back(set("False", exit));
      last.order = nodes[exit].order - 1;
      const auto added = code.add_node(std::move(last));
      code.redirect(std::map<std::uint32_t, std::uint32_t>{{exit, added}});
      nodes[added].t = exit;
    }
    nodes[exit].t = both;
  }
  nodes[swallow].t = both;
  return true;
}

}  // namespace depyf::structure
