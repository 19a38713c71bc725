// SPDX-License-Identifier: MIT
// The walk, and the facts about the graph that the rules share.
#include "structure/stmt/structurer.h"

#include <algorithm>
#include <utility>

#include "ast/walk.h"

namespace depyf::structure {

Structurer::Structurer(lift::Unit& unit, lift::Lifter& lifter, Graph& graph, TailDuplication duplication)
    : unit_(unit), lifter_(lifter), g_(graph), duplication_(duplication) {
  spare_.size = graph.nodes.size();
  find_breaks();
}

// Facts about the graph as it is now; nothing is written yet.
void Structurer::prepare() {
  count_preds(g_);
  const auto n = g_.nodes.size();
  if (spare_.size != n) spare_ = {n, {}};
  by_rank_ = in_code_order(g_, Nodes::kAlive);
  reach_.clear();
  iterated_.clear();
  unreached_.clear();
  in_finally_ = 0;
  at_.assign(n, {});
  for (std::uint32_t i = 0; i < by_rank_.size(); ++i) at_[by_rank_[i]].rank = i;
  bool loops = false;
  for (auto i : by_rank_)
    for (auto s : successors(i))
      if (at_[s].rank <= at_[i].rank) loops = at_[s].is_header = true;
  const bool handlers = std::any_of(by_rank_.begin(), by_rank_.end(), [&](auto i) { return g_.nodes[i].is_handler; });
  exception_names_.clear();
  if (handlers) exception_names_ = names_of_exceptions();
  for (auto i : by_rank_)
    if (g_.nodes[i].is_handler) at_[i].kind = kind_of(i);
  for (auto i : by_rank_)
    if (g_.nodes[i].handler.block.valid()) at_[i].effective = handler_of(i);
  preds_.assign(loops ? n : 0, {});
  protected_.assign(loops ? n : 0, {});
  for (std::size_t r = 0; loops && r < by_rank_.size(); ++r) {
    const auto i = by_rank_[r];
    for (auto s : successors(i)) preds_[s].push_back(i);
    const auto& h = g_.nodes[i].handler;
    if (h.block.valid()) preds_[g_.of_block[h.block.n]].push_back(i);
    if (at_[i].effective != kNone) protected_[at_[i].effective].push_back(i);
  }
  for (auto i : by_rank_)  // what a handler leads to may come before it, in a loop around both
    if (handlers && at_[i].is_header) at_[i].is_header = is_on_cycle(i);
  for (auto i : by_rank_) at_[i].outer = g_.nodes[i].is_handler ? outer_of(i) : at_[i].effective;
  budget_ = 64 + 16 * static_cast<std::uint64_t>(by_rank_.size());
  duplicates_left_ = 0;
  if (duplication_ == TailDuplication::kAll)
    for (auto i : by_rank_) duplicates_left_ += 1 + g_.nodes[i].state.stmts.size();
}

// Whether a path leads from the node back to it without passing what comes before it.
bool Structurer::is_on_cycle(std::uint32_t n) const {
  const auto in = loop_nodes(n);
  for (const auto s : successors(n))
    if (in[s]) return true;
  const auto& handler = g_.nodes[n].handler.block;
  return handler.valid() && in[g_.of_block[handler.n]];
}

Successors Structurer::successors(std::uint32_t n) const {
  Successors out;
  if (g_.nodes[n].t != kNone) out.push_back(g_.nodes[n].t);
  if (g_.nodes[n].f != kNone && g_.nodes[n].f != g_.nodes[n].t) out.push_back(g_.nodes[n].f);
  return out;
}

std::vector<std::uint32_t> Structurer::in_order(const NodeSet& nodes) const {
  std::vector<std::uint32_t> out(nodes.nodes().begin(), nodes.nodes().end());
  std::sort(out.begin(), out.end(), [&](auto a, auto b) { return at_[a].rank < at_[b].rank; });
  return out;
}

ast::StmtId Structurer::make(ast::StmtNode node, std::uint32_t n) {
  const auto code = unit_.ast.exprs[lifter_.slot(0)].origin.code;
  return unit_.ast.stmt(std::move(node), {code, g_.nodes[n].state.end_offset});
}

// Some clause is `except E as name`.
std::set<std::uint32_t> Structurer::names_of_exceptions() const {
  std::set<std::uint32_t> names;
  for (const auto i : by_rank_)
    for (const auto& s : g_.nodes[i].state.stmts) {
      if (s.kind != LKind::kExcStore) continue;
      if (const auto* target = std::get_if<ast::Name>(&unit_.ast.exprs[s.expr].node)) names.insert(target->id.n);
    }
  return names;
}

HandlerKind Structurer::kind_of(std::uint32_t handler) const {
  const Node& n = g_.nodes[handler];
  const auto& s = n.state.stmts;
  const Line code = n.pieces.empty() ? Line{} : Line{g_.code[n.pieces[0].block]};
  const std::size_t at = !code.empty() && code[0].op == Op::PUSH_EXC_INFO ? 1 : 0;
  if (n.state.end == EndKind::kBranch && !n.state.cond.valid()) return HandlerKind::kWith;
  if (n.state.end == EndKind::kReturn && !s.empty() && s.back().kind == LKind::kReraise) {
    // COPY 3; POP_EXCEPT; RERAISE 1, or e = None; del e; RERAISE
    if (s.size() == 2 && s[0].kind == LKind::kPopExcept) return HandlerKind::kCleanup;
    if (const auto name = dropped_name(s, 0);
        s.size() == 3 && name.valid() && n.pieces.size() == 1 && at == 0 && exception_names_.contains(name.n))
      return HandlerKind::kCleanup;
    if (s.size() == 2 && s[0].kind == LKind::kRestore) return HandlerKind::kCleanup;
  }
  if (n.state.end == EndKind::kExcBranch) return HandlerKind::kExcept;
  // bare `except:` drops the exception at once
  if (at < code.size() && code[at].op == Op::POP_TOP && code[at].flags != kAbruptExit) return HandlerKind::kExcept;
  // except E: where E takes several nodes (a conditional expression, say) is not known here
  return HandlerKind::kFinally;
}

std::uint32_t Structurer::handler_of(std::uint32_t n) const {
  std::uint32_t at = n;
  for (std::size_t i = 0; i < g_.nodes.size(); ++i) {
    const auto& h = g_.nodes[at].handler;
    if (!h.block.valid()) return kNone;
    const auto node = g_.of_block[h.block.n];
    if (node == kNone) return kNone;
    if (at_[node].kind != HandlerKind::kCleanup) return node;
    at = node;
  }
  return kNone;
}

// A finally body may begin with a try statement (up to 3.10, with nothing between): its handler keeps the exception.
std::uint32_t Structurer::outer_of(std::uint32_t handler) const {
  auto at = handler;
  for (std::size_t i = 0; i < g_.nodes.size(); ++i) {
    const auto& h = g_.nodes[at].handler;
    const auto next = at_[at].effective;
    if (!unit_.dialect.block_stack || next == kNone || !h.block.valid()) return next;
    if (h.depth < g_.nodes[handler].entry.size()) return next;
    at = next;
  }
  return kNone;
}

bool Structurer::inside(std::uint32_t handler, std::uint32_t outer) const {
  if (outer == kNone) return true;
  for (std::size_t i = 0; handler != kNone && i < g_.nodes.size(); ++i) {
    if (handler == outer) return true;
    handler = at_[handler].outer;
  }
  return false;
}

bool Structurer::is_stop(std::uint32_t n, const Context& ctx) const {
  return n == ctx.follow || (ctx.loop != nullptr && (n == ctx.loop->header || n == ctx.loop->brk));
}

// Nodes that n leads to along forward edges (exceptional ones too), in code order.
const std::vector<std::uint32_t>& Structurer::reach(std::uint32_t n) {
  auto [it, fresh] = reach_.try_emplace(n);
  if (!fresh) return it->second;
  NodeSet seen(spare_);
  std::vector<std::uint32_t> todo{n}, out;
  seen.add(n);
  while (!todo.empty()) {
    const auto i = todo.back();
    todo.pop_back();
    out.push_back(i);
    auto next = successors(i);
    if (g_.nodes[i].handler.block.valid()) next.push_back(g_.of_block[g_.nodes[i].handler.block.n]);
    for (auto s : next)
      if (!(at_[s].is_header && at_[s].rank <= at_[i].rank) && seen.add(s)) todo.push_back(s);
  }
  std::sort(out.begin(), out.end(), [&](auto a, auto b) { return at_[a].rank < at_[b].rank; });
  it->second = std::move(out);
  return it->second;
}

std::uint32_t Structurer::common_follow(const std::vector<std::vector<std::uint32_t>>& groups, const Context& ctx) {
  // loop header and break target are reached by statements of their own, and hide what lies after them
  NodeSet reached(spare_), shared(spare_);  // by one group; by two of them
  std::uint32_t best = kNone;
  for (const auto& group : groups) {
    NodeSet seen(spare_);
    std::vector<std::uint32_t> todo;
    const auto add = [&](std::uint32_t s) {
      if (s == kNone) return;
      if (ctx.loop != nullptr && (s == ctx.loop->header || s == ctx.loop->brk)) return;
      if (!seen.add(s)) return;
      bool is_new = reached.add(s);
      if (!is_new) {
        if (best == kNone || at_[s].rank < at_[best].rank) best = s;
        is_new = shared.add(s);
      }
      if (is_new) todo.push_back(s);  // what a shared node leads to is shared too: twice is enough
    };
    for (auto s : group) add(s);
    while (!todo.empty()) {
      const auto i = todo.back();
      todo.pop_back();
      if (i == ctx.follow) continue;
      for (auto s : successors(i))
        if (at_[s].rank > at_[i].rank) add(s);
      if (g_.nodes[i].handler.block.valid() && inside(at_[i].effective, ctx.handler) && at_[i].effective != ctx.handler)
        add(g_.of_block[g_.nodes[i].handler.block.n]);
    }
  }
  return best;
}

bool Structurer::is_short_exit(std::uint32_t n) const {
  const auto& node = g_.nodes[n];
  return node.state.end == EndKind::kReturn && node.state.stmts.size() <= 2;
}

// Leaves constructs and says nothing: may be passed as often as the source leaves them there.
bool Structurer::is_cleanup_only(std::uint32_t n) const {
  const auto& node = g_.nodes[n];
  if (node.state.end != EndKind::kFall || node.is_handler) return false;
  const auto& s = node.state.stmts;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i].kind == LKind::kPopExcept) {
      if (dropped_name(s, i + 1).valid()) i += 2;
    } else if (s[i].kind != LKind::kWithExit && s[i].kind != LKind::kFinallyExit && s[i].kind != LKind::kLoopExit) {
      return false;
    }
  }
  return !s.empty();
}

