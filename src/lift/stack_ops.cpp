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

// Lifts POP_TOP, whose meaning depends on the kind of the popped value.
void drop(Machine& m, Value v) {
  if (m.literal != nullptr && v.kind == ValueKind::kIter) v = Value{.expr = as_expr(m, v)};
  switch (v.kind) {
    case ValueKind::kExpr:
      if (m.literal != nullptr && m.unit.is_temp(v.expr)) {
        const NameId id = std::get<ast::Name>(m.unit.ast.exprs[v.expr].node).id;
        if (std::ranges::none_of(m.state.stack, [&](const Value& o) { return mentions(m, o, id); }) &&
            m.literal->used_names.contains(id.n))
          m.push_stmt(m.stmt(ast::Assign{{v.expr}, m.make(ast::NoneLiteral{})}));
        return;
      }
      if (auto it = m.shared.copies.find(v.expr.n); it != m.shared.copies.end()) {
        // One copy of a shared value is popped; the value is evaluated where another copy is used.
        for (const auto& o : m.state.stack)
          if (o.kind == ValueKind::kExpr && o.expr == v.expr) return;
        if (it->second.uses > 0) return;
      }
      if (m.unit.is_temp(v.expr)) return;
      // The None that RETURN_GENERATOR leaves, i.e. the value sent to start a generator: no source expression.
      if (std::holds_alternative<ast::NoneLiteral>(m.unit.ast.exprs[v.expr].node)) return;
      m.embed(v);
      if (m.literal == nullptr && ast::is_constant(m.unit.ast, v.expr)) v.expr = kept_constant(m, v.expr);
      check_deferred(m);
      spill_pending(m, v.seq);  // values that were evaluated later may stay pending
      return m.push_stmt(m.stmt(ast::ExprStmt{as_expr(m, v)}));
    case ValueKind::kFunction: m.emit_stmt(ast::ExprStmt{as_expr(m, v)}); return;
    case ValueKind::kExitResult:
      return emit_leave(m, {.kind = LKind::kWithExit, .is_async = v.a != 0, .exit_flag = m.stream[m.at].flags});
    case ValueKind::kUnpack:
      // `_, _ = t` and `(a, _), _ = t` on one line: the compiler turns all but the last store to `_` into POP_TOP
      // (3.13+, optimize_basic_block in Python/flowgraph.c). So the next store to a local among the targets names it.
      for (std::size_t i = 1, rest = targets_after(m.state.groups, v); m.peek(i) != nullptr && i <= rest; ++i) {
        if (m.peek(i)->op == Op::POP_TOP) continue;
        if (m.peek(i)->op == Op::STORE_FAST)
          return fill_unpack(m, v.a, v.b, m.name_expr(*m.lifter.stored_name(*m.peek(i))));
        break;
      }
      fill_unpack(m, v.a, v.b, m.name_expr(m.fresh_temp()));
      return;
    case ValueKind::kModule:
    case ValueKind::kImportAttr: drop_import(m, v); return;
    case ValueKind::kIter:
      if (v.deferred) m.refuse("a result that is dropped");
      leave_loop(m);
      return;
    case ValueKind::kKnown:
      if (v.b != 0) m.refuse("a value that stays where it lies");
      return;
    default: return;
  }
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
    case Op::SWAP: {
      if (insn.arg == 2 && m.peek() != nullptr && m.peek()->op == Op::SWAP && m.peek()->arg == 2) {
        ++m.at;  // ROT_TWO twice has no effect
        return;
      }
      const auto swaps_two = [&](const Instruction* i) { return i != nullptr && i->op == Op::SWAP && i->arg == 2; };
      if (insn.arg == 3 && swaps_two(m.peek()) && swaps_two(m.peek(2))) m.at += 2;  // ROT_THREE; ROT_TWO is SWAP 3
      for (const Value* v : {&m.top(1), &m.top(insn.arg)})
        if (v->kind == ValueKind::kKnown && v->b != 0) m.refuse("a value that stays where it lies");
      std::swap(m.top(1), m.top(insn.arg));
      m.state.disordered = true;
      m.state.low = std::min(m.state.low, static_cast<std::uint32_t>(m.state.stack.size() - insn.arg));
      return;
    }
    case Op::COPY: {
      Value& v = m.top(insn.arg);
      if (v.kind == ValueKind::kKnown && v.b != 0) m.refuse("a value that stays where it lies");
      m.state.low = std::min(m.state.low, static_cast<std::uint32_t>(m.state.stack.size() - insn.arg));
      to_lambda_expr(m, v);
      if (v.kind == ValueKind::kFunction || (v.kind == ValueKind::kExpr && (m.lifter.spill.contains(insn.offset) ||
                                                                            (m.lifter.spill_all && !is_fixed(m, v))))) {
        spill_pending(m, v.seq);  // values evaluated earlier come first, even if a SWAP has put them above it
        spill_value(m, m.top(insn.arg));
      } else if (v.kind == ValueKind::kExpr && !m.unit.is_temp(v.expr) && (m.literal == nullptr || !is_fixed(m, v))) {
        m.shared.copies.try_emplace(v.expr.n, SharedValues::Copy{insn.offset, 0});
      }
      Value c = m.top(insn.arg);
      const auto seq = c.seq;
      m.push(c);
      m.top().seq = seq;
      return;
    }
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
