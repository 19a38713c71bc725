// SPDX-License-Identifier: MIT
// Builds the lifted graph: lifts each block once on the entry stack that its predecessors leave.
//
// An ordinary value on the stack at block entry is the variable of its stack slot; iterators, context managers and
// exceptions keep their role. Blocks are split after the exit of a context manager, after POP_EXCEPT, before FOR_ITER
// and where the iterator of a loop is popped, so that the code after these points is a node of its own.
#include "structure/graph.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ast/walk.h"
#include "cfg/shapes.h"

namespace depyf::structure {

namespace {

class Builder {
 public:
  Builder(lift::Unit& unit, lift::Lifter& lifter, const Cfg& cfg, const CasePatterns& cases,
          const deopt::OwnReturns& returns)
      : unit_(unit), lifter_(lifter), cfg_(cfg), cases_(cases), returns_(returns) {}

  Result<Graph> run() {
    const auto n = cfg_.blocks.size();
    g_.of_block.assign(n, kNone);
    g_.code.reserve(n);
    g_.nodes.reserve(n + n / 4 + 1);  // some blocks are split
    for (std::uint32_t i = 0; i < n; ++i) g_.code.push_back(cfg_.blocks[BlockId{i}].code);
    if (unit_.dialect.copies_tested_value) absorb_drops();
    find_unchanged_parameters();
    todo_.reserve(4);
    todo_.emplace_back(0, Entries(lifter_.slots));
    DEPYF_CHECK(visit_all());
    while (cfg_.keeps_phantoms && add_phantom_edge()) DEPYF_CHECK(visit_all());
    for (auto& node : g_.nodes) {
      if (node.t != kNone && (node.t & kPending) != 0) node.t = g_.of_block[node.t & ~kPending];
      if (node.f != kNone && (node.f & kPending) != 0) node.f = g_.of_block[node.f & ~kPending];
      if (node.phantom != kNone) node.phantom = g_.of_block[node.phantom];
    }
    if (unit_.dialect.inlines_comprehensions) place_handlers(g_);
    place_handler_exits(unit_, g_);
    count_preds(g_);
    return std::move(g_);
  }

 private:
  static constexpr std::uint32_t kPending = 0x80000000;  // flag of an edge to a block that is not yet a node

  // Lifts all blocks that have been scheduled. Returns an error if two predecessors leave entries of different roles.
  Status visit_all() {
    while (!todo_.empty()) {
      auto [block, entry] = std::move(todo_.back());
      todo_.pop_back();
      if (g_.of_block[block] != kNone) {
        if (!g_.nodes[g_.of_block[block]].entry.agrees_with(entry))
          return Error{Errc::kInternal, g_.nodes[g_.of_block[block]].order, "entries of several roles meet"};
        continue;
      }
      DEPYF_CHECK(visit(block, entry));
    }
    return depyf::Unit{};
  }

  // Makes unreachable code the successor of the reraise that it follows, the last such code first; also a loop that no
  // other edge leads back to. Returns whether there was any.
  bool add_phantom_edge() {
    for (; seen_nodes_ < g_.nodes.size(); ++seen_nodes_) {
      const Node& n = g_.nodes[seen_nodes_];
      if (n.phantom != kNone && n.t == kNone && n.state.end == EndKind::kReturn)
        reraises_.emplace(n.order, ~seen_nodes_);
    }
    for (; !reraises_.empty(); reraises_.erase(std::prev(reraises_.end()))) {
      const auto last = ~reraises_.rbegin()->second;
      Node& n = g_.nodes[last];
      if (g_.of_block[n.phantom] != kNone && !unreached_.contains(n.phantom) && !is_only_back_edge(last)) {
        reached_[n.phantom].push_back(*reraises_.rbegin());
        continue;
      }
      n.t = n.phantom | kPending;
      unreached_.insert(n.phantom);
      const auto depth = std::min<std::size_t>(cfg_.blocks[BlockId{n.phantom}].entry_depth, n.entry.size());
      todo_.emplace_back(n.phantom, n.entry).second.cut(depth);
      reraises_.erase(std::prev(reraises_.end()));
      const auto others = std::exchange(reached_[n.phantom], {});
      reraises_.insert(others.begin(), others.end());
      return true;
    }
    return false;
  }

