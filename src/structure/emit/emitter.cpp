// SPDX-License-Identifier: MIT
// The walk: blocks, lines of statements, and which construct begins at a node.
#include "structure/emit/emitter.h"

#include <algorithm>
#include <utility>

#include "ast/walk.h"
#include "structure/region/rewrites.h"

namespace depyf::structure {

Emitter::Emitter(LiftedCode& lifted, const Regions& regions)
    : code(lifted),
      r(regions),
      at_(lifted.graph.nodes.size()),
      budget_(64 + 16 * static_cast<std::uint64_t>(regions.nodes().size())) {
  if (code.duplication == TailDuplication::kAll)
    for (auto i : r.nodes()) duplicates_left_ += 1 + node(i).state.stmts.size();
}

bool Emitter::fail(std::string_view file, int line) {
  auto& why = code.unit.refusal;
  if (why.empty()) why = std::string(file.substr(file.rfind('/') + 1)) + ":" + std::to_string(line);
  return false;
}

bool Emitter::restart() {
  must_restart_ = true;
  return false;
}

// Whether every statement of the graph is in the text (law 2): what protects or reaches it may have been misread.
// Clean-up handlers of `except … as name` and of with statements have no text of their own.
bool Emitter::is_complete(const ast::Block& out) const {
  // Statements of this code object, which were made after those of all that it holds.
  auto first = static_cast<std::uint32_t>(code.unit.ast.stmts.size());
  for (auto i : r.nodes())
    for (const auto& s : node(i).state.stmts)
      if (s.kind == LKind::kStmt) first = std::min(first, s.stmt.n);
  SmallVector<std::uint8_t, 256> written(code.unit.ast.stmts.size() - first);
  SmallVector<ast::StmtId, 64> todo(out.begin(), out.end());
  while (!todo.empty()) {
    const auto s = todo.back();
    todo.pop_back();
    if (s.n < first) continue;  // within a function or a class that is one of them
    written[s.n - first] = 1;
    ast::for_each_child_block(code.unit.ast.stmts[s].node,
                              [&](const ast::Block& b) { todo.insert(todo.end(), b.begin(), b.end()); });
  }
  for (auto i : r.nodes()) {
    const auto& n = node(i);
    if (n.is_handler && (r.kind(i) == HandlerKind::kCleanup || r.kind(i) == HandlerKind::kWith)) continue;
    if (at_[i].is_asserted) continue;  // `assert` includes its raise
    const auto& stmts = n.state.stmts;
    for (std::size_t k = 0; k < stmts.size(); ++k) {
      if (stmts[k].kind == LKind::kFinallyExit) {  // the body that it passes is that of a statement
        const auto handler = code.graph.of_block[stmts[k].handler];
        if (handler == kNone || at_[handler].visits == 0) return false;
      }
      if (stmts[k].kind == LKind::kPopExcept && dropped_name(code.unit, stmts, k + 1).valid())
        k += 2;
      else if (stmts[k].kind == LKind::kStmt && written[stmts[k].stmt.n - first] == 0)
        return false;
    }
  }
  return true;
}

std::optional<ast::Block> Emitter::run() {
  ast::Block out;
  if (emit(0, {}, out) && (is_complete(out) || fail())) return out;
  return std::nullopt;
}

namespace {

// A clause of `except*` is left where it ends only: nothing in it returns, or goes to the loop around it.
bool exits_star_handler(const LiftedCode& code, std::uint32_t n, const Context& ctx) {
  if (ctx.loop == ctx.loop_around_star && ctx.is_loop_edge(n)) return true;
  const auto& s = code.node(n).state;
  return s.end == EndKind::kReturn && !s.stmts.empty() && s.stmts.back().kind == LKind::kStmt &&
         std::holds_alternative<ast::Return>(code.unit.ast.stmts[s.stmts.back().stmt].node);
}

// How many entries of exceptions there are when the node has dropped what it begins by dropping: where __exit__ of a with
// statement has taken an exception, that is the exception.
std::size_t exceptions_over(const LiftedCode& code, const Node& n) {
  auto entry = n.entry;
  if (!n.pieces.empty() && n.pieces[0].kind == Piece::Kind::kCode)
    for (const auto& insn : code.graph.code[n.pieces[0].block].subspan(n.pieces[0].first)) {
      if (insn.op != Op::POP_TOP || entry.empty()) break;
      entry.cut(entry.size() - 1);
    }
  return entry.count(ValueKind::kExc);
}

bool leads_to_end_of_finally(const LiftedCode& code, std::uint32_t n) {
  const auto to = skip_cleanup(code, n);
  return to != kNone && only_reraises(code.node(to));
}

}  // namespace

// Whether the block ends where control comes to n; a jump that says so is written.
bool Emitter::end_block(std::uint32_t n, const Context& ctx, ast::Block& out, bool& ended) {
  ended = true;
  if (n == kNone) return true;
  if (budget_ == 0) return fail();
  --budget_;
  const bool start = n == ctx.start;
  if (n == ctx.follow && !start) return true;
  if (ctx.in_star && exits_star_handler(code, n, ctx)) return skip_cleanup(code, ctx.follow, ctx.loop) == n || fail();
  ended = !start && ctx.is_loop_edge(n);
  if (ended) out.push_back(n == ctx.loop->header ? make(ast::Continue{}, n) : make(ast::Break{}, n));
  return true;
}

bool Emitter::emit(std::uint32_t n, const Context& ctx, ast::Block& out) {
  static constexpr std::uint32_t kDeepest = 128;  // of blocks: their recursion takes stack, and source has 100 at most
  if (ctx.depth > kDeepest) {
    code.unit.too_deep = true;
    return fail();
  }
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
      if (opened_->follow != kNone) here.follow = here.after = opened_->follow;
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
      close_if(*this, std::move(done), writing == 0 ? out : open[writing - 1].stmt.orelse);
    }
  }
}

