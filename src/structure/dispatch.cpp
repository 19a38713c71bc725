// SPDX-License-Identifier: MIT
// The dispatch loop: arms, levels of handled exceptions, and the tree of tests over the state; see dispatch.h.
//
// Arms of level n (n exceptions are being handled) run inside the n-th of nested except clauses, each with a loop of its
// own; states are numbered level by level, so that a loop ends when the state belongs to a lower level. An exception that
// a handler of an outer clause takes is carried out in a variable and raised again there.
#include "structure/dispatch.h"

#include <algorithm>
#include <map>
#include <optional>

#include "structure/dispatch_translate.h"

namespace depyf::structure {

namespace {

using namespace dispatch;

constexpr std::uint32_t kNoArm = 0xFFFFFFFF;
constexpr std::uint32_t kMaxInline = 4;  // arms written inside the branch that leads to them
constexpr std::size_t kLeafArms = 8;     // tested one after the other

class Dispatcher {
 public:
  Dispatcher(lift::Unit& unit, CodeId code, const Cfg& cfg)
      : unit_(unit), code_(code), co_(unit.code.codes[code]), cfg_(cfg) {}
  Result<ast::Block> run();

 private:
  struct Handling {  // where an exception raised in an arm goes
    std::uint32_t arm = kNoArm;
    std::uint32_t level = 0;  // of the except clause that takes it
    friend bool operator==(const Handling&, const Handling&) = default;
  };
  struct ArmInfo {
    Arm arm;
    std::optional<State> entry;
    Translated code;
    std::vector<std::uint32_t> targets;  // of code.edges
    Handling handling;
    std::uint32_t preds = 0;
    bool by_exception = false;
    std::vector<NameId> held;  // variables that are live on entry
  };
  struct Head {                  // a state of its own
    std::uint32_t arm = kNoArm;  // kNoArm: raises what was carried out of an inner clause, for `handling`
    std::uint32_t level = 0;
    Handling handling;
    ast::Block body;
    std::uint32_t number = 0;
  };

  // nodes
  ast::StmtId stmt(ast::StmtNode n) { return unit_.ast.stmt(std::move(n), origin_); }
  ast::ExprId expr(ast::ExprNode n) { return unit_.ast.expr(std::move(n), origin_); }
  ast::NameId temp(std::string_view s) {
    const auto id = unit_.ast.intern(unit_.options.temp_prefix + std::string(s));
    if (std::find(shared_.temps.begin(), shared_.temps.end(), id) == shared_.temps.end()) shared_.temps.push_back(id);
    return id;
  }
  ast::ExprId var(std::string_view s) { return expr(ast::Name{temp(s)}); }
  ast::ExprId exception(std::uint32_t level) {
    return expr(ast::Name{unit_.ast.intern(unit_.options.temp_prefix + "e" + std::to_string(level))});
  }
  ast::ExprId none() { return expr(ast::NoneLiteral{}); }
  ast::StmtId set(ast::ExprId target, ast::ExprId value) { return stmt(ast::Assign{{target}, value}); }
  ast::ExprId attribute(ast::ExprId e, std::string_view a) { return expr(ast::Attribute{e, unit_.ast.intern(a)}); }

  void split();
  [[nodiscard]] bool is_bypass(const BasicBlock& b) const;
  void flow_into(std::uint32_t arm, State state);
  Status propagate(Translator& translator, std::uint32_t arm);
  void exception_edge(std::uint32_t arm);
  void count();
  [[nodiscard]] std::uint32_t level(std::uint32_t arm) const { return arms_[arm].entry->level; }
  [[nodiscard]] bool inlines(std::uint32_t from, std::uint32_t to, std::uint32_t depth) const;
  std::uint32_t head_of(std::uint32_t arm);
  std::uint32_t landing_for(const Handling& handling);
  ast::ExprId state_number(std::uint32_t head);
  ast::Block edge_code(Translator& t, std::uint32_t from, std::size_t edge);
  ast::Block arm_code(Translator& t, std::uint32_t arm, std::uint32_t depth);
  ast::Block leave_to(std::uint32_t from, std::size_t edge);
  ast::StmtId go_to(std::uint32_t arm) { return set(var("pc"), state_number(head_of(arm))); }
  void number_heads();
  ast::Block tree(const std::vector<std::pair<std::uint32_t, ast::Block>>& items, std::size_t first, std::size_t last,
                  bool exact);
  ast::Block exception_map(std::uint32_t level, const std::vector<std::uint32_t>& heads);
  ast::Block exception_leaf(std::uint32_t level, const Head& head);
  ast::Block level_loop(Translator& t, std::uint32_t level);
  void bind_names(ast::Block& head);
  void surround(ast::Block& block);

