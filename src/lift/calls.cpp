// SPDX-License-Identifier: MIT
// Calls, and what they make of functions: classes, decorated functions, comprehensions.
#include <algorithm>

#include "lift/annotations.h"
#include "lift/lift.h"
#include "support/unicode.h"

namespace depyf::lift {

namespace {

constexpr std::size_t kMostArguments = 30;  // of a call that keeps them on the stack: STACK_USE_GUIDELINE in codegen.c

}  // namespace

// The names of keywords are the one thing in a class that is not mangled.
std::vector<NameId> Lifter::keyword_names(const Value& v) {
  std::vector<NameId> out;
  const auto* c = v.kind == ValueKind::kExpr ? constant_of(v.expr) : nullptr;
  const auto* t = c != nullptr ? std::get_if<ConstTuple>(c) : nullptr;
  if (t == nullptr) {
    refuse("names of keyword arguments that are no constant");
    return out;
  }
  for (ConstId k : t->items)
    if (const auto* s = std::get_if<ConstStr>(&unit_.code.consts[k])) out.push_back(unit_.ast.intern(s->text));
  return out;
}

// A builtin function by its name, where no code object has another use for that name.
ExprId Lifter::builtin(std::string_view name) {
  if (literal_ != nullptr) return literal_->builtin(name);
  if (names_anything(unit_.code, name)) refuse("a builtin function whose name may be taken");
  return name_expr(unit_.ast.intern(name));
}

ExprId Lifter::as_expr(Value& v) {
  const auto intern = [&](std::string_view t) { return name_expr(unit_.ast.intern(t)); };
  const auto is_slice = [&](ExprId e) { return std::holds_alternative<ast::Slice>(unit_.ast.exprs[e].node); };
  switch (v.kind) {
    case ValueKind::kExpr:
      if (const auto* t = std::get_if<ast::Tuple>(&unit_.ast.exprs[v.expr].node);
          is_slice(v.expr) || (t != nullptr && std::any_of(t->elts.begin(), t->elts.end(), is_slice)))
        refuse("a slice that is no index");
      return v.expr;
    case ValueKind::kFunction: return function_expr(s_->functions[v.a]);
    case ValueKind::kModule:
    case ValueKind::kImportAttr: refuse("an import that is used as a value"); return intern("__import__");
    case ValueKind::kKnown: {
      const ExprId e = literal_->express(v);
      if (!e.valid()) refuse("no value");
      return e.valid() ? e : make(ast::NoneLiteral{});
    }
    case ValueKind::kIter:
      if (literal_ != nullptr) return literal_->express(v);
      if (v.a != 0 && !unit_.dialect.match_statement) refuse("an asynchronous iterator");  // aiter() came with 3.10
      return make(ast::Call{builtin(v.a != 0 ? "aiter" : "iter"), {v.expr}, {}});
    case ValueKind::kUnpack: refuse("a value without an expression"); return intern("__unpacked__");
    case ValueKind::kNull: refuse("no value"); return make(ast::NoneLiteral{});
    case ValueKind::kBuildClass: return intern("__build_class__");
    case ValueKind::kExcMatch:
      refuse("a value without an expression");
      return make(ast::Call{intern("isinstance"), {intern("__exception__"), v.expr}, {}});
    case ValueKind::kForItem: refuse("a value without an expression"); return intern("__item__");
    case ValueKind::kWithExit:
    case ValueKind::kWithEnter:
    case ValueKind::kWithValue:
    case ValueKind::kExitResult: refuse("a value without an expression"); return intern("__context__");
    case ValueKind::kSubject: refuse("a value without an expression"); return intern("__subject__");
    case ValueKind::kExc: refuse("a value without an expression"); return intern("__exception__");
    case ValueKind::kCell: {
      if (v.expr.valid()) return v.expr;
      const auto text = unit_.ast.text(v.name);
      if (cleared_.contains(v.name.n)) return name_expr(v.name);  // inside an inlined comprehension: its own local
      // a class body leaves its own cells to type.__new__: a mark, which goes when the body is finished
      const bool own = text == "__class__" || text == "__classdict__" || text == "__conditional_annotations__";
      if (own && (co_.flags & kCoOptimized) == 0) return intern("__cell__");
      // the cell itself, which no name denotes: what a function that closes over it holds
      const ExprId f = make(ast::Lambda{{}, name_expr(v.name)});
      const ExprId cells = make(ast::Attribute{f, unit_.ast.intern("__closure__")});
      return make(ast::Subscript{cells, make(ast::IntLiteral{0})});
    }
    case ValueKind::kClosure: return v.expr;
    case ValueKind::kCleared: refuse("a saved local that is used as a value"); return intern("__class__");
    case ValueKind::kTypeParam:
    case ValueKind::kTypeParams: refuse("a value without an expression"); return intern("__type_params__");
    case ValueKind::kGenericBase:  // among bases with a star
      if (!s_->class_function) refuse("a value without an expression");
      return intern(unit_.options.temp_prefix + "arggeneric_base");
  }
  return {};
}

bool Lifter::make_class(Values& args, const std::vector<NameId>& names) {
  if (args.size() < 2 + names.size() || args[0].kind != ValueKind::kFunction) return false;
  auto& f = s_->functions[args[0].a];
  const auto* c = args[1].kind == ValueKind::kExpr ? constant_of(args[1].expr) : nullptr;
  const auto* name = c != nullptr ? std::get_if<ConstStr>(c) : nullptr;
  const auto& code = unit_.code.codes[f.code];
  const auto* held = literal_ != nullptr && args[1].kind == ValueKind::kExpr
                         ? std::get_if<ast::Name>(&unit_.ast.exprs[args[1].expr].node)
                         : nullptr;
  // a variable of ours holds the name where a handler around the arguments wants all that lies below in variables
  const bool in_variable = held != nullptr && (code.flags & kCoOptimized) == 0 &&
                           unit_.ast.text(held->id).starts_with(unit_.options.temp_prefix);
  if (!in_variable && (name == nullptr || name->text != code.name)) return false;
  if (has_effects(f)) return false;
  f.is_class = true;
  const auto positional = args.size() - names.size();
  for (std::size_t i = 2; i < args.size(); ++i) {
    if (i < positional && args[i].kind == ValueKind::kGenericBase) {
      f.type_params = all_params();
      continue;
    }
    embed(args[i]);
    const ExprId e = as_expr(args[i]);
    if (i < positional)
      f.bases.push_back(e);
    else
      f.keywords.push_back({names[i - positional], e});
  }
  push(args[0]);
  return true;
}

// The stack holds the callee (one slot, or two of which one may be NULL), then `argc` arguments.
Status Lifter::call(std::uint32_t argc, const std::vector<NameId>& names) {
  Values args(argc);
  for (std::uint32_t i = argc; i-- > 0;) args[i] = pop();
  Value target;
  if (call_slots_ == 1) {
    target = pop();
  } else {
    Value second = pop(), first = pop();
    if (first.kind == ValueKind::kNull) {
      target = second;
    } else if (second.kind == ValueKind::kNull) {
      target = first;
    } else if (first.kind == ValueKind::kWithExit && second.kind == ValueKind::kWithExit) {
      target = first;
    } else if (first.kind == ValueKind::kWithEnter) {
      target = first;
    } else {
      target = first;  // method and self: the callable with one more argument in front
      args.insert(args.begin(), second);
    }
  }
  switch (target.kind) {
    case ValueKind::kWithExit: {
      Value v;
      v.kind = ValueKind::kExitResult;
      push(v);
      return depyf::Unit{};
    }
    case ValueKind::kWithEnter: {
      embed(target);
      LStmt w{LKind::kWithEnter, {}, target.expr};
      w.is_async = target.a != 0;
      emit(w);
      Value v;
      v.kind = ValueKind::kWithValue;
      v.a = target.a;
      push(v);
      return depyf::Unit{};
    }
    case ValueKind::kBuildClass:
      if (make_class(args, names)) return depyf::Unit{};
      break;
    default: break;
  }
  if (names.empty() && generic_call(target, args)) return depyf::Unit{};
  if (args.size() == 1 && names.empty()) {
    if (decorate(target, args[0])) return depyf::Unit{};
    if (comprehension_call(target, args[0])) return depyf::Unit{};
  }
  embed(target);
  ast::Call c;
  c.func = as_expr(target);
  const auto positional = args.size() - names.size();
  c.args.reserve(positional);
  c.keywords.reserve(names.size());
  for (std::size_t i = 0; i < args.size(); ++i) {
    embed(args[i]);
    const ExprId e = as_expr(args[i]);
    if (i < positional)
      c.args.push_back(e);
    else
      c.keywords.push_back({names[i - positional], e});
  }
  if (joined_call(c)) return depyf::Unit{};
  push_expr(make(std::move(c)));
  return depyf::Unit{};
}

// ''.join([...]) of formatted parts: an f-string of more than 30 parts (3.11+, compiler_joined_str).
bool Lifter::joined_call(const ast::Call& c) {
  const auto* a = std::get_if<ast::Attribute>(&unit_.ast.exprs[c.func].node);
  if (a == nullptr || c.args.size() != 1 || !c.keywords.empty() || unit_.ast.text(a->attr) != "join") return false;
  const auto* k = constant_of(a->value);
  const auto* s = k != nullptr ? std::get_if<ConstStr>(k) : nullptr;
  const bool empty =
      (s != nullptr && s->text.empty()) || std::holds_alternative<ast::StrLiteral>(unit_.ast.exprs[a->value].node);
  const auto* list = std::get_if<ast::List>(&unit_.ast.exprs[c.args[0]].node);
  if (!empty || list == nullptr || list->elts.size() <= 30) return false;
  bool formatted = false;
  for (ExprId e : list->elts) {
    const bool joined = std::holds_alternative<ast::JoinedStr>(unit_.ast.exprs[e].node);
    const auto* x = constant_of(e);
    if (!joined && (x == nullptr || !std::holds_alternative<ConstStr>(*x))) return false;
    formatted |= joined;
  }
  if (!formatted) return false;
  Values parts;
  for (ExprId e : list->elts) {
    Value v;
    v.expr = e;
    parts.push_back(v);
  }
  push_expr(build_string(parts));
  return true;
}

// LOAD_BUILD_CLASS; function; 'C'; bases; BUILD_LIST or BUILD_TUPLE, to which starred bases are added: the function must
// not become a statement of its own here.
void Lifter::starred_class(std::uint32_t n) {
  if (n < 2 || !has(n + 1) || top(n).kind != ValueKind::kFunction || s_->class_function) return;
  const bool below_null = has(n + 2) && top(n + 2).kind == ValueKind::kBuildClass;
  if (top(n + 1).kind != ValueKind::kBuildClass && !below_null) return;
  s_->class_function = top(n).a;
  top(n).kind = ValueKind::kExpr;
  top(n).expr = make(ast::NoneLiteral{});
}

// Whether the arguments of a call that takes a tuple were one in the source, `f(*(a, b))`: those of a plain call become a
// tuple only when they are many or something among them is unpacked (compiler_call_helper of Python/compile.c).
bool Lifter::unpacks_display(const ast::Call& c, ExprId list) const {
  const auto starred = [&](ExprId e) { return std::holds_alternative<ast::Starred>(unit_.ast.exprs[e].node); };
  const auto* tuple = std::get_if<ast::Tuple>(&unit_.ast.exprs[list].node);
  if (unit_.displays.contains(list.n)) return true;
  return (tuple != nullptr || constant_of(list) != nullptr) &&
         c.args.size() + 2 * c.keywords.size() <= kMostArguments &&
         std::none_of(c.args.begin(), c.args.end(), starred) &&
         std::all_of(c.keywords.begin(), c.keywords.end(), [](const auto& k) { return k.name.valid(); });
}

// `**e`; of a display, its items one by one where they can be.
void Lifter::unpack_keywords(ast::Call& c, ExprId e) {
  const auto* d = std::get_if<ast::Dict>(&unit_.ast.exprs[e].node);
  const auto keyword = [this](ExprId key) {
    const auto* k = key.valid() ? constant_of(key) : nullptr;
    const auto* text = k != nullptr ? std::get_if<ConstStr>(k) : nullptr;
    return text != nullptr && is_plain_identifier(text->text) ? text : nullptr;
  };
  // one display: where a key is no keyword it stays whole, for keywords must differ, and in a display the last one wins
  const bool joined = unit_.displays.contains(e.n);
  const bool whole = d != nullptr && (joined || (std::ranges::all_of(d->keys, [](ExprId key) { return key.valid(); }) &&
                                                 !std::ranges::all_of(d->keys, keyword)));
  if (d != nullptr && !whole) {
    for (std::size_t i = 0; i < d->keys.size(); ++i) {
      if (const auto* text = keyword(d->keys[i])) {
        c.keywords.push_back({unit_.ast.intern(text->text), d->values[i]});
      } else if (d->keys[i].valid()) {
        c.keywords.push_back({NameId{}, make(ast::Dict{{d->keys[i]}, {d->values[i]}})});
      } else {
        c.keywords.push_back({NameId{}, d->values[i]});
      }
    }
    if (d->keys.empty()) c.keywords.push_back({NameId{}, e});
  } else {
    c.keywords.push_back({NameId{}, e});
  }
}

// Whether the class statement whose arguments are gathered is still to be called.
bool Lifter::awaits_class() const { return s_->stack.has(ValueKind::kBuildClass); }

Status Lifter::call_ex(const Instruction& insn) {
  Value kwargs;
  const bool has_kwargs = (insn.arg & 1U) != 0;
  if (has_kwargs) kwargs = pop();
  Value args = pop();
  Value target = pop();
  if ((insn.arg & 2U) != 0) {
    Value other = pop();
    if (target.kind == ValueKind::kNull) target = other;
  }
  ast::Call c;
  embed(args);
  const ExprId list = as_expr(args);
  if (const auto* t = std::get_if<ast::Tuple>(&unit_.ast.exprs[list].node)) {
    c.args = t->elts;
  } else if (is_class_display(args)) {
    c.args = std::get<ast::List>(unit_.ast.exprs[list].node).elts;
  } else if (const auto* k = constant_of(list); k != nullptr && std::holds_alternative<ConstTuple>(*k)) {
    for (ConstId i : std::get<ConstTuple>(*k).items) c.args.push_back(constant_expr(unit_, i, origin_));
  } else {
    c.args.push_back(make(ast::Starred{list}));
  }
  if (has_kwargs && kwargs.kind != ValueKind::kNull) {
    embed(kwargs);
    unpack_keywords(c, as_expr(kwargs));
  }
  // in the arguments of a class statement, whose bases hold a star: a call of its own
  const bool is_inner = s_->class_function && target.kind != ValueKind::kBuildClass && awaits_class();
  if ((!s_->class_function || is_inner) && !is_evaluated && unpacks_display(c, list)) {
    if (c.args.empty() && !c.keywords.empty() && constant_of(list) == nullptr) {
      const ExprId display = as_expr(kwargs);
      c.keywords = {{NameId{}, display}};
    } else {
      c.args = {make(ast::Starred{list})};
    }
  }
  if (const auto which = s_->class_function; which && !is_inner) {
    s_->class_function.reset();
    if (target.kind != ValueKind::kBuildClass || c.args.size() < 2)
      return Error{Errc::kInternal, insn.offset, "arguments of a class that go elsewhere"};
    auto& f = s_->functions[*which];
    const auto* k = constant_of(c.args[1]);
    const auto* name = k != nullptr ? std::get_if<ConstStr>(k) : nullptr;
    if (name == nullptr || name->text != unit_.code.codes[f.code].name || has_effects(f))
      refuse("a class whose name is another");
    f.is_class = true;
    for (std::size_t i = 2; i < c.args.size(); ++i) {
      if (const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[c.args[i]].node);
          n != nullptr && literal_ == nullptr && is_generic_scope() && is_hidden(n->id, ".generic_base"))
        f.type_params = all_params();
      else
        f.bases.push_back(c.args[i]);
    }
    f.keywords = c.keywords;
    Value v;
    v.kind = ValueKind::kFunction;
    v.a = *which;
    push(v);
    return depyf::Unit{};
  }
  embed(target);
  c.func = as_expr(target);
  push_expr(make(std::move(c)));
  return depyf::Unit{};
}

