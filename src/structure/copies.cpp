// SPDX-License-Identifier: MIT
// Undoes the duplication of exit blocks (3.10+, inline_small_exit_blocks and duplicate_exits_without_lineno).
//
// Two nodes with equal statements and equal successors are one position of the program, unless the line table shows
// that the source has both. Edges are redirected to one of them, so that several exits have one follow node. Nodes that
// differ in handler or stack are never merged.
#include <algorithm>
#include <map>
#include <tuple>

#include "ast/constants.h"
#include "ast/walk.h"
#include "structure/graph.h"

namespace depyf::structure {

namespace {

// Returns whether the node only has ordinary statements, which use nothing of the operand stack but variables.
bool has_only_statements(const Node& n) {
  return std::all_of(n.state.stmts.begin(), n.state.stmts.end(), [](const LStmt& s) { return s.kind == LKind::kStmt; });
}

class Merger {
 public:
  Merger(lift::Unit& unit, Graph& graph, Exits exits) : unit_(unit), g_(graph), exits_(exits) {}

  void run() {
    bool changed = split_exits();
    for (int round = 0; round < 8 && (merge_exits_once() || split_tails()); ++round) changed = true;
    if (changed) count_preds(g_);
  }

 private:
  // Splits a short exit from the end of its line, because it was a block of its own before the compiler copied it
  // (inline_small_exit_blocks): the `return` of a constant or a variable, and a `return` or `raise` whose source
  // position is that of several line ends. Returns whether there was any.
  bool split_exits() {
    const auto count = g_.nodes.size();
    const auto is_exit = [](const Node& n) { return n.alive && n.state.end == EndKind::kReturn; };
    const auto may_be_split = [&](const Node& n) { return is_exit(n) && n.state.stmts.size() > 1; };
    if (std::ranges::none_of(g_.nodes, may_be_split) || std::ranges::count_if(g_.nodes, is_exit) < 2) return false;
    using SourceRange = std::tuple<std::int32_t, std::int32_t, std::int32_t>;  // line and columns
    std::map<SourceRange, std::size_t> ends;
    const auto position = [&](const Node& n) -> std::optional<SourceRange> {
      const auto* at = n.alive && has_own_end(n) ? unit_.positions.at(n.state.stmts.back().offset) : nullptr;
      if (at == nullptr || (at->column < 0 && returned(n) == nullptr)) return std::nullopt;
      return SourceRange{at->line, at->column, at->end_column};
    };
    for (const auto& n : g_.nodes)
      if (const auto at = position(n)) ++ends[*at];
    for (std::uint32_t i = 0; i < count; ++i) {
      auto& n = g_.nodes[i];
      if (!may_be_split(n) || !has_own_end(n)) continue;
      const auto* r = returned(n);
      const bool is_simple = r != nullptr && (ast::is_constant(unit_.ast, r->value) ||
                                              std::holds_alternative<ast::Name>(unit_.ast.exprs[r->value].node));
      const auto at = position(n);
      if (!is_simple && (!at || ends[*at] < 2)) continue;
      // Code that leaves a protected range is not split, unless its value is loaded after the exit of the range.
      if (!loads_after_exits(n)) continue;
      Node tail = n;
      const LStmt last = n.state.stmts.back();
      tail.state.stmts = {last};
      if (tail.pieces.back().kind == Piece::Kind::kCode) {  // the line before it may be long
        Piece end = tail.pieces.back();
        const auto from = first_offset(last);
        while (end.first + 1 < end.last && g_.code[end.block][end.first].offset < from) ++end.first;
        tail.pieces = {end};
      }
      tail.is_handler = false;
      tail.order += 3;
      if (r != nullptr)
        tail.entry.cut(0);
      else
        tail.entry = n.state.stack.entries();  // a `raise` in an except clause stays part of it
      tail.state.low = static_cast<std::uint32_t>(tail.entry.size());
      n.state.stmts.pop_back();
      n.state.end = EndKind::kFall;
      n.t = static_cast<std::uint32_t>(g_.nodes.size());
      g_.nodes.push_back(std::move(tail));
    }
    return g_.nodes.size() > count;
  }

