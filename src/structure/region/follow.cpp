// SPDX-License-Identifier: MIT
// Computes where constructs end: the follow of an `if`, the target of `break`.
//
// CPython lays out blocks in source order (compiler_if, compiler_for and similar functions in Python/compile.c;
// handlers that later versions move have been put back, see order.cpp). So the arm that comes first is all code before
// the other arm, a loop's body is all code before its normal exit, and the exits of this stretch of code show where the
// construct ends. A small exit (`return x`) may be a duplicate, so it decides only if nothing else does.
#include "structure/region/follow.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace depyf::structure {

namespace {

// Returns the last node of the path from n if that has no branches and no other predecessors, and ends by itself;
// otherwise kNone.
std::uint32_t end_alone(const Regions& r, std::uint32_t n, const Context& ctx) {
  for (;;) {
    const auto& node = r.node(n);
    if (node.preds > 1 || node.f != kNone || r.handler(n) != ctx.handler) return kNone;
    if (node.t == kNone) return n;
    if (r.rank(node.t) <= r.rank(n)) return kNone;
    n = node.t;
  }
}

bool raises_alone(const Regions& r, std::uint32_t n, const Context& ctx) {
  const auto end = end_alone(r, n, ctx);
  if (end == kNone || r.node(end).state.stmts.empty()) return false;
  const auto& last = r.node(end).state.stmts.back();
  return last.kind == LKind::kStmt && ast::is<ast::Raise>(r.code.unit.ast.stmts[last.stmt].node);
}

}  // namespace

bool exits_alone(const Regions& r, std::uint32_t n, const Context& ctx) { return end_alone(r, n, ctx) != kNone; }

std::uint32_t common_follow(const Regions& r, const std::vector<std::vector<std::uint32_t>>& groups,
                            const Context& ctx) {
  struct Visit {
    std::uint32_t rank, node, group;
  };
  const auto later = [](const Visit& a, const Visit& b) { return a.rank > b.rank; };
  std::vector<Visit> todo;  // a heap: nodes are visited in code order, so the first shared one is found first
  std::vector<std::size_t> left(groups.size(), 0);  // by group: number of nodes still to be visited
  std::size_t unfinished = 0;                       // number of groups that still have any
  std::unordered_map<std::uint32_t, std::uint32_t> group_of;
  std::uint32_t best = kNone;
  // Loop header and break target are reached by statements of their own, and hide the nodes after them.
  const auto add = [&](std::uint32_t s, std::uint32_t group) {
    if (s == kNone || ctx.is_loop_edge(s)) return;
    const auto [known, is_new] = group_of.try_emplace(s, group);
    if (!is_new && known->second != group && (best == kNone || r.rank(s) < r.rank(best))) best = s;
    if (!is_new) return;
    todo.push_back({r.rank(s), s, group});
    std::ranges::push_heap(todo, later);
    if (left[group]++ == 0) ++unfinished;
  };
  for (std::uint32_t group = 0; group < groups.size(); ++group)
    for (const auto s : groups[group])
      if (s != kNone && !exits_alone(r, s, ctx)) add(s, group);
  while (unfinished > 1) {
    std::ranges::pop_heap(todo, later);
    const auto [rank, i, group] = todo.back();
    todo.pop_back();
    if (best != kNone && rank >= r.rank(best)) break;
    if (i != ctx.follow) {
      for (const auto s : Successors(r.node(i)))
        if (r.rank(s) > rank) add(s, group);
      if (r.handler(i) != ctx.handler && r.inside(r.handler(i), ctx.handler)) add(r.code.protector(i), group);
    }
    if (--left[group] == 0) --unfinished;
  }
  return best;
}

