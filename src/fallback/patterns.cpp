// SPDX-License-Identifier: MIT
// Translates the instructions of match statements, each by statements of its own: tests by small `match` statements,
// the keys of mappings and the attributes of classes as match_keys() and match_class() in Python/ceval.c read them.
#include <algorithm>

#include "fallback/families.h"
#include "support/unicode.h"

namespace depyf::fallback {

namespace {

// Makes a loop that looks up each of several keys and appends its value to a list. It raises an error for a repeated
// key, and stops at the first key that is missing (match_keys() and match_class() in Python/ceval.c).
struct Gathering {
  Machine& m;
  // The list of values, the current key, the set of keys before it, and its value.
  ExprId list = m.var("values"), key = m.var("k"), seen = m.var("seen"), item = m.var("one");

  StmtId begin(ExprId values) { return m.set(list, values); }
  StmtId begin_seen(ExprId keys) { return m.set(seen, m.make(ast::Set{{m.starred(keys)}})); }
  ExprId all() { return m.make(ast::Tuple{{m.starred(list)}}); }
  ExprId error(std::string_view type, ExprIds message) {
    return m.call(m.builtin(type), {m.make(ast::JoinedStr{std::move(message)})});
  }
  ExprId shown() { return m.make(ast::FormattedValue{key, 'r', {}}); }

