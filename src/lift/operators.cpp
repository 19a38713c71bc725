// SPDX-License-Identifier: MIT
// Lifts operators, attributes, subscripts, slices and displays.
//
// CPython builds displays that have stars or more than 30 items by adding to a container on the stack (LIST_APPEND,
// LIST_EXTEND, DICT_MERGE ...; starunpack_helper in Python/compile.c). Here such a display grows in place while it is
// on the stack. A container that is more than a display gets a statement that adds to it (LKind::kAppend).
#include <algorithm>

#include "ast/constants.h"
#include "cfg/shapes.h"
#include "dynamo/names.h"
#include "lift/families.h"
#include "lift/unfolded.h"

namespace depyf::lift {

namespace {

// Returns the node of a value if it is an expression of type T, else null.
template <class T>
T* as_node(Unit& unit, const Value& v) {
  return v.kind == ValueKind::kExpr ? std::get_if<T>(&unit.ast.exprs[v.expr].node) : nullptr;
}

// Returns whether a part of a slice is absent or a literal without a sign.
bool is_literal(const Machine& m, ExprId e) {
  if (!e.valid()) return true;
  if (const auto* i = std::get_if<ast::IntLiteral>(&m.unit.ast.exprs[e].node)) return i->value >= 0;
  if (std::holds_alternative<ast::StrLiteral>(m.unit.ast.exprs[e].node)) return true;
  const auto* constant = ast::constant_of(m.unit.ast, m.unit.code, e);
  return constant != nullptr && !is_folded_late(*constant);
}

// Returns whether all keys of a display are constants although the compiler would have made a tuple of them: one had
// another spelling. Dynamo makes no such tuple.
bool needs_hidden_key(const Machine& m, const ast::Dict& display) {
  return m.literal == nullptr && m.unit.dialect.constant_keys && display.keys.size() > 1 &&
         std::ranges::all_of(display.keys, [&](ExprId key) { return ast::is_constant(m.unit.ast, key); }) &&
         !dynamo::made_by_dynamo(m.co) && !dynamo::resumes_by_dynamo(m.co);
}

}  // namespace

// Pops the bounds of a slice and makes it. From 3.14 on the compiler makes a constant of a slice whose parts are
// literals, so if all of them are, the source had another spelling: one part is written as `x[+1:2]`, `x[0 or "":2]`.
ExprId pop_slice(Machine& m, ExprId step) {
  Value upper = m.pop(), lower = m.pop();
  m.embed(upper);
  m.embed(lower);
  const auto part = [&](Value& v) { return is_none(m, v) ? ExprId{} : as_expr(m, v); };
  ExprId u = part(upper), l = part(lower);
  if (m.unit.dialect.constant_slices && is_literal(m, l) && is_literal(m, u) && is_literal(m, step)) {
    ExprId& shown = l.valid() ? l : u.valid() ? u : step;
    if (const auto number = shown.valid() ? unfolded(m.unit, shown) : shown; shown.valid())
      shown = number != shown ? number : hidden(m.unit, shown);
  }
  return m.make(ast::Slice{l, u, step});
}

namespace {

// Pops an expression and counts a use. Nodes of the given kinds are taken as they are, slices in them included.
template <class... Kinds>
ExprId pop_one_of(Machine& m) {
  Value v = m.pop();
  m.embed(v);
  return (... || (as_node<Kinds>(m.unit, v) != nullptr)) ? v.expr : as_expr(m, v);
}

}  // namespace

// Pops the index of a subscript, where a slice, or a tuple that has one, is allowed.
ExprId pop_key(Machine& m) { return pop_one_of<ast::Slice, ast::Tuple>(m); }

std::optional<ExprIds> tuple_items(const Machine& m, ExprId e) {
  if (const auto* t = std::get_if<ast::Tuple>(&m.unit.ast.exprs[e].node)) return t->elts;
  const auto* constants = m.constant_of<ConstTuple>(e);
  if (constants == nullptr) return std::nullopt;
  ExprIds out;
  for (const ConstId k : constants->items) out.push_back(constant_expr(m.unit, k, m.origin));
  return out;
}

bool is_name(const Machine& m, ExprId e, std::string_view text) {
  const auto* n = std::get_if<ast::Name>(&m.unit.ast.exprs[e].node);
  return n != nullptr && m.unit.ast.text(n->id) == text;
}

namespace {

// Returns whether the next instruction tests the truth of the value, so that no conversion to bool is needed.
bool is_tested_next(const Machine& m) {
  const auto* next = m.peek();
  if (next == nullptr && m.literal != nullptr && m.at + 1 < m.stream.size()) next = &m.stream[m.at + 1];
  return next != nullptr && (next->op == Op::POP_JUMP_IF_FALSE || next->op == Op::POP_JUMP_IF_TRUE ||
                             next->op == Op::UNARY_NOT || next->op == Op::TO_BOOL);
}

// Replaces the value on top of the stack by `not not value`.
void make_bool(Machine& m) {
  const ExprId inner = m.make(ast::UnaryOp{ast::UnaryOperator::kNot, m.pop_expr()});
  m.push_expr(m.make(ast::UnaryOp{ast::UnaryOperator::kNot, inner}));
}

}  // namespace

void operator_op(Machine& m, const Instruction& insn) {
  const auto unary = [&](ast::UnaryOperator op) { m.push_expr(m.make(ast::UnaryOp{op, m.pop_expr()})); };
  const auto compare = [&](ast::CompareOperator op) {
    const ExprId right = m.pop_expr(), left = m.pop_expr();
    m.push_expr(m.make(ast::Compare{left, {op}, {right}}));
  };
  switch (insn.op) {
    case Op::UNARY_POSITIVE: return unary(ast::UnaryOperator::kUAdd);
    case Op::UNARY_NEGATIVE: return unary(ast::UnaryOperator::kUSub);
    case Op::UNARY_NOT:
      if (const Value& v = m.top(); m.literal == nullptr && !m.unit.dialect.folds_arithmetic_after_tests &&
                                    v.kind == ValueKind::kExpr && ast::is_constant(m.unit.ast, v.expr))
        m.top().expr = hidden(m.unit, v.expr);
      return unary(ast::UnaryOperator::kNot);
    case Op::UNARY_INVERT: return unary(ast::UnaryOperator::kInvert);
    case Op::TO_BOOL:
      if (!is_tested_next(m)) make_bool(m);
      return;
    case Op::BINARY_OP: {
      const bool into_temp = (insn.flags & kInPlace) != 0 && m.lifter.spill.contains(insn.offset);
      if (into_temp) spill_unpackings(m);
      const ExprId right = m.pop_expr(), left = m.pop_expr();
      if (into_temp) {  // the result has several uses: t = left; t op= right
        spill_pending(m);
        const ExprId t = m.name_expr(m.fresh_temp());
        m.push_stmt(m.stmt(ast::Assign{{t}, left}));
        m.push_stmt(m.stmt(ast::AugAssign{t, static_cast<ast::BinaryOperator>(insn.arg), right}));
        m.push_expr(t);
        return;
      }
      const auto op = static_cast<ast::BinaryOperator>(insn.arg);
      const ExprId node = m.make(ast::BinOp{unoptimized_format(m, op, left, right), op, right});
      if ((insn.flags & kInPlace) != 0) m.shared.inplace.try_emplace(node.n, SharedValues::Copy{insn.offset, 0});
      m.push_expr(node);
      return;
    }
    case Op::COMPARE_OP: {
      compare(static_cast<ast::CompareOperator>(insn.arg));
      if ((insn.flags & kMakesBool) != 0 && !is_tested_next(m)) make_bool(m);
      return;
    }
    case Op::IS_OP: return compare((insn.arg & 1U) != 0 ? ast::CompareOperator::kIsNot : ast::CompareOperator::kIs);
    case Op::CONTAINS_OP:
      return compare((insn.arg & 1U) != 0 ? ast::CompareOperator::kNotIn : ast::CompareOperator::kIn);
    default: return;
  }
}

// Lifts attributes, subscripts and slices.
void item_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::LOAD_ATTR:
    case Op::LOAD_METHOD:
      m.push_expr(m.make(ast::Attribute{m.pop_expr(), m.lifter.names[insn.arg]}));
      if (insn.op == Op::LOAD_METHOD) m.push({.kind = ValueKind::kNull});
      return;
    case Op::LOAD_SUPER_ATTR:
    case Op::LOAD_SUPER_METHOD: {
      const bool two_args = (insn.flags & kTwoArgSuper) != 0;  // the source has super(cls, self).attr, not super().attr
      const auto is = [&](const Value& v, std::string_view text) {
        return v.kind == ValueKind::kExpr && is_name(m, v.expr, text);
      };
      const bool implicit =
          !m.lifter.locals.empty() && is(m.top(2), "__class__") && is(m.top(), m.unit.ast.text(m.lifter.locals[0]));
      if (!two_args && !implicit && m.literal == nullptr) m.refuse("a super() of something else");
      if (!two_args && !implicit) spill_pending(m);
      const ExprId self = m.pop_expr(), cls = m.pop_expr(), super = m.pop_expr();
      const ExprIds args = two_args ? ExprIds{cls, self} : ExprIds{};
      const ExprId object = two_args || implicit ? m.make(ast::Call{super, args, {}}) : super_of(m, super, cls, self);
      m.push_expr(m.make(ast::Attribute{object, m.lifter.names[insn.arg]}));
      if (insn.op == Op::LOAD_SUPER_METHOD) m.push({.kind = ValueKind::kNull});
      return;
    }
    case Op::BINARY_SUBSCR: {
      const ExprId key = pop_key(m), object = m.pop_expr();
      m.push_expr(m.make(ast::Subscript{object, key}));
      return;
    }
    case Op::BINARY_SLICE: {
      const ExprId slice = pop_slice(m);
      m.push_expr(m.make(ast::Subscript{m.pop_expr(), slice}));
      return;
    }
    case Op::BUILD_SLICE: {
      ExprId step;
      if (insn.arg == 3) step = m.pop_expr();
      m.push_expr(pop_slice(m, step));
      return;
    }
    default: return;
  }
}

