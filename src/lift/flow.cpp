// SPDX-License-Identifier: MIT
// Ends of lines (branches, loops, returns), generators, imports, context managers, exceptions, patterns.
#include "lift/lift.h"
#include "support/unicode.h"

namespace depyf::lift {

Result<bool> Lifter::flow_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::JUMP: return true;
    case Op::POP_JUMP_IF_FALSE:
    case Op::POP_JUMP_IF_TRUE:
    case Op::POP_JUMP_IF_NONE:
    case Op::POP_JUMP_IF_NOT_NONE:
    case Op::JUMP_IF_FALSE_OR_POP:
    case Op::JUMP_IF_TRUE_OR_POP: branch(insn); return true;
    case Op::RETURN_VALUE: {
      Value v = pop();
      embed(v);
      // what a class body or a module returns is nobody's business
      const ExprId value =
          (co_.flags & kCoOptimized) == 0 && v.kind == ValueKind::kCell ? make(ast::NoneLiteral{}) : as_expr(v);
      if (leaving())
        push_stmt(stmt(ast::Return{value}));
      else
        emit_stmt(ast::Return{value});
      s_->end = EndKind::kReturn;
      return true;
    }
    case Op::RAISE_VARARGS: {
      ast::Raise r;
      if (insn.arg == 2) r.cause = pop_expr();
      if (insn.arg >= 1) r.exc = pop_expr();
      emit_stmt(r);
      s_->end = EndKind::kReturn;
      return true;
    }
    case Op::RERAISE:
      emit(LStmt{LKind::kReraise});
      s_->end = EndKind::kReturn;
      return true;
    default: return false;
  }
}

// Iterators: made, asked for an item, dropped.
Result<bool> Lifter::iterate_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::FOR_ITER:
      s_->end = EndKind::kFor;
      s_->async_loop = (insn.flags & kIterAsync) != 0;
      top().late = false;
      s_->end_offset = insn.offset;
      s_->low = std::min(s_->low, static_cast<std::uint32_t>(s_->stack.size() - 1));
      return true;
    case Op::GET_ITER: {
      if (top().kind == ValueKind::kIter && is_argument(top().expr))
        return true;  // 3.15: a generator expression calls iter() on its .0 itself
      Value v = pop();
      embed(v);
      Value it;
      it.kind = ValueKind::kIter;
      it.b = insn.offset;
      it.expr = as_expr(v);
      it.late = true;
      push(it);
      return true;
    }
    case Op::GET_AITER: {
      if (top().kind == ValueKind::kIter && literal_ == nullptr) {  // 3.14+: likewise aiter()
        top().a = 1;
        return true;
      }
      Value it;
      it.kind = ValueKind::kIter;
      it.a = 1;
      it.b = insn.offset;
      it.expr = pop_expr();
      it.late = true;
      push(it);
      return true;
    }
    case Op::GET_ANEXT:
      top().late = false;
      push_kind(ValueKind::kForItem);
      return true;
    case Op::END_FOR:
      for (std::int32_t i = 0; i < effect_.pops; ++i) pop();
      return true;
    case Op::POP_ITER:
      if (pop().kind == ValueKind::kIter) leave_loop();
      return true;
    default: return false;
  }
}

// What suspends: yield, yield from and await.
Result<bool> Lifter::generator_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::GET_YIELD_FROM_ITER:
      settle_lambda(top());
      if (top().kind == ValueKind::kExpr) top().a = 3;
      return true;
    case Op::GET_AWAITABLE:
      settle_lambda(top());
      if (top().kind == ValueKind::kExpr) top().a = coroutines_.contains(top().expr.n) ? 2 : 1;
      return true;
    case Op::YIELD_FROM: {
      pop();
      Value v = pop();
      if (v.kind != ValueKind::kExpr && v.kind != ValueKind::kFunction && v.kind != ValueKind::kIter) {
        if (literal_ != nullptr) refuse("a generator that is none");
        push(v);
        return true;
      }
      embed(v);
      if (v.kind == ValueKind::kExpr && v.a == 2) {  // awaiting it is part of what the comprehension says
        coroutines_.erase(v.expr.n);                 // its value may be awaited once more
        push_expr(v.expr);
        return true;
      }
      const bool await = v.kind == ValueKind::kExpr && v.a == 1;
      if (v.kind == ValueKind::kExpr && v.a == 0) refuse("a generator that was not asked for");
      const ExprId x = v.kind == ValueKind::kIter ? v.expr : as_expr(v);
      push_expr(await ? make(ast::Await{x}) : make(ast::YieldFrom{x}));
      return true;
    }
    case Op::ASYNC_GEN_WRAP:
    case Op::STOPITERATION_ERROR: return true;
    case Op::YIELD_VALUE: {
      if (unit_.dialect.comprehension_unpacking && top().kind == ValueKind::kForItem) {
        const ExprId item = name_expr(unit_.item_name());
        DEPYF_CHECK(store(item, pop()));
        push_expr(item);
      }
      Value v = pop();
      embed(v);
      push_expr(make(ast::Yield{is_none(v) ? ExprId{} : as_expr(v)}));
      return true;
    }
    case Op::RETURN_GENERATOR: push_expr(make(ast::NoneLiteral{})); return true;
    default: return false;
  }
}

