// SPDX-License-Identifier: MIT
// Patterns of a match statement, each test by a statement of its own.
#include <algorithm>

#include "fallback/families.h"

namespace depyf::fallback {

namespace {

struct Gathered {  // variables of ours: the list of values, the key at hand, the keys before it, its value
  NameId into, key, seen, one;
};

ExprId shown(Machine& m, NameId id) { return m.make(ast::FormattedValue{m.name(id), 'r', {}}); }

ExprId joined(Machine& m, ExprIds values) { return m.make(ast::JoinedStr{std::move(values)}); }

// Appends `got` of each key to `into`, none of them twice: a loop that breaks at the first that is not there (match_keys()
// and match_class() of ceval.c).
ast::StmtId gather(Machine& m, NameId keys, const Gathered& g, ExprId got, ExprId again, Block missing, Block all) {
  const auto add = [&](NameId to, std::string_view method, NameId what) {
    return m.stmt(ast::ExprStmt{m.call(m.attribute(m.name(to), method), {m.name(what)})});
  };
  missing.push_back(m.stmt(ast::Break{}));
  ast::For loop;
  loop.target = m.name(g.key);
  loop.iter = m.name(keys);
  loop.body = {m.stmt(ast::If{m.make(ast::Compare{m.name(g.key), {ast::CompareOperator::kIn}, {m.name(g.seen)}}),
                              {m.stmt(ast::Raise{again, {}})},
                              {}}),
               add(g.seen, "add", g.key), m.stmt(ast::Assign{{m.name(g.one)}, got}),
               m.stmt(ast::If{m.is_not(m.name(g.one), m.var("end"), false), std::move(missing), {}}),
               add(g.into, "append", g.one)};
  loop.orelse = std::move(all);
  return m.stmt(std::move(loop));
}

// [subject, keys] -> the values of all keys, by subject.get(), or None (match_keys() of ceval.c).
void match_keys(Machine& m) {
  m.flush();
  const NameId subject = m.slot(m.size() - 2), keys = m.slot(m.size() - 1), result = m.slot(m.size());
  const Gathered g{m.temp("values"), m.temp("k"), m.temp("seen"), m.temp("one")};
  m.assign(g.into, m.make(ast::List{}));
  m.assign(g.seen, m.make(ast::Set{{m.make(ast::Starred{m.make(ast::Tuple{})})}}));
  const ExprId again =
      m.call(m.builtin("ValueError"),
             {joined(m, {m.text("mapping pattern checks duplicate key ("), shown(m, g.key), m.text(")")})});
  m.out.push_back(
      gather(m, keys, g, m.call(m.attribute(m.name(subject), "get"), {m.name(g.key), m.var("end")}), again,
             {m.stmt(ast::Assign{{m.name(result)}, m.none()})},
             {m.stmt(ast::Assign{{m.name(result)}, m.make(ast::Tuple{{m.make(ast::Starred{m.name(g.into)})}})})}));
  m.push_var();
  m.clear({{.uses = {g.into, g.key, g.seen, g.one}}});
  if (m.unit.dialect.match_pushes_bool) m.push(m.is_not(m.name(result), m.none(), true));
}

// Nothing where the names are no constant. They are not mangled.
std::optional<std::vector<NameId>> keyword_names(Machine& m, const Entry& entry) {
  const auto* t = entry.kind == Kind::kPending ? m.constant_of<ConstTuple>(entry.expr) : nullptr;
  if (t == nullptr) return std::nullopt;
  std::vector<NameId> names;
  for (ConstId id : t->items) {
    const auto* s = std::get_if<ConstStr>(&m.unit.code.consts[id]);
    if (s == nullptr) return std::nullopt;
    names.push_back(m.unit.ast.intern(s->text));
  }
  return names;
}

// [subject, class, names] -> a tuple of attributes, or None; 3.10: the tuple or the subject, and whether it matched.
// Names that only running tells are asked for one by one; those of positional patterns, which they must not repeat, are
// read from the class once more.
void match_class(Machine& m, const Instruction& insn) {
  const auto names = keyword_names(m, m.top());
  if (names) m.state.stack.pop_back();
  m.flush();
  std::optional<NameId> asked;
  if (!names) {
    asked = m.slot(m.size() - 1);
    m.state.stack.pop_back();
  }
  const NameId subject = m.slot(m.size() - 2), cls = m.slot(m.size() - 1);
  ast::MatchClass pattern;
  pattern.cls = m.name(cls);
  ExprIds got;
  const auto capture = [&](std::size_t i) {
    const NameId id = m.temp("p" + std::to_string(i));
    got.push_back(m.name(id));
    return m.unit.ast.pattern(ast::MatchAs{{}, id}, m.origin);
  };
  for (std::size_t i = 0; i < insn.arg; ++i) pattern.patterns.push_back(capture(i));
  if (names)
    for (const NameId id : *names) {
      pattern.kwd_attrs.push_back(id);
      pattern.kwd_patterns.push_back(capture(got.size()));
    }
  Entry used;
  for (const ExprId e : got) used.uses.push_back(std::get<ast::Name>(m.unit.ast.exprs[e].node).id);
  const bool pushes_bool = m.unit.dialect.match_pushes_bool;
  const NameId flag = m.slot(m.size() - 1), result = m.slot(m.size() - 2);
  const auto set = [&](ExprId value) {
    Block b{m.stmt(ast::Assign{{m.name(result)}, value})};
    if (pushes_bool) b.push_back(m.stmt(ast::Assign{{m.name(flag)}, m.boolean(true)}));
    return b;
  };
  const auto fails = [&] {
    return Block{pushes_bool ? m.stmt(ast::Assign{{m.name(flag)}, m.boolean(false)})
                             : m.stmt(ast::Assign{{m.name(result)}, m.none()})};
  };
  Block found;
  if (!asked) {
    found = set(m.make(ast::Tuple{got}));
  } else {
    const Gathered g{m.temp("values"), m.temp("k"), m.temp("seen"), m.temp("one")};
    ExprId seen = m.make(ast::Tuple{});
    if (insn.arg > 0)
      seen = m.make(
          ast::Subscript{m.builtin_call("getattr", {m.name(cls), m.text("__match_args__"), m.make(ast::Tuple{})}),
                         m.make(ast::Slice{{}, m.number(insn.arg), {}})});
    const ExprId owner = m.make(ast::FormattedValue{m.attribute(m.name(cls), "__name__"), 0, {}});
    const ExprId message = joined(m, {owner, m.text("() got multiple sub-patterns for attribute "), shown(m, g.key)});
    const ExprId again = m.call(m.builtin("TypeError"), {message});
    found = {m.stmt(ast::Assign{{m.name(g.into)}, m.make(ast::List{got})}),
             m.stmt(ast::Assign{{m.name(g.seen)}, m.make(ast::Set{{m.make(ast::Starred{seen})}})}),
             gather(m, *asked, g, m.builtin_call("getattr", {m.name(subject), m.name(g.key), m.var("end")}), again,
                    fails(), set(m.make(ast::Tuple{{m.make(ast::Starred{m.name(g.into)})}})))};
    used.uses.insert(used.uses.end(), {g.into, g.key, g.seen, g.one, *asked});
  }
  ast::Match match;
  match.subject = m.name(subject);
  match.cases.push_back({m.unit.ast.pattern(std::move(pattern), m.origin), {}, std::move(found)});
  match.cases.push_back({m.unit.ast.pattern(ast::MatchAs{}, m.origin), {}, fails()});
  m.emit_raw(std::move(match));
  m.state.stack.pop_back();
  m.state.stack.pop_back();
  m.push_var();
  if (pushes_bool) m.push_var();
  if (!pushes_bool) used.uses.push_back(cls);
  m.clear({used});
}

// Whether the subject on top fits a pattern, as a value above it.
bool matched(Machine& m, ast::PatternNode pattern) {
  m.flush();
  const ExprId fits = m.name(m.slot(m.size()));
  ast::Match match;
  match.subject = m.name(m.slot(m.size() - 1));
  match.cases.push_back({m.unit.ast.pattern(std::move(pattern), m.origin), {}, {m.set(fits, m.boolean(true))}});
  match.cases.push_back({m.unit.ast.pattern(ast::MatchAs{}, m.origin), {}, {m.set(fits, m.boolean(false))}});
  m.emit_raw(std::move(match));
  m.push_var();
  return true;
}

}  // namespace

bool pattern_op(Machine& m, const Instruction& insn) {
  switch (insn.op) {
    case Op::GET_LEN:
      m.flush();
      m.push(m.builtin_call("len", {m.name(m.slot(m.size() - 1))}));
      return true;
    case Op::MATCH_MAPPING: return matched(m, ast::MatchMapping{});
    case Op::MATCH_SEQUENCE: return matched(m, ast::MatchSequence{{m.unit.ast.pattern(ast::MatchStar{}, m.origin)}});
    case Op::MATCH_KEYS: match_keys(m); return true;
    case Op::MATCH_CLASS: match_class(m, insn); return true;
    case Op::COPY_DICT_WITHOUT_KEYS: {
      m.flush();
      const NameId keys = m.slot(m.size() - 1), k = m.temp("k"), rest = m.temp("rest");
      m.assign(rest, m.make(ast::Dict{{ExprId{}}, {m.name(m.slot(m.size() - 2))}}));
      ast::For loop;
      loop.target = m.name(k);
      loop.iter = m.name(keys);
      loop.body = {m.stmt(ast::Delete{{m.make(ast::Subscript{m.name(rest), m.name(k)})}})};
      m.emit_raw(std::move(loop));
      m.assign(keys, m.name(rest));
      return true;
    }
    default: return false;
  }
}

}  // namespace depyf::fallback
