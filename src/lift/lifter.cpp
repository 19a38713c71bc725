// SPDX-License-Identifier: MIT
// The lifter's engine: the stack, statements in evaluation order, spilling, and the families' dispatch.
//
// Invariant: an expression with effects occurs in exactly one place of the result; see Lifter::violations().
#include <algorithm>
#include <utility>

#include "ast/walk.h"
#include "lift/lift.h"

namespace depyf::lift {

namespace {

constexpr std::uint32_t kMaxHeight = 24;  // literal mode: of pending expressions, as nested parentheses are limited

ExprIds display_items(const ast::Tree& tree, ExprId display) {
  const auto* list = std::get_if<ast::List>(&tree.exprs[display].node);
  return list != nullptr ? list->elts : std::get<ast::Tuple>(tree.exprs[display].node).elts;
}

}  // namespace

Lifter::Lifter(Unit& unit, CodeId code)
    : unit_(unit),
      code_(code),
      co_(unit.code.codes[code]),
      first_stmt_(static_cast<std::uint32_t>(unit.ast.stmts.size())),
      argument_(unit.argument_name()),
      slots_(unit.ast, unit.options.temp_prefix, code) {
  future_annotations_ = unit.dialect.future_annotations_flag;
  iterates_inside_ = unit.dialect.generator_calls_iter;
  copied_for_test_ = unit.dialect.copies_tested_value;
  names_.reserve(co_.names.size());
  for (const auto& n : co_.names) names_.push_back(unmangle(n));
  const bool plus = !co_.localsplus.empty() || unit.dialect.exception_table;
  const auto& locals = local_names(co_);
  locals_.reserve(locals.size());
  for (std::size_t i = 0; i < locals.size(); ++i) {
    locals_.push_back(unmangle(locals[i]));
  }
  if (plus) return;
  for (const auto& n : co_.cellvars) cells_.push_back(unmangle(n));
  for (const auto& n : co_.freevars) cells_.push_back(unmangle(n));
}

std::optional<ExprId> Unit::asserted(const ast::StmtNode& statement) const {
  const auto* raise = std::get_if<ast::Raise>(&statement);
  if (raise == nullptr || !raise->exc.valid() || raise->cause.valid()) return std::nullopt;
  if (assertion_errors.contains(raise->exc.n)) return ExprId{};
  const auto* c = std::get_if<ast::Call>(&ast.exprs[raise->exc].node);
  if (c == nullptr || !assertion_errors.contains(c->func.n) || c->args.size() != 1 || !c->keywords.empty() ||
      std::holds_alternative<ast::Starred>(ast.exprs[c->args[0]].node))
    return std::nullopt;
  return c->args[0];
}

NameId Unit::unmangled(CodeId of, std::string_view text) const {
  const std::string_view cls = class_names[of.n];
  if (!cls.empty() && text.starts_with('_') && text.substr(1).starts_with(cls) && !text.ends_with("__") &&
      text.substr(1 + cls.size()).starts_with("__") && text.find('.') == std::string_view::npos)
    text.remove_prefix(1 + cls.size());
  if (text.starts_with('.')) return ast.intern(options.temp_prefix + "arg" + std::string(text.substr(1)));
  return ast.intern(text);
}

void Lifter::add_variables(std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i) locals_.push_back(fresh_temp());
}

NameId Lifter::fresh_temp() {
  if (literal_ == nullptr) return unit_.ast.intern(unit_.options.temp_prefix + std::to_string(++unit_.temps));
  for (std::uint32_t n = 0;; ++n)
    if (const NameId id = unit_.ast.intern(unit_.options.temp_prefix + "t" + std::to_string(n));
        literal_->taken.insert(id.n).second)
      return id;
}

// ---------------------------------------------------------------- stack
void Lifter::push(Value v) {
  v.seq = ++seq_;
  s_->stack.push_back(v);
}