// `e` if the statements at `at` are e = None; del e, else nothing.
ast::NameId Structurer::dropped_name(const Stmts& s, std::size_t at) const {
  if (at + 1 >= s.size() || s[at].kind != LKind::kStmt || s[at + 1].kind != LKind::kStmt) return {};
  const auto* assign = std::get_if<ast::Assign>(&unit_.ast.stmts[s[at].stmt].node);
  const auto* del = std::get_if<ast::Delete>(&unit_.ast.stmts[s[at + 1].stmt].node);
  if (assign == nullptr || del == nullptr || assign->targets.size() != 1 || del->targets.size() != 1 ||
      !is_none(assign->value))
    return {};
  const auto* x = std::get_if<ast::Name>(&unit_.ast.exprs[assign->targets[0]].node);
  const auto* y = std::get_if<ast::Name>(&unit_.ast.exprs[del->targets[0]].node);
  return x != nullptr && y != nullptr && x->id == y->id ? x->id : ast::NameId{};
}

// A loop whose first node is protected, but not all of it: the loop is outside (`while True: try: ...`).
bool Structurer::loop_leaves_range(std::uint32_t header, const Context& ctx) const {
  const auto in = loop_nodes(header);
  auto outer = at_[header].effective;
  for (std::size_t i = 0; outer != kNone && at_[outer].outer != ctx.handler && i < g_.nodes.size(); ++i)
    outer = at_[outer].outer;
  return std::any_of(in.nodes().begin(), in.nodes().end(), [&](auto i) { return !inside(at_[i].effective, outer); });
}

