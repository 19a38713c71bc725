// SPDX-License-Identifier: MIT
// Loads, stores and deletes; unpacking, chained and parallel assignment, augmented assignment.
//
// Bytecode shapes: `x = y = e` is e, COPY 1, STORE x, STORE y; `a, b = c, d` is c, d, SWAP 2, STORE a, STORE b;
// `o.x += e` is o, COPY 1, LOAD_ATTR x, e, BINARY_OP in place, SWAP 2, STORE_ATTR x (Python/compile.c).
#include <algorithm>

#include "ast/walk.h"
#include "dynamo/names.h"
#include "lift/lift.h"

namespace depyf::lift {

ExprId constant_expr(Unit& unit, ConstId value, ast::Origin origin) {
  return unit.ast.expr(ast::ConstantExpr{value}, origin);
}

std::optional<ExprId> Lifter::plain_target(const Instruction& insn) {
  switch (insn.op) {
    case Op::STORE_FAST: return name_expr(locals_[insn.arg]);
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL: return name_expr(names_[insn.arg]);
    case Op::STORE_DEREF: return name_expr(derefs()[insn.arg]);
    default: return std::nullopt;
  }
}

// SWAP n whose values all go to stores that follow: a parallel assignment whose tuple the compiler optimised away.
bool Lifter::swap_starts_stores(std::uint32_t n) {
  if (n > 3 || peek() == nullptr) return false;
  const auto op = peek()->op;
  // `(a, b), c = x, y` continues with unpacking x
  const bool store = plain_target(*peek()).has_value() || op == Op::UNPACK_SEQUENCE || op == Op::UNPACK_EX;
  if (!store && op != Op::LOAD_FAST && op != Op::LOAD_NAME && op != Op::LOAD_GLOBAL && op != Op::LOAD_DEREF)
    return false;
  for (std::uint32_t i = 1; i <= n; ++i) {
    Value& v = top(i);
    settle_lambda(v);
    if (v.kind != ValueKind::kExpr || shared_.contains(v.expr.n)) return false;
    for (std::uint32_t j = 1; j < i; ++j)
      if (top(j).expr == v.expr) return false;
  }
  if (const auto* b = std::get_if<ast::BinOp>(&unit_.ast.exprs[top(1).expr].node);
      b != nullptr && inplace_.contains(top(1).expr.n))
    return false;
  return store || loads_before_store();
}

// A function without a name is a value like any other once somebody takes it.
void Lifter::settle_lambda(Value& v) {
  if (v.kind != ValueKind::kFunction) return;
  const CodeId code = s_->functions[v.a].code;
  if (unit_.code.codes[code].name != "<lambda>" || !unit_.bodies[code.n].expr.valid()) return;
  v.expr = as_expr(v);
  v.kind = ValueKind::kExpr;
}

// After a swap: plain loads, then STORE_ATTR or STORE_SUBSCR (targets of a parallel assignment).
bool Lifter::loads_before_store() const {
  for (std::size_t i = 1; i < 16; ++i) {
    const auto* p = peek(i);
    if (p == nullptr) return false;
    switch (p->op) {
      case Op::STORE_ATTR:
      case Op::STORE_SUBSCR:
      case Op::STORE_SLICE: return true;
      case Op::LOAD_FAST:
      case Op::LOAD_NAME:
      case Op::LOAD_GLOBAL:
      case Op::LOAD_DEREF:
      case Op::LOAD_ATTR:
      case Op::LOAD_CONST:
      case Op::LOAD_COMMON_CONSTANT:
      case Op::LOAD_SMALL_INT:
      case Op::BINARY_SUBSCR:
      case Op::BUILD_SLICE:
      case Op::BUILD_TUPLE:
      case Op::BINARY_OP:
      case Op::UNARY_NEGATIVE: break;
      default: return false;
    }
  }
  return false;
}

void Lifter::open_swap(std::uint32_t n) {
  ExprIds items;
  for (std::uint32_t i = n; i >= 1; --i) items.push_back(top(i).expr);
  for (std::uint32_t i = 0; i < n; ++i) embed(pop());
  UnpackGroup g;
  g.value = make(ast::Tuple{items});
  g.targets.resize(n);
  g.offset = insn_->offset;
  s_->groups.push_back(g);
  const auto index = static_cast<std::uint32_t>(s_->groups.size() - 1);
  for (std::uint32_t i = n; i-- > 0;) {
    Value v;
    v.kind = ValueKind::kUnpack;
    v.a = index;
    v.b = i;
    push(v);
  }
}

void Lifter::fill_unpack(std::uint32_t group, std::uint32_t item, ExprId target) {
  auto& g = s_->groups[group];
  if (item != g.filled) refuse("an unpacking in another order");
  if (g.star == item) target = make(ast::Starred{target});
  g.targets[item] = target;
  if (++g.filled == g.targets.size()) close_group(group);
}

void Lifter::close_group(std::uint32_t group) {
  auto g = s_->groups[group];
  const ExprId target = make(ast::Tuple{g.targets});
  if (g.parent != 0) {
    fill_unpack(g.parent - 1, g.parent_item, target);
    return;
  }
  if (g.value.valid()) {
    if (shared_.contains(g.value.n))  // further copies are pending: they will join this statement
      push_stmt(stmt(ast::Assign{{target}, g.value}));
    else
      emit_stmt(ast::Assign{{target}, g.value});
    chain_assign(g.value);
    return;
  }
  if (auto status = store(target, g.source); !status) return;
}

// `x = t = e`: the statement just emitted and the one before assign the same shared value.
void Lifter::chain_assign(ExprId value) {
  auto it = shared_.find(value.n);
  auto& stmts = s_->stmts;
  if (it == shared_.end() || stmts.size() < 2) return;
  auto& last = stmts[stmts.size() - 1];
  auto& prev = stmts[stmts.size() - 2];
  if (last.kind != LKind::kStmt || prev.kind != LKind::kStmt) return;
  auto* a = std::get_if<ast::Assign>(&unit_.ast.stmts[prev.stmt].node);
  auto* b = std::get_if<ast::Assign>(&unit_.ast.stmts[last.stmt].node);
  if (a == nullptr || b == nullptr || a->value != value || b->value != value) return;
  a->targets.insert(a->targets.end(), b->targets.begin(), b->targets.end());
  prev.offset = last.offset;  // a statement is known by the instruction that completes it
  stmts.pop_back();
  --it->second.uses;
}

// [v1, v2, ...] with plain stores following, no swap in between: SWAPs before plain stores were carried out at compile
// time (apply_static_swaps in Python/flowgraph.c), so values are stored last first. Where the next target is the same
// variable, a POP_TOP replaces the store (optimize_basic_block); where Dynamo resumes a function, that drops a value.
bool Lifter::parallel_store(ExprId first_target) {
  const auto in_place = [&](const Value& v) { return inplace_.contains(v.expr.n); };  // no item of a display
  if (insn_->op != Op::STORE_FAST || in_place(pending_store_)) return false;
  struct Item {
    std::uint32_t seq;
    ExprId target, value;
  };
  SmallVector<Item, 3> items{{pending_store_.seq, first_target, pending_store_.expr}};
  const auto name = [&](ExprId e) { return std::get<ast::Name>(unit_.ast.exprs[e].node).id; };
  std::size_t depth = 0, used = 0;
  const auto size = s_->stack.size();
  for (; items.size() < 3 && depth < size; ++depth) {
    Value& v = s_->stack[size - 1 - depth];
    settle_lambda(v);
    const auto* p = peek(depth + 1);
    const bool drops = p != nullptr && p->op == Op::POP_TOP && !dynamo::resumes_by_dynamo(co_);
    if (v.kind == ValueKind::kExpr && in_place(v)) break;
    if (drops && v.kind == ValueKind::kExpr && !shared_.contains(v.expr.n)) {
      items.push_back({v.seq, name_expr(name(items.back().target)), v.expr});
      used = depth + 1;
      continue;
    }
    const auto t = p != nullptr && p->op == Op::STORE_FAST ? plain_target(*p) : std::nullopt;
    if (!t) break;
    if (v.kind == ValueKind::kCleared && v.a != 0) continue;  // what an inlined comprehension puts back
    if (v.kind != ValueKind::kExpr || unit_.is_temp(v.expr) || shared_.contains(v.expr.n)) break;
    for (const auto& item : items)
      if (name(item.target) == name(*t) || item.seq == v.seq) return false;
    items.push_back({v.seq, *t, v.expr});
    used = depth + 1;
  }
  if (items.size() < 2) return false;
  for (std::size_t i = 0; i < used; ++i) embed(pop());
  at_ += used;
  std::sort(items.begin(), items.end(), [](const Item& x, const Item& y) { return x.seq < y.seq; });
  ExprIds targets, values;
  for (const auto& item : items) {
    targets.push_back(item.target);
    values.push_back(item.value);
  }
  emit_stmt(ast::Assign{{make(ast::Tuple{targets})}, make(ast::Tuple{values})});
  return true;
}

// What is no expression becomes a statement of its own kind: an item of a loop, an import, a function.
Result<bool> Lifter::store_special(ExprId target, Value& value) {
  switch (value.kind) {
    case ValueKind::kUnpack: fill_unpack(value.a, value.b, target); return true;
    case ValueKind::kForItem: emit(LStmt{LKind::kForStore, {}, target}); return true;
    case ValueKind::kWithValue: emit(LStmt{LKind::kWithStore, {}, target}); return true;
    case ValueKind::kExc: emit(LStmt{LKind::kExcStore, {}, target}); return true;
    case ValueKind::kCleared:
      if (value.a != 0) return true;  // a comprehension that has become an expression leaves its names alone
      emit(LStmt{LKind::kRestore, {}, target});
      return true;
    case ValueKind::kImportAttr:
    case ValueKind::kModule:
      if (const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[target].node)) {
        DEPYF_CHECK(store_import(value, n->id));
        return true;
      }
      break;
    case ValueKind::kFunction: {
      auto& f = s_->functions[value.a];
      const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[target].node);
      const auto& code = unit_.code.codes[f.code];
      if (stores_annotate(target, f)) return true;
      if (n != nullptr && code.name != "<lambda>" && unmangle(code.name) == n->id) {
        spill_pending();
        if (!f.unsaid.empty() && !f.decorators.empty()) decorate_unsaid(f);
        push_stmt(function_stmt(f, n->id));
        set_unsaid(f, n->id);
        if (!is_named_by_place(f)) set_text(n->id, "__qualname__", f.qualname);
        return true;
      }
      break;
    }
    default: break;
  }
  return false;
}

