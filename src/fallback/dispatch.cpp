// SPDX-License-Identifier: MIT
// Builds the dispatch loop: splits blocks into arms, and propagates the stack along edges to a fixpoint.
//
// An arm of level n, i.e. with n exceptions being handled, runs inside the n-th of nested except clauses, each of which
// has a loop of its own. States are numbered level by level, so that a loop ends when the state belongs to a lower
// level. If a handler of an outer clause catches an exception, it is saved to a variable, and raised again in that
// clause. The lattice of a stack entry: a statically known kind, or, where kinds differ, the slot's variable (kVar).
#include "fallback/dispatch.h"

#include <algorithm>

#include "fallback/dispatcher.h"

namespace depyf::fallback {

namespace {

// Returns for each block whether control enters it otherwise than by an exception.
std::vector<bool> entered_without_exception(const Cfg& cfg) {
  std::vector<bool> reached(cfg.blocks.size(), false);
  reached[0] = true;
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
    for (const BlockId to : {cfg.blocks[BlockId{b}].jump, cfg.blocks[BlockId{b}].fall})
      if (to) reached[to.n] = true;
  return reached;
}

// Makes the arm in which exceptions enter each handler. A handler that other code continues in too (no compiler makes
// one) runs outside an except clause. It is entered through an empty arm in the clause, which stores the exception.
void make_handler_entries(Dispatcher& d) {
  const std::vector<bool> is_shared = entered_without_exception(d.cfg);
  d.handler_arm = d.first_arm;
  for (std::uint32_t b = 0; b < d.cfg.blocks.size(); ++b) {
    const BlockId handler = d.cfg.blocks[BlockId{b}].handler.block;
    if (!handler || !is_shared[handler.n] || d.handler_arm[handler.n] != d.first_arm[handler.n]) continue;
    d.handler_arm[handler.n] = static_cast<std::uint32_t>(d.arms.size());
    ArmInfo entry;
    entry.arm = {handler, 0, 0, d.first_arm[handler.n]};
    d.arms.push_back(std::move(entry));
  }
}

// Splits basic blocks into arms; see Arm.
void split(Dispatcher& d) {
  std::map<std::uint32_t, std::vector<std::size_t>> begins;  // by block: where handlers of `with` statements continue
  if (d.shared.real_withs)
    for (std::uint32_t b = 0; b < d.cfg.blocks.size(); ++b) {
      const Handler handler = effective_handler(d, BlockId{b});
      const auto key = std::pair{handler.block.n, handler.depth};
      if (!handler.block || d.real_handlers.contains(key)) continue;
      const auto with_handler = real_handler(d, handler);
      if (!with_handler) continue;
      d.real_handlers.emplace(key, *with_handler);
      begins[with_handler->block.n].push_back(with_handler->next);
    }
  for (std::uint32_t b = 0; b < d.cfg.blocks.size(); ++b) {
    const auto& block = d.cfg.blocks[BlockId{b}];
    const auto& ends_here = begins[b];
    d.first_arm.push_back(static_cast<std::uint32_t>(d.arms.size()));
    std::size_t first = 0;
    for (std::size_t i = 0; i < block.code.size(); ++i) {
      const Op op = block.code[i].op;
      const bool ends = op == Op::POP_EXCEPT || op == Op::END_ASYNC_FOR ||
                        std::find(ends_here.begin(), ends_here.end(), i + 1) != ends_here.end();
      if (!ends || i + 1 == block.code.size()) continue;
      ArmInfo info;
      info.arm = {BlockId{b}, first, i + 1, static_cast<std::uint32_t>(d.arms.size() + 1)};
      d.arms.push_back(std::move(info));
      first = i + 1;
    }
    ArmInfo info;
    info.arm = {BlockId{b}, first, block.code.size(), kNoArm};
    d.arms.push_back(std::move(info));
  }
  make_handler_entries(d);
}

// Propagates the state of an arm along its exception edge, and sets its `handling`.
void exception_edge(Dispatcher& d, std::uint32_t arm) {
  ArmInfo& info = d.arms[arm];
  const Handler handler = effective_handler(d, info.arm.block);
  info.handling = {};
  info.bypasses_exit = false;
  if (!info.entry->withs.empty() && !is_handled_within(d, arm, handler)) return;
  if (!handler.block) return;
  State state;
  const auto& from = info.entry->stack;
  for (std::size_t i = 0; i < std::min<std::size_t>(handler.depth, from.size()); ++i) {
    state.stack.push_back(from[i]);
    if (from[i].kind == Kind::kPrevious) state.level = from[i].a;
    for (const With& w : info.entry->withs)
      if (from[i].kind == Kind::kRealExit && w.depth == i) state.level = std::max(state.level, w.level);
  }
  for (const Group& g : info.entry->groups)
    if (g.depth <= handler.depth) {
      state.level = std::max(state.level, g.level);
      state.groups.push_back(g);
    }
  const auto target = d.handler_arm[handler.block.n];
  if (auto& known = d.arms[target].entry) {  // a handler has one level, the least of those of its exceptions
    if (known->level <= state.level)
      state.leave_to(known->level - 1);
    else if (known->level > state.level + 1)
      known.reset();
  }
  for (const With& w : info.entry->withs)
    if (w.level <= state.level) state.withs.push_back(w);
  ++state.level;
  const auto push_exc = [&](Kind kind) { state.stack.push_back({.kind = kind, .a = state.level}); };
  if (d.unit.dialect.handler_pushes_six) {
    for (int i = 0; i < 3; ++i) push_exc(Kind::kPrevious);
    push_exc(Kind::kExcTrace);
    push_exc(Kind::kExc);
    push_exc(Kind::kExcType);
  } else {
    if (handler.lasti) push_exc(Kind::kNull);
    push_exc(Kind::kExc);
  }
  if (handler.lasti && !d.unit.dialect.handler_pushes_six) state.stack[state.stack.size() - 2].a = 0;
  info.handling = {target, state.level};
  d.arms[target].by_exception = true;
  flow_into(d, target, std::move(state));
}

// Translates an arm from its entry state, and propagates the results along all its edges.
Status propagate(Dispatcher& d, std::uint32_t arm) {
  exception_edge(d, arm);
  DEPYF_TRY(code, d.machine.run(d.cfg.blocks[d.arms[arm].arm.block], d.arms[arm].arm, *d.arms[arm].entry));
  d.refused = d.refused || d.machine.refused || (d.arms[arm].bypasses_exit && !cannot_raise(d, code.statements));
  if (d.refused) return depyf::Unit{};
  if (code.end < d.arms[arm].arm.last) split_at(d, arm, code.end);
  const Arm where = d.arms[arm].arm;
  const auto& block = d.cfg.blocks[where.block];
  std::vector<std::uint32_t> targets;
  for (auto& edge : code.edges) {
    std::uint32_t target = where.next;
    if (target == kNoArm) {
      const BlockId to = edge.jump ? block.jump : block.fall;
      if (!to) return Error{Errc::kMalformed, kNowhere, "control falls off the end"};
      target = d.first_arm[to.n];
    }
    targets.push_back(target);
    if (edge.crossing == Crossing::kEntersWith) {
      edge.state.withs.back().arm = target;
      enter_with(d, arm, edge);
    }
    flow_into(d, target, edge.state);
  }
  d.arms[arm].code = std::move(code);
  d.arms[arm].targets = std::move(targets);
  return depyf::Unit{};
}

// Nothing can be assigned on an exception edge. So where a handler expects a variable, and an arm that raises to it
// knows a constant, this makes that entry a variable on entry to the arm already.
void store_constants(Dispatcher& d) {
  for (std::uint32_t arm = 0; arm < d.arms.size(); ++arm) {
    ArmInfo& info = d.arms[arm];
    if (!info.entry || info.handling.arm == kNoArm) continue;
    const auto& expected = d.arms[info.handling.arm].entry->stack;
    auto& actual = info.entry->stack;
    bool changed = false;
    for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i)
      if (expected[i].kind == Kind::kVar && actual[i].kind == Kind::kConstant) {
        actual[i] = {.kind = Kind::kVar};
        changed = true;
      }
    if (changed) d.work.push_back(arm);
  }
}

// Returns whether clauses nest too deep in code with except*, so that it is worth trying with a lower group_levels.
bool groups_too_deep(const Dispatcher& d) {
  const auto deep = [](const ArmInfo& info) { return info.entry && info.entry->level > kMaxLevel; };
  const auto in_group = [](const ArmInfo& info) { return info.entry && !info.entry->groups.empty(); };
  return std::any_of(d.arms.begin(), d.arms.end(), deep) && std::any_of(d.arms.begin(), d.arms.end(), in_group);
}

// Counts the predecessors of arms, and collects the variables that are live on entry to arms and in `with` statements.
void count_uses(Dispatcher& d) {
  for (auto& info : d.arms) {
    if (!info.entry) continue;
    for (const auto t : info.targets) ++d.arms[t].preds;
    for (std::size_t at = 0; at < info.entry->stack.size(); ++at)
      if (const Kind kind = info.entry->stack[at].kind; kind == Kind::kVar || kind == Kind::kClassArguments)
        info.live.push_back(d.slot(at));
    for (const With& w : info.entry->withs) {
      auto& live = d.withs.at(w.arm).live;
      if (live.empty()) live.push_back(d.slot(w.depth));
      for (const NameId id : info.live)
        if (std::find(live.begin(), live.end(), id) == live.end()) live.push_back(id);
    }
  }
}

bool has_with(const Cfg& cfg) {
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
    for (const auto& insn : cfg.blocks[BlockId{b}].code)
      if (insn.op == Op::SETUP_WITH || insn.op == Op::BEFORE_WITH || insn.op == Op::BEFORE_ASYNC_WITH ||
          insn.op == Op::LOAD_SPECIAL)
        return true;
  return false;
}

// Retries with fewer levels of except clauses for groups that except* matched, until CPython can nest all blocks.
Result<std::optional<Block>> try_dispatch(lift::Unit& unit, CodeId code, const Cfg& cfg, bool real_withs) {
  for (std::uint32_t levels = kMaxLevel;; --levels) {
    Shared shared;
    shared.real_withs = real_withs;
    shared.group_levels = levels;
    Dispatcher dispatcher(unit, code, cfg, shared);
    DEPYF_TRY(block, dispatcher.run());
    if (block || levels == 0 || !groups_too_deep(dispatcher)) return block;
  }
}

}  // namespace