  bool is_only_back_edge(std::uint32_t from) {
    const auto to = g_.nodes[from].phantom;
    const auto header = cfg_.blocks[BlockId{to}].first_index;
    if (header * 4 > g_.nodes[from].order) return false;
    if (edges_end_.empty()) {
      edges_end_.resize(cfg_.blocks.size());
      for (std::uint32_t i = 0; i < cfg_.blocks.size(); ++i) {
        const auto& b = cfg_.blocks[BlockId{i}];
        for (const BlockId next : {b.fall, b.jump})
          if (next.valid()) edges_end_[next.n] = std::max(edges_end_[next.n], b.first_index + 1);
      }
    }
    return edges_end_[to] <= header;
  }

  // 3.12+: `a and b or c` tests a copy of each value. If all predecessors of a block end in such tests and it begins
  // with the POP_TOP of the value, the edges drop the value instead.
  void absorb_drops() {
    const auto n = static_cast<std::uint32_t>(cfg_.blocks.size());
    struct Edges {
      std::uint32_t all = 0, from_tests = 0;
    };
    SmallVector<Edges, 32> into(n);
    bool has_copy_test = false;
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto& b = cfg_.blocks[BlockId{i}];
      const bool is_copy_test =
          b.fall.valid() && b.jump.valid() && b.fall != b.jump && test_of_copy(b.code) < b.code.size();
      has_copy_test = has_copy_test || is_copy_test;
      for (const BlockId to : {b.fall, b.jump}) {
        if (!to.valid()) continue;
        ++into[to.n].all;
        if (is_copy_test) ++into[to.n].from_tests;
      }
    }
    if (!has_copy_test) return;
    drops_.assign(n, false);
    for (std::uint32_t i = 1; i < n; ++i) {
      Line& code = g_.code[i];
      const auto& edges = into[i];
      if (edges.from_tests == 0 || edges.from_tests != edges.all || cfg_.blocks[BlockId{i}].is_handler) continue;
      if (code.empty() || code.front().op != Op::POP_TOP) continue;
      code = code.subspan(1);
      drops_[i] = true;
    }
  }

  // Collects the parameters that are never rebound: lifting need not spill them.
  void find_unchanged_parameters() {
    const auto& co = lifter_.co;
    const auto parameters = co.argcount + co.kwonlyargcount;
    if (parameters == 0 || (co.flags & kCoOptimized) == 0) return;
    SmallVector<bool, 64> changed(local_names(co).size(), false);
    for (const auto& code : g_.code)
      for (const auto& i : code)
        if ((i.op == Op::STORE_FAST || i.op == Op::DELETE_FAST || i.op == Op::LOAD_FAST_AND_CLEAR) &&
            i.arg < changed.size())
          changed[i.arg] = true;
    for (std::uint32_t i = 0; i < parameters && i < changed.size(); ++i) {
      const bool cell = i < co.localspluskinds.size()
                            ? (co.localspluskinds[i] & 0xC0U) != 0
                            : std::find(co.cellvars.begin(), co.cellvars.end(), co.varnames[i]) != co.cellvars.end();
      if (!changed[i] && !cell) lifter_.steady.push_back(lifter_.locals[i]);
    }
    std::sort(lifter_.steady.begin(), lifter_.steady.end());
  }

  // Schedules the block `to` with these entries on its stack, and `pushed` above them if it is not null. Returns the
  // edge.
  std::uint32_t edge(BlockId to, const Entries& entries, const Value* pushed = nullptr) {
    Entries& entry = todo_.emplace_back(to.n, entries).second;
    if (pushed != nullptr) entry.push(*pushed);
    return to.n | kPending;
  }

  // Starts a line on the stack `entry`. Until the line ends in a test, its first instruction identifies it.
  void begin(const Entries& entry, Line code, std::size_t at) {
    line_.restart(entry);
    if (at < code.size()) line_.end_offset = code[at].offset;
  }

