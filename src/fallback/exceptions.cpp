// SPDX-License-Identifier: MIT
// Context managers, exceptions, patterns and 3.12's intrinsics; see translate.h.
//
// The exception handled at level n is the variable of the n-th except clause around the arm, so that a bare `raise` there
// is RERAISE: it touches neither context nor traceback.
#include <algorithm>

#include "ast/constants.h"
#include "fallback/translate.h"

namespace depyf::fallback::dispatch {

// What lacks the protocol gets the error of the statement itself.
void Translator::require_protocol(ExprId manager, ExprId test, bool is_async) {
  ast::With w;
  w.items.push_back({manager, {}});
  w.body = {stmt(ast::Pass{})};
  w.is_async = is_async;
  emit_raw(ast::If{test, {stmt(std::move(w))}, {}});
}

void Translator::enter_context(bool is_async) {
  Entry manager = pop();
  const auto depth = std::to_string(size());
  const NameId m = temp("m" + depth), x = temp("x" + depth), enter = slot(size() + 1);
  emit(ast::Assign{{name(m)}, manager.expr}, {manager});
  const auto look = [&](NameId into, std::string_view method) {
    assign(into, builtin_call("getattr", {builtin_call("type", {name(m)}), text(method), none()}));
  };
  look(enter, is_async ? "__aenter__" : "__enter__");
  look(x, is_async ? "__aexit__" : "__exit__");
  const ExprId test =
      make(ast::BoolOp{ast::BoolOperator::kOr, {is_not(name(enter), none(), false), is_not(name(x), none(), false)}});
  require_protocol(name(m), test, is_async);
  push_kind(Kind::kWithExit, static_cast<std::uint32_t>(size()));
  assign(enter, call(name(enter), {name(m)}));
  push_var();
}

ExprId Translator::exit_call(const Entry& exit, ExprIds args) {
  args.insert(args.begin(), name(temp("m" + std::to_string(exit.a))));
  return call(name(temp("x" + std::to_string(exit.a))), std::move(args));
}

bool Translator::context_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::SETUP_WITH:
    case Op::BEFORE_WITH: enter_context(false); return true;
    case Op::BEFORE_ASYNC_WITH: enter_context(true); return true;
    case Op::LOAD_SPECIAL: {
      constexpr std::string_view kNames[] = {"__enter__", "__exit__", "__aenter__", "__aexit__"};
      flush();
      const NameId method = slot(size() - 1), self = slot(size());
      assign(self, name(method));
      assign(method,
             builtin_call("getattr", {builtin_call("type", {name(self)}), text(kNames[insn.arg & 3U]), none()}));
      require_protocol(name(self), is_not(name(method), none(), false), insn.arg >= 2);
      push_var();
      return true;
    }
    case Op::WITH_EXCEPT_START: {
      flush();
      const auto depth = static_cast<std::size_t>(effect(unit_.dialect.version, insn, false).pops);
      Entry exit = top(depth);
      Entry exc = unit_.dialect.handler_pushes_six ? top(2) : top(1);
      const std::size_t exc_index = size() - (unit_.dialect.handler_pushes_six ? 2 : 1);
      const ExprId e = value(exc, exc_index);
      const ExprIds args{builtin_call("type", {e}), e, attribute(e, "__traceback__")};
      if (exit.kind == Kind::kWithExit) {
        push(exit_call(exit, args));
      } else {
        ExprIds all = args;
        const ExprId function = value(exit, size() - depth);
        if (depth == 5 && top(4).kind != Kind::kNull) all.insert(all.begin(), value(top(4), size() - 4));
        push(call(function, all));
      }
      return true;
    }
    default: return false;
  }
}

// RERAISE of something else than what is handled here: the context that it has stays.
void Translator::raise_again(const Entry& exc) {
  if (exc.kind == Kind::kExc && exc.a == state.handled()) return emit_raw(ast::Raise{});
  const NameId context = temp("c"), which = temp("r");
  assign(which, exc.expr);
  clear({exc});
  assign(context, attribute(name(which), "__context__"));
  ast::Try t;
  t.body = {stmt(ast::Raise{name(which), {}})};
  t.finalbody = {stmt(ast::Assign{{attribute(name(which), "__context__")}, name(context)}),
                 stmt(ast::Assign{{name(which), name(context)}, none()})};
  emit_raw(std::move(t));
}

