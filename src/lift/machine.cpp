// SPDX-License-Identifier: MIT
// The symbolic machine: the stack, statements in evaluation order, spilling, and the families' dispatch.
#include "lift/machine.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <string>
#include <unordered_map>
#include <vector>

#include "lift/families.h"

namespace depyf::lift {

namespace {

constexpr std::uint32_t kMaxHeight = 24;  // literal mode: of pending expressions, as nested parentheses are limited

ExprIds display_items(const ast::Tree& tree, ExprId display) {
  const auto* list = std::get_if<ast::List>(&tree.exprs[display].node);
  return list != nullptr ? list->elts : std::get<ast::Tuple>(tree.exprs[display].node).elts;
}

using Family = void (*)(Machine&, const Instruction&);

// By Op; null: no line has it, the graph or match/ has something else in its place.
constexpr auto kFamilies = [] {
  std::array<Family, std::size(kOpFacts)> of{};
  const auto add = [&](Family family, std::initializer_list<Op> ops) {
    for (const Op op : ops) of[static_cast<std::size_t>(op)] = family;
  };
  add(stack_op, {Op::NOP, Op::RESUME, Op::MAKE_CELL, Op::COPY_FREE_VARS, Op::GEN_START, Op::SETUP_ANNOTATIONS,
                 Op::POP_BLOCK, Op::PUSH_NULL, Op::SWAP, Op::COPY, Op::POP_TOP});
  add(name_op, {Op::LOAD_CONST, Op::LOAD_SMALL_INT, Op::LOAD_COMMON_CONSTANT, Op::LOAD_FAST, Op::LOAD_NAME,
                Op::LOAD_GLOBAL, Op::LOAD_DEREF, Op::LOAD_CLASSDEREF, Op::LOAD_FROM_DICT_OR_DEREF,
                Op::LOAD_FROM_DICT_OR_GLOBALS, Op::LOAD_LOCALS, Op::LOAD_CLOSURE, Op::LOAD_FAST_AND_CLEAR});
  add(store_op, {Op::STORE_FAST, Op::STORE_NAME, Op::STORE_GLOBAL, Op::STORE_DEREF, Op::STORE_ATTR, Op::STORE_SUBSCR,
                 Op::STORE_SLICE, Op::DELETE_FAST, Op::DELETE_NAME, Op::DELETE_GLOBAL, Op::DELETE_DEREF,
                 Op::DELETE_ATTR, Op::DELETE_SUBSCR, Op::UNPACK_SEQUENCE, Op::UNPACK_EX});
  add(operator_op, {Op::UNARY_POSITIVE, Op::UNARY_NEGATIVE, Op::UNARY_NOT, Op::UNARY_INVERT, Op::TO_BOOL, Op::BINARY_OP,
                    Op::COMPARE_OP, Op::IS_OP, Op::CONTAINS_OP});
  add(item_op, {Op::LOAD_ATTR, Op::LOAD_METHOD, Op::LOAD_SUPER_ATTR, Op::LOAD_SUPER_METHOD, Op::BINARY_SUBSCR,
                Op::BINARY_SLICE, Op::BUILD_SLICE});
  add(display_op,
      {Op::BUILD_TUPLE, Op::BUILD_LIST, Op::BUILD_SET, Op::BUILD_MAP, Op::BUILD_CONST_KEY_MAP, Op::LIST_TO_TUPLE});
  add(unpack_op, {Op::BUILD_LIST_UNPACK, Op::BUILD_TUPLE_UNPACK, Op::BUILD_TUPLE_UNPACK_WITH_CALL, Op::BUILD_SET_UNPACK,
                  Op::BUILD_MAP_UNPACK, Op::BUILD_MAP_UNPACK_WITH_CALL});
  add(grow_op,
      {Op::LIST_APPEND, Op::SET_ADD, Op::MAP_ADD, Op::LIST_EXTEND, Op::SET_UPDATE, Op::DICT_UPDATE, Op::DICT_MERGE});
  add(text_op, {Op::BUILD_STRING, Op::FORMAT_VALUE, Op::CONVERT_VALUE, Op::FORMAT_SIMPLE, Op::FORMAT_WITH_SPEC,
                Op::BUILD_INTERPOLATION, Op::BUILD_TEMPLATE});
  add(call_op, {Op::CALL_FUNCTION, Op::CALL, Op::CALL_FUNCTION_KW, Op::CALL_KW, Op::CALL_FUNCTION_EX,
                Op::LOAD_BUILD_CLASS, Op::MAKE_FUNCTION, Op::SET_FUNCTION_ATTRIBUTE});
  add(type_op, {Op::CALL_INTRINSIC_1, Op::CALL_INTRINSIC_2});
  add(flow_op, {Op::JUMP, Op::POP_JUMP_IF_FALSE, Op::POP_JUMP_IF_TRUE, Op::POP_JUMP_IF_NONE, Op::POP_JUMP_IF_NOT_NONE,
                Op::JUMP_IF_FALSE_OR_POP, Op::JUMP_IF_TRUE_OR_POP, Op::RETURN_VALUE, Op::RAISE_VARARGS, Op::RERAISE});
  add(iterate_op, {Op::FOR_ITER, Op::GET_ITER, Op::GET_AITER, Op::GET_ANEXT, Op::END_FOR, Op::POP_ITER});
  add(generator_op, {Op::GET_YIELD_FROM_ITER, Op::GET_AWAITABLE, Op::YIELD_FROM, Op::ASYNC_GEN_WRAP,
                     Op::STOPITERATION_ERROR, Op::YIELD_VALUE, Op::RETURN_GENERATOR});
  add(context_op, {Op::BEFORE_WITH, Op::SETUP_WITH, Op::BEFORE_ASYNC_WITH, Op::SETUP_FINALLY, Op::SETUP_ASYNC_WITH,
                   Op::LOAD_SPECIAL, Op::WITH_EXCEPT_START, Op::PUSH_EXC_INFO, Op::CHECK_EXC_MATCH, Op::EXC_MATCH,
                   Op::POP_EXCEPT, Op::PRINT_EXPR});
  add(import_op, {Op::IMPORT_NAME, Op::IMPORT_FROM, Op::IMPORT_STAR});
  add(pattern_op, {Op::GET_LEN});
  return of;
}();

}  // namespace

NameId Machine::fresh_temp() {
  if (literal == nullptr) return unit.fresh_temp();
  for (std::uint32_t n = 0;; ++n)
    if (const NameId id = unit.ast.intern(unit.options.temp_prefix + "t" + std::to_string(n));
        literal->taken.insert(id.n).second)
      return id;
}

Value Machine::pop() {
  Value v = state.stack.back();
  state.stack.pop_back();
  state.low = std::min(state.low, static_cast<std::uint32_t>(state.stack.size()));
  return v;
}

ExprId Machine::pop_expr() {
  Value v = pop();
  embed(v);
  return as_expr(*this, v);
}

bool Machine::stable(const Value& v) const {
  if (v.kind == ValueKind::kFunction) {  // that of a comprehension has nothing but cells, which are there already
    const auto& f = state.functions[v.a];
    if (literal != nullptr && is_bare(*this, v)) return true;
    return unit.bodies[f.code.n].comprehension && !has_effects(*this, f);
  }
  if (v.kind != ValueKind::kExpr) return !can_spill(*this, v);
  const auto& node = unit.ast.exprs[v.expr].node;
  if (std::holds_alternative<ast::ConstantExpr>(node) || std::holds_alternative<ast::NoneLiteral>(node)) return true;
  if (const auto* n = std::get_if<ast::Name>(&node);
      n != nullptr && std::binary_search(lifter.steady.begin(), lifter.steady.end(), n->id))
    return true;
  if (const auto* s = std::get_if<ast::Slice>(&node)) {  // no expression of its own: its parts are what may change
    for (ExprId part : {s->lower, s->upper, s->step}) {
      Value p;
      p.expr = part;
      if (part.valid() && !stable(p)) return false;
    }
    return true;
  }
  if (is_class_display(*this, v)) {  // when it has been spilled
    const ExprIds all = display_items(unit.ast, v.expr);
    const auto* star = all.size() == 3 ? std::get_if<ast::Starred>(&unit.ast.exprs[all[2]].node) : nullptr;
    return all.size() < 3 || (star != nullptr && unit.is_temp(star->value));
  }
  return unit.is_temp(v.expr);
}

void Machine::spill_value(Value& v) {
  // what was unpacked before the value was evaluated has its statement first
  if (std::ranges::any_of(state.stack, [&](const Value& o) { return o.kind == ValueKind::kUnpack && o.seq < v.seq; }))
    settle_unpackings(*this);
  if (is_class_display(*this, v)) {  // but for the body's function and name
    const ExprIds all = display_items(unit.ast, v.expr);
    Value rest{.expr = make(ast::List{{all.begin() + 2, all.end()}}), .seq = v.seq};
    spill_value(rest);
    v.expr = make(ast::List{{all[0], all[1], make(ast::Starred{rest.expr})}});
    return;
  }
  if (v.kind == ValueKind::kExpr && std::holds_alternative<ast::Slice>(unit.ast.exprs[v.expr].node)) {
    auto slice = std::get<ast::Slice>(unit.ast.exprs[v.expr].node);
    for (ExprId* part : {&slice.lower, &slice.upper, &slice.step}) {
      Value p;
      p.expr = *part;
      if (!part->valid() || stable(p)) continue;
      spill_value(p);
      *part = p.expr;
    }
    v.expr = make(slice);
    return;
  }
  if (literal != nullptr && v.kind == ValueKind::kExpr) v.expr = as_object(*this, v.expr);
  const NameId name = literal != nullptr ? literal_temp(*this, v) : fresh_temp();
  Value copy = v;
  spill_name = name;
  spilling = true;
  const ExprId e = as_expr(*this, copy);
  spilling = false;
  const auto made_at = unit.ast.exprs[e].origin;
  shared.note_use(e);
  if (literal != nullptr && is_name(*this, e, unit.ast.text(name))) {  // a function has it already
    v = Value{.expr = e, .seq = v.seq};
    return;
  }
  LStmt s;
  s.stmt = unit.ast.stmt(ast::Assign{{name_expr(name)}, e}, made_at);
  s.offset = insn->offset;
  if (state.is_leaving()) {  // it was evaluated before the range was left
    state.stmts.insert(state.stmts.begin() + static_cast<std::ptrdiff_t>(state.leave_at), s);
    ++state.leave_at;
  } else {
    state.stmts.push_back(s);
  }
  v.kind = ValueKind::kExpr;
  v.expr = name_expr(name);
  v.seq = 0;
}

void Machine::spill_pending() {
  std::vector<Value*> pending;
  for (auto& v : state.stack)
    if (can_spill(*this, v) && !stable(v)) pending.push_back(&v);
  std::sort(pending.begin(), pending.end(), [](auto* x, auto* y) { return x->seq < y->seq; });
  std::unordered_map<std::uint32_t, Value> done;  // copies of one value share one temporary
  for (auto* v : pending) {
    if (stable(*v)) continue;  // settled with an unpacking
    const auto old = v->kind == ValueKind::kExpr ? v->expr.n : 0xFFFFFFFFU;
    if (const auto it = done.find(old); it != done.end()) {
      *v = it->second;
      continue;
    }
    spill_value(*v);
    if (old != 0xFFFFFFFFU) done[old] = *v;
  }
}

void Machine::emit_leave(LStmt s) {
  s.offset = insn->offset;
  bool pending = false;
  for (const auto& v : state.stack) pending |= can_spill(*this, v) && !stable(v);
  if (pending && !state.is_leaving()) state.leave_at = state.stmts.size();
  state.stmts.push_back(s);
}

void Machine::check_late() {
  if (literal != nullptr)
    for (auto& v : state.stack) v.late = v.late && v.kind != ValueKind::kIter;
  const auto imported = [&](const Value& v) {  // `import a.b.c as d`: b is still there, to be dropped
    return (v.kind == ValueKind::kModule || v.kind == ValueKind::kImportAttr) && state.imports[v.a].stored;
  };
  if (state.stack.any_of([&](const Value& v) { return v.late && !imported(v); }))
    return refuse("a statement between an operation and its use");
  settle_unpackings(*this);
}

// Items of an unpacking that are still on the stack get temporaries, so that the unpacking precedes the statement.
void settle_unpackings(Machine& m) {
  const auto first = std::ranges::find(m.state.stack, ValueKind::kUnpack, &Value::kind);
  if (first == m.state.stack.end()) return;
  const auto moment = first->seq;
  std::unordered_map<const Value*, NameId> names;
  for (const Value& v : m.state.stack)
    if (m.literal != nullptr && v.kind == ValueKind::kUnpack) names[&v] = unpacked_name(m, v);
  std::vector<std::pair<Value*, Value>> later;  // evaluated after it: they wait
  for (auto& v : m.state.stack)
    if (can_spill(m, v) && v.seq > moment) later.emplace_back(&v, std::exchange(v, Value{.kind = ValueKind::kNull}));
  for (auto* at = m.state.stack.end(); at-- != m.state.stack.begin();) {
    const Value v = *at;
    if (v.kind != ValueKind::kUnpack) continue;
    const auto& group = m.state.groups[v.a];
    if (group.parent != 0 || v.b != group.filled) {
      m.refuse("a statement in the middle of an unpacking");
      break;
    }
    Value kept;
    kept.kind = ValueKind::kExpr;
    kept.seq = v.seq;
    kept.expr = m.name_expr(m.literal != nullptr ? names.at(at) : m.fresh_temp());
    *at = kept;
    fill_unpack(m, v.a, v.b, kept.expr);
  }
  for (const auto& [at, v] : later) *at = v;
}

void Machine::emit(LStmt s) {
  s.offset = insn->offset;
  check_late();
  spill_pending();
  state.stmts.push_back(s);
}

void Machine::push_stmt(StmtId id) {
  LStmt s;
  s.stmt = id;
  s.offset = insn->offset;
  state.stmts.push_back(s);
}

namespace {

// After a swap: nothing that stays on the stack, below `first`, may have been evaluated after what is used now.
void settle_rest(Machine& m, const Value* first) {
  const auto counts = [&](const Value& v) {
    if (v.kind != ValueKind::kExpr || m.stable(v)) return false;
    const auto& node = m.unit.ast.exprs[v.expr].node;  // making an empty display is nothing that can be overtaken
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
    if (v->seq > least) return m.spill_pending();
    ordered = ordered && v->seq >= last;
    last = v->seq;
  }
  m.state.disordered = !ordered || least < last;
}

}  // namespace

// Operands that were evaluated in another order than they now lie in (swaps that no source makes) get temporaries.
void settle_order(Machine& m, const Instruction& insn) {
  const auto pops = m.effect.pops;
  switch (insn.op) {
    case Op::SWAP:
    case Op::COPY:
    case Op::STORE_FAST:
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL:
    case Op::STORE_DEREF: return;
    default: break;
  }
  const auto size = m.state.stack.size();
  if (pops < 1 || static_cast<std::size_t>(pops) > size) return;
  const bool stores = insn.op == Op::STORE_ATTR || insn.op == Op::STORE_SUBSCR || insn.op == Op::STORE_SLICE;
  Value* first = &m.top(static_cast<std::uint32_t>(pops));
  if (stores && m.shared.inplace.contains(first->expr.n)) return;
  const auto earlier = [](const Value& x, const Value& y) { return x.seq < y.seq; };
  if (!m.state.disordered && std::is_sorted(first, m.state.stack.end(), earlier)) return;
  std::uint32_t last = 0;
  for (const Value* v = first; v != m.state.stack.end(); ++v) {
    if (v->kind != ValueKind::kExpr || m.stable(*v)) continue;
    if (v->seq < last) {
      m.spill_pending();
      return;
    }
    last = v->seq;
  }
  const bool unpacks = insn.op == Op::UNPACK_SEQUENCE || insn.op == Op::UNPACK_EX;
  if ((stores || unpacks) && parallel_items(m, *first, first) > 1) return;
  if (m.state.disordered && !m.state.is_leaving()) settle_rest(m, first);
}

// ---------------------------------------------------------------- dispatch
Status Machine::run(std::size_t first, std::size_t end) {
  last = end;
  for (at = first; at < last; ++at) {
    insn = &stream[at];
    origin = {code, insn->offset};
    effect = depyf::effect(unit.dialect.version, *insn, false);
    const auto operation = [&] { return std::string(op_name(insn->op)); };
    if (!has(static_cast<std::uint32_t>(effect.pops)))
      return Error{Errc::kMalformed, insn->offset, "stack underflow at " + operation()};
    if (effect.pops >= 2 || state.disordered) settle_order(*this, *insn);
    const Family family = kFamilies[static_cast<std::size_t>(insn->op)];
    if (family == nullptr) return Error{Errc::kInternal, insn->offset, "no meaning for " + operation()};
    family(*this, *insn);
    if (failure) return *failure;
    // Nothing may walk a tree before this has been asked.
    if (!shared.copies.empty() && has(1) && top().kind == ValueKind::kExpr &&
        unit.sizes.of(unit.ast, top().expr) > unit.most_nodes) {
      lifter.outgrown = true;
      return Error{Errc::kLimitExceeded, insn->offset, "a value that is used several times"};
    }
    if (literal == nullptr) continue;
    if (!state.refusal.empty()) {
      state.settled = at;
      return depyf::Unit{};
    }
    settle_function(*this);
    if (has(1) && top().kind == ValueKind::kExpr && unit.sizes.height(unit.ast, top().expr) > kMaxHeight)
      spill_pending();
    if (is_settled(*this)) state.settled = at + 1;
  }
  if (literal != nullptr) {
    if (state.settled < last) settle_line(*this);
    if (is_settled(*this)) state.settled = last;
    return depyf::Unit{};
  }
  if (last == stream.size() && state.stack.begin() != state.stack.end())
    settle_lambda(*this, top());  // an arm of a conditional value
  return depyf::Unit{};
}

}  // namespace depyf::lift
