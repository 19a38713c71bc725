// SPDX-License-Identifier: MIT
// Operators, attributes, items and displays.
//
// Displays are grown in place while they are on the stack (LIST_APPEND, LIST_EXTEND, DICT_MERGE, ...), as CPython builds
// displays that hold stars or more than 30 items (Python/compile.c, starunpack_helper).
#include <algorithm>

#include "lift/lift.h"

namespace depyf::lift {

namespace {

// A display that is not on top of expression-building: LIST_APPEND and its like may still add to it.
template <class T>
T* literal(Unit& unit, const Value& v) {
  return v.kind == ValueKind::kExpr ? std::get_if<T>(&unit.ast.exprs[v.expr].node) : nullptr;
}

}  // namespace

// Whether a part of a slice is left out or a number without a sign.
bool Lifter::is_literal(ExprId e) const {
  if (!e.valid()) return true;
  if (const auto* i = std::get_if<ast::IntLiteral>(&unit_.ast.exprs[e].node)) return i->value >= 0;
  const auto* c = constant_of(e);
  const auto* i = c != nullptr ? std::get_if<ConstInt>(c) : nullptr;
  return i != nullptr && !i->negative;
}

ExprId Lifter::pop_slice(ExprId step) {
  Value upper = pop(), lower = pop();
  embed(upper);
  embed(lower);
  const auto part = [&](Value& v) { return is_none(v) ? ExprId{} : as_expr(v); };
  ExprId u = part(upper), l = part(lower);
  if (unit_.dialect.constant_slices && is_literal(l) && is_literal(u) && is_literal(step)) {  // it was no constant
    ExprId& shown = l.valid() ? l : u.valid() ? u : step;
    if (shown.valid()) shown = make(ast::UnaryOp{ast::UnaryOperator::kUAdd, shown});
  }
  return make(ast::Slice{l, u, step});
}

// What is between brackets: only there is a slice an expression.
ExprId Lifter::pop_key() {
  Value v = pop();
  embed(v);
  return v.kind == ValueKind::kExpr ? v.expr : as_expr(v);
}

bool Lifter::is_name(ExprId e, std::string_view text) const {
  const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[e].node);
  return n != nullptr && unit_.ast.text(n->id) == text;
}

// Whether what follows tests the value anyway.
bool Lifter::tests_next() const {
  const auto* next = peek();
  if (next == nullptr && literal_ != nullptr && at_ + 1 < stream_.size()) next = &stream_[at_ + 1];
  return next != nullptr && (next->op == Op::POP_JUMP_IF_FALSE || next->op == Op::POP_JUMP_IF_TRUE ||
                             next->op == Op::UNARY_NOT || next->op == Op::TO_BOOL);
}

void Lifter::make_bool() {
  const ExprId inner = make(ast::UnaryOp{ast::UnaryOperator::kNot, pop_expr()});
  push_expr(make(ast::UnaryOp{ast::UnaryOperator::kNot, inner}));
}

Result<bool> Lifter::operator_op(const Instruction& insn) {
  const auto unary = [&](ast::UnaryOperator op) -> Result<bool> {
    push_expr(make(ast::UnaryOp{op, pop_expr()}));
    return true;
  };
  const auto compare = [&](ast::CompareOperator op) -> Result<bool> {
    const ExprId right = pop_expr(), left = pop_expr();
    push_expr(make(ast::Compare{left, {op}, {right}}));
    return true;
  };
  switch (insn.op) {
    case Op::UNARY_POSITIVE: return unary(ast::UnaryOperator::kUAdd);
    case Op::UNARY_NEGATIVE: return unary(ast::UnaryOperator::kUSub);
    case Op::UNARY_NOT: return unary(ast::UnaryOperator::kNot);
    case Op::UNARY_INVERT: return unary(ast::UnaryOperator::kInvert);
    case Op::TO_BOOL:
      if (!tests_next()) make_bool();
      return true;
    case Op::BINARY_OP: {
      const ExprId right = pop_expr(), left = pop_expr();
      if ((insn.flags & kInPlace) != 0 &&
          spill.contains(insn.offset)) {  // its result goes elsewhere: t = left; t op= right
        spill_pending();
        const ExprId t = name_expr(fresh_temp());
        push_stmt(stmt(ast::Assign{{t}, left}));
        push_stmt(stmt(ast::AugAssign{t, static_cast<ast::BinaryOperator>(insn.arg), right}));
        push_expr(t);
        return true;
      }
      const auto op = static_cast<ast::BinaryOperator>(insn.arg);
      const ExprId node = make(ast::BinOp{format_as_kept(op, left, right), op, right});
      if ((insn.flags & kInPlace) != 0) inplace_.try_emplace(node.n, Shared{insn.offset, 0});
      push_expr(node);
      return true;
    }
    case Op::COMPARE_OP: {
      DEPYF_TRY(done, compare(static_cast<ast::CompareOperator>(insn.arg)));
      if ((insn.flags & kMakesBool) != 0 && !tests_next()) make_bool();
      return done;
    }
    case Op::IS_OP: return compare((insn.arg & 1U) != 0 ? ast::CompareOperator::kIsNot : ast::CompareOperator::kIs);
    case Op::CONTAINS_OP:
      return compare((insn.arg & 1U) != 0 ? ast::CompareOperator::kNotIn : ast::CompareOperator::kIn);
    default: return false;
  }
}

