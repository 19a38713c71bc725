// SPDX-License-Identifier: MIT
// The dispatch loop: arms and where they lead; see dispatch.h and dispatcher.h.
//
// Arms of level n (n exceptions are being handled) run inside the n-th of nested except clauses, each with a loop of its
// own; states are numbered level by level, so that a loop ends when the state belongs to a lower level. An exception that
// a handler of an outer clause takes is carried out in a variable and raised again there.
#include "fallback/dispatch.h"

#include <algorithm>

#include "fallback/dispatcher.h"

namespace depyf::fallback {

namespace dispatch {

void Dispatcher::split() {
  std::map<std::uint32_t, std::vector<std::size_t>> begins;  // where handlers of with statements continue
  if (shared_.real_withs)
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
      const Handler handler = taken_by(BlockId{b});
      const auto key = std::pair{handler.block.n, handler.depth};
      if (!handler.block || real_handlers_.contains(key)) continue;
      const auto found = real_handler(handler);
      if (!found) continue;
      real_handlers_.emplace(key, *found);
      begins[found->block.n].push_back(found->next);
    }
  for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b) {
    const auto& block = cfg_.blocks[BlockId{b}];
    const auto& here = begins[b];
    first_arm_.push_back(static_cast<std::uint32_t>(arms_.size()));
    std::size_t first = 0;
    for (std::size_t i = 0; i < block.code.size(); ++i) {
      const Op op = block.code[i].op;
      const bool ends =
          op == Op::POP_EXCEPT || op == Op::END_ASYNC_FOR || std::find(here.begin(), here.end(), i + 1) != here.end();
      if (!ends || i + 1 == block.code.size()) continue;
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

// The clean-up code around handlers (3.11+): COPY 3, POP_EXCEPT, RERAISE 1. The exception just propagates outwards.
bool Dispatcher::is_bypass(const BasicBlock& b) const {
  return b.code.size() == 3 && b.code[0].op == Op::COPY && b.code[0].arg == 3 && b.code[1].op == Op::POP_EXCEPT &&
         b.code[2].op == Op::RERAISE;
}

// Joins `state` into an arm's entry.
void Dispatcher::flow_into(std::uint32_t arm, State state) {
  for (auto& e : state.stack)
    if ((e.kind == Kind::kExc || e.kind == Kind::kExcType || e.kind == Kind::kExcTrace) && e.a > state.level)
      e = {.kind = Kind::kVar};
  auto& entry = arms_[arm].entry;
  bool changed = !entry;
  if (!entry) {
    entry = std::move(state);
  } else {
    refused_ = refused_ || entry->withs != state.withs || (!state.withs.empty() && entry->level != state.level);
    for (std::size_t i = 0; i < std::min(entry->stack.size(), state.stack.size()); ++i)
      if (!same(entry->stack[i], state.stack[i]) && entry->stack[i].kind != Kind::kVar) {
        refused_ = refused_ || entry->stack[i].kind == Kind::kRealExit || state.stack[i].kind == Kind::kRealExit;
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
  if (changed) work_.push_back(arm);
}

void Dispatcher::exception_edge(std::uint32_t arm) {
  ArmInfo& info = arms_[arm];
  const Handler handler = taken_by(info.arm.block);
  info.handling = {};
  info.outside = false;
  if (!info.entry->withs.empty() && !raises_within(arm, handler)) return;
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
  const auto target = first_arm_[handler.block.n];
  if (auto& known = arms_[target].entry) {  // one level for all that it takes: the lowest
    if (known->level <= state.level)
      state.leave_to(known->level - 1);
    else if (known->level > state.level + 1)
      known.reset();
  }
  for (const With& w : info.entry->withs)
    if (w.level <= state.level) state.withs.push_back(w);
  ++state.level;
  const auto put = [&](Kind kind) { state.stack.push_back({.kind = kind, .a = state.level}); };
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
  info.handling = {target, state.level};
  arms_[target].by_exception = true;
  flow_into(target, std::move(state));
}

Status Dispatcher::propagate(Translator& translator, std::uint32_t arm) {
  exception_edge(arm);
  DEPYF_TRY(code, translator.run(arms_[arm].arm, *arms_[arm].entry));
  refused_ = refused_ || translator.refused || (arms_[arm].outside && !is_harmless(code.statements));
  if (refused_) return depyf::Unit{};
  if (code.end < arms_[arm].arm.last) split_at(arm, code.end);
  const Arm where = arms_[arm].arm;
  const auto& block = cfg_.blocks[where.block];
  std::vector<std::uint32_t> targets;
  for (auto& edge : code.edges) {
    std::uint32_t target = where.next;
    if (target == kNoArm) {
      const BlockId to = edge.jump ? block.jump : block.fall;
      if (!to) return Error{Errc::kMalformed, kNowhere, "control falls off the end"};
      target = first_arm_[to.n];
    }
    targets.push_back(target);
    if (edge.crossing == Crossing::kEntersWith) {
      edge.state.withs.back().arm = target;
      enter_with(arm, edge);
    }
    flow_into(target, edge.state);
  }
  arms_[arm].code = std::move(code);
  arms_[arm].targets = std::move(targets);
  return depyf::Unit{};
}

// An exception stores nothing on its way: a constant that its handler wants in a variable is in one before.
void Dispatcher::store_constants() {
  for (std::uint32_t arm = 0; arm < arms_.size(); ++arm) {
    ArmInfo& info = arms_[arm];
    if (!info.entry || info.handling.arm == kNoArm) continue;
    const auto& wanted = arms_[info.handling.arm].entry->stack;
    auto& have = info.entry->stack;
    bool changed = false;
    for (std::size_t i = 0; i < std::min(wanted.size(), have.size()); ++i)
      if (wanted[i].kind == Kind::kVar && have[i].kind == Kind::kConstant) {
        have[i] = Entry{};
        have[i].kind = Kind::kVar;
        changed = true;
      }
    if (changed) work_.push_back(arm);
  }
}

bool Dispatcher::groups_too_deep() const {
  const auto deep = [](const ArmInfo& info) { return info.entry && info.entry->level > kMaxLevel; };
  const auto in_group = [](const ArmInfo& info) { return info.entry && !info.entry->groups.empty(); };
  return std::any_of(arms_.begin(), arms_.end(), deep) && std::any_of(arms_.begin(), arms_.end(), in_group);
}

void Dispatcher::count() {
  for (auto& info : arms_) {
    if (!info.entry) continue;
    for (const auto t : info.targets) ++arms_[t].preds;
    for (std::size_t d = 0; d < info.entry->stack.size(); ++d)
      if (const Kind kind = info.entry->stack[d].kind; kind == Kind::kVar || kind == Kind::kClassArguments)
        info.held.push_back(temp("s" + std::to_string(d)));
    for (const With& w : info.entry->withs) {
      auto& held = withs_.at(w.arm).held;
      if (held.empty()) held.push_back(temp("s" + std::to_string(w.depth)));
      for (const NameId id : info.held)
        if (std::find(held.begin(), held.end(), id) == held.end()) held.push_back(id);
    }
  }
}

Result<std::optional<ast::Block>> Dispatcher::run() {
  origin_ = {code_, 0};
  Translator translator(unit_, code_, cfg_, shared_);
  split();
  flow_into(0, State{});
  std::uint64_t steps = 0;
  while (!work_.empty() && !refused_) {
    if (++steps > unit_.options.limits.max_steps) return Error{Errc::kLimitExceeded, kNowhere, "too many steps"};
    const auto arm = work_.back();
    work_.pop_back();
    DEPYF_CHECK(propagate(translator, arm));
    if (work_.empty()) store_constants();
  }
  if (refused_ || !with_is_whole() || groups_too_deep()) return std::optional<ast::Block>{};
  const auto level_of_target = [&](Handling& h) {
    if (h.arm != kNoArm) h.level = arms_[h.arm].entry->level;
  };
  for (auto& info : arms_) level_of_target(info.handling);
  for (auto& with : withs_) level_of_target(with.second.handling);
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
  if (translator.refused) return std::optional<ast::Block>{};
  if (!heads_.empty()) {
    for (std::size_t h = 0, n = heads_.size(); h < n; ++h) {
      const Head head = heads_[h];
      if (head.handling.arm != kNoArm && head.handling.level != scopes_[head.scope].level + 1)
        landing_for(head.handling);
    }
    number_heads();
    const auto loop = loops(translator);
    block.insert(block.end(), loop.begin(), loop.end());
  } else if (!block.empty() && (co_.flags & kCoOptimized) == 0) {
    // `pc` is of no use without a loop; a block that ends with a raise does not set it
    const auto* last = std::get_if<ast::Assign>(&unit_.ast.stmts[block.back()].node);
    const auto* name = last != nullptr ? std::get_if<ast::Name>(&unit_.ast.exprs[last->targets[0]].node) : nullptr;
    if (name != nullptr && name->id == temp("pc")) block.pop_back();
    std::erase(shared_.temps, temp("pc"));
  }
  surround(translator, block);
  return std::optional<ast::Block>{std::move(block)};
}

}  // namespace dispatch

namespace {

// With clauses for what except* matched at as many levels as blocks may nest.
Result<std::optional<ast::Block>> translated(lift::Unit& unit, CodeId code, const Cfg& cfg, bool real_withs) {
  using dispatch::Dispatcher;
  for (std::uint32_t levels = dispatch::kMaxLevel;; --levels) {
    Dispatcher dispatcher(unit, code, cfg, real_withs, levels);
    DEPYF_TRY(block, dispatcher.run());
    if (block || levels == 0 || !dispatcher.groups_too_deep()) return block;
  }
}

}  // namespace

Result<std::optional<ast::Block>> dispatch_loop_with_statements(lift::Unit& unit, CodeId code, const Cfg& cfg) {
  return translated(unit, code, cfg, dispatch::Dispatcher::has_with(cfg));
}

Result<ast::Block> dispatch_loop(lift::Unit& unit, CodeId code, const Cfg& cfg) {
  DEPYF_TRY(literal, translated(unit, code, cfg, false));
  if (!literal) return Error{Errc::kInternal, kNowhere, "no dispatch loop"};
  return std::move(*literal);
}

}  // namespace depyf::fallback