  // Schedules the handler of a block with these entries on its stack, unless the last block led there with the same.
  void enter_handler(const Handler& handler, Entries entry) {
    entry.cut(std::min<std::size_t>(handler.depth, entry.size()));
    if (handler == last_handler_ && entry == last_protected_) return;
    last_handler_ = handler;
    last_protected_ = entry;
    Value exc;
    exc.kind = ValueKind::kExc;
    const auto n = unit_.dialect.handler_pushes_six ? 6U : (handler.lasti ? 2U : 1U);
    for (std::uint32_t i = 0; i < n; ++i) entry.push(exc);
    todo_.emplace_back(handler.block.n, entry);
  }

  // Lifts a block into one node or, where it is split, several.
  Status visit(std::uint32_t block, Entries entry) {
    const auto& b = cfg_.blocks[BlockId{block}];
    const auto code = g_.code[block];
    if (b.handler.block.valid()) enter_handler(b.handler, entry);
    std::size_t at = 0;
    std::uint32_t index = kNone;
    do {
      const auto node_index = static_cast<std::uint32_t>(g_.nodes.size());
      Node& node = g_.nodes.emplace_back();
      node.entry = entry;
      node.alive = true;
      node.handler = b.handler;
      node.order = b.first_index * 4 + (at > 0 ? 1 : 0);
      node.is_handler = b.is_handler && at == 0;
      begin(entry, code, at);
      auto end = split_index(code, at, entry);
      Piece p;
      p.block = block;
      p.first = static_cast<std::uint32_t>(at);
      p.last = static_cast<std::uint32_t>(end);
      if (const auto it = cases_.find(block); it != cases_.end()) {
        p.kind = Piece::Kind::kCase;
        p.test = it->second;
        DEPYF_CHECK(lifter_.test_case(line_, p.test.pattern, p.test.keeps_subject));
      } else {
        p.has_source_return = end == code.size() && returns_.contains(block);
        DEPYF_CHECK(p.has_source_return ? replay(unit_, lifter_, g_, {p}, line_) : lifter_.run(line_, code, at, end));
        if (const auto left = after_loop(line_, code, at, end); left < end) {
          end = left;
          p.last = static_cast<std::uint32_t>(end);
          begin(entry, code, at);
          DEPYF_CHECK(lifter_.run(line_, code, at, end));
        }
      }
      node.state.take(line_);
      node.pieces.push_back(p);
      for (const auto& v : node.state.stack)
        if (v.kind == ValueKind::kModule || v.kind == ValueKind::kImportAttr)
          return Error{Errc::kInternal, p.first, "an import spans blocks"};
      if (index == kNone)
        g_.of_block[block] = node_index;
      else
        g_.nodes[index].t = node_index;
      index = node_index;
      at = end;
      if (at < code.size()) entry = node.state.stack.entries();
    } while (at < code.size());
    return add_edges(index, b);
  }

  // Returns the index after the first instruction of the line that leaves a for loop, or `end`.
  static std::size_t after_loop(const State& s, Line code, std::size_t at, std::size_t end) {
    for (const auto& x : s.stmts) {
      if (x.kind != LKind::kLoopExit) continue;
      while (at < end && code[at].offset != x.offset) ++at;
      return at + 1;
    }
    return end;
  }