Value Lifter::pop() {
  Value v = s_->stack.back();
  s_->stack.pop_back();
  s_->low = std::min(s_->low, static_cast<std::uint32_t>(s_->stack.size()));
  return v;
}

void Lifter::embed(const Value& v) {
  if (v.kind == ValueKind::kExpr) note_use(v.expr);
}

void Lifter::note_use(ExprId e) {
  if (auto it = shared_.find(e.n); it != shared_.end()) ++it->second.uses;
  if (auto it = inplace_.find(e.n); it != inplace_.end()) ++it->second.uses;
}

void Lifter::unembed(ExprId e) {
  if (auto it = shared_.find(e.n); it != shared_.end()) --it->second.uses;
  if (auto it = inplace_.find(e.n); it != inplace_.end()) --it->second.uses;
}

// Uses are counted over every lifting of a line, of which only the last one is in the result: that one decides.
std::set<std::uint32_t> Lifter::violations(const std::optional<ast::Block>& result) const {
  std::unordered_map<std::uint32_t, std::uint32_t> most;  // by ExprId: uses allowed
  for (const auto& [expr, s] : shared_)
    if (s.uses > 1) most[expr] = 1;
  for (const auto& [expr, s] : inplace_)
    if (s.uses > 0) most[expr] = 0;
  std::set<std::uint32_t> out;
  const auto add = [&](std::uint32_t expr) {
    const auto it = shared_.find(expr);
    out.insert(it != shared_.end() ? it->second.offset : inplace_.at(expr).offset);
  };
  if (most.empty()) return out;
  if (!result) {
    for (const auto& [expr, uses] : most) add(expr);
    return out;
  }
  std::set<ast::StmtId> seen;  // an exit may be written more than once
  std::unordered_map<std::uint32_t, std::uint32_t> uses;
  ast::Visitor count;
  count.stmt = [&](ast::StmtId s) { return seen.insert(s).second; };
  count.expr = [&](ExprId e) {
    if (const auto it = most.find(e.n); it != most.end() && ++uses[e.n] > it->second) add(e.n);
    return true;
  };
  ast::walk(unit_.ast, *result, count);
  return out;
}

// Whether a display was built item by item, each hashed before the next was evaluated, that its text would build at
// once: the compiler adds one by one after a star and in long displays only (starunpack_helper of Python/compile.c).
bool Lifter::splits_display(const ast::Block& result) const {
  if (one_by_one_.empty()) return false;
  bool found = false;
  ast::Visitor visitor;
  visitor.stmt = [&](StmtId s) { return s.n >= first_stmt_; };
  visitor.expr = [&](ExprId e) {
    if (!one_by_one_.contains(e.n)) return !found;
    const auto& node = unit_.ast.exprs[e].node;
    if (const auto* s = std::get_if<ast::Set>(&node)) found = found || s->elts.size() <= 30;
    if (const auto* d = std::get_if<ast::Dict>(&node)) found = found || d->values.size() <= 15;
    return !found;
  };
  ast::walk(unit_.ast, result, visitor);
  return found;
}

ExprId Lifter::pop_expr() {
  Value v = pop();
  embed(v);
  return as_expr(v);
}

const Constant* Lifter::constant_of(ExprId e) const {
  if (!e.valid()) return nullptr;
  const auto* c = std::get_if<ast::ConstantExpr>(&unit_.ast.exprs[e].node);
  return c != nullptr ? &unit_.code.consts[c->value] : nullptr;
}

bool Lifter::is_none(const Value& v) const {
  if (v.kind != ValueKind::kExpr) return false;
  const auto* c = constant_of(v.expr);
  return (c != nullptr && std::holds_alternative<ConstNone>(*c)) ||
         std::holds_alternative<ast::NoneLiteral>(unit_.ast.exprs[v.expr].node);
}