  // Returns the `return` of a value at the end of a node, or null.
  const ast::Return* returned(const Node& n) const {
    if (n.state.end != EndKind::kReturn || n.state.stmts.empty()) return nullptr;
    const auto* r = return_of(unit_, n.state.stmts.back());
    return r != nullptr && r->value.valid() ? r : nullptr;
  }
  // Returns whether a node ends with the `return` of a value or with a `raise`.
  bool has_own_end(const Node& n) const {
    if (n.state.end != EndKind::kReturn || n.state.stmts.empty()) return false;
    return returned(n) != nullptr || raises(n.state.stmts.back());
  }

  // Returns the offset of the first instruction of a `return` or a `raise`.
  std::uint32_t first_offset(const LStmt& last) const {
    auto first = last.offset;
    ast::walk(unit_.ast, ast::Block{last.stmt}, [&](ExprId e) {
      first = std::min(first, unit_.ast.exprs[e].origin.offset);
      return true;
    });
    return first;
  }

  // Returns whether the line loads what it returns or raises after all exits of statements, or has no such exit.
  bool loads_after_exits(const Node& n) const {
    const auto& s = n.state.stmts;
    const auto exit = std::find_if(s.rbegin(), s.rend(), [](const LStmt& x) { return x.kind != LKind::kStmt; });
    if (exit == s.rend()) return true;
    const auto* r = returned(n);
    return (r == nullptr || !ast::is_constant(unit_.ast, r->value)) && first_offset(s.back()) > exit->offset;
  }

  // Compares simple statements, and functions of one code object. Anything else counts as different.
  bool same_stmt(const LStmt& a, const LStmt& b) {
    if (a.kind != b.kind) return false;
    if (a.kind != LKind::kStmt)
      return (leaves_construct(a.kind) || a.kind == LKind::kReraise) && a.is_async == b.is_async &&
             a.depth == b.depth && a.exit_flag == b.exit_flag;
    const auto &x = unit_.ast.stmts[a.stmt].node, &y = unit_.ast.stmts[b.stmt].node;
    const auto *f = std::get_if<ast::FunctionDef>(&x), *g = std::get_if<ast::FunctionDef>(&y);
    const bool simple = ast::is<ast::Return, ast::ExprStmt, ast::Assign, ast::AugAssign, ast::Delete, ast::Raise>(x);
    const bool one_code = f != nullptr && g != nullptr && f->body == g->body;
    const auto *r = std::get_if<ast::Return>(&x), *q = std::get_if<ast::Return>(&y);
    if (x.index() != y.index() || (r != nullptr && r->is_observable != q->is_observable)) return false;
    return (simple || one_code) && ast::equal(unit_.ast, unit_.code, ast::Block{a.stmt}, ast::Block{b.stmt});
  }
  bool same_stmts(const Stmts& a, const Stmts& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const LStmt& x, const LStmt& y) { return same_stmt(x, y); });
  }

  // Two `raise` statements of the source stay two: an assert must not lose its own.
  bool raises(const LStmt& s) const {
    return s.kind == LKind::kStmt && std::holds_alternative<ast::Raise>(unit_.ast.stmts[s.stmt].node);
  }

  // Returns by node: whether an edge out of an except clause or a protected body leads to it, so that it follows the
  // statement.
  SmallVector<bool, 64> exit_targets() {
    SmallVector<bool, 64> out(g_.nodes.size(), false);
    for (const auto& n : g_.nodes) {
      if (!n.alive || n.t == kNone || n.state.end != EndKind::kFall) continue;
      for (const auto& s : n.state.stmts)
        if (leaves_construct(s.kind)) out[n.t] = true;
    }
    return out;
  }

