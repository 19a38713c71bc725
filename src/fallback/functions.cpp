// SPDX-License-Identifier: MIT
// Functions, and what has type parameters; see translate.h.
//
// A def or class statement binds a name of its own: the function's own name where the store that follows is to that
// name, else the slot's variable, with the function's names set afterwards.
#include <algorithm>

#include "ast/walk.h"
#include "fallback/translate.h"

namespace depyf::fallback::dispatch {

// ---- type parameters

// The call of a scope of type parameters, with the defaults of the function that it makes: the statement itself, where
// its result is stored under its own name.
bool Translator::generic_statement(std::uint32_t scope, std::size_t base, std::size_t count) {
  const auto& made = unit_.bodies[scope].generic;
  if (!made || made->incomplete || count != (made->defaults_outside ? 1U : 0U) + (made->kwdefaults_outside ? 1U : 0U))
    return false;
  const lift::FunctionValue f = *made;
  NameId target;
  const NameId own = unmangle(unit_.code.codes[f.code].name);
  const std::size_t n = decorators(own, target, base);
  if (n == static_cast<std::size_t>(-1)) return false;
  FunctionParts parts;
  parts.code = f.code;
  const auto take = [&](bool outside, std::size_t at, Entry& into, bool& has) {
    has = outside;
    if (!outside) return;
    into = state.stack[at];
    if (into.kind == Kind::kVar) into.uses = {slot(at)};
    into.expr = value(into, at);
  };
  take(f.defaults_outside, size() - count, parts.defaults, parts.has_defaults);
  take(f.kwdefaults_outside, size() - 1, parts.kwdefaults, parts.has_kwdefaults);
  for (const auto& [text, value] : f.annotations) parts.lazy.push_back({0, text, value});
  const lift::Body& body = unit_.bodies[f.code.n];
  ast::FunctionDef def;
  const bool is_function = !f.is_class && !f.is_alias;
  if (is_function) {
    def.args = arguments_of(f.code);
    attach(parts, def.args, def.returns);
    if (!parts.lazy.empty()) return false;
  }
  // defaults that only running tells are set afterwards: before any decorator gets the function
  const bool whole = parts.bare();
  const NameId into = whole || n == 0 ? target : temp("f");
  state.stack.resize(base);
  if (whole && !unit_.dialect.any_decorator)
    for (std::size_t i = size() - n; i < size(); ++i) materialise(i);
  auto used = pop(whole ? n : 0);
  ExprIds decorated;
  for (const auto& w : used) decorated.push_back(w.expr);
  used.insert(used.end(), parts.said.begin(), parts.said.end());
  if (whole || n == 0) at_ += n + 1;
  if (f.is_alias) {
    emit(ast::TypeAlias{target, f.type_params, body.expr}, used);
  } else if (f.is_class) {
    emit(ast::ClassDef{target, f.bases, f.keywords, body.block, decorated, f.type_params, body.docstring}, used);
  } else {
    def.name = into;
    def.body = body.block;
    def.decorators = decorated;
    def.type_params = f.type_params;
    def.is_async = body.is_async;
    def.docstring = body.docstring;
    emit(std::move(def), used);
    set_attributes(parts, into);
  }
  if (whole || n == 0) return true;
  parts.qualname = text(unit_.code.codes[f.code].qualname);
  rename_function(parts, into);
  assign(slot(size()), name(into));
  emit_raw(ast::Assign{{name(into)}, none()});
  push_var();
  return true;
}

// 'A'; None; what evaluates it; BUILD_TUPLE 3; CALL_INTRINSIC_1 TYPEALIAS; a store to A
bool Translator::alias_statement(const Instruction& insn) {
  const auto* made = peek(1);
  const auto* stored = peek(2);
  if (insn.arg != 3 || size() < 3 || made == nullptr || stored == nullptr || made->op != Op::CALL_INTRINSIC_1 ||
      static_cast<Intrinsic1>(made->arg) != Intrinsic1::INTRINSIC_TYPEALIAS)
    return false;
  const auto target = store_target(*stored);
  if (!target || top(1).kind != Kind::kFunction || !is_none(top(2)) || top(3).kind != Kind::kPending) return false;
  const auto* c = constant_of(top(3).expr);
  const auto* spelt = c != nullptr ? std::get_if<ConstStr>(c) : nullptr;
  const auto& evaluator = unit_.code.codes[CodeId{top(1).a}];
  const ExprId value = unit_.with_star(unit_.bodies[top(1).a].expr);
  if (spelt == nullptr || unmangle(spelt->text) != *target || evaluator.name != spelt->text || !value.valid())
    return false;
  state.stack.resize(size() - 3);
  emit(ast::TypeAlias{*target, {}, value});
  at_ += 2;
  return true;
}

// ---- functions

void Translator::take_attribute(FunctionParts& f, std::uint32_t bit) {
  if (bit == 8) {
    state.stack.pop_back();
    return;
  }
  if (bit == 16 && top().kind == Kind::kFunction) {
    if (auto all = lift::annotations_of(unit_, CodeId{top().a})) {
      f.lazy = std::move(*all);
      state.stack.pop_back();
      return;
    }
    materialise(size() - 1);
  }
  Entry e = pop();
  e.a = bit;
  switch (bit) {
    case 1:
      f.defaults = e;
      f.has_defaults = true;
      return;
    case 2:
      f.kwdefaults = e;
      f.has_kwdefaults = true;
      return;
    case 4:
      f.annotations = e;
      f.has_annotations = true;
      return;
    default:
      f.annotate = e;
      f.has_annotate = true;
      return;
  }
}

bool Translator::function_op(const Instruction& insn) {
  if (insn.op != Op::MAKE_FUNCTION) return false;
  FunctionParts f;
  if (unit_.dialect.qualname_operand) {
    f.qualname = top().expr;
    state.stack.pop_back();
  }
  f.code = CodeId{top().a};
  state.stack.pop_back();
  for (std::uint32_t bit = 8; bit >= 1; bit /= 2)
    if ((insn.arg & bit) != 0) take_attribute(f, bit);
  while (peek() != nullptr && peek()->op == Op::SET_FUNCTION_ATTRIBUTE) take_attribute(f, (*stream_)[++at_].arg);
  if (!f.qualname.valid()) f.qualname = text(unit_.code.codes[f.code].qualname);
  make_function(std::move(f));
  return true;
}

ast::Arguments Translator::arguments_of(CodeId code) {
  ast::Arguments args = unit_.bodies[code.n].args;
  const auto fix = [&](ast::Parameter& p) { p.name = plain(unit_.ast.text(p.name)); };
  for (auto* list : {&args.posonly, &args.args, &args.kwonly}) std::for_each(list->begin(), list->end(), fix);
  if (args.vararg) fix(*args.vararg);
  if (args.kwarg) fix(*args.kwarg);
  return args;
}

// Names and values of annotations: a dict, or up to 3.13 a tuple of both in turn. Nothing: only running tells.
std::optional<std::vector<lift::LazyAnnotation>> Translator::annotations_in(const FunctionParts& f) {
  if (!f.has_annotations) return f.lazy;
  const auto& node = unit_.ast.exprs[f.annotations.expr].node;
  ExprIds keys, values;
  if (const auto* d = std::get_if<ast::Dict>(&node)) {
    keys = d->keys;
    values = d->values;
  } else {
    const auto* t = std::get_if<ast::Tuple>(&node);
    const auto items = t != nullptr ? t->elts : constant_items(f.annotations);
    if (items.empty()) return std::nullopt;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
      keys.push_back(items[i]);
      values.push_back(items[i + 1]);
    }
  }
  std::vector<lift::LazyAnnotation> all;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto spelt = text_of(values[i]);
    const bool source = (co_.flags & unit_.dialect.future_annotations_flag) != 0 && !spelt.empty();
    all.push_back({0, text_of(keys[i]), source ? make(ast::Verbatim{spelt}) : unit_.with_star(values[i])});
  }
  return all;
}