// Attributes, items and slices.
Result<bool> Lifter::item_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::LOAD_ATTR: {
      push_expr(make(ast::Attribute{pop_expr(), names_[insn.arg]}));
      return true;
    }
    case Op::LOAD_METHOD: {
      push_expr(make(ast::Attribute{pop_expr(), names_[insn.arg]}));
      push_kind(ValueKind::kNull);
      return true;
    }
    case Op::LOAD_SUPER_ATTR:
    case Op::LOAD_SUPER_METHOD: {
      const ExprId self = pop_expr(), cls = pop_expr();
      const ExprId super = pop_expr();
      ExprIds args;
      if ((insn.flags & kTwoArgSuper) != 0)  // super(cls, self).attr was written
        args = {cls, self};
      else if (!is_name(cls, "__class__") || locals_.empty() || !is_name(self, unit_.ast.text(locals_[0])))
        refuse("a super() of something else");
      push_expr(make(ast::Attribute{make(ast::Call{super, args, {}}), names_[insn.arg]}));
      if (insn.op == Op::LOAD_SUPER_METHOD) push_kind(ValueKind::kNull);
      return true;
    }
    case Op::BINARY_SUBSCR: {
      const ExprId key = pop_key(), object = pop_expr();
      push_expr(make(ast::Subscript{object, key}));
      return true;
    }
    case Op::BINARY_SLICE: {
      const ExprId slice = pop_slice();
      push_expr(make(ast::Subscript{pop_expr(), slice}));
      return true;
    }
    case Op::BUILD_SLICE: {
      ExprId step;
      if (insn.arg == 3) step = pop_expr();
      push_expr(pop_slice(step));
      return true;
    }
    default: return false;
  }
}

// A list or dict that a resume function is handed is the beginning of a display: [*begun, ...]. Sets stay as they are:
// copies of them may have another order.
void Lifter::go_on_with_display(std::uint32_t n) {
  Value& v = top(n);
  const auto* name = literal<ast::Name>(unit_, v);
  if (name == nullptr || n != 1 || literal_ != nullptr) return;
  const auto local = static_cast<std::size_t>(std::find(locals_.begin(), locals_.end(), name->id) - locals_.begin());
  if (local >= unit_.resume_arguments.size()) return;
  if (unit_.resume_arguments[local] == dynamo::ResumeArgument::kList)
    v.expr = make(ast::List{{make(ast::Starred{v.expr})}});
  if (unit_.resume_arguments[local] == dynamo::ResumeArgument::kDict) v.expr = make(ast::Dict{{ExprId{}}, {v.expr}});
}

