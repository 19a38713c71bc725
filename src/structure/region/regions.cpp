// SPDX-License-Identifier: MIT
// Computes the handler tree and the loops from the edges and the code order.
#include "structure/region/regions.h"

#include <algorithm>
#include <set>

namespace depyf::structure {
namespace {

// Returns the name of every `except E as name`.
std::set<std::uint32_t> exception_names_of(const LiftedCode& code, const NodeIds& nodes) {
  std::set<std::uint32_t> names;
  for (const auto i : nodes)
    for (const auto& s : code.node(i).state.stmts) {
      if (s.kind != LKind::kExcStore) continue;
      if (const auto* target = std::get_if<ast::Name>(&code.unit.ast.exprs[s.expr].node)) names.insert(target->id.n);
    }
  return names;
}

HandlerKind kind_of(const LiftedCode& code, std::uint32_t handler, const std::set<std::uint32_t>& exception_names) {
  const Node& n = code.node(handler);
  const auto& s = n.state.stmts;
  const Line line = n.pieces.empty() ? Line{} : Line{code.graph.code[n.pieces[0].block]};
  const std::size_t at = !line.empty() && line[0].op == Op::PUSH_EXC_INFO ? 1 : 0;
  if (n.state.end == EndKind::kBranch && !n.state.cond.valid())
    return s.empty() ? HandlerKind::kWith : HandlerKind::kFinally;
  if (ends_finally(n)) {
    // COPY 3; POP_EXCEPT; RERAISE 1, or e = None; del e; RERAISE
    if (s.size() == 2 && s[0].kind == LKind::kPopExcept) return HandlerKind::kCleanup;
    if (const auto name = dropped_name(code.unit, s, 0);
        s.size() == 3 && name.valid() && n.pieces.size() == 1 && at == 0 && exception_names.contains(name.n))
      return HandlerKind::kCleanup;
    if (s.size() == 2 && s[0].kind == LKind::kRestore) return HandlerKind::kCleanup;
  }
  if (n.state.end == EndKind::kExcBranch) return HandlerKind::kExcept;
  // A bare `except:` pops the exception at once.
  if (at < line.size() && line[at].op == Op::POP_TOP && line[at].flags != kAbruptExit) return HandlerKind::kExcept;
  // Perhaps `except E` with an E of several nodes, such as a conditional expression; that is not known here.
  return HandlerKind::kFinally;
}

}  // namespace

Regions::Regions(const LiftedCode& lifted) : code(lifted), by_rank_(in_code_order(lifted.graph, Nodes::kAlive)) {
  const auto n = code.graph.nodes.size();
  spare_.size = n;
  facts_.assign(n, {});
  for (std::uint32_t i = 0; i < by_rank_.size(); ++i) facts_[by_rank_[i]].rank = i;
  bool loops = false;
  for (auto i : by_rank_)
    for (auto s : Successors(node(i)))
      if (rank(s) <= rank(i)) loops = facts_[s].is_header = true;
  const bool handlers = std::any_of(by_rank_.begin(), by_rank_.end(), [&](auto i) { return node(i).is_handler; });
  std::set<std::uint32_t> names;
  if (handlers) names = exception_names_of(code, by_rank_);
  for (auto i : by_rank_)
    if (node(i).is_handler) facts_[i].kind = kind_of(code, i, names);
  for (auto i : by_rank_)
    if (node(i).handler.block.valid()) facts_[i].handler = handler_of(i);
  preds_.assign(loops ? n : 0, {});
  protected_.assign(loops ? n : 0, {});
  for (std::size_t r = 0; loops && r < by_rank_.size(); ++r) {
    const auto i = by_rank_[r];
    auto next = Successors(node(i));
    next.push_back(code.protector(i));
    for (auto s : next) preds_[s].push_back(i);
    if (handler(i) != kNone) protected_[handler(i)].push_back(i);
  }
  for (auto i : by_rank_)  // a successor of a handler may come before it, in a loop around both
    if (handlers && is_header(i)) facts_[i].is_header = is_on_cycle(i);
  for (auto i : by_rank_) facts_[i].outer = node(i).is_handler ? outer_of(i) : handler(i);
}

void Regions::sort(std::vector<std::uint32_t>& nodes) const {
  std::sort(nodes.begin(), nodes.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
}

std::vector<std::uint32_t> Regions::in_order(const NodeSet& nodes) const {
  std::vector<std::uint32_t> out(nodes.nodes().begin(), nodes.nodes().end());
  sort(out);
  return out;
}

std::uint32_t Regions::handler_of(std::uint32_t n) const {
  std::uint32_t at = n;
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    at = code.protector(at);
    if (at == kNone || kind(at) != HandlerKind::kCleanup) return at;
  }
  return kNone;
}

// A finally body may begin with a try statement, up to 3.10 without an instruction between; the handler of that
// statement keeps the exception on the stack.
std::uint32_t Regions::outer_of(std::uint32_t handler) const {
  auto at = handler;
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    const auto& h = node(at).handler;
    const auto next = facts_[at].handler;
    if (!code.unit.dialect.block_stack || next == kNone || !h.block.valid()) return next;
    if (h.depth < node(handler).entry.size()) return next;
    at = next;
  }
  return kNone;
}