std::string Translator::text_of(ExprId e) {
  const auto* c = e.valid() ? constant_of(e) : nullptr;
  const auto* s = c != nullptr ? std::get_if<ConstStr>(c) : nullptr;
  return s != nullptr ? s->text : std::string{};
}

// Defaults and annotations as the statement writes them; `f` keeps what has no static form.
void Translator::attach(FunctionParts& f, ast::Arguments& args, ExprId& returns) {
  std::vector<ast::Parameter*> positional, all;
  for (auto* list : {&args.posonly, &args.args})
    for (auto& p : *list) positional.push_back(&p);
  all = positional;
  for (auto& p : args.kwonly) all.push_back(&p);
  if (args.vararg) all.push_back(&*args.vararg);
  if (args.kwarg) all.push_back(&*args.kwarg);
  const auto named = [&](std::string_view id) -> ast::Parameter* {
    const auto p = std::find_if(all.begin(), all.end(), [&](const auto* q) { return q->name == unmangle(id); });
    return p != all.end() ? *p : nullptr;
  };
  const auto said = [&](bool& has, Entry& entry) {
    if (has) f.said.push_back(entry);
    has = false;
  };
  if (f.has_defaults && f.defaults.expr.valid()) {
    const auto* t = std::get_if<ast::Tuple>(&unit_.ast.exprs[f.defaults.expr].node);
    const auto items = t != nullptr ? t->elts : constant_items(f.defaults);
    if (!items.empty() && items.size() <= positional.size()) {
      for (std::size_t i = 0; i < items.size(); ++i)
        positional[positional.size() - items.size() + i]->default_ = items[i];
      said(f.has_defaults, f.defaults);
    }
  }
  const auto* d = f.has_kwdefaults && f.kwdefaults.expr.valid()
                      ? std::get_if<ast::Dict>(&unit_.ast.exprs[f.kwdefaults.expr].node)
                      : nullptr;
  if (d != nullptr && std::all_of(d->keys.begin(), d->keys.end(), [&](ExprId k) { return named(text_of(k)); })) {
    for (std::size_t i = 0; i < d->keys.size(); ++i) named(text_of(d->keys[i]))->default_ = d->values[i];
    said(f.has_kwdefaults, f.kwdefaults);
  }
  const auto annotations = annotations_in(f);
  const auto known = [&](const auto& a) { return a.name == "return" || named(a.name) != nullptr; };
  if (!annotations || !std::all_of(annotations->begin(), annotations->end(), known)) return;
  for (const auto& a : *annotations) (a.name == "return" ? returns : named(a.name)->annotation) = a.value;
  said(f.has_annotations, f.annotations);
  f.lazy.clear();
}

