// SPDX-License-Identifier: MIT
// Lifts calls, including those that complete another construct: __build_class__ (a class statement), a decorator, the
// call of a comprehension's function, ''.join() of a long f-string.
//
// A class statement is LOAD_BUILD_CLASS; body function; 'C'; bases; keywords; CALL. If its bases have a star, the
// arguments are collected in a list first (starred_class()), and CALL_FUNCTION_EX makes the class.
#include <algorithm>

#include "ast/constants.h"
#include "lift/annotations.h"
#include "lift/families.h"
#include "support/unicode.h"

namespace depyf::lift {

namespace {

constexpr std::size_t kMaxArguments = 30;  // of a call that keeps them on the stack: STACK_USE_GUIDELINE in codegen.c

// Returns the names of a keyword call from their constant tuple. They are not unmangled: of all names in a class, the
// compiler does not mangle those of keyword arguments.
std::vector<NameId> keyword_names(Machine& m, const Value& v) {
  std::vector<NameId> out;
  const auto* t = m.constant_of<ConstTuple>(v);
  if (t == nullptr) {
    m.refuse("names of keyword arguments that are no constant");
    return out;
  }
  for (ConstId k : t->items)
    if (const auto* s = std::get_if<ConstStr>(&m.unit.code.consts[k])) out.push_back(m.unit.ast.intern(s->text));
  return out;
}

}  // namespace

// Returns the expression of a builtin function. Outside literal mode refuses the line if any code object uses the name,
// which may then be shadowed.
ExprId builtin(Machine& m, std::string_view name) {
  if (m.literal != nullptr) return m.literal->builtin(name);
  if (is_name_used(m.unit.code, name)) m.refuse("a builtin function whose name may be taken");
  return m.name_expr(m.unit.ast.intern(name));
}

bool is_index_only(const ast::Tree& tree, ExprId e) {
  const auto is_slice = [&](ExprId x) { return std::holds_alternative<ast::Slice>(tree.exprs[x].node); };
  const auto& node = tree.exprs[e].node;
  const auto* t = std::get_if<ast::Tuple>(&node);
  const auto* l = std::get_if<ast::List>(&node);
  return is_slice(e) || (t != nullptr && std::ranges::any_of(t->elts, is_slice)) ||
         (l != nullptr && std::ranges::any_of(l->elts, is_slice));
}

// Converts a value of any kind to an expression; refuses the line, and returns some expression, if it has none.
ExprId as_expr(Machine& m, Value& v) {
  const auto intern = [&](std::string_view t) { return m.name_expr(m.unit.ast.intern(t)); };
  switch (v.kind) {
    case ValueKind::kExpr:
      if (is_index_only(m.unit.ast, v.expr)) {
        if (m.literal != nullptr) return as_object(m, v.expr);
        m.refuse("a slice that is no index");
      }
      return v.expr;
    case ValueKind::kFunction: return function_expr(m, m.state.pending->functions[v.a]);
    case ValueKind::kModule:
    case ValueKind::kImportAttr: m.refuse("an import that is used as a value"); return intern("__import__");
    case ValueKind::kKnown: {
      const ExprId e = m.literal->express(v);
      if (!e.valid()) m.refuse("no value");
      return e.valid() ? e : m.make(ast::NoneLiteral{});
    }
    case ValueKind::kIter:
      if (m.literal != nullptr) return m.literal->express(v);
      if (v.b == 0) return v.expr;
      if (v.a != 0 && !m.unit.dialect.builtin_anext) m.refuse("an asynchronous iterator");
      return m.make(ast::Call{builtin(m, v.a != 0 ? "aiter" : "iter"), {v.expr}, {}});
    case ValueKind::kBuildClass: return intern("__build_class__");
    case ValueKind::kCell: {
      if (v.expr.valid()) return v.expr;
      const auto text = m.unit.ast.text(v.name);
      if (m.lifter.cleared.contains(v.name.n)) return m.name_expr(v.name);  // a local of an inlined comprehension
      // The cells that a class body stores for type.__new__ become a marker, which src/finish removes with its store.
      const bool implicit = text == "__class__" || text == "__classdict__" || text == "__conditional_annotations__";
      if (implicit && (m.co.flags & kCoOptimized) == 0) return intern("__cell__");
      // No name denotes the cell itself. It is read from a function that closes over it: `(lambda: x).__closure__[0]`.
      const ExprId f = m.make(ast::Lambda{{}, m.name_expr(v.name)});
      const ExprId cells = m.make(ast::Attribute{f, m.unit.ast.intern("__closure__")});
      return m.make(ast::Subscript{cells, m.make(ast::IntLiteral{0})});
    }
    case ValueKind::kClosure: return v.expr;
    case ValueKind::kGenericBase:  // in the argument list of a class with starred bases; call_ex() removes it
      if (!m.state.class_function()) m.refuse("a value without an expression");
      return intern(m.unit.options.temp_prefix + "arggeneric_base");
    default: m.refuse("a value without an expression"); return m.make(ast::NoneLiteral{});
  }
}

namespace {

// Returns whether a class statement can have this name and body. The name passed to __build_class__ counts; if that of
// the body's code object differs, sets FunctionValue::name.
bool names_class(Machine& m, FunctionValue& f, const ConstStr* name) {
  const auto& code = m.unit.code.codes[f.code];
  if (name == nullptr || has_effects(m, f)) return false;
  if (name->text == code.name) return true;
  if ((code.flags & kCoOptimized) != 0 || !is_plain_identifier(name->text)) return false;
  f.name = name->text;
  return true;
}

// A keyword argument that is repeated literally is a SyntaxError, so the second one is written as `**{'name': value}`.
// The call then raises TypeError as the bytecode does.
bool has_duplicates(std::vector<NameId> names) {
  std::ranges::sort(names, {}, &NameId::n);
  return std::ranges::adjacent_find(names) != names.end();
}
void add_keyword(Machine& m, ast::Call& c, NameId name, ExprId value, bool may_repeat) {
  const auto is_same = [&](const ast::Keyword& k) { return k.name == name; };
  if (!may_repeat || !name.valid() || std::ranges::none_of(c.keywords, is_same))
    return c.keywords.push_back({name, value});
  const ExprId key = m.make(ast::StrLiteral{std::string(m.unit.ast.text(name))});
  c.keywords.push_back({{}, m.make(ast::Dict{{key}, {value}})});
}

bool make_class(Machine& m, Values& args, const std::vector<NameId>& names) {
  if (has_duplicates(names)) return false;
  if (args.size() < 2 + names.size() || args[0].kind != ValueKind::kFunction) return false;
  auto& f = m.state.pending->functions[args[0].a];
  const auto* name = m.constant_of<ConstStr>(args[1]);
  const auto& code = m.unit.code.codes[f.code];
  const auto* name_variable = m.literal != nullptr && args[1].kind == ValueKind::kExpr
                                  ? std::get_if<ast::Name>(&m.unit.ast.exprs[args[1].expr].node)
                                  : nullptr;
  // In literal mode the name may be in a generated variable, if a handler around the arguments needs the stack there.
  const bool in_variable = name_variable != nullptr && (code.flags & kCoOptimized) == 0 &&
                           m.unit.ast.text(name_variable->id).starts_with(m.unit.options.temp_prefix);
  if (in_variable ? has_effects(m, f) : !names_class(m, f, name)) return false;
  f.is_class = true;
  const auto positional = args.size() - names.size();
  for (std::size_t i = 2; i < args.size(); ++i) {
    if (i < positional && args[i].kind == ValueKind::kGenericBase) {
      f.type_params = all_params(m);
      continue;
    }
    m.embed(args[i]);
    const ExprId e = as_expr(m, args[i]);
    if (i < positional)
      f.bases.push_back(e);
    else
      f.keywords.push_back({names[i - positional], e});
  }
  m.push(args[0]);
  return true;
}

// Recognizes ''.join([...]) of formatted parts, into which the compiler turns an f-string of more than 30 parts (3.11+,
// compiler_joined_str).
bool joined_call(Machine& m, const ast::Call& c) {
  const auto* a = std::get_if<ast::Attribute>(&m.unit.ast.exprs[c.func].node);
  if (a == nullptr || c.args.size() != 1 || !c.keywords.empty() || m.unit.ast.text(a->attr) != "join") return false;
  const auto* s = m.constant_of<ConstStr>(a->value);
  const bool empty =
      (s != nullptr && s->text.empty()) || std::holds_alternative<ast::StrLiteral>(m.unit.ast.exprs[a->value].node);
  const auto* list = std::get_if<ast::List>(&m.unit.ast.exprs[c.args[0]].node);
  if (!empty || list == nullptr || list->elts.size() <= 30) return false;
  bool formatted = false;
  for (ExprId e : list->elts) {
    const bool joined = std::holds_alternative<ast::JoinedStr>(m.unit.ast.exprs[e].node);
    if (!joined && m.constant_of<ConstStr>(e) == nullptr) return false;
    formatted |= joined;
  }
  if (!formatted) return false;
  Values parts;
  for (ExprId e : list->elts) parts.push_back({.expr = e});
  m.push_expr(build_string(m, parts));
  return true;
}

// Lifts a call of `argc` arguments, the last ones of which have `names`. Below them the callee takes `slots` stack
// entries: one, or two, of which one may be NULL.
void call(Machine& m, std::uint32_t argc, const std::vector<NameId>& names, std::uint32_t slots) {
  Values args(argc);
  for (std::uint32_t i = argc; i-- > 0;) args[i] = m.pop();
  Value target;
  if (slots == 1) {
    target = m.pop();
  } else {
    const Value second = m.pop(), first = m.pop();
    target = first.kind == ValueKind::kNull ? second : first;
    const bool is_exit = first.kind == ValueKind::kWithExit && second.kind == ValueKind::kWithExit;
    // Two values are a method and self, which is its first argument.
    if (first.kind != ValueKind::kNull && second.kind != ValueKind::kNull && !is_exit)
      args.insert(args.begin(), second);
  }
  switch (target.kind) {
    case ValueKind::kWithExit: {
      const auto is_none = [&](const Value& v) {
        return v.kind == ValueKind::kExpr && ast::is_none(m.unit.ast, m.unit.code, v.expr);
      };
      if (args.size() != 3 || !names.empty() || !std::ranges::all_of(args, is_none))
        m.refuse("a call of __exit__ with other arguments than None");
      return m.push({.kind = ValueKind::kExitResult});
    }
    case ValueKind::kWithEnter:
      m.embed(target);
      m.emit({.kind = LKind::kWithEnter, .expr = target.expr, .is_async = target.a != 0});
      return m.push({.kind = ValueKind::kWithValue, .a = target.a});
    case ValueKind::kBuildClass:
      if (make_class(m, args, names)) return;
      break;
    default: break;
  }
  if (names.empty() && generic_call(m, target, args)) return;
  if (args.size() == 1 && names.empty()) {
    if (decorate(m, target, args[0])) return;
    if (comprehension_call(m, target, args[0])) return;
    pass_iterator(m, target, args[0]);
  }
  m.embed(target);
  ast::Call c;
  c.func = as_expr(m, target);
  const auto positional = args.size() - names.size();
  c.args.reserve(positional);
  c.keywords.reserve(names.size());
  const bool may_repeat = has_duplicates(names);
  for (std::size_t i = 0; i < args.size(); ++i) {
    m.embed(args[i]);
    const ExprId e = as_expr(m, args[i]);
    if (i < positional)
      c.args.push_back(e);
    else
      add_keyword(m, c, names[i - positional], e, may_repeat);
  }
  if (joined_call(m, c)) return;
  m.push_expr(m.make(std::move(c)));
}

}  // namespace

// Called before BUILD_LIST or BUILD_TUPLE takes `n` operands. If these begin the arguments of a class with starred
// bases, makes the body function State::class_function(), so that the display does not make a def statement of it.
void starred_class(Machine& m, std::uint32_t n) {
  if (n < 2 || !m.has(n + 1) || m.top(n).kind != ValueKind::kFunction || m.state.class_function()) return;
  const bool below_null = m.has(n + 2) && m.top(n + 2).kind == ValueKind::kBuildClass;
  if (m.top(n + 1).kind != ValueKind::kBuildClass && !below_null) return;
  if (!names_class(m, m.state.pending->functions[m.top(n).a], m.constant_of<ConstStr>(m.top(n - 1)))) return;
  m.state.pending->class_function = m.top(n).a;
  m.top(n).kind = ValueKind::kExpr;
  m.top(n).expr = m.make(ast::NoneLiteral{});
}

namespace {

// Returns whether the source of a CALL_FUNCTION_EX unpacks a display, `f(*(a, b))`. The compiler builds a tuple of
// plain arguments only if there are many of them or some are unpacked (compiler_call_helper in Python/compile.c).
bool unpacks_display(const Machine& m, const ast::Call& c, ExprId list) {
  const auto starred = [&](ExprId e) { return std::holds_alternative<ast::Starred>(m.unit.ast.exprs[e].node); };
  const auto* tuple = std::get_if<ast::Tuple>(&m.unit.ast.exprs[list].node);
  if (m.unit.displays.contains(list.n)) return true;
  return (tuple != nullptr || m.constant_of(list) != nullptr) &&
         c.args.size() + 2 * c.keywords.size() <= kMaxArguments &&
         std::none_of(c.args.begin(), c.args.end(), starred) &&
         std::all_of(c.keywords.begin(), c.keywords.end(), [](const auto& k) { return k.name.valid(); });
}

// Returns the key of a display if it can be the name of a keyword argument, else null.
const ConstStr* keyword(const Machine& m, ExprId key) {
  const auto* text = m.constant_of<ConstStr>(key);
  return text != nullptr && is_plain_identifier(text->text) ? text : nullptr;
}

// Adds `**e` to a call. If the compiler built the dict e from the call's keyword arguments, adds these one by one. A
// display of the source stays one: keyword arguments must differ, while of equal keys in a display the last one wins.
void unpack_keywords(Machine& m, ast::Call& c, ExprId e) {
  const auto* d = std::get_if<ast::Dict>(&m.unit.ast.exprs[e].node);
  const auto is_argument = [&](ExprId key) { return !key.valid() || keyword(m, key) != nullptr; };
  if (d == nullptr || d->keys.empty() || m.unit.displays.contains(e.n) || !std::ranges::all_of(d->keys, is_argument)) {
    c.keywords.push_back({NameId{}, e});
    return;
  }
  const auto keys = d->keys, values = d->values;
  std::vector<NameId> names;
  for (const ExprId key : keys)
    if (const auto* text = keyword(m, key)) names.push_back(m.unit.ast.intern(text->text));
  const bool may_repeat = has_duplicates(names);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto* text = keyword(m, keys[i]);
    add_keyword(m, c, text != nullptr ? m.unit.ast.intern(text->text) : NameId{}, values[i], may_repeat);
  }
}

// Returns whether __build_class__ of the class whose arguments are being collected is still on the stack.
bool has_pending_class(const Machine& m) { return m.state.stack.has(ValueKind::kBuildClass); }

// Pushes the class that the call of __build_class__ with arguments (function, name, *bases, **keywords) makes. In a scope
// of type parameters, the last base may be the hidden `.generic_base` (codegen_class in Python/codegen.c).
void build_class(Machine& m, std::uint32_t function, const ast::Call& c) {
  auto& f = m.state.pending->functions[function];
  if (!names_class(m, f, m.constant_of<ConstStr>(c.args[1]))) m.refuse("a class whose name is another");
  f.is_class = true;
  for (std::size_t i = 2; i < c.args.size(); ++i) {
    if (const auto* n = std::get_if<ast::Name>(&m.unit.ast.exprs[c.args[i]].node);
        n != nullptr && m.literal == nullptr && is_generic_scope(m) && is_hidden(m, n->id, ".generic_base"))
      f.type_params = all_params(m);
    else
      f.bases.push_back(c.args[i]);
  }
  f.keywords = c.keywords;
  m.push({.kind = ValueKind::kFunction, .a = function});
}

// Lifts CALL_FUNCTION_EX: callable, NULL or self (argument bit 2), a tuple, and (bit 1) a mapping.
void call_ex(Machine& m, const Instruction& insn) {
  Value kwargs;
  const bool has_kwargs = (insn.arg & 1U) != 0;
  if (has_kwargs) kwargs = m.pop();
  Value args = m.pop();
  Value target = m.pop();
  if ((insn.arg & 2U) != 0) {
    Value lower = m.pop();
    if (target.kind == ValueKind::kNull) target = lower;
  }
  ast::Call c;
  m.embed(args);
  const ExprId list = as_expr(m, args);
  auto items = tuple_items(m, list);
  if (auto display = class_arguments(m, args); !items && !display.empty()) items = std::move(display);
  c.args = items ? std::move(*items) : ExprIds{m.make(ast::Starred{list})};
  if (has_kwargs && kwargs.kind != ValueKind::kNull) {
    m.embed(kwargs);
    unpack_keywords(m, c, as_expr(m, kwargs));
  }
  // An inner call is an argument of a class statement with starred bases.
  const bool is_inner = m.state.class_function() && target.kind != ValueKind::kBuildClass && has_pending_class(m);
  if ((!m.state.class_function() || is_inner) && !m.lifter.is_evaluated && unpacks_display(m, c, list)) {
    if (c.args.empty() && !c.keywords.empty() && m.constant_of(list) == nullptr) {
      const ExprId display = as_expr(m, kwargs);
      c.keywords = {{NameId{}, display}};
    } else {
      c.args = {m.make(ast::Starred{list})};
    }
  }
  if (const auto class_index = m.state.class_function(); class_index && !is_inner) {
    m.state.pending->class_function.reset();
    if (target.kind != ValueKind::kBuildClass || c.args.size() < 2)
      return m.fail(Errc::kInternal, "arguments of a class that go elsewhere");
    return build_class(m, *class_index, c);
  }
  m.embed(target);
  c.func = as_expr(m, target);
  m.push_expr(m.make(std::move(c)));
}

}  // namespace