// Values that the store overtakes get temporaries. False: so did the value that is stored, which is shared no more.
bool Lifter::settle_overtaken(Value& value) {
  bool overtaken = false;
  for (const auto& v : s_->stack)
    overtaken |= can_spill(v) && !stable(v) && !(v.kind == value.kind && v.expr == value.expr);
  if (!overtaken || value.kind != ValueKind::kExpr) return true;
  settle_unpackings();
  for (auto& v : s_->stack)
    if (can_spill(v) && !stable(v) && v.seq < value.seq && v.expr != value.expr) spill_value(v);
  const bool after = std::ranges::any_of(s_->stack, [&](const Value& v) {
    return v.kind == ValueKind::kExpr && !stable(v) && v.seq > value.seq && v.expr != value.expr;
  });
  if (!after) return true;
  const ExprId before = value.expr;  // the variable is what its copies are from here on
  spill_value(value);
  for (auto& v : s_->stack)
    if (v.kind == ValueKind::kExpr && v.expr == before) v = value;
  return false;
}

Status Lifter::store(ExprId target, Value value) {
  DEPYF_TRY(said, store_special(target, value));
  if (said) return depyf::Unit{};
  if (literal_ != nullptr && value.kind == ValueKind::kFunction && !is_lambda(value)) {
    check_late();
    spill_pending();
    spill_value(value);
  }
  bool shared = value.kind == ValueKind::kExpr && shared_.contains(value.expr.n);
  // `(x := e)` leaves a copy on the stack; a following store turns it into `x = y = e`
  if (shared && !s_->stack.empty() && top().kind == ValueKind::kExpr && top().expr == value.expr &&
      std::holds_alternative<ast::Name>(unit_.ast.exprs[target].node) && shared_[value.expr.n].uses == 0) {
    std::size_t copies = 0;
    for (const auto& v : s_->stack) copies += v.kind == ValueKind::kExpr && v.expr == value.expr ? 1U : 0U;
    if (copies == 1) {
      shared_.erase(value.expr.n);
      top().expr = make(ast::NamedExpr{target, value.expr});
      return depyf::Unit{};
    }
  }
  if (leaving() && is_none(value)) {  // the end of `except E as e`
    push_stmt(stmt(ast::Assign{{target}, value.expr}));
    return depyf::Unit{};
  }
  settle_lambda(value);
  pending_store_ = value;
  if (value.kind == ValueKind::kExpr && !shared && std::holds_alternative<ast::Name>(unit_.ast.exprs[target].node) &&
      parallel_store(target))
    return depyf::Unit{};
  shared = settle_overtaken(value) && shared;
  // walrus chain: `x = y = e` came in as y := (x := e)
  ExprIds targets;
  ExprId e = as_expr(value);
  embed(value);
  while (const auto* w = std::get_if<ast::NamedExpr>(&unit_.ast.exprs[e].node)) {
    targets.insert(targets.begin(), w->target);
    e = w->value;
  }
  targets.push_back(target);
  if (shared && e != value.expr) {  // the targets so far are named here; other copies represent the value alone
    const Shared copy = shared_[value.expr.n];
    shared_.try_emplace(e.n, copy);
    for (auto& v : s_->stack)
      if (v.kind == ValueKind::kExpr && v.expr == value.expr) v.expr = e;
  }
  if (shared) {  // further copies are pending: they will join this statement
    push_stmt(stmt(ast::Assign{std::move(targets), e}));
    chain_assign(e);
    return depyf::Unit{};
  }
  if (targets.size() == 1 && augmented(target, e)) return depyf::Unit{};
  emit_stmt(ast::Assign{std::move(targets), e});
  return depyf::Unit{};
}