// Joins `state` into the entry state of an arm, and puts the arm on the worklist if that changed. Exceptions handled at
// a level that the arm is not in become variables.
void flow_into(Dispatcher& d, std::uint32_t arm, State state) {
  for (auto& e : state.stack)
    if ((e.kind == Kind::kExc || e.kind == Kind::kExcType || e.kind == Kind::kExcTrace) && e.a > state.level)
      e = {.kind = Kind::kVar};
  auto& entry = d.arms[arm].entry;
  bool changed = !entry;
  if (!entry) {
    entry = std::move(state);
  } else {
    d.refused = d.refused || entry->withs != state.withs || (!state.withs.empty() && entry->level != state.level);
    for (std::size_t i = 0; i < std::min(entry->stack.size(), state.stack.size()); ++i)
      if (!is_same_entry(entry->stack[i], state.stack[i]) && entry->stack[i].kind != Kind::kVar) {
        d.refused = d.refused || entry->stack[i].kind == Kind::kRealExit || state.stack[i].kind == Kind::kRealExit;
        entry->stack[i] = {.kind = Kind::kVar};
        changed = true;
      }
    if (state.level < entry->level) {
      entry->leave_to(state.level);
      changed = true;
    }
    const auto groups = std::erase_if(entry->groups, [&](const Group& g) {
      return std::find(state.groups.begin(), state.groups.end(), g) == state.groups.end();
    });
    changed = changed || groups > 0;
  }
  if (changed) d.work.push_back(arm);
}

