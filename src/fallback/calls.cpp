// SPDX-License-Identifier: MIT
// Calls, classes and imports; see translate.h.
#include <algorithm>

#include "ast/walk.h"
#include "fallback/translate.h"
#include "support/unicode.h"

namespace depyf::fallback::dispatch {

// Nothing where the names are no constant. They are not mangled.
std::optional<std::vector<NameId>> Translator::keyword_names(const Entry& entry) {
  const auto* c = entry.kind == Kind::kPending ? constant_of(entry.expr) : nullptr;
  const auto* t = c != nullptr ? std::get_if<ConstTuple>(c) : nullptr;
  if (t == nullptr) return std::nullopt;
  std::vector<NameId> names;
  for (ConstId id : t->items) {
    const auto* s = std::get_if<ConstStr>(&unit_.code.consts[id]);
    if (s == nullptr) return std::nullopt;
    names.push_back(unit_.ast.intern(s->text));
  }
  return names;
}

// Whether the comprehension can be written over what is at hand: no expression takes an asynchronous iterator made of it
// before, unless its function calls aiter() itself, at once.
bool Translator::takes_iterable(std::uint32_t code, const Entry& iter) const {
  const bool calls = unit_.dialect.generator_calls_iter && unit_.code.codes[CodeId{code}].name == "<genexpr>";
  return !unit_.bodies[code].comprehension->generators[0].is_async || iter.form == Form::kAiter || calls;
}

bool Translator::comprehension(std::uint32_t code, const Entry& iter) {
  const lift::Body& body = unit_.bodies[code];
  if (!body.comprehension) return false;
  ast::Comprehension c = *body.comprehension;
  auto& first = c.generators[0];
  if (!takes_iterable(code, iter)) return false;
  const bool has_raw = iter.form == (first.is_async ? Form::kAiter : Form::kIter);
  first.iter = has_raw ? iter.raw : iter.expr;
  const auto flags = unit_.code.codes[CodeId{code}].flags;
  push(make(std::move(c)), {iter}, (flags & kCoCoroutine) != 0 ? Form::kAwaited : Form::kPlain);
  return true;
}

void Translator::invoke(std::uint32_t argc, const std::vector<NameId>& names, bool two_slots) {
  const std::size_t slots = two_slots ? 2 : 1;
  const std::size_t base = size() - argc - slots;
  const bool null_first = two_slots && state.stack[base].kind == Kind::kNull;
  const bool null_second = two_slots && state.stack[base + 1].kind == Kind::kNull;
  const std::size_t callee = null_first ? base + 1 : base;
  const std::size_t count = argc + (two_slots && !null_first && !null_second ? 1 : 0);
  const Kind kind = state.stack[callee].kind;
  const auto which = state.stack[callee].a;
  if (kind == Kind::kRealExit) {
    leave_real(base, names.empty() ? count : 0);
    return;
  }
  if (kind == Kind::kFunction && names.empty() && generic_statement(which, base, count)) return;
  if (kind == Kind::kFunction && count == 1 && names.empty() && top().kind != Kind::kNull &&
      unit_.bodies[which].comprehension && !takes_hidden_cell(CodeId{which})) {
    Entry iter = top();
    if (takes_iterable(which, iter)) {
      iter = pop();
      state.stack.resize(base);
      comprehension(which, iter);
      return;
    }
  }
  if (kind == Kind::kBuildClass) {
    std::vector<Entry> arguments(count);
    const std::uint32_t first = static_cast<std::uint32_t>(size() - count);
    const bool is_class = count >= 2 && state.stack[first].kind == Kind::kFunction;
    if (is_class) {
      const auto body = state.stack[first].a;
      auto bases = pop(count - 2);
      state.stack.resize(base);
      ExprIds positional;
      std::vector<ast::Keyword> keywords;
      const std::size_t plain_count = bases.size() - names.size();
      for (std::size_t i = 0; i < bases.size(); ++i) {
        if (i < plain_count)
          positional.push_back(bases[i].expr);
        else
          keywords.push_back({names[i - plain_count], bases[i].expr});
      }
      class_statement(CodeId{body}, std::move(positional), std::move(keywords), bases);
      return;
    }
  }
  settle(size() - base);
  auto args = pop(count);
  if (null_second) state.stack.pop_back();
  Entry target;
  if (state.stack.back().kind == Kind::kWithExit) {
    target = state.stack.back();
    state.stack.pop_back();
  } else {
    target = pop();
  }
  if (null_first) state.stack.pop_back();
  ast::Call c;
  const std::size_t positional = args.size() - std::min(names.size(), args.size());
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (i < positional)
      c.args.push_back(args[i].expr);
    else
      c.keywords.push_back({names[i - positional], args[i].expr});
  }
  args.insert(args.begin(), target);
  if (target.kind == Kind::kWithExit) {
    args[0].uses = {temp("m" + std::to_string(target.a)), temp("x" + std::to_string(target.a))};
    push(exit_call(target, c.args), args);
    return;
  }
  c.func = target.expr;
  push(make(std::move(c)), args);
}