Result<bool> Lifter::call_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::CALL_FUNCTION:
    case Op::CALL:
      call_slots_ = insn.op == Op::CALL ? 2 : 1;
      DEPYF_CHECK(call(insn.arg, {}));
      return true;
    case Op::CALL_FUNCTION_KW:
    case Op::CALL_KW: {
      call_slots_ = insn.op == Op::CALL_KW ? 2 : 1;
      const auto names = keyword_names(pop());
      if (names.size() > insn.arg) return Error{Errc::kMalformed, insn.offset, "more keyword names than arguments"};
      DEPYF_CHECK(call(insn.arg, names));
      return true;
    }
    case Op::CALL_FUNCTION_EX: DEPYF_CHECK(call_ex(insn)); return true;
    case Op::LOAD_BUILD_CLASS: push_kind(ValueKind::kBuildClass); return true;
    case Op::MAKE_FUNCTION: {
      const ExprId qualname = unit_.dialect.qualname_operand ? pop_expr() : ExprId{};
      const Value code = pop();
      const auto* c = code.kind == ValueKind::kExpr ? constant_of(code.expr) : nullptr;
      const auto* k = c != nullptr ? std::get_if<ConstCode>(c) : nullptr;
      if (k == nullptr)
        return Error{Errc::kInternal, insn.offset, "MAKE_FUNCTION of something that is no code constant"};
      FunctionValue f;
      f.code = k->code;
      f.qualname = unit_.code.codes[k->code].qualname;
      if (const auto* q = constant_of(qualname))
        if (const auto* text = std::get_if<ConstStr>(q)) f.qualname = text->text;
      f.offset = insn.offset;
      for (std::uint32_t bit = 8; bit >= 1; bit /= 2)
        if ((insn.arg & bit) != 0) set_attribute(f, bit, pop());
      push_function(std::move(f));
      return true;
    }
    case Op::SET_FUNCTION_ATTRIBUTE: {
      Value f = pop();
      const Value attribute = pop();
      if (f.kind != ValueKind::kFunction)
        return Error{Errc::kInternal, insn.offset, "SET_FUNCTION_ATTRIBUTE of no function"};
      if (insn.arg == 16 && attribute.kind == ValueKind::kFunction &&
          (literal_ == nullptr || annotations_of(unit_, s_->functions[attribute.a].code)))
        annotate(s_->functions[f.a], s_->functions[attribute.a]);
      else
        set_attribute(s_->functions[f.a], insn.arg, attribute);
      push(f);
      return true;
    }
    default: return false;
  }
}

}  // namespace depyf::lift
