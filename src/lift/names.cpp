// SPDX-License-Identifier: MIT
// Lifts loads, stores and deletes, with unpacking and chained, parallel and augmented assignment.
//
// Bytecode: `x = y = e` is e, COPY 1, STORE x, STORE y; `a, b = c, d` is c, d, SWAP 2, STORE a, STORE b; `o.x += e` is
// o, COPY 1, LOAD_ATTR x, e, BINARY_OP in place, SWAP 2, STORE_ATTR x (Python/compile.c).
#include <algorithm>
#include <array>

#include "ast/walk.h"
#include "dynamo/names.h"
#include "lift/families.h"

namespace depyf::lift {

ExprId constant_expr(Unit& unit, ConstId value, ast::Origin origin) {
  return unit.ast.expr(ast::ConstantExpr{value}, origin);
}

// Converts a lambda under construction to an expression; leaves any other value as it is.
void to_lambda_expr(Machine& m, Value& v) {
  if (v.kind != ValueKind::kFunction) return;
  const CodeId code = m.state.functions[v.a].code;
  if (m.unit.code.codes[code].name != "<lambda>" || !m.unit.bodies[code.n].expr.valid()) return;
  v.expr = as_expr(m, v);
  v.kind = ValueKind::kExpr;
}

namespace {

// Starts an unpacking and pushes its items from `first` on. Returns its index in State::groups.
std::uint32_t open_group(Machine& m, UnpackGroup group, std::uint32_t first) {
  group.offset = m.insn->offset;
  const auto index = static_cast<std::uint32_t>(m.state.groups.size());
  group.root = group.parent != 0 ? m.state.groups[group.parent - 1].root : index;
  for (auto i = static_cast<std::uint32_t>(group.targets.size()); i-- > first;)
    m.push({.kind = ValueKind::kUnpack, .a = index, .b = i});
  m.state.groups.push_back(std::move(group));
  return index;
}

}  // namespace

// Returns how many values form a parallel assignment: `value`, which was popped, and those below `end`, top first, as
// long as each was evaluated after the one before. These are the items of a tuple that the compiler did not build
// (optimize_basic_block in Python/flowgraph.c turns BUILD_TUPLE n; UNPACK_SEQUENCE n into SWAP n for n up to 3).
std::uint32_t parallel_items(const Machine& m, const Value& value, const Value* end) {
  constexpr std::uint32_t kMaxItems = 3;
  const auto is_item = [&](const Value& v, std::uint32_t after) {
    if (v.seq <= after || (v.kind != ValueKind::kExpr && v.kind != ValueKind::kFunction)) return false;
    return v.kind == ValueKind::kFunction ||
           !(m.shared.copies.contains(v.expr.n) || m.shared.inplace.contains(v.expr.n));
  };
  if (!is_item(value, 0)) return 0;
  std::uint32_t n = 1, last_seq = value.seq;
  for (; n < kMaxItems && end != m.state.stack.begin() && is_item(end[-1], last_seq); ++n) last_seq = (--end)->seq;
  return has_pending_after(m, value.seq, end) ? 1 : n;
}

namespace {

// Starts the unpacking of a tuple for a parallel assignment. Item 0 is `value`, about to be stored; pops the others.
std::optional<std::uint32_t> open_parallel(Machine& m, const Value& value) {
  const auto n = parallel_items(m, value, m.state.stack.end());
  if (n < 2) return std::nullopt;
  ExprIds items{value.expr};
  for (std::uint32_t i = 1; i < n; ++i) {
    to_lambda_expr(m, m.top(i));
    if (m.top(i).kind != ValueKind::kExpr) return std::nullopt;
    items.push_back(m.top(i).expr);
  }
  m.embed(value);
  for (std::uint32_t i = 1; i < n; ++i) m.embed(m.pop());
  UnpackGroup g;
  g.value = m.make(ast::Tuple{items});
  g.targets.resize(n);
  return open_group(m, std::move(g), 1);
}

// Merges the last two statements to `x = t = e` if both assign the same shared value.
void chain_assign(Machine& m, ExprId value) {
  auto it = m.shared.copies.find(value.n);
  auto& stmts = m.state.stmts;
  if (it == m.shared.copies.end() || stmts.size() < 2) return;
  auto& last = stmts[stmts.size() - 1];
  auto& prev = stmts[stmts.size() - 2];
  if (last.kind != LKind::kStmt || prev.kind != LKind::kStmt) return;
  auto* a = std::get_if<ast::Assign>(&m.unit.ast.stmts[prev.stmt].node);
  auto* b = std::get_if<ast::Assign>(&m.unit.ast.stmts[last.stmt].node);
  if (a == nullptr || b == nullptr || a->value != value || b->value != value) return;
  a->targets.insert(a->targets.end(), b->targets.begin(), b->targets.end());
  prev.offset = last.offset;  // a statement has the offset of the instruction that completes it
  stmts.pop_back();
  --it->second.uses;
}

// Adds the next target of an unpacking. Returns whether it is the last one.
bool add_target(Machine& m, std::uint32_t group, std::uint32_t item, ExprId target);

// Returns whether positions (3.11+) show that a single target is in brackets, `[x] = ...`; `(x,)` has a comma besides.
bool is_in_brackets(Machine& m, std::uint32_t group) {
  const auto& g = m.state.groups[group];
  if (g.targets.size() != 1 || g.new_lines != 0) return false;
  const SourcePosition* all = m.unit.positions.at(g.offset);
  const SourcePosition* one = m.unit.positions.at(m.unit.ast.exprs[g.targets[0]].origin.offset);
  return all != nullptr && one != nullptr && all->column >= 0 && all->line == one->line &&
         all->end_line == one->end_line && all->column + 1 == one->column && all->end_column == one->end_column + 1;
}

// Completes an unpacking all of whose targets are known, and the enclosing ones that become complete by it.
void close_group(Machine& m, std::uint32_t group) {
  const auto targets = [&] {
    const auto& g = m.state.groups[group];
    if (is_in_brackets(m, group)) return m.unit.ast.expr(ast::List{g.targets}, {m.code, g.offset});
    return m.unit.ast.expr(ast::Tuple{g.targets, g.new_lines}, {m.code, g.offset});
  };
  for (; m.state.groups[group].parent != 0; group = m.state.groups[group].parent - 1) {
    const auto& g = m.state.groups[group];
    if (!add_target(m, g.parent - 1, g.parent_item, targets())) return;
  }
  const ExprId target = targets();
  const auto g = m.state.groups[group];
  if (g.value.valid()) {
    if (m.shared.copies.contains(g.value.n))  // further copies are on the stack: their stores join this statement
      m.push_stmt(m.stmt(ast::Assign{{target}, g.value}));
    else
      m.emit_stmt(ast::Assign{{target}, g.value});
    chain_assign(m, g.value);
    return;
  }
  store(m, target, g.source);
}

// Returns whether the previous instruction stored to the same local. If both stores were on one line of the source, the
// compiler would have made a POP_TOP of the first one (optimize_basic_block in Python/flowgraph.c).
bool overwrites_previous_store(const Machine& m, ExprId target) {
  if (!m.unit.dialect.drops_overwritten_stores || m.at == 0 || m.stream[m.at - 1].op != Op::STORE_FAST) return false;
  const auto* name = std::get_if<ast::Name>(&m.unit.ast.exprs[target].node);
  return name != nullptr && name->id == m.lifter.stored_name(m.stream[m.at - 1]);
}

bool add_target(Machine& m, std::uint32_t group, std::uint32_t item, ExprId target) {
  auto& g = m.state.groups[group];
  if (item != g.filled) m.refuse("an unpacking in another order");
  if (item > 0 && item < 32 && overwrites_previous_store(m, target)) g.new_lines |= 1U << item;
  if (g.star == item) target = m.make(ast::Starred{target});
  g.targets[item] = target;
  return ++g.filled == g.targets.size();
}

}  // namespace

void fill_unpack(Machine& m, std::uint32_t group, std::uint32_t item, ExprId target) {
  if (add_target(m, group, item, target)) close_group(m, group);
}

namespace {

// Recognizes two or three values followed by as many stores to locals, without a SWAP: the compiler has reordered the
// stores instead (apply_static_swaps in Python/flowgraph.c). A POP_TOP stands for a store that the next one overwrites
// (optimize_basic_block); but in Dynamo's resume functions it discards a value. Emits `a, b = v1, v2`.
bool parallel_store(Machine& m, NameId first_target, const Value& stored) {
  const auto in_place = [&](const Value& v) { return m.shared.inplace.contains(v.expr.n); };  // no item of a tuple
  if (m.insn->op != Op::STORE_FAST || in_place(stored)) return false;
  struct Item {
    std::uint32_t seq;
    NameId target;
    ExprId value;
    std::uint32_t offset;  // of its store
  };
  SmallVector<Item, 3> items{{stored.seq, first_target, stored.expr, m.insn->offset}};
  std::size_t depth = 0, used = 0;
  const auto size = m.state.stack.size();
  for (; items.size() < 3 && depth < size; ++depth) {
    Value& v = m.state.stack[size - 1 - depth];
    to_lambda_expr(m, v);
    const auto* p = m.peek(depth + 1);
    const bool drops = p != nullptr && p->op == Op::POP_TOP && !dynamo::resumes_by_dynamo(m.co);
    if (v.kind == ValueKind::kExpr && in_place(v)) break;
    if (drops && v.kind == ValueKind::kExpr && v.seq < items.back().seq && !m.shared.copies.contains(v.expr.n)) {
      items.push_back({v.seq, items.back().target, v.expr, p->offset});
      used = depth + 1;
      continue;
    }
    const auto t = p != nullptr && p->op == Op::STORE_FAST ? m.lifter.stored_name(*p) : std::nullopt;
    if (!t) break;
    if (v.kind == ValueKind::kCleared && v.a != 0) continue;  // restores a local after an inlined comprehension
    if (v.kind != ValueKind::kExpr || m.unit.is_temp(v.expr) || m.shared.copies.contains(v.expr.n)) break;
    for (const auto& item : items)
      if (item.target == *t || item.seq == v.seq) return false;
    items.push_back({v.seq, *t, v.expr, p->offset});
    used = depth + 1;
  }
  if (items.size() < 2) return false;
  std::sort(items.begin(), items.end(), [](const Item& x, const Item& y) { return x.seq < y.seq; });
  const auto is_item = [&](const Value& v) {
    return v.seq > items[0].seq && (can_spill(m, v) || v.kind == ValueKind::kUnpack);
  };
  if (std::any_of(m.state.stack.begin(), m.state.stack.end() - used, is_item))
    return false;  // the tuple has an item whose target is no local
  for (std::size_t i = 0; i < used; ++i) m.embed(m.pop());
  m.at += used;
  ExprIds targets, values;
  for (const auto& item : items) {
    targets.push_back(m.unit.ast.expr(ast::Name{item.target}, {m.code, item.offset}));
    values.push_back(item.value);
  }
  m.emit_stmt(ast::Assign{{m.make(ast::Tuple{targets})}, m.make(ast::Tuple{values})});
  return true;
}

// Handles the store of a value that is no expression, such as a for item, an import or a function; else returns false.
bool store_special(Machine& m, ExprId target, Value& value) {
  switch (value.kind) {
    case ValueKind::kUnpack: fill_unpack(m, value.a, value.b, target); return true;
    case ValueKind::kForItem: m.emit(LStmt{LKind::kForStore, {}, target}); return true;
    case ValueKind::kWithValue: m.emit(LStmt{LKind::kWithStore, {}, target}); return true;
    case ValueKind::kExc: m.emit(LStmt{LKind::kExcStore, {}, target}); return true;
    case ValueKind::kCleared:
      if (value.a != 0) return true;  // of a comprehension that is an expression now, and so does not change its names
      m.emit(LStmt{LKind::kRestore, {}, target});
      return true;
    case ValueKind::kImportAttr:
    case ValueKind::kModule:
      if (const auto* n = std::get_if<ast::Name>(&m.unit.ast.exprs[target].node)) {
        store_import(m, value, n->id);
        return true;
      }
      break;
    case ValueKind::kFunction: {
      auto& f = m.state.functions[value.a];
      const auto* n = std::get_if<ast::Name>(&m.unit.ast.exprs[target].node);
      const auto& code = m.unit.code.codes[f.code];
      if (stores_annotate(m, target, f)) return true;
      if (n != nullptr && !is_unmade_class(m, f) && code.name != "<lambda>" &&
          m.unit.unmangled(m.code, name_of(m, f)) == n->id) {
        spill_pending(m);
        if (!f.extras.empty() && !f.decorators.empty()) set_attributes_by_decorator(m, f);
        m.push_stmt(function_stmt(m, f, n->id));
        set_extra_attributes(m, f, n->id);
        if (!has_default_qualname(m, f)) set_text(m, n->id, "__qualname__", f.qualname);
        return true;
      }
      break;
    }
    default: break;
  }
  return false;
}

// Spills the values that were evaluated before the stored one. If later ones remain on the stack, spills the stored
// value, too, with its copies on the stack, and returns false: it is a temporary now and no longer shared.
bool spill_overtaken(Machine& m, Value& value) {
  if (value.kind != ValueKind::kExpr) return true;
  spill_pending(m, value.seq);
  spill_unpackings(m, value.seq);
  if (!has_pending_after(m, value.seq, m.state.stack.end())) return true;
  const ExprId before = value.expr;
  spill_value(m, value);
  for (auto& v : m.state.stack)
    if (v.kind == ValueKind::kExpr && v.expr == before) v = value;
  return false;
}

// Returns whether two subscripts share a copied index; a slice (3.12+) is built twice, from copies of its bounds.
bool same_index(Machine& m, ExprId a, ExprId b) {
  if (a == b) return true;
  const auto* x = std::get_if<ast::Slice>(&m.unit.ast.exprs[a].node);
  const auto* y = std::get_if<ast::Slice>(&m.unit.ast.exprs[b].node);
  if (x == nullptr || y == nullptr || x->step.valid() || y->step.valid()) return false;
  if (x->lower != y->lower || x->upper != y->upper) return false;
  if (x->lower.valid()) m.shared.undo_use(x->lower);
  if (x->upper.valid()) m.shared.undo_use(x->upper);
  return true;
}

// Emits `t op= e` if the value is an in-place operation whose left operand reads the target.
bool augmented(Machine& m, ExprId target, ExprId value) {
  const auto* b = std::get_if<ast::BinOp>(&m.unit.ast.exprs[value].node);
  if (b == nullptr || !m.shared.inplace.contains(value.n)) return false;
  const auto& l = m.unit.ast.exprs[b->left].node;
  const auto& t = m.unit.ast.exprs[target].node;
  bool same = false;
  if (const auto *x = std::get_if<ast::Name>(&l), *y = std::get_if<ast::Name>(&t); x != nullptr && y != nullptr)
    same = x->id == y->id;
  if (const auto *x = std::get_if<ast::Attribute>(&l), *y = std::get_if<ast::Attribute>(&t);
      x != nullptr && y != nullptr) {
    same = x->value == y->value && x->attr == y->attr;
    if (same) m.shared.undo_use(x->value);
  }
  if (const auto *x = std::get_if<ast::Subscript>(&l), *y = std::get_if<ast::Subscript>(&t);
      x != nullptr && y != nullptr) {
    same = x->value == y->value && same_index(m, x->slice, y->slice);
    if (same) {
      m.shared.undo_use(x->value);
      m.shared.undo_use(x->slice);
    }
  }
  if (!same) return false;
  m.shared.undo_use(value);
  m.emit_stmt(ast::AugAssign{target, b->op, b->right});
  return true;
}

// Returns whether e has an unfolded `-1`. Up to 3.9 astfold_expr (Python/ast_opt.c) leaves one only inside a walrus.
bool is_unfolded(const Machine& m, ExprId e) {
  bool found = false;
  ast::Visitor look;
  look.expr = [&](ExprId x) {
    const auto* u = std::get_if<ast::UnaryOp>(&m.unit.ast.exprs[x].node);
    return !(found = found || (u != nullptr && ast::is<ast::ConstantExpr>(m.unit.ast.exprs[u->operand].node)));
  };
  ast::walk(m.unit.ast, e, look);
  return found;
}

// `x = y = e`, whose first store left the value `(x := e)`: returns the walrus targets, and sets the value to e.
ExprIds chained_targets(const Machine& m, ExprId& value) {
  const auto walrus = [&](ExprId e) { return std::get_if<ast::NamedExpr>(&m.unit.ast.exprs[e].node); };
  ExprIds targets;
  ExprId e = value;
  for (const auto* w = walrus(e); w != nullptr; w = walrus(e = w->value)) targets.push_back(w->target);
  if (targets.empty() || is_unfolded(m, e)) return {};
  value = e;
  return {targets.rbegin(), targets.rend()};
}

}  // namespace

void store(Machine& m, ExprId target, Value value) {
  if (store_special(m, target, value)) return;
  if (m.literal != nullptr && value.kind == ValueKind::kFunction && !is_lambda(m, value)) {
    check_deferred(m);
    spill_pending(m);
    spill_value(m, value);
  }
  bool shared = value.kind == ValueKind::kExpr && m.shared.copies.contains(value.expr.n);
  // `(x := e)` leaves one copy on the stack. If that is stored next, chained_targets() makes `x = y = e` of it.
  if (shared && !m.state.stack.empty() && m.top().kind == ValueKind::kExpr && m.top().expr == value.expr &&
      std::holds_alternative<ast::Name>(m.unit.ast.exprs[target].node) && m.shared.copies[value.expr.n].uses == 0 &&
      !has_pending_after(m, value.seq, m.state.stack.end() - 1)) {
    std::size_t copies = 0;
    for (const auto& v : m.state.stack) copies += v.kind == ValueKind::kExpr && v.expr == value.expr ? 1U : 0U;
    if (copies == 1) {
      m.shared.copies.erase(value.expr.n);
      m.shared.note_use(value.expr);
      m.top().expr = m.make(ast::NamedExpr{target, value.expr});
      return;
    }
  }
  if (m.state.is_leaving() && is_none(m, value)) {  // `e = None` at the end of `except E as e`
    m.push_stmt(m.stmt(ast::Assign{{target}, value.expr}));
    return;
  }
  to_lambda_expr(m, value);
  const auto* name = std::get_if<ast::Name>(&m.unit.ast.exprs[target].node);
  if (value.kind == ValueKind::kExpr && !shared && name != nullptr && parallel_store(m, name->id, value)) return;
  if (const auto parallel = value.kind == ValueKind::kExpr && !shared ? open_parallel(m, value) : std::nullopt)
    return fill_unpack(m, *parallel, 0, target);
  shared = spill_overtaken(m, value) && shared;
  ExprId e = as_expr(m, value);
  m.embed(value);
  ExprIds targets = chained_targets(m, e);
  targets.push_back(target);
  if (shared && e != value.expr) {  // this statement has the walrus targets, so the other copies become e alone
    const SharedValues::Copy copy = m.shared.copies[value.expr.n];
    m.shared.copies.try_emplace(e.n, copy);
    for (auto& v : m.state.stack)
      if (v.kind == ValueKind::kExpr && v.expr == value.expr) v.expr = e;
  }
  if (shared) {  // further copies are on the stack: their stores join this statement
    m.push_stmt(m.stmt(ast::Assign{std::move(targets), e}));
    chain_assign(m, e);
    return;
  }
  if (targets.size() == 1 && augmented(m, target, e)) return;
  m.emit_stmt(ast::Assign{std::move(targets), e});
}

namespace {

// Lifts LOAD_LOCALS in a class body: for the look-up that follows, or stored as __classdict__ for annotation scopes.
void load_locals(Machine& m) {
  const auto* next = m.peek();
  if (next != nullptr && (next->op == Op::LOAD_FROM_DICT_OR_DEREF || next->op == Op::LOAD_FROM_DICT_OR_GLOBALS)) {
    ++m.at;
    m.push_expr(m.name_expr(next->op == Op::LOAD_FROM_DICT_OR_DEREF ? m.lifter.derefs()[next->arg]
                                                                    : m.lifter.names[next->arg]));
  } else {  // src/finish removes `__classdict__ = locals()`
    const bool saved = next != nullptr && next->op == Op::STORE_DEREF &&
                       m.unit.ast.text(*m.lifter.stored_name(*next)) == "__classdict__";
    m.push_expr(m.make(ast::Call{saved ? m.name_expr(m.unit.ast.intern("locals")) : builtin(m, "locals"), {}, {}}));
  }
}

// Pops the namespace of a name look-up in an annotation scope; refuses the line unless it is the class's __classdict__.
void pop_namespace(Machine& m) {
  Value v = m.pop();
  if (!is_name(m, as_expr(m, v), "__classdict__")) m.refuse("a look-up in a namespace of its own");
}

void load_common(Machine& m, CommonConstant which) {
  static constexpr std::array<std::string_view, 7> kNames{
      "AssertionError", "NotImplementedError", "tuple", "all", "any", "list", "set"};
  switch (which) {
    case CommonConstant::kAssertionError:
    case CommonConstant::kNotImplementedError:
    case CommonConstant::kTuple:
    case CommonConstant::kAll:
    case CommonConstant::kAny:
    case CommonConstant::kList:
    case CommonConstant::kSet: {
      const auto name = kNames[static_cast<std::size_t>(which)];
      const bool is_error = which < CommonConstant::kTuple;
      m.push_expr(m.literal == nullptr ? m.name_expr(m.unit.ast.intern(name))
                  : is_error           ? m.literal->builtin(name)
                                       : m.literal->builtin_object(name));
      if (which == CommonConstant::kAssertionError) m.unit.assertion_errors.insert(m.top().expr.n);
      return;
    }
    case CommonConstant::kNone: return m.push_expr(m.make(ast::NoneLiteral{}));
    case CommonConstant::kEmptyStr: return m.push_expr(m.make(ast::StrLiteral{}));
    case CommonConstant::kTrue: return m.push_expr(m.make(ast::Verbatim{"True"}));
    case CommonConstant::kFalse: return m.push_expr(m.make(ast::Verbatim{"False"}));
    case CommonConstant::kMinusOne: return m.push_expr(m.make(ast::IntLiteral{-1}));
  }
}

}  // namespace

void name_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::LOAD_CONST: m.push_expr(constant_expr(m.unit, m.co.consts[insn.arg], m.origin)); return;
    case Op::LOAD_SMALL_INT: m.push_expr(m.make(ast::IntLiteral{insn.arg})); return;
    case Op::LOAD_COMMON_CONSTANT: load_common(m, static_cast<CommonConstant>(insn.arg)); return;
    case Op::LOAD_FAST:
      if (load_hidden(m, m.lifter.locals[insn.arg])) return;
      m.push_expr(m.name_expr(m.lifter.locals[insn.arg]));
      if (m.literal == nullptr && m.lifter.locals[insn.arg] == m.lifter.argument)
        m.top().kind = ValueKind::kIter;  // .0, the argument of a comprehension's function
      return;
    case Op::LOAD_NAME:
    case Op::LOAD_GLOBAL: {
      const bool mark = annotation_mark(m, m.lifter.names[insn.arg]);
      if (!mark) m.push_expr(m.name_expr(m.lifter.names[insn.arg]));
      // 3.8: `assert` loads it like this. So does `raise AssertionError` in a function; elsewhere that is LOAD_NAME.
      if (!mark && insn.op == Op::LOAD_GLOBAL && m.unit.dialect.assert_loads_global &&
          m.co.names[insn.arg] == "AssertionError")
        m.unit.assertion_errors.insert(m.top().expr.n);
      return;
    }
    case Op::LOAD_DEREF:
    case Op::LOAD_CLASSDEREF: {
      if (load_hidden(m, m.lifter.derefs()[insn.arg])) return;
      if (!annotation_mark(m, m.lifter.derefs()[insn.arg])) m.push_expr(m.name_expr(m.lifter.derefs()[insn.arg]));
      return;
    }
    case Op::LOAD_FROM_DICT_OR_DEREF:
      pop_namespace(m);
      if (load_hidden(m, m.lifter.derefs()[insn.arg])) return;
      m.push_expr(m.name_expr(m.lifter.derefs()[insn.arg]));
      return;
    case Op::LOAD_FROM_DICT_OR_GLOBALS:
      pop_namespace(m);
      m.push_expr(m.name_expr(m.lifter.names[insn.arg]));
      return;
    case Op::LOAD_LOCALS: return load_locals(m);
    case Op::LOAD_CLOSURE: return m.push({.kind = ValueKind::kCell, .name = m.lifter.derefs()[insn.arg]});
    case Op::LOAD_FAST_AND_CLEAR:
      m.lifter.cleared.insert(m.lifter.locals[insn.arg].n);
      return m.push({.kind = ValueKind::kCleared, .b = insn.flags, .name = m.lifter.locals[insn.arg]});
    default: return;
  }
}