// Only an except clause matches as an except clause does.
void Translator::match_exception(const Entry& exc, Entry match) {
  const NameId result = slot(size());
  ast::Try t;
  const bool current = (exc.kind == Kind::kExc || exc.kind == Kind::kExcType) && exc.a == state.handled();
  ExprId thrown;
  if (!current) thrown = exc.kind == Kind::kExcType ? name(exception(exc.a)) : exc.expr;
  t.body = {stmt(ast::Raise{thrown, {}})};
  t.handlers.push_back({match.expr, {}, {stmt(ast::Assign{{name(result)}, boolean(true)})}});
  t.handlers.push_back({builtin("BaseException"), {}, {stmt(ast::Assign{{name(result)}, boolean(false)})}});
  emit_raw(std::move(t));
  push_var();
  clear({match});
}

bool Translator::exception_op(const Instruction& insn) {
  switch (insn.op) {
    case Op::PUSH_EXC_INFO: {
      Entry exc = state.stack.back();
      const bool handled = exc.kind == Kind::kExc;
      if (!handled) return false;
      state.stack.pop_back();
      push_kind(Kind::kPrevious, exc.a);
      state.stack.push_back(exc);
      if (shared_.matches_groups) assign(matched_group(), none());
      return true;
    }
    case Op::CHECK_EXC_MATCH:
    case Op::EXC_MATCH: {
      Entry match = pop();
      push(match.expr, {match});
      flush();
      match = pop();
      Entry exc = top();
      if (exc.kind == Kind::kVar) exc.expr = name(slot(size() - 1));
      if (insn.op == Op::EXC_MATCH) state.stack.pop_back();
      match_exception(exc, match);
      return true;
    }
    default: return false;
  }
}

// Of the innermost except clause that code around handles an exception in, whatever except* has matched since.
std::uint32_t Translator::clause_level() const {
  std::uint32_t level = 0;
  for (const Entry& e : state.stack)
    if (e.kind == Kind::kPrevious) level = e.a;
  return level;
}

// What an except* statement has matched last.
NameId Translator::matched_group() { return temp("gm" + std::to_string(clause_level())); }

// The function that raises the error of except* itself for what it cannot match, whose context is what was handled then:
// a function, as its blocks would nest in those of the arm.
ast::FunctionDef Translator::group_type_check() {
  const NameId type = intern(unit_.options.temp_prefix + "type"), bad = intern(unit_.options.temp_prefix + "bad");
  const NameId handled = intern(unit_.options.temp_prefix + "handled");
  ast::Try check, around;
  check.is_star = true;
  check.body = {stmt(ast::Raise{builtin("Exception"), {}})};
  check.handlers.push_back({name(type), {}, {stmt(ast::Pass{})}});
  check.handlers.push_back({builtin("Exception"), {}, {stmt(ast::Pass{})}});
  around.body = {stmt(std::move(check))};
  around.handlers.push_back(
      {builtin("TypeError"),
       bad,
       {stmt(ast::Assign{{attribute(name(bad), "__context__")}, name(handled)}), stmt(ast::Raise{})}});
  ast::FunctionDef def;
  def.name = temp("star");
  def.args.args = {{type, {}, {}}, {handled, {}, {}}};
  def.body = {stmt(std::move(around))};
  return def;
}