bool Emitter::emit_block(std::uint32_t n, const Context& ctx, std::uint32_t at, ast::Block& out) {
  if (!emit(n, ctx, out)) return false;
  or_pass(out, at);
  return true;
}

bool Emitter::emit_node(std::uint32_t& n, const Context& ctx, ast::Block& out) {
  auto& written = at_[n];
  if (++written.visits > 1 && !((is_short_exit(node(n)) || is_cleanup_only(code, n)) && written.visits <= 64)) {
    const std::size_t size = 1 + node(n).state.stmts.size();
    if (size > duplicates_left_) return fail();
    duplicates_left_ -= size;
  }
  const bool begins_loop = r.is_header(n) && !written.is_active;
  // what cannot raise may be written anywhere
  const bool is_empty = node(n).state.end == EndKind::kFall && node(n).state.stmts.empty();
  const bool is_harmless = is_empty || is_constant_return(code, n) || is_cleanup_only(code, n);
  // what runs while an exception is handled belongs to what handles it: another exception has that as its context
  if (!is_harmless && exceptions_over(code, node(n)) > ctx.exceptions) return fail();
  // nor does what runs when a finally body was left belong to it
  const bool was_left = ctx.in_finally && !node(n).is_handler && node(n).entry.size() < ctx.finally_entries(code);
  if (!is_harmless && was_left) return fail();
  if (const auto h = r.handler(n); h != ctx.handler) {
    if (begins_loop && r.loop_leaves_range(n, ctx.handler)) return emit_while(*this, n, ctx, out);
    if (r.inside(h, ctx.handler)) {
      const auto outermost = r.child(h, ctx.handler);        // not yet open
      if (r.outer(outermost) != ctx.handler) return fail();  // a handler that protects itself
      --written.visits;
      return emit_try(*this, n, outermost, ctx, out);
    }
    if (!is_harmless) return fail();  // left the range without passing the follow
  }
  const auto& s = node(n).state;
  if (begins_loop && s.end != EndKind::kFor) return emit_while(*this, n, ctx, out);
  if (!s.stmts.empty() && s.stmts.back().kind == LKind::kWithEnter) return emit_with(*this, n, ctx, out);
  switch (s.end) {
    case EndKind::kFall:
    case EndKind::kReturn: return emit_line(n, ctx, out);
    case EndKind::kBranch: return emit_if(*this, n, ctx, out);
    case EndKind::kFor: return emit_for(*this, n, ctx, out);
    case EndKind::kCase: return emit_match(*this, n, ctx, out);
    case EndKind::kExcBranch: return fail();
  }
  return fail();
}