// Whether nothing that a statement does can change what the pending value will be, and nothing of it happens late.
bool Lifter::stable(const Value& v) const {
  if (v.kind == ValueKind::kFunction) {  // that of a comprehension has nothing but cells, which are there already
    const auto& f = s_->functions[v.a];
    if (literal_ != nullptr && is_bare(v)) return true;
    return unit_.bodies[f.code.n].comprehension && !has_effects(f);
  }
  if (v.kind != ValueKind::kExpr) return !can_spill(v);
  const auto& node = unit_.ast.exprs[v.expr].node;
  if (std::holds_alternative<ast::ConstantExpr>(node) || std::holds_alternative<ast::NoneLiteral>(node)) return true;
  if (const auto* n = std::get_if<ast::Name>(&node);
      n != nullptr && std::binary_search(steady.begin(), steady.end(), n->id))
    return true;
  if (const auto* s = std::get_if<ast::Slice>(&node)) {  // no expression of its own: its parts are what may change
    for (ExprId part : {s->lower, s->upper, s->step}) {
      Value p;
      p.expr = part;
      if (part.valid() && !stable(p)) return false;
    }
    return true;
  }
  if (is_class_display(v)) {  // when it has been spilled
    const ExprIds all = display_items(unit_.ast, v.expr);
    const auto* star = all.size() == 3 ? std::get_if<ast::Starred>(&unit_.ast.exprs[all[2]].node) : nullptr;
    return all.size() < 3 || (star != nullptr && unit_.is_temp(star->value));
  }
  return unit_.is_temp(v.expr);
}

