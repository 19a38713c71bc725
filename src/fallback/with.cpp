// SPDX-License-Identifier: MIT
// With statements written as such in a dispatch loop: what enters and leaves them, and which handlers are theirs.
//
// A with statement holds the states in which its __exit__ lies on the stack, as a scope with a loop of its own. That is
// so only where each exit of this region is one that the statement has: a call of __exit__ with three Nones whose
// result is not used, and a handler that does what the statement's own does. Everything else is refused; dispatch.cpp
// then takes the form that looks the methods up.
#include <algorithm>

#include "ast/constants.h"
#include "fallback/dispatcher.h"

namespace depyf::fallback::dispatch {

// ---- arms

// How many instructions after the n-th one from here await its result; 0: none do.
std::size_t Translator::awaits(std::size_t n) const {
  const auto is = [&](std::size_t i, Op op) { return peek(i) != nullptr && peek(i)->op == op; };
  if (!is(n + 1, Op::GET_AWAITABLE) || !is(n + 3, Op::YIELD_FROM)) return 0;
  const Instruction& sent = *peek(n + 2);
  const auto is_none = [&] { return std::holds_alternative<ConstNone>(unit_.code.consts[co_.consts[sent.arg]]); };
  const bool common =
      sent.op == Op::LOAD_COMMON_CONSTANT && sent.arg == static_cast<std::uint32_t>(CommonConstant::kNone);
  return common || (sent.op == Op::LOAD_CONST && is_none()) ? 3 : 0;
}

// [manager] -> [__exit__ (3.14: and self), what __enter__ returned]; the body is the next arm.
void Translator::enter_real(std::size_t entries, bool is_async) {
  if (top().kind != Kind::kVar) {
    Entry manager = pop();
    push(manager.expr, {manager});
  }
  flush();  // into its own slot
  state.stack.pop_back();
  const auto depth = static_cast<std::uint32_t>(size());
  push_kind(Kind::kRealExit, depth);
  if (entries > 1) push_kind(Kind::kNull);
  push_var();
  settle_all();
  ++state.level;
  state.withs.push_back({state.level, depth, 0, is_async});
  result_.edges = {Edge{false, state, {}, {}, Crossing::kEntersWith}};
  ended_ = true;
}

// __exit__(None, None, None), which lies at `base`.
void Translator::leave_real(std::size_t base, std::size_t arguments) {
  bool plain = arguments == 3 && !state.withs.empty();
  for (std::size_t i = 1; i <= 3 && plain; ++i) plain = is_none(top(i));
  std::uint32_t depth = 0;
  for (std::size_t i = base; i < size(); ++i)
    if (state.stack[i].kind == Kind::kRealExit) depth = state.stack[i].a;
  const std::size_t awaited = plain && state.withs.back().is_async ? awaits(0) : 0;
  plain = plain && (awaited > 0 || !state.withs.back().is_async);
  if (!plain || state.withs.back().level != state.level || state.withs.back().depth != depth) {
    refused = true;
    state.stack.resize(base);
    push_constant(none());
    return;
  }
  at_ += awaited;
  state.stack.resize(base);
  settle_all();
  push_kind(Kind::kExitGave);
  state.withs.pop_back();
  --state.level;
  result_.edges = {Edge{false, state, {}, {}, Crossing::kLeavesWith}};
  ended_ = true;
}

bool Translator::real_with_op(const Instruction& insn) {
  if (!shared_.real_withs) return false;
  if (insn.op == Op::SETUP_WITH || insn.op == Op::BEFORE_WITH) {
    enter_real(1, false);
    return true;
  }
  if (insn.op == Op::BEFORE_ASYNC_WITH) {
    refused = refused || awaits(0) == 0;
    at_ += awaits(0);
    enter_real(1, true);
    return true;
  }
  const auto is = [&](std::size_t n, Op op, std::uint32_t arg) {
    const auto* next = peek(n);
    return next != nullptr && next->op == op && next->arg == arg;
  };
  for (const bool is_async : {false, true}) {  // 3.14
    const std::uint32_t enter = is_async ? 2 : 0;
    if (insn.op != Op::COPY || insn.arg != 1 || !is(1, Op::LOAD_SPECIAL, enter + 1)) continue;
    const bool whole = is(2, Op::SWAP, 2) && is(3, Op::SWAP, 3) && is(4, Op::LOAD_SPECIAL, enter) && is(5, Op::CALL, 0);
    if (whole && (!is_async || awaits(5) > 0)) {
      at_ += 5 + (is_async ? awaits(5) : 0);
      enter_real(2, is_async);
      return true;
    }
    refused = true;
  }
  refused = refused || insn.op == Op::LOAD_SPECIAL;
  return false;
}

// ---- handlers

namespace {

enum class Held : std::uint8_t { kBelow, kExit, kInfo, kException, kNone, kGave };

// A handler of a with statement, walked with what it does to the stack; see real_handler().
struct Walk {
  const Cfg& cfg;
  const Dialect& dialect;
  std::uint32_t exit;  // where __exit__ lies

