// SPDX-License-Identifier: MIT
// Lifts functions: the def, class and type alias statements, lambdas, decorators and calls of comprehensions.
//
// A function object stays a value under construction (FunctionValue) until it is stored (def), passed to a decorator,
// called with one iterator (comprehension), passed to __build_class__, or used as an expression (lambda). Any other use
// emits a def statement under a generated name, and assigns __name__ and __qualname__.
#include <algorithm>
#include <span>
#include <utility>

#include "ast/constants.h"
#include "ast/walk.h"
#include "lift/families.h"

namespace depyf::lift {

namespace {

// Returns the index of the first item from `from` on for which `test` holds, or else of the first one at all; the size if
// there is none. What is looked for mostly comes in the order of the items, which takes one step each.
std::size_t find_from(const auto& items, std::size_t from, const auto& test) {
  for (std::size_t n = 0; n < items.size(); ++n)
    if (const auto at = from + n < items.size() ? from + n : from + n - items.size(); test(items[at])) return at;
  return items.size();
}

// Adds default values and annotations to the parameters; refuses the line if they do not fit the parameters.
void attach_arguments(Machine& m, const FunctionValue& f, ast::Arguments& args) {
  if (f.defaults.empty() && f.kwdefaults.empty() && f.annotations.empty()) return;
  std::vector<ast::Parameter*> positional;
  for (auto& p : args.posonly) positional.push_back(&p);
  for (auto& p : args.args) positional.push_back(&p);
  const auto n = f.defaults.size();
  if (n > positional.size()) return m.refuse("more default values than parameters");
  for (std::size_t i = 0; i < n; ++i) positional[positional.size() - n + i]->default_ = f.defaults[i];
  std::size_t at = 0;
  for (const auto& kwdefault : f.kwdefaults) {
    at = find_from(args.kwonly, at, [&](const auto& p) { return p.name == kwdefault.first; });
    if (at == args.kwonly.size()) return m.refuse("a default value of no parameter");
    args.kwonly[at].default_ = kwdefault.second;
  }
  auto params = positional;
  for (auto& p : args.kwonly) params.push_back(&p);
  if (args.vararg) params.push_back(&*args.vararg);
  if (args.kwarg) params.push_back(&*args.kwarg);
  for (const auto& [text, value] : f.annotations) {
    if (text == "return") continue;
    const NameId name = m.unit.unmangled(f.code, text);
    at = find_from(params, at, [&](const auto* p) { return p->name == name; });
    if (at == params.size()) return m.refuse("an annotation of no parameter");
    const bool may_be_starred = args.vararg && params[at] == &*args.vararg;
    params[at]->annotation = may_be_starred ? m.unit.with_star(value) : value;
  }
}

}  // namespace

const std::string& name_of(const Machine& m, const FunctionValue& f) {
  return f.name.empty() ? m.unit.code.codes[f.code].name : f.name;
}

// Returns whether making the function evaluates anything (decorators, defaults, annotations) but constants, so that its
// statement may not move.
bool has_effects(const Machine& m, const FunctionValue& f) {
  const auto plain = [&](ExprId e) { return ast::is_constant(m.unit.ast, e); };
  const auto second = [&](const auto& p) { return plain(p.second); };
  return f.is_class || !f.decorators.empty() || !std::all_of(f.defaults.begin(), f.defaults.end(), plain) ||
         !std::all_of(f.kwdefaults.begin(), f.kwdefaults.end(), second) ||
         (!m.unit.dialect.deferred_annotations && !std::all_of(f.annotations.begin(), f.annotations.end(), second));
}

ExprId code_expr(Unit& unit, CodeId code, ast::Origin origin) {
  for (std::uint32_t i = 0; i < unit.code.consts.size(); ++i)
    if (const auto* c = std::get_if<ConstCode>(&unit.code.consts[ConstId{i}]); c != nullptr && c->code == code)
      return constant_expr(unit, ConstId{i}, origin);
  return unit.ast.expr(ast::NoneLiteral{}, origin);
}

bool has_no_cells(const CodeTree& tree, CodeId code) {
  return tree.codes[code].freevars.empty() && std::ranges::all_of(tree.codes[code].consts, [&](ConstId id) {
           const auto* inner = std::get_if<ConstCode>(&tree.consts[id]);
           return inner == nullptr || tree.codes[inner->code].freevars.empty();
         });
}

bool is_unmade_class(const Machine& m, const FunctionValue& f) {
  return !f.is_class && takes_namespace(m.unit.code.codes[f.code]);
}

namespace {

// Makes `type(lambda: None)(code, globals())`, the function of a class body that is not passed to __build_class__. A
// `def` would make locals of the names that the body stores in its namespace.
ExprId class_body_value(Machine& m, const FunctionValue& f) {
  if (has_effects(m, f) || !has_no_cells(m.unit.code, f.code))
    m.refuse("the body of a class that no class statement has");
  const ExprId type = m.make(ast::Call{builtin(m, "type"), {m.make(ast::Lambda{{}, m.make(ast::NoneLiteral{})})}, {}});
  const ExprId globals = m.make(ast::Call{builtin(m, "globals"), {}, {}});
  return m.make(ast::Call{type, {code_expr(m.unit, f.code, m.origin), globals}, {}});
}

}  // namespace

// Returns the expression of a function that is used as a value: a lambda, or the name of a def that this emits.
ExprId function_expr(Machine& m, FunctionValue& f) {
  const Body& body = m.unit.bodies[f.code.n];
  const auto& co = m.unit.code.codes[f.code];
  if (body.expr.valid() && co.name == "<lambda>" && f.decorators.empty() && f.annotations.empty() && f.extras.empty()) {
    ast::Arguments args = body.args;
    attach_arguments(m, f, args);
    return m.make(ast::Lambda{args, body.expr});
  }
  if (is_generic_scope(m) && m.literal == nullptr && !co.name.empty() &&
      co.name.front() != '<') {  // finish/body.cpp reads it back from Unit::generics
    const NameId own = m.unit.unmangled(m.code, co.name);
    m.push_stmt(function_stmt(m, f, own));
    m.unit.generics[m.state.stmts.back().stmt.n] = f;
    return m.name_expr(own);
  }
  if (m.literal != nullptr && (f.is_class || f.is_alias) && m.spilling) return class_value(m, f);
  if (is_unmade_class(m, f)) return class_body_value(m, f);
  if (f.is_class || (m.literal != nullptr && f.is_alias) || (!m.spilling && has_effects(m, f)))
    m.refuse("a function or class without a name of its own");
  const NameId id = m.literal != nullptr && m.spilling && f.decorators.empty() ? m.spill_name : m.fresh_temp();
  check_deferred(m);
  ExprIds decorators;  // evaluated before the def; applied after __name__ and __qualname__ have been set
  for (const ExprId decorator : std::exchange(f.decorators, {})) {
    const NameId inner = m.fresh_temp();
    m.push_stmt(m.stmt(ast::Assign{{m.name_expr(inner)}, decorator}));
    decorators.push_back(m.name_expr(inner));
  }
  m.push_stmt(function_stmt(m, f, id));
  rename(m, f, id);
  set_extra_attributes(m, f, id);
  ExprId result = m.name_expr(id);
  for (std::size_t i = decorators.size(); i-- > 0;) result = m.make(ast::Call{decorators[i], {result}, {}});
  return result;
}

// Assigns __name__ and __qualname__ of a function whose def statement has the generated name `id`.
void rename(Machine& m, const FunctionValue& f, NameId id) {
  const auto& name = m.unit.code.codes[f.code].name;
  if (name == "<listcomp>" || name == "<setcomp>" || name == "<dictcomp>") return;
  set_text(m, id, "__name__", name);
  if (!f.qualname.empty()) set_text(m, id, "__qualname__", f.qualname);
}

// Emits the assignment of a string to an attribute of a function.
void set_text(Machine& m, NameId function, std::string_view attribute, std::string_view text) {
  const ExprId target = m.make(ast::Attribute{m.name_expr(function), m.unit.ast.intern(attribute)});
  m.push_stmt(m.stmt(ast::Assign{{target}, m.make(ast::StrLiteral{std::string(text)})}));
}

// Returns whether the def statement gives the function its qualified name: that of the enclosing function, and its own
// name. Dynamo's resume functions contain functions that keep the qualified names they have in the original function.
bool has_default_qualname(const Machine& m, const FunctionValue& f) {
  if (f.is_class || !f.decorators.empty() || (m.co.flags & kCoOptimized) == 0 || m.co.name.starts_with('<'))
    return true;
  if (f.qualname.empty() || m.co.qualname.empty()) return true;
  const auto& name = m.unit.code.codes[f.code].name;
  const std::string_view qualname = f.qualname;
  if (!qualname.ends_with(name)) return true;
  const auto outer = qualname.substr(0, qualname.size() - name.size());
  return !outer.ends_with(".<locals>.") || outer == m.co.qualname + ".<locals>.";
}

bool is_name_used(const CodeTree& tree, std::string_view name) {
  for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
    const auto& c = tree.codes[CodeId{i}];
    for (const auto* names : {&c.names, &c.varnames, &c.cellvars, &c.freevars})
      if (std::find(names->begin(), names->end(), name) != names->end()) return true;
  }
  return false;
}