  lift::Unit& unit_;
  CodeId code_;
  const CodeObject& co_;
  const Cfg& cfg_;
  Shared shared_;
  ast::Origin origin_;
  std::vector<ArmInfo> arms_;
  std::vector<std::uint32_t> first_arm_;  // by block
  std::vector<std::uint32_t> work_;
  std::vector<Head> heads_;
  std::map<std::uint32_t, std::uint32_t> head_by_arm_;
  std::vector<std::pair<ast::ExprId, std::uint32_t>> numbers_;  // literals to fill in: heads
  std::vector<std::uint32_t> level_start_;
};

void Dispatcher::split() {
  for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
    const auto& block = cfg_.blocks[BlockId{b}];
    first_arm_.push_back(static_cast<std::uint32_t>(arms_.size()));
    std::size_t first = 0;
    for (std::size_t i = 0; i < block.code.size(); ++i) {
      const Op op = block.code[i].op;
      if ((op != Op::POP_EXCEPT && op != Op::END_ASYNC_FOR) || i + 1 == block.code.size()) continue;
      ArmInfo info;
      info.arm = {BlockId{b}, first, i + 1, static_cast<std::uint32_t>(arms_.size() + 1)};
      arms_.push_back(std::move(info));
      first = i + 1;
    }
    ArmInfo info;
    info.arm = {BlockId{b}, first, block.code.size(), kNoArm};
    arms_.push_back(std::move(info));
  }
}

// What the compiler puts around handlers (3.11+): COPY 3, POP_EXCEPT, RERAISE 1. The exception just goes on outwards.
bool Dispatcher::is_bypass(const BasicBlock& b) const {
  return b.code.size() == 3 && b.code[0].op == Op::COPY && b.code[0].arg == 3 && b.code[1].op == Op::POP_EXCEPT &&
         b.code[2].op == Op::RERAISE;
}

// Joins `state` into an arm's entry.
void Dispatcher::flow_into(std::uint32_t arm, State state) {
  for (auto& e : state.stack)
    if ((e.kind == Kind::kExc || e.kind == Kind::kExcType || e.kind == Kind::kExcTrace) && e.a > state.level)
      e = Entry{}, e.kind = Kind::kVar;
  auto& entry = arms_[arm].entry;
  bool changed = !entry;
  if (!entry) {
    entry = std::move(state);
  } else {
    for (std::size_t i = 0; i < std::min(entry->stack.size(), state.stack.size()); ++i)
      if (!same(entry->stack[i], state.stack[i]) && entry->stack[i].kind != Kind::kVar) {
        entry->stack[i] = Entry{};
        entry->stack[i].kind = Kind::kVar;
        changed = true;
      }
    if (state.level < entry->level) {
      entry->level = state.level;
      changed = true;
    }
  }
  if (changed) work_.push_back(arm);
}

void Dispatcher::exception_edge(std::uint32_t arm) {
  ArmInfo& info = arms_[arm];
  Handler handler = cfg_.blocks[info.arm.block].handler;
  std::size_t depth = handler.depth;
  for (std::size_t steps = 0; handler.block && is_bypass(cfg_.blocks[handler.block]) && steps < cfg_.blocks.size();
       ++steps) {
    handler = cfg_.blocks[handler.block].handler;
    depth = std::min<std::size_t>(depth, handler.depth);
  }
  info.handling = {};
  if (!handler.block) return;
  State state;
  const auto& from = info.entry->stack;
  for (std::size_t i = 0; i < std::min(depth, from.size()); ++i) {
    state.stack.push_back(from[i]);
    if (from[i].kind == Kind::kPrevious) state.level = from[i].a;
  }
  ++state.level;
  const auto put = [&](Kind kind) {
    Entry e;
    e.kind = kind;
    e.a = state.level;
    state.stack.push_back(std::move(e));
  };
  if (unit_.dialect.handler_pushes_six) {
    for (int i = 0; i < 3; ++i) put(Kind::kPrevious);
    put(Kind::kExcTrace);
    put(Kind::kExc);
    put(Kind::kExcType);
  } else {
    if (handler.lasti) put(Kind::kNull);
    put(Kind::kExc);
  }
  if (handler.lasti && !unit_.dialect.handler_pushes_six) state.stack[state.stack.size() - 2].a = 0;
  const auto target = first_arm_[handler.block.n];
  info.handling = {target, state.level};
  arms_[target].by_exception = true;
  flow_into(target, std::move(state));
}

Status Dispatcher::propagate(Translator& translator, std::uint32_t arm) {
  exception_edge(arm);
  const Arm where = arms_[arm].arm;
  DEPYF_TRY(code, translator.run(where, *arms_[arm].entry));
  const auto& block = cfg_.blocks[where.block];
  std::vector<std::uint32_t> targets;
  for (const auto& edge : code.edges) {
    std::uint32_t target = where.next;
    if (target == kNoArm) {
      const BlockId to = edge.jump ? block.jump : block.fall;
      if (!to) return Error{Errc::kMalformed, kNowhere, "control falls off the end"};
      target = first_arm_[to.n];
    }
    targets.push_back(target);
    flow_into(target, edge.state);
  }
  arms_[arm].code = std::move(code);
  arms_[arm].targets = std::move(targets);
  return depyf::Unit{};
}

void Dispatcher::count() {
  for (auto& info : arms_) {
    if (!info.entry) continue;
    for (const auto t : info.targets) ++arms_[t].preds;
    for (std::size_t d = 0; d < info.entry->stack.size(); ++d)
      if (info.entry->stack[d].kind == Kind::kVar) info.held.push_back(temp("s" + std::to_string(d)));
  }
}

bool Dispatcher::inlines(std::uint32_t from, std::uint32_t to, std::uint32_t depth) const {
  const auto &a = arms_[from], &b = arms_[to];
  return b.preds == 1 && to != 0 && !b.by_exception && level(from) == level(to) && a.handling == b.handling &&
         depth <= kMaxInline;
}

std::uint32_t Dispatcher::head_of(std::uint32_t arm) {
  const auto [it, fresh] = head_by_arm_.try_emplace(arm, static_cast<std::uint32_t>(heads_.size()));
  if (fresh) {
    heads_.push_back({arm, level(arm), arms_[arm].handling, {}, 0});
    work_.push_back(it->second);
  }
  return it->second;
}

std::uint32_t Dispatcher::landing_for(const Handling& handling) {
  for (std::uint32_t h = 0; h < heads_.size(); ++h)
    if (heads_[h].arm == kNoArm && heads_[h].handling == handling) return h;
  ast::Block body{stmt(ast::Raise{var("x"), {}})};
  heads_.push_back({kNoArm, handling.level - 1, handling, std::move(body), 0});
  return static_cast<std::uint32_t>(heads_.size() - 1);
}

ast::ExprId Dispatcher::state_number(std::uint32_t head) {
  const auto e = expr(ast::IntLiteral{0});
  numbers_.emplace_back(e, head);
  return e;
}

// What the target wants in a variable and this side knows; what this side is done with.
ast::Block Dispatcher::edge_code(Translator& t, std::uint32_t from, std::size_t edge) {
  ast::Block out;
  const Edge& e = arms_[from].code.edges[edge];
  const auto& wanted = arms_[arms_[from].targets[edge]].entry->stack;
  std::vector<ast::ExprId> cleared;
  for (const auto id : e.clear) cleared.push_back(expr(ast::Name{id}));
  for (std::size_t d = 0; d < std::min(wanted.size(), e.state.stack.size()); ++d) {
    const Entry& have = e.state.stack[d];
    if (wanted[d].kind == Kind::kVar && have.kind != Kind::kVar && have.kind != Kind::kCleared)
      out.push_back(set(var("s" + std::to_string(d)), t.known_value(have, d)));
  }
  if (!cleared.empty()) out.push_back(stmt(ast::Assign{cleared, none()}));
  return out;
}

// Going on in another state; where an exception becomes the one that is handled, by raising it.
ast::Block Dispatcher::leave_to(std::uint32_t from, std::size_t edge) {
  const std::uint32_t to = arms_[from].targets[edge];
  const auto enters = arms_[from].code.edges[edge].enters;
  if (!enters.valid() || level(to) <= level(from)) return {go_to(to)};
  head_of(to);
  const auto which = [&] { return expr(ast::Name{enters}); };
  return {set(var("x"), which()), set(var("c"), attribute(which(), "__context__")),
          set(var("t"), attribute(which(), "__traceback__")),
          set(var("pc"), state_number(landing_for({to, level(to)})))};
}

ast::Block Dispatcher::arm_code(Translator& t, std::uint32_t arm, std::uint32_t depth) {
  ast::Block out;
  for (;;) {
    const auto& info = arms_[arm];
    const auto& block = cfg_.blocks[info.arm.block];
    origin_ = {code_, block.code.empty() ? 0 : block.code[std::min(info.arm.last, block.code.size()) - 1].offset};
    out.insert(out.end(), info.code.statements.begin(), info.code.statements.end());
    if (info.code.leaves)
      out.push_back(set(var("pc"), expr(ast::UnaryOp{ast::UnaryOperator::kUSub, expr(ast::IntLiteral{1})})));
    if (info.targets.empty()) return out;
    const auto edges = info.targets.size();
    const ast::Block first = edge_code(t, arm, 0);
    if (edges == 1) {
      out.insert(out.end(), first.begin(), first.end());
      if (!inlines(arm, info.targets[0], 0)) {
        out.push_back(go_to(info.targets[0]));
        return out;
      }
      arm = info.targets[0];
      continue;
    }
    const ast::Block second = edge_code(t, arm, 1);
    const auto yes = info.targets[0], no = info.targets[1];
    const auto origin = origin_;
    const bool in_yes = inlines(arm, yes, depth + 1), in_no = inlines(arm, no, depth + 1);
    const auto& ends = arms_[arm].code.edges;
    const bool enters = ends[0].enters.valid() || ends[1].enters.valid();
    if (!in_yes && !in_no && !enters && first.empty() && second.empty()) {
      const auto a = state_number(head_of(yes)), b = state_number(head_of(no));
      out.push_back(set(var("pc"), expr(ast::IfExp{info.code.condition, a, b})));
      return out;
    }
    const auto side = [&](const ast::Block& moves, std::size_t edge, bool in) {
      ast::Block body = moves;
      const ast::Block rest = in ? arm_code(t, arms_[arm].targets[edge], depth + 1) : leave_to(arm, edge);
      body.insert(body.end(), rest.begin(), rest.end());
      origin_ = origin;
      return body;
    };
    ast::If branch;
    branch.test = arms_[arm].code.condition;
    branch.body = side(first, 0, in_yes);
    branch.orelse = side(second, 1, in_no);
    out.push_back(stmt(std::move(branch)));
    return out;
  }
}

void Dispatcher::number_heads() {
  std::vector<std::uint32_t> order(heads_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    if (heads_[a].level != heads_[b].level) return heads_[a].level < heads_[b].level;
    return heads_[a].arm < heads_[b].arm;
  });
  for (std::uint32_t n = 0; n < order.size(); ++n) {
    heads_[order[n]].number = n;
    while (level_start_.size() <= heads_[order[n]].level) level_start_.push_back(n);
  }
  level_start_.push_back(static_cast<std::uint32_t>(order.size()));
  for (const auto& [e, head] : numbers_) unit_.ast.exprs[e].node = ast::IntLiteral{heads_[head].number};
}