// A line of statements that falls through, returns or raises.
bool Emitter::emit_line(std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& line = node(n);
  const auto& s = line.state.stmts;
  // The end of a finally body cannot be reached from within a loop of its own without a `break`, nor past what follows; nor
  // is that of another finally body around it its end.
  if (ctx.in_finally && ends_finally(line) &&
      (ctx.loop != ctx.loop_around_finally || !ctx.is_end(code, n) ||
       (ctx.after != kNone && !leads_to_end_of_finally(code, ctx.after))))
    return fail();
  if (!emit_stmts(n, ctx, out)) return false;
  const bool abrupt = line.state.end == EndKind::kFall && exit_kind(code, n) == ExitKind::kAbrupt;
  const auto at = n;
  n = line.state.end == EndKind::kFall ? line.t : kNone;
  if (n == kNone) {
    // A finally body that never ends: the node has no successor, so the block may not fall through to its follow.
    const bool leaves = ctx.in_finally && line.entry.size() < ctx.finally_entries(code);
    if (line.state.end == EndKind::kFall && (ctx.follow != kNone || leaves)) {
      if ((code.lifter.co.flags & kCoOptimized) == 0 || ctx.in_star) return fail();
      out.push_back(make(ast::Return{}, at));
    }
    return true;
  }
  const bool may_continue = ctx.loop != nullptr && n == ctx.loop->header && !s.empty() &&
                            (s.back().kind == LKind::kStmt || s.back().kind == LKind::kPopExcept);
  const auto continues = may_continue ? code.unit.positions.written_jump_after(s.back().offset) : std::nullopt;
  if (!abrupt && !continues) {  // once a clause was left, nothing may happen in it
    const bool left = std::any_of(s.begin(), s.end(), [](const LStmt& x) { return x.kind == LKind::kPopExcept; });
    return !left || ctx.is_stop(n) || is_cleanup_only(code, n) || is_constant_return(code, n) || fail();
  }
  // After an abrupt exit its statement is written even where falling off the end has the same successor.
  if (ctx.is_loop_edge(n)) {
    if (continues)
      out.push_back(code.unit.ast.stmt(ast::Continue{}, {code.lifter.code, *continues}));
    else
      out.push_back(n == ctx.loop->header ? make(ast::Continue{}, n) : make(ast::Break{}, n));
    n = kNone;
  }
  return true;
}

bool Emitter::emit_stmts(std::uint32_t n, const Context& ctx, ast::Block& out) {
  const auto from = at_[n].skip;
  const auto& stmts = node(n).state.stmts;
  if (out.empty() && from < stmts.size()) out.reserve(stmts.size() - from + 2);  // a statement may follow, and its end
  for (std::size_t i = from; i < stmts.size(); ++i) {
    const auto& s = stmts[i];
    switch (s.kind) {
      case LKind::kStmt: out.push_back(s.stmt); break;
      case LKind::kAppend:
        if (!s.target.valid()) return fail();
        out.push_back(lift::append_stmt(code.unit, s, {code.lifter.code, s.offset}));
        break;
      case LKind::kPopExcept: {
        if (dropped_name(code.unit, stmts, i + 1).valid()) i += 2;  // e = None; del e belongs to the clause
        break;
      }
      case LKind::kWithExit:
      case LKind::kLoopExit:
      case LKind::kFinallyExit: break;
      case LKind::kReraise:
        if (ctx.in_finally) break;
        return fail();
      case LKind::kWithEnter:
        if (i + 1 == stmts.size()) break;  // emit_with() enters it
        return fail();
      case LKind::kWithStore:
      case LKind::kForStore:
      case LKind::kExcStore:
      case LKind::kRestore: return fail();
    }
  }
  return true;
}