namespace {

// If the container is a parameter of a Dynamo resume function and holds a display begun before the graph break, starts
// a new display with it: `[*begun, ...]`. A set is left as it is, because its copy may have another order.
void continue_display(Machine& m, std::uint32_t n) {
  Value& v = m.top(n);
  const auto* name = as_node<ast::Name>(m.unit, v);
  if (name == nullptr || n != 1 || m.literal != nullptr) return;
  const auto local = static_cast<std::size_t>(std::find(m.lifter.locals.begin(), m.lifter.locals.end(), name->id) -
                                              m.lifter.locals.begin());
  if (local >= m.unit.resume_arguments.size()) return;
  if (m.unit.resume_arguments[local] == dynamo::ResumeArgument::kList)
    v.expr = m.make(ast::List{{m.make(ast::Starred{v.expr})}});
  if (m.unit.resume_arguments[local] == dynamo::ResumeArgument::kDict) v.expr = m.make(ast::Dict{{ExprId{}}, {v.expr}});
}

// Adds an item (`star`: the items of an iterable) to the list or set display `n` entries below the top. Returns false
// if that is no display that was built in this line, or was copied.
bool grow(Machine& m, std::uint32_t n, ExprId item, bool star) {
  Value& v = m.top(n);
  if (m.shared.copies.contains(v.expr.n)) return false;
  const auto is_hashed = [&](ExprId e) { return !std::holds_alternative<ast::Starred>(m.unit.ast.exprs[e].node); };
  if (const auto* s = as_node<ast::Set>(m.unit, v);
      m.literal != nullptr && !star && s != nullptr && std::ranges::any_of(s->elts, is_hashed))
    return false;  // a display hashes its items at the end, SET_ADD hashes them one by one
  if (star) {
    if (const auto* c = m.constant_of(item)) {  // [1, 2, 3] is BUILD_LIST 0, LOAD_CONST (1, 2, 3), LIST_EXTEND
      std::vector<ConstId> items;
      if (const auto* t = std::get_if<ConstTuple>(c)) items = t->items;
      if (const auto* t = std::get_if<ConstFrozenSet>(c)) {
        items = listed(m.unit.code, *t);
        while (!items.empty() && items.size() < 3) items.push_back(items.back());  // {1, 1, 1}: frozenset({1})
      }
      if (items.size() >= 3) {
        ExprIds elts;
        for (ConstId k : items) elts.push_back(constant_expr(m.unit, k, m.origin));
        if (auto* l = as_node<ast::List>(m.unit, v); l != nullptr && l->elts.empty()) {
          l->elts = std::move(elts);
          return true;
        }
        if (auto* s = as_node<ast::Set>(m.unit, v); s != nullptr && s->elts.empty()) {
          s->elts = std::move(elts);
          return true;
        }
      }
    }
    item = m.make(ast::Starred{item});
  }
  auto* l = as_node<ast::List>(m.unit, v);
  auto* s = as_node<ast::Set>(m.unit, v);
  if (l == nullptr && s == nullptr) return false;
  if (s != nullptr && !star && !s->elts.empty() && !m.shared.one_by_one.contains(v.expr.n) &&
      std::ranges::all_of(s->elts, is_hashed))
    m.shared.one_by_one.insert(v.expr.n);
  (l != nullptr ? l->elts : s->elts).push_back(item);
  m.unit.sizes.note_growth(m.unit.ast, v.expr, item);
  return true;
}

// Adds to a container that is `n` entries below the top: a display that can grow, else by a statement. The latter is
// for the result of a comprehension, and for code not from CPython's compiler that adds to a copied or deeper list.
void append(Machine& m, std::uint32_t n, ExprId item, ExprId key, bool star) {
  if (!key.valid() && n == 1 && grow(m, n, item, star)) return;
  Value& v = m.top(n);
  if (v.kind == ValueKind::kExpr && !m.unit.is_temp(v.expr)) {  // spill the container, after its key and item
    const auto keeps = [&](ExprId e) { return e.valid() && !is_fixed(m, {.expr = e}); };
    const bool keep_key = keeps(key), keep_item = keeps(item);
    if (keep_key) m.push_expr(key);
    if (keep_item) m.push_expr(item);
    spill_pending(m);
    if (keep_item) item = m.pop().expr;
    if (keep_key) key = m.pop().expr;
    if (!is_fixed(m, m.top(n))) spill_value(m, m.top(n));
  }
  if (m.literal != nullptr && key.valid()) {  // the key comes first, but `d[key] = item` evaluates the item first
    Value first{.expr = key}, second{.expr = item};
    if (!is_fixed(m, first) && !is_fixed(m, second)) {
      spill_pending(m);
      spill_value(m, first);
      key = first.expr;
    }
  }
  LStmt s{LKind::kAppend, {}, star ? m.make(ast::Starred{item}) : item, key};
  if (m.insn->op == Op::SET_ADD || m.insn->op == Op::SET_UPDATE) s.container = Container::kSet;
  if (m.insn->op == Op::MAP_ADD || m.insn->op == Op::DICT_UPDATE || m.insn->op == Op::DICT_MERGE)
    s.container = Container::kDict;
  s.merges = m.insn->op == Op::DICT_MERGE;
  s.target = m.top(n).kind == ValueKind::kExpr ? m.top(n).expr : ExprId{};
  if (m.literal != nullptr) {
    if (!s.target.valid()) return m.refuse("a container without a variable");
    check_deferred(m);
    spill_pending(m);
    return m.push_stmt(append_stmt(m.unit, s, m.origin));
  }
  m.emit(s);
}

// Pops n expressions; the lowest stack entry comes first in the result.
ExprIds pop_exprs(Machine& m, std::uint32_t n) {
  ExprIds out(n);
  for (std::uint32_t i = n; i-- > 0;) out[i] = m.pop_expr();
  return out;
}

// The same for the items of an index, x[a:b, c] or x[a:b, *c], which may be slices.
ExprIds pop_keys(Machine& m, std::uint32_t n) {
  ExprIds out(n);
  for (std::uint32_t i = n; i-- > 0;) out[i] = pop_one_of<ast::Slice>(m);
  return out;
}

// Lifts a BUILD_TUPLE that is no tuple of the source: closure cells, type parameters, or the parts of a type alias.
bool special_tuple(Machine& m, const Instruction& insn) {
  bool cells_only = insn.arg > 0;
  for (std::uint32_t i = 1; i <= insn.arg; ++i) cells_only &= m.top(i).kind == ValueKind::kCell;
  if (cells_only) {
    ExprIds cells(insn.arg);
    for (std::uint32_t i = insn.arg; i-- > 0;) {
      Value cell = m.pop();
      cells[i] = as_expr(m, cell);
    }
    m.push({.kind = ValueKind::kClosure, .expr = m.make(ast::Tuple{cells})});
    return true;
  }
  if (insn.arg > 0 && m.top().kind == ValueKind::kTypeParam && params_tuple(m, insn.arg)) return true;
  if (insn.arg == 3 && m.peek() != nullptr && m.peek()->op == Op::CALL_INTRINSIC_1 &&
      static_cast<Intrinsic1>(m.peek()->arg) == Intrinsic1::INTRINSIC_TYPEALIAS) {
    if (!type_alias(m)) m.fail(Errc::kInternal, "an alias that the compiler did not make");
    return true;
  }
  return false;
}

}  // namespace