// Whether a def statement says all of the function, so that nothing is to be set afterwards.
bool Translator::fits_statement(FunctionParts f) {
  ast::Arguments args = arguments_of(f.code);
  ExprId returns;
  attach(f, args, returns);
  return f.bare();
}

void Translator::rename_function(const FunctionParts& f, NameId into) {
  const auto& co = unit_.code.codes[f.code];
  if (co.name == "<listcomp>" || co.name == "<setcomp>" || co.name == "<dictcomp>") return;
  emit_raw(ast::Assign{{attribute(name(into), "__name__")}, text(co.name)});
  if (f.qualname.valid()) emit_raw(ast::Assign{{attribute(name(into), "__qualname__")}, f.qualname});
}

bool Translator::takes_hidden_cell(CodeId code) const {
  const auto& free = unit_.code.codes[code].freevars;
  for (std::uint32_t i = 0; i < co_.localsplus.size(); ++i)
    if (is_hidden_cell(i) && std::find(free.begin(), free.end(), co_.localsplus[i]) != free.end()) return true;
  return false;
}

// A function made over cells that are values: made in a function of those names, then with the cells in their places.
void Translator::bind_hidden_cells(CodeId code, ast::FunctionDef def) {
  const NameId into = def.name, maker = temp("make");
  ast::FunctionDef around;
  around.name = maker;
  ExprIds closure, nothing;
  const auto& free = unit_.code.codes[code].freevars;
  for (std::uint32_t k = 0; k < free.size(); ++k) {
    const auto at = std::find(co_.localsplus.begin(), co_.localsplus.end(), free[k]) - co_.localsplus.begin();
    const auto index = static_cast<std::uint32_t>(at);
    if (is_hidden_cell(index)) {
      around.args.args.push_back({unmangle(free[k]), {}, {}});
      nothing.push_back(none());
      closure.push_back(name(hidden_name(index)));
    } else {
      closure.push_back(make(ast::Subscript{attribute(name(into), "__closure__"), number(k)}));
    }
  }
  around.body = {stmt(std::move(def)), stmt(ast::Return{name(into)})};
  emit_raw(std::move(around));
  assign(into, call(name(maker), nothing));
  const ExprId made = builtin_call("type", {name(into)});
  assign(into, call(made, {attribute(name(into), "__code__"), builtin_call("globals", {}),
                           attribute(name(into), "__name__"), none(), make(ast::Tuple{closure})}));
}