// Tests of the state: halves, then a chain. `exact`: each item is one state; else all from its state on.
ast::Block Dispatcher::tree(const std::vector<std::pair<std::uint32_t, ast::Block>>& items, std::size_t first,
                            std::size_t last, bool exact) {
  const auto test = [&](ast::CompareOperator op, std::uint32_t n) {
    return expr(ast::Compare{var("pc"), {op}, {expr(ast::IntLiteral{n})}});
  };
  if (last - first == 1) return items[first].second;
  if (last - first <= kLeafArms) {
    ast::Block rest = items[last - 1].second;
    for (std::size_t i = last - 1; i-- > first;) {
      const auto e =
          exact ? test(ast::CompareOperator::kEq, items[i].first) : test(ast::CompareOperator::kLt, items[i + 1].first);
      rest = {stmt(ast::If{e, items[i].second, rest})};
    }
    return rest;
  }
  const std::size_t middle = first + (last - first) / 2;
  const auto low = tree(items, first, middle, exact), high = tree(items, middle, last, exact);
  return {stmt(ast::If{test(ast::CompareOperator::kLt, items[middle].first), low, high})};
}

// An exception raised in a state of `level`, as the variable of clause level + 1.
ast::Block Dispatcher::exception_leaf(std::uint32_t level, const Head& head) {
  const Handling h = head.handling;
  if (h.arm == kNoArm) return {stmt(ast::Raise{})};
  ast::Block out;
  const bool landed = head.arm == kNoArm;
  if (landed) {
    out.push_back(set(attribute(exception(h.level), "__context__"), var("c")));
    if (!unit_.dialect.handler_pushes_six) out.push_back(set(attribute(exception(h.level), "__traceback__"), var("t")));
    out.push_back(stmt(ast::Assign{{var("x"), var("c"), var("t")}, none()}));
  }
  if (h.level == level + 1) {
    out.push_back(set(var("pc"), expr(ast::IntLiteral{heads_[head_by_arm_.at(h.arm)].number})));
  } else {
    const auto landing = landing_for(h);
    out.push_back(set(var("x"), exception(level + 1)));
    out.push_back(set(var("c"), attribute(exception(level + 1), "__context__")));
    out.push_back(set(var("t"), attribute(exception(level + 1), "__traceback__")));
    out.push_back(set(var("pc"), expr(ast::IntLiteral{heads_[landing].number})));
  }
  const auto& wanted = arms_[h.arm].held;
  std::vector<ast::ExprId> cleared;
  if (!landed)
    for (const auto id : arms_[head.arm].held)
      if (std::find(wanted.begin(), wanted.end(), id) == wanted.end()) cleared.push_back(expr(ast::Name{id}));
  if (!cleared.empty()) out.push_back(stmt(ast::Assign{cleared, none()}));
  return out;
}

