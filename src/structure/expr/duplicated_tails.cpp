// SPDX-License-Identifier: MIT
// Undoes the tail duplication of the end of a line (inline_small_or_no_lineno_blocks in Python/flowgraph.c).
//
// Shape of f(x if c else y) at the end of a function: c; POP_JUMP_IF_FALSE E; x; CALL; RETURN; E: y; CALL; RETURN. A value
// that waits on the stack (here f) says that both ways are within one expression, so that they must meet; so does a
// value that only a comparison or a test of a chain keeps there, and an attribute that is called as no method is. What
// they end with becomes one line again; nothing else changes, and the folds of values do the rest.
#include "structure/expr/duplicated_tails.h"

#include <algorithm>
#include <utility>

#include "cfg/shapes.h"

namespace depyf::structure {

namespace {

// The last n instructions of a line, and what is before them. Nothing if some are no code of their own.
bool divide(Pieces& head, std::uint32_t n, Pieces& tail) {
  while (n > 0) {
    if (head.empty() || head.back().kind != Piece::Kind::kCode) return false;
    Piece part = head.back();
    const auto taken = std::min(n, part.last - part.first);
    part.first = part.last - taken;
    tail.insert(tail.begin(), part);
    head.back().last = part.first;
    if (head.back().first == head.back().last) head.pop_back();
    n -= taken;
  }
  return true;
}

// The instructions that a line ends with, the last first, as far as they are code of their own.
class Backwards {
 public:
  Backwards(const Graph& graph, const Pieces& line) : graph_(graph), line_(line), piece_(line.size()) {}

  const Instruction* next() {
    while (left_ == 0) {
      if (piece_ == 0 || line_[piece_ - 1].kind != Piece::Kind::kCode) return nullptr;
      const auto& p = line_[--piece_];
      left_ = p.last - p.first;
    }
    const auto& p = line_[piece_];
    return &graph_.code[p.block][p.first + --left_];
  }

