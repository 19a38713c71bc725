// SPDX-License-Identifier: MIT
// Restores loops without a back edge.
//
// If every path through the body leaves the loop, the jump back at its end (codegen_while in Python/codegen.c) is
// unreachable, and no compiler keeps it. `while True: try: a except E: break else: return b` becomes a try statement
// that continues at two places. One of these is made the end of a loop body again, by adding a back edge that is never
// taken to the start of the statement; then the other is the target of `break`.
#include <algorithm>

#include "structure/region/rewrites.h"

namespace depyf::structure {

namespace {

// Returns the last node, reachable from `from` before `brk`, that leads to `brk` or ends the function.
std::uint32_t last_of_body(const Regions& r, const std::vector<std::uint32_t>& from, std::uint32_t brk,
                           const Context& ctx) {
  auto seen = r.no_nodes();
  const auto reach = [&](std::uint32_t n) {
    if (n != brk && !ctx.is_stop(n)) seen.add(n);
  };
  for (const auto n : from) reach(n);
  std::uint32_t last = kNone;
  seen.grow([&](std::uint32_t i) {
    const auto next = Successors(r.node(i));
    const bool returns = next.begin() == next.end() && !ends_finally(r.node(i));
    const bool ends = returns || std::find(next.begin(), next.end(), brk) != next.end();
    if (ends && (last == kNone || r.rank(i) > r.rank(last))) last = i;
    for (const auto s : next) reach(s);
  });
  return last;
}

}  // namespace

bool loop_once(LiftedCode& code, const Regions& r, std::uint32_t n, std::vector<std::uint32_t> exits,
               std::uint32_t left, const Context& ctx) {
  if (code.loops != Loops::kAny || exits.empty() || code.loops_once.contains(n)) return false;
  r.sort(exits);
  const auto brk = has(exits, ctx.follow) ? ctx.follow : exits.back();
  std::erase(exits, brk);
  if (left != kNone) exits.push_back(left);
  const auto last = last_of_body(r, exits, brk, ctx);
  if (last == kNone || r.rank(last) <= r.rank(n) || r.is_header(n)) return false;
  const auto kind = r.node(last).state.end;
  if (kind != EndKind::kReturn && kind != EndKind::kFall) return false;
  code.loops_once.insert(n);
  auto& end = code.graph.nodes[last];
  (end.t == kNone ? end.t : end.f) = n;
  return true;
}

}  // namespace depyf::structure