  // Returns whether only the `return` at the end of a function comes after the node: such code was duplicated together
  // with the return, so it follows a statement.
  bool before_return(const Node& n) const {
    if (n.state.end != EndKind::kFall || n.t == kNone || n.state.stmts.empty() || !has_only_statements(n)) return false;
    const auto& to = g_.nodes[n.t].state;
    return to.end == EndKind::kReturn && to.stmts.size() == 1;
  }

  // The compiler duplicates code before a final `return` at each jump to it, while the line that falls into it (the
  // `else` of a loop, for example) stays merged with it. Splits this line again, if the code follows a statement that
  // is left from within, or if the columns of both copies are the same. Returns whether there was any.
  bool split_tails() {
    static constexpr std::size_t kMostCopies = 64;  // more statements at one position are not copies of a short exit
    const auto after_exit = exit_targets();
    // By position of the last statement.
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::uint32_t>> lines;
    for (std::uint32_t i = 0; i < after_exit.size(); ++i) {
      if (!g_.nodes[i].alive || !before_return(g_.nodes[i])) continue;
      const auto* at = unit_.positions.at(g_.nodes[i].state.stmts.back().offset);
      if (at != nullptr) lines[{at->line, at->column}].push_back(i);
    }
    bool changed = false;
    for (const auto& [at, group] : lines) {
      if (group.size() < 2 || group.size() > kMostCopies) continue;
      for (const auto copy : group) {
        if (!after_exit[copy] && at.second < 0) continue;
        const auto line = std::ranges::find_if(group, [&](auto i) { return g_.nodes[i].alive && ends_in(i, copy); });
        if (line == group.end()) continue;
        split_tail(*line, copy);
        changed = true;
      }
    }
    return changed;
  }
  // Returns whether the statements of node `tail` are the last ones of node `line`, by content and source position.
  bool ends_in(std::uint32_t line, std::uint32_t tail) {
    const auto &a = g_.nodes[line], &b = g_.nodes[tail];
    const auto n = a.state.stmts.size(), m = b.state.stmts.size();
    if (n <= m || a.t != b.t || !(a.handler == b.handler) || !before_return(a)) return false;
    for (std::size_t k = 0; k < m; ++k) {
      const auto &x = a.state.stmts[n - m + k], &y = b.state.stmts[k];
      if (common_position(x, y) == nullptr || !same_stmt(x, y)) return false;
    }
    return true;
  }
  // Splits the line before the copied statements, and merges these with `copy`; the later of both remains.
  void split_tail(std::uint32_t line, std::uint32_t copy) {
    Node tail = g_.nodes[copy];
    auto& head = g_.nodes[line];
    for (std::size_t k = 0; k < tail.state.stmts.size(); ++k) head.state.stmts.pop_back();
    if (head.order < tail.order) {
      head.t = copy;
      return;
    }
    tail.order = head.order + 2;
    const auto new_tail = static_cast<std::uint32_t>(g_.nodes.size());
    head.t = new_tail;
    g_.nodes[copy].alive = false;
    for (auto& n : g_.nodes)
      for (auto* to : {&n.t, &n.f})
        if (*to == copy) *to = new_tail;
    g_.nodes.push_back(std::move(tail));
  }

  // Returns whether the node begins with the exit of a statement, which is duplicated for each jump to it
  // (duplicate_exits_without_lineno).
  static bool is_cleanup(const Node& n) {
    if (n.state.end != EndKind::kFall || n.t == kNone || n.state.stmts.empty()) return false;
    const auto kind = n.state.stmts[0].kind;
    return leaves_construct(kind) && kind != LKind::kLoopExit;
  }