// Returns a constant, which cannot raise and so may be written inside a range that it has left.
bool Structurer::is_constant_return(std::uint32_t n) const {
  if (n == kNone) return false;
  const auto& node = g_.nodes[n];
  if (node.state.end != EndKind::kReturn || node.state.stmts.empty()) return false;
  for (std::size_t i = 0; i + 1 < node.state.stmts.size(); ++i) {
    const auto k = node.state.stmts[i].kind;
    if (k != LKind::kWithExit && k != LKind::kPopExcept && k != LKind::kFinallyExit && k != LKind::kLoopExit)
      return false;
  }
  const auto& last = node.state.stmts.back();
  if (last.kind == LKind::kReraise) return true;
  if (last.kind != LKind::kStmt) return false;
  const auto* r = std::get_if<ast::Return>(&unit_.ast.stmts[last.stmt].node);
  if (r == nullptr) return false;
  if (!r->value.valid() || (duplication_ == TailDuplication::kAll && unit_.is_temp(r->value)))
    return true;  // a slot that holds it
  const auto& v = unit_.ast.exprs[r->value].node;
  return std::holds_alternative<ast::ConstantExpr>(v) || std::holds_alternative<ast::NoneLiteral>(v) ||
         std::holds_alternative<ast::Verbatim>(v) || std::holds_alternative<ast::IntLiteral>(v);
}