void Lifter::spill_value(Value& v) {
  if (is_class_display(v)) {  // but for the body's function and name
    const ExprIds all = display_items(unit_.ast, v.expr);
    Value rest{.expr = make(ast::List{{all.begin() + 2, all.end()}}), .seq = v.seq};
    spill_value(rest);
    v.expr = make(ast::List{{all[0], all[1], make(ast::Starred{rest.expr})}});
    return;
  }
  if (v.kind == ValueKind::kExpr && std::holds_alternative<ast::Slice>(unit_.ast.exprs[v.expr].node)) {
    auto slice = std::get<ast::Slice>(unit_.ast.exprs[v.expr].node);
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
  const NameId name = literal_ != nullptr ? literal_temp(v) : fresh_temp();
  Value copy = v;
  spill_name_ = name;
  spilling_ = true;
  const ExprId e = as_expr(copy);
  spilling_ = false;
  const auto origin = unit_.ast.exprs[e].origin;
  note_use(e);
  if (literal_ != nullptr && is_name(e, unit_.ast.text(name))) {  // a function has it already
    v = Value{.expr = e, .seq = v.seq};
    return;
  }
  LStmt s;
  s.stmt = unit_.ast.stmt(ast::Assign{{name_expr(name)}, e}, origin);
  s.offset = insn_->offset;
  if (leaving()) {  // it was evaluated before the range was left
    s_->stmts.insert(s_->stmts.begin() + static_cast<std::ptrdiff_t>(s_->leave_at), s);
    ++s_->leave_at;
  } else {
    s_->stmts.push_back(s);
  }
  v.kind = ValueKind::kExpr;
  v.expr = name_expr(name);
  v.seq = 0;
}

// Gives every pending value that a statement could change a temporary, in order of evaluation.
void Lifter::spill_pending() {
  std::vector<Value*> pending;
  for (auto& v : s_->stack)
    if (can_spill(v) && !stable(v)) pending.push_back(&v);
  std::sort(pending.begin(), pending.end(), [](auto* x, auto* y) { return x->seq < y->seq; });
  std::unordered_map<std::uint32_t, Value> done;  // copies of one value share one temporary
  for (auto* v : pending) {
    if (v->kind == ValueKind::kExpr)
      if (auto it = done.find(v->expr.n); it != done.end()) {
        *v = it->second;
        continue;
      }
    const auto old = v->kind == ValueKind::kExpr ? v->expr.n : 0xFFFFFFFFU;
    spill_value(*v);
    if (old != 0xFFFFFFFFU) {
      done[old] = *v;
    }
  }
}

// An exit from a protected range: a value about to be returned may stay pending, everything else is stored before it.
void Lifter::emit_leave(LStmt s) {
  s.offset = insn_->offset;
  bool pending = false;
  for (const auto& v : s_->stack) pending |= can_spill(v) && !stable(v);
  if (pending && !leaving()) s_->leave_at = s_->stmts.size();
  s_->stmts.push_back(s);
}

// A statement is written here: what took effect before it but is written later would now come after it.
void Lifter::check_late() {
  if (literal_ != nullptr)
    for (auto& v : s_->stack) v.late = v.late && v.kind != ValueKind::kIter;
  const auto imported = [&](const Value& v) {  // `import a.b.c as d`: b is still there, to be dropped
    return (v.kind == ValueKind::kModule || v.kind == ValueKind::kImportAttr) && s_->imports[v.a].stored;
  };
  if (s_->stack.any_of([&](const Value& v) { return v.late && !imported(v); }))
    return refuse("a statement between an operation and its use");
  settle_unpackings();
}

// Items of an unpacking that are still on the stack get temporaries, so that the unpacking precedes the statement.
void Lifter::settle_unpackings() {
  const auto first = std::ranges::find(s_->stack, ValueKind::kUnpack, &Value::kind);
  if (first == s_->stack.end()) return;
  const auto moment = first->seq;
  std::vector<std::pair<Value*, Value>> later;  // evaluated after it: they wait
  for (auto& v : s_->stack)
    if (can_spill(v) && v.seq > moment) later.emplace_back(&v, std::exchange(v, Value{.kind = ValueKind::kNull}));
  for (auto* at = s_->stack.end(); at-- != s_->stack.begin();) {
    const Value v = *at;
    if (v.kind != ValueKind::kUnpack) continue;
    const auto& group = s_->groups[v.a];
    if (group.parent != 0 || v.b != group.filled) {
      refuse("a statement in the middle of an unpacking");
      break;
    }
    Value kept;
    kept.kind = ValueKind::kExpr;
    kept.seq = v.seq;
    kept.expr = name_expr(fresh_temp());
    *at = kept;
    fill_unpack(v.a, v.b, kept.expr);
  }
  for (const auto& [at, v] : later) *at = v;
}

void Lifter::emit(LStmt s) {
  s.offset = insn_->offset;
  check_late();
  spill_pending();
  s_->stmts.push_back(s);
}

void Lifter::push_stmt(StmtId id) {
  LStmt s;
  s.stmt = id;
  s.offset = insn_->offset;
  s_->stmts.push_back(s);
}

// Operands that were evaluated in another order than they now lie in (swaps that no source makes) get temporaries.
void Lifter::settle_order(const Instruction& insn) {
  const auto pops = effect_.pops;
  if (pops < 2 && !s_->disordered) return;
  switch (insn.op) {
    case Op::SWAP:
    case Op::COPY:
    case Op::STORE_FAST:
    case Op::STORE_NAME:
    case Op::STORE_GLOBAL:
    case Op::STORE_DEREF: return;
    default: break;
  }
  const auto size = s_->stack.size();
  if (pops < 1 || static_cast<std::size_t>(pops) > size) return;
  const bool stores = insn.op == Op::STORE_ATTR || insn.op == Op::STORE_SUBSCR || insn.op == Op::STORE_SLICE;
  Value* first = &top(static_cast<std::uint32_t>(pops));
  if (stores && inplace_.contains(first->expr.n)) return;
  const auto earlier = [](const Value& x, const Value& y) { return x.seq < y.seq; };
  if (!s_->disordered && std::is_sorted(first, s_->stack.end(), earlier)) return;
  std::uint32_t last = 0;
  for (const Value* v = first; v != s_->stack.end(); ++v) {
    if (v->kind != ValueKind::kExpr || stable(*v)) continue;
    if (v->seq < last) {
      spill_pending();
      return;
    }
    last = v->seq;
  }
  if (s_->disordered && !leaving()) settle_rest(first);
}

// After a swap: nothing that stays on the stack, below `first`, may have been evaluated after what is used now.
void Lifter::settle_rest(const Value* first) {
  const auto counts = [&](const Value& v) {
    if (v.kind != ValueKind::kExpr || stable(v)) return false;
    const auto& node = unit_.ast.exprs[v.expr].node;  // making an empty display is nothing that can be overtaken
    if (const auto* l = std::get_if<ast::List>(&node)) return !l->elts.empty();
    if (const auto* s = std::get_if<ast::Set>(&node)) return !s->elts.empty();
    if (const auto* d = std::get_if<ast::Dict>(&node)) return !d->values.empty();
    return true;
  };
  std::uint32_t least = 0xFFFFFFFF, last = 0;
  for (const Value* v = first; v != s_->stack.end(); ++v)
    if (counts(*v)) least = std::min(least, v->seq);
  bool ordered = true;
  for (const Value* v = s_->stack.begin(); v != first; ++v) {
    if (!counts(*v) || shared_.contains(v->expr.n)) continue;
    if (v->seq > least) return spill_pending();
    ordered = ordered && v->seq >= last;
    last = v->seq;
  }
  s_->disordered = !ordered || least < last;
}

// ---------------------------------------------------------------- dispatch
Status Lifter::run(State& state, Line code, std::size_t first, std::size_t last) {
  s_ = &state;
  stream_ = code;
  last_ = last;
  using Family = Result<bool> (Lifter::*)(const Instruction&);
  static constexpr Family kFamilies[] = {
      &Lifter::name_op,    &Lifter::store_op,  &Lifter::stack_op,   &Lifter::operator_op,  &Lifter::item_op,
      &Lifter::display_op, &Lifter::unpack_op, &Lifter::grow_op,    &Lifter::text_op,      &Lifter::call_op,
      &Lifter::type_op,    &Lifter::flow_op,   &Lifter::iterate_op, &Lifter::generator_op, &Lifter::context_op,
      &Lifter::import_op,  &Lifter::pattern_op};
  for (at_ = first; at_ < last_; ++at_) {
    insn_ = &code[at_];
    origin_ = {code_, insn_->offset};
    effect_ = effect(unit_.dialect.version, *insn_, false);
    if (!has(static_cast<std::uint32_t>(effect_.pops))) return underflow(*insn_);
    settle_order(*insn_);
    auto& family = unit_.families[static_cast<std::size_t>(insn_->op)];
    DEPYF_TRY(done, (this->*kFamilies[family])(*insn_));
    for (std::uint8_t k = 1; !done && k < std::size(kFamilies); ++k) {
      DEPYF_TRY(mine, (this->*kFamilies[k])(*insn_));
      if ((done = mine)) family = k;
    }
    if (!done) return Error{Errc::kInternal, insn_->offset, "no meaning for " + std::string(op_name(insn_->op))};
    // Nothing may walk a tree before this has been asked.
    if (!shared_.empty() && has(1) && top().kind == ValueKind::kExpr &&
        unit_.sizes.of(unit_.ast, top().expr) > unit_.most_nodes) {
      outgrown = true;
      return Error{Errc::kLimitExceeded, insn_->offset, "a value that is used several times"};
    }
    if (literal_ == nullptr) continue;
    if (!s_->refusal.empty()) return depyf::Unit{};
    settle_function();
    if (has(1) && top().kind == ValueKind::kExpr && unit_.sizes.height(unit_.ast, top().expr) > kMaxHeight)
      spill_pending();
    if (is_settled()) s_->settled = at_ + 1;
  }
  if (literal_ != nullptr) return depyf::Unit{};
  if (last == code.size() && s_->stack.begin() != s_->stack.end())
    settle_lambda(top());  // an arm of a conditional value
  return depyf::Unit{};
}

Result<bool> Lifter::stack_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::NOP:
    case Op::RESUME:
    case Op::MAKE_CELL:
    case Op::COPY_FREE_VARS:
    case Op::GEN_START: return true;
    case Op::SETUP_ANNOTATIONS:
      if (unit_.dialect.deferred_annotations && (co_.flags & future_annotations_) == 0)
        refuse("annotations that are evaluated at once");
      annotates_ = true;
      return true;
    case Op::POP_BLOCK: {
      LStmt leave{LKind::kFinallyExit};
      leave.exit_flag = insn.flags;
      leave.handler = insn.arg;
      emit_leave(leave);
      if (insn.flags == kEndlessExit && peek() == nullptr) {
        push_stmt(stmt(ast::Return{}));
        s_->end = EndKind::kReturn;
      }
      return true;
    }
    case Op::PUSH_NULL: push_kind(ValueKind::kNull); return true;
    case Op::SWAP: {
      if (insn.arg == 2 && peek() != nullptr && peek()->op == Op::SWAP && peek()->arg == 2) {
        ++at_;  // ROT_TWO twice: nothing
        return true;
      }
      const auto swaps_two = [&](const Instruction* i) { return i != nullptr && i->op == Op::SWAP && i->arg == 2; };
      if (insn.arg == 3 && swaps_two(peek()) && swaps_two(peek(2))) at_ += 2;  // ROT_THREE, ROT_TWO: a SWAP 3
      if (swap_starts_stores(insn.arg)) {
        open_swap(insn.arg);
        return true;
      }
      for (const Value* v : {&top(1), &top(insn.arg)})
        if (v->kind == ValueKind::kKnown && v->b != 0) refuse("a value that stays where it lies");
      std::swap(top(1), top(insn.arg));
      s_->disordered = true;
      s_->low = std::min(s_->low, static_cast<std::uint32_t>(s_->stack.size() - insn.arg));
      return true;
    }
    case Op::COPY: {
      Value& v = top(insn.arg);
      if (v.kind == ValueKind::kKnown && v.b != 0) refuse("a value that stays where it lies");
      s_->low = std::min(s_->low, static_cast<std::uint32_t>(s_->stack.size() - insn.arg));
      settle_lambda(v);
      if (v.kind == ValueKind::kFunction ||
          (v.kind == ValueKind::kExpr && (spill.contains(insn.offset) || (spill_all && !stable(v))))) {
        std::vector<Value*> before;  // stays before it, wherever a SWAP has put it
        for (auto& x : s_->stack)
          if (x.seq < v.seq && can_spill(x) && !stable(x)) before.push_back(&x);
        std::sort(before.begin(), before.end(), [](auto* x, auto* y) { return x->seq < y->seq; });
        for (auto* x : before) spill_value(*x);
        spill_value(top(insn.arg));
      } else if (v.kind == ValueKind::kExpr && !unit_.is_temp(v.expr) && (literal_ == nullptr || !stable(v))) {
        shared_.try_emplace(v.expr.n, Shared{insn.offset, 0});
      }
      Value c = top(insn.arg);
      const auto seq = c.seq;
      push(c);
      top().seq = seq;
      return true;
    }
    case Op::POP_TOP: drop(pop()); return true;
    default: return false;
  }
}