// except*: [exc, type] -> [rest, match or None].
bool Translator::group_op(const Instruction& insn) {
  if (insn.op == Op::CHECK_EG_MATCH) {
    group_matched_ = true;
    flush();
    Entry match = pop();
    const std::size_t at = size() - 1;
    Entry exc = state.stack.back();
    const ExprId e = value(exc, at);
    const NameId rest = slot(at), found = slot(at + 1), kind = temp("g");
    assign(kind, match.expr);
    const bool current = exc.kind == Kind::kExc && exc.a == state.handled();
    const NameId context = temp("gc"), trace = temp("gt"), group = matched_group();
    const ExprId outer = name(exception(std::max(state.handled(), 1U)));
    const ExprId handled = current ? e : make(ast::IfExp{is_not(name(group), none(), true), name(group), outer});
    emit_raw(ast::ExprStmt{call(name(temp("star")), {name(kind), handled})});
    ast::Block restored;  // raising it again leaves traces
    if (!current)
      restored = {stmt(ast::Assign{{attribute(e, "__context__")}, name(context)}),
                  stmt(ast::Assign{{attribute(e, "__traceback__")}, name(trace)})};
    const auto then = [&](ast::StmtId last) {
      ast::Block b = restored;
      b.push_back(last);
      return b;
    };
    ast::Try t;
    t.body = {stmt(ast::Raise{current ? ExprId{} : e, {}})};
    const ExprId wrapped = call(builtin("ExceptionGroup"), {text(""), make(ast::List{{e}})});
    const ExprId is_group = builtin_call("isinstance", {e, builtin("BaseExceptionGroup")});
    const ExprId whole = make(ast::IfExp{is_group, e, wrapped});
    const ExprId pair = make(ast::Tuple{{name(found), name(rest)}});
    t.handlers.push_back({name(kind), {}, then(stmt(ast::Assign{{pair}, make(ast::Tuple{{whole, none()}})}))});
    const ExprId parts = call(attribute(e, "split"), {name(kind)});
    const ExprId none_found = make(ast::Tuple{{none(), e}});
    t.handlers.push_back(
        {builtin("BaseException"), {}, then(stmt(ast::Assign{{pair}, make(ast::IfExp{is_group, parts, none_found})}))});
    const bool empty = exc.kind == Kind::kVar;
    if (empty) {  // nothing is left to match
      emit_raw(ast::If{is_not(e, none(), false),
                       {stmt(ast::Assign{{name(found)}, none()})},
                       {stmt(ast::Assign{{name(context)}, attribute(e, "__context__")}),
                        stmt(ast::Assign{{name(trace)}, attribute(e, "__traceback__")}), stmt(std::move(t))}});
      emit_raw(ast::Assign{{name(context), name(trace)}, none()});
    } else {
      emit_raw(std::move(t));
    }
    emit_raw(ast::If{is_not(name(found), none(), true), {stmt(ast::Assign{{name(group)}, name(found)})}, {}});
    state.stack.pop_back();
    push_var();
    push_var();
    return true;
  }
  if (insn.op != Op::PREP_RERAISE_STAR) return false;
  prepare_reraise();
  return true;
}

// [what was handled, what the clauses raised] -> what the statement raises: PREP_RERAISE_STAR.
void Translator::prepare_reraise() {
  auto e = pop(2);
  push(make(ast::Tuple{{e[0].expr, e[1].expr}}), e);
  flush();
  const NameId both = slot(size() - 1), raised = temp("raised"), same_kind = temp("same"), whole = temp("whole");
  const auto part = [&](std::int64_t i) { return make(ast::Subscript{name(both), number(i)}); };
  const NameId x = intern(unit_.options.temp_prefix + "i");
  const auto field = [&](ExprId of, std::string_view which) { return attribute(of, which); };
  // is_same_exception_metadata() of Objects/exceptions.c
  ExprIds tests{builtin_call("isinstance", {name(x), builtin("BaseExceptionGroup")})};
  const auto notes = [&](ExprId of) { return builtin_call("getattr", {of, text("__notes__"), none()}); };
  tests.push_back(is_not(notes(name(x)), notes(part(0)), false));
  for (const std::string_view f : {"__traceback__", "__cause__", "__context__"})
    tests.push_back(is_not(field(name(x), f), field(part(0), f), false));
  const ExprId is_same = make(ast::BoolOp{ast::BoolOperator::kAnd, tests});
  const auto add = [&](NameId list) {
    return ast::Block{stmt(ast::ExprStmt{call(attribute(name(list), "append"), {name(x)})})};
  };
  assign(raised, make(ast::List{}));
  assign(same_kind, make(ast::List{}));
  const ExprId is_group = builtin_call("isinstance", {part(0), builtin("BaseExceptionGroup")});
  const ExprId kept = make(ast::BoolOp{ast::BoolOperator::kAnd, {is_group, is_same}});
  ast::For loop;
  loop.target = name(x);
  loop.iter = part(1);
  loop.body = {stmt(ast::If{is_not(name(x), none(), true), {stmt(ast::If{kept, add(same_kind), add(raised)})}, {}})};
  emit_raw(std::move(loop));
  // exception_group_projection(): the leaves of what was raised again
  const NameId todo = temp("todo"), leaves = temp("leaves");
  assign(todo, name(same_kind));
  assign(leaves, make(ast::Set{{none()}}));
  ast::While walk;
  walk.test = name(todo);
  const NameId one = temp("one");
  walk.body = {
      stmt(ast::Assign{{name(one)}, call(attribute(name(todo), "pop"), {})}),
      stmt(ast::If{builtin_call("isinstance", {name(one), builtin("BaseExceptionGroup")}),
                   {stmt(ast::ExprStmt{call(attribute(name(todo), "extend"), {attribute(name(one), "exceptions")})})},
                   {stmt(ast::ExprStmt{call(attribute(name(leaves), "add"), {builtin_call("id", {name(one)})})})}})};
  emit_raw(std::move(walk));
  ast::Lambda leaf;
  leaf.args->args.push_back({x, {}, {}});
  leaf.args->args.push_back({leaves, {}, name(leaves)});
  leaf.args->args.push_back({one, {}, builtin("id")});
  leaf.body = make(ast::Compare{call(name(one), {name(x)}), {ast::CompareOperator::kIn}, {name(leaves)}});
  const ExprId projected = make(ast::Subscript{call(attribute(part(0), "split"), {make(std::move(leaf))}), number(0)});
  assign(whole, make(ast::IfExp{is_group, projected, none()}));
  emit_raw(ast::If{is_not(name(whole), none(), true),
                   {stmt(ast::ExprStmt{call(attribute(name(raised), "append"), {name(whole)})})},
                   {}});
  const ExprId several =
      make(ast::Compare{builtin_call("len", {name(raised)}), {ast::CompareOperator::kGt}, {number(1)}});
  const ExprId first = make(ast::IfExp{name(raised), make(ast::Subscript{name(raised), number(0)}), none()});
  assign(both, make(ast::IfExp{several, call(builtin("ExceptionGroup"), {text(""), name(raised)}), first}));
  clear({{.uses = {raised, same_kind, whole, todo, leaves, one, x, matched_group()}}});
}