void display_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_TUPLE: {
      if (special_tuple(m, insn)) return;
      starred_class(m, insn.arg);
      m.push_expr(m.make(ast::Tuple{pop_keys(m, insn.arg)}));
      return;
    }
    case Op::BUILD_LIST:
      starred_class(m, insn.arg);
      m.push_expr(m.make(ast::List{m.literal != nullptr ? pop_exprs(m, insn.arg) : pop_keys(m, insn.arg)}));
      return;
    case Op::BUILD_SET: m.push_expr(m.make(ast::Set{pop_exprs(m, insn.arg)})); return;
    case Op::BUILD_MAP: {
      if (insn.arg == 0 && annotations_map(m)) return;
      auto flat = pop_exprs(m, 2 * insn.arg);
      ast::Dict d;
      for (std::size_t i = 0; i < flat.size(); i += 2) {
        d.keys.push_back(flat[i]);
        d.values.push_back(flat[i + 1]);
      }
      if (needs_hidden_key(m, d)) d.keys[0] = hidden(m.unit, d.keys[0]);
      m.push_expr(m.make(std::move(d)));
      return;
    }
    case Op::BUILD_CONST_KEY_MAP: {
      if (m.literal != nullptr && m.constant_of<ConstTuple>(m.top()) == nullptr) spill_pending(m);
      const ExprId keys = m.pop_expr();
      ast::Dict d;
      d.values = pop_exprs(m, insn.arg);
      const auto* t = m.constant_of<ConstTuple>(keys);
      if (t == nullptr && m.literal != nullptr)
        return m.push_expr(pairs(m, keys, m.make(ast::Tuple{std::move(d.values)})));
      if (t == nullptr || t->items.size() != insn.arg)
        return m.fail(Errc::kMalformed, "BUILD_CONST_KEY_MAP wants a tuple of keys");
      for (ConstId k : t->items) d.keys.push_back(constant_expr(m.unit, k, m.origin));
      m.push_expr(m.make(std::move(d)));
      return;
    }
    case Op::LIST_TO_TUPLE: {
      const ExprId list = pop_one_of<ast::List>(m);
      if (const auto* l = std::get_if<ast::List>(&m.unit.ast.exprs[list].node))
        m.push_expr(m.make(ast::Tuple{l->elts}));
      else if (m.literal != nullptr)  // the list is in a variable
        m.push_expr(m.make(ast::Call{m.literal->builtin_object("tuple"), {list}, {}}));
      else
        m.push_expr(m.make(ast::Tuple{{m.make(ast::Starred{list})}}));
      return;
    }
    default: return;
  }
}