namespace {

// Returns whether a DELETE_FAST only releases an object: the variable is bound, and no pending value reads it. Pending
// values need no spill then. Dynamo deletes the outputs of a graph like this while it prepares a call.
bool only_frees(const Machine& m, ExprId target) {
  const auto* name = std::get_if<ast::Name>(&m.unit.ast.exprs[target].node);
  if (name == nullptr || m.insn->op != Op::DELETE_FAST) return false;
  const auto is_var = [&](ExprId e) {
    const auto* n = std::get_if<ast::Name>(&m.unit.ast.exprs[e].node);
    return n != nullptr && n->id == name->id;
  };
  static constexpr int kMaxStatements = 64;  // how far back an assignment is searched for
  bool bound = false;
  int seen = 0;
  for (auto s = m.state.stmts.rbegin(); s != m.state.stmts.rend() && !bound; ++s) {
    if (s->kind != LKind::kStmt || ++seen > kMaxStatements) return false;
    const auto& node = m.unit.ast.stmts[s->stmt].node;
    if (const auto* del = std::get_if<ast::Delete>(&node); del != nullptr && is_var(del->targets[0])) return false;
    if (const auto* a = std::get_if<ast::Assign>(&node)) bound = std::ranges::any_of(a->targets, is_var);
  }
  return bound && !m.state.stack.any_of([&](const Value& v) { return mentions(m, v, name->id); });
}

void emit_delete(Machine& m, ExprId target) {
  if (m.state.is_leaving() || only_frees(m, target))
    m.push_stmt(m.stmt(ast::Delete{{target}}));
  else
    m.emit_stmt(ast::Delete{{target}});
}

// `x = a, b = e`: the store to x left `(x := e)`. Emits `x = e`; the unpacking's statement joins it (chain_assign()).
void chain_before_unpacking(Machine& m, ExprId& value) {
  const ExprId walrus_expr = value;
  ExprIds targets = chained_targets(m, value);
  if (targets.empty()) return;
  const auto copied = m.shared.copies.find(walrus_expr.n);  // found if further copies are on the stack
  const std::uint32_t offset = copied != m.shared.copies.end() ? copied->second.offset : m.insn->offset;
  m.shared.copies.try_emplace(value.n, SharedValues::Copy{offset, 0}).first->second.uses += 2;
  for (auto& v : m.state.stack)
    if (v.kind == ValueKind::kExpr && v.expr == walrus_expr) v.expr = value;
  m.push_stmt(m.stmt(ast::Assign{std::move(targets), value}));
}

void unpack(Machine& m, const Instruction& insn) {
  Value source = m.pop();
  UnpackGroup g;
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
      if (const auto parallel = source.kind == ValueKind::kExpr ? open_parallel(m, source) : std::nullopt) {
        g.parent = *parallel + 1;
        break;
      }
      if (source.kind == ValueKind::kExpr &&
          (m.shared.copies.contains(source.expr.n) || ast::is<ast::NamedExpr>(m.unit.ast.exprs[source.expr].node)))
        spill_overtaken(m, source);  // the statement may join an emitted one, so nothing can be spilled in between
      g.value = as_expr(m, source);
      m.embed(source);
      chain_before_unpacking(m, g.value);
  }
  if (const auto index = open_group(m, std::move(g), 0); total == 0) close_group(m, index);
}

}  // namespace

