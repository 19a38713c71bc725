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

// A description of the path from a node up to the first node that does more than leave constructs. It is equal for two
// paths that leave the same constructs and continue at the same place.
using TailKey = std::vector<std::size_t>;

TailKey tail_of(const LiftedCode& code, std::uint32_t n) {
  TailKey out;
  for (std::size_t i = 0; n != kNone && is_cleanup_only(code, n) && i < code.graph.nodes.size(); ++i) {
    const Node& node = code.node(n);
    const auto& s = node.state.stmts;
    const auto& [handler, depth, lasti] = node.handler;
    out.insert(out.end(), {handler.n, depth, std::size_t{lasti}, entries_of(node), s.size()});
    for (std::size_t k = 0; k < s.size(); ++k)
      out.insert(out.end(), {static_cast<std::size_t>(s[k].kind), s[k].depth, std::size_t{s[k].is_async},
                             dropped_name(code.unit, s, k).n});
    n = node.t;
  }
  out.push_back(n);
  return out;
}

// Splits the end of node n if that equals the tail that begins at `exit`. Returns the new node, or kNone.
std::uint32_t split_tail(LiftedCode& code, std::uint32_t n, std::uint32_t exit) {
  const Node &x = code.node(n), &tail = code.node(exit);
  const auto count = tail.state.stmts.size();
  if (x.state.end != EndKind::kFall || x.state.stmts.size() <= count || !(x.handler == tail.handler) ||
      x.state.stack.size() != tail.state.stack.size() ||
      !has_cleanup_suffix(code.unit, x.state.stmts, tail.state.stmts) || tail_of(code, x.t) != tail_of(code, tail.t))
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
  std::map<TailKey, std::uint32_t> last;  // by tail: the last exit with it
  std::map<std::uint32_t, std::uint32_t> replacement;
  for (const auto exit : exits)
    if (const auto [kept, is_new] = last.try_emplace(tail_of(code, exit), exit); !is_new)
      replacement[exit] = kept->second;
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
  auto exit_tail = tail_of(code, exit);
  for (auto i : r.in_order(reached)) {
    if (i == exit) continue;
    const bool is_equal = tail_of(code, i) == exit_tail;
    const auto tail = is_equal ? i : split_tail(code, i, exit);
    if (tail == kNone) continue;
    if (!is_equal) exit_tail = tail_of(code, exit);  // a split may be on the path from the exit
    exits.push_back(tail);
  }
  return merge_tails(code, std::move(exits));
}

}  // namespace depyf::structure