namespace {

// Returns whether the items at the end of a dict display are a whole number of the runs in which the compiler builds a
// long display, so that the next dict may be its next run (compiler_dict in Python/compile.c: a run has 65,535 items up
// to 3.10, 17 items, added one by one, later).
bool continues_run(const ast::Dict& d, bool one_by_one) {
  std::size_t items = 0;
  while (items < d.keys.size() && d.keys[d.keys.size() - 1 - items].valid()) ++items;
  return items > 0 && (items % 65'535 == 0 || (one_by_one && items % 17 == 0));
}

// Returns the items of the display that BUILD_x_UNPACK makes. Its operands are unpacked values, and displays of the
// plain items between them, which are merged into the result. The compiler never emits two such displays in a row, nor
// a single operand, nor one with a star in it: such a display was unpacked by the source.
ExprIds join_runs(Machine& m, const ExprIds& parts, bool sets) {
  ExprIds out;
  bool after_run = parts.size() == 1;
  const auto is_starred = [&](ExprId e) { return ast::is<ast::Starred>(m.unit.ast.exprs[e].node); };
  const auto set_items = [&](ExprId e) {
    const auto* set = std::get_if<ast::Set>(&m.unit.ast.exprs[e].node);
    return set != nullptr ? std::optional(set->elts) : std::nullopt;
  };
  for (const ExprId x : parts) {
    const auto items = sets ? set_items(x) : tuple_items(m, x);
    after_run = !after_run && items && std::ranges::none_of(*items, is_starred);
    if (after_run)
      out.insert(out.end(), items->begin(), items->end());
    else
      out.push_back(m.make(ast::Starred{x}));
  }
  return out;
}

// Adds `**item` to a dict display; if the item is a dict display, adds its pairs.
void merge_dict(Machine& m, ast::Dict& into, ExprId item) {
  if (const auto* d = std::get_if<ast::Dict>(&m.unit.ast.exprs[item].node)) {
    into.keys.insert(into.keys.end(), d->keys.begin(), d->keys.end());
    into.values.insert(into.values.end(), d->values.begin(), d->values.end());
    return;
  }
  into.keys.push_back(ExprId{});
  into.values.push_back(item);
}

}  // namespace

// Lifts BUILD_x_UNPACK, the displays with stars up to 3.8.
void unpack_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_LIST_UNPACK: m.push_expr(m.make(ast::List{join_runs(m, pop_exprs(m, insn.arg), false)})); return;
    case Op::BUILD_TUPLE_UNPACK:
    case Op::BUILD_TUPLE_UNPACK_WITH_CALL:
      m.push_expr(m.make(ast::Tuple{join_runs(m, pop_exprs(m, insn.arg), false)}));
      if (insn.op == Op::BUILD_TUPLE_UNPACK) m.unit.displays.insert(m.top().expr.n);
      return;
    case Op::BUILD_SET_UNPACK: m.push_expr(m.make(ast::Set{join_runs(m, pop_exprs(m, insn.arg), true)})); return;
    case Op::BUILD_MAP_UNPACK:
    case Op::BUILD_MAP_UNPACK_WITH_CALL: {
      auto parts = pop_exprs(m, insn.arg);
      ast::Dict d;
      for (ExprId x : parts) {
        const auto* inner = std::get_if<ast::Dict>(&m.unit.ast.exprs[x].node);
        const bool unpacks = inner != nullptr && std::ranges::any_of(inner->keys, [](ExprId k) { return !k.valid(); });
        const bool may_join = insn.op == Op::BUILD_MAP_UNPACK ? inner != nullptr && !unpacks : has_keyword_keys(m, x);
        if (may_join && (d.keys.empty() || !d.keys.back().valid() || continues_run(d, false))) {
          merge_dict(m, d, x);
        } else {  // the source has **{...}: the compiler never emits two runs of items in a row
          d.keys.push_back(ExprId{});
          d.values.push_back(x);
        }
      }
      m.push_expr(m.make(std::move(d)));
      if (insn.op == Op::BUILD_MAP_UNPACK) m.unit.displays.insert(m.top().expr.n);
      return;
    }
    default: return;
  }
}