void store_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::STORE_FAST:
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL:
    case Op::STORE_DEREF: {
      const NameId name = *m.lifter.stored_name(insn);
      if (store_hidden(m, name, m.top())) {
        m.pop();
        return;
      }
      store(m, m.name_expr(name), m.pop());
      return;
    }
    case Op::STORE_ATTR: {
      const ExprId object = m.pop_expr();
      store(m, m.make(ast::Attribute{object, m.lifter.names[insn.arg]}), m.pop());
      return;
    }
    case Op::STORE_SUBSCR: {
      const ExprId key = pop_key(m);
      const ExprId object = m.pop_expr();
      if (annotation_store(m, object, key)) return;
      store(m, m.make(ast::Subscript{object, key}), m.pop());
      return;
    }
    case Op::STORE_SLICE: {
      const ExprId slice = pop_slice(m);
      const ExprId object = m.pop_expr();
      store(m, m.make(ast::Subscript{object, slice}), m.pop());
      return;
    }
    case Op::DELETE_FAST: emit_delete(m, m.name_expr(m.lifter.locals[insn.arg])); return;
    case Op::DELETE_NAME:
    case Op::DELETE_GLOBAL: emit_delete(m, m.name_expr(m.lifter.names[insn.arg])); return;
    case Op::DELETE_DEREF: emit_delete(m, m.name_expr(m.lifter.derefs()[insn.arg])); return;
    case Op::DELETE_ATTR: emit_delete(m, m.make(ast::Attribute{m.pop_expr(), m.lifter.names[insn.arg]})); return;
    case Op::DELETE_SUBSCR: {
      const ExprId key = pop_key(m);
      const ExprId object = m.pop_expr();
      emit_delete(m, m.make(ast::Subscript{object, key}));
      return;
    }
    case Op::UNPACK_SEQUENCE:
    case Op::UNPACK_EX:
      if (!starred_annotation(m, insn)) unpack(m, insn);
      return;
    default: return;
  }
}

}  // namespace depyf::lift