  // Returns where the line that starts at `at` is split: after POP_EXCEPT, after the call of a context manager's exit,
  // before FOR_ITER (the target of a back edge, unless the body never reaches its end).
  [[nodiscard]] std::size_t split_index(Line code, std::size_t at, const Entries& entry) const {
    const bool manager = entry.has(ValueKind::kWithExit);
    for (std::size_t i = at; i + 1 < code.size(); ++i) {
      if (code[i + 1].op == Op::FOR_ITER) return i + 1;
      if (code[i].op == Op::POP_EXCEPT) {
        const auto end = clears_name(code, i + 1) ? i + 4 : i + 1;
        const bool passes_on = i > 0 && code[i - 1].op == Op::COPY;  // COPY 3; POP_EXCEPT; RERAISE 1: around a handler
        if (end < code.size() && !passes_on) return end;
      }
      if (manager && calls_exit(unit_.code, lifter_.co, code, i)) {
        std::size_t j = i + 1;
        // An asynchronous exit is awaited: GET_AWAITABLE ... YIELD_FROM.
        while (j < code.size() && code[j].op != Op::POP_TOP) ++j;
        if (j + 1 < code.size()) return j + 1;
      }
    }
    return code.size();
  }
  // Adds the edges of the block's last node.
  Status add_edges(std::uint32_t index, const BasicBlock& b) {
    Node& node = g_.nodes[index];
    node.has_phantom = b.has_phantom;
    if (b.phantom.valid()) node.phantom = b.phantom.n;
    const Entries stack = node.state.stack.entries();
    switch (node.state.end) {
      case EndKind::kReturn: return depyf::Unit{};
      case EndKind::kFall:
        if (b.jump.valid()) return Error{Errc::kInternal, node.order, "a jump that is no test"};
        if (b.fall.valid()) node.t = edge(b.fall, stack);
        return depyf::Unit{};
      case EndKind::kCase:
        node.inverted = b.inverted;
        node.t = edge(b.fall, stack);
        if (b.jump.valid()) node.f = edge(b.jump, stack);
        return depyf::Unit{};
      case EndKind::kFor: {
        const bool is_kept = (b.code.back().flags & kIterKept) != 0;
        Value null, item;
        null.kind = ValueKind::kNull;
        item.kind = ValueKind::kForItem;
        Entries outside = stack;
        if (!is_kept) outside.cut(stack.size() - 1);
        node.f = edge(b.jump, outside, is_kept ? &null : nullptr);
        node.t = edge(b.fall, stack, &item);
        return depyf::Unit{};
      }
      case EndKind::kBranch:
      case EndKind::kExcBranch: {
        const auto op = b.code.back().op;
        const bool jump_is_true =
            op == Op::POP_JUMP_IF_TRUE || op == Op::POP_JUMP_IF_NONE || op == Op::JUMP_IF_TRUE_OR_POP;
        auto& keep_fall = jump_is_true ? node.state.keep_false : node.state.keep_true;
        auto& keep_jump = jump_is_true ? node.state.keep_true : node.state.keep_false;
        node.inverted = b.inverted;
        node.falls_true = !jump_is_true;
        node.is_threaded = b.code.back().flags == kThreaded;
        if ((drops(b.fall) && !keep_fall) || (drops(b.jump) && !keep_jump))
          return Error{Errc::kInternal, node.order, "a test of a copy that is none"};
        keep_fall = keep_fall && !drops(b.fall);
        keep_jump = keep_jump && !drops(b.jump);
        node.pieces.back().keep_true = node.state.keep_true;
        node.pieces.back().keep_false = node.state.keep_false;
        const auto test_edge = [&](BlockId to, bool is_kept) {
          const Value has_copy_test;
          return edge(to, stack, is_kept ? &has_copy_test : nullptr);
        };
        const auto jump = test_edge(b.jump, keep_jump);
        const auto fall = test_edge(b.fall, keep_fall);
        node.t = jump_is_true ? jump : fall;
        node.f = jump_is_true ? fall : jump;
        return depyf::Unit{};
      }
    }
    return depyf::Unit{};
  }

  lift::Unit& unit_;
  lift::Lifter& lifter_;
  const Cfg& cfg_;
  const CasePatterns& cases_;
  const deopt::OwnReturns& returns_;
  Graph g_;
  State line_;  // the line that is being lifted
  Handler last_handler_;
  Entries last_protected_;  // the entries below the exception when last_handler_ was scheduled
  [[nodiscard]] bool drops(BlockId b) const { return !drops_.empty() && drops_[b.n]; }