void Translator::function_statement(FunctionParts& f, NameId into, ExprIds decorated, const std::vector<Entry>& from) {
  lift::stay_function(unit_, f.code);
  const lift::Body& body = unit_.bodies[f.code.n];
  ast::FunctionDef def;
  def.name = into;
  def.args = arguments_of(f.code);
  const bool hidden = takes_hidden_cell(f.code);
  if (!hidden) attach(f, def.args, def.returns);
  constexpr std::string_view kConditional = "__conditional_annotations__";
  const auto& free = unit_.code.codes[f.code].freevars;
  if (!is_function() && co_.parent.valid() && std::find(free.begin(), free.end(), kConditional) != free.end()) {
    // a cell of the class body alone, which no function sees by its name
    const NameId which = intern(kConditional);
    def.args.args.push_back({which, {}, name(which)});
    if (std::find(temps_.begin(), temps_.end(), which) == temps_.end()) temps_.push_back(which);
  }
  def.decorators = std::move(decorated);
  def.is_async = body.is_async;
  def.docstring = body.docstring;
  def.body = body.block;
  if (def.body.empty() && body.expr.valid()) def.body.push_back(stmt(ast::Return{body.expr}));
  if (hidden) {
    flush();
    bind_hidden_cells(f.code, std::move(def));
  } else {
    std::vector<Entry> used = from;
    used.insert(used.end(), f.said.begin(), f.said.end());
    emit(std::move(def), used);
  }
  set_attributes(f, into);
}

// What the statement of a function cannot say itself.
void Translator::set_attributes(FunctionParts& f, NameId into) {
  const auto set = [&](bool has, std::string_view attr, const Entry& e) {
    if (has) emit_raw(ast::Assign{{attribute(name(into), attr)}, e.expr});
  };
  if (f.has_annotations && unit_.dialect.annotations_tuple) {
    // zip(*[iter(all)] * 2): pairs, of what is evaluated once
    const ExprId one = make(ast::List{{builtin_call("iter", {f.annotations.expr})}});
    const ExprId both = make(ast::BinOp{one, ast::BinaryOperator::kMultiply, number(2)});
    f.annotations.expr = builtin_call("dict", {builtin_call("zip", {make(ast::Starred{both})})});
  }
  set(f.has_defaults, "__defaults__", f.defaults);
  set(f.has_kwdefaults, "__kwdefaults__", f.kwdefaults);
  set(f.has_annotations, "__annotations__", f.annotations);
  for (const auto& [has, entry] :
       {std::pair{f.has_defaults, &f.defaults}, {f.has_kwdefaults, &f.kwdefaults}, {f.has_annotations, &f.annotations}})
    if (has) clear({*entry});
  set(f.has_annotate, "__annotate__", f.annotate);
  if (f.has_annotate) clear({f.annotate});
}