// Only running tells how many of the arguments have a name: f(*all[:n], **dict(zip(names, all[n:]))).
void Translator::invoke_with_names(std::uint32_t argc, bool two_slots) {
  flush();
  const Entry names = pop();
  const std::size_t base = size() - argc - (two_slots ? 2 : 1);
  const bool self = two_slots && state.stack[base].kind != Kind::kNull && state.stack[base + 1].kind != Kind::kNull;
  const std::uint32_t count = argc + (self ? 1 : 0);
  auto used = pop(count);
  ast::Tuple all;
  for (const auto& e : used) all.elts.push_back(e.expr);
  const ExprId all_arguments = make(std::move(all));
  const ExprId plain =
      make(ast::BinOp{number(count), ast::BinaryOperator::kSubtract, builtin_call("len", {names.expr})});
  const auto part = [&](ExprId from, ExprId to) {
    return make(ast::Subscript{all_arguments, make(ast::Slice{from, to, {}})});
  };
  if (two_slots && !self && top().kind == Kind::kNull) state.stack.pop_back();
  const Entry target = pop();
  if (size() > base) state.stack.pop_back();
  ast::Call c;
  c.func = target.expr;
  c.args = {make(ast::Starred{part({}, plain)})};
  c.keywords = {{NameId{}, builtin_call("dict", {builtin_call("zip", {names.expr, part(plain, {})})})}};
  used.insert(used.end(), {target, names});
  push(make(std::move(c)), used);
}

void Translator::invoke_ex(const Instruction& insn) {
  const bool has_kwargs = (insn.arg & 1U) != 0;
  const bool has_null = (insn.arg & 2U) != 0;
  const bool null_above = has_null && !unit_.dialect.null_below_callable;
  const std::size_t args_index = size() - (has_kwargs ? 2 : 1);
  const std::size_t callee = args_index - (null_above ? 2 : 1);
  const bool null_kwargs = has_kwargs && top().kind == Kind::kNull;
  settle(size() - args_index);
  const bool is_class = state.stack[callee].kind == Kind::kBuildClass;
  if (null_kwargs) state.stack.pop_back();
  Entry kwargs = has_kwargs && !null_kwargs ? pop() : Entry{};
  Entry args = pop();
  ast::Call c;
  const auto& node = unit_.ast.exprs[args.expr].node;
  if (const auto* t = std::get_if<ast::Tuple>(&node))
    c.args = t->elts;
  else if (const auto items = constant_items(args); !items.empty())
    c.args = items;
  else
    c.args = {make(ast::Starred{args.expr})};
  if (kwargs.expr.valid()) {
    const auto* d = std::get_if<ast::Dict>(&unit_.ast.exprs[kwargs.expr].node);
    if (d == nullptr) {
      c.keywords.push_back({NameId{}, kwargs.expr});
    } else {
      const ast::Dict dict = *d;
      for (std::size_t i = 0; i < dict.keys.size(); ++i) {
        const bool splat = !dict.keys[i].valid();
        const auto key = splat ? std::string{} : text_of(dict.keys[i]);
        if (is_plain_identifier(key))
          c.keywords.push_back({intern(key), dict.values[i]});
        else
          c.keywords.push_back({NameId{}, splat ? dict.values[i] : make(ast::Dict{{dict.keys[i]}, {dict.values[i]}})});
      }
    }
  }
  const bool gathered = args.kind == Kind::kClassArguments;
  if (is_class && args.a != 0 && (gathered || c.args.size() >= 2)) {
    state.stack.resize(callee - (has_null && !null_above ? 1 : 0));
    const ExprIds bases = gathered ? c.args : ExprIds(c.args.begin() + 2, c.args.end());
    class_statement(CodeId{args.a - 1}, bases, c.keywords, {args, kwargs});
    return;
  }
  if (null_above) state.stack.pop_back();
  Entry target = pop();
  if (has_null && !null_above) state.stack.pop_back();
  c.func = target.expr;
  push(make(std::move(c)), {target, args, kwargs});
}