// `t op= e`: the value is an in-place operation whose left side reads the very target.
bool Lifter::augmented(ExprId target, ExprId value) {
  const auto* b = std::get_if<ast::BinOp>(&unit_.ast.exprs[value].node);
  if (b == nullptr || !inplace_.contains(value.n)) return false;
  const auto& l = unit_.ast.exprs[b->left].node;
  const auto& t = unit_.ast.exprs[target].node;
  bool same = false;
  if (const auto *x = std::get_if<ast::Name>(&l), *y = std::get_if<ast::Name>(&t); x != nullptr && y != nullptr)
    same = x->id == y->id;
  if (const auto *x = std::get_if<ast::Attribute>(&l), *y = std::get_if<ast::Attribute>(&t);
      x != nullptr && y != nullptr) {
    same = x->value == y->value && x->attr == y->attr;
    if (same) unembed(x->value);
  }
  if (const auto *x = std::get_if<ast::Subscript>(&l), *y = std::get_if<ast::Subscript>(&t);
      x != nullptr && y != nullptr) {
    same = x->value == y->value && same_index(x->slice, y->slice);
    if (same) {
      unembed(x->value);
      unembed(x->slice);
    }
  }
  if (!same) return false;
  unembed(value);
  emit_stmt(ast::AugAssign{target, b->op, b->right});
  return true;
}