bool has_keyword_keys(const Machine& m, ExprId e) {
  const auto* d = std::get_if<ast::Dict>(&m.unit.ast.exprs[e].node);
  return d != nullptr && std::ranges::all_of(d->keys, [&](ExprId key) { return keyword(m, key) != nullptr; });
}

void call_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::CALL_FUNCTION:
    case Op::CALL: call(m, insn.arg, {}, insn.op == Op::CALL ? 2 : 1); return;
    case Op::CALL_FUNCTION_KW:
    case Op::CALL_KW: {
      const std::uint32_t slots = insn.op == Op::CALL_KW ? 2 : 1;
      if (m.literal != nullptr && m.constant_of<ConstTuple>(m.top()) == nullptr) {
        split_named_arguments(m, insn.arg);
        return call(m, 2, {NameId{}}, slots);
      }
      const auto names = keyword_names(m, m.pop());
      if (names.size() > insn.arg) return m.fail(Errc::kMalformed, "more keyword names than arguments");
      call(m, insn.arg, names, slots);
      return;
    }
    case Op::CALL_FUNCTION_EX: call_ex(m, insn); return;
    case Op::LOAD_BUILD_CLASS: m.push({.kind = ValueKind::kBuildClass}); return;
    case Op::MAKE_FUNCTION: {
      const ExprId qualname = m.unit.dialect.qualname_operand ? m.pop_expr() : ExprId{};
      const Value code = m.pop();
      const auto* k = m.constant_of<ConstCode>(code);
      if (k == nullptr) return m.fail(Errc::kInternal, "MAKE_FUNCTION of something that is no code constant");
      FunctionValue f;
      f.code = k->code;
      f.qualname = m.unit.code.codes[k->code].qualname;
      if (const auto* text = m.constant_of<ConstStr>(qualname)) f.qualname = text->text;
      f.offset = insn.offset;
      for (std::uint32_t bit = 8; bit >= 1; bit /= 2)
        if ((insn.arg & bit) != 0) set_attribute(m, f, bit, m.pop());
      push_function(m, std::move(f));
      return;
    }
    case Op::SET_FUNCTION_ATTRIBUTE: {
      Value f = m.pop();
      const Value attribute = m.pop();
      if (f.kind != ValueKind::kFunction) return m.fail(Errc::kInternal, "SET_FUNCTION_ATTRIBUTE of no function");
      if (insn.arg == 16 && attribute.kind == ValueKind::kFunction &&
          (m.literal == nullptr || annotations_of(m.unit, m.state.pending->functions[attribute.a].code)))
        annotate(m, m.state.pending->functions[f.a], m.state.pending->functions[attribute.a]);
      else
        set_attribute(m, m.state.pending->functions[f.a], insn.arg, attribute);
      m.push(f);
      return;
    }
    default: return;
  }
}

}  // namespace depyf::lift