bool Translator::call_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::CALL:
    case Op::CALL_FUNCTION: invoke(insn.arg, {}, insn.op == Op::CALL); return true;
    case Op::CALL_KW:
    case Op::CALL_FUNCTION_KW: {
      const bool two_slots = insn.op == Op::CALL_KW;
      const auto names = keyword_names(top());
      if (!names) {
        invoke_with_names(insn.arg, two_slots);
        return true;
      }
      state.stack.pop_back();
      invoke(insn.arg, *names, two_slots);
      return true;
    }
    case Op::CALL_FUNCTION_EX: invoke_ex(insn); return true;
    default: return false;
  }
}

// How many calls with one argument follow before a store to `function`'s own name: its decorators, which lie below entry
// `below` of the stack.
std::size_t Translator::decorators(NameId function, NameId& target, std::size_t below) {
  std::size_t n = 0;
  for (;; ++n) {
    const auto* next = peek(n + 1);
    if (next == nullptr) return static_cast<std::size_t>(-1);
    if (const auto stored = store_target(*next)) {
      target = *stored;
      return *stored == function && below >= n ? n : static_cast<std::size_t>(-1);
    }
    const bool one_argument =
        (next->op == Op::CALL_FUNCTION && next->arg == 1) || (next->op == Op::CALL && next->arg == 0);
    if (!one_argument || n + 1 > below) return static_cast<std::size_t>(-1);
    const Kind kind = state.stack[below - n - 1].kind;
    if (kind != Kind::kPending && kind != Kind::kVar) return static_cast<std::size_t>(-1);
  }
}

void Translator::class_statement(CodeId body_code, ExprIds bases, std::vector<ast::Keyword> keywords,
                                 const std::vector<Entry>& from) {
  const lift::Body& body = unit_.bodies[body_code.n];
  ast::ClassDef def;
  def.name = unmangle(unit_.code.codes[body_code].name);
  def.bases = std::move(bases);
  def.keywords = std::move(keywords);
  def.body = body.block;
  def.docstring = body.docstring;
  NameId target;
  const std::size_t n = decorators(def.name, target, size());
  std::vector<Entry> used = from;
  if (n != static_cast<std::size_t>(-1)) {
    if (!unit_.dialect.any_decorator)
      for (std::size_t i = size() - n; i < size(); ++i) materialise(i);
    auto wrappers = pop(n);
    for (const auto& w : wrappers) def.decorators.push_back(w.expr);
    used.insert(used.end(), wrappers.begin(), wrappers.end());
    at_ += n + 1;
    emit(std::move(def), used);
    return;
  }
  const NameId own = def.name;
  emit(std::move(def), used);
  assign(slot(size()), name(own));
  emit_raw(ast::Delete{{name(own)}});
  push_var();
}

// ---- imports