bool Structurer::is_none(ExprId e) const {
  const auto& v = unit_.ast.exprs[e].node;
  const auto* c = std::get_if<ast::ConstantExpr>(&v);
  return std::holds_alternative<ast::NoneLiteral>(v) ||
         (c != nullptr && std::holds_alternative<ConstNone>(unit_.code.consts[c->value]));
}

bool Structurer::returns_none(std::uint32_t n) const {
  if (!is_constant_return(n) || g_.nodes[n].state.stmts.back().kind != LKind::kStmt) return false;
  const auto& r = std::get<ast::Return>(unit_.ast.stmts[g_.nodes[n].state.stmts.back().stmt].node);
  return !r.value.valid() || is_none(r.value);
}

bool Structurer::fail(std::string_view file, int line) {
  if (unit_.refusal.empty()) unit_.refusal = std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(line);
  return false;
}

// Whether every statement of the graph is in the text (law 2): what protects or reaches it may have been misread.
// Clean-up handlers of `except … as name` and of with statements have no text of their own.
bool Structurer::is_complete(const ast::Block& out) const {
  // Statements of this code object, which were made after those of all that it holds.
  auto first = static_cast<std::uint32_t>(unit_.ast.stmts.size());
  for (auto i : by_rank_)
    for (const auto& s : g_.nodes[i].state.stmts)
      if (s.kind == LKind::kStmt) first = std::min(first, s.stmt.n);
  SmallVector<std::uint8_t, 256> written(unit_.ast.stmts.size() - first);
  SmallVector<ast::StmtId, 64> todo(out.begin(), out.end());
  while (!todo.empty()) {
    const auto s = todo.back();
    todo.pop_back();
    if (s.n < first) continue;  // within a function or a class that is one of them
    written[s.n - first] = 1;
    ast::for_each_child_block(unit_.ast.stmts[s].node,
                              [&](const ast::Block& b) { todo.insert(todo.end(), b.begin(), b.end()); });
  }
  for (auto i : by_rank_) {
    const auto& n = g_.nodes[i];
    if (n.is_handler && (at_[i].kind == HandlerKind::kCleanup || at_[i].kind == HandlerKind::kWith)) continue;
    if (at_[i].is_asserted) continue;  // `assert` includes its raise
    const auto& stmts = n.state.stmts;
    for (std::size_t k = 0; k < stmts.size(); ++k) {
      if (stmts[k].kind == LKind::kPopExcept && dropped_name(stmts, k + 1).valid())
        k += 2;
      else if (stmts[k].kind == LKind::kStmt && written[stmts[k].stmt.n - first] == 0)
        return false;
    }
  }
  return true;
}