// The copied index of an augmented subscript; a slice (3.12+: BINARY_SLICE / STORE_SLICE) is built twice from copies.
bool Lifter::same_index(ExprId a, ExprId b) {
  if (a == b) return true;
  const auto* x = std::get_if<ast::Slice>(&unit_.ast.exprs[a].node);
  const auto* y = std::get_if<ast::Slice>(&unit_.ast.exprs[b].node);
  if (x == nullptr || y == nullptr || x->step.valid() || y->step.valid()) return false;
  const auto same = [&](ExprId p, ExprId q) { return p == q; };
  if (!same(x->lower, y->lower) || !same(x->upper, y->upper)) return false;
  if (x->lower.valid()) unembed(x->lower);
  if (x->upper.valid()) unembed(x->upper);
  return true;
}

Result<bool> Lifter::name_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::LOAD_CONST: push_expr(constant_expr(unit_, co_.consts[insn.arg], origin_)); return true;
    case Op::LOAD_SMALL_INT: push_expr(make(ast::IntLiteral{insn.arg})); return true;
    case Op::LOAD_COMMON_CONSTANT: load_common(static_cast<CommonConstant>(insn.arg)); return true;
    case Op::LOAD_FAST:
      if (load_hidden(locals_[insn.arg])) return true;
      push_expr(name_expr(locals_[insn.arg]));
      if (literal_ == nullptr && locals_[insn.arg] == argument_)
        top().kind = ValueKind::kIter;  // a comprehension's argument
      return true;
    case Op::LOAD_NAME:
    case Op::LOAD_GLOBAL: {
      DEPYF_TRY(mark, annotation_mark(names_[insn.arg]));
      if (!mark) push_expr(name_expr(names_[insn.arg]));
      // 3.8: what an assert raises; outside functions `raise AssertionError` is LOAD_NAME, in functions there is no telling
      if (!mark && insn.op == Op::LOAD_GLOBAL && unit_.dialect.assert_loads_global &&
          co_.names[insn.arg] == "AssertionError")
        unit_.assertion_errors.insert(top().expr.n);
      return true;
    }
    case Op::LOAD_DEREF:
    case Op::LOAD_CLASSDEREF: {
      if (load_hidden(derefs()[insn.arg])) return true;
      DEPYF_TRY(mark, annotation_mark(derefs()[insn.arg]));
      if (!mark) push_expr(name_expr(derefs()[insn.arg]));
      return true;
    }
    case Op::LOAD_FROM_DICT_OR_DEREF:
      pop_namespace();
      if (load_hidden(derefs()[insn.arg])) return true;
      push_expr(name_expr(derefs()[insn.arg]));
      return true;
    case Op::LOAD_FROM_DICT_OR_GLOBALS:
      pop_namespace();
      push_expr(name_expr(names_[insn.arg]));
      return true;
    case Op::LOAD_LOCALS: return load_locals();
    case Op::LOAD_CLOSURE:
      push_kind(ValueKind::kCell);
      top().name = derefs()[insn.arg];
      return true;
    case Op::LOAD_FAST_AND_CLEAR: {
      Value v;
      v.kind = ValueKind::kCleared;
      v.name = locals_[insn.arg];
      cleared_.insert(v.name.n);
      push(v);
      return true;
    }
    default: return false;
  }
}