// Adds to the display `n` from the top. Returns false if it is not a literal of this line.
bool Lifter::grow(std::uint32_t n, ExprId item, bool star) {
  Value& v = top(n);
  if (shared_.contains(v.expr.n)) return false;
  const auto hashes = [&](ExprId e) { return !std::holds_alternative<ast::Starred>(unit_.ast.exprs[e].node); };
  if (const auto* s = literal<ast::Set>(unit_, v);
      literal_ != nullptr && !star && s != nullptr && std::ranges::any_of(s->elts, hashes))
    return false;  // those of a display are hashed together
  if (star) {
    if (const auto* c = constant_of(item)) {  // [1, 2, 3] is BUILD_LIST 0, LOAD_CONST (1, 2, 3), LIST_EXTEND
      std::vector<ConstId> items;
      if (const auto* t = std::get_if<ConstTuple>(c)) items = t->items;
      if (const auto* t = std::get_if<ConstFrozenSet>(c)) {
        items = listed(unit_.code, *t);
        while (!items.empty() && items.size() < 3) items.push_back(items.back());  // {1, 1, 1}: equal items were one
      }
      if (items.size() >= 3) {
        ExprIds elts;
        for (ConstId k : items) elts.push_back(constant_expr(unit_, k, origin_));
        if (auto* l = literal<ast::List>(unit_, v); l != nullptr && l->elts.empty()) {
          l->elts = std::move(elts);
          return true;
        }
        if (auto* s = literal<ast::Set>(unit_, v); s != nullptr && s->elts.empty()) {
          s->elts = std::move(elts);
          return true;
        }
      }
    }
    item = make(ast::Starred{item});
  }
  if (auto* l = literal<ast::List>(unit_, v)) {
    l->elts.push_back(item);
    unit_.sizes.grew(unit_.ast, v.expr, item);
    return true;
  }
  if (auto* s = literal<ast::Set>(unit_, v)) {
    const auto is_star = [&](ExprId e) { return std::holds_alternative<ast::Starred>(unit_.ast.exprs[e].node); };
    if (!star && !s->elts.empty() && std::none_of(s->elts.begin(), s->elts.end(), is_star))
      one_by_one_.insert(v.expr.n);
    s->elts.push_back(item);
    unit_.sizes.grew(unit_.ast, v.expr, item);
    return true;
  }
  return false;
}

bool Lifter::is_comprehension() const {
  return co_.name == "<listcomp>" || co_.name == "<setcomp>" || co_.name == "<dictcomp>";
}

// Adds to a container that is more than a display being built: a comprehension's result, or (not from CPython's
// compiler) a list that lies deeper or was copied.
void Lifter::append(std::uint32_t n, ExprId item, ExprId key, bool star) {
  if (!key.valid() && n == 1 && grow(n, item, star)) return;
  Value& v = top(n);
  if (v.kind == ValueKind::kExpr && !unit_.is_temp(v.expr)) {  // from here on it has a name
    const auto keeps = [&](ExprId e) {
      Value pending;
      pending.expr = e;
      return e.valid() && !stable(pending);
    };
    const bool keep_key = keeps(key), keep_item = keeps(item);
    if (keep_key) push_expr(key);
    if (keep_item) push_expr(item);
    spill_pending();
    if (keep_item) item = pop().expr;
    if (keep_key) key = pop().expr;
    if (!stable(top(n))) spill_value(top(n));
  }
  if (literal_ != nullptr && key.valid()) {  // a subscript that is stored to is evaluated after what is stored
    Value first{.expr = key}, second{.expr = item};
    if (!stable(first) && !stable(second)) {
      spill_pending();
      spill_value(first);
      key = first.expr;
    }
  }
  LStmt s{LKind::kAppend, {}, star ? make(ast::Starred{item}) : item, key};
  if (insn_->op == Op::SET_ADD || insn_->op == Op::SET_UPDATE) s.container = Container::kSet;
  if (insn_->op == Op::MAP_ADD || insn_->op == Op::DICT_UPDATE || insn_->op == Op::DICT_MERGE)
    s.container = Container::kDict;
  s.target = top(n).kind == ValueKind::kExpr ? top(n).expr : ExprId{};
  if (literal_ != nullptr) {
    if (!s.target.valid()) return refuse("a container without a variable");
    check_late();
    spill_pending();
    return push_stmt(append_stmt(s));
  }
  emit(s);
}

// The lowest first.
ExprIds Lifter::pop_exprs(std::uint32_t n) {
  ExprIds out(n);
  for (std::uint32_t i = n; i-- > 0;) out[i] = pop_expr();
  return out;
}

// x[a:b, c]
ExprIds Lifter::pop_keys(std::uint32_t n) {
  ExprIds out(n);
  for (std::uint32_t i = n; i-- > 0;) out[i] = pop_key();
  return out;
}

// A tuple of cells, of type parameters, or of what an alias is made of.
Result<bool> Lifter::special_tuple(const Instruction& insn) {
  bool cells_only = insn.arg > 0;
  for (std::uint32_t i = 1; i <= insn.arg; ++i) cells_only &= top(i).kind == ValueKind::kCell;
  if (cells_only) {
    ExprIds cells(insn.arg);
    for (std::uint32_t i = insn.arg; i-- > 0;) {
      Value cell = pop();
      cells[i] = as_expr(cell);
    }
    push_kind(ValueKind::kClosure);
    top().expr = make(ast::Tuple{cells});
    return true;
  }
  if (insn.arg > 0 && top().kind == ValueKind::kTypeParam && params_tuple(insn.arg)) return true;
  if (insn.arg == 3 && peek() != nullptr && peek()->op == Op::CALL_INTRINSIC_1 &&
      static_cast<Intrinsic1>(peek()->arg) == Intrinsic1::INTRINSIC_TYPEALIAS) {
    if (!type_alias()) return Error{Errc::kInternal, insn.offset, "an alias that the compiler did not make"};
    return true;
  }
  return false;
}