ExprId Emitter::take_target(std::uint32_t body, LKind kind) {
  const auto& stmts = node(body).state.stmts;
  if (stmts.empty() || stmts[0].kind != kind) return {};
  at_[body].skip = 1;
  return stmts[0].expr;
}

bool Emitter::falls_through(const ast::Block& whole, std::uint32_t rest) const {
  const ast::Block* end = &whole;  // of the whole or of the last arm of an elif chain
  const ast::If* chain = nullptr;
  while (!end->empty() && (chain = std::get_if<ast::If>(&code.unit.ast.stmts[end->back()].node)) != nullptr) {
    if (falls_through(chain->body, rest)) return true;
    end = &chain->orelse;
  }
  if (end->empty()) return true;
  const ast::Block& block = *end;
  const auto& s = code.unit.ast.stmts[block.back()].node;
  if (std::holds_alternative<ast::Return>(s) || std::holds_alternative<ast::Raise>(s) ||
      std::holds_alternative<ast::Break>(s) || std::holds_alternative<ast::Continue>(s))
    return false;
  if (const auto it = unreached_.find(block.back().n); it != unreached_.end())
    return rest == kNone || it->second != rest;
  const auto* t = std::get_if<ast::Try>(&s);
  if (t != nullptr && !code.unit.dialect.call_finally)  // 3.8 keeps some code that nothing reaches
    return falls_through(t->orelse.empty() ? t->body : t->orelse, rest) ||
           std::any_of(t->handlers.begin(), t->handlers.end(),
                       [&](const auto& h) { return falls_through(h.body, rest); });
  if (const auto* m = std::get_if<ast::Match>(&s)) {
    const auto* last = std::get_if<ast::MatchAs>(&code.unit.ast.patterns[m->cases.back().pattern].node);
    if (last == nullptr || last->pattern.valid() || m->cases.back().guard.valid()) return true;
    return std::any_of(m->cases.begin(), m->cases.end(), [&](const auto& c) { return falls_through(c.body); });
  }
  return true;
}

std::optional<ast::Block> structure_statements(lift::Unit& unit, lift::Lifter& lifter, Graph& graph,
                                               TailDuplication duplication, Loops loops, Guards guards) {
  static constexpr int kStarts = 64;  // each but the last has found copies that are one
  LiftedCode code{unit, lifter, graph, duplication, loops, guards};
  // In damaged code a test may not lead anywhere.
  const auto is_test = [](EndKind k) {
    return k == EndKind::kBranch || k == EndKind::kExcBranch || k == EndKind::kFor;
  };
  for (const auto& n : graph.nodes)
    if (n.alive && is_test(n.state.end) && (n.t == kNone || n.f == kNone)) {
      unit.refusal = "a test that leads nowhere";
      return std::nullopt;
    }
  find_breaks(code);
  bool split = false;
  for (int i = 0; i < kStarts; ++i) {
    count_preds(graph);
    const Regions regions(code);
    Emitter emitter(code, regions);
    if (auto out = emitter.run()) return out;
    if (!emitter.must_restart() && (split || !(split = split_headers(code, regions)))) return std::nullopt;
    unit.refusal.clear();
  }
  unit.refusal = "too many duplicated exits";
  return std::nullopt;
}

}  // namespace depyf::structure