ast::Block Dispatcher::exception_map(std::uint32_t level, const std::vector<std::uint32_t>& heads) {
  std::vector<std::pair<std::uint32_t, ast::Block>> items;
  const auto alike = [&](const Head& a, const Head& b) {
    if (!(a.handling == b.handling) || (a.arm == kNoArm) != (b.arm == kNoArm)) return false;
    return a.arm == kNoArm || a.handling.arm == kNoArm || arms_[a.arm].held == arms_[b.arm].held;
  };
  const Head* previous = nullptr;
  for (const auto h : heads) {
    if (previous == nullptr || !alike(*previous, heads_[h]))
      items.emplace_back(heads_[h].number, exception_leaf(level, heads_[h]));
    previous = &heads_[h];
  }
  return tree(items, 0, items.size(), false);
}

// The loop over the states of one level, from the innermost level outwards.
ast::Block Dispatcher::level_loop(Translator& t, std::uint32_t top) {
  ast::Block inner;
  for (std::uint32_t n = top + 1; n-- > 0;) {
    std::vector<std::uint32_t> mine;
    for (std::uint32_t h = 0; h < heads_.size(); ++h)
      if (heads_[h].level == n) mine.push_back(h);
    std::sort(mine.begin(), mine.end(), [&](auto a, auto b) { return heads_[a].number < heads_[b].number; });
    if (mine.empty()) continue;
    std::vector<std::pair<std::uint32_t, ast::Block>> items;
    bool handled = false;
    for (const auto h : mine) {
      items.emplace_back(heads_[h].number, heads_[h].body);
      handled = handled || heads_[h].handling.arm != kNoArm;
    }
    ast::Block body = tree(items, 0, items.size(), true);
    if (handled) {
      ast::Try attempt;
      attempt.body = std::move(body);
      ast::ExceptHandler clause;
      clause.type = t.base_exception();
      clause.name = unit_.ast.intern(unit_.options.temp_prefix + "e" + std::to_string(n + 1));
      clause.body = exception_map(n, mine);
      clause.body.insert(clause.body.end(), inner.begin(), inner.end());
      attempt.handlers.push_back(std::move(clause));
      body = {stmt(std::move(attempt))};
    }
    ast::While loop;
    const bool forever = n == 0 && (co_.flags & kCoOptimized) != 0;
    loop.test =
        forever ? t.truth()
                : expr(ast::Compare{var("pc"), {ast::CompareOperator::kGtE}, {expr(ast::IntLiteral{level_start_[n]})}});
    loop.body = std::move(body);
    inner = {stmt(std::move(loop))};
  }
  return inner;
}