namespace {

// Returns the `for` loop over the argument `.0` in the body of a comprehension's function that has not become an
// expression; an invalid id if there is none.
StmtId argument_loop(Unit& unit, CodeId code) {
  const auto& name = unit.code.codes[code].name;
  StmtId loop{};
  if (name != "<genexpr>" && !name.ends_with("comp>")) return loop;
  ast::Visitor visitor;
  visitor.expr = [](ExprId) { return false; };
  visitor.stmt = [&](StmtId s) {
    const auto* f = std::get_if<ast::For>(&unit.ast.stmts[s].node);
    const auto* over = f != nullptr ? std::get_if<ast::Name>(&unit.ast.exprs[f->iter].node) : nullptr;
    if (over != nullptr && over->id == unit.argument_name() && f->orelse.empty()) loop = s;
    return true;
  };
  ast::walk(unit.ast, unit.bodies[code.n].block, visitor);
  return loop;
}

// Returns whether a loop can be written with calls of next() or anext(): the builtin exists, and no code shadows it.
bool can_call_next(const Unit& unit, StmtId loop) {
  if (!loop.valid()) return false;
  const bool is_async = std::get<ast::For>(unit.ast.stmts[loop].node).is_async;
  return !is_name_used(unit.code, is_async ? "anext" : "next") && (!is_async || unit.dialect.builtin_anext);
}

}  // namespace