namespace {

// Returns the targets of edges that leave the stretch of code from `from` up to rank `limit`, in code order. The
// stretch includes the handlers of its protected ranges, wherever they are. The stops of the context are exits, too.
// With `sought`, stops as soon as that is found; the nearer successor is visited first, so this is soon.
std::vector<std::uint32_t> exits_before(const Regions& r, std::uint32_t from, std::uint32_t limit, const Context& ctx,
                                        std::uint32_t sought = kNone) {
  const auto exceptions = [&](std::uint32_t n) { return r.node(n).entry.count(ValueKind::kExc); };
  const auto outside = exceptions(from);
  auto seen = r.no_nodes();
  SmallVector<std::uint32_t, 16> todo;
  std::vector<std::uint32_t> out;
  const auto add = [&](std::uint32_t n) {
    if (n == kNone || !seen.add(n)) return;
    if (ctx.is_stop(n)) {
      out.push_back(n);
    } else if (r.rank(n) > r.rank(from)) {
      if (r.rank(n) < limit || exceptions(n) > outside)
        todo.push_back(n);
      else
        out.push_back(n);
    }
  };
  seen.add(from);
  todo.push_back(from);
  while (!todo.empty() && (sought == kNone || out.empty() || out.back() != sought)) {
    const auto i = todo.back();
    todo.pop_back();
    auto [near, far] = std::pair(r.node(i).t, r.node(i).f);
    if (near != kNone && far != kNone && r.rank(near) > r.rank(far)) std::swap(near, far);
    add(far);
    add(near);
    if (r.handler(i) != ctx.handler && r.inside(r.handler(i), ctx.handler)) add(r.code.protector(i));
  }
  r.sort(out);
  return out;
}

// Returns whether an exit is a position of its own: neither a stop nor a small exit. A small exit counts as one if the
// code cannot contain `return`, or if a protected statement begins with it.
bool is_nontrivial_exit(const Regions& r, std::uint32_t n, const Context& ctx) {
  const bool begins_statement = r.handler(n) != ctx.handler && r.inside(r.handler(n), ctx.handler);
  return !ctx.is_stop(n) && (begins_statement || !(r.code.is_function() && is_short_exit(r.node(n))));
}

std::vector<std::uint32_t> nontrivial_exits(const Regions& r, std::vector<std::uint32_t> exits, const Context& ctx) {
  std::erase_if(exits, [&](auto n) { return !is_nontrivial_exit(r, n, ctx); });
  return exits;
}

}  // namespace

std::uint32_t follow_of_if(const Regions& r, std::uint32_t n, const Context& ctx) {
  const auto t = r.node(n).t, f = r.node(n).f;
  const auto first = r.code.true_arm_first(n) ? t : f, second = first == t ? f : t;
  if (ctx.is_stop(first) || ctx.is_stop(second) || r.rank(first) <= r.rank(n))
    return first == ctx.follow || second == ctx.follow ? ctx.follow : kNone;
  const auto exits = exits_before(r, first, r.rank(second), ctx);
  if (has(exits, second)) return second;
  // There are several places: the arm continues after the statement, and the other one returns.
  auto next = nontrivial_exits(r, exits, ctx);
  std::erase_if(next, [&](auto w) {  // only the first arm leaves the surrounding construct
    const auto to = skip_cleanup(r.code, w, ctx.loop);
    if (exit_kind(r.code, w) == ExitKind::kAbrupt) return !leads_to(r, second, w, ctx.handler);
    return ctx.is_loop_edge(to) && to != ctx.follow;
  });
  if (!next.empty()) return next.size() > 1 && is_short_exit(r.node(second)) ? kNone : next[0];
  if (ctx.follow != kNone && has(exits, ctx.follow)) return ctx.follow;
  // Only small exits are left: one that the other arm shares, unless the path to the context's follow comes before it.
  for (auto w : exits) {
    if (ctx.is_stop(w)) continue;
    const auto others = exits_before(r, second, r.rank(w), ctx, ctx.follow == kNone ? w : kNone);
    const bool continues = std::any_of(
        others.begin(), others.end(), [&](auto o) { return o == ctx.follow || skip_cleanup(r.code, o) == ctx.follow; });
    if (has(others, w) && !(ctx.follow != kNone && continues)) return w;
  }
  return kNone;
}