namespace {

// How many targets follow that of an unpacked item.
std::size_t left_to_unpack(const std::vector<UnpackGroup>& groups, const Value& item) {
  const auto* g = &groups[item.a];
  auto left = g->targets.size() - item.b - 1;
  for (; g->parent != 0; g = &groups[g->parent - 1]) left += groups[g->parent - 1].targets.size() - g->parent_item - 1;
  return left;
}

}  // namespace

// POP_TOP
void Lifter::drop(Value v) {
  if (literal_ != nullptr && v.kind == ValueKind::kIter) v = Value{.expr = as_expr(v)};
  switch (v.kind) {
    case ValueKind::kExpr:
      if (literal_ != nullptr && unit_.is_temp(v.expr)) {
        const NameId id = std::get<ast::Name>(unit_.ast.exprs[v.expr].node).id;
        if (std::ranges::none_of(s_->stack, [&](const Value& o) { return mentions(o, id); }) &&
            literal_->taken.contains(id.n))
          push_stmt(stmt(ast::Assign{{v.expr}, make(ast::NoneLiteral{})}));
        return;
      }
      if (auto it = shared_.find(v.expr.n); it != shared_.end()) {
        // one copy of a shared value is dropped: it is evaluated where the other copy is
        for (const auto& o : s_->stack)
          if (o.kind == ValueKind::kExpr && o.expr == v.expr) return;
        if (it->second.uses > 0) return;
      }
      if (unit_.is_temp(v.expr)) return;
      // what starting a generator sends: no operation made it
      if (std::holds_alternative<ast::NoneLiteral>(unit_.ast.exprs[v.expr].node)) return;
      embed(v);
      // a constant as a statement compiles to no code; a string that has code is an f-string with nothing in it
      if (const auto* c = constant_of(v.expr); c != nullptr && std::holds_alternative<ConstStr>(*c))
        v.expr = make(ast::JoinedStr{{v.expr}});
      emit_stmt(ast::ExprStmt{as_expr(v)});
      return;
    case ValueKind::kFunction: emit_stmt(ast::ExprStmt{as_expr(v)}); return;
    case ValueKind::kExitResult: {
      LStmt w{LKind::kWithExit};
      w.is_async = v.a != 0;
      w.exit_flag = stream_[at_].flags;
      emit_leave(w);
      return;
    }
    case ValueKind::kUnpack:
      // `_, _ = t` and `(a, _), _ = t` on one line: the first stores are dropped (3.13+)
      for (std::size_t i = 1, left = left_to_unpack(s_->groups, v); peek(i) != nullptr && i <= left; ++i) {
        if (peek(i)->op == Op::POP_TOP) continue;
        if (peek(i)->op == Op::STORE_FAST) return fill_unpack(v.a, v.b, *plain_target(*peek(i)));
        break;
      }
      fill_unpack(v.a, v.b, name_expr(fresh_temp()));
      return;
    case ValueKind::kModule:
    case ValueKind::kImportAttr: drop_import(v); return;
    case ValueKind::kIter:
      if (v.late) refuse("a result that is dropped");
      leave_loop();
      return;
    case ValueKind::kWithEnter:
    case ValueKind::kExcMatch:
      if (v.late) refuse("a result that is dropped");
      return;
    case ValueKind::kKnown:
      if (v.b != 0) refuse("a value that stays where it lies");
      return;
    case ValueKind::kNull:
    case ValueKind::kForItem:
    case ValueKind::kWithExit:
    case ValueKind::kWithValue:
    case ValueKind::kExc:
    case ValueKind::kCell:
    case ValueKind::kClosure:
    case ValueKind::kBuildClass:
    case ValueKind::kSubject:
    case ValueKind::kTypeParam:
    case ValueKind::kTypeParams:
    case ValueKind::kGenericBase:
    case ValueKind::kCleared: return;
  }
}

// The iterator of a for loop is off the stack. With a value on it, that is on its way to `return` and nothing needs to be
// said; after END_FOR it is the loop's own end (3.12+).
void Lifter::leave_loop() {
  if (at_ > 0 && stream_[at_ - 1].op == Op::END_FOR) return;
  if (s_->stack.has(ValueKind::kExpr) || s_->stack.has(ValueKind::kFunction)) {
    s_->returns_from_loop = true;
    return;
  }
  LStmt leave{LKind::kLoopExit};
  leave.depth = static_cast<std::uint32_t>(s_->stack.size());
  emit_leave(leave);
}

}  // namespace depyf::lift