void Lifter::branch(const Instruction& insn) {
  Value v = pop();
  s_->end_offset = insn.offset;
  if (v.kind == ValueKind::kExcMatch) {
    s_->end = EndKind::kExcBranch;
    s_->matches_group = v.a != 0;
    s_->cond = v.expr;
    return;
  }
  s_->end = EndKind::kBranch;
  if (v.kind == ValueKind::kExitResult) {
    s_->cond = ExprId{};  // outcome of __exit__: only the with rule reads it
    return;
  }
  embed(v);
  s_->cond = as_expr(v);
  const auto none_test = [&](ast::CompareOperator op) {
    s_->cond = make(ast::Compare{s_->cond, {op}, {make(ast::NoneLiteral{})}});
    s_->free_polarity = true;
  };
  switch (insn.op) {
    case Op::POP_JUMP_IF_NONE:
    case Op::POP_JUMP_IF_NOT_NONE:
      none_test(ast::CompareOperator::kIs);  // true edge: it is None
      break;
    case Op::JUMP_IF_FALSE_OR_POP: s_->keep_false = true; break;
    case Op::JUMP_IF_TRUE_OR_POP: s_->keep_true = true; break;
    default:
      // 3.12+: COPY 1, TO_BOOL, POP_JUMP_IF_x is the OR_POP form with the POP_TOP still to come
      if (v.kind == ValueKind::kExpr && !s_->stack.empty() && top().kind == ValueKind::kExpr && top().expr == v.expr &&
          copied_for_test_) {
        pop();
        unembed(v.expr);
        shared_.erase(v.expr.n);
        embed(v);
        s_->keep_true = s_->keep_false = true;
      }
  }
}

Result<bool> Lifter::context_op(const Instruction& insn) {
  const auto enter = [&](bool async) {
    Value v = pop();
    embed(v);
    LStmt w{LKind::kWithEnter, {}, as_expr(v)};
    w.is_async = async;
    emit(w);
    Value out;
    out.kind = ValueKind::kWithExit;
    out.a = async ? 1 : 0;
    push(out);
    out.kind = ValueKind::kWithValue;
    push(out);
  };
  switch (insn.op) {
    case Op::BEFORE_WITH:
    case Op::SETUP_WITH:
    case Op::BEFORE_ASYNC_WITH: enter(insn.op == Op::BEFORE_ASYNC_WITH); return true;
    case Op::SETUP_FINALLY:
    case Op::SETUP_ASYNC_WITH: return true;
    case Op::LOAD_SPECIAL: {
      Value v = pop();
      if (v.kind != ValueKind::kExpr) refuse("a context manager that is no expression");
      Value out;
      out.expr = v.expr;
      out.a = insn.arg >= 2 ? 1 : 0;
      if (insn.arg % 2 == 1) {
        out.kind = ValueKind::kWithExit;
        push(out);
        push(out);
      } else {
        out.kind = ValueKind::kWithEnter;
        push(out);
        push_kind(ValueKind::kNull);
      }
      return true;
    }
    case Op::WITH_EXCEPT_START: {
      Value v;
      v.kind = ValueKind::kExitResult;
      v.b = 1;
      push(v);
      return true;
    }
    case Op::PUSH_EXC_INFO: push_kind(ValueKind::kExc); return true;
    case Op::CHECK_EXC_MATCH:
    case Op::EXC_MATCH: {
      Value out;
      out.kind = ValueKind::kExcMatch;
      out.a = insn.op == Op::CHECK_EXC_MATCH && insn.flags == kMatchesGroup ? 1 : 0;
      out.expr = pop_expr();
      if (insn.op == Op::EXC_MATCH) pop();
      push(out);
      return true;
    }
    case Op::POP_EXCEPT: {
      const auto n = unit_.dialect.handler_pushes_six ? 3U : 1U;
      for (std::uint32_t i = 0; i < n; ++i) pop();
      LStmt leave{LKind::kPopExcept};
      leave.exit_flag = insn.flags;
      emit_leave(leave);
      return true;
    }
    case Op::PRINT_EXPR: {
      const ExprId x = pop_expr();  // as the interactive interpreter compiles (mode "single")
      if (co_.parent.valid() || (co_.flags & kCoOptimized) != 0) refuse("a value that a function displays");
      emit_stmt(ast::ExprStmt{x});
      skip_none_result();
      return true;
    }
    default: return false;
  }
}