// Whether each test leads somewhere both ways: in damaged code one may not.
bool Structurer::tests_lead_on() const {
  return std::none_of(by_rank_.begin(), by_rank_.end(), [&](auto i) {
    const auto& n = g_.nodes[i];
    const auto end = n.state.end;
    return (end == EndKind::kBranch || end == EndKind::kExcBranch || end == EndKind::kFor) &&
           (n.t == kNone || n.f == kNone);
  });
}

std::optional<ast::Block> Structurer::run() {
  static constexpr int kStarts = 64;  // each but the last has found copies that are one
  bool split = false;
  for (int i = 0; i < kStarts; ++i) {
    graph_changed_ = false;
    prepare();
    if (!tests_lead_on() && !fail()) return std::nullopt;
    ast::Block out;
    if (emit(0, {}, out) && (is_complete(out) || fail())) return out;
    if (!graph_changed_ && (split || !(split = split_headers()))) return std::nullopt;
    unit_.refusal.clear();
  }
  unit_.refusal = "too many duplicated exits";
  return std::nullopt;
}

// A clause of `except*` is left where it ends only: nothing in it returns, or goes to the loop around it.
bool Structurer::exits_star_handler(std::uint32_t n, const Context& ctx) const {
  if (ctx.loop != nullptr && ctx.loop == ctx.loop_around_star && (n == ctx.loop->header || n == ctx.loop->brk))
    return true;
  const auto& s = g_.nodes[n].state;
  return s.end == EndKind::kReturn && !s.stmts.empty() && s.stmts.back().kind == LKind::kStmt &&
         std::holds_alternative<ast::Return>(unit_.ast.stmts[s.stmts.back().stmt].node);
}

// Whether the block ends where control comes to n; a jump that says so is written.
bool Structurer::end_block(std::uint32_t n, const Context& ctx, ast::Block& out, bool& ended) {
  ended = true;
  if (n == kNone) return true;
  if (budget_ == 0) return fail();
  --budget_;
  const bool start = n == ctx.start;
  if (n == ctx.follow && !start) return true;
  if (ctx.in_star && exits_star_handler(n, ctx)) return skip_cleanup(ctx.follow, ctx.loop) == n || fail();
  if (ctx.loop != nullptr && !start && (n == ctx.loop->header || n == ctx.loop->brk)) {
    out.push_back(n == ctx.loop->header ? make(ast::Continue{}, n) : make(ast::Break{}, n));
    return true;
  }
  ended = false;
  return true;
}

// Writes statements from n until the follow of the context.
bool Structurer::emit(std::uint32_t n, const Context& ctx, ast::Block& out) {
  static constexpr std::uint32_t kDeepest = 400;  // of blocks: their recursion takes stack
  if (ctx.depth > kDeepest) return fail();
  Context here = ctx;
  std::vector<OpenIf> open;  // innermost last
  std::size_t writing = 0;   // as OpenIf::in_block
  for (;;) {
    ast::Block& block = writing == 0 ? out : open[writing - 1].stmt.orelse;
    bool ended = false;
    if (!end_block(n, here, block, ended)) return fail();
    if (!ended) {
      here.start = kNone;
      here.in_else = writing > 0;
      if (!emit_node(n, here, block)) return fail();
      if (!opened_) continue;
      opened_->around = here;
      opened_->in_block = writing;
      if (opened_->follow != kNone) here.follow = opened_->follow;
      n = opened_->arm;
      open.push_back(*std::exchange(opened_, {}));
      if (open.back().guarded == 0) writing = open.size();
    } else {
      if (open.empty()) return true;
      OpenIf done = std::move(open.back());
      open.pop_back();
      here = done.around;
      n = done.follow;
      writing = done.in_block;
      close(std::move(done), writing == 0 ? out : open[writing - 1].stmt.orelse);
    }
  }
}

