// SPDX-License-Identifier: MIT
// What precedes a with statement, where it continues, and with statements that continue at two places.
//
// The functions with which Dynamo resumes inside a `with` enter it again in a prologue of their own. What its handler
// swallows ends there, in `raise None`; the normal exit of the body continues in the code of the function that is
// resumed. No statement does that, but with a variable that records the exit taken both can continue at a test of it.
#include <algorithm>

#include "structure/stmt/structurer.h"

namespace depyf::structure {

// The statements before a with statement, all but the entering itself.
bool Structurer::emit_before_with(std::uint32_t n, ast::Block& out) {
  const auto& stmts = g_.nodes[n].state.stmts;
  for (std::size_t i = at_[n].skip; i + 1 < stmts.size(); ++i) {
    if (stmts[i].kind == LKind::kStmt)
      out.push_back(stmts[i].stmt);
    else if (stmts[i].kind != LKind::kPopExcept && stmts[i].kind != LKind::kWithExit &&
             stmts[i].kind != LKind::kLoopExit && stmts[i].kind != LKind::kFinallyExit)
      return false;
  }
  return true;
}

// Where control continues when __exit__ swallowed the exception; kNone: nowhere.
std::uint32_t Structurer::follow_of_swallowed(std::uint32_t handler) const {
  auto swallowed = g_.nodes[handler].t;
  while (swallowed != kNone && g_.nodes[swallowed].state.end == EndKind::kFall) {
    const auto& stmts = g_.nodes[swallowed].state.stmts;
    const bool popped = !stmts.empty() && stmts.back().kind == LKind::kPopExcept;
    swallowed = g_.nodes[swallowed].t;
    if (popped) break;
  }
  return swallowed;
}

std::uint32_t Structurer::add_node(Node node) {
  const auto order = [&](std::uint32_t to) { return to != kNone ? g_.nodes[to].order : kNone; };
  original_layout_.push_back({order(node.t), order(node.f)});
  breaks_.push_back(kNone);
  node.alive = true;
  g_.nodes.push_back(std::move(node));
  return static_cast<std::uint32_t>(g_.nodes.size() - 1);
}

// `body_exits`: exits of the body. True if the graph has changed: the walk starts again.
bool Structurer::join_with_exits(const WithParts& with, const std::vector<std::uint32_t>& body_exits,
                                 const Context& ctx) {
  if ((lifter_.code_object().flags & kCoOptimized) == 0) return false;  // the variable would be somebody's global
  std::vector<std::uint32_t> exits;
  std::uint32_t normal = kNone;
  for (auto exit : body_exits) {
    const auto& s = g_.nodes[exit].state;
    if (s.end != EndKind::kFall || s.stmts.empty() || s.stmts.back().kind != LKind::kWithExit) continue;
    const auto follow = g_.nodes[exit].t;
    if (is_constant_return(skip_cleanup(follow))) continue;  // a `return` in the body
    exits.push_back(exit);
    if (follow == with.swallowed) continue;
    if (s.stmts.size() > 1 || (normal != kNone && normal != follow)) return false;
    normal = follow;
  }
  if (normal == kNone || common_follow({{normal}, {with.swallowed}}, ctx) != kNone) return false;
  const auto body = g_.nodes[with.enter].t;
  if (at_[body].effective != with.handler) return false;
  const auto within = [&](std::uint32_t n) {
    return n != kNone && at_[n].effective != kNone && inside(at_[n].effective, with.handler);
  };
  for (auto i : by_rank_)  // entered elsewhere too, it would not have been set there
    if (i != with.enter && !within(i) && (within(g_.nodes[i].t) || within(g_.nodes[i].f))) return false;

  auto swallow = g_.nodes[with.handler].t;  // the last node of the handler's path where it swallows the exception
  for (std::size_t steps = 0; swallow != kNone && g_.nodes[swallow].t != with.swallowed; ++steps)
    swallow = steps < g_.nodes.size() ? g_.nodes[swallow].t : kNone;
  if (swallow == kNone) return false;

  const auto flag = lifter_.fresh_temp();
  const auto name = [&] { return unit_.ast.expr(ast::Name{flag}); };
  const auto set = [&](const char* value, std::uint32_t at) {
    LStmt out;
    out.stmt = make(ast::Assign{{name()}, unit_.ast.expr(ast::Verbatim{value})}, at);
    return out;
  };
  Node join;
  join.handler = g_.nodes[with.enter].handler;
  join.entry = join.state.stack = g_.nodes[normal].entry;
  join.state.end = EndKind::kBranch;
  join.state.cond = name();
  join.t = with.swallowed;
  join.f = normal;
  join.order = std::min(g_.nodes[normal].order, g_.nodes[with.swallowed].order) - 2;
  if (g_.nodes[with.swallowed].state.end == EndKind::kReturn) g_.nodes[with.swallowed].order = join.order + 1;
  const auto both = add_node(std::move(join));

  auto& stmts = g_.nodes[with.enter].state.stmts;
  stmts.insert(stmts.end() - 1, set("True", with.enter));
  for (const auto exit : exits) {
    if (g_.nodes[exit].t == normal) {
      Node last;  // of the body
      last.handler = g_.nodes[body].handler;
      last.entry = last.state.stack = g_.nodes[exit].entry;
      last.state.stmts.push_back(set("False", exit));
      last.order = g_.nodes[exit].order - 1;
      const auto added = add_node(std::move(last));
      for (auto& n : g_.nodes)
        for (auto* edge : {&n.t, &n.f})
          if (*edge == exit) *edge = added;
      g_.nodes[added].t = exit;
    }
    g_.nodes[exit].t = both;
  }
  g_.nodes[swallow].t = both;
  return graph_changed_ = true;
}

}  // namespace depyf::structure
