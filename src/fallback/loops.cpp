// SPDX-License-Identifier: MIT
// Writes the statements of the dispatch loop: the bodies of heads, a binary tree of tests of `pc`, a loop for each
// scope; see dispatcher.h. The loop of a scope is `while pc >= first: try: <tree> except BaseException as e<n>: <set pc
// to the handler's state>`, followed in that clause by the loop of the next level. An arm ends by setting `pc`.
#include <algorithm>

#include "fallback/dispatcher.h"

namespace depyf::fallback {

namespace {

constexpr std::size_t kLeafArms = 8;  // up to so many states are tested one after the other

// Returns whether arm `to` is written directly after the edge from `from`, its only predecessor, in the same clause.
bool is_inlined(const Dispatcher& d, std::uint32_t from, std::uint32_t to, std::uint32_t depth) {
  const auto &a = d.arms[from], &b = d.arms[to];
  return b.preds == 1 && to != 0 && !b.by_exception && d.arms[from].entry->level == d.arms[to].entry->level &&
         a.entry->withs == b.entry->withs && a.handling == b.handling && depth <= kMaxInline;
}

// Returns the scope of an arm with this entry state; makes it, and those around it, if needed.
std::uint32_t scope_of(Dispatcher& d, const State& state) {
  std::uint32_t scope = 0;
  for (std::uint32_t level = 1; level <= state.level; ++level) {
    std::uint32_t with = kNoArm;
    for (const With& w : state.withs)
      if (w.level == level) with = w.arm;
    const auto [it, fresh] = d.scope_by_place.try_emplace({scope, with}, static_cast<std::uint32_t>(d.scopes.size()));
    if (fresh) {
      d.scopes[scope].inner.push_back(it->second);
      d.scopes.push_back({scope, level, with, {}, {}, 0});
    }
    scope = it->second;
  }
  return scope;
}

// Returns the head of the `with` statement whose body begins with `arm`; makes it if needed.
std::uint32_t head_of_with(Dispatcher& d, std::uint32_t arm) {
  const auto [it, fresh] = d.head_by_with.try_emplace(arm, static_cast<std::uint32_t>(d.heads.size()));
  if (fresh) {
    const RealWith& with = d.withs.at(arm);
    d.heads.push_back({kNoArm, arm, d.scopes[scope_of(d, *d.arms[arm].entry)].parent, with.handling, {}, 0});
    head_of(d, arm);
    head_of(d, with.swallow_target);
  }
  return it->second;
}

// Makes a literal that number_heads() sets to the number of the head.
ExprId state_number(Dispatcher& d, std::uint32_t head) {
  const auto e = d.number(0);
  d.numbers.emplace_back(e, head);
  return e;
}

// Returns the statements of an edge: assigns entries that are known statically here and variables in the target, and
// clears variables that die on the edge.
Block edge_code(Dispatcher& d, std::uint32_t from, std::size_t edge) {
  Block out;
  const Edge& e = d.arms[from].code.edges[edge];
  const auto& expected = d.arms[d.arms[from].targets[edge]].entry->stack;
  ExprIds cleared;
  for (const auto id : e.clear) cleared.push_back(d.name(id));
  for (std::size_t at = 0; at < std::min(expected.size(), e.state.stack.size()); ++at) {
    const Entry& actual = e.state.stack[at];
    if (expected[at].kind != Kind::kVar || in_variable(actual.kind)) continue;
    const Block stored = store_known(d.machine, actual, at);
    out.insert(out.end(), stored.begin(), stored.end());
  }
  if (!cleared.empty()) out.push_back(d.stmt(ast::Assign{cleared, d.none()}));
  return out;
}

// Saves an exception that is to be raised in another clause, with its context and traceback, which raising it changes.
Block save_exception(Dispatcher& d, NameId exception) {
  const auto attribute = [&](std::string_view which) { return d.attribute(d.name(exception), which); };
  return {d.set(d.var("x"), d.name(exception)), d.set(d.var("c"), attribute("__context__")),
          d.set(d.var("t"), attribute("__traceback__"))};
}

// Returns the statements that continue with the target of an edge through the dispatch. If a group matched by except*
// becomes the handled exception on the edge, it is raised, so that an except clause catches it.
Block exit_code(Dispatcher& d, std::uint32_t from, std::size_t edge) {
  const std::uint32_t to = d.arms[from].targets[edge];
  const auto crossing = d.arms[from].code.edges[edge].crossing;
  if (crossing == Crossing::kEntersWith) return {d.set(d.var("pc"), state_number(d, head_of_with(d, to)))};
  if (crossing == Crossing::kLeavesWith) {
    const With with = d.arms[from].entry->withs.back();
    return {d.set(d.var("w" + std::to_string(with.level)), state_number(d, head_of(d, to))),
            d.set(d.var("pc"), state_number(d, head_of_with(d, with.arm)))};
  }
  const auto enters = d.arms[from].code.edges[edge].enters;
  if (!enters.valid() || d.arms[to].entry->level <= d.arms[from].entry->level) return {set_state(d, to)};
  head_of(d, to);
  Block out = save_exception(d, enters);
  out.push_back(d.set(d.var("pc"), state_number(d, landing_for(d, {to, d.arms[to].entry->level}))));
  return out;
}

// Returns the scopes in preorder: each one is followed by its inner ones.
std::vector<std::uint32_t> order_scopes(Dispatcher& d) {
  std::vector<std::uint32_t> order, todo{0};
  while (!todo.empty()) {
    const std::uint32_t scope = todo.back();
    todo.pop_back();
    order.push_back(scope);
    const auto& inner = d.scopes[scope].inner;
    todo.insert(todo.end(), inner.rbegin(), inner.rend());
  }
  return order;
}

// Makes the tests that select one of the items [first, last) by `pc`: a binary tree, whose leaves are chains of `if`
// and `elif`. `exact`: an item is for one state; else for all states from its number up to the next item's.
Block test_tree(Dispatcher& d, const std::vector<std::pair<std::uint32_t, Block>>& items, std::size_t first,
                std::size_t last, bool exact) {
  const auto test = [&](ast::CompareOperator op, std::uint32_t n) {
    return d.make(ast::Compare{d.var("pc"), {op}, {d.number(n)}});
  };
  if (last - first == 1) return items[first].second;
  if (last - first <= kLeafArms) {
    Block rest = items[last - 1].second;
    for (std::size_t i = last - 1; i-- > first;) {
      const auto e =
          exact ? test(ast::CompareOperator::kEq, items[i].first) : test(ast::CompareOperator::kLt, items[i + 1].first);
      rest = {d.when(e, items[i].second, rest)};
    }
    return rest;
  }
  const std::size_t middle = first + (last - first) / 2;
  const auto low = test_tree(d, items, first, middle, exact), high = test_tree(d, items, middle, last, exact);
  return {d.when(test(ast::CompareOperator::kLt, items[middle].first), low, high)};
}

// Returns the variables that may be live when an exception is raised in a state; none for a landing.
const std::vector<NameId>& live_in(const Dispatcher& d, const Head& head) {
  static const std::vector<NameId> nothing;
  if (head.with != kNoArm) return d.withs.at(head.with).live;
  return head.arm != kNoArm ? d.arms[head.arm].live : nothing;
}

// Returns the statements that handle an exception raised in a state of `level`; it is in the variable of clause level +
// 1. They set `pc` to the handler's state, or to a landing if the handler is in the clause of a lower level.
Block exception_leaf(Dispatcher& d, std::uint32_t level, const Head& head) {
  const Handling h = head.handling;
  if (h.arm == kNoArm) return {d.raise()};
  Block out;
  const bool is_landing = head.arm == kNoArm && head.with == kNoArm;
  if (is_landing) {
    out.push_back(d.set(d.attribute(d.name(d.exception(h.level)), "__context__"), d.var("c")));
    if (!d.unit.dialect.handler_pushes_six)
      out.push_back(d.set(d.attribute(d.name(d.exception(h.level)), "__traceback__"), d.var("t")));
    out.push_back(d.stmt(ast::Assign{{d.var("x"), d.var("c"), d.var("t")}, d.none()}));
  }
  if (h.level == level + 1) {
    out.push_back(d.set(d.var("pc"), d.number(d.heads[d.head_by_arm.at(h.arm)].number)));
  } else {
    const auto landing = landing_for(d, h);
    const Block saved = save_exception(d, d.exception(level + 1));
    out.insert(out.end(), saved.begin(), saved.end());
    out.push_back(d.set(d.var("pc"), d.number(d.heads[landing].number)));
  }
  const Block cleared = clear_dead(d, live_in(d, head), d.arms[h.arm].live);
  out.insert(out.end(), cleared.begin(), cleared.end());
  return out;
}

// Returns the begin of a scope's except clause, which selects the handler by the state that raised the exception.
Block exception_map(Dispatcher& d, const Scope& scope) {
  std::vector<std::pair<std::uint32_t, Block>> items;
  const auto alike = [&](const Head& a, const Head& b) {
    if (!(a.handling == b.handling)) return false;
    const auto is_landing = [](const Head& h) { return h.arm == kNoArm && h.with == kNoArm; };
    if (is_landing(a) != is_landing(b)) return false;
    return a.handling.arm == kNoArm || live_in(d, a) == live_in(d, b);
  };
  const Head* previous = nullptr;
  const auto add = [&](std::uint32_t from, const Head& head) {
    if (previous == nullptr || !alike(*previous, head)) items.emplace_back(from, exception_leaf(d, scope.level, head));
    previous = &head;
  };
  for (const auto h : scope.heads) add(d.heads[h].number, d.heads[h]);
  for (const auto inner : scope.inner)  // exceptions that leave a `with` statement were raised in one of its states
    if (d.scopes[inner].with != kNoArm) add(d.scopes[inner].first, d.heads[d.head_by_with.at(d.scopes[inner].with)]);
  return test_tree(d, items, 0, items.size(), false);
}

// Returns the loop over the states of one scope; `loops` has the loops of its inner scopes.
Block scope_loop(Dispatcher& d, const Scope& scope, const std::vector<Block>& dispatch_loops) {
  Block handled_here;
  std::map<std::uint32_t, std::uint32_t> bodies;  // by the first arm of a `with` body: its scope
  for (const auto inner : scope.inner) {
    if (d.scopes[inner].with == kNoArm)
      handled_here = dispatch_loops[inner];
    else
      bodies[d.scopes[inner].with] = inner;
  }
  if (scope.heads.empty()) return handled_here;
  std::vector<std::pair<std::uint32_t, Block>> items;
  bool handled = false;
  for (const auto h : scope.heads) {
    const auto with = d.heads[h].with;
    items.emplace_back(d.heads[h].number,
                       with == kNoArm ? d.heads[h].body : with_statement(d, h, dispatch_loops[bodies.at(with)]));
    handled = handled || d.heads[h].handling.arm != kNoArm;
  }
  Block body = test_tree(d, items, 0, items.size(), true);
  if (handled) {
    ast::Try attempt;
    attempt.body = std::move(body);
    ast::ExceptHandler clause;
    clause.type = d.builtin("BaseException");
    clause.name = d.exception(scope.level + 1);
    clause.body = exception_map(d, scope);
    clause.body.insert(clause.body.end(), handled_here.begin(), handled_here.end());
    attempt.handlers.push_back(std::move(clause));
    body = {d.stmt(std::move(attempt))};
  }
  ast::While loop;
  const bool forever = scope.level == 0 && d.is_function();
  loop.test =
      forever ? d.number(1) : d.make(ast::Compare{d.var("pc"), {ast::CompareOperator::kGtE}, {d.number(scope.first)}});
  loop.body = std::move(body);
  return {d.stmt(std::move(loop))};
}

}  // namespace

// Returns the head of an arm; makes it, and puts it on the worklist, if needed.
std::uint32_t head_of(Dispatcher& d, std::uint32_t arm) {
  const auto [it, fresh] = d.head_by_arm.try_emplace(arm, static_cast<std::uint32_t>(d.heads.size()));
  if (fresh) {
    d.heads.push_back({arm, kNoArm, scope_of(d, *d.arms[arm].entry), d.arms[arm].handling, {}, 0});
    d.work.push_back(it->second);
  }
  return it->second;
}

// Returns the landing for a handler: a state of the scope around the handler's clause that raises the saved exception.
std::uint32_t landing_for(Dispatcher& d, const Handling& handling) {
  for (std::uint32_t h = 0; h < d.heads.size(); ++h)
    if (d.heads[h].arm == kNoArm && d.heads[h].with == kNoArm && d.heads[h].handling == handling) return h;
  Block body{d.raise(d.var("x"))};
  const auto scope = d.scopes[scope_of(d, *d.arms[handling.arm].entry)].parent;
  d.heads.push_back({kNoArm, kNoArm, scope, handling, std::move(body), 0});
  return static_cast<std::uint32_t>(d.heads.size() - 1);
}

StmtId set_state(Dispatcher& d, std::uint32_t arm) { return d.set(d.var("pc"), state_number(d, head_of(d, arm))); }

// Returns the statements of an arm and of those inlined after it; `depth`: how deep it is inlined itself.
Block arm_code(Dispatcher& d, std::uint32_t arm, std::uint32_t depth) {
  Block out;
  for (;;) {
    const auto& info = d.arms[arm];
    const auto& block = d.cfg.blocks[info.arm.block];
    const auto length = std::min(info.arm.last, block.code.size());
    d.origin = {d.code, length == 0 ? 0 : block.code[length - 1].offset};
    out.insert(out.end(), info.code.statements.begin(), info.code.statements.end());
    if (info.code.ends_code)
      out.push_back(d.set(d.var("pc"), d.make(ast::UnaryOp{ast::UnaryOperator::kUSub, d.number(1)})));
    if (info.targets.empty()) return out;
    const auto edges = info.targets.size();
    const Block first = edge_code(d, arm, 0);
    if (edges == 1) {
      out.insert(out.end(), first.begin(), first.end());
      if (!is_inlined(d, arm, info.targets[0], 0)) {
        const Block leave = exit_code(d, arm, 0);
        out.insert(out.end(), leave.begin(), leave.end());
        return out;
      }
      arm = info.targets[0];
      continue;
    }
    const Block second = edge_code(d, arm, 1);
    const auto yes = info.targets[0], no = info.targets[1];
    const auto origin = d.origin;
    const bool in_yes = is_inlined(d, arm, yes, depth + 1), in_no = is_inlined(d, arm, no, depth + 1);
    const auto& ends = d.arms[arm].code.edges;
    const bool enters = ends[0].enters.valid() || ends[1].enters.valid();
    if (!in_yes && !in_no && !enters && first.empty() && second.empty()) {
      const auto a = state_number(d, head_of(d, yes)), b = state_number(d, head_of(d, no));
      out.push_back(d.set(d.var("pc"), d.select(info.code.condition, a, b)));
      return out;
    }
    const auto side = [&](const Block& moves, std::size_t edge, bool in) {
      Block body = moves;
      const Block rest = in ? arm_code(d, d.arms[arm].targets[edge], depth + 1) : exit_code(d, arm, edge);
      body.insert(body.end(), rest.begin(), rest.end());
      d.origin = origin;
      return body;
    };
    ast::If branch;
    branch.test = d.arms[arm].code.condition;
    branch.body = side(first, 0, in_yes);
    branch.orelse = side(second, 1, in_no);
    out.push_back(d.stmt(std::move(branch)));
    return out;
  }
}

// Numbers the heads scope by scope, inner scopes after outer ones, and fills in the literals of state_number().
void number_heads(Dispatcher& d) {
  for (std::uint32_t h = 0; h < d.heads.size(); ++h) d.scopes[d.heads[h].scope].heads.push_back(h);
  const auto place = [&](std::uint32_t h) { return std::min(d.heads[h].arm, d.heads[h].with); };
  std::uint32_t n = 0;
  for (const std::uint32_t s : order_scopes(d)) {
    Scope& scope = d.scopes[s];
    scope.first = n;
    std::stable_sort(scope.heads.begin(), scope.heads.end(), [&](auto a, auto b) { return place(a) < place(b); });
    for (const std::uint32_t h : scope.heads) d.heads[h].number = n++;
  }
  for (const auto& [e, head] : d.numbers) d.unit.ast.exprs[e].node = ast::IntLiteral{d.heads[head].number};
}

Block clear_dead(Dispatcher& d, const std::vector<NameId>& live, const std::vector<NameId>& still_live) {
  ExprIds cleared;
  for (const auto id : live)
    if (std::find(still_live.begin(), still_live.end(), id) == still_live.end()) cleared.push_back(d.name(id));
  if (cleared.empty()) return {};
  return {d.stmt(ast::Assign{cleared, d.none()})};
}

Block dispatch_loops(Dispatcher& d) {
  std::vector<Block> made(d.scopes.size());
  const auto order = order_scopes(d);
  for (auto s = order.rbegin(); s != order.rend(); ++s) made[*s] = scope_loop(d, d.scopes[*s], made);
  return made[0];
}

}  // namespace depyf::fallback
