// SPDX-License-Identifier: MIT
// Lifts the instructions that end a line (branches, FOR_ITER, return, raise), and those of generators, context
// managers, exception handlers and imports.
//
// An import is a value (kModule, kImportAttr) until the store that completes it: `import a.b as c` is IMPORT_NAME a.b,
// IMPORT_FROM b, SWAP, POP_TOP, STORE c. The line is refused if the instructions do not follow the compiler's order.
#include "cfg/shapes.h"
#include "lift/families.h"
#include "support/unicode.h"

namespace depyf::lift {

namespace {

void branch(Machine& m, const Instruction& insn) {
  Value v = m.pop();
  m.state.end_offset = insn.offset;
  if (v.kind == ValueKind::kExcMatch) {
    m.state.end = EndKind::kExcBranch;
    m.state.matches_group = v.a != 0;
    m.state.cond = v.expr;
    return;
  }
  m.state.end = EndKind::kBranch;
  if (v.kind == ValueKind::kExitResult) {
    m.state.cond = ExprId{};  // tests the result of __exit__; structuring makes it part of the `with` statement
    return;
  }
  m.embed(v);
  m.state.cond = as_expr(m, v);
  switch (insn.op) {
    case Op::POP_JUMP_IF_NONE:
    case Op::POP_JUMP_IF_NOT_NONE:
      m.state.cond = m.make(ast::Compare{m.state.cond, {ast::CompareOperator::kIs}, {m.make(ast::NoneLiteral{})}});
      m.state.free_polarity = true;  // true edge: it is None
      break;
    case Op::JUMP_IF_FALSE_OR_POP: m.state.keep_false = true; break;
    case Op::JUMP_IF_TRUE_OR_POP: m.state.keep_true = true; break;
    default:
      // 3.12+: COPY 1; TO_BOOL; POP_JUMP_IF_x; POP_TOP replaces JUMP_IF_x_OR_POP. If the COPY is in this line, the
      // value counts as kept on both edges. If it is in another block, the copy is an ordinary stack entry.
      if (v.kind == ValueKind::kExpr && !m.state.stack.empty() && m.top().kind == ValueKind::kExpr &&
          m.top().expr == v.expr && m.unit.dialect.copies_tested_value && test_of_copy(m.stream) < m.stream.size()) {
        m.pop();
        m.shared.undo_use(v.expr);
        m.shared.copies.erase(v.expr.n);
        m.embed(v);
        m.state.keep_true = m.state.keep_false = true;
      }
  }
}

}  // namespace

void flow_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::JUMP: return;
    case Op::POP_JUMP_IF_FALSE:
    case Op::POP_JUMP_IF_TRUE:
    case Op::POP_JUMP_IF_NONE:
    case Op::POP_JUMP_IF_NOT_NONE:
    case Op::JUMP_IF_FALSE_OR_POP:
    case Op::JUMP_IF_TRUE_OR_POP: branch(m, insn); return;
    case Op::RETURN_VALUE: {
      Value v = m.pop();
      m.embed(v);
      // A class body returns its __class__ cell to __build_class__. The compiler generates this return by itself.
      const ExprId value =
          (m.co.flags & kCoOptimized) == 0 && v.kind == ValueKind::kCell ? m.make(ast::NoneLiteral{}) : as_expr(m, v);
      if (m.state.is_leaving())
        m.push_stmt(m.stmt(ast::Return{value}));
      else
        m.emit_stmt(ast::Return{value});
      m.state.end = EndKind::kReturn;
      return;
    }
    case Op::RAISE_VARARGS: {
      ast::Raise r;
      if (insn.arg == 2) r.cause = m.pop_expr();
      if (insn.arg >= 1) r.exc = m.pop_expr();
      m.emit_stmt(r);
      m.state.end = EndKind::kReturn;
      return;
    }
    case Op::RERAISE:
      m.emit(LStmt{LKind::kReraise});
      m.state.end = EndKind::kReturn;
      return;
    default: return;
  }
}