 private:
  const Graph& graph_;
  const Pieces& line_;
  std::size_t piece_;
  std::uint32_t left_ = 0;
};

// How many there are.
std::uint32_t length(const Graph& graph, const Pieces& line) {
  std::uint32_t n = 0;
  for (Backwards code(graph, line); code.next() != nullptr;) ++n;
  return n;
}

}  // namespace

std::uint32_t DuplicatedTails::common_tail(std::uint32_t x, std::uint32_t y) const {
  Backwards c(g_, g_.nodes[x].pieces), d(g_, g_.nodes[y].pieces);
  for (std::uint32_t n = 0;; ++n) {
    const auto *a = c.next(), *b = d.next();
    if (a == nullptr || b == nullptr || !same_operation(*a, *b)) return n;
  }
}

// Without its last instructions the line gives one value on top of what came in and it does not take, and does nothing
// else.
bool DuplicatedTails::gives_value(Arm arm, std::uint32_t without, Pieces& head, State& s) {
  head = at(arm.node).pieces;
  Pieces tail;
  if (!divide(head, without, tail)) return false;
  s.stack = at(arm.node).entry;
  s.low = static_cast<std::uint32_t>(s.stack.size());
  const auto left = s.stack.size() - arm.takes;
  if (!replay(unit_, lifter_, g_, head, s)) return false;
  if (!head.empty()) {  // the line ends here, as if its block did
    const auto& code = g_.code[head.back().block];
    if (!lifter_.run(s, code, code.size(), code.size())) return false;
  }
  return s.end == EndKind::kFall && s.stmts.empty() && s.refusal.empty() && s.low >= left &&
         s.stack.size() == left + 1 && s.stack.back().kind == ValueKind::kExpr;
}

void DuplicatedTails::cut(std::uint32_t n, Pieces head, State s, std::uint32_t next) {
  at(n).pieces = std::move(head);
  at(n).state = std::move(s);
  at(n).t = next;
  at(n).f = kNone;
  at(n).ends_as_lifted();
}

bool DuplicatedTails::ends_function(std::uint32_t n) const {
  const auto& node = g_.nodes[n];
  return node.state.end == EndKind::kReturn && !node.is_handler && node.pieces.back().kind == Piece::Kind::kCode;
}

// Both lines use up what waits on the stack and continue at the same `return`, or at a copy of it: it is not protected
// as they are.
bool DuplicatedTails::same_continuation(std::uint32_t x, std::uint32_t y) const {
  const auto &a = g_.nodes[x], &b = g_.nodes[y];
  if (a.state.end != EndKind::kFall || b.state.end != EndKind::kFall || a.t == kNone || b.t == kNone) return false;
  const auto &to = g_.nodes[a.t], &copy = g_.nodes[b.t];
  return to.entry.size() < a.entry.size() && to.entry.size() == copy.entry.size() &&
         (a.t == b.t ||
          (ends_function(a.t) && ends_function(b.t) && to.handler == copy.handler &&
           length(g_, to.pieces) == length(g_, copy.pieces) && common_tail(a.t, b.t) == length(g_, to.pieces)));
}

// A value of the same expression waits below: the two arms are within it and must meet.
bool DuplicatedTails::waits(std::uint32_t n, std::size_t depth) const {
  const auto& entry = g_.nodes[n].entry;
  return std::any_of(entry.begin(), entry.begin() + static_cast<std::ptrdiff_t>(depth),
                     [](const Value& v) { return v.kind == ValueKind::kExpr || v.kind == ValueKind::kNull; });
}

// A statement of its own would not return so: `return None` drops the iterator and leaves what protects it first,
// `return 1, 2` loads one constant.
bool DuplicatedTails::returns_part(std::uint32_t n) const {
  const auto& s = g_.nodes[n].state;
  if (s.end != EndKind::kReturn || s.stmts.size() != 1 || s.stmts[0].kind != LKind::kStmt) return false;
  const auto* r = std::get_if<ast::Return>(&unit_.ast.stmts[s.stmts[0].stmt].node);
  if (r == nullptr || !r->value.valid()) return false;
  const auto constant = [&](ExprId e) {
    const auto& node = unit_.ast.exprs[e].node;
    if (std::holds_alternative<ast::NoneLiteral>(node)) return true;
    const auto* c = std::get_if<ast::ConstantExpr>(&node);
    if (c == nullptr) return false;
    const auto& value = unit_.code.consts[c->value];
    return std::holds_alternative<ConstNone>(value) || std::holds_alternative<ConstBool>(value) ||
           std::holds_alternative<ConstStr>(value);
  };
  if (const auto* t = std::get_if<ast::Tuple>(&unit_.ast.exprs[r->value].node))
    return !t->elts.empty() && std::all_of(t->elts.begin(), t->elts.end(), constant);
  return (s.returns_from_loop || g_.nodes[n].handler.block.valid()) && constant(r->value);
}

// The first line calls an attribute after which the two are alike: `a.b()` alone would look a method up.
bool DuplicatedTails::calls_value(std::uint32_t x, std::uint32_t y) const {
  const auto alike = common_tail(x, y);
  SmallVector<const Instruction*, 8> code;
  Backwards line(g_, g_.nodes[x].pieces);
  while (code.size() < alike) code.push_back(line.next());
  const auto* before = line.next();
  if (before == nullptr || before->op != Op::LOAD_ATTR) return false;
  std::int64_t above = 0;
  for (auto k = alike; k-- > 0;) {
    const auto e = effect(unit_.dialect.version, *code[k], false);
    if (e.pops > above) return e.pops == above + 1 && code[k]->op == Op::CALL_FUNCTION;
    above += e.pushes - e.pops;
  }
  return false;
}

// `one_value`: whether both ways give the same value of one expression, as something on the stack shows.
template <class OneValue>
Result<bool> DuplicatedTails::join_paths(Arm x, Arm y, const OneValue& one_value) {
  const bool x_ends = ends_function(x.node), y_ends = ends_function(y.node);
  if ((x_ends && y_ends) || same_continuation(x.node, y.node)) return one_value() ? join(x, y) : Result<bool>(false);
  if (x_ends && at(y.node).state.end == EndKind::kFall && at(y.node).t != kNone) return join_line(x, at(y.node).t);
  if (y_ends && at(x.node).state.end == EndKind::kFall && at(x.node).t != kNone) return join_line(y, at(x.node).t);
  return false;
}

// f(x if c else y) at the end of a function: x; CALL; RETURN and y; CALL; RETURN
Result<bool> DuplicatedTails::join_arms(std::uint32_t t, std::uint32_t f) {
  return join_paths({t, 0}, {f, 0}, [&] {
    return waits(t, at(t).entry.size()) || returns_part(t) || returns_part(f) || calls_value(t, f) || calls_value(f, t);
  });
}

// f(a < b < c) there: c; <; CALL; RETURN, which takes b, and SWAP 2; POP_TOP; CALL; RETURN, which takes the outcome too
Result<bool> DuplicatedTails::join_chain(std::uint32_t rest, std::uint32_t clean) {
  if (!(at(rest).handler == at(clean).handler)) return false;
  return join_paths({rest, 1}, {clean, 2}, [] { return true; });
}

Result<bool> DuplicatedTails::join(Arm t, Arm f) {
  if (at(t.node).entry.size() < t.takes) return false;
  const auto depth = at(t.node).entry.size() - t.takes;
  if (at(f.node).entry.size() != depth + f.takes) return false;
  for (auto n = common_tail(t.node, f.node); n > 0; --n) {
    Pieces x, y;
    State sx, sy;
    if (!gives_value(t, n, x, sx) || !gives_value(f, n, y, sy)) continue;
    Node rest = at(t.node);
    Value v;
    v.expr = lifter_.slot(static_cast<std::uint32_t>(depth));
    rest.entry.resize(depth);
    rest.entry.push_back(v);
    Pieces end;
    if (!divide(rest.pieces, n, end)) return false;
    // where an arm ends, others lead too: what was copied went on with a `return` of its own
    if (ends_function(t.node) && ends_function(f.node)) end.back().returns = true;
    rest.pieces = std::move(end);
    rest.state = State{};
    rest.state.stack = rest.entry;
    rest.state.low = static_cast<std::uint32_t>(rest.entry.size());
    DEPYF_CHECK(replay(unit_, lifter_, g_, rest.pieces, rest.state));
    rest.preds = 2;
    if (const auto copy = at(f.node).t; copy != kNone && --at(copy).preds == 0) at(copy).alive = false;
    rest.order = std::max(at(t.node).order, at(f.node).order) + 2;
    rest.ends_as_lifted();
    g_.nodes.push_back(std::move(rest));
    const auto meet = static_cast<std::uint32_t>(g_.nodes.size() - 1);
    cut(t.node, std::move(x), std::move(sx), meet);
    cut(f.node, std::move(y), std::move(sy), meet);
    return true;
  }
  return false;
}

// The line b ends with all that is in m.
Result<bool> DuplicatedTails::join_line(Arm b, std::uint32_t m) {
  const auto& line = at(b.node);
  if (!ends_function(b.node) || !ends_function(m) || !(at(m).handler == line.handler) ||
      at(m).entry.size() + b.takes != line.entry.size() + 1)
    return false;
  std::uint32_t n = 0;
  for (const auto& p : at(m).pieces) n += p.last - p.first;
  Pieces head;
  State s;
  if (common_tail(b.node, m) != n || !gives_value(b, n, head, s)) return false;
  cut(b.node, std::move(head), std::move(s), m);
  ++at(m).preds;
  return true;
}

}  // namespace depyf::structure