bool Translator::pattern_op(const Instruction& insn) {
  const auto matched = [&](ast::PatternNode pattern) {
    flush();
    ast::Match m;
    m.subject = name(slot(size() - 1));
    const NameId result = slot(size());
    m.cases.push_back(
        {unit_.ast.pattern(std::move(pattern), origin_), {}, {stmt(ast::Assign{{name(result)}, boolean(true)})}});
    m.cases.push_back(
        {unit_.ast.pattern(ast::MatchAs{}, origin_), {}, {stmt(ast::Assign{{name(result)}, boolean(false)})}});
    emit_raw(std::move(m));
    push_var();
    return true;
  };
  switch (insn.op) {
    case Op::GET_LEN:
      flush();
      push(builtin_call("len", {name(slot(size() - 1))}));
      return true;
    case Op::MATCH_MAPPING: return matched(ast::MatchMapping{});
    case Op::MATCH_SEQUENCE: return matched(ast::MatchSequence{{unit_.ast.pattern(ast::MatchStar{}, origin_)}});
    case Op::MATCH_KEYS: match_keys(); return true;
    case Op::MATCH_CLASS: match_class(insn); return true;
    case Op::COPY_DICT_WITHOUT_KEYS: {
      flush();
      const NameId keys = slot(size() - 1), k = temp("k"), rest = temp("rest");
      assign(rest, make(ast::Dict{{ExprId{}}, {name(slot(size() - 2))}}));
      ast::For loop;
      loop.target = name(k);
      loop.iter = name(keys);
      loop.body = {stmt(ast::Delete{{make(ast::Subscript{name(rest), name(k)})}})};
      emit_raw(std::move(loop));
      assign(keys, name(rest));
      return true;
    }
    default: return false;
  }
}