// Imports, whose statement is written when all of it has been read.
Result<bool> Lifter::import_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::IMPORT_NAME: {
      const Value from = pop(), level = pop();
      ImportValue imp;
      imp.module = co_.names[insn.arg];
      imp.path = imp.module.substr(0, imp.module.find('.'));
      imp.offset = insn.offset;
      imp.is_lazy = insn.flags == 1;
      if (!read_import(imp, level, from)) refuse("an import that no statement makes");
      s_->imports.push_back(std::move(imp));
      Value v;
      v.kind = ValueKind::kModule;
      v.late = true;
      v.a = static_cast<std::uint32_t>(s_->imports.size() - 1);
      push(v);
      return true;
    }
    case Op::IMPORT_FROM: {
      const Value module = top();
      Value v;
      v.kind = ValueKind::kImportAttr;
      v.late = true;
      v.a = module.a;
      v.name = names_[insn.arg];
      if (module.kind != ValueKind::kModule && module.kind != ValueKind::kImportAttr)
        return Error{Errc::kInternal, insn.offset, "IMPORT_FROM of something that is no import"};
      auto& imp = s_->imports[module.a];
      imp.last_attr = co_.names[insn.arg];
      if (imp.has_fromlist) {
        const auto next = imp.aliases.size();
        const bool listed = next < imp.fromlist.size() && unmangle(imp.fromlist[next]) == v.name;
        if (listed)
          imp.last_attr = imp.fromlist[next];
        else
          refuse("an import whose list names something else");
        if (module.kind != ValueKind::kModule) refuse("an import of something that was imported");
      }
      imp.path += "." + imp.last_attr;
      push(v);
      return true;
    }
    case Op::IMPORT_STAR: {
      const Value module = pop();
      if (module.kind != ValueKind::kModule) return Error{Errc::kInternal, insn.offset, "IMPORT_STAR of no import"};
      auto& imp = s_->imports[module.a];
      if (imp.fromlist != std::vector<std::string>{"*"}) refuse("an import whose list names something else");
      imp.star = true;
      emit_stmt(ast::ImportFrom{imp.module, {{"*", NameId{}}}, imp.level, imp.is_lazy});
      skip_none_result();
      return true;
    }
    default: return false;
  }
}

// 3.12+: these intrinsics push None, which is dropped at once.
void Lifter::skip_none_result() {
  if (peek() != nullptr && peek()->op == Op::LOAD_COMMON_CONSTANT && peek(2) != nullptr && peek(2)->op == Op::POP_TOP)
    at_ += 2;
}

// Level and list, as statements have them: constants. The list is None for `import a.b`.
bool Lifter::read_import(ImportValue& imp, const Value& level, const Value& from) {
  if (level.kind != ValueKind::kExpr || from.kind != ValueKind::kExpr) return false;
  imp.has_fromlist = !is_none(from);
  if (const auto* i = std::get_if<ast::IntLiteral>(&unit_.ast.exprs[level.expr].node)) {
    imp.level = static_cast<std::uint32_t>(i->value);
  } else {
    const auto* c = constant_of(level.expr);
    const auto* n = c != nullptr ? std::get_if<ConstInt>(c) : nullptr;
    if (n == nullptr || n->negative || n->digits.size() > 1) return false;
    imp.level = n->digits.empty() ? 0 : n->digits[0];
  }
  if (!imp.has_fromlist) return imp.level == 0;
  const auto* c = constant_of(from.expr);
  const auto* t = c != nullptr ? std::get_if<ConstTuple>(c) : nullptr;
  if (t == nullptr || t->items.empty()) return false;
  for (const ConstId id : t->items) {
    const auto* s = std::get_if<ConstStr>(&unit_.code.consts[id]);
    if (s == nullptr) return false;
    imp.fromlist.push_back(s->text);
  }
  return true;
}