Result<bool> Lifter::display_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_TUPLE: {
      DEPYF_TRY(special, special_tuple(insn));
      if (special) return true;
      starred_class(insn.arg);
      push_expr(make(ast::Tuple{pop_keys(insn.arg)}));
      return true;
    }
    case Op::BUILD_LIST:
      starred_class(insn.arg);
      push_expr(make(ast::List{pop_exprs(insn.arg)}));
      return true;
    case Op::BUILD_SET: push_expr(make(ast::Set{pop_exprs(insn.arg)})); return true;
    case Op::BUILD_MAP: {
      if (insn.arg == 0 && annotations_map()) return true;
      auto flat = pop_exprs(2 * insn.arg);
      ast::Dict d;
      for (std::size_t i = 0; i < flat.size(); i += 2) {
        d.keys.push_back(flat[i]);
        d.values.push_back(flat[i + 1]);
      }
      push_expr(make(std::move(d)));
      return true;
    }
    case Op::BUILD_CONST_KEY_MAP: {
      const ExprId keys = pop_expr();
      ast::Dict d;
      d.values = pop_exprs(insn.arg);
      const auto* c = constant_of(keys);
      const auto* t = c != nullptr ? std::get_if<ConstTuple>(c) : nullptr;
      if (t == nullptr || t->items.size() != insn.arg)
        return Error{Errc::kMalformed, insn.offset, "BUILD_CONST_KEY_MAP wants a tuple of keys"};
      for (ConstId k : t->items) d.keys.push_back(constant_expr(unit_, k, origin_));
      push_expr(make(std::move(d)));
      return true;
    }
    case Op::LIST_TO_TUPLE: {
      const ExprId list = pop_expr();
      if (const auto* l = std::get_if<ast::List>(&unit_.ast.exprs[list].node)) {
        push_expr(make(ast::Tuple{l->elts}));
      } else {
        if (literal_ != nullptr) refuse("a list that lies in a variable");
        push_expr(make(ast::Tuple{{make(ast::Starred{list})}}));
      }
      return true;
    }
    default: return false;
  }
}

// Up to 3.8: displays that unpack something.
Result<bool> Lifter::unpack_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::BUILD_LIST_UNPACK: push_expr(make(ast::List{joined(pop_exprs(insn.arg), false)})); return true;
    case Op::BUILD_TUPLE_UNPACK:
    case Op::BUILD_TUPLE_UNPACK_WITH_CALL:
      push_expr(make(ast::Tuple{joined(pop_exprs(insn.arg), false)}));
      if (insn.op == Op::BUILD_TUPLE_UNPACK) unit_.displays.insert(top().expr.n);
      return true;
    case Op::BUILD_SET_UNPACK: push_expr(make(ast::Set{joined(pop_exprs(insn.arg), true)})); return true;
    case Op::BUILD_MAP_UNPACK:
    case Op::BUILD_MAP_UNPACK_WITH_CALL: {
      auto parts = pop_exprs(insn.arg);
      ast::Dict d;
      for (ExprId x : parts) {
        const auto* inner = std::get_if<ast::Dict>(&unit_.ast.exprs[x].node);
        const bool unpacks = inner != nullptr && std::ranges::any_of(inner->keys, [](ExprId k) { return !k.valid(); });
        if (!unpacks && (d.keys.empty() || !d.keys.back().valid() || continues_run(d, false))) {
          merge_dict(d, x);
        } else {  // **{...}: items in a row are one display
          d.keys.push_back(ExprId{});
          d.values.push_back(x);
        }
      }
      push_expr(make(std::move(d)));
      if (insn.op == Op::BUILD_MAP_UNPACK) unit_.displays.insert(top().expr.n);
      return true;
    }
    default: return false;
  }
}

