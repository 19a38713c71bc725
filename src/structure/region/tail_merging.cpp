// SPDX-License-Identifier: MIT
// Merges the duplicated exits of except clauses.
//
// The exit of an except clause has no line of its own: later compilers duplicate it at each jump to it
// (inline_small_or_no_lineno_blocks in Python/flowgraph.c). So a try statement at the end of the clause has one
// duplicate for its body and one for each of its own clauses. The last one is kept.
#include <algorithm>
#include <map>

#include "structure/region/rewrites.h"

namespace depyf::structure {

namespace {

// Returns whether the last statements of a have the same effect as those of b, which are clean-up only.
bool has_cleanup_suffix(const lift::Unit& unit, const Stmts& a, const Stmts& b) {
  if (a.size() < b.size()) return false;
  const auto from = a.size() - b.size();
  for (std::size_t k = 0; k < b.size(); ++k) {
    const auto &x = a[from + k], &y = b[k];
    if (x.kind != y.kind || x.depth != y.depth || x.is_async != y.is_async ||
        dropped_name(unit, a, from + k) != dropped_name(unit, b, k))
      return false;
  }
  return true;
}

// Returns the depth of the entry stack without the __exit__ at the end of a with statement, which is popped.
std::size_t entries_of(const Node& n) {
  auto count = n.entry.size();
  while (count > 0 && n.entry[count - 1].kind == ValueKind::kWithExit) --count;
  return count;
}

// Returns whether two paths leave the same constructs and continue at the same place.
bool same_tail(const LiftedCode& code, std::uint32_t a, std::uint32_t b) {
  for (std::size_t i = 0; a != b && i < code.graph.nodes.size(); ++i) {
    if (a == kNone || b == kNone || !is_cleanup_only(code, a) || !is_cleanup_only(code, b)) return false;
    const Node &x = code.node(a), &y = code.node(b);
    const auto &s = x.state.stmts, &t = y.state.stmts;
    if (!(x.handler == y.handler) || entries_of(x) != entries_of(y) || s.size() != t.size() ||
        !has_cleanup_suffix(code.unit, s, t))
      return false;
    a = x.t;
    b = y.t;
  }
  return a == b;
}

// Splits the end of node n if that equals the tail that begins at `exit`. Returns the new node, or kNone.
std::uint32_t split_tail(LiftedCode& code, std::uint32_t n, std::uint32_t exit) {
  const Node &x = code.node(n), &tail = code.node(exit);
  const auto count = tail.state.stmts.size();
  if (x.state.end != EndKind::kFall || x.state.stmts.size() <= count || !(x.handler == tail.handler) ||
      x.state.stack.size() != tail.state.stack.size() ||
      !has_cleanup_suffix(code.unit, x.state.stmts, tail.state.stmts) || !same_tail(code, x.t, tail.t))
    return kNone;
  Node end = tail;
  end.order = x.order + 1;
  const auto added = code.add_node(std::move(end));
  auto& head = code.graph.nodes[n];
  head.state.stmts.resize(head.state.stmts.size() - count);
  head.state.stack = code.node(added).entry;
  head.t = added;
  return added;
}

}  // namespace

bool merge_tails(LiftedCode& code, std::vector<std::uint32_t> exits) {
  std::erase(exits, kNone);  // a call of __exit__() that nothing follows
  std::sort(exits.begin(), exits.end(), [&](auto a, auto b) { return code.node(a).order > code.node(b).order; });
  exits.erase(std::unique(exits.begin(), exits.end()), exits.end());
  std::map<std::uint32_t, std::uint32_t> replacement;
  for (std::size_t i = 0; i < exits.size(); ++i)
    for (std::size_t k = 0; k < i && !replacement.contains(exits[i]); ++k)
      if (!replacement.contains(exits[k]) && same_tail(code, exits[k], exits[i])) replacement[exits[i]] = exits[k];
  if (replacement.empty()) return false;
  code.redirect(replacement);
  for (auto& to : code.breaks)
    if (const auto it = replacement.find(to); it != replacement.end()) to = it->second;
  return true;
}

bool merge_tails_with(LiftedCode& code, const Regions& r, std::uint32_t exit, std::uint32_t from) {
  if (exit == kNone || !is_cleanup_only(code, exit)) return false;
  std::vector<std::uint32_t> exits{exit};
  const auto depth = entries_of(code.node(exit));  // below this depth, the construct that the exit leaves has been left
  auto reached = r.no_nodes();
  reached.add(from);
  reached.grow([&](std::uint32_t i) {
    if (entries_of(code.node(i)) >= depth) each_forward(r, i, kNone, [&](auto s) { reached.add(s); });
  });
  for (auto i : r.in_order(reached)) {
    if (i == exit) continue;
    if (const auto tail = same_tail(code, i, exit) ? i : split_tail(code, i, exit); tail != kNone)
      exits.push_back(tail);
  }
  return merge_tails(code, std::move(exits));
}

}  // namespace depyf::structure