namespace {

// Returns the end of all ranges that the try and with statements in a loop protect, since they end in its body.
std::uint32_t end_of_ranges(const Regions& r, const NodeSet& in, const Context& ctx) {
  auto within = r.no_nodes(), seen = r.no_nodes();  // handlers; some protect themselves
  for (auto i : in.nodes())
    for (auto h = r.handler(i); h != kNone && h != ctx.handler && seen.add(h); h = r.handler(h))
      if (r.inside(h, ctx.handler)) within.add(h);
  std::uint32_t end = 0;
  for (auto h : within.nodes())
    for (auto i : r.protected_by(h)) {
      end = std::max(end, r.rank(i) + 1);
      // Code that leaves these ranges; the end of a construct around the loop comes after it.
      for (auto s : Successors(r.node(i))) {
        const bool ends_around = exit_kind(r.code, s) == ExitKind::kFallThrough && !r.inside(r.handler(s), ctx.handler);
        if (is_cleanup_only(r.code, s) && r.node(s).t != kNone && !ends_around) end = std::max(end, r.rank(s) + 1);
      }
    }
  return end;
}

// Returns the target of a `break` in a protected body whose only statement, a short `return x`, the compiler has copied
// to the `break` (inline_small_or_no_lineno_blocks). The copy follows the cleanup of the `try` and `with` statements
// that the `break` leaves, and is not protected by them; a `return x` that the source has in their bodies would be.
std::uint32_t exit_of_ranges(const Regions& r, const NodeSet& in, const Context& ctx) {
  const auto ends_statement = [&](std::uint32_t n) {
    const auto& s = r.node(n).state.stmts;
    return !in[n] && is_cleanup_only(r.code, n) && r.inside(r.handler(n), ctx.handler) &&
           (s.back().kind == LKind::kWithExit || s.back().kind == LKind::kFinallyExit);
  };
  for (auto i : in.nodes()) {
    if (r.handler(i) == ctx.handler) continue;
    for (auto s : Successors(r.node(i))) {
      for (auto left = in.nodes().size(); left > 0 && s != kNone && ends_statement(s); --left) s = r.node(s).t;
      if (s != kNone && !in[s] && r.handler(s) == ctx.handler && is_short_exit(r.node(s)) &&
          !is_constant_return(r.code, s))
        return s;
    }
  }
  return kNone;
}

// Returns whether the node is a `return` of a value other than None with several predecessors. The source has it once,
// so it comes after the constructs that its predecessors are in.
bool is_shared_return(const Regions& r, std::uint32_t n) {
  return r.code.is_function() && r.node(n).preds > 1 && is_short_exit(r.node(n)) && !returns_none(r.code, n);
}

// Returns the column of the source at which the line of a node's first instruction begins, or -1 if it is not known.
// A `return` that leaves a statement has only the position of its value, so the length of `return ` is subtracted.
std::int32_t column_of(const Regions& r, std::uint32_t n) {
  const auto& node = r.node(n);
  if (node.pieces.empty() || node.pieces[0].kind != Piece::Kind::kCode) return -1;
  const auto& piece = node.pieces[0];
  const SourcePosition* first = nullptr;
  std::int32_t column = -1;
  for (const auto& insn : r.code.graph.code[piece.block].subspan(piece.first, piece.last - piece.first)) {
    const auto* at = r.code.unit.positions.at(insn.offset);
    if (at == nullptr || at->column < 0) continue;
    if (first == nullptr) first = at, column = at->column;
    if (at->line == first->line) column = std::min(column, at->column);
  }
  const bool leaves =
      is_short_exit(node) && !node.state.stmts.empty() && leaves_construct(node.state.stmts.front().kind);
  return leaves && column >= 0 ? column - static_cast<std::int32_t>(std::string_view("return ").size()) : column;
}

// Returns whether an exit of a loop is indented no less than the loop's header node. Then it is a part of the body.
bool is_written_in_body(const Regions& r, std::uint32_t header, std::uint32_t exit) {
  const auto column = column_of(r, header);
  return column >= 0 && column_of(r, exit) >= column;
}

// Returns the follow of a loop that only `break` statements in except clauses leave, or kNone. From 3.12 on the
// compiler lays out the code after such a loop after the clauses, so it is not an exit of the loop's own stretch of code.
std::uint32_t exit_of_clauses(const Regions& r, const NodeSet& in, const Context& ctx) {
  auto seen = r.no_nodes();
  auto todo = r.in_order(in);
  for (std::size_t k = 0; k < todo.size(); ++k)
    for (auto s : Successors(r.node(todo[k]))) {
      if (in[s] || !seen.add(s)) continue;
      if (r.handler(s) != ctx.handler || is_cleanup_only(r.code, s))
        todo.push_back(s);
      else if (!in[todo[k]] && !raises_alone(r, s, ctx))
        return s;
    }
  return kNone;
}

// Returns the end of the finally body that contains the loop, if an edge of the loop leads there; otherwise kNone. Such
// an edge is a `break`.
std::uint32_t end_of_finally(const Regions& r, const NodeSet& in, const Context& ctx) {
  if (!ctx.in_finally || ctx.loop != ctx.loop_around_finally) return kNone;
  for (auto i : in.nodes())
    for (auto s : Successors(r.node(i)))
      if (const auto to = skip_cleanup(r.code, s); to != kNone && only_reraises(r.node(to)) && ctx.is_end(r.code, to))
        return to;
  return kNone;
}

// Returns the rank at which the code of a loop ends: that of its normal exit if this comes after the header.
std::uint32_t end_of_loop(const Regions& r, const NodeSet& in, std::uint32_t header, std::uint32_t normal,
                          const Context& ctx) {
  std::uint32_t end = 0;
  if (normal != kNone && r.rank(normal) > r.rank(header))
    end = r.rank(normal);
  else
    for (auto i : in.nodes()) end = std::max(end, r.rank(i) + 1);
  return std::max(end, end_of_ranges(r, in, ctx));
}

// Returns the node at which several exits of a loop continue; that node is after the loop, and the exits are the ends of
// its body. kNone if there is none. `nontrivial`: those exits that do more than leave.
std::uint32_t meeting_of_exits(const Regions& r, const std::vector<std::uint32_t>& exits,
                               std::vector<std::uint32_t> nontrivial, const Context& ctx) {
  if (nontrivial.empty()) return kNone;
  for (auto w : exits)  // some exits may lead to a `return` after the loop without code of their own
    if (is_shared_return(r, w)) nontrivial.push_back(w);
  r.sort(nontrivial);
  if (nontrivial.size() < 2) return kNone;
  const auto shared = common_follow(r, {{nontrivial[0]}, {nontrivial.begin() + 1, nontrivial.end()}}, ctx);
  return shared != kNone && (is_nontrivial_exit(r, shared, ctx) || is_shared_return(r, shared)) ? shared : kNone;
}

}  // namespace