// Appends `got` of each key to `into`, none of them twice: a loop that breaks at the first that is not there (match_keys()
// and match_class() of ceval.c).
ast::StmtId Translator::gather(NameId keys, const Gathered& g, ExprId got, ExprId again, ast::Block missing,
                               ast::Block all) {
  const auto add = [&](NameId to, std::string_view method, NameId what) {
    return stmt(ast::ExprStmt{call(attribute(name(to), method), {name(what)})});
  };
  missing.push_back(stmt(ast::Break{}));
  ast::For loop;
  loop.target = name(g.key);
  loop.iter = name(keys);
  loop.body = {stmt(ast::If{make(ast::Compare{name(g.key), {ast::CompareOperator::kIn}, {name(g.seen)}}),
                            {stmt(ast::Raise{again, {}})},
                            {}}),
               add(g.seen, "add", g.key), stmt(ast::Assign{{name(g.one)}, got}),
               stmt(ast::If{is_not(name(g.one), name(sentinel()), false), std::move(missing), {}}),
               add(g.into, "append", g.one)};
  loop.orelse = std::move(all);
  return stmt(std::move(loop));
}

// [subject, keys] -> the values of all keys, by subject.get(), or None (match_keys() of ceval.c).
void Translator::match_keys() {
  flush();
  const NameId subject = slot(size() - 2), keys = slot(size() - 1), result = slot(size());
  const Gathered g{temp("values"), temp("k"), temp("seen"), temp("one")};
  assign(g.into, make(ast::List{}));
  assign(g.seen, make(ast::Set{{make(ast::Starred{make(ast::Tuple{})})}}));
  const ExprId again =
      call(builtin("ValueError"), {joined({text("mapping pattern checks duplicate key ("), shown(g.key), text(")")})});
  out.push_back(gather(keys, g, call(attribute(name(subject), "get"), {name(g.key), name(sentinel())}), again,
                       {stmt(ast::Assign{{name(result)}, none()})},
                       {stmt(ast::Assign{{name(result)}, make(ast::Tuple{{make(ast::Starred{name(g.into)})}})})}));
  push_var();
  clear({{.uses = {g.into, g.key, g.seen, g.one}}});
  if (unit_.dialect.match_pushes_bool) push(is_not(name(result), none(), true));
}

// [subject, class, names] -> a tuple of attributes, or None; 3.10: the tuple or the subject, and whether it matched.
// Names that only running tells are asked for one by one; those of positional patterns, which they must not repeat, are
// read from the class once more.
void Translator::match_class(const Instruction& insn) {
  const auto names = keyword_names(top());
  if (names) state.stack.pop_back();
  flush();
  std::optional<NameId> asked;
  if (!names) {
    asked = slot(size() - 1);
    state.stack.pop_back();
  }
  const NameId subject = slot(size() - 2), cls = slot(size() - 1);
  ast::MatchClass pattern;
  pattern.cls = name(cls);
  ExprIds got;
  const auto capture = [&](std::size_t i) {
    const NameId id = temp("p" + std::to_string(i));
    got.push_back(name(id));
    return unit_.ast.pattern(ast::MatchAs{{}, id}, origin_);
  };
  for (std::size_t i = 0; i < insn.arg; ++i) pattern.patterns.push_back(capture(i));
  if (names)
    for (const NameId id : *names) {
      pattern.kwd_attrs.push_back(id);
      pattern.kwd_patterns.push_back(capture(got.size()));
    }
  Entry used;
  for (const ExprId e : got) used.uses.push_back(std::get<ast::Name>(unit_.ast.exprs[e].node).id);
  const bool pushes_bool = unit_.dialect.match_pushes_bool;
  const NameId flag = slot(size() - 1), result = slot(size() - 2);
  const auto set = [&](ExprId value) {
    ast::Block b{stmt(ast::Assign{{name(result)}, value})};
    if (pushes_bool) b.push_back(stmt(ast::Assign{{name(flag)}, boolean(true)}));
    return b;
  };
  const auto fails = [&] {
    return ast::Block{pushes_bool ? stmt(ast::Assign{{name(flag)}, boolean(false)})
                                  : stmt(ast::Assign{{name(result)}, none()})};
  };
  ast::Block found;
  if (!asked) {
    found = set(make(ast::Tuple{got}));
  } else {
    const Gathered g{temp("values"), temp("k"), temp("seen"), temp("one")};
    ExprId seen = make(ast::Tuple{});
    if (insn.arg > 0)
      seen = make(ast::Subscript{builtin_call("getattr", {name(cls), text("__match_args__"), make(ast::Tuple{})}),
                                 make(ast::Slice{{}, number(insn.arg), {}})});
    const ExprId owner = make(ast::FormattedValue{attribute(name(cls), "__name__"), 0, {}});
    const ExprId message = joined({owner, text("() got multiple sub-patterns for attribute "), shown(g.key)});
    const ExprId again = call(builtin("TypeError"), {message});
    found = {stmt(ast::Assign{{name(g.into)}, make(ast::List{got})}),
             stmt(ast::Assign{{name(g.seen)}, make(ast::Set{{make(ast::Starred{seen})}})}),
             gather(*asked, g, builtin_call("getattr", {name(subject), name(g.key), name(sentinel())}), again, fails(),
                    set(make(ast::Tuple{{make(ast::Starred{name(g.into)})}})))};
    used.uses.insert(used.uses.end(), {g.into, g.key, g.seen, g.one, *asked});
  }
  ast::Match m;
  m.subject = name(subject);
  m.cases.push_back({unit_.ast.pattern(std::move(pattern), origin_), {}, std::move(found)});
  m.cases.push_back({unit_.ast.pattern(ast::MatchAs{}, origin_), {}, fails()});
  emit_raw(std::move(m));
  state.stack.pop_back();
  state.stack.pop_back();
  push_var();
  if (pushes_bool) push_var();
  if (!pushes_bool) used.uses.push_back(cls);
  clear({used});
}