// Stores and deletions; unpacking.
Result<bool> Lifter::store_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::STORE_FAST:
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL:
    case Op::STORE_DEREF: {
      const ExprId target = *plain_target(insn);
      if (store_hidden(std::get<ast::Name>(unit_.ast.exprs[target].node).id, top())) {
        pop();
        return true;
      }
      DEPYF_CHECK(store(target, pop()));
      return true;
    }
    case Op::STORE_ATTR: {
      const ExprId object = pop_expr();
      DEPYF_CHECK(store(make(ast::Attribute{object, names_[insn.arg]}), pop()));
      return true;
    }
    case Op::STORE_SUBSCR: {
      const ExprId key = pop_key();
      const ExprId object = pop_expr();
      if (annotation_store(object, key)) return true;
      DEPYF_CHECK(store(make(ast::Subscript{object, key}), pop()));
      return true;
    }
    case Op::STORE_SLICE: {
      const ExprId slice = pop_slice();
      const ExprId object = pop_expr();
      DEPYF_CHECK(store(make(ast::Subscript{object, slice}), pop()));
      return true;
    }
    case Op::DELETE_FAST: emit_delete(name_expr(locals_[insn.arg])); return true;
    case Op::DELETE_NAME:
    case Op::DELETE_GLOBAL: emit_delete(name_expr(names_[insn.arg])); return true;
    case Op::DELETE_DEREF: emit_delete(name_expr(derefs()[insn.arg])); return true;
    case Op::DELETE_ATTR: emit_delete(make(ast::Attribute{pop_expr(), names_[insn.arg]})); return true;
    case Op::DELETE_SUBSCR: {
      const ExprId key = pop_key();
      const ExprId object = pop_expr();
      emit_delete(make(ast::Subscript{object, key}));
      return true;
    }
    case Op::UNPACK_SEQUENCE:
    case Op::UNPACK_EX:
      if (!starred_annotation(insn)) unpack(insn);
      return true;
    default: return false;
  }
}

// A class body's namespace: for one look-up, or kept for annotation scopes.
bool Lifter::load_locals() {
  const auto* next = peek();
  if (next != nullptr && (next->op == Op::LOAD_FROM_DICT_OR_DEREF || next->op == Op::LOAD_FROM_DICT_OR_GLOBALS)) {
    ++at_;
    push_expr(name_expr(next->op == Op::LOAD_FROM_DICT_OR_DEREF ? derefs()[next->arg] : names_[next->arg]));
  } else {  // `__classdict__ = locals()` is dropped again when the body is finished
    const bool kept = next != nullptr && next->op == Op::STORE_DEREF && is_name(*plain_target(*next), "__classdict__");
    push_expr(make(ast::Call{kept ? name_expr(unit_.ast.intern("locals")) : builtin("locals"), {}, {}}));
  }
  return true;
}

// The namespace that a class body's or annotation scope's look-up begins with.
void Lifter::pop_namespace() {
  Value v = pop();
  const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[as_expr(v)].node);
  if (n == nullptr || unit_.ast.text(n->id) != "__classdict__") refuse("a look-up in a namespace of its own");
}