// Lifts the instructions that make an iterator, get its next item or pop it.
void iterate_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::FOR_ITER:
      m.state.end = EndKind::kFor;
      m.state.async_loop = (insn.flags & kIterAsync) != 0;
      m.top().deferred = false;
      m.state.end_offset = insn.offset;
      m.state.low = std::min(m.state.low, static_cast<std::uint32_t>(m.state.stack.size() - 1));
      return;
    case Op::GET_ITER:
    case Op::GET_AITER: {
      const std::uint32_t async = insn.op == Op::GET_AITER ? 1 : 0;
      // 3.14+: the function of a generator expression itself calls iter() or aiter() on its argument .0.
      if (m.top().kind == ValueKind::kIter &&
          (async != 0 ? m.literal == nullptr : is_name(m, m.top().expr, m.unit.ast.text(m.lifter.argument)))) {
        m.top().a = async;
        m.top().b = insn.offset;
        return;
      }
      return m.push({.kind = ValueKind::kIter, .expr = m.pop_expr(), .a = async, .b = insn.offset, .deferred = true});
    }
    case Op::GET_ANEXT:
      m.top().deferred = false;
      m.push({.kind = ValueKind::kForItem});
      return;
    case Op::END_FOR:
      for (std::int32_t i = 0; i < m.effect.pops; ++i) m.pop();
      return;
    case Op::POP_ITER:
      if (m.pop().kind == ValueKind::kIter) leave_loop(m);
      return;
    default: return;
  }
}

namespace {

// Returns whether `yield from` or `await` can be applied to the value.
bool is_iterable_value(const Value& v) {
  return v.kind == ValueKind::kExpr || v.kind == ValueKind::kFunction || v.kind == ValueKind::kIter;
}

// Returns whether the value is awaited by its `async with` or `async for` statement, so that no `await` is written.
bool is_awaited_by_statement(const Value& v) {
  return (v.kind == ValueKind::kWithValue && v.a != 0) || v.kind == ValueKind::kExitResult ||
         v.kind == ValueKind::kForItem;
}

}  // namespace

// Lifts the instructions that suspend: yield, yield from and await. Value::a of an expression tells what prepared it: 1
// for GET_AWAITABLE, 2 for GET_AWAITABLE of an asynchronous comprehension, 3 for GET_YIELD_FROM_ITER.
void generator_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::GET_YIELD_FROM_ITER:
      to_lambda_expr(m, m.top());
      if (m.top().kind == ValueKind::kExpr) m.top().a = 3;
      if (m.literal == nullptr && !is_iterable_value(m.top())) m.refuse("a generator that is none");
      return;
    case Op::GET_AWAITABLE:
      to_lambda_expr(m, m.top());
      if (m.top().kind == ValueKind::kExpr) m.top().a = m.lifter.coroutines.contains(m.top().expr.n) ? 2 : 1;
      return;
    case Op::YIELD_FROM: {
      m.pop();
      Value v = m.pop();
      if (!is_iterable_value(v)) {
        if (m.literal != nullptr || !is_awaited_by_statement(v)) m.refuse("a generator that is none");
        m.push(v);
        return;
      }
      m.embed(v);
      if (v.kind == ValueKind::kExpr && v.a == 2) {  // the text of an asynchronous comprehension implies this await
        m.lifter.coroutines.erase(v.expr.n);         // a further await of the result has to be written
        m.push_expr(v.expr);
        return;
      }
      const bool await = v.kind == ValueKind::kExpr && v.a == 1;
      if (v.kind == ValueKind::kExpr && v.a == 0) m.refuse("a generator that was not asked for");
      const ExprId x = v.kind == ValueKind::kIter ? v.expr : as_expr(m, v);
      m.push_expr(await ? m.make(ast::Await{x}) : m.make(ast::YieldFrom{x}));
      return;
    }
    case Op::ASYNC_GEN_WRAP:
    case Op::STOPITERATION_ERROR: return;
    case Op::YIELD_VALUE: {
      if (m.unit.dialect.comprehension_unpacking && m.top().kind == ValueKind::kForItem) {
        const ExprId item = m.name_expr(m.unit.item_name());
        store(m, item, m.pop());
        m.push_expr(item);
      }
      Value v = m.pop();
      m.embed(v);
      const bool is_bare = is_none(m, v) && !m.insn_starts_before(v.expr);
      m.push_expr(m.make(ast::Yield{is_bare ? ExprId{} : as_expr(m, v)}));
      return;
    }
    case Op::RETURN_GENERATOR: m.push_expr(m.make(ast::NoneLiteral{})); return;
    default: return;
  }
}