  // Returns the source position of statement k of a node, or null if it is unknown. An exit without a line of its own
  // has the position of the code before it (guarantee_lineno_for_exits in Python/flowgraph.c). Only the implicit return
  // of None is such an exit; all others are in the source.
  const SourcePosition* source(std::uint32_t node, std::size_t k) {
    const auto& stmts = g_.nodes[node].state.stmts;
    const auto* position_here = unit_.positions.at(stmts[k].offset);
    if (position_here == nullptr || stmts[k].kind != LKind::kStmt) return nullptr;
    const auto* r = return_of(unit_, stmts[k]);
    if (r != nullptr && r->value.valid() && !ast::is_none(unit_.ast, unit_.code, r->value)) {
      // After the exit of a statement it has no line of its own, but a value computed before that has (codegen_return).
      const auto* value = k > 0 ? unit_.positions.at(unit_.ast.exprs[r->value].origin.offset) : nullptr;
      return value != nullptr ? value : position_here;
    }
    if (k > 0) {
      const auto* before = unit_.positions.at(stmts[k - 1].offset);
      return before != nullptr && *before == *position_here ? nullptr : position_here;
    }
    for (const auto p : preds_[node]) {
      const auto& end = g_.nodes[p].state;
      const bool falls = end.end == EndKind::kFall && !end.stmts.empty();
      const auto* before = unit_.positions.at(falls ? end.stmts.back().offset : end.end_offset);
      if (before != nullptr && *before == *position_here) return nullptr;
    }
    return position_here;
  }