// Type parameters: made by a def that has them, since bounds and defaults are evaluated only when asked for.
void Translator::type_parameter(ast::TypeParam parameter) {
  shared_.type_params.push_back(parameter);
  ast::FunctionDef def;
  def.name = slot(size());
  def.type_params.push_back(std::move(parameter));
  def.body = {stmt(ast::Pass{})};
  emit(std::move(def));
  assign(slot(size()), make(ast::Subscript{attribute(name(slot(size())), "__type_params__"), number(0)}));
  push_var();
}

// [(name, parameters, evaluator)] -> the alias. What it is called and how it evaluates is settled by a statement alone;
// one with parameters makes them anew, and the evaluator sees these.
bool Translator::type_alias() {
  Entry e = pop();
  const auto* t = std::get_if<ast::Tuple>(&unit_.ast.exprs[e.expr].node);
  if (t == nullptr || t->elts.size() != 3) return false;
  const auto elts = t->elts;
  const auto* c = constant_of(elts[0]);
  const auto* spelt = c != nullptr ? std::get_if<ConstStr>(c) : nullptr;
  if (spelt == nullptr) return false;
  const bool plain_alias = ast::is_none(unit_.ast, unit_.code, elts[1]);
  const NameId maker = temp("t"), evaluator = intern(unit_.options.temp_prefix + "b"), id = unmangle(spelt->text);
  const ExprIds format = unit_.dialect.deferred_annotations ? ExprIds{number(1)} : ExprIds{};
  ast::TypeAlias alias{id, {}, call(name(evaluator), format)};
  if (!plain_alias) alias.type_params = shared_.type_params;
  ast::FunctionDef def;
  def.name = maker;
  def.args.args.push_back({evaluator, {}, {}});
  def.body = {stmt(std::move(alias)), stmt(ast::Return{name(id)})};
  emit(std::move(def));
  push(call(name(maker), {elts[2]}), {e});
  flush();
  if (!plain_alias) {
    ExprIds targets;
    for (const auto& p : shared_.type_params) targets.push_back(name(p.name));
    emit(ast::Assign{{make(ast::Tuple{targets})}, attribute(name(slot(size() - 1)), "__type_params__")});
  }
  clear({{.uses = {maker}}});
  return true;
}

// Everything below the top gets its value now; constants have theirs.
void Translator::settle_below() {
  for (std::size_t i = 0; i + 1 < size(); ++i)
    if (state.stack[i].kind == Kind::kPending && constant_of(state.stack[i].expr) == nullptr) materialise(i);
}

// The function that evaluates a bound or a default must outlive this code.
ExprId Translator::evaluator(Entry& e, std::size_t depth) {
  const NameId kept = intern(unit_.options.temp_prefix + "b" + std::to_string(unit_.temps++));
  const auto& function = unit_.code.codes[CodeId{e.a}];
  const bool named = e.kind == Kind::kFunction;
  if (named) {
    define_as(function_of(e.a), kept, false);
  } else {
    assign(kept, value(e, depth));
  }
  if (!is_function()) temp("b" + std::to_string(unit_.temps - 1));
  const bool takes_format = unit_.dialect.deferred_annotations && (!named || function.argcount > 0);
  return call(name(kept), takes_format ? ExprIds{number(1)} : ExprIds{});
}

