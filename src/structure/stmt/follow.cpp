// SPDX-License-Identifier: MIT
// Where constructs end: the follow of an `if`, the target of `break`.
//
// CPython lays blocks out in source order (compiler_if, compiler_for and their like in Python/compile.c; handlers that
// later versions move are back in their place, see order.cpp). So the arm that comes first is everything before the
// other arm, a loop's body everything before its normal exit, and the exits of that stretch say where the construct
// ends. A small exit (`return x`) may be a duplicate, so it decides only when nothing else does.
#include <algorithm>

#include "structure/stmt/structurer.h"

namespace depyf::structure {

// Targets of edges that leave the stretch of code before rank `limit` which starts at `from`, in code order. Handlers
// of what the stretch protects belong to it wherever they lie. Stops of the context are exits too. Where one is `sought`,
// only those that are met until it is: what lies nearest is visited first, so that is soon.
std::vector<std::uint32_t> Structurer::exits_before(std::uint32_t from, std::uint32_t limit, const Context& ctx,
                                                    std::uint32_t sought) const {
  const auto exceptions = [&](std::uint32_t n) {
    const auto& e = g_.nodes[n].entry;
    return std::count_if(e.begin(), e.end(), [](const Value& v) { return v.kind == ValueKind::kExc; });
  };
  const auto outside = exceptions(from);
  NodeSet seen(spare_);
  SmallVector<std::uint32_t, 16> todo;
  std::vector<std::uint32_t> out;
  const auto add = [&](std::uint32_t n, bool start) {
    if (n == kNone || !seen.add(n)) return;
    if (!start && is_stop(n, ctx)) {
      out.push_back(n);
    } else if (start || (at_[n].rank > at_[from].rank && (at_[n].rank < limit || exceptions(n) > outside))) {
      todo.push_back(n);
    } else if (at_[n].rank > at_[from].rank) {
      out.push_back(n);
    }
  };
  add(from, true);
  while (!todo.empty() && (sought == kNone || out.empty() || out.back() != sought)) {
    const auto i = todo.back();
    todo.pop_back();
    auto [near, far] = std::pair(g_.nodes[i].t, g_.nodes[i].f);
    if (near != kNone && far != kNone && at_[near].rank > at_[far].rank) std::swap(near, far);
    add(far, false);
    add(near, false);
    const auto h = g_.nodes[i].handler;
    if (!h.block.valid() || at_[i].effective == ctx.handler || !inside(at_[i].effective, ctx.handler)) continue;
    add(g_.of_block[h.block.n], false);
  }
  std::sort(out.begin(), out.end(), [&](auto a, auto b) { return at_[a].rank < at_[b].rank; });
  return out;
}

// The first of the exits that is a position of its own, not a stop and not a small exit (which is one where the source
// cannot say `return`).
std::uint32_t Structurer::first_nontrivial_exit(const std::vector<std::uint32_t>& exits, const Context& ctx) const {
  const bool function = (lifter_.code_object().flags & kCoOptimized) != 0;
  for (auto w : exits)
    if (!is_stop(w, ctx) && !(function && is_short_exit(w))) return w;
  return kNone;
}

// The exit of a loop is placed where it drops the iterator, whatever code it shares after that.
bool Structurer::true_arm_first(std::uint32_t n) const { return original_layout_[n].t < original_layout_[n].f; }

// Follow of an `if` at n: kNone where no arm comes out, or only one does (the other arm is then what follows).
std::uint32_t Structurer::follow_of_if(std::uint32_t n, const Context& ctx) {
  const auto t = g_.nodes[n].t, f = g_.nodes[n].f;
  const auto first = true_arm_first(n) ? t : f, second = first == t ? f : t;
  if (is_stop(first, ctx) || is_stop(second, ctx) || at_[first].rank <= at_[n].rank)
    return first == ctx.follow || second == ctx.follow ? ctx.follow : kNone;
  const auto exits = exits_before(first, at_[second].rank, ctx);
  const auto has = [](const std::vector<std::uint32_t>& v, std::uint32_t x) {
    return std::find(v.begin(), v.end(), x) != v.end();
  };
  if (has(exits, second)) return second;
  if (const auto next = first_nontrivial_exit(exits, ctx); next != kNone) {
    // several places: the arm continues after the statement, and the other one returns
    const auto others =
        std::count_if(exits.begin(), exits.end(), [&](auto w) { return first_nontrivial_exit({w}, ctx) != kNone; });
    return others > 1 && is_short_exit(second) ? kNone : next;
  }
  if (ctx.follow != kNone && has(exits, ctx.follow)) return ctx.follow;
  // only exits are left: one that the other arm shares, if the way to the context's follow does not lie before it
  for (auto w : exits) {
    if (is_stop(w, ctx)) continue;
    const auto others = exits_before(second, at_[w].rank, ctx, ctx.follow == kNone ? w : kNone);
    const bool continues = std::any_of(others.begin(), others.end(),
                                       [&](auto o) { return o == ctx.follow || skip_cleanup(o) == ctx.follow; });
    if (has(others, w) && !(ctx.follow != kNone && continues)) return w;
  }
  return kNone;
}

// The end of all that the try and with statements within a loop protect: they end in its body.
std::uint32_t Structurer::end_of_ranges(const NodeSet& in, const Context& ctx) const {
  NodeSet within(spare_), seen(spare_);  // handlers; some protect themselves
  for (auto i : in.nodes())
    for (auto h = at_[i].effective; h != kNone && h != ctx.handler && seen.add(h); h = at_[h].effective)
      if (inside(h, ctx.handler)) within.add(h);
  std::uint32_t end = 0;
  for (auto h : within.nodes())
    for (auto i : protected_[h]) {
      end = std::max(end, at_[i].rank + 1);
      for (auto s : successors(i)) {  // leaving them; the end of what is around the loop lies after it
        const bool ends_around = exit_kind(s) == ExitKind::kFallThrough && !inside(at_[s].effective, ctx.handler);
        if (is_cleanup_only(s) && !ends_around) end = std::max(end, at_[s].rank + 1);
      }
    }
  return end;
}

// Where `break` leads for a loop with the given nodes and normal exit (kNone for while True).
std::uint32_t Structurer::break_target(const NodeSet& in, std::uint32_t header, std::uint32_t normal,
                                       const Context& ctx) {
  std::uint32_t limit = 0;
  if (normal != kNone && at_[normal].rank > at_[header].rank) {
    limit = at_[normal].rank;
  } else {
    for (auto i : in.nodes()) limit = std::max(limit, at_[i].rank + 1);
  }
  limit = std::max(limit, end_of_ranges(in, ctx));
  auto exits = exits_before(header, limit, ctx);
  // from the body: the header's own exit says nothing
  if (normal != kNone) {
    const auto body = g_.nodes[header].t == normal ? g_.nodes[header].f : g_.nodes[header].t;
    Context inner = ctx;
    exits = at_[body].rank > at_[header].rank ? exits_before(body, limit, inner) : std::vector<std::uint32_t>{};
    if (exits.empty() || std::find(exits.begin(), exits.end(), normal) != exits.end()) return normal;
  }
  // a way to a place that the context knows is a `break` (a return may have been merged with one there)
  for (auto w : exits)
    if (is_stop(w, ctx) && !is_short_exit(w)) return w;
  // what several exits share lies after the loop, they themselves are the ends of its body
  std::vector<std::uint32_t> positions;
  for (auto w : exits)
    if (first_nontrivial_exit({w}, ctx) != kNone) positions.push_back(w);
  if (positions.size() > 1)
    if (const auto shared = common_follow({{positions[0]}, {positions.begin() + 1, positions.end()}}, ctx);
        shared != kNone && first_nontrivial_exit({shared}, ctx) != kNone)
      return shared;
  // what several edges lead to can only be after the loop, the rest may end its body
  for (auto p : positions)
    if (g_.nodes[p].preds > 1) return p;
  if (!positions.empty()) return positions[0];
  if (normal != kNone) return normal;
  return exits.empty() ? exit_of_ranges(in, ctx) : exits.front();
}

// What a `break` in a protected body leads to, where the compiler has copied it there: a short `return x`, which would
// be protected as well if it stood there itself.
std::uint32_t Structurer::exit_of_ranges(const NodeSet& in, const Context& ctx) const {
  for (auto i : in.nodes()) {
    if (at_[i].effective == ctx.handler) continue;
    for (auto s : successors(i))
      if (!in[s] && at_[s].effective == ctx.handler && is_short_exit(s) && !is_constant_return(s)) return s;
  }
  return kNone;
}

}  // namespace depyf::structure
