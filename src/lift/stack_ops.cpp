// SPDX-License-Identifier: MIT
// What only moves values on the stack, copies or drops them.
#include <algorithm>
#include <vector>

#include "lift/families.h"

namespace depyf::lift {

namespace {

// How many targets follow that of an unpacked item.
std::size_t left_to_unpack(const std::vector<UnpackGroup>& groups, const Value& item) {
  const auto* g = &groups[item.a];
  auto left = g->targets.size() - item.b - 1;
  for (; g->parent != 0; g = &groups[g->parent - 1]) left += groups[g->parent - 1].targets.size() - g->parent_item - 1;
  return left;
}

// A constant as a statement compiles to no code; one that has code is a string in an f-string or has an operation around it
// that is decided when it is compiled. A None that is dropped is Dynamo's, and means nothing.
ExprId kept_constant(Machine& m, ExprId value) {
  const auto* text = m.constant_of<ConstStr>(value);
  if (text != nullptr && !text->text.empty() && !m.unit.dialect.drops_constant_fstrings)
    return m.make(ast::JoinedStr{{value}});
  if (ast::is_none(m.unit.ast, m.unit.code, value)) return value;
  const ExprId zero = m.make(ast::IntLiteral{0});
  if (m.unit.dialect.folds_constant_tests) return m.make(ast::BoolOp{ast::BoolOperator::kOr, {zero, value}});
  return m.make(ast::IfExp{m.make(ast::IntLiteral{1}), value, zero});
}

// POP_TOP
void drop(Machine& m, Value v) {
  if (m.literal != nullptr && v.kind == ValueKind::kIter) v = Value{.expr = as_expr(m, v)};
  switch (v.kind) {
    case ValueKind::kExpr:
      if (m.literal != nullptr && m.unit.is_temp(v.expr)) {
        const NameId id = std::get<ast::Name>(m.unit.ast.exprs[v.expr].node).id;
        if (std::ranges::none_of(m.state.stack, [&](const Value& o) { return mentions(m, o, id); }) &&
            m.literal->taken.contains(id.n))
          m.push_stmt(m.stmt(ast::Assign{{v.expr}, m.make(ast::NoneLiteral{})}));
        return;
      }
      if (auto it = m.shared.copies.find(v.expr.n); it != m.shared.copies.end()) {
        // one copy of a shared value is dropped: it is evaluated where the other copy is
        for (const auto& o : m.state.stack)
          if (o.kind == ValueKind::kExpr && o.expr == v.expr) return;
        if (it->second.uses > 0) return;
      }
      if (m.unit.is_temp(v.expr)) return;
      // what starting a generator sends: no operation made it
      if (std::holds_alternative<ast::NoneLiteral>(m.unit.ast.exprs[v.expr].node)) return;
      m.embed(v);
      if (m.literal == nullptr && ast::is_constant(m.unit.ast, v.expr)) v.expr = kept_constant(m, v.expr);
      check_late(m);
      spill_pending(m, v.seq);  // what was evaluated later stays later
      return m.push_stmt(m.stmt(ast::ExprStmt{as_expr(m, v)}));
    case ValueKind::kFunction: m.emit_stmt(ast::ExprStmt{as_expr(m, v)}); return;
    case ValueKind::kExitResult:
      return emit_leave(m, {.kind = LKind::kWithExit, .is_async = v.a != 0, .exit_flag = m.stream[m.at].flags});
    case ValueKind::kUnpack:
      // `_, _ = t` and `(a, _), _ = t` on one line: the first stores are dropped (3.13+)
      for (std::size_t i = 1, left = left_to_unpack(m.state.groups, v); m.peek(i) != nullptr && i <= left; ++i) {
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
      if (v.late) m.refuse("a result that is dropped");
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
        ++m.at;  // ROT_TWO twice: nothing
        return;
      }
      const auto swaps_two = [&](const Instruction* i) { return i != nullptr && i->op == Op::SWAP && i->arg == 2; };
      if (insn.arg == 3 && swaps_two(m.peek()) && swaps_two(m.peek(2))) m.at += 2;  // ROT_THREE, ROT_TWO: a SWAP 3
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
      settle_lambda(m, v);
      if (v.kind == ValueKind::kFunction || (v.kind == ValueKind::kExpr && (m.lifter.spill.contains(insn.offset) ||
                                                                            (m.lifter.spill_all && !stable(m, v))))) {
        spill_pending(m, v.seq);  // stays before it, wherever a SWAP has put it
        spill_value(m, m.top(insn.arg));
      } else if (v.kind == ValueKind::kExpr && !m.unit.is_temp(v.expr) && (m.literal == nullptr || !stable(m, v))) {
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

// The iterator of a for loop is off the stack. With a value on it, that is on its way to `return` and nothing needs to be
// said; after an END_FOR that leaves it there it is the loop's own end (3.13+).
void leave_loop(Machine& m) {
  if (m.at > 0 && m.stream[m.at - 1].op == Op::END_FOR &&
      effect(m.unit.dialect.version, m.stream[m.at - 1], false).pops == 1)
    return;
  if (m.state.stack.has(ValueKind::kExpr) || m.state.stack.has(ValueKind::kFunction)) {
    m.state.returns_from_loop = true;
    return;
  }
  emit_leave(m, {.kind = LKind::kLoopExit, .depth = static_cast<std::uint32_t>(m.state.stack.size())});
}

}  // namespace depyf::lift