  SmallVector<bool, 64> drops_;  // blocks whose first POP_TOP the edges absorbed; empty: none
  std::vector<std::pair<std::uint32_t, Entries>> todo_;
  std::set<std::uint32_t> unreached_;  // blocks that only a reraise leads to
  // Nodes that reraise before unreachable code or, in `reached_`, before code that was reached: order and ~index.
  std::set<std::pair<std::uint32_t, std::uint32_t>> reraises_;
  std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> reached_;  // by block
  std::uint32_t seen_nodes_ = 0;                                                           // all nodes before are known
  std::vector<std::uint32_t> edges_end_;  // by block: one more than the last index from which an edge leads to it
};

}  // namespace

Result<Graph> build_graph(lift::Unit& unit, lift::Lifter& lifter, const Cfg& cfg, const CasePatterns& cases,
                          const deopt::OwnReturns& returns) {
  return Builder(unit, lifter, cfg, cases, returns).run();
}

Status check_lines(const lift::Unit& unit, const Graph& graph) {
  for (const auto& n : graph.nodes) {
    if (!n.alive) continue;
    if (!n.state.refusal.empty()) return Error{Errc::kInternal, n.order, std::string(n.state.refusal)};
    if (n.state.end == EndKind::kReturn) continue;
    for (const auto& v : n.state.stack) {
      const bool slice = v.kind == ValueKind::kExpr && lift::is_index_only(unit.ast, v.expr);
      if (slice || (v.kind != ValueKind::kExpr && !has_role(v)))
        return Error{Errc::kInternal, n.order, "a value that is kept over a branch"};
    }
  }
  return depyf::Unit{};
}

namespace {

// Returns whether the expression contains one of the slots.
bool mentions(const lift::Unit& unit, ExprId in, const ast::ExprIds& slots) {
  bool found = false;
  ast::Visitor visitor;
  visitor.expr = [&](ExprId e) { return !(found = found || std::ranges::find(slots, e) != slots.end()); };
  if (in.valid() && !slots.empty()) ast::walk(unit.ast, in, visitor);
  return found;
}

// Adds the store of a slot at the end of the line, before a statement that leaves a protected range.
void store_slot(lift::Unit& unit, State& state, ExprId slot, ExprId value) {
  const auto origin = unit.ast.exprs[value].origin;
  const LStmt s{.stmt = unit.ast.stmt(ast::Assign{{slot}, value}, origin), .offset = origin.offset};
  if (state.leave_at >= state.stmts.size()) return state.stmts.push_back(s);
  state.stmts.insert(state.stmts.begin() + static_cast<std::ptrdiff_t>(state.leave_at), s);
  ++state.leave_at;
}

}  // namespace

// Stores the values in order of evaluation, in one tuple assignment if a value or the test reads a slot that an earlier
// store overwrites.
Status store_slots(lift::Unit& unit, lift::Lifter& lifter, Graph& graph) {
  struct Stored {
    std::uint32_t depth, seq;
    ExprId value;
  };
  for (auto& n : graph.nodes) {
    if (!n.alive || n.state.end == EndKind::kReturn) continue;
    SmallVector<Stored, 4> all;
    const Value* deferred = nullptr;
    auto d = static_cast<std::uint32_t>(n.state.stack.below().size());
    for (const auto& v : n.state.stack) {
      const auto depth = d++;
      if (v.deferred) deferred = &v;
      if (has_role(v) || (v.kind == ValueKind::kExpr && lifter.is_slot(v.expr, depth))) continue;
      if (v.kind != ValueKind::kExpr)
        return Error{Errc::kInternal, n.order, "a value that crosses an edge is no expression"};
      lifter.shared.note_use(v.expr);
      all.push_back({depth, v.seq, v.expr});
    }
    if (all.empty()) continue;
    const auto before = [](const Stored& a, const Stored& b) { return a.seq < b.seq; };
    if (!std::is_sorted(all.begin(), all.end(), before)) std::stable_sort(all.begin(), all.end(), before);
    bool in_tuple = false;
    ast::ExprIds overwritten, targets, values;
    for (const auto& s : all) {
      in_tuple = in_tuple || mentions(unit, s.value, overwritten);
      targets.push_back(lifter.slot(s.depth));
      values.push_back(s.value);
      if (s.depth < n.entry.size()) overwritten.push_back(targets.back());
    }
    const bool is_tested = mentions(unit, n.state.cond, overwritten);
    const bool is_deferred_overwritten =
        deferred != nullptr && (deferred->seq < all.back().seq || mentions(unit, deferred->expr, overwritten));
    if (is_deferred_overwritten || (is_tested && n.state.end != EndKind::kBranch))
      return Error{Errc::kInternal, n.order, "a value that was overwritten"};
    if (is_tested) {
      targets.push_back(unit.ast.expr(ast::Name{unit.fresh_temp()}, unit.ast.exprs[n.state.cond].origin));
      values.push_back(std::exchange(n.state.cond, targets.back()));
    }
    if (in_tuple || is_tested)
      store_slot(unit, n.state, unit.ast.expr(ast::Tuple{targets}),
                 unit.ast.expr(ast::Tuple{values}, unit.ast.exprs[values[0]].origin));
    else
      for (std::size_t i = 0; i < all.size(); ++i) store_slot(unit, n.state, targets[i], values[i]);
  }
  return depyf::Unit{};
}