namespace {

// Skips LOAD_COMMON_CONSTANT None; POP_TOP: from 3.12 on PRINT_EXPR and IMPORT_STAR are intrinsics that push None.
void skip_none_result(Machine& m) {
  if (m.peek() != nullptr && m.peek()->op == Op::LOAD_COMMON_CONSTANT && m.peek(2) != nullptr &&
      m.peek(2)->op == Op::POP_TOP)
    m.at += 2;
}

}  // namespace

void context_op(Machine& m, const Instruction& insn) {
  const auto enter = [&](bool async) {
    Value v = m.pop();
    m.embed(v);
    m.emit({.kind = LKind::kWithEnter, .expr = as_expr(m, v), .is_async = async});
    for (const auto kind : {ValueKind::kWithExit, ValueKind::kWithValue}) m.push({.kind = kind, .a = async ? 1U : 0U});
  };
  switch (insn.op) {
    case Op::BEFORE_WITH:
    case Op::SETUP_WITH:
    case Op::BEFORE_ASYNC_WITH: enter(insn.op == Op::BEFORE_ASYNC_WITH); return;
    case Op::SETUP_FINALLY:
    case Op::SETUP_ASYNC_WITH: return;
    case Op::LOAD_SPECIAL: {
      Value v = m.pop();
      if (v.kind != ValueKind::kExpr) m.refuse("a context manager that is no expression");
      v.a = insn.arg >= 2 ? 1 : 0;
      v.kind = insn.arg % 2 == 1 ? ValueKind::kWithExit : ValueKind::kWithEnter;
      m.push(v);
      return m.push(insn.arg % 2 == 1 ? v : Value{.kind = ValueKind::kNull});
    }
    case Op::WITH_EXCEPT_START: return m.push({.kind = ValueKind::kExitResult, .b = 1});
    case Op::PUSH_EXC_INFO: m.push({.kind = ValueKind::kExc}); return;
    case Op::CHECK_EXC_MATCH:
    case Op::EXC_MATCH: {
      const ExprId type = m.pop_expr();
      if (insn.op == Op::EXC_MATCH) m.pop();
      const bool group = insn.op == Op::CHECK_EXC_MATCH && insn.flags == kMatchesGroup;
      return m.push({.kind = ValueKind::kExcMatch, .expr = type, .a = group ? 1U : 0U});
    }
    case Op::POP_EXCEPT: {
      const auto n = m.unit.dialect.handler_pushes_six ? 3U : 1U;
      for (std::uint32_t i = 0; i < n; ++i) m.pop();
      return emit_leave(m, {.kind = LKind::kPopExcept, .exit_flag = insn.flags});
    }
    case Op::PRINT_EXPR: {
      const ExprId x = m.pop_expr();  // an expression statement compiled in mode "single"
      if (m.co.parent.valid() || (m.co.flags & kCoOptimized) != 0) m.refuse("a value that a function displays");
      m.emit_stmt(ast::ExprStmt{x});
      skip_none_result(m);
      return;
    }
    default: return;
  }
}

