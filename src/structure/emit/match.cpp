// SPDX-License-Identifier: MIT
// Emits match statements: the cases that collapse_patterns() found, with their guards and bodies.
//
// Shape: subject; case node: on success [guard; fails to the next case] body; on failure the next case node, with the
// subject on the stack. After the last case that needs the subject: `case _`, or the follow of the statement.
#include <algorithm>

#include "structure/emit/emitter.h"

namespace depyf::structure {

namespace {

struct Case {
  ast::PatternId pattern;
  ExprId guard{};
  std::uint32_t node = kNone, body = kNone;  // no body: the compiler has left nothing of it
  bool before_default = false;               // `case _ if guard`, and a last `case _` comes after it
};

bool is_wildcard(const ast::Tree& tree, ast::PatternId id) {
  const auto* any = std::get_if<ast::MatchAs>(&tree.patterns[id].node);
  return any != nullptr && !any->pattern.valid() && !any->name.valid();
}

// Returns whether node n begins on the line of a pattern: then it is a guard, or a short body on the same line.
bool begins_on_line_of(Emitter& e, ast::PatternId pattern, std::uint32_t n) {
  const auto& first = e.node(n).pieces[0];
  if (first.kind != Piece::Kind::kCode || first.first == first.last) return false;
  auto& positions = e.code.unit.positions;
  const auto* position = positions.at(e.code.graph.code[first.block][first.first].offset);
  const std::int32_t line = position != nullptr ? position->line : -1;
  const auto* pattern_position = positions.at(e.tree().patterns[pattern].origin.offset);
  return line >= 0 && pattern_position != nullptr && pattern_position->line == line;
}

// Returns whether the node is a case with the subject of a statement on the stack.
bool is_next_case(const Node& n) {
  return n.state.end == EndKind::kCase && n.state.stmts.empty() && !n.entry.empty() &&
         n.entry.back().kind == ValueKind::kSubject;
}

bool has_subject(const lift::State& state) {
  return !state.stack.empty() && state.stack.back().kind == ValueKind::kSubject;
}

// Returns whether the node only tests a value.
bool is_test(const Node& n) {
  const auto& s = n.state;
  return s.end == EndKind::kBranch && s.cond.valid() && s.stmts.empty() && !s.keep_true && !s.keep_false &&
         n.preds == 1;
}

// Makes the test with which the body of case c begins its guard. Sets where its failure leads.
void set_guard(Emitter& e, Case& c, bool fails_if_true, std::uint32_t& failed) {
  const Node& g = e.node(c.body);
  failed = fails_if_true ? g.t : g.f;
  c.guard = condition(e.code, c.body, !fails_if_true);
  c.body = fails_if_true ? g.f : g.t;
}

// Reads the guard of a case after which another one needs the subject. Returns false if the case cannot be written.
bool read_guard_before_case(Emitter& e, Case& c, std::uint32_t& failed) {
  const Node& g = e.node(c.body);
  if ((failed == kNone || failed == c.body) && is_next_case(g)) {  // of `if 0` the compiler leaves nothing
    failed = c.body;
    c.body = kNone;
    c.guard = e.tree().expr(ast::IntLiteral{0}, {});
    return true;
  }
  if (!has_subject(g.state) || g.state.end == EndKind::kCase) return failed != kNone || e.fail();
  if (!is_test(g) || g.t == g.f) return e.fail();
  const bool fails_if_true = failed != kNone ? g.t == failed : !is_next_case(e.node(g.f));
  const auto to = fails_if_true ? g.t : g.f;
  if (failed != kNone ? to != failed : !is_next_case(e.node(to))) return e.fail();
  if (fails_if_true && !may_negate(e.code, c.body)) return e.fail();
  set_guard(e, c, fails_if_true, failed);
  return true;
}

// Reads the guard of the last case that needs the subject, which its tests have removed. A test that may be a statement
// of the body is left there.
void read_last_guard(Emitter& e, Case& c, bool is_first, std::uint32_t& failed) {
  const Node& g = e.node(c.body);
  const bool has_arms = is_test(g) && g.t != g.f;  // otherwise the body does nothing
  // A last `case _` without a guard does not use the subject, so the case before it has no copy of it.
  if (!is_first && has_arms && is_wildcard(e.tree(), c.pattern) && e.node(g.t).order <= e.node(g.f).order) {
    c.before_default = true;
    set_guard(e, c, false, failed);
    return;
  }
  bool fails_if_true = g.t == failed;
  const bool may_be_guard = is_test(g) && (failed == kNone || (!has_arms && fails_if_true));
  if (may_be_guard && begins_on_line_of(e, c.pattern, c.body)) {
    const bool back = e.node(g.t).order <= g.order;  // a jump back may have been inverted
    fails_if_true = back != (e.node(g.f).order <= g.order) ? back : !g.falls_true;
  } else if (g.inverted == JumpInversion::kYes || !has_arms || failed == kNone || (!fails_if_true && g.f != failed)) {
    // An `if` that ends the body first leads to the jump after it, which the inverted jump shows; a guard jumps out at
    // once.
    return;
  }
  if (!fails_if_true || may_negate(e.code, c.body)) set_guard(e, c, fails_if_true, failed);
}

// Reads the guard of case c: a test between pattern and body that fails to where the pattern fails. Sets its body and
// `failed`. Returns false if the case cannot be written.
bool read_guard(Emitter& e, Case& c, bool is_first, std::uint32_t& failed) {
  const Node& test = e.node(c.node);
  failed = test.f;
  c.body = test.t;
  if (has_subject(test.state)) return read_guard_before_case(e, c, failed);
  read_last_guard(e, c, is_first, failed);
  return true;
}

// Returns whether the pattern compiles to one test.
bool tests_once(const ast::Tree& tree, ast::PatternId pattern) {
  return ast::is<ast::MatchValue, ast::MatchSingleton>(tree.patterns[pattern].node);
}

// Reads all cases from node n on. `rest`: where the failure of the last case leads.
bool read_cases(Emitter& e, std::uint32_t n, std::vector<Case>& cases, std::uint32_t& rest) {
  for (std::uint32_t at = n;;) {
    const Node& node = e.node(at);
    if (cases.size() > e.code.graph.nodes.size() ||
        (at != n && (e.written(at).visits > 0 || !(node.handler == e.node(n).handler))))
      return e.fail();
    Case c;
    c.node = at;
    c.pattern = node.state.pattern;
    std::uint32_t failed = kNone;
    if (!read_guard(e, c, at == n, failed)) return false;
    cases.push_back(c);
    if (at != n) ++e.written(at).visits;
    if (!has_subject(node.state)) {
      rest = failed;
      return true;
    }
    const Node& next = e.node(failed);
    if (next.state.end != EndKind::kCase || !next.state.stmts.empty()) return e.fail();
    // Only the case before may lead to it.
    if (next.preds != (node.f != kNone ? 1U : 0U) + (c.guard.valid() ? 1U : 0U)) return e.fail();
    at = failed;
  }
}

}  // namespace

bool emit_match(Emitter& e, std::uint32_t& n, const Context& ctx, ast::Block& out) {
  const auto& state = e.node(n).state;
  if (state.stack.has(ValueKind::kExpr)) return e.fail();
  if (!e.emit_stmts(n, ctx, out)) return e.fail();
  std::vector<Case> cases;
  std::uint32_t rest = kNone;
  if (!read_cases(e, n, cases, rest)) return e.fail();
  // The follow of the statement is the first node that two of its exits share.
  std::vector<std::vector<std::uint32_t>> exits;
  for (const auto& c : cases)
    if (c.body != kNone) exits.push_back({c.body});
  if (rest != kNone) exits.push_back({rest});
  const auto follow = common_follow(e.r, exits, ctx);
  ast::Match stmt;
  stmt.subject = state.cond;
  const Context inner = ctx.inside(follow != kNone ? follow : ctx.follow);
  bool some_case_continues = false;
  const auto emit_case = [&](ast::PatternId pattern, ExprId guard, std::uint32_t from) {
    ast::MatchCase c{pattern, guard, {}};
    if (from == kNone)
      c.body = {e.make(ast::Pass{}, n)};
    else if (!e.emit_block(from, inner, from, c.body))
      return false;
    some_case_continues |= e.falls_through(c.body);
    stmt.cases.push_back(std::move(c));
    return true;
  };
  for (const auto& c : cases)
    if (!emit_case(c.pattern, c.guard, c.body)) return e.fail();
  std::uint32_t next = follow;
  if (rest != kNone && rest != inner.follow) {
    if (follow == kNone && !some_case_continues && !cases.back().before_default) {
      next = rest;
    } else if (!emit_case(e.tree().pattern(ast::MatchAs{}), ExprId{}, rest)) {
      return e.fail();
    }
  }
  // The failure of a last case jumps back by itself, unless an empty `case _` is in between.
  const auto& last = cases.back();
  if (rest != kNone && rest == inner.follow && tests_once(e.tree(), last.pattern) &&
      has_own_continue(e.code.unit.dialect, e.node(last.node), e.node(rest)) &&
      !emit_case(e.tree().pattern(ast::MatchAs{}), ExprId{}, kNone))
    return e.fail();
  out.push_back(e.make(std::move(stmt), n));
  n = next;
  return true;
}

}  // namespace depyf::structure