std::uint32_t break_target(const Regions& r, const NodeSet& in, std::uint32_t header, std::uint32_t normal,
                           const Context& ctx) {
  if (const auto end = end_of_finally(r, in, ctx); end != kNone) return end;
  auto from = header;
  if (normal != kNone) {  // start in the body: the exit of the header is not a `break`
    from = r.node(header).t == normal ? r.node(header).f : r.node(header).t;
    if (r.rank(from) <= r.rank(header)) return normal;
  }
  const auto exits = exits_before(r, from, end_of_loop(r, in, header, normal, ctx), ctx);
  if (normal != kNone && (exits.empty() || has(exits, normal))) return normal;
  const auto raises = [&](auto n) { return raises_alone(r, n, ctx); };
  const auto leaves = [&](auto n) { return raises(n) || ctx.is_stop(n); };
  if (normal == kNone && std::ranges::any_of(exits, raises) && std::ranges::all_of(exits, leaves))
    if (const auto other = exit_of_clauses(r, in, ctx); other != kNone && is_nontrivial_exit(r, other, ctx))
      return other;
  // An edge to a stop of the context is a `break`. A short exit is not: a `return` may have been merged with the stop.
  for (auto w : exits)
    if (ctx.is_stop(w) && !is_short_exit(r.node(w))) return w;
  auto nontrivial = nontrivial_exits(r, exits, ctx);
  // A module has no `return`. An exit that only raises is a part of the loop if another exit can be its follow.
  if (!r.code.is_function() && (normal != kNone || !std::ranges::all_of(nontrivial, raises)))
    std::erase_if(nontrivial, raises);
  if (const auto shared = meeting_of_exits(r, exits, nontrivial, ctx); shared != kNone) return shared;
  // An exit with several predecessors is after the loop; the others may be ends of its body.
  for (auto p : nontrivial)
    if (r.node(p).preds > 1) return p;
  // If the failed test leads to a stop of the context, and the only other exit leads there, too, that exit is the end
  // of the body before a `break`.
  if (normal != kNone && nontrivial.size() == 1 && ctx.is_stop(normal) && is_written_in_body(r, header, nontrivial[0]))
    if (exits_before(r, nontrivial[0], kNone, ctx) == std::vector{normal}) return normal;
  if (!nontrivial.empty()) return nontrivial[0];
  if (normal != kNone) return normal;
  if (exits.empty()) return exit_of_ranges(r, in, ctx);
  // Only short exits are left. The last one is after the loop, unless the source has it in the body.
  return is_written_in_body(r, header, exits.back()) ? exits.front() : exits.back();
}

}  // namespace depyf::structure