// What makes a name local, or the function a generator, may stand in code that is never reached.
void Dispatcher::bind_names(ast::Block& head) {
  std::vector<std::string> bound;
  bool yields = false;
  const auto add = [&](const std::vector<std::string>& names, std::uint32_t i) {
    if (i < names.size()) bound.push_back(names[i]);
  };
  for (const auto& info : arms_) {
    if (!info.entry) continue;
    const auto& code = cfg_.blocks[info.arm.block].code;
    for (std::size_t i = info.arm.first; i < info.arm.last; ++i) {
      const bool plus = unit_.dialect.exception_table;
      const Op op = code[i].op;
      yields = yields || op == Op::YIELD_VALUE || op == Op::YIELD_FROM;
      if (op == Op::STORE_FAST || op == Op::DELETE_FAST) add(plus ? co_.localsplus : co_.varnames, code[i].arg);
      if (op == Op::STORE_DEREF || op == Op::DELETE_DEREF) add(plus ? co_.localsplus : co_.cellvars, code[i].arg);
    }
  }
  const std::size_t parameters = co_.argcount + co_.kwonlyargcount + ((co_.flags & kCoVarArgs) != 0 ? 1U : 0U) +
                                 ((co_.flags & kCoVarKeywords) != 0 ? 1U : 0U);
  ast::Block body;
  const auto bind = [&](const std::string& name) {
    const auto first = co_.varnames.begin();
    const auto last = first + static_cast<std::ptrdiff_t>(std::min(parameters, co_.varnames.size()));
    if (name.starts_with('.') || std::find(first, last, name) != last ||
        std::find(bound.begin(), bound.end(), name) != bound.end())
      return;
    bound.push_back(name);
    body.push_back(set(expr(ast::Name{unit_.ast.intern(name)}), none()));
  };
  const auto& free = co_.freevars;  // Dynamo leaves a name among the variables that it has made a free one
  for (const auto& name : co_.varnames)
    if (std::find(free.begin(), free.end(), name) == free.end()) bind(name);
  for (const auto& name : co_.cellvars) bind(name);
  if (!yields && (co_.flags & (kCoGenerator | kCoAsyncGenerator)) != 0)
    body.push_back(stmt(ast::ExprStmt{expr(ast::Yield{})}));
  if (!body.empty()) head.push_back(stmt(ast::If{expr(ast::IntLiteral{0}), body, {}}));
}