// Generic[...] of type parameters.
void Translator::generic_base() {
  Entry e = pop();
  // unpack_typevartuples() of Python/intrinsics.c: iterating a TypeVarTuple gives it unpacked
  const NameId p = intern(unit_.options.temp_prefix + "p");
  const auto typing = [&](std::string_view which) {
    return attribute(builtin_call("__import__", {text("typing")}), which);
  };
  const ExprId is_tuple = builtin_call("isinstance", {name(p), typing("TypeVarTuple")});
  const ExprId unpacked = builtin_call("next", {builtin_call("iter", {name(p)})});
  ast::Comprehension all{
      ast::ComprehensionKind::kList, make(ast::IfExp{is_tuple, unpacked, name(p)}), {}, {{name(p), e.expr, {}, false}}};
  const ExprId parts = make(ast::Tuple{{make(ast::Starred{make(std::move(all))})}});
  push(make(ast::Subscript{typing("Generic"), parts}), {e});
}

bool Translator::intrinsic_op(const Instruction& insn) {
  const auto made = [&](ast::TypeParam::Kind kind, ExprId spelt, ExprId bound) {
    const auto* c = constant_of(spelt);
    const auto* s = c != nullptr ? std::get_if<ConstStr>(c) : nullptr;
    type_parameter({kind, unmangle(s != nullptr ? s->text : "T"), bound, {}});
  };
  if (insn.op == Op::CALL_INTRINSIC_1) {
    switch (static_cast<Intrinsic1>(insn.arg)) {
      case Intrinsic1::INTRINSIC_TYPEVAR: made(ast::TypeParam::Kind::kTypeVar, pop().expr, {}); return true;
      case Intrinsic1::INTRINSIC_PARAMSPEC: made(ast::TypeParam::Kind::kParamSpec, pop().expr, {}); return true;
      case Intrinsic1::INTRINSIC_TYPEVARTUPLE: made(ast::TypeParam::Kind::kTypeVarTuple, pop().expr, {}); return true;
      case Intrinsic1::INTRINSIC_SUBSCRIPT_GENERIC: generic_base(); return true;
      case Intrinsic1::INTRINSIC_TYPEALIAS: return type_alias();
      default: return false;
    }
  }
  if (insn.op != Op::CALL_INTRINSIC_2) return false;
  const auto which = static_cast<Intrinsic2>(insn.arg);
  if (which == Intrinsic2::INTRINSIC_TYPEVAR_WITH_BOUND || which == Intrinsic2::INTRINSIC_TYPEVAR_WITH_CONSTRAINTS) {
    Entry bound = state.stack.back();
    const std::size_t depth = size() - 1;
    settle_below();
    state.stack.pop_back();
    ExprId lazy = evaluator(bound, depth);
    if (which == Intrinsic2::INTRINSIC_TYPEVAR_WITH_CONSTRAINTS) lazy = make(ast::Tuple{{make(ast::Starred{lazy})}});
    made(ast::TypeParam::Kind::kTypeVar, pop().expr, lazy);
    return true;
  }
  if (which == Intrinsic2::INTRINSIC_SET_FUNCTION_TYPE_PARAMS) {
    auto e = pop(2);
    push(e[0].expr, {e[0]});
    flush();
    emit(ast::Assign{{attribute(name(slot(size() - 1)), "__type_params__")}, e[1].expr}, {e[1]});
    return true;
  }
  if (which != Intrinsic2::INTRINSIC_SET_TYPEPARAM_DEFAULT || shared_.type_params.empty()) return false;
  Entry value = state.stack.back();  // the parameter just made, once more and with a default
  const std::size_t depth = size() - 1;
  settle_below();
  state.stack.pop_back();
  const ExprId lazy = evaluator(value, depth);
  if (top().kind != Kind::kVar) return false;
  state.stack.pop_back();
  ast::TypeParam parameter = shared_.type_params.back();
  shared_.type_params.pop_back();
  parameter.default_ = lazy;
  type_parameter(std::move(parameter));
  return true;
}

}  // namespace depyf::fallback::dispatch
