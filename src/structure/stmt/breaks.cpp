// SPDX-License-Identifier: MIT
// Where `break` leads in a for loop: read, not guessed.
//
// Shape: an exit of the body that is no exception drops the iterator (compiler_unwind_fblock in Python/compile.c):
// break is POP_TOP; JUMP follow, and a `return` of a constant is POP_TOP; LOAD_CONST; RETURN_VALUE (any other return
// has its value on the stack by then). Invariant: after find_breaks() no edge leads to a node that does nothing else; a
// constant return may have been a `break` to the end of the function, which says the same.
#include "structure/stmt/structurer.h"

namespace depyf::structure {

namespace {

// The node ends by dropping the iterator at `depth`.
bool drops(const Node& n, std::uint32_t depth) {
  const auto& s = n.state.stmts;
  return n.state.end == EndKind::kFall && !s.empty() && s.back().kind == LKind::kLoopExit && s.back().depth == depth;
}

}  // namespace

// The way, of nodes that say nothing, leaves a statement at its own end: no `return` does.
bool Structurer::reaches_fall_through_exit(std::uint32_t exit) const {
  for (std::size_t i = 0; exit != kNone && is_cleanup_only(exit) && i < g_.nodes.size(); ++i) {
    if (exit_kind(exit) == ExitKind::kFallThrough) return true;
    exit = g_.nodes[exit].t;
  }
  return false;
}

// Where the breaks of the loop at `header` meet, kNone if it has none.
std::uint32_t Structurer::break_of(std::uint32_t header, bool& several) const {
  const bool function = (lifter_.code_object().flags & kCoOptimized) != 0;
  const auto depth = static_cast<std::uint32_t>(g_.nodes[header].state.stack.size() - 1);
  std::uint32_t found = kNone;
  NodeSet seen(spare_);
  SmallVector<std::uint32_t, 16> todo{g_.nodes[header].t};
  seen.add(header);
  seen.add(todo[0]);
  while (!todo.empty()) {
    const auto i = todo.back();
    todo.pop_back();
    const auto& n = g_.nodes[i];
    auto next = successors(i);
    if (drops(n, depth)) {
      next.clear();
      const auto end = skip_cleanup(n.t);
      const bool returns = function && is_constant_return(end) && !reaches_fall_through_exit(n.t) &&
                           g_.nodes[end].state.stmts.back().kind == LKind::kStmt;
      if (!returns && found != kNone && found != n.t) several = true;
      if (!returns) found = n.t;
    }
    if (n.handler.block.valid() && n.handler.depth > depth) next.push_back(g_.of_block[n.handler.block.n]);
    for (auto s : next) {
      const auto& e = g_.nodes[s].entry;
      if (e.size() > depth && e[depth].kind == ValueKind::kIter && seen.add(s)) todo.push_back(s);
    }
  }
  return found;
}

void Structurer::find_breaks() {
  const auto n = static_cast<std::uint32_t>(g_.nodes.size());
  const auto through = [&](std::uint32_t i) {
    for (std::uint32_t k = 0; i != kNone && k < n; ++k) {
      const auto& x = g_.nodes[i];
      if (x.state.stmts.size() != 1 || !drops(x, x.state.stmts[0].depth) || x.is_handler) break;
      i = x.t;
    }
    return i;
  };
  breaks_.assign(n, kNone);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto& x = g_.nodes[i];
    if (x.alive && x.state.end == EndKind::kFor && !x.state.stack.empty() && x.t != kNone)
      breaks_[i] = through(break_of(i, has_several_break_targets_));
  }
  original_layout_.assign(n, {});
  for (std::uint32_t i = 0; i < n; ++i) {
    auto& x = g_.nodes[i];
    if (x.t != kNone) original_layout_[i].t = g_.nodes[x.t].order;
    if (x.f != kNone) original_layout_[i].f = g_.nodes[x.f].order;
    x.t = through(x.t);
    x.f = through(x.f);
    x.phantom = through(x.phantom);
  }
}

}  // namespace depyf::structure