// Rewrites `for x in arg0: body` of a comprehension's function that is kept as a function. Its argument is an iterator
// already, on which FOR_ITER calls next() only, while a `for` statement would also call iter(). The loop becomes
// `end = []; while 1: item0 = next(arg0, end); if item0 is end: break; x = item0; item0 = None; body`.
void iterate_by_next(Unit& unit, CodeId code) {
  ast::Block& body = unit.bodies[code.n].block;
  ast::Tree& tree = unit.ast;
  const StmtId loop = argument_loop(unit, code);
  if (!can_call_next(unit, loop)) return;
  const bool is_async = std::get<ast::For>(tree.stmts[loop].node).is_async;
  const auto origin = tree.stmts[loop].origin;
  const auto expr = [&](auto node) { return tree.expr(std::move(node), origin); };
  const auto stmt = [&](auto node) { return tree.stmt(std::move(node), origin); };
  const auto named = [&](std::string_view text) { return expr(ast::Name{tree.intern(text)}); };
  const std::string end = unit.options.temp_prefix + "end", item = unit.options.temp_prefix + "item0";
  const ast::For plain = std::get<ast::For>(tree.stmts[loop].node);
  ExprId next = expr(ast::Call{named(is_async ? "anext" : "next"), {plain.iter, named(end)}, {}});
  if (is_async) next = expr(ast::Await{next});
  const ExprId none_left = expr(ast::Compare{named(item), {ast::CompareOperator::kIs}, {named(end)}});
  ast::While by_next{expr(ast::IntLiteral{1}), {}, {}};
  by_next.body = {stmt(ast::Assign{{named(item)}, next}), stmt(ast::If{none_left, {stmt(ast::Break{})}, {}}),
                  stmt(ast::Assign{{plain.target}, named(item)}),
                  stmt(ast::Assign{{named(item)}, expr(ast::NoneLiteral{})})};
  for (const StmtId s : plain.body) by_next.body.push_back(s);
  tree.stmts[loop].node = std::move(by_next);
  body.insert(body.begin(), stmt(ast::Assign{{named(end)}, expr(ast::List{})}));
}