// The line ends in the RERAISE that a finally body ends in.
bool Structurer::ends_finally(std::uint32_t n) const {
  const auto& s = g_.nodes[n].state;
  return s.end == EndKind::kReturn && !s.stmts.empty() && s.stmts.back().kind == LKind::kReraise;
}

// What follows a statement of a finally body is nothing but its end.
bool Structurer::is_end_of_finally(std::uint32_t follow) const {
  return follow == kNone || (ends_finally(follow) && g_.nodes[follow].state.stmts.size() == 1);
}

// Whether the end of a finally body is reached from n past `follow`.
bool Structurer::exits_finally(std::uint32_t n, std::uint32_t follow) const {
  std::vector<std::uint32_t> todo{n};
  std::set<std::uint32_t> seen{follow};
  while (!todo.empty()) {
    const auto x = todo.back();
    todo.pop_back();
    if (x == kNone || !seen.insert(x).second) continue;
    if (ends_finally(x)) return true;
    todo.push_back(g_.nodes[x].t);
    todo.push_back(g_.nodes[x].f);
  }
  return false;
}

// Writes the construct that starts at n and advances n to its follow (kNone: control does not come out).
bool Structurer::emit_node(std::uint32_t& n, const Context& ctx, ast::Block& out) {
  if (++at_[n].visits > 1 && !((is_short_exit(n) || is_cleanup_only(n)) && at_[n].visits <= 64)) {
    const std::size_t size = 1 + g_.nodes[n].state.stmts.size();
    if (size > duplicates_left_) return fail();
    duplicates_left_ -= size;
  }
  const auto h = at_[n].effective;
  if (h != ctx.handler && at_[n].is_header && !at_[n].is_active && loop_leaves_range(n, ctx))
    return emit_while(n, ctx, out);
  if (h != ctx.handler) {
    if (inside(h, ctx.handler)) {
      std::uint32_t outer = h;  // the outermost handler not yet open
      for (std::size_t i = 0; at_[outer].outer != ctx.handler && at_[outer].outer != kNone; ++i) {
        if (i > g_.nodes.size()) return fail();  // a handler that protects itself
        outer = at_[outer].outer;
      }
      --at_[n].visits;
      return emit_try(n, outer, ctx, out);
    }
    // left the range without passing the follow: only harmless for a node that cannot raise
    const bool empty = g_.nodes[n].state.end == EndKind::kFall && g_.nodes[n].state.stmts.empty();
    if (!is_constant_return(n) && !empty && !is_cleanup_only(n)) return fail();
  }
  if (at_[n].is_header && !at_[n].is_active && g_.nodes[n].state.end != EndKind::kFor) return emit_while(n, ctx, out);
  const auto& s = g_.nodes[n].state;
  if (!s.stmts.empty() && s.stmts.back().kind == LKind::kWithEnter) return emit_with(n, ctx, out);
  switch (s.end) {
    case EndKind::kFall:
      if (!emit_stmts(n, at_[n].skip, out)) return fail();
      if (exit_kind(n) == ExitKind::kAbrupt) return emit_abrupt_exit(n = g_.nodes[n].t, ctx, out);
      {  // once a clause was left, nothing may happen in it
        const bool left =
            std::any_of(s.stmts.begin(), s.stmts.end(), [](const LStmt& x) { return x.kind == LKind::kPopExcept; });
        n = g_.nodes[n].t;
        if (left && n != kNone && !is_stop(n, ctx) && !is_cleanup_only(n) && !is_constant_return(n)) return fail();
      }
      return true;
    case EndKind::kReturn:
      // the end of a finally body cannot be reached from within a loop of its own without a `break`, nor past what follows
      if (in_finally_ > 0 && ends_finally(n) && (ctx.loop != ctx.loop_around_finally || !is_end_of_finally(ctx.follow)))
        return fail();
      if (!emit_stmts(n, at_[n].skip, out)) return fail();
      n = kNone;
      return true;
    case EndKind::kBranch: return emit_if(n, ctx, out);
    case EndKind::kFor: return emit_for(n, ctx, out);
    case EndKind::kCase: return emit_match(n, ctx, out);
    case EndKind::kExcBranch: return fail();
  }
  return fail();
}