namespace {

// Reads the operands of IMPORT_NAME, level and from-list (None for `import a.b`); false if they are no such constants.
bool read_import(Machine& m, ImportValue& imp, const Value& level, const Value& from) {
  if (level.kind != ValueKind::kExpr || from.kind != ValueKind::kExpr) return false;
  imp.has_fromlist = !is_none(m, from);
  if (const auto* i = std::get_if<ast::IntLiteral>(&m.unit.ast.exprs[level.expr].node)) {
    imp.level = static_cast<std::uint32_t>(i->value);
  } else {
    const auto* n = m.constant_of<ConstInt>(level.expr);
    if (n == nullptr || n->negative || n->digits.size() > 1) return false;
    imp.level = n->digits.empty() ? 0 : n->digits[0];
  }
  if (!imp.has_fromlist) return imp.level == 0;
  const auto* t = m.constant_of<ConstTuple>(from.expr);
  if (t == nullptr || t->items.empty()) return false;
  for (const ConstId id : t->items) {
    const auto* s = std::get_if<ConstStr>(&m.unit.code.consts[id]);
    if (s == nullptr) return false;
    imp.fromlist.push_back(s->text);
  }
  return true;
}

}  // namespace

// Lifts IMPORT_NAME, IMPORT_FROM and IMPORT_STAR. The statement is emitted by the store or pop that completes it.
void import_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::IMPORT_NAME: {
      const Value from = m.pop(), level = m.pop();
      ImportValue imp;
      imp.module = m.co.names[insn.arg];
      imp.path = imp.module.substr(0, imp.module.find('.'));
      imp.offset = insn.offset;
      imp.is_lazy = (insn.flags & kLazyImport) != 0;
      if (imp.is_lazy && m.unit.code.codes[m.code].parent.valid())
        return m.fail(Errc::kMalformed, "a lazy import that is not at module level");
      if (!read_import(m, imp, level, from)) m.refuse("an import that no statement makes");
      m.state.pending->imports.push_back(std::move(imp));
      const auto number = static_cast<std::uint32_t>(m.state.pending->imports.size() - 1);
      return m.push({.kind = ValueKind::kModule, .a = number, .deferred = true});
    }
    case Op::IMPORT_FROM: {
      const Value module = m.top();
      const NameId name = m.lifter.names[insn.arg];
      if (module.kind != ValueKind::kModule && module.kind != ValueKind::kImportAttr)
        return m.fail(Errc::kInternal, "IMPORT_FROM of something that is no import");
      auto& imp = m.state.pending->imports[module.a];
      imp.last_attr = m.co.names[insn.arg];
      if (imp.has_fromlist) {
        const auto next = imp.aliases.size();
        const bool listed = next < imp.fromlist.size() && m.unit.unmangled(m.code, imp.fromlist[next]) == name;
        if (listed)
          imp.last_attr = imp.fromlist[next];
        else
          m.refuse("an import whose list names something else");
        if (module.kind != ValueKind::kModule) m.refuse("an import of something that was imported");
      }
      imp.path += "." + imp.last_attr;
      return m.push({.kind = ValueKind::kImportAttr, .a = module.a, .name = name, .deferred = true});
    }
    case Op::IMPORT_STAR: {
      const Value module = m.pop();
      if (module.kind != ValueKind::kModule) return m.fail(Errc::kInternal, "IMPORT_STAR of no import");
      auto& imp = m.state.pending->imports[module.a];
      if (imp.fromlist != std::vector<std::string>{"*"}) m.refuse("an import whose list names something else");
      imp.star = true;
      m.emit_stmt(ast::ImportFrom{imp.module, {{"*", NameId{}}}, imp.level, imp.is_lazy});
      skip_none_result(m);
      return;
    }
    default: return;
  }
}

// For `import a, b`: returns the last statement if it is an import at the same source position as the current
// instruction, else null. All names of one import statement have its position.
const ast::Import* import_of_same_statement(Machine& m, bool is_lazy) {
  if (m.state.stmts.empty() || m.state.stmts.back().kind != LKind::kStmt) return nullptr;
  const auto& last = m.state.stmts.back();
  const auto* import = std::get_if<ast::Import>(&m.unit.ast.stmts[last.stmt].node);
  if (import == nullptr || import->is_lazy != is_lazy) return nullptr;
  const auto *current = m.unit.positions.at(m.insn->offset), *previous = m.unit.positions.at(last.offset);
  return current != nullptr && previous != nullptr && *current == *previous ? import : nullptr;
}