// Before all: what the arms rely on. After all, where names are seen from outside: no variable of ours stays.
void Dispatcher::surround(ast::Block& block) {
  origin_ = {code_, 0};
  const auto used = [&](std::string_view s) {
    const auto id = unit_.ast.intern(unit_.options.temp_prefix + std::string(s));
    return std::find(shared_.temps.begin(), shared_.temps.end(), id) != shared_.temps.end();
  };
  ast::Block head;
  if ((co_.flags & kCoOptimized) != 0) bind_names(head);
  if (used("builtins")) head.push_back(stmt(ast::Import{{{"builtins", temp("builtins")}}, false}));
  if (used("end")) head.push_back(set(var("end"), expr(ast::List{})));
  if (shared_.wants_annotations && !shared_.annotates) {
    const auto zero = expr(ast::IntLiteral{0});
    head.push_back(stmt(ast::If{zero, {stmt(ast::AnnAssign{var("a"), zero, {}, true})}, {}}));
  }
  std::size_t at = 0;
  const auto from_future = [&](ast::StmtId s) {
    const auto* from = std::get_if<ast::ImportFrom>(&unit_.ast.stmts[s].node);
    return from != nullptr && from->module == "__future__";
  };
  if (!co_.parent) std::stable_partition(block.begin(), block.end(), from_future);  // nothing may stand before them
  for (; at < block.size(); ++at) {
    const auto& node = unit_.ast.stmts[block[at]].node;
    if (from_future(block[at])) continue;
    const auto* a = std::get_if<ast::Assign>(&node);
    const auto* n =
        a != nullptr && a->targets.size() == 1 ? std::get_if<ast::Name>(&unit_.ast.exprs[a->targets[0]].node) : nullptr;
    const auto name = n != nullptr ? unit_.ast.text(n->id) : std::string_view{};
    if (name != "__doc__" && name != "__module__" && name != "__qualname__" && name != "__firstlineno__" &&
        name != "__type_params__")
      break;
  }
  if ((co_.flags & kCoOptimized) != 0) at = 0;
  block.insert(block.begin() + static_cast<std::ptrdiff_t>(at), head.begin(), head.end());
  if ((co_.flags & kCoOptimized) != 0 || shared_.temps.empty()) return;
  std::vector<ast::ExprId> targets, gone;
  for (const auto id : shared_.temps) {
    targets.push_back(expr(ast::Name{id}));
    gone.push_back(expr(ast::Name{id}));
  }
  block.push_back(stmt(ast::Assign{targets, none()}));
  block.push_back(stmt(ast::Delete{gone}));
}