bool Structurer::emit_stmts(std::uint32_t n, std::size_t from, ast::Block& out) {
  const auto& stmts = g_.nodes[n].state.stmts;
  if (out.empty() && from < stmts.size()) out.reserve(stmts.size() - from + 2);  // a statement may follow, and its end
  for (std::size_t i = from; i < stmts.size(); ++i) {
    const auto& s = stmts[i];
    switch (s.kind) {
      case LKind::kStmt: out.push_back(s.stmt); break;
      case LKind::kAppend:
        if (!lifter_.is_comprehension()) {
          if (!s.target.valid()) return fail();
          out.push_back(append_call(s, n));
          break;
        }
        out.push_back(make(ast::ExprStmt{unit_.ast.expr(ast::Yield{s.expr})}, n));
        unit_.appends[out.back().n] = {s.key, s.target.valid() ? append_call(s, n) : ast::StmtId{}};
        break;
      case LKind::kPopExcept: {
        if (dropped_name(stmts, i + 1).valid()) i += 2;  // e = None; del e belongs to the clause
        break;
      }
      case LKind::kWithExit:
      case LKind::kLoopExit:
      case LKind::kFinallyExit: break;
      case LKind::kReraise:
        if (in_finally_ > 0) break;
        return fail();
      case LKind::kWithEnter:
      case LKind::kWithStore:
      case LKind::kForStore:
      case LKind::kExcStore:
      case LKind::kRestore: return fail();
    }
  }
  return true;
}

// Outside comprehensions: a call of the container's own method (the container is a plain list, set or dict).
ast::StmtId Structurer::append_call(const LStmt& s, std::uint32_t n) {
  const auto is = [&](ExprId e, auto kind) { return std::holds_alternative<decltype(kind)>(unit_.ast.exprs[e].node); };
  const auto constant = [&](ExprId e) { return is(e, ast::ConstantExpr{}) || is(e, ast::NoneLiteral{}); };
  if (s.key.valid()) {  // a subscript that is stored to is evaluated after what is stored, a key before its value
    const bool alike = is(s.key, ast::Name{}) && is(s.expr, ast::Name{});
    if (alike || constant(s.key) || constant(s.expr))
      return make(ast::Assign{{unit_.ast.expr(ast::Subscript{s.target, s.key})}, s.expr}, n);
    const ExprId item = unit_.ast.expr(ast::Dict{{s.key}, {s.expr}});
    const ExprId update = unit_.ast.expr(ast::Attribute{s.target, unit_.ast.intern("update")});
    return make(ast::ExprStmt{unit_.ast.expr(ast::Call{update, {item}, {}})}, n);
  }
  const auto* star = std::get_if<ast::Starred>(&unit_.ast.exprs[s.expr].node);
  const bool set = s.container == lift::Container::kSet, dict = s.container == lift::Container::kDict;
  const char* method = star != nullptr ? (set || dict ? "update" : "extend") : (set ? "add" : "append");
  const ExprId item = star != nullptr ? star->value : s.expr;
  const ExprId func = unit_.ast.expr(ast::Attribute{s.target, unit_.ast.intern(method)});
  return make(ast::ExprStmt{unit_.ast.expr(ast::Call{func, {item}, {}})}, n);
}

void Structurer::take_target(std::uint32_t n, LKind kind, ExprId& target, std::size_t& skip) const {
  const auto& stmts = g_.nodes[n].state.stmts;
  if (!stmts.empty() && stmts[0].kind == kind) {
    target = stmts[0].expr;
    skip = 1;
  }
}

std::optional<ast::Block> structure_statements(lift::Unit& unit, lift::Lifter& lifter, Graph& graph,
                                               TailDuplication duplication) {
  return Structurer(unit, lifter, graph, duplication).run();
}

}  // namespace depyf::structure