// Makes the def, class or type alias statement of a function, under `name`.
StmtId function_stmt(Machine& m, FunctionValue& f, NameId name) {
  const Body& body = m.unit.bodies[f.code.n];
  if (f.is_alias) return m.unit.ast.stmt(ast::TypeAlias{name, f.type_params, body.expr}, {m.code, f.offset});
  if (f.is_class)
    return m.unit.ast.stmt(
        ast::ClassDef{name, f.bases, f.keywords, body.block, f.decorators, f.type_params, body.docstring},
        {m.code, f.offset});
  const bool calls_iter = m.unit.dialect.generator_calls_iter && m.unit.code.codes[f.code].name == "<genexpr>";
  if (!calls_iter || f.gets_iterator) iterate_by_next(m.unit, f.code);
  ast::FunctionDef def;
  def.name = name;
  def.args = body.args;
  attach_arguments(m, f, *def.args);
  for (const auto& [text, value] : f.annotations)
    if (text == "return") def.returns = value;
  def.body = body.block;
  // An empty body on the line of its `def` is `pass` or `...`; mostly the latter in protocols and overloads.
  if (body.is_on_first_line && !f.annotations.empty() && ast::is_pass(m.unit.ast, def.body))
    def.body = {m.unit.ast.stmt(ast::ExprStmt{m.unit.ast.expr(ast::EllipsisLiteral{}, {f.code, 0})}, {f.code, 0})};
  if (body.expr.valid() && def.body.empty() && !body.docstring)
    def.body.push_back(m.unit.ast.stmt(ast::Return{body.expr}, {f.code, 0}));
  def.decorators = f.decorators;
  def.type_params = f.type_params;
  def.is_async = body.is_async;
  def.docstring = body.docstring;
  return m.unit.ast.stmt(std::move(def), {m.code, f.offset});
}

void push_function(Machine& m, FunctionValue f) {
  m.state.pending->functions.push_back(std::move(f));
  m.push({.kind = ValueKind::kFunction, .a = static_cast<std::uint32_t>(m.state.pending->functions.size() - 1)});
}

// Sets an attribute of a function under construction by its bit in MAKE_FUNCTION's argument: 1 defaults, 2 keyword
// defaults, 4 annotations, 8 closure, 16 __annotate__. If the value is no display that a def statement can express,
// refuses the line (merging lines may make it one later); in literal mode it is assigned after the def.
void set_attribute(Machine& m, FunctionValue& f, std::uint32_t bit, Value v) {
  const auto defer = [&] {
    if (!defer_attribute(m, f, bit, v)) m.refuse("attributes of a function that are not spelt out");
  };
  if (bit == 8) return;  // the closure
  if (v.kind != ValueKind::kExpr) return defer();
  m.embed(v);
  const auto items = tuple_items(m, v.expr);  // before `node` below: it makes expressions, which may move the arena
  const auto& node = m.unit.ast.exprs[v.expr].node;
  const auto* name = std::get_if<ast::Name>(&node);
  const auto is_outer = [&](std::string_view hidden) {
    return m.literal == nullptr && is_generic_scope(m) && name != nullptr && is_hidden(m, name->id, hidden);
  };
  const auto* dict = std::get_if<ast::Dict>(&node);
  const auto is_text = [&](ExprId e) { return m.constant_of<ConstStr>(e) != nullptr; };
  const auto text_of = [&](ExprId e) { return m.constant_of<ConstStr>(e)->text; };
  std::size_t at = 0;
  const auto is_keyword = [&](ExprId e) {
    const CodeObject& own = m.unit.code.codes[f.code];
    const auto names = std::span(local_names(own)).subspan(own.argcount, own.kwonlyargcount);
    if (!is_text(e)) return false;
    at = find_from(names, at, [&](const auto& n) { return n == text_of(e); });
    return at < names.size();
  };
  const auto annotation = [&](ExprId e) {
    const bool is_kept = (m.co.flags & m.unit.dialect.future_annotations_flag) != 0;  // as a string
    return is_kept ? m.unit.annotation_of_text(e) : e;
  };
  switch (bit) {
    case 1:
      if (items)
        f.defaults = *items;
      else if (is_outer(".defaults"))
        f.outer_defaults = true;
      else
        return defer();
      return;
    case 2:
      if (is_outer(".kwdefaults") || is_outer(".defaults")) {  // .defaults if the function has keyword defaults only
        f.outer_kwdefaults = true;
        return;
      }
      if (dict == nullptr || !std::ranges::all_of(dict->keys, is_keyword)) return defer();
      for (std::size_t i = 0; i < dict->keys.size(); ++i)
        f.kwdefaults.emplace_back(m.unit.unmangled(f.code, text_of(dict->keys[i])), dict->values[i]);
      return;
    case 4: {
      if (dict != nullptr) {
        const ast::Dict d = *dict;
        if (!std::ranges::all_of(d.keys, is_text)) return defer();
        for (std::size_t i = 0; i < d.keys.size(); ++i)
          f.annotations.emplace_back(text_of(d.keys[i]), annotation(d.values[i]));
        return;
      }
      if (!items) return defer();
      if (items->size() % 2 != 0 || items->empty()) m.refuse("annotations that are no display");
      for (std::size_t i = 0; i + 1 < items->size(); i += 2)
        if (!is_text((*items)[i])) return defer();
      for (std::size_t i = 0; i + 1 < items->size(); i += 2)
        f.annotations.emplace_back(text_of((*items)[i]), annotation((*items)[i + 1]));
      return;
    }
    default: return defer();
  }
}