// What adds to a display that is being built.
Result<bool> Lifter::grow_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::LIST_APPEND:
    case Op::SET_ADD: {
      const ExprId item = pop_expr();
      go_on_with_display(insn.arg);
      append(insn.arg, item, {}, false);
      return true;
    }
    case Op::MAP_ADD: {
      const ExprId value = pop_expr(), key = pop_expr();
      go_on_with_display(insn.arg);
      if (auto* d = literal<ast::Dict>(unit_, top(insn.arg));
          d != nullptr && insn.arg == 1 && !shared_.contains(top(1).expr.n) &&
          (literal_ == nullptr || d->keys.empty() || !d->keys.back().valid())) {
        if (!d->keys.empty() && d->keys.back().valid()) one_by_one_.insert(top(1).expr.n);
        d->keys.push_back(key);
        d->values.push_back(value);
        for (const ExprId added : {key, value}) unit_.sizes.grew(unit_.ast, top(1).expr, added);
      } else {
        append(insn.arg, value, key, false);
      }
      return true;
    }
    case Op::LIST_EXTEND:
    case Op::SET_UPDATE: {
      const ExprId item = pop_expr();
      go_on_with_display(insn.arg);
      append(insn.arg, item, {}, true);
      return true;
    }
    case Op::DICT_UPDATE:
    case Op::DICT_MERGE: {
      const ExprId item = pop_expr();
      go_on_with_display(insn.arg);
      auto* d = literal<ast::Dict>(unit_, top(insn.arg));
      if (d == nullptr || insn.arg != 1 || shared_.contains(top(1).expr.n)) {
        append(insn.arg, item, {}, true);
        return true;
      }
      ast::Dict copy = *d;
      const bool after_star = !copy.keys.empty() && !copy.keys.back().valid();
      if (after_star || (insn.op == Op::DICT_UPDATE && continues_run(copy, one_by_one_.contains(top(1).expr.n)))) {
        merge_dict(copy, item);
      } else {  // **{...}: only items after a ** are a display of their own
        copy.keys.push_back(ExprId{});
        copy.values.push_back(item);
      }
      std::get<ast::Dict>(unit_.ast.exprs[top(insn.arg).expr].node) = std::move(copy);
      unit_.sizes.grew(unit_.ast, top(insn.arg).expr, item);
      return true;
    }
    default: return false;
  }
}

// Whether the items of a long display came this far in runs of their own, so that the next run may belong to it too
// (compiler_dict of Python/compile.c: up to 3.10 a run holds 65,535 items; later 17, each added alone).
bool Lifter::continues_run(const ast::Dict& d, bool one_by_one) const {
  std::size_t items = 0;
  while (items < d.keys.size() && d.keys[d.keys.size() - 1 - items].valid()) ++items;
  return items > 0 && (items % 65'535 == 0 || (one_by_one && items % 17 == 0));
}

// What BUILD_x_UNPACK joins: runs of items, which it finds in displays of their own, and what is unpacked. No two runs
// follow each other, a display alone was unpacked, and so was one that unpacks something itself.
ExprIds Lifter::joined(const ExprIds& parts, bool sets) {
  ExprIds out;
  bool after_run = parts.size() == 1;
  const auto unpacks = [&](const ExprIds& items) {
    return std::ranges::any_of(items,
                               [&](ExprId e) { return std::holds_alternative<ast::Starred>(unit_.ast.exprs[e].node); });
  };
  for (const ExprId x : parts) {
    const auto* c = constant_of(x);
    const auto* constants = c != nullptr && !sets ? std::get_if<ConstTuple>(c) : nullptr;
    const auto* tuple = sets ? nullptr : std::get_if<ast::Tuple>(&unit_.ast.exprs[x].node);
    const auto* set = sets ? std::get_if<ast::Set>(&unit_.ast.exprs[x].node) : nullptr;
    if (tuple != nullptr && unpacks(tuple->elts)) tuple = nullptr;
    if (set != nullptr && unpacks(set->elts)) set = nullptr;
    if (after_run || (tuple == nullptr && set == nullptr && constants == nullptr)) {
      after_run = false;
      out.push_back(make(ast::Starred{x}));
      continue;
    }
    after_run = true;
    ExprIds items;
    if (tuple != nullptr) items = tuple->elts;
    if (set != nullptr) items = set->elts;
    if (constants != nullptr)
      for (const ConstId k : std::vector(constants->items)) items.push_back(constant_expr(unit_, k, origin_));
    out.insert(out.end(), items.begin(), items.end());
  }
  return out;
}

// `**item` into a display, spelled out when the item is itself a display.
void Lifter::merge_dict(ast::Dict& into, ExprId item) {
  if (const auto* d = std::get_if<ast::Dict>(&unit_.ast.exprs[item].node)) {
    into.keys.insert(into.keys.end(), d->keys.begin(), d->keys.end());
    into.values.insert(into.values.end(), d->values.begin(), d->values.end());
    return;
  }
  into.keys.push_back(ExprId{});
  into.values.push_back(item);
}

}  // namespace depyf::lift