// import a.b; import a as b; import a.b as c; from m import a as b, c; from m import *
bool Translator::import_statement(const Instruction& insn) {
  if (size() < 2 || top().kind != Kind::kPending || top(2).kind != Kind::kPending) return false;
  std::int64_t level = -1;
  if (const auto* i = std::get_if<ast::IntLiteral>(&unit_.ast.exprs[top(2).expr].node)) level = i->value;
  if (const auto* c = constant_of(top(2).expr))
    if (const auto* i = std::get_if<ConstInt>(c); i != nullptr && !i->negative && i->digits.size() < 2)
      level = i->digits.empty() ? 0 : i->digits[0];
  if (level < 0) return false;
  const std::string module(unit_.ast.text(unmangle(co_.names[insn.arg])));
  const bool lazy = (insn.flags & kLazyImport) != 0;
  if (is_none(top())) {
    if (level != 0 || peek() == nullptr) return false;
    std::size_t n = 1;
    if (peek()->op != Op::IMPORT_FROM) {
      const auto target = store_target(*peek());
      if (!target) return false;
      const auto first = module.substr(0, module.find('.'));
      const bool same_name = unit_.ast.text(*target) == first;
      if (!same_name && first != module) return false;
      pop(2);
      emit(ast::Import{{{module, same_name ? NameId{} : *target}}, lazy});
      ++at_;
      return true;
    }
    const auto is = [&](std::size_t i, Op op) { return peek(i) != nullptr && peek(i)->op == op; };
    std::string path = module.substr(0, module.find('.'));
    bool dropped = true;  // what the last one was read from
    while (dropped && is(n, Op::IMPORT_FROM)) {
      path += "." + co_.names[peek(n)->arg];
      dropped = is(n + 1, Op::SWAP) && is(n + 2, Op::POP_TOP);
      n += dropped ? 3 : 1;
    }
    const auto target = peek(n) != nullptr ? store_target(*peek(n)) : std::nullopt;
    if (!target || path != module || (!dropped && !is(n + 1, Op::POP_TOP))) return false;
    if (!dropped) ++n;  // a lazy import drops it after the store
    pop(2);
    emit(ast::Import{{{module, *target}}, lazy});
    at_ += n;
    return true;
  }
  const auto* c = constant_of(top().expr);
  const auto* list = c != nullptr ? std::get_if<ConstTuple>(c) : nullptr;
  if (list == nullptr || peek() == nullptr) return false;
  ast::ImportFrom from{module, {}, static_cast<std::uint32_t>(level), lazy};
  std::size_t n = 1;
  if (peek()->op == Op::IMPORT_STAR) {
    from.names.push_back({"*", {}});
  } else {
    for (; peek(n) != nullptr && peek(n)->op == Op::IMPORT_FROM && peek(n + 1) != nullptr; n += 2) {
      const auto target = store_target(*peek(n + 1));
      if (!target) return false;
      const std::string attr(unit_.ast.text(unmangle(co_.names[peek(n)->arg])));
      if (from.names.size() >= list->items.size()) return false;
      const auto* listed = std::get_if<ConstStr>(&unit_.code.consts[list->items[from.names.size()]]);
      if (listed == nullptr || unmangle(listed->text) != intern(attr)) return false;
      from.names.push_back({attr, unit_.ast.text(*target) == attr ? NameId{} : *target});
    }
    if (peek(n) == nullptr || peek(n)->op != Op::POP_TOP || from.names.size() != list->items.size()) return false;
  }
  pop(2);
  const bool future = module == "__future__" && from.level == 0;
  emit(std::move(from));
  if (future) shared_.futures.push_back(out.back());
  at_ += n;
  return true;
}

bool Translator::import_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::IMPORT_NAME: {
      if (import_statement(insn)) return true;
      auto e = pop(2);
      ExprIds args{text(unit_.ast.text(unmangle(co_.names[insn.arg]))), builtin_call("globals", {}), none(), e[1].expr,
                   e[0].expr};
      push(builtin_call("__import__", args), e);
      return true;
    }
    case Op::IMPORT_FROM: {
      flush();
      const ExprId module = name(slot(size() - 1));
      push(make(ast::Attribute{module, unmangle(co_.names[insn.arg])}));
      return true;
    }
    case Op::IMPORT_STAR: {  // into the namespace of a module: import_all_from() of ceval.c
      Entry e = pop();
      emit(ast::ExprStmt{e.expr}, {e});
      return true;
    }
    case Op::PRINT_EXPR: {  // what the interactive interpreter does with a value
      Entry e = pop();
      const ExprId sys = builtin_call("__import__", {text("sys")});
      emit(ast::ExprStmt{call(attribute(sys, "displayhook"), {e.expr})}, {e});
      return true;
    }
    default: return false;
  }
}

}  // namespace depyf::fallback::dispatch
