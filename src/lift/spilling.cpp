// SPDX-License-Identifier: MIT
// Keeps the order of evaluation by spilling pending values to temporaries: before a statement is emitted that could
// change them, and where an instruction takes operands that are not on the stack in the order of their evaluation.
//
// Example: bytecode that evaluates a.x, then g(), stores the latter to b and returns the former becomes
// `__temp_1 = a.x; b = g(); return __temp_1`, because g() could change a.x.
// Invariant: temporaries are assigned in the order in which their values were evaluated (Value::seq).
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ast/constants.h"
#include "cfg/shapes.h"
#include "lift/families.h"
#include "lift/unfolded.h"

namespace depyf::lift {

bool is_fixed(const Machine& m, const Value& v) {
  if (v.kind == ValueKind::kFunction) {  // functions of comprehensions and class bodies only close over cells
    const auto& f = m.state.pending->functions[v.a];
    if (m.literal != nullptr && is_bare(m, v)) return true;
    return (m.unit.bodies[f.code.n].comprehension || is_unmade_class(m, f)) && !has_effects(m, f);
  }
  if (v.kind != ValueKind::kExpr) return !can_spill(m, v);
  if (ast::is_constant(m.unit.ast, v.expr)) return true;
  const auto& node = m.unit.ast.exprs[v.expr].node;
  if (const auto* n = std::get_if<ast::Name>(&node);
      n != nullptr && std::binary_search(m.lifter.steady.begin(), m.lifter.steady.end(), n->id))
    return true;
  if (const auto* s = std::get_if<ast::Slice>(&node)) {  // cannot be spilled as such: only its parts can change
    for (ExprId part : {s->lower, s->upper, s->step}) {
      if (part.valid() && !is_fixed(m, {.expr = part})) return false;
    }
    return true;
  }
  if (const ExprIds all = class_arguments(m, v); !all.empty()) {  // fixed once it has been spilled, see spill_value()
    const auto* star = all.size() == 3 ? std::get_if<ast::Starred>(&m.unit.ast.exprs[all[2]].node) : nullptr;
    return all.size() < 3 || (star != nullptr && m.unit.is_temp(star->value));
  }
  return m.unit.is_temp(v.expr);
}

// Assigns the value to a temporary and replaces it by the temporary's name. Items of unpackings that were evaluated
// before it are spilled first.
void spill_value(Machine& m, Value& v) {
  spill_unpackings(m, v.seq);
  if (const ExprIds all = class_arguments(m, v); !all.empty()) {  // all but the first two, the class body and the name
    Value rest{.expr = m.make(ast::List{{all.begin() + 2, all.end()}}), .seq = v.seq};
    spill_value(m, rest);
    v.expr = m.make(ast::List{{all[0], all[1], m.make(ast::Starred{rest.expr})}});
    return;
  }
  if (v.kind == ValueKind::kExpr && std::holds_alternative<ast::Slice>(m.unit.ast.exprs[v.expr].node)) {
    auto slice = std::get<ast::Slice>(m.unit.ast.exprs[v.expr].node);
    for (ExprId* part : {&slice.lower, &slice.upper, &slice.step}) {
      Value p{.expr = *part};
      if (!part->valid() || is_fixed(m, p)) continue;
      spill_value(m, p);
      *part = p.expr;
    }
    v.expr = m.make(slice);
    return;
  }
  if (m.literal != nullptr && v.kind == ValueKind::kExpr) v.expr = as_object(m, v.expr);
  const NameId name = m.literal != nullptr ? literal_temp(m, v) : m.fresh_temp();
  Value copy = v;
  m.spill_name = name;
  m.spilling = true;
  const ExprId e = as_expr(m, copy);
  m.spilling = false;
  const auto made_at = m.unit.ast.exprs[e].origin;
  m.shared.note_use(e);
  if (m.literal != nullptr && is_name(m, e, m.unit.ast.text(name))) {  // as_expr() has emitted a def of this name
    v = Value{.expr = e, .seq = v.seq};
    return;
  }
  const LStmt s{.stmt = m.unit.ast.stmt(ast::Assign{{m.name_expr(name)}, e}, made_at), .offset = m.insn->offset};
  if (m.state.is_leaving()) {  // the value was evaluated before control left the protected range
    m.state.stmts.insert(m.state.stmts.begin() + static_cast<std::ptrdiff_t>(m.state.leave_at), s);
    ++m.state.leave_at;
  } else {
    m.state.stmts.push_back(s);
  }
  v.kind = ValueKind::kExpr;
  v.expr = m.name_expr(name);
  v.seq = 0;
}

void spill_pending(Machine& m, std::uint32_t before) {
  std::vector<Value*> pending;
  for (auto& v : m.state.stack)
    if (v.seq < before && can_spill(m, v) && !is_fixed(m, v)) pending.push_back(&v);
  std::sort(pending.begin(), pending.end(), [](auto* x, auto* y) { return x->seq < y->seq; });
  std::unordered_map<std::uint32_t, Value> done;  // copies of one value share one temporary
  for (auto* v : pending) {
    if (is_fixed(m, *v)) continue;  // spilled in the meantime, together with an unpacking
    const auto old = v->kind == ValueKind::kExpr ? v->expr.n : 0xFFFFFFFFU;
    if (const auto it = done.find(old); it != done.end()) {
      *v = it->second;
      continue;
    }
    spill_value(m, *v);
    if (old != 0xFFFFFFFFU) done[old] = *v;
  }
}

ExprId unfolded(Unit& unit, ExprId value) {
  if (!unit.dialect.folds_arithmetic_after_tests) return value;
  const auto& node = unit.ast.exprs[value].node;
  const auto* constant = ast::constant_of(unit.ast, unit.code, value);
  const bool is_number = constant != nullptr && !is_folded_late(*constant) &&
                         (std::holds_alternative<ConstInt>(*constant) || std::holds_alternative<ConstFloat>(*constant));
  const auto* literal = std::get_if<ast::IntLiteral>(&node);
  if (!is_number && (literal == nullptr || literal->value < 0)) return value;
  return unit.ast.expr(ast::UnaryOp{ast::UnaryOperator::kUAdd, value}, unit.ast.exprs[value].origin);
}

ExprId hidden(Unit& unit, ExprId value) {
  const auto make = [&](auto node) { return unit.ast.expr(std::move(node), unit.ast.exprs[value].origin); };
  const ExprId zero = make(ast::IntLiteral{0});
  if (unit.dialect.folds_constant_tests) return make(ast::BoolOp{ast::BoolOperator::kOr, {zero, value}});
  return make(ast::IfExp{make(ast::IntLiteral{1}), value, zero});
}

void emit_leave(Machine& m, LStmt s) {
  s.offset = m.insn->offset;
  bool pending = false;
  for (const auto& v : m.state.stack) pending |= can_spill(m, v) && !is_fixed(m, v);
  if (pending && !m.state.is_leaving()) m.state.leave_at = static_cast<std::uint32_t>(m.state.stmts.size());
  if (!m.state.stack.empty() && m.top().kind == ValueKind::kExpr) m.top().expr = unfolded(m.unit, m.top().expr);
  m.state.stmts.push_back(s);
}

void check_deferred(Machine& m) {
  if (m.literal != nullptr)
    for (auto& v : m.state.stack) v.deferred = v.deferred && v.kind != ValueKind::kIter;
  const auto imported = [&](const Value& v) {  // `import a.b.c as d`: module b is still on the stack, to be popped
    return (v.kind == ValueKind::kModule || v.kind == ValueKind::kImportAttr) && m.state.pending->imports[v.a].stored;
  };
  if (m.state.stack.any_of([&](const Value& v) { return v.deferred && !imported(v); }))
    return m.refuse("a statement between an operation and its use");
  spill_unpackings(m);
}

namespace {

// Assigns the remaining items of the unpacking `root`, nested ones included, to temporaries, which completes its
// statement. Other unpackings, and values evaluated after `seq`, are off the stack meanwhile, and so not spilled first.
void spill_unpacking(Machine& m, std::uint32_t root, std::uint32_t seq) {
  const auto is_item = [&](const Value& v) {
    return v.kind == ValueKind::kUnpack && m.state.pending->groups[v.a].root == root;
  };
  std::vector<std::pair<Value*, NameId>> items;
  for (auto& v : m.state.stack)
    if (is_item(v)) items.emplace_back(&v, m.literal != nullptr ? item_temp(m, v) : NameId{});
  std::vector<std::pair<Value*, Value>> set_aside;
  for (auto& v : m.state.stack)
    if ((v.kind == ValueKind::kUnpack && !is_item(v)) || (can_spill(m, v) && v.seq > seq))
      set_aside.emplace_back(&v, std::exchange(v, Value{.kind = ValueKind::kNull}));
  for (; !items.empty(); items.pop_back()) {
    const auto [at, name] = items.back();
    const Value v = *at;
    if (v.b != m.state.pending->groups[v.a].filled) {
      m.refuse("a statement in the middle of an unpacking");
      break;
    }
    *at = {.expr = m.name_expr(m.literal != nullptr ? name : m.fresh_temp()), .seq = v.seq};
    fill_unpack(m, v.a, v.b, at->expr);
  }
  for (const auto& [at, v] : set_aside) *at = v;
}

}  // namespace

// Spills the items of all open unpackings that were evaluated before `before`, one unpacking after the other.
void spill_unpackings(Machine& m, std::uint32_t before) {
  for (;;) {
    const Value* first = nullptr;
    for (const auto& v : m.state.stack)
      if (v.kind == ValueKind::kUnpack && v.seq < before && (first == nullptr || v.seq < first->seq)) first = &v;
    if (first == nullptr) return;
    spill_unpacking(m, m.state.pending->groups[first->a].root, first->seq);
    if (!m.state.refusal.empty()) return;
  }
}

// Returns whether a value below `end` on the stack was evaluated after `seq` and is still pending.
bool has_pending_after(const Machine& m, std::uint32_t seq, const Value* end) {
  return std::any_of(std::as_const(m.state.stack).begin(), end, [&](const Value& v) {
    return v.seq > seq && (v.kind == ValueKind::kUnpack || (can_spill(m, v) && !is_fixed(m, v)));
  });
}

namespace {

// After a SWAP: spills all pending values if one below `first`, which stays on the stack, was evaluated after one of
// the operands from `first` on, which the current instruction uses. Otherwise updates State::disordered.
void spill_remaining(Machine& m, const Value* first) {
  const auto counts = [&](const Value& v) {
    if (v.kind == ValueKind::kUnpack) return true;
    if (v.kind != ValueKind::kExpr || is_fixed(m, v)) return false;
    const auto& node = m.unit.ast.exprs[v.expr].node;  // making an empty display has no effect, so its order is free
    if (const auto* l = std::get_if<ast::List>(&node)) return !l->elts.empty();
    if (const auto* s = std::get_if<ast::Set>(&node)) return !s->elts.empty();
    if (const auto* d = std::get_if<ast::Dict>(&node)) return !d->values.empty();
    return true;
  };
  std::uint32_t least = 0xFFFFFFFF, last = 0;
  for (const Value* v = first; v != m.state.stack.end(); ++v)
    if (counts(*v)) least = std::min(least, v->seq);
  bool ordered = true;
  for (const Value* v = m.state.stack.begin(); v != first; ++v) {
    if (!counts(*v) || m.shared.copies.contains(v->expr.n)) continue;
    if (v->seq > least) return spill_pending(m);
    ordered = ordered && v->seq >= last;
    last = v->seq;
  }
  m.state.disordered = !ordered || least < last;
}

// Returns whether the value is an iterator that GET_ITER made and no loop has taken.
bool is_made_iterator(const Value& v) { return v.kind == ValueKind::kIter && v.deferred && v.a == 0 && v.b != 0; }

// Among the operands from `first` on, considers those that are above an operand evaluated later, and returns the
// largest sequence number of these; nullopt if all operands are in the order of evaluation. Values evaluated later than
// the returned number need not be spilled.
std::optional<std::uint32_t> last_misordered(const Machine& m, const Value* first) {
  std::optional<std::uint32_t> seq;
  std::uint32_t last = 0;
  for (const Value* v = first; v != m.state.stack.end(); ++v) {
    const bool counts =
        v->kind == ValueKind::kUnpack || is_made_iterator(*v) || (v->kind == ValueKind::kExpr && !is_fixed(m, *v));
    if (counts && v->seq < last) seq = std::max(seq.value_or(0), v->seq);
    if (counts) last = std::max(last, v->seq);
  }
  return seq;
}

}  // namespace

// Spills operands of an instruction whose order on the stack differs from the order of their evaluation. CPython's
// compiler swaps operands only for stores to names and for augmented and parallel assignments, which are excepted here.
void spill_misordered(Machine& m, const Instruction& insn) {
  const auto pops = m.effect.pops;
  const auto size = m.state.stack.size();
  if (insn.op == Op::SWAP || insn.op == Op::COPY || pops < 1 || static_cast<std::size_t>(pops) > size) return;
  const bool stores = insn.op == Op::STORE_ATTR || insn.op == Op::STORE_SUBSCR || insn.op == Op::STORE_SLICE;
  Value* first = &m.top(static_cast<std::uint32_t>(pops));
  for (const Value* v = first; v != m.state.stack.end(); ++v)
    if (v->kind == ValueKind::kUnpack && has_pending_after(m, v->seq, first)) spill_unpackings(m, v->seq + 1);
  if (stores_name(insn.op)) return;
  if (stores && m.shared.inplace.contains(first->expr.n)) return;
  const auto earlier = [](const Value& x, const Value& y) { return x.seq < y.seq; };
  if (!m.state.disordered && std::is_sorted(first, m.state.stack.end(), earlier)) return;
  if (const auto limit = last_misordered(m, first)) {
    for (Value* v = first; v != m.state.stack.end(); ++v)
      if (is_made_iterator(*v)) *v = {.expr = as_expr(m, *v), .seq = v->seq};
    if (m.state.is_leaving()) return spill_pending(m);
    spill_pending(m, *limit + 1);
    spill_unpackings(m, *limit + 1);
  }
  const bool unpacks = insn.op == Op::UNPACK_SEQUENCE || insn.op == Op::UNPACK_EX;
  if ((stores || unpacks) && parallel_items(m, *first, first) > 1) return;
  if (m.state.disordered && !m.state.is_leaving()) spill_remaining(m, first);
}

}  // namespace depyf::lift