// Returns whether an expression is a decorator by the grammar of 3.8: a dotted name, or a call of one.
bool is_plain_decorator(const Machine& m, ExprId e) {
  if (const auto* c = std::get_if<ast::Call>(&m.unit.ast.exprs[e].node)) e = c->func;
  while (const auto* a = std::get_if<ast::Attribute>(&m.unit.ast.exprs[e].node)) e = a->value;
  return std::holds_alternative<ast::Name>(m.unit.ast.exprs[e].node);
}

// Recognizes the call of a decorator: a call with a function or class under construction as its only argument.
bool decorate(Machine& m, Value& callee, Value& arg) {
  if (arg.kind != ValueKind::kFunction) return false;
  const auto& name = name_of(m, m.state.pending->functions[arg.a]);
  if (name.empty() || name.front() == '<') return false;
  to_lambda_expr(m, callee);
  if (callee.kind != ValueKind::kExpr) return false;
  if (!m.unit.dialect.any_decorator && !is_plain_decorator(m, callee.expr)) return false;
  m.embed(callee);
  auto& decorators = m.state.pending->functions[arg.a].decorators;
  decorators.insert(decorators.begin(), callee.expr);
  m.push(arg);
  return true;
}

// 3.14+: the function of a generator expression calls iter() on its argument when it is called, before it returns the
// generator. If it is kept as a function, its text expects an iterator, and iter() is called here, by the caller. If
// the function was made by an earlier statement, or its loop stays a `for`, this calls iter() at the first item.
void pass_iterator(Machine& m, const Value& callee, Value& arg) {
  if (!m.unit.dialect.generator_calls_iter || callee.kind != ValueKind::kFunction) return;
  FunctionValue& f = m.state.pending->functions[callee.a];
  if (m.unit.code.codes[f.code].name != "<genexpr>") return;
  f.gets_iterator = arg.kind == ValueKind::kIter;
  const StmtId loop = arg.kind == ValueKind::kExpr ? argument_loop(m.unit, f.code) : StmtId{};
  if (!can_call_next(m.unit, loop)) return;
  f.gets_iterator = true;
  const bool is_async = std::get<ast::For>(m.unit.ast.stmts[loop].node).is_async;
  m.embed(arg);
  arg.expr = m.make(ast::Call{builtin(m, is_async ? "aiter" : "iter"), {arg.expr}, {}});
}

// Recognizes the call of a comprehension's function with its outermost iterator, and pushes the comprehension.
bool comprehension_call(Machine& m, const Value& callee, Value& iter) {
  if (callee.kind != ValueKind::kFunction) return false;
  const auto& f = m.state.pending->functions[callee.a];
  const Body& body = m.unit.bodies[f.code.n];
  if (!body.comprehension) return false;
  ast::Comprehension c = *body.comprehension;
  if (has_effects(m, f) || (iter.kind == ValueKind::kIter && c.generators[0].is_async != (iter.a != 0))) return false;
  if (m.unit.dialect.generator_calls_iter) to_lambda_expr(m, iter);
  if (iter.kind == ValueKind::kIter) {
    c.generators[0].iter = iter.expr;
  } else if (iter.kind == ValueKind::kExpr && m.unit.dialect.generator_calls_iter) {
    c.generators[0].iter = iter.expr;  // 3.14+: the function itself calls iter()
  } else {
    return false;
  }
  const bool coroutine = (m.unit.code.codes[f.code].flags & kCoCoroutine) != 0;
  m.push_expr(m.make(std::move(c)));
  if (coroutine) m.lifter.coroutines.insert(m.top().expr.n);
  return true;
}

}  // namespace depyf::lift