Result<ast::Block> Dispatcher::run() {
  origin_ = {code_, 0};
  Translator translator(unit_, code_, cfg_, shared_);
  split();
  flow_into(0, State{});
  std::uint64_t steps = 0;
  while (!work_.empty()) {
    if (++steps > unit_.options.limits.max_steps) return Error{Errc::kLimitExceeded, kNowhere, "too many steps"};
    const auto arm = work_.back();
    work_.pop_back();
    DEPYF_CHECK(propagate(translator, arm));
  }
  count();
  ast::Block block;
  const auto& entry = arms_[0];
  const bool straight = entry.preds == 0 && !entry.by_exception && entry.handling.arm == kNoArm;
  if (straight)
    block = arm_code(translator, 0, kMaxInline);
  else
    block.push_back(go_to(0));
  for (const auto& info : arms_)
    if (info.entry && info.handling.arm != kNoArm) head_of(info.handling.arm);
  while (!work_.empty()) {
    const auto head = work_.back();
    work_.pop_back();
    auto body = arm_code(translator, heads_[head].arm, 0);
    heads_[head].body = std::move(body);
  }
  if (!heads_.empty()) {
    std::uint32_t top = 0;
    for (std::size_t h = 0, n = heads_.size(); h < n; ++h) {
      const Head head = heads_[h];
      if (head.handling.arm != kNoArm && head.handling.level != head.level + 1) landing_for(head.handling);
    }
    for (const auto& h : heads_) top = std::max(top, h.level);
    number_heads();
    const auto loop = level_loop(translator, top);
    block.insert(block.end(), loop.begin(), loop.end());
  } else if (!block.empty() && (co_.flags & kCoOptimized) == 0) {
    // `pc` is of no use without a loop; a block that ends with a raise does not set it
    const auto* last = std::get_if<ast::Assign>(&unit_.ast.stmts[block.back()].node);
    const auto* name = last != nullptr ? std::get_if<ast::Name>(&unit_.ast.exprs[last->targets[0]].node) : nullptr;
    if (name != nullptr && name->id == temp("pc")) block.pop_back();
    std::erase(shared_.temps, temp("pc"));
  }
  surround(block);
  return block;
}

}  // namespace

Result<ast::Block> dispatch_loop(lift::Unit& unit, CodeId code, const Cfg& cfg) {
  return Dispatcher(unit, code, cfg).run();
}

}  // namespace depyf::structure
