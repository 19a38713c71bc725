// SPDX-License-Identifier: MIT
// Instructions that only move, copy or pop values of the operand stack (SWAP, COPY, POP_TOP, PUSH_NULL), and those
// without a stack effect. POP_TOP has many meanings: an expression statement, the end of a `with` or a loop, and more.
#include <algorithm>
#include <vector>

#include "lift/families.h"
#include "lift/unfolded.h"

namespace depyf::lift {

namespace {

// Returns how many targets of the outermost unpacking follow the target of an item.
std::size_t targets_after(const std::vector<UnpackGroup>& groups, const Value& item) {
  const auto* g = &groups[item.a];
  auto rest = g->targets.size() - item.b - 1;
  for (; g->parent != 0; g = &groups[g->parent - 1]) rest += groups[g->parent - 1].targets.size() - g->parent_item - 1;
  return rest;
}

// Returns an expression for a constant that LOAD_CONST; POP_TOP discards. A constant alone as a statement compiles to
// no code, so the source was an f-string without fields, or an operation that the compiler folded around the constant.
// A None is returned as it is: Dynamo and edited code discard one, and it has no effect.
ExprId kept_constant(Machine& m, ExprId value) {
  const auto* text = m.constant_of<ConstStr>(value);
  if (text != nullptr && !text->text.empty() && !m.unit.dialect.drops_constant_fstrings)
    return m.make(ast::JoinedStr{{value}});
  return ast::is_none(m.unit.ast, m.unit.code, value) ? value : hidden(m.unit, value);
}

// Lifts the POP_TOP of an expression: a statement, unless the text evaluates the value elsewhere.
void drop_expr(Machine& m, Value v) {
  const bool is_temp = m.unit.is_temp(v.expr);
  if (m.literal != nullptr && is_temp) {  // releases the object: no reader of the variable is left
    const NameId id = std::get<ast::Name>(m.unit.ast.exprs[v.expr].node).id;
    if (std::ranges::none_of(m.state.stack, [&](const Value& o) { return mentions(m, o, id); }) &&
        m.literal->used_names.contains(id.n))
      m.push_stmt(m.stmt(ast::Assign{{v.expr}, m.make(ast::NoneLiteral{})}));
    return;
  }
  if (const auto it = m.shared.copies.find(v.expr.n); it != m.shared.copies.end()) {
    // One copy of a shared value is popped; the value is evaluated where another copy is used.
    const auto is_copy = [&](const Value& o) { return o.kind == ValueKind::kExpr && o.expr == v.expr; };
    if (it->second.uses > 0 || std::ranges::any_of(m.state.stack, is_copy)) return;
  }
  // The None that RETURN_GENERATOR leaves, i.e. the value sent to start a generator, has no source expression.
  if (is_temp || std::holds_alternative<ast::NoneLiteral>(m.unit.ast.exprs[v.expr].node)) return;
  m.embed(v);
  if (m.literal == nullptr && ast::is_constant(m.unit.ast, v.expr)) v.expr = kept_constant(m, v.expr);
  check_deferred(m);
  spill_pending(m, v.seq);  // values that were evaluated later may stay pending
  m.push_stmt(m.stmt(ast::ExprStmt{as_expr(m, v)}));
}

// Lifts the POP_TOP of an item of an unpacking. In `_, _ = t` and `(a, _), _ = t` on one line, the compiler turns all
// but the last store to `_` into POP_TOP (3.13+, optimize_basic_block in Python/flowgraph.c). So the next store to a
// local among the targets has its name.
void drop_item(Machine& m, const Value& item) {
  const auto rest = targets_after(m.state.pending->groups, item);
  std::size_t i = 1;
  while (i <= rest && m.peek(i) != nullptr && m.peek(i)->op == Op::POP_TOP) ++i;
  const auto* next = i <= rest ? m.peek(i) : nullptr;
  const bool names_local = next != nullptr && next->op == Op::STORE_FAST;
  fill_unpack(m, item.a, item.b, m.name_expr(names_local ? *m.lifter.stored_name(*next) : m.fresh_temp()));
}

// Refuses to move, copy or pop a value that has a fixed place on the stack of the caller (literal mode).
void refuse_if_immovable(Machine& m, const Value& v) {
  if (v.kind == ValueKind::kKnown && v.b != 0) m.refuse("a value that stays where it lies");
}

// Lifts POP_TOP, whose meaning depends on the kind of the popped value.
void drop(Machine& m, Value v) {
  if (m.literal != nullptr && v.kind == ValueKind::kIter) v = Value{.expr = as_expr(m, v)};
  switch (v.kind) {
    case ValueKind::kExpr: return drop_expr(m, v);
    case ValueKind::kFunction: m.emit_stmt(ast::ExprStmt{as_expr(m, v)}); return;
    case ValueKind::kExitResult:
      return emit_leave(m, {.kind = LKind::kWithExit, .is_async = v.a != 0, .exit_flag = m.stream[m.at].flags});
    case ValueKind::kUnpack: return drop_item(m, v);
    case ValueKind::kModule:
    case ValueKind::kImportAttr: drop_import(m, v); return;
    case ValueKind::kIter:
      if (v.deferred) m.refuse("a result that is dropped");
      leave_loop(m);
      return;
    case ValueKind::kKnown: return refuse_if_immovable(m, v);
    default: return;
  }
}

// Exchanges the top of the stack with entry n.
void swap(Machine& m, std::uint32_t n) {
  const auto swaps_two = [&](const Instruction* i) { return i != nullptr && i->op == Op::SWAP && i->arg == 2; };
  if (n == 2 && swaps_two(m.peek())) {
    ++m.at;  // ROT_TWO twice has no effect
    return;
  }
  if (n == 3 && swaps_two(m.peek()) && swaps_two(m.peek(2))) m.at += 2;  // ROT_THREE; ROT_TWO is SWAP 3
  refuse_if_immovable(m, m.top(1));
  refuse_if_immovable(m, m.top(n));
  std::swap(m.top(1), m.top(n));
  m.state.disordered = true;
  m.state.low = std::min(m.state.low, static_cast<std::uint32_t>(m.state.stack.size() - n));
}

// Pushes a copy of entry n of the stack. The value is spilled to a temporary or recorded as shared between the copies.
void copy(Machine& m, std::uint32_t n) {
  Value& v = m.top(n);
  refuse_if_immovable(m, v);
  m.state.low = std::min(m.state.low, static_cast<std::uint32_t>(m.state.stack.size() - n));
  to_lambda_expr(m, v);
  const bool is_expr = v.kind == ValueKind::kExpr;
  const bool needs_temp = m.lifter.spill.contains(m.insn->offset) || (m.lifter.spill_all && is_expr && !is_fixed(m, v));
  if (v.kind == ValueKind::kFunction || (is_expr && needs_temp)) {
    spill_pending(m, v.seq);  // values evaluated earlier come first, even if a SWAP has put them above it
    spill_value(m, m.top(n));
  } else if (is_expr && !m.unit.is_temp(v.expr) && (m.literal == nullptr || !is_fixed(m, v))) {
    m.shared.copies.try_emplace(v.expr.n, SharedValues::Copy{m.insn->offset, 0});
  }
  const Value copied = m.top(n);
  m.push(copied);
  m.top().seq = copied.seq;
}

}  // namespace

void stack_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::NOP:
    case Op::RESUME:
    case Op::MAKE_CELL:
    case Op::COPY_FREE_VARS:
    case Op::GEN_START: return;
    case Op::SETUP_ANNOTATIONS:
      if (!m.unit.dialect.evaluates_annotations(m.co.flags)) m.refuse("annotations that are evaluated at once");
      m.lifter.annotates = true;
      return;
    case Op::POP_BLOCK: {
      emit_leave(m, {.kind = LKind::kFinallyExit, .exit_flag = insn.flags, .handler = insn.arg});
      if (insn.flags == kEndlessExit && m.peek() == nullptr) {
        m.push_stmt(m.stmt(ast::Return{}));
        m.state.end = EndKind::kReturn;
      }
      return;
    }
    case Op::PUSH_NULL: m.push({.kind = ValueKind::kNull}); return;
    case Op::SWAP: return swap(m, insn.arg);
    case Op::COPY: return copy(m, insn.arg);
    case Op::POP_TOP: drop(m, m.pop()); return;
    default: return;
  }
}

// Handles the pop of the iterator of a for loop: emits kLoopExit, which becomes a `break`. If a value is left on the
// stack, a `return` with that value follows, which leaves the loop by itself. Directly after an END_FOR that leaves the
// iterator on the stack (3.13+), the pop is part of the normal end of the loop.
void leave_loop(Machine& m) {
  if (m.at > 0 && m.stream[m.at - 1].op == Op::END_FOR &&
      effect(m.unit.dialect.version, m.stream[m.at - 1], false).pops == 1)
    return;
  if (m.state.stack.has(ValueKind::kExpr) || m.state.stack.has(ValueKind::kFunction)) {
    m.state.returns_from_loop = true;
    if (m.top().kind == ValueKind::kExpr) m.top().expr = unfolded(m.unit, m.top().expr);
    return;
  }
  emit_leave(m, {.kind = LKind::kLoopExit, .depth = static_cast<std::uint32_t>(m.state.stack.size())});
}

}  // namespace depyf::lift