Result<std::optional<Block>> Dispatcher::run() {
  origin = {code, 0};
  collect_names(*this);
  split(*this);
  flow_into(*this, 0, State{});
  std::uint64_t steps = 0;
  while (!work.empty() && !refused) {
    if (++steps > unit.options.limits.max_steps) return Error{Errc::kLimitExceeded, kNowhere, "too many steps"};
    const auto arm = work.back();
    work.pop_back();
    DEPYF_CHECK(propagate(*this, arm));
    if (work.empty()) store_constants(*this);
  }
  if (refused || !can_write_withs(*this) || groups_too_deep(*this)) return std::optional<Block>{};
  const auto level_of_target = [&](Handling& h) {
    if (h.arm != kNoArm) h.level = arms[h.arm].entry->level;
  };
  for (auto& info : arms) level_of_target(info.handling);
  for (auto& with : withs) level_of_target(with.second.handling);
  count_uses(*this);
  Block block;
  const auto& entry = arms[0];
  const bool straight = entry.preds == 0 && !entry.by_exception && entry.handling.arm == kNoArm;
  if (straight)
    block = arm_code(*this, 0, kMaxInline);
  else
    block.push_back(set_state(*this, 0));
  for (const auto& info : arms)
    if (info.entry && info.handling.arm != kNoArm) head_of(*this, info.handling.arm);
  while (!work.empty()) {
    const auto head = work.back();
    work.pop_back();
    auto body = arm_code(*this, heads[head].arm, 0);
    heads[head].body = std::move(body);
  }
  if (machine.refused) return std::optional<Block>{};
  if (!heads.empty()) {
    for (std::size_t h = 0, n = heads.size(); h < n; ++h) {
      const Head head = heads[h];
      if (head.handling.arm != kNoArm && head.handling.level != scopes[head.scope].level + 1)
        landing_for(*this, head.handling);
    }
    number_heads(*this);
    const auto loop = dispatch_loops(*this);
    block.insert(block.end(), loop.begin(), loop.end());
  } else if (!block.empty() && !is_function()) {
    // Without a loop `pc` is not needed. A block that ends with a raise has no assignment to it.
    const auto* name = ast::sole_target<ast::Name>(unit.ast, block.back());
    if (name != nullptr && name->id == temp("pc")) block.pop_back();
    std::erase(shared.temps, temp("pc"));
  }
  add_prologue(*this, block);
  return std::optional<Block>{std::move(block)};
}

Result<std::optional<Block>> dispatch_loop_with_statements(lift::Unit& unit, CodeId code, const Cfg& cfg) {
  return try_dispatch(unit, code, cfg, has_with(cfg));
}

Result<Block> dispatch_loop(lift::Unit& unit, CodeId code, const Cfg& cfg) {
  DEPYF_TRY(literal, try_dispatch(unit, code, cfg, false));
  if (!literal) return Error{Errc::kInternal, kNowhere, "no dispatch loop"};
  return std::move(*literal);
}

}  // namespace depyf::fallback