// Handles the store of a module or of an imported attribute. `import a.b` stores a; `import a.b as c` loads b from a
// and stores b; `from m import x, y` stores each attribute, and the pop of the module completes it (drop_import()).
void store_import(Machine& m, const Value& value, NameId name) {
  auto& imp = m.state.pending->imports[value.a];
  const auto text = m.unit.ast.text(name);
  if (imp.has_fromlist) {
    if (value.kind == ValueKind::kModule) m.refuse("an import whose list is not read");
    imp.aliases.push_back({imp.last_attr, text == imp.last_attr ? NameId{} : name});
    return;
  }
  const bool is_complete = imp.path == imp.module;
  const bool plain = value.kind == ValueKind::kModule && text == imp.module.substr(0, imp.module.find('.'));
  if (!plain && !is_complete) m.refuse("an import that stores another module");
  imp.stored = true;
  ast::Import import{{{imp.module, plain ? NameId{} : name}}, imp.is_lazy};
  if (const auto* previous = import_of_same_statement(m, imp.is_lazy)) {
    import.names.insert(import.names.begin(), previous->names.begin(), previous->names.end());
    m.state.stmts.pop_back();
  }
  m.emit_stmt(std::move(import));
}

// Handles POP_TOP of a module: after `from m import ...` it completes the statement; in `import a.b.c as d` it pops a
// and b once the next attribute has been loaded.
void drop_import(Machine& m, const Value& v) {
  const auto& imp = m.state.pending->imports[v.a];
  if (imp.star || imp.stored) return;
  if (!imp.has_fromlist) {
    for (const auto& o : m.state.stack)
      if (o.kind == ValueKind::kImportAttr && o.a == v.a) return;
    return m.refuse("an import that is dropped");
  }
  if (v.kind != ValueKind::kModule || imp.aliases.size() != imp.fromlist.size())
    return m.refuse("an import whose list names something else");
  m.emit_stmt(ast::ImportFrom{imp.module, imp.aliases, imp.level, imp.is_lazy});
}

// Recognizes the store `__annotations__['x'] = T` that follows the store of v for `x: T = v` at module or class level,
// and makes an annotated assignment of both. Returns false, with nothing popped, if the user wrote such a store: the
// code has no SETUP_ANNOTATIONS, or the key is no identifier.
bool annotation_store(Machine& m, ExprId object, ExprId key) {
  const auto* n = std::get_if<ast::Name>(&m.unit.ast.exprs[object].node);
  const auto* text = m.constant_of<ConstStr>(key);
  if (n == nullptr || text == nullptr || m.unit.ast.text(n->id) != "__annotations__" ||
      (m.co.flags & kCoOptimized) != 0 || !m.lifter.annotates || !is_plain_identifier(text->text))
    return false;
  if (!m.unit.dialect.evaluates_annotations(m.co.flags)) return false;
  Value ann = m.pop();
  m.embed(ann);
  ExprId annotation = as_expr(m, ann);
  if ((m.co.flags & m.unit.dialect.future_annotations_flag) != 0) annotation = m.unit.annotation_of_text(annotation);
  const NameId name = m.unit.unmangled(m.code, text->text);
  if (!m.state.stmts.empty() && m.state.stmts.back().kind == LKind::kStmt) {
    auto& last = m.unit.ast.stmts[m.state.stmts.back().stmt].node;
    if (auto* a = std::get_if<ast::Assign>(&last); a != nullptr && a->targets.size() == 1)
      if (const auto* t = std::get_if<ast::Name>(&m.unit.ast.exprs[a->targets[0]].node);
          t != nullptr && t->id == name) {
        const ExprId target = a->targets[0], value = a->value;
        last = ast::AnnAssign{target, annotation, value, true};
        m.state.stmts.back().offset = m.insn->offset;  // statements have the offset of their completing instruction
        return true;
      }
  }
  m.emit_stmt(ast::AnnAssign{m.name_expr(name), annotation, {}, true});
  return true;
}

}  // namespace depyf::lift
