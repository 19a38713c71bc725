// SPDX-License-Identifier: MIT
// Finds the target of `break` in a `for` loop from the instruction that pops the iterator.
//
// Shape: an exit of the body that is not an exception pops the iterator (compiler_unwind_fblock in Python/compile.c).
// `break` is POP_TOP; JUMP follow, and a `return` of a constant is POP_TOP; LOAD_CONST; RETURN_VALUE (any other return
// has its value on the stack already). Invariant: after find_breaks(), no edge leads to a node that does nothing else.
// A constant return may have been a `break` to the end of the function, which has the same effect.
#include "structure/region/node_set.h"
#include "structure/region/predicates.h"

namespace depyf::structure {

namespace {

// Returns whether the node ends by popping the iterator at `depth`.
bool pops_iterator(const Node& n, std::uint32_t depth) {
  const auto& s = n.state.stmts;
  return n.state.end == EndKind::kFall && !s.empty() && s.back().kind == LKind::kLoopExit && s.back().depth == depth;
}

// Returns whether the path of clean-up-only nodes from `exit` leaves a statement at its end, which a `return` never
// does.
bool reaches_fall_through_exit(const LiftedCode& code, std::uint32_t exit) {
  for (std::size_t i = 0; exit != kNone && is_cleanup_only(code, exit) && i < code.graph.nodes.size(); ++i) {
    if (exit_kind(code, exit) == ExitKind::kFallThrough) return true;
    exit = code.node(exit).t;
  }
  return false;
}

// Returns the target of the breaks of the loop at `header`, kNone if it has none. Sets `has_several` if there are
// several.
std::uint32_t find_break_target(const LiftedCode& code, std::uint32_t header, SpareMarks& spare, bool& has_several) {
  const auto depth = static_cast<std::uint32_t>(code.node(header).state.stack.size() - 1);
  std::uint32_t target = kNone;
  NodeSet seen(spare);
  SmallVector<std::uint32_t, 16> todo{code.node(header).t};
  seen.add(header);
  seen.add(todo[0]);
  while (!todo.empty()) {
    const auto i = todo.back();
    todo.pop_back();
    const auto& n = code.node(i);
    auto next = Successors(n);
    if (pops_iterator(n, depth)) {
      next.clear();
      const auto end = skip_cleanup(code, n.t);
      const bool is_end = end == kNone || (is_constant_return(code, end) &&  // a finally body on the path never ends
                                           code.node(end).state.stmts.back().kind == LKind::kStmt);
      const bool returns = code.is_function() && is_end && !reaches_fall_through_exit(code, n.t);
      if (!returns && target != kNone && target != n.t) has_several = true;
      if (!returns) target = n.t;
    }
    if (n.handler.depth > depth) next.push_back(code.protector(i));
    for (auto s : next) {
      const auto& e = code.node(s).entry;
      if (e.size() > depth && e[depth].kind == ValueKind::kIter && seen.add(s)) todo.push_back(s);
    }
  }
  return target;
}

}  // namespace

void find_breaks(LiftedCode& code) {
  auto& nodes = code.graph.nodes;
  const auto n = static_cast<std::uint32_t>(nodes.size());
  const auto skip_iterator_pops = [&](std::uint32_t i) {
    for (std::uint32_t k = 0; i != kNone && k < n; ++k) {
      const auto& x = nodes[i];
      if (x.state.stmts.size() != 1 || !pops_iterator(x, x.state.stmts[0].depth) || x.is_handler) break;
      i = x.t;
    }
    return i;
  };
  SpareMarks spare{n, {}};
  code.breaks.assign(n, kNone);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto& x = nodes[i];
    if (x.alive && x.state.end == EndKind::kFor && !x.state.stack.empty() && x.t != kNone)
      code.breaks[i] = skip_iterator_pops(find_break_target(code, i, spare, code.has_several_break_targets));
  }
  code.layout.assign(n, {});
  for (std::uint32_t i = 0; i < n; ++i) {
    auto& x = nodes[i];
    if (x.t != kNone) code.layout[i].t = nodes[x.t].order;
    if (x.f != kNone) code.layout[i].f = nodes[x.f].order;
    x.t = skip_iterator_pops(x.t);
    x.f = skip_iterator_pops(x.f);
    x.phantom = skip_iterator_pops(x.phantom);
  }
}

std::uint32_t LiftedCode::add_node(Node added) {
  const auto order = [&](std::uint32_t to) { return to != kNone ? node(to).order : kNone; };
  layout.push_back({order(added.t), order(added.f)});
  breaks.push_back(kNone);
  added.alive = true;
  graph.nodes.push_back(std::move(added));
  return static_cast<std::uint32_t>(graph.nodes.size() - 1);
}

ast::StmtId LiftedCode::make(ast::StmtNode made, std::uint32_t n) const {
  const auto origin = unit.ast.exprs[lifter.slot(0)].origin.code;
  return unit.ast.stmt(std::move(made), {origin, node(n).state.end_offset});
}

}  // namespace depyf::structure