  StmtId loop(ExprId keys, ExprId got, ExprId dup, Block on_missing, Block on_match) {
    on_missing.push_back(m.stmt(ast::Break{}));
    const ExprId is_repeated = m.make(ast::Compare{key, {ast::CompareOperator::kIn}, {seen}});
    ast::For loop;
    loop.target = key;
    loop.iter = keys;
    loop.body = {m.when(is_repeated, {m.raise(dup)}), m.evaluate(m.invoke(seen, "add", {key})), m.set(item, got),
                 m.when(m.is(item, m.var("end")), std::move(on_missing)), m.evaluate(m.invoke(list, "append", {item}))};
    loop.orelse = std::move(on_match);
    return m.stmt(std::move(loop));
  }
};

// MATCH_KEYS: [subject, keys] -> [..., the tuple of values by subject.get(), or None if a key is missing].
void match_keys(Machine& m) {
  m.flush();
  const ExprId subject = m.slot_var(2), keys = m.slot_var(1), result = m.slot_var(0);
  Gathering g{m};
  m.add(g.begin(m.make(ast::List{})));
  m.add(g.begin_seen(m.make(ast::Tuple{})));
  const ExprId dup = g.error("ValueError", {m.text("mapping pattern checks duplicate key ("), g.shown(), m.text(")")});
  m.add(g.loop(keys, m.invoke(subject, "get", {g.key, m.var("end")}), dup, {m.set(result, m.none())},
               {m.set(result, g.all())}));
  m.push_var();
  m.clear_variables({g.list, g.key, g.seen, g.item});
  if (m.unit.dialect.match_pushes_bool) m.push(m.is_not(result, m.none()));
}

// Returns the attribute names of MATCH_CLASS; nullopt if they are no constant or no identifiers. They are not mangled.
std::optional<std::vector<NameId>> keyword_names(Machine& m, const Entry& entry) {
  const auto* t = entry.kind == Kind::kPending ? m.constant_of<ConstTuple>(entry.expr) : nullptr;
  if (t == nullptr) return std::nullopt;
  std::vector<NameId> names;
  for (ConstId id : t->items) {
    const auto* s = std::get_if<ConstStr>(&m.unit.code.consts[id]);
    if (s == nullptr || !is_plain_identifier(s->text)) return std::nullopt;
    names.push_back(m.intern(s->text));
  }
  return names;
}

void emit_match(Machine& m, ExprId subject, ast::PatternNode pattern, Block fits, Block fails) {
  ast::Match match;
  match.subject = subject;
  match.cases.push_back({m.unit.ast.pattern(std::move(pattern), m.origin), {}, std::move(fits)});
  match.cases.push_back({m.unit.ast.pattern(ast::MatchAs{}, m.origin), {}, std::move(fails)});
  m.emit_raw(std::move(match));
}

// MATCH_CLASS: [subject, class, names] -> a tuple of attributes, or None; in 3.10 [the tuple or the subject, whether it
// matched]. If the names are no constants, the attributes are read in a loop. They must not repeat those of the
// positional patterns, which are read from __match_args__.
void match_class(Machine& m, const Instruction& insn) {
  const auto names = keyword_names(m, m.top());
  if (names) m.state.stack.pop_back();
  m.flush();
  const ExprId attrs = names ? ExprId{} : m.slot_var();
  if (!names) m.state.stack.pop_back();
  const ExprId subject = m.slot_var(2), cls = m.slot_var(1);
  ast::MatchClass pattern;
  pattern.cls = cls;
  ExprIds got;
  const auto capture = [&] {
    const NameId id = m.temp("p" + std::to_string(got.size()));
    got.push_back(m.name(id));
    return m.unit.ast.pattern(ast::MatchAs{{}, id}, m.origin);
  };
  for (std::size_t i = 0; i < insn.arg; ++i) pattern.patterns.push_back(capture());
  if (names)
    for (const NameId id : *names) {
      pattern.kwd_attrs.push_back(id);
      pattern.kwd_patterns.push_back(capture());
    }
  ExprIds used = got;
  const bool pushes_bool = m.unit.dialect.match_pushes_bool;
  const auto finds = [&](ExprId value) {
    Block b{m.set(subject, value)};
    if (pushes_bool) b.push_back(m.set(cls, m.boolean(true)));
    return b;
  };
  const auto fails = [&] { return Block{pushes_bool ? m.set(cls, m.boolean(false)) : m.set(subject, m.none())}; };
  Block on_match;
  if (names) {
    on_match = finds(m.make(ast::Tuple{got}));
  } else {
    Gathering g{m};
    ExprId seen = m.make(ast::Tuple{});
    if (insn.arg > 0)
      seen = m.subscript(m.builtin_call("getattr", {cls, m.text("__match_args__"), seen}),
                         m.make(ast::Slice{{}, m.number(insn.arg), {}}));
    const ExprId owner = m.make(ast::FormattedValue{m.attribute(cls, "__name__"), 0, {}});
    const ExprId dup = g.error("TypeError", {owner, m.text("() got multiple sub-patterns for attribute "), g.shown()});
    on_match = {g.begin(m.make(ast::List{got})), g.begin_seen(seen),
                g.loop(attrs, m.builtin_call("getattr", {subject, g.key, m.var("end")}), dup, fails(), finds(g.all()))};
    for (const ExprId e : {g.list, g.key, g.seen, g.item, attrs}) used.push_back(e);
  }
  emit_match(m, subject, std::move(pattern), std::move(on_match), fails());
  m.state.stack.resize(m.size() - 2);
  m.push_var();
  if (pushes_bool)
    m.push_var();
  else
    used.push_back(cls);
  m.clear_variables(used);
}

// Pushes whether the value on top of the stack matches a pattern.
bool test(Machine& m, ast::PatternNode pattern) {
  m.flush();
  const ExprId fits = m.slot_var(0);
  emit_match(m, m.slot_var(), std::move(pattern), {m.set(fits, m.boolean(true))}, {m.set(fits, m.boolean(false))});
  m.push_var();
  return true;
}

}  // namespace

bool pattern_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::GET_LEN:
      m.flush();
      m.push(m.builtin_call("len", {m.slot_var()}));
      return true;
    case Op::MATCH_MAPPING: return test(m, ast::MatchMapping{});
    case Op::MATCH_SEQUENCE: return test(m, ast::MatchSequence{{m.unit.ast.pattern(ast::MatchStar{}, m.origin)}});
    case Op::MATCH_KEYS: match_keys(m); return true;
    case Op::MATCH_CLASS: match_class(m, insn); return true;
    case Op::COPY_DICT_WITHOUT_KEYS: {
      m.flush();
      const ExprId keys = m.slot_var(), k = m.var("k"), rest = m.var("rest");
      m.add(m.set(rest, m.make(ast::Dict{{ExprId{}}, {m.slot_var(2)}})));
      ast::For loop;
      loop.target = k;
      loop.iter = keys;
      loop.body = {m.stmt(ast::Delete{{m.subscript(rest, k)}})};
      m.emit_raw(std::move(loop));
      m.add(m.set(keys, rest));
      return true;
    }
    default: return false;
  }
}

}  // namespace depyf::fallback
