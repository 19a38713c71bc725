// SPDX-License-Identifier: MIT
// Lifts stores and deletes, with unpacking and chained, parallel and augmented assignment.
//
// Bytecode: `x = y = e` is e, COPY 1, STORE x, STORE y; `a, b = c, d` is c, d, SWAP 2, STORE a, STORE b; `o.x += e` is
// o, COPY 1, LOAD_ATTR x, e, BINARY_OP in place, SWAP 2, STORE_ATTR x (Python/compile.c).
#include <algorithm>

#include "ast/walk.h"
#include "dynamo/names.h"
#include "lift/families.h"

namespace depyf::lift {

// Converts a lambda under construction to an expression; leaves any other value as it is.
void to_lambda_expr(Machine& m, Value& v) {
  if (v.kind != ValueKind::kFunction) return;
  const CodeId code = m.state.pending->functions[v.a].code;
  if (m.unit.code.codes[code].name != "<lambda>" || !m.unit.bodies[code.n].expr.valid()) return;
  v.expr = as_expr(m, v);
  v.kind = ValueKind::kExpr;
}

namespace {

// Starts an unpacking and pushes its items from `first` on. Returns its index in State::pending.
std::uint32_t open_group(Machine& m, UnpackGroup group, std::uint32_t first) {
  group.offset = m.insn->offset;
  const auto index = static_cast<std::uint32_t>(m.state.pending->groups.size());
  group.root = group.parent != 0 ? m.state.pending->groups[group.parent - 1].root : index;
  for (auto i = static_cast<std::uint32_t>(group.targets.size()); i-- > first;)
    m.push({.kind = ValueKind::kUnpack, .a = index, .b = i});
  m.state.pending->groups.push_back(std::move(group));
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

// Emits `targets = value`. If further copies of a shared value are on the stack, their stores join this statement, so
// nothing may be spilled in between.
void emit_assign(Machine& m, ExprIds targets, ExprId value, bool is_shared) {
  if (!is_shared) return m.emit_stmt(ast::Assign{std::move(targets), value});
  m.push_stmt(m.stmt(ast::Assign{std::move(targets), value}));
  chain_assign(m, value);
}

// Adds the next target of an unpacking. Returns whether it is the last one.
bool add_target(Machine& m, std::uint32_t group, std::uint32_t item, ExprId target);

// Returns whether positions (3.11+) show that a single target is in brackets, `[x] = ...`; `(x,)` has a comma besides.
bool is_in_brackets(Machine& m, std::uint32_t group) {
  const auto& g = m.state.pending->groups[group];
  if (g.targets.size() != 1 || g.new_lines != 0) return false;
  const SourcePosition* all = m.unit.positions.at(g.offset);
  const SourcePosition* one = m.unit.positions.at(m.unit.ast.exprs[g.targets[0]].origin.offset);
  return all != nullptr && one != nullptr && all->column >= 0 && all->line == one->line &&
         all->end_line == one->end_line && all->column + 1 == one->column && all->end_column == one->end_column + 1;
}

// Completes an unpacking all of whose targets are known, and the enclosing ones that become complete by it.
void close_group(Machine& m, std::uint32_t group) {
  const auto targets = [&] {
    const auto& g = m.state.pending->groups[group];
    if (is_in_brackets(m, group)) return m.unit.ast.expr(ast::List{g.targets}, {m.code, g.offset});
    return m.unit.ast.expr(ast::Tuple{g.targets, g.new_lines}, {m.code, g.offset});
  };
  for (; m.state.pending->groups[group].parent != 0; group = m.state.pending->groups[group].parent - 1) {
    const auto& g = m.state.pending->groups[group];
    if (!add_target(m, g.parent - 1, g.parent_item, targets())) return;
  }
  const ExprId target = targets();
  const auto g = m.state.pending->groups[group];
  if (g.value.valid()) return emit_assign(m, {target}, g.value, m.shared.copies.contains(g.value.n));
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
  auto& g = m.state.pending->groups[group];
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

// An item of a parallel assignment without a SWAP.
struct ParallelItem {
  std::uint32_t seq;
  NameId target;
  ExprId value;
  std::uint32_t offset;  // of its store
};

bool is_inplace(const Machine& m, const Value& v) { return m.shared.inplace.contains(v.expr.n); }

// Collects the values at the top of the stack that the next instructions store to locals; `items` has the one that is
// stored now. A POP_TOP stands for a store that the next one overwrites (optimize_basic_block in Python/flowgraph.c);
// but in Dynamo's resume functions it discards a value. Returns how many stack entries these instructions take, 0 if
// the values are none of a parallel assignment.
std::size_t collect_parallel_items(Machine& m, SmallVector<ParallelItem, 3>& items) {
  std::size_t used = 0;
  const auto size = m.state.stack.size();
  for (std::size_t depth = 0; items.size() < 3 && depth < size; ++depth) {
    Value& v = m.state.stack[size - 1 - depth];
    to_lambda_expr(m, v);
    const auto* p = m.peek(depth + 1);
    if (v.kind == ValueKind::kExpr && is_inplace(m, v)) break;  // no item of a tuple
    const bool is_shared = v.kind == ValueKind::kExpr && m.shared.copies.contains(v.expr.n);
    if (p != nullptr && p->op == Op::POP_TOP && !dynamo::resumes_by_dynamo(m.co) && v.kind == ValueKind::kExpr &&
        v.seq < items.back().seq && !is_shared) {
      items.push_back({v.seq, items.back().target, v.expr, p->offset});
      used = depth + 1;
      continue;
    }
    const auto target = p != nullptr && p->op == Op::STORE_FAST ? m.lifter.stored_name(*p) : std::nullopt;
    if (!target) break;
    if (v.kind == ValueKind::kCleared && v.a != 0) continue;  // restores a local after an inlined comprehension
    if (v.kind != ValueKind::kExpr || m.unit.is_temp(v.expr) || is_shared) break;
    for (const auto& item : items)
      if (item.target == *target || item.seq == v.seq) return 0;
    items.push_back({v.seq, *target, v.expr, p->offset});
    used = depth + 1;
  }
  return used;
}

// Recognizes two or three values followed by as many stores to locals, without a SWAP: the compiler has reordered the
// stores instead (apply_static_swaps in Python/flowgraph.c). Emits `a, b = v1, v2`.
bool parallel_store(Machine& m, NameId first_target, const Value& stored) {
  if (m.insn->op != Op::STORE_FAST || is_inplace(m, stored)) return false;
  SmallVector<ParallelItem, 3> items{{stored.seq, first_target, stored.expr, m.insn->offset}};
  const auto used = collect_parallel_items(m, items);
  if (used == 0) return false;
  std::sort(items.begin(), items.end(), [](const auto& x, const auto& y) { return x.seq < y.seq; });
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
      auto& f = m.state.pending->functions[value.a];
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

// Replaces the copies of an expression on the stack by another expression.
void replace_copies(Machine& m, ExprId before, ExprId after) {
  for (auto& v : m.state.stack)
    if (v.kind == ValueKind::kExpr && v.expr == before) v.expr = after;
}

// If the only other copy of a shared value is on top of the stack, replaces it by `(target := value)` and returns true.
// If that is stored next, chained_targets() makes `x = y = e` of it.
bool store_by_walrus(Machine& m, ExprId target, const Value& value) {
  const auto is_copy = [&](const Value& v) { return v.kind == ValueKind::kExpr && v.expr == value.expr; };
  if (m.state.stack.empty() || !is_copy(m.top()) || !ast::is<ast::Name>(m.unit.ast.exprs[target].node) ||
      m.shared.copies[value.expr.n].uses != 0 || has_pending_after(m, value.seq, m.state.stack.end() - 1) ||
      std::ranges::count_if(m.state.stack, is_copy) != 1)
    return false;
  m.shared.copies.erase(value.expr.n);
  m.shared.note_use(value.expr);
  m.top().expr = m.make(ast::NamedExpr{target, value.expr});
  return true;
}

// Recognizes the first store of a parallel assignment, of a value that has no copies.
bool store_parallel(Machine& m, ExprId target, const Value& value) {
  const auto* name = std::get_if<ast::Name>(&m.unit.ast.exprs[target].node);
  if (name != nullptr && parallel_store(m, name->id, value)) return true;
  const auto group = open_parallel(m, value);
  if (group) fill_unpack(m, *group, 0, target);
  return group.has_value();
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
  if (shared && store_by_walrus(m, target, value)) return;
  if (m.state.is_leaving() && is_none(m, value)) {  // `e = None` at the end of `except E as e`
    m.push_stmt(m.stmt(ast::Assign{{target}, value.expr}));
    return;
  }
  to_lambda_expr(m, value);
  if (value.kind == ValueKind::kExpr && !shared && store_parallel(m, target, value)) return;
  shared = spill_overtaken(m, value) && shared;
  ExprId e = as_expr(m, value);
  m.embed(value);
  ExprIds targets = chained_targets(m, e);
  targets.push_back(target);
  if (shared && e != value.expr) {  // this statement has the walrus targets, so the other copies become e alone
    const SharedValues::Copy copy = m.shared.copies[value.expr.n];
    m.shared.copies.try_emplace(e.n, copy);
    replace_copies(m, value.expr, e);
  }
  if (shared || targets.size() != 1 || !augmented(m, target, e)) emit_assign(m, std::move(targets), e, shared);
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
  replace_copies(m, walrus_expr, value);
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