// `import a.b` stores a, `import a.b as c` reads b of a and stores that, `from m import a` stores each as it comes.
Status Lifter::store_import(const Value& value, NameId name) {
  auto& imp = s_->imports[value.a];
  const auto text = unit_.ast.text(name);
  if (imp.has_fromlist) {
    if (value.kind == ValueKind::kModule) refuse("an import whose list is not read");
    imp.aliases.push_back({imp.last_attr, text == imp.last_attr ? NameId{} : name});
    return depyf::Unit{};
  }
  const bool whole = imp.path == imp.module;
  const bool plain = value.kind == ValueKind::kModule && text == imp.module.substr(0, imp.module.find('.'));
  if (!plain && !whole) refuse("an import that stores another module");
  imp.stored = true;
  emit_stmt(ast::Import{{{imp.module, plain ? NameId{} : name}}, imp.is_lazy});
  return depyf::Unit{};
}

// The module once all names are read, or, on the way to `import a.b.c as d`, once b is read.
void Lifter::drop_import(const Value& v) {
  const auto& imp = s_->imports[v.a];
  if (imp.star || imp.stored) return;
  if (!imp.has_fromlist) {
    for (const auto& o : s_->stack)
      if (o.kind == ValueKind::kImportAttr && o.a == v.a) return;
    return refuse("an import that is dropped");
  }
  if (v.kind != ValueKind::kModule || imp.aliases.size() != imp.fromlist.size())
    return refuse("an import whose list names something else");
  emit_stmt(ast::ImportFrom{imp.module, imp.aliases, imp.level, imp.is_lazy});
}

// `x: T = v` at module or class level: after the store of v, __annotations__['x'] = T. Where nothing is annotated, or the
// key is no name, somebody wrote that assignment.
bool Lifter::annotation_store(ExprId object, ExprId key) {
  const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[object].node);
  const auto* c = constant_of(key);
  const auto* text = c != nullptr ? std::get_if<ConstStr>(c) : nullptr;
  if (n == nullptr || text == nullptr || unit_.ast.text(n->id) != "__annotations__" ||
      (co_.flags & kCoOptimized) != 0 || !annotates_ || !is_plain_identifier(text->text))
    return false;
  if (unit_.dialect.deferred_annotations && (co_.flags & future_annotations_) == 0) return false;
  Value ann = pop();
  embed(ann);
  ExprId annotation = as_expr(ann);
  if ((co_.flags & future_annotations_) != 0)
    if (const auto* k = constant_of(annotation))
      if (const auto* s = std::get_if<ConstStr>(k)) annotation = make(ast::Verbatim{s->text});
  const NameId name = unmangle(text->text);
  if (!s_->stmts.empty() && s_->stmts.back().kind == LKind::kStmt) {
    auto& last = unit_.ast.stmts[s_->stmts.back().stmt].node;
    if (auto* a = std::get_if<ast::Assign>(&last); a != nullptr && a->targets.size() == 1)
      if (const auto* t = std::get_if<ast::Name>(&unit_.ast.exprs[a->targets[0]].node); t != nullptr && t->id == name) {
        const ExprId target = a->targets[0], value = a->value;
        last = ast::AnnAssign{target, annotation, value, true};
        s_->stmts.back().offset = insn_->offset;  // a statement is known by the instruction that completes it
        return true;
      }
  }
  emit_stmt(ast::AnnAssign{name_expr(name), annotation, {}, true});
  return true;
}

Status Lifter::test_case(State& state, ast::PatternId pattern, bool keeps_subject) {
  s_ = &state;
  if (!has(1)) return Error{Errc::kMalformed, kNowhere, "a case without a subject"};
  Value v = pop();
  state.end = EndKind::kCase;
  state.pattern = pattern;
  if (v.kind != ValueKind::kSubject) {
    embed(v);
    v.expr = as_expr(v);
    v.kind = ValueKind::kSubject;
  }
  state.cond = v.expr;
  if (keeps_subject) push(v);
  return depyf::Unit{};
}

Result<bool> Lifter::pattern_op(const Instruction& insn) {
  if (insn.op != Op::GET_LEN) return false;
  spill_pending();
  push_expr(make(ast::Call{name_expr(unit_.ast.intern("len")), {top().expr}, {}}));
  return true;
}

}  // namespace depyf::lift