bool Regions::inside(std::uint32_t handler, std::uint32_t outer) const {
  if (outer == kNone) return true;
  for (std::size_t i = 0; handler != kNone && i < facts_.size(); ++i) {
    if (handler == outer) return true;
    handler = facts_[handler].outer;
  }
  return false;
}

// Returns the handler around the given one, or this itself, that is directly in `outer`. A handler that protects itself
// has none.
std::uint32_t Regions::child(std::uint32_t handler, std::uint32_t outer) const {
  for (std::size_t i = 0; handler != kNone && facts_[handler].outer != outer && i < facts_.size(); ++i)
    handler = facts_[handler].outer;
  return handler;
}

std::size_t Regions::handler_depth(std::uint32_t handler) const {
  const std::size_t size = node(handler).entry.size(), pushed = code.unit.dialect.handler_pushes_six ? 6 : 1;
  return size >= pushed ? size - pushed : 0;
}

// Returns the nodes reachable from `from` within the range of `handler`.
NodeSet Regions::range_nodes(std::uint32_t from, std::uint32_t handler) const {
  auto in = no_nodes();
  in.add(from);
  in.grow([&](std::uint32_t i) {
    auto next = Successors(node(i));
    if (const auto own = facts_[i].handler; own != handler) next.push_back(own);
    for (auto s : next)
      if (inside(facts_[s].handler, handler)) in.add(s);
  });
  return in;
}

// Returns the nodes reachable from a handler while the exception that it handles is on the stack.
NodeSet Regions::handler_nodes(std::uint32_t handler) const {
  const auto depth = handler_depth(handler);
  auto in = no_nodes();
  in.add(handler);
  in.grow([&](std::uint32_t i) {
    auto next = Successors(node(i));
    if (const auto own = facts_[i].handler; own != outer(handler) && own != handler) next.push_back(own);
    for (auto s : next) {
      const auto& e = node(s).entry;
      if (e.size() > depth && e[depth].kind == ValueKind::kExc) in.add(s);
    }
  });
  return in;
}

// Returns the nodes of the natural loop: those from which a back edge to the header is reachable without passing the
// header.
NodeSet Regions::loop_nodes(std::uint32_t header) const {
  auto in = no_nodes();
  in.add(header);
  in.grow([&](std::uint32_t i) {
    for (auto p : preds_[i])
      if (rank(p) >= rank(header)) in.add(p);
  });
  return in;
}

// Returns whether a path leads from the node back to it without passing a node before it in code order.
bool Regions::is_on_cycle(std::uint32_t n) const {
  const auto in = loop_nodes(n);
  auto next = Successors(node(n));
  next.push_back(code.protector(n));
  return std::any_of(next.begin(), next.end(), [&](auto s) { return in[s]; });
}

// Returns whether only a part of the loop is protected by the handler around its first node. Then the loop is around
// the statement: `while True: try: ...`.
bool Regions::loop_leaves_range(std::uint32_t header, std::uint32_t handler) const {
  const auto in = loop_nodes(header);
  const auto outermost = child(facts_[header].handler, handler);
  return std::any_of(in.nodes().begin(), in.nodes().end(),
                     [&](auto i) { return !inside(facts_[i].handler, outermost); });
}

std::vector<std::uint32_t> exits_of(const Regions& regions, const NodeSet& region, const Loop* loop) {
  std::vector<std::uint32_t> out;
  for (auto i : regions.in_order(region))
    for (auto s : Successors(regions.node(i)))
      if (!region[s] && (!only_reraises(regions.node(s)) || (loop != nullptr && loop->has_edge_to(s))) &&
          std::find(out.begin(), out.end(), s) == out.end())
        out.push_back(s);
  return out;
}

NodeSet forward_reachable(const Regions& regions, std::uint32_t n, std::uint32_t handler) {
  auto seen = regions.no_nodes();
  seen.add(n);
  seen.grow([&](std::uint32_t i) { each_forward(regions, i, handler, [&](auto s) { seen.add(s); }); });
  return seen;
}

bool leads_to(const Regions& regions, std::uint32_t n, std::uint32_t target, std::uint32_t handler) {
  const auto comes_after = [&](std::uint32_t a, std::uint32_t b) { return regions.rank(a) > regions.rank(b); };
  auto seen = regions.no_nodes();
  std::vector<std::uint32_t> todo{n};  // a heap
  seen.add(n);
  while (!todo.empty() && !seen[target]) {
    std::ranges::pop_heap(todo, comes_after);
    const auto i = todo.back();
    todo.pop_back();
    each_forward(regions, i, handler, [&](auto s) {
      if (!seen.add(s)) return;
      todo.push_back(s);
      std::ranges::push_heap(todo, comes_after);
    });
  }
  return seen[target];
}

}  // namespace depyf::structure