ExprId Translator::function_value(std::uint32_t code) {
  const lift::Body& body = unit_.bodies[code];
  const bool lambda = body.expr.valid() && unit_.code.codes[CodeId{code}].name == "<lambda>";
  if (!lambda || takes_hidden_cell(CodeId{code})) return {};
  return make(ast::Lambda{arguments_of(CodeId{code}), body.expr});
}

void Translator::define(std::uint32_t code, NameId into) {
  FunctionParts f;
  f.code = CodeId{code};
  if (!unit_.dialect.qualname_operand) f.qualname = text(unit_.code.codes[f.code].qualname);
  for (const auto& [which, qualname] : shared_.qualnames)
    if (which == code) f.qualname = qualname;
  function_statement(f, into, {}, {});
  rename_function(f, into);
}

ast::Block Translator::known_stored(Entry entry, std::size_t depth) {
  state = {};
  out.clear();
  if (entry.kind == Kind::kFunction && !function_value(entry.a).valid())
    define(entry.a, slot(depth));
  else
    assign(slot(depth), value(entry, depth));
  return std::move(out);
}

void Translator::make_function(FunctionParts f) {
  const auto& co = unit_.code.codes[f.code];
  const lift::Body& body = unit_.bodies[f.code.n];
  const NameId own = unmangle(co.name);
  NameId target;
  std::size_t n = decorators(own, target, size());
  // what the statement cannot say is set before decorators run, on the function itself
  if (n != 0 && n != static_cast<std::size_t>(-1) && !fits_statement(f)) n = static_cast<std::size_t>(-1);
  const bool hidden = takes_hidden_cell(f.code);
  if (n != static_cast<std::size_t>(-1) && !co.name.starts_with("<") && !hidden) {
    if (!unit_.dialect.any_decorator)
      for (std::size_t i = size() - n; i < size(); ++i) materialise(i);
    auto wrappers = pop(n);
    ExprIds decorated;
    for (const auto& w : wrappers) decorated.push_back(w.expr);
    at_ += n + 1;
    function_statement(f, target, std::move(decorated), wrappers);
    return;
  }
  const bool lambda = body.expr.valid() && co.name == "<lambda>";
  // the annotations of a function that is made next: its statement says them
  const bool annotates = lift::is_annotate(unit_, f.code) && peek() != nullptr && !store_target(*peek());
  if (f.bare() && (lambda || annotates || co.name.starts_with("<") ||
                   (size() > 0 && (top().kind == Kind::kBuildClass || top().kind == Kind::kNull)))) {
    if (unit_.dialect.qualname_operand) shared_.qualnames.emplace_back(f.code.n, f.qualname);
    push_kind(Kind::kFunction, f.code.n);
    return;
  }
  if (lambda && !f.has_annotations && !f.has_annotate && !hidden) {
    ast::Arguments args = arguments_of(f.code);
    ExprId returns;
    FunctionParts whole = f;
    attach(whole, args, returns);
    if (whole.bare()) {
      push(make(ast::Lambda{args, body.expr}), whole.said);
      return;
    }
  }
  // its attributes, or their parts, may lie in the slots from here on
  const bool bare = f.bare();  // before the statement takes what it can say itself
  const NameId into = bare ? slot(size()) : temp("f");
  function_statement(f, into, {}, {});
  rename_function(f, into);
  if (!bare) {
    assign(slot(size()), name(into));
    emit_raw(ast::Assign{{name(into)}, none()});
  }
  push_var();
}

}  // namespace depyf::fallback::dispatch