  void find_preds() {
    preds_.resize(g_.nodes.size());
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i)
      if (g_.nodes[i].alive)
        for (const auto to : {g_.nodes[i].t, g_.nodes[i].f})
          if (to != kNone) preds_[to].push_back(i);
  }

  // Returns whether statement k of a node is the `return` of a value that the source has.
  bool is_written_return(std::uint32_t node, std::size_t k) {
    const auto& stmts = g_.nodes[node].state.stmts;
    if (k + 1 != stmts.size() || returned(g_.nodes[node]) == nullptr) return false;
    return unit_.positions.written_return(stmts[k].offset).has_value();
  }

  // Returns whether two nodes may come from the same lines of the source.
  bool same_source(std::uint32_t a, std::uint32_t b) {
    if (preds_.empty()) find_preds();
    for (std::size_t k = 0; k < g_.nodes[a].state.stmts.size(); ++k) {
      const auto *x = source(a, k), *y = source(b, k);
      if (x != nullptr && y != nullptr && !(*x == *y)) return false;
      // A written `return` is not a copy of an implicit one.
      if (!is_written_return(a, k) && !is_written_return(b, k)) continue;
      const auto position = [&](auto node) { return unit_.positions.at(g_.nodes[node].state.stmts[k].offset); };
      if (position(a) != nullptr && position(b) != nullptr && !(*position(a) == *position(b))) return false;
    }
    return true;
  }

  // Returns the common source position of two statements, or null.
  const SourcePosition* common_position(const LStmt& a, const LStmt& b) {
    const auto *p = unit_.positions.at(a.offset), *q = unit_.positions.at(b.offset);
    return p != nullptr && q != nullptr && *p == *q ? p : nullptr;
  }
  // Returns whether the statements of two nodes are certainly the same in the source: their columns are known and
  // equal.
  bool is_one_line(std::uint32_t a, std::uint32_t b) {
    return std::ranges::equal(g_.nodes[a].state.stmts, g_.nodes[b].state.stmts, [&](const LStmt& s, const LStmt& t) {
      const auto* position = common_position(s, t);
      return position != nullptr && position->column >= 0;
    });
  }

  // Returns whether the node is an exit of the kinds to merge.
  bool is_mergeable_exit(const Node& n) const {
    if (!n.alive || n.is_handler || n.state.stmts.size() > 4) return false;
    if (n.state.end == EndKind::kReturn)
      return exits_ != Exits::kMergedRaises || (!n.state.stmts.empty() && raises(n.state.stmts.back()));
    return (exits_ == Exits::kMergedCleanups && is_cleanup(n)) || before_return(n);
  }

  bool merge_exits_once() {
    preds_.clear();
    std::map<std::uint32_t, std::uint32_t> replacement;  // merged nodes, with the node that replaces them
    const auto current = [&](std::uint32_t n) {
      const auto it = replacement.find(n);
      return it == replacement.end() ? n : it->second;
    };
    SmallVector<std::uint32_t, 16> exits_found;
    NodeIds merged_returns;
    for (std::uint32_t i = 0; i < g_.nodes.size(); ++i)
      if (is_mergeable_exit(g_.nodes[i])) exits_found.push_back(i);
    if (exits_found.size() < 2) return false;
    const auto after_exit = exit_targets();
    std::sort(exits_found.begin(), exits_found.end(),
              [&](auto a, auto b) { return g_.nodes[a].order > g_.nodes[b].order; });
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::size_t, std::size_t>, SmallVector<std::uint32_t, 4>> groups;
    for (auto i : exits_found) {
      const auto& n = g_.nodes[i];
      if (n.state.stmts.empty()) continue;
      // The result of __exit__ is dropped before the last statement.
      const std::size_t entries = n.state.stmts.back().kind == LKind::kReraise ? n.state.low : n.entry.size();
      auto& group =
          groups[{n.handler.block.n, current(n.t), has_only_statements(n) ? 0 : entries + 1, n.state.stmts.size()}];
      const bool must_prove = (n.state.end == EndKind::kFall && !is_cleanup(n)) || raises(n.state.stmts.back());
      bool merged = false;
      for (auto j : group)
        if ((!must_prove || after_exit[i] || after_exit[j] || is_one_line(i, j)) &&
            g_.nodes[j].state.end == n.state.end && g_.nodes[j].state.returns_from_loop == n.state.returns_from_loop &&
            same_source(i, j) && same_stmts(n.state.stmts, g_.nodes[j].state.stmts)) {
          replacement[i] = j;
          g_.nodes[i].alive = false;
          if (n.state.end == EndKind::kReturn) merged_returns.push_back(j);
          merged = true;
          break;
        }
      if (!merged && group.size() < 16) group.push_back(i);
    }
    for (auto& n : g_.nodes) {
      n.t = current(n.t);
      n.f = current(n.f);
    }
    place_returns(std::move(merged_returns));
    return !replacement.empty();
  }

  // The compiler placed the copies of a `return` at the jumps to it, for example in a loop at a `break`. Moves each
  // merged return after the code that precedes it in the source.
  void place_returns(NodeIds merged) {
    if (merged.empty()) return;
    std::ranges::sort(merged);
    std::vector<std::pair<std::uint32_t, std::int32_t>> lines;  // nodes in code order, with their lines where known
    for (const auto i : in_code_order(g_, Nodes::kAlive)) {
      const auto& state = g_.nodes[i].state;
      const auto* at = unit_.positions.at(state.stmts.empty() ? state.end_offset : state.stmts.back().offset);
      if (at != nullptr) lines.emplace_back(i, at->line);
    }
    std::vector<std::size_t> later;  // indices after k whose line is later than all between; nearest last
    for (auto k = lines.size(); k-- > 0; later.push_back(k)) {
      const auto [i, line] = lines[k];
      while (!later.empty() && lines[later.back()].second < line) later.pop_back();
      const auto end = later.empty() ? lines.size() : later.back();
      if (end > k + 1 && std::ranges::binary_search(merged, i))
        g_.nodes[i].order = g_.nodes[lines[end - 1].first].order + 1;
    }
  }

  lift::Unit& unit_;
  Graph& g_;
  Exits exits_;
  std::vector<SmallVector<std::uint32_t, 4>> preds_;
};

}  // namespace

void merge_exits(lift::Unit& unit, Graph& graph, Exits exits) {
  if (exits != Exits::kKept) Merger(unit, graph, exits).run();
}

}  // namespace depyf::structure