// Whether a deletion ends the life of an object and nothing else: the variable is bound, and nothing pending reads it.
// Dynamo frees the outputs of a graph in the middle of a pending call; what is pending may then stay where it is.
bool Lifter::only_frees(ExprId target) const {
  const auto* name = std::get_if<ast::Name>(&unit_.ast.exprs[target].node);
  if (name == nullptr || insn_->op != Op::DELETE_FAST) return false;
  const auto is_it = [&](ExprId e) {
    const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[e].node);
    return n != nullptr && n->id == name->id;
  };
  bool bound = false;
  for (auto s = s_->stmts.rbegin(); s != s_->stmts.rend() && !bound; ++s) {
    if (s->kind != LKind::kStmt) return false;
    const auto& node = unit_.ast.stmts[s->stmt].node;
    if (const auto* gone = std::get_if<ast::Delete>(&node); gone != nullptr && is_it(gone->targets[0])) return false;
    if (const auto* a = std::get_if<ast::Assign>(&node)) bound = std::ranges::any_of(a->targets, is_it);
  }
  if (!bound) return false;
  return !s_->stack.any_of([&](const Value& v) {
    bool read = v.kind == ValueKind::kFunction || v.kind == ValueKind::kUnpack;
    ast::Visitor look;
    look.expr = [&](ExprId e) { return !(read |= is_it(e)); };
    if (v.expr.valid()) ast::walk(unit_.ast, v.expr, look);
    return read;
  });
}

void Lifter::emit_delete(ExprId target) {
  if (leaving() || only_frees(target))
    push_stmt(stmt(ast::Delete{{target}}));
  else
    emit_stmt(ast::Delete{{target}});
}

void Lifter::load_common(CommonConstant which) {
  const auto builtin = [&](std::string_view name) { push_expr(name_expr(unit_.ast.intern(name))); };
  switch (which) {
    case CommonConstant::kAssertionError:
      builtin("AssertionError");
      unit_.assertion_errors.insert(top().expr.n);
      return;
    case CommonConstant::kNotImplementedError: return builtin("NotImplementedError");
    case CommonConstant::kTuple: return builtin("tuple");
    case CommonConstant::kAll: return builtin("all");
    case CommonConstant::kAny: return builtin("any");
    case CommonConstant::kList: return builtin("list");
    case CommonConstant::kSet: return builtin("set");
    case CommonConstant::kNone: return push_expr(make(ast::NoneLiteral{}));
    case CommonConstant::kEmptyStr: return push_expr(make(ast::StrLiteral{}));
    case CommonConstant::kTrue: return push_expr(make(ast::Verbatim{"True"}));
    case CommonConstant::kFalse: return push_expr(make(ast::Verbatim{"False"}));
    case CommonConstant::kMinusOne: return push_expr(make(ast::IntLiteral{-1}));
  }
}

// `x = a, b = e`: the store of x has left a walrus; it becomes an assignment that shares its value with what follows.
void Lifter::chain_before_unpacking(ExprId& value) {
  const ExprId whole = value;
  ExprIds targets;
  while (const auto* w = std::get_if<ast::NamedExpr>(&unit_.ast.exprs[value].node)) {
    targets.insert(targets.begin(), w->target);
    value = w->value;
  }
  if (targets.empty()) return;
  shared_.try_emplace(value.n, Shared{insn_->offset, 0}).first->second.uses += 2;
  for (auto& v : s_->stack)
    if (v.kind == ValueKind::kExpr && v.expr == whole) v.expr = value;
  push_stmt(stmt(ast::Assign{std::move(targets), value}));
}

void Lifter::unpack(const Instruction& insn) {
  Value source = pop();
  UnpackGroup g;
  g.offset = insn.offset;
  const auto before = insn.op == Op::UNPACK_EX ? insn.arg & 0xFFU : insn.arg;
  const auto total = insn.op == Op::UNPACK_EX ? before + 1 + (insn.arg >> 8U) : before;
  g.targets.resize(total);
  if (insn.op == Op::UNPACK_EX) g.star = before;
  switch (source.kind) {
    case ValueKind::kUnpack:
      g.parent = source.a + 1;
      g.parent_item = source.b;
      break;
    case ValueKind::kForItem:
    case ValueKind::kWithValue: g.source = source; break;
    default:
      g.value = as_expr(source);
      embed(source);
      chain_before_unpacking(g.value);
  }
  s_->groups.push_back(g);
  const auto index = static_cast<std::uint32_t>(s_->groups.size() - 1);
  if (total == 0) {
    close_group(index);
    return;
  }
  for (std::uint32_t i = total; i-- > 0;) {
    Value v;
    v.kind = ValueKind::kUnpack;
    v.a = index;
    v.b = i;
    push(v);
  }
}

}  // namespace depyf::lift