  struct At {
    BlockId block;
    std::size_t next = 0;
    std::vector<Held> stack;
    bool yes = false, left = false;
    bool awaiting = false, awaited = false;  // what __exit__ returned
  };

  [[nodiscard]] static bool take(At& at, std::size_t n) {
    if (at.stack.size() < n) return false;
    at.stack.resize(at.stack.size() - n);
    return true;
  }

  // One instruction without a branch; false: not what the statement does.
  [[nodiscard]] bool step(At& at, const Instruction& insn) const {
    auto& s = at.stack;
    switch (insn.op) {
      case Op::NOP: return true;
      case Op::POP_TOP: return take(at, 1);
      case Op::LOAD_CONST:
      case Op::LOAD_COMMON_CONSTANT: s.push_back(Held::kNone); return true;
      case Op::GET_AWAITABLE:
        if (s.empty() || s.back() != Held::kGave || at.awaiting) return false;
        at.awaiting = true;
        return true;
      case Op::YIELD_FROM:
        if (s.size() < 2 || s[s.size() - 2] != Held::kGave || !at.awaiting || at.awaited) return false;
        at.awaited = true;
        return take(at, 1);
      case Op::COPY:
        if (insn.arg == 0 || insn.arg > s.size() || dialect.handler_pushes_six) return false;
        s.push_back(s[s.size() - insn.arg]);
        return true;
      case Op::SWAP:
        if (insn.arg == 0 || insn.arg > s.size() || dialect.handler_pushes_six) return false;
        std::swap(s.back(), s[s.size() - insn.arg]);
        return true;
      case Op::PUSH_EXC_INFO:
        if (s.empty() || s.back() != Held::kException) return false;
        s.back() = Held::kInfo;
        s.push_back(Held::kException);
        return true;
      case Op::WITH_EXCEPT_START: {
        const auto lies = static_cast<std::size_t>(effect(dialect.version, insn, false).pops);
        if (s.size() < lies || s.size() - lies != exit || s[exit] != Held::kExit) return false;
        if (s.back() != Held::kException || at.yes) return false;
        s.push_back(Held::kGave);
        return true;
      }
      case Op::TO_BOOL: return !s.empty() && s.back() == Held::kGave;
      case Op::POP_EXCEPT:
        if (!at.yes || s.empty() || s.back() != Held::kInfo) return false;
        at.left = true;
        return take(at, static_cast<std::size_t>(effect(dialect.version, insn, false).pops));
      default: return false;
    }
  }
};

}  // namespace

// Where an exception raised in a block goes, past what only restores the exception handled before.
Handler Dispatcher::taken_by(BlockId block) const {
  Handler handler = cfg_.blocks[block].handler;
  for (std::size_t steps = 0; handler.block && is_bypass(cfg_.blocks[handler.block]) && steps < cfg_.blocks.size();
       ++steps) {
    const auto depth = handler.depth;
    handler = cfg_.blocks[handler.block].handler;
    handler.depth = std::min(handler.depth, depth);
  }
  return handler;
}

// A handler that calls __exit__ with the exception, which it raises again or, where the result is true, swallows: where
// it continues then. Nothing if it does anything else.
std::optional<Dispatcher::RealHandler> Dispatcher::real_handler(const Handler& handler) const {
  const bool six = unit_.dialect.handler_pushes_six;
  const Instruction start{.op = Op::WITH_EXCEPT_START};
  const auto entries = static_cast<std::size_t>(effect(unit_.dialect.version, start, false).pops) - (six ? 6 : 3);
  if (handler.depth < entries) return std::nullopt;
  RealHandler found;
  found.exit = handler.depth - static_cast<std::uint32_t>(entries);
  found.outer = taken_by(handler.block);
  const Walk walk{cfg_, unit_.dialect, found.exit};
  Walk::At first{handler.block, 0, std::vector<Held>(handler.depth, Held::kBelow), false, false};
  first.stack[found.exit] = Held::kExit;
  if (six)
    for (int i = 0; i < 5; ++i) first.stack.push_back(Held::kInfo);
  else if (handler.lasti)
    first.stack.push_back(Held::kInfo);
  first.stack.push_back(Held::kException);
  std::vector<Walk::At> todo{std::move(first)};
  bool raises = false, continues = false;
  for (std::size_t steps = 0; !todo.empty(); ++steps) {
    if (steps > 100) return std::nullopt;
    Walk::At at = std::move(todo.back());
    todo.pop_back();
    if (at.left && at.stack.size() <= found.exit) {
      if (at.stack.size() < found.exit || continues) return std::nullopt;
      continues = true;
      found.block = at.block;
      found.next = at.next;
      continue;
    }
    const BasicBlock& block = cfg_.blocks[at.block];
    if (!at.left && !(taken_by(at.block).block == found.outer.block)) return std::nullopt;
    if (at.next == block.code.size()) {
      if (!block.fall) return std::nullopt;
      at.block = block.fall;
      at.next = 0;
      todo.push_back(std::move(at));
      continue;
    }
    const Instruction& insn = block.code[at.next++];
    if (insn.op == Op::RERAISE) {
      if (at.yes || at.stack.empty() || at.stack.back() != Held::kException) return std::nullopt;
      raises = true;
      continue;
    }
    if (insn.op != Op::POP_JUMP_IF_TRUE && insn.op != Op::POP_JUMP_IF_FALSE) {
      if (!walk.step(at, insn)) return std::nullopt;
      todo.push_back(std::move(at));
      continue;
    }
    if (at.stack.empty() || at.stack.back() != Held::kGave || at.yes || at.awaiting != at.awaited) return std::nullopt;
    found.is_async = at.awaited;
    at.stack.pop_back();
    Walk::At yes = at;
    yes.yes = true;
    if (!block.jump || !block.fall) return std::nullopt;
    const bool jumps = insn.op == Op::POP_JUMP_IF_TRUE;
    yes.block = jumps ? block.jump : block.fall;
    at.block = jumps ? block.fall : block.jump;
    yes.next = at.next = 0;
    todo.push_back(std::move(at));
    todo.push_back(std::move(yes));
  }
  if (!raises || !continues) return std::nullopt;
  return found;
}

// ---- scopes

bool Dispatcher::has_with(const Cfg& cfg) {
  for (std::uint32_t b = 0; b < cfg.blocks.size(); ++b)
    for (const auto& insn : cfg.blocks[BlockId{b}].code)
      if (insn.op == Op::SETUP_WITH || insn.op == Op::BEFORE_WITH || insn.op == Op::BEFORE_ASYNC_WITH ||
          insn.op == Op::LOAD_SPECIAL)
        return true;
  return false;
}

// An arm that stops before its end is two.
void Dispatcher::split_at(std::uint32_t arm, std::size_t end) {
  ArmInfo rest;
  rest.arm = arms_[arm].arm;
  rest.arm.first = end;
  arms_[arm].arm.last = end;
  arms_[arm].arm.next = static_cast<std::uint32_t>(arms_.size());
  arms_.push_back(std::move(rest));
}

void Dispatcher::enter_with(std::uint32_t arm, Edge& edge) {
  const Handler outer = taken_by(arms_[arm].arm.block);
  const auto target = static_cast<std::uint32_t>(edge.state.stack.size() - 1);
  const auto [it, fresh] =
      withs_.try_emplace(edge.state.withs.back().arm, RealWith{target, outer, arms_[arm].handling, {}, kNoArm, {}});
  RealWith& with = it->second;
  refused_ = refused_ || with.outer.block != outer.block || !(with.handling == arms_[arm].handling);
  refused_ = refused_ || arms_[arm].outside;
  if (!fresh) with.handling = arms_[arm].handling;
}

// Of an arm in a with statement: whether a handler that is in there too takes what the arm raises. Else it goes to
// __exit__; or past it, which only those arms may that raise nothing.
bool Dispatcher::raises_within(std::uint32_t arm, const Handler& handler) {
  ArmInfo& info = arms_[arm];
  const With& with = info.entry->withs.back();
  RealWith& real = withs_.at(with.arm);
  if (!handler.block || handler.depth <= with.depth) {
    info.outside = true;
    refused_ = refused_ || handler.block != real.outer.block;
    return false;
  }
  const auto found = real_handlers_.find({handler.block.n, handler.depth});
  if (found == real_handlers_.end() || found->second.exit != with.depth) return true;
  const RealHandler& exit = found->second;
  const auto& from = info.entry->stack;
  const bool mine = exit.is_async == with.is_async && from.size() > with.depth &&
                    from[with.depth].kind == Kind::kRealExit && from[with.depth].a == with.depth &&
                    exit.outer.block == real.outer.block && (!real.handler || real.handler == handler.block);
  if (!mine) {
    refused_ = true;
    return false;
  }
  real.handler = handler.block;
  std::uint32_t to = kNoArm;
  if (exit.next == cfg_.blocks[exit.block].code.size()) {
    const BlockId fall = cfg_.blocks[exit.block].fall;
    if (fall) to = first_arm_[fall.n];
  } else {
    for (to = first_arm_[exit.block.n]; to != kNoArm && arms_[to].arm.first != exit.next;) to = arms_[to].arm.next;
  }
  if (to == kNoArm) {
    refused_ = true;
    return false;
  }
  real.swallow_target = to;
  State state;
  state.stack.assign(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(with.depth));
  state.level = with.level - 1;
  state.withs.assign(info.entry->withs.begin(), info.entry->withs.end() - 1);
  arms_[to].by_exception = true;
  flow_into(to, std::move(state));
  return false;
}

// Values moved from variable of ours to variable of ours.
bool Dispatcher::is_harmless(const ast::Block& block) const {
  const auto ours = [&](ast::ExprId e) {
    const auto* n = std::get_if<ast::Name>(&unit_.ast.exprs[e].node);
    return n != nullptr && unit_.ast.text(n->id).starts_with(unit_.options.temp_prefix);
  };
  const auto known = [&](ast::ExprId e) { return ours(e) || ast::is_constant(unit_.ast, e); };
  return std::all_of(block.begin(), block.end(), [&](ast::StmtId s) {
    const auto* a = std::get_if<ast::Assign>(&unit_.ast.stmts[s].node);
    return a != nullptr && known(a->value) && std::all_of(a->targets.begin(), a->targets.end(), ours);
  });
}

// Each has a handler, and they nest no deeper than loops, clauses and statements can.
bool Dispatcher::with_is_whole() const {
  if (withs_.empty()) return true;
  for (const auto& [arm, with] : withs_)
    if (with.swallow_target == kNoArm) return false;
  return std::all_of(arms_.begin(), arms_.end(),
                     [](const ArmInfo& info) { return !info.entry || info.entry->level <= kMaxLevel; });
}

// with s1 as s2: the loop of its states; then on to where the last of these said, or __exit__ took an exception.
ast::Block Dispatcher::with_statement(std::uint32_t head, const ast::Block& loop) {
  const std::uint32_t body = heads_[head].with;
  const RealWith& real = withs_.at(body);
  const auto& around = arms_[body].entry->withs.back();
  const auto slot = [&](std::uint32_t d) { return var("s" + std::to_string(d)); };
  const auto number = [&](std::uint32_t of) { return expr(ast::IntLiteral{heads_[of].number}); };
  ast::With with;
  with.is_async = around.is_async;
  const Arm& begins = arms_[body].arm;  // what __enter__ returned is often dropped there
  const auto& code = cfg_.blocks[begins.block].code;
  const bool dropped = begins.first < begins.last && code[begins.first].op == Op::POP_TOP;
  with.items.push_back({slot(around.depth), dropped ? ast::ExprId{} : slot(real.target)});
  with.body = {set(slot(around.depth), none())};
  with.body.insert(with.body.end(), loop.begin(), loop.end());
  ast::Block taken = clear_all(real.held, arms_[real.swallow_target].held);
  taken.push_back(set(var("pc"), number(head_by_arm_.at(real.swallow_target))));
  const auto left = expr(ast::Compare{var("pc"), {ast::CompareOperator::kEq}, {number(head)}});
  const auto then = set(var("pc"), var("w" + std::to_string(around.level)));
  return {set(var("pc"), number(head_by_arm_.at(body))), stmt(std::move(with)), stmt(ast::If{left, {then}, taken})};
}

}  // namespace depyf::fallback::dispatch
