// SPDX-License-Identifier: MIT
// Walks the graph: blocks, lines of statements, and which construct begins at a node.
#include "structure/emit/emitter.h"

#include <algorithm>
#include <utility>

#include "ast/walk.h"
#include "structure/region/rewrites.h"

namespace depyf::structure {

Emitter::Emitter(LiftedCode& lifted, const Regions& regions)
    : code(lifted),
      r(regions),
      written_(lifted.graph.nodes.size()),
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

// Returns whether every statement of the graph is in the text (law 2): the code that reaches or protects it may have
// been misread. Clean-up handlers of `except … as name` and of with statements have no text.
bool Emitter::is_complete(const ast::Block& out) const {
  // The first statement of this code object; those of nested functions and classes were created earlier.
  auto first = static_cast<std::uint32_t>(code.unit.ast.stmts.size());
  for (auto i : r.nodes())
    for (const auto& s : node(i).state.stmts)
      if (s.kind == LKind::kStmt) first = std::min(first, s.stmt.n);
  SmallVector<std::uint8_t, 256> written(code.unit.ast.stmts.size() - first);
  SmallVector<ast::StmtId, 64> todo(out.begin(), out.end());
  while (!todo.empty()) {
    const auto s = todo.back();
    todo.pop_back();
    if (s.n < first) continue;  // part of a nested function or class
    written[s.n - first] = 1;
    ast::for_each_child_block(code.unit.ast.stmts[s].node,
                              [&](const ast::Block& b) { todo.insert(todo.end(), b.begin(), b.end()); });
  }
  for (auto i : r.nodes()) {
    const auto& n = node(i);
    if (n.is_handler && (r.kind(i) == HandlerKind::kCleanup || r.kind(i) == HandlerKind::kWith)) continue;
    if (written_[i].is_asserted) continue;  // `assert` includes its raise
    const auto& stmts = n.state.stmts;
    for (std::size_t k = 0; k < stmts.size(); ++k) {
      // The finally body that was removed here must be in the text of a statement.
      if (stmts[k].kind == LKind::kFinallyExit) {
        const auto handler = code.graph.of_block[stmts[k].handler];
        if (handler == kNone || written_[handler].visits == 0) return false;
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

// Returns whether n would leave a clause of `except*` other than at its end, by a return or to the loop around it.
// Python allows neither.
bool exits_star_handler(const LiftedCode& code, std::uint32_t n, const Context& ctx) {
  if (ctx.loop == ctx.loop_around_star && ctx.is_loop_edge(n)) return true;
  const auto& s = code.node(n).state;
  return s.end == EndKind::kReturn && !s.stmts.empty() && s.stmts.back().kind == LKind::kStmt &&
         std::holds_alternative<ast::Return>(code.unit.ast.stmts[s.stmts.back().stmt].node);
}

// Returns how many exceptions are on the stack after the instructions with which the node begins have popped entries.
// In a with statement whose __exit__ suppressed an exception, one of them is that exception.
std::size_t exceptions_after_pops(const LiftedCode& code, const Node& n) {
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

// Returns whether n, which reraises, may end the finally body being written. Its end cannot be reached from a loop
// within the body without a `break`, nor by skipping the follow; and the end of an outer finally body is not its end.
bool may_end_finally(const LiftedCode& code, std::uint32_t n, const Context& ctx) {
  return ctx.loop == ctx.loop_around_finally && ctx.is_end(code, n) &&
         (ctx.after == kNone || leads_to_end_of_finally(code, ctx.after));
}

}  // namespace

// Decides whether the block ends because control continues outside of it at n (`ended`), and writes the `break` or
// `continue` that this needs.
bool Emitter::end_block(std::uint32_t n, const Context& ctx, ast::Block& out, bool& ended) {
  ended = true;
  if (n == kNone) return true;
  if (budget_ == 0) return fail();
  --budget_;
  const bool is_start = n == ctx.start;
  if (n == ctx.follow && !is_start) return true;
  if (ctx.in_star && exits_star_handler(code, n, ctx)) return skip_cleanup(code, ctx.follow, ctx.loop) == n || fail();
  ended = !is_start && ctx.is_loop_edge(n);
  if (ended) out.push_back(n == ctx.loop->header ? make(ast::Continue{}, n) : make(ast::Break{}, n));
  return true;
}

bool Emitter::emit(std::uint32_t n, const Context& ctx, ast::Block& out) {
  // Blocks: their recursion uses the C++ stack, and source code may nest 100 at most.
  static constexpr std::uint32_t kDeepest = 128;
  if (ctx.depth > kDeepest) {
    code.unit.too_deep = true;
    return fail();
  }
  Context here = ctx;
  std::vector<OpenIf> open;       // innermost last
  std::size_t current_block = 0;  // index of the current block, as in OpenIf::in_block
  for (;;) {
    ast::Block& block = current_block == 0 ? out : open[current_block - 1].stmt.orelse;
    bool ended = false;
    if (!end_block(n, here, block, ended)) return fail();
    if (!ended) {
      here.start = kNone;
      here.in_else = current_block > 0;
      if (!emit_node(n, here, block)) return fail();
      if (!opened_) continue;
      opened_->around = here;
      opened_->in_block = current_block;
      if (opened_->follow != kNone) here.follow = here.after = opened_->follow;
      n = opened_->arm;
      open.push_back(*std::exchange(opened_, {}));
      if (open.back().guarded == 0) current_block = open.size();
    } else {
      if (open.empty()) return true;
      OpenIf done = std::move(open.back());
      open.pop_back();
      here = done.around;
      n = done.follow;
      current_block = done.in_block;
      close_if(*this, std::move(done), current_block == 0 ? out : open[current_block - 1].stmt.orelse);
    }
  }
}

bool Emitter::emit_block(std::uint32_t n, const Context& ctx, std::uint32_t at, ast::Block& out) {
  if (!emit(n, ctx, out)) return false;
  or_pass(out, at);
  return true;
}

bool Emitter::emit_node(std::uint32_t& n, const Context& ctx, ast::Block& out) {
  auto& written = written_[n];
  if (++written.visits > 1 && !is_short_exit(node(n)) && !is_cleanup_only(code, n)) {
    const std::size_t size = 1 + node(n).state.stmts.size();
    if (size > duplicates_left_) return fail();
    duplicates_left_ -= size;
  }
  const bool begins_loop = r.is_header(n) && !written.is_active;
  // Code that cannot raise may be written anywhere.
  const bool is_empty = node(n).state.end == EndKind::kFall && node(n).state.stmts.empty();
  const bool is_harmless = is_empty || is_constant_return(code, n) || is_cleanup_only(code, n);
  // Code that runs while an exception is handled belongs to its handler: another exception would have it as context.
  if (!is_harmless && exceptions_after_pops(code, node(n)) > ctx.exceptions) return fail();
  // Code after leaving a finally body does not belong to that body.
  const bool has_left_finally =
      ctx.in_finally && !node(n).is_handler && node(n).entry.size() < ctx.finally_entries(code);
  if (!is_harmless && has_left_finally) return fail();
  if (const auto h = r.handler(n); h != ctx.handler) {
    if (begins_loop && r.loop_leaves_range(n, ctx.handler)) return emit_while(*this, n, ctx, out);
    if (r.inside(h, ctx.handler)) {
      const auto outermost = r.child(h, ctx.handler);        // not yet open
      if (r.outer(outermost) != ctx.handler) return fail();  // a handler that protects itself
      --written.visits;
      return emit_try(*this, n, outermost, ctx, out);
    }
    if (!is_harmless) return fail();  // it has left the range without passing the follow
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

// Emits a line of statements that falls through, returns or raises.
bool Emitter::emit_line(std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const Node& line = node(n);
  const auto& s = line.state.stmts;
  if (ctx.in_finally && ends_finally(line) && !may_end_finally(code, n, ctx)) return fail();
  if (!emit_stmts(n, ctx, out)) return false;
  const bool is_abrupt = line.state.end == EndKind::kFall && exit_kind(code, n) == ExitKind::kAbrupt;
  const auto at = n;
  n = line.state.end == EndKind::kFall ? line.t : kNone;
  if (n == kNone) {
    // The node has no successor because a finally body never ends, so the block must not fall through to its follow.
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
  if (!is_abrupt && !continues) {  // after leaving a clause, no code may run in it
    const bool has_left_clause =
        std::any_of(s.begin(), s.end(), [](const LStmt& x) { return x.kind == LKind::kPopExcept; });
    return !has_left_clause || ctx.is_stop(n) || is_cleanup_only(code, n) || is_constant_return(code, n) || fail();
  }
  // After an abrupt exit, its jump statement is written even if falling off the end has the same successor.
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
  const auto from = written_[n].skip;
  const auto& stmts = node(n).state.stmts;
  // Room for another statement and the end of the block.
  if (out.empty() && from < stmts.size()) out.reserve(stmts.size() - from + 2);
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
        if (i + 1 == stmts.size()) break;  // emit_with() handles it
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
  written_[body].skip = 1;
  return stmts[0].expr;
}

bool Emitter::falls_through(const ast::Block& block_to_check, std::uint32_t rest) const {
  const ast::Block* end = &block_to_check;  // of the whole, or of the last arm of an elif chain
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
  if (t != nullptr && !code.unit.dialect.call_finally)  // 3.8 keeps some unreachable code
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
  static constexpr int kMaxAttempts = 64;  // each attempt but the last has merged duplicates
  LiftedCode code{unit, lifter, graph, duplication, loops, guards};
  // In damaged code, a test may have no successor.
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
  for (int i = 0; i < kMaxAttempts; ++i) {
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