NodeIds in_code_order(const Graph& graph, Nodes which) {
  NodeIds out;
  out.reserve(graph.nodes.size());
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i)
    if (which == Nodes::kAll || graph.nodes[i].alive) out.push_back(i);
  const auto before = [&](auto a, auto b) { return graph.nodes[a].order < graph.nodes[b].order; };
  if (!std::is_sorted(out.begin(), out.end(), before)) std::stable_sort(out.begin(), out.end(), before);
  return out;
}

void count_preds(Graph& graph) {
  if (graph.nodes.empty()) return;
  for (auto& n : graph.nodes) {
    n.preds = 0;
    n.alive = false;
  }
  SmallVector<std::uint32_t, 32> todo;
  const auto reach = [&](std::uint32_t m) {
    ++graph.nodes[m].preds;
    if (graph.nodes[m].alive) return;
    graph.nodes[m].alive = true;
    todo.push_back(m);
  };
  reach(0);
  while (!todo.empty()) {
    const auto i = todo.back();
    todo.pop_back();
    const auto& n = graph.nodes[i];
    for (auto s : {n.t, n.f})
      if (s != kNone) reach(s);
    if (n.handler.block.valid() && graph.of_block[n.handler.block.n] != kNone) reach(graph.of_block[n.handler.block.n]);
  }
}

// Skips nodes that do nothing, except a NOP that shows that a loop begins outside of the protected range at its start,
// or outside of another loop that begins there.
void thread_empty(Graph& g) {
  SmallVector<bool, 64> is_back_target(g.nodes.size(), false);
  for (const auto& n : g.nodes)
    for (const auto to : {n.t, n.f})
      if (n.alive && to != kNone && g.nodes[to].order <= n.order) is_back_target[to] = true;
  const auto begins_loop = [&](std::uint32_t i) {
    const Node& n = g.nodes[i];
    return n.pieces.size() == 1 && n.pieces[0].kind == Piece::Kind::kCode &&
           n.pieces[0].last == n.pieces[0].first + 1 && g.code[n.pieces[0].block][n.pieces[0].first].op == Op::NOP &&
           (!(n.handler == g.nodes[n.t].handler) || (is_back_target[i] && is_back_target[n.t]));
  };
  const auto through = [&](std::uint32_t n) {
    for (int i = 0; n != kNone && i < 64; ++i) {
      const auto& x = g.nodes[n];
      if (!x.state.stmts.empty() || x.state.end != EndKind::kFall || x.t == kNone || x.t == n || x.is_handler ||
          x.state.stack.size() > x.entry.size() || !x.state.refusal.empty() || begins_loop(n))
        break;
      n = x.t;
    }
    return n;
  };
  for (auto& n : g.nodes) {
    // The body of a with statement may be empty; then only its handler tells where the body is.
    const bool enters = !n.state.stmts.empty() && n.state.stmts.back().kind == LKind::kWithEnter;
    if (!enters) n.t = through(n.t);
    n.f = through(n.f);
  }
  count_preds(g);
}

}  // namespace depyf::structure