namespace {

// Returns the dict display at the top of the stack that the instruction may extend, null if it extends another value.
ast::Dict* growing_dict(Machine& m, const Instruction& insn) {
  auto* d = as_node<ast::Dict>(m.unit, m.top(insn.arg));
  return insn.arg == 1 && !m.shared.copies.contains(m.top(1).expr.n) ? d : nullptr;
}

void map_add(Machine& m, const Instruction& insn) {
  const ExprId value = m.pop_expr(), key = m.pop_expr();
  continue_display(m, insn.arg);
  auto* d = growing_dict(m, insn);
  const bool follows_item = d != nullptr && !d->keys.empty() && d->keys.back().valid();
  if (d == nullptr || (m.literal != nullptr && follows_item)) return append(m, insn.arg, value, key, false);
  if (follows_item) m.shared.one_by_one.insert(m.top(1).expr.n);
  d->keys.push_back(key);
  d->values.push_back(value);
  for (const ExprId added : {key, value}) m.unit.sizes.note_growth(m.unit.ast, m.top(1).expr, added);
}

// Lifts DICT_UPDATE and DICT_MERGE: an item `**x` of a display or call, or a run of items that the compiler made a dict.
void dict_update(Machine& m, const Instruction& insn) {
  const ExprId item = m.pop_expr();
  continue_display(m, insn.arg);
  auto* d = growing_dict(m, insn);
  if (d == nullptr) return append(m, insn.arg, item, {}, true);
  const bool after_star = !d->keys.empty() && !d->keys.back().valid();
  const bool joins = insn.op == Op::DICT_MERGE
                         ? after_star && has_keyword_keys(m, item)
                         : after_star || continues_run(*d, m.shared.one_by_one.contains(m.top(1).expr.n));
  if (joins && !m.insn_starts_before(item)) {
    merge_dict(m, *d, item);
  } else {  // the source has **{...}: only after a ** does the compiler put plain items into a display of their own
    d->keys.push_back(ExprId{});
    d->values.push_back(item);
  }
  m.unit.sizes.note_growth(m.unit.ast, m.top(insn.arg).expr, item);
}

}  // namespace

// Lifts the instructions that add to a container on the stack.
void grow_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::LIST_APPEND:
    case Op::SET_ADD: {
      const bool grows = m.literal == nullptr && insn.arg == 1 && as_node<ast::List>(m.unit, m.top(2)) != nullptr &&
                         !m.shared.copies.contains(m.top(2).expr.n);
      const ExprId item = grows ? pop_one_of<ast::Slice>(m) : m.pop_expr();
      continue_display(m, insn.arg);
      return append(m, insn.arg, item, {}, false);
    }
    case Op::MAP_ADD: return map_add(m, insn);
    case Op::LIST_EXTEND:
    case Op::SET_UPDATE: {
      const ExprId item = m.pop_expr();
      continue_display(m, insn.arg);
      return append(m, insn.arg, item, {}, true);
    }
    case Op::DICT_UPDATE:
    case Op::DICT_MERGE: return dict_update(m, insn);
    default: return;
  }
}

}  // namespace depyf::lift
