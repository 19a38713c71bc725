// SPDX-License-Identifier: MIT
// With statements written as such in a dispatch loop: which handlers are theirs, and what enters and leaves them.
//
// A with statement holds the states in which its __exit__ lies on the stack, as a scope with a loop of its own. That is
// so only where each exit of this region is one that the statement has: a call of __exit__ with three Nones whose
// result is not used, and a handler that does what the statement's own does. Everything else is refused; dispatch.cpp
// then takes the form that looks the methods up.
#include <algorithm>
#include <initializer_list>

#include "ast/constants.h"
#include "fallback/dispatcher.h"

namespace depyf::fallback {

// ---- handlers

namespace {

// The clean-up code around handlers (3.11+): COPY 3, POP_EXCEPT, RERAISE 1. The exception just propagates outwards.
bool is_bypass(const BasicBlock& b) {
  return b.code.size() == 3 && b.code[0].op == Op::COPY && b.code[0].arg == 3 && b.code[1].op == Op::POP_EXCEPT &&
         b.code[2].op == Op::RERAISE;
}

}  // namespace

// Where an exception raised in a block goes, past what only restores the exception handled before.
Handler taken_by(const Dispatcher& d, BlockId block) {
  Handler handler = d.cfg.blocks[block].handler;
  for (std::size_t steps = 0; handler.block && is_bypass(d.cfg.blocks[handler.block]) && steps < d.cfg.blocks.size();
       ++steps) {
    const auto depth = handler.depth;
    handler = d.cfg.blocks[handler.block].handler;
    handler.depth = std::min(handler.depth, depth);
  }
  return handler;
}

namespace {

// A handler, read instruction by instruction whatever blocks it lies in.
struct Reader {
  const Dispatcher& d;
  BlockId outer;  // takes what is raised in the handler
  BlockId block;
  std::size_t next = 0;

  // Null: it ends, or what is raised there goes elsewhere.
  const Instruction* read(bool inside = true) {
    for (std::size_t steps = 0; block && steps <= d.cfg.blocks.size(); ++steps) {
      const BasicBlock& b = d.cfg.blocks[block];
      if (inside && taken_by(d, block).block != outer) return nullptr;
      while (next < b.code.size())
        if (const Instruction& insn = b.code[next++]; insn.op != Op::NOP) return &insn;
      block = b.fall;
      next = 0;
    }
    return nullptr;
  }
  bool reads(std::initializer_list<Op> ops) {
    const Instruction* insn = read();
    return insn != nullptr && std::find(ops.begin(), ops.end(), insn->op) != ops.end();
  }
};

}  // namespace

// A handler that calls __exit__ with the exception, which it raises again or, where the result is true, swallows: where
// it continues then. Nothing if it does anything else.
std::optional<RealHandler> real_handler(const Dispatcher& d, const Handler& handler) {
  const auto pops = [&](Op op) { return effect(d.unit.dialect.version, {.op = op}, false).pops; };
  const bool six = d.unit.dialect.handler_pushes_six;
  const auto below = static_cast<std::int32_t>(handler.depth);
  auto depth = below + (six ? 6 : handler.lasti ? 2 : 1);
  RealHandler found;
  found.outer = taken_by(d, handler.block);
  Reader at{d, found.outer.block, handler.block};
  const Instruction* insn = at.read();
  if (insn != nullptr && insn->op == Op::PUSH_EXC_INFO) {
    ++depth;
    insn = at.read();
  }
  const std::int32_t exception = depth - 1, exit = depth - pops(Op::WITH_EXCEPT_START);
  if (insn == nullptr || insn->op != Op::WITH_EXCEPT_START || exit < 0) return std::nullopt;
  insn = at.read();
  if (insn != nullptr && insn->op == Op::GET_AWAITABLE) {
    if (!at.reads({Op::LOAD_CONST, Op::LOAD_COMMON_CONSTANT}) || !at.reads({Op::YIELD_FROM})) return std::nullopt;
    found.is_async = true;
    insn = at.read();
  }
  if (insn != nullptr && insn->op == Op::TO_BOOL) insn = at.read();
  if (insn == nullptr || (insn->op != Op::POP_JUMP_IF_TRUE && insn->op != Op::POP_JUMP_IF_FALSE)) return std::nullopt;
  const BasicBlock& test = d.cfg.blocks[at.block];
  const bool jumps = insn->op == Op::POP_JUMP_IF_TRUE;
  Reader raises{d, found.outer.block, jumps ? test.fall : test.jump};
  if (!raises.reads({Op::RERAISE})) return std::nullopt;
  at.block = jumps ? test.jump : test.fall;
  at.next = 0;
  bool left = false;
  while (depth > exit) {
    insn = at.read(!left);
    if (insn == nullptr) return std::nullopt;
    const bool leaves = insn->op == Op::POP_EXCEPT && depth <= exception && depth - pops(insn->op) >= below;
    if (!leaves && insn->op != Op::POP_TOP) return std::nullopt;
    left = left || leaves;
    depth -= pops(insn->op);
  }
  if (!left || depth < exit) return std::nullopt;
  found.exit = static_cast<std::uint32_t>(exit);
  found.block = at.block;
  found.next = at.next;
  return found;
}

// ---- scopes

// An arm that stops before its end is two.
void split_at(Dispatcher& d, std::uint32_t arm, std::size_t end) {
  ArmInfo rest;
  rest.arm = d.arms[arm].arm;
  rest.arm.first = end;
  d.arms[arm].arm.last = end;
  d.arms[arm].arm.next = static_cast<std::uint32_t>(d.arms.size());
  d.arms.push_back(std::move(rest));
}

void enter_with(Dispatcher& d, std::uint32_t arm, Edge& edge) {
  const Handler outer = taken_by(d, d.arms[arm].arm.block);
  const auto target = static_cast<std::uint32_t>(edge.state.stack.size() - 1);
  const auto [it, fresh] =
      d.withs.try_emplace(edge.state.withs.back().arm, RealWith{target, outer, d.arms[arm].handling, {}, kNoArm, {}});
  RealWith& with = it->second;
  d.refused = d.refused || with.outer.block != outer.block || !(with.handling == d.arms[arm].handling);
  d.refused = d.refused || d.arms[arm].outside;
  if (!fresh) with.handling = d.arms[arm].handling;
}

// Of an arm in a with statement: whether a handler that is in there too takes what the arm raises. Else it goes to
// __exit__; or past it, which only those arms may that raise nothing.
bool raises_within(Dispatcher& d, std::uint32_t arm, const Handler& handler) {
  ArmInfo& info = d.arms[arm];
  const With& with = info.entry->withs.back();
  RealWith& real = d.withs.at(with.arm);
  if (!handler.block || handler.depth <= with.depth) {
    info.outside = true;
    d.refused = d.refused || handler.block != real.outer.block;
    return false;
  }
  const auto found = d.real_handlers.find({handler.block.n, handler.depth});
  if (found == d.real_handlers.end() || found->second.exit != with.depth) return true;
  const RealHandler& exit = found->second;
  const auto& from = info.entry->stack;
  const bool mine = exit.is_async == with.is_async && from.size() > with.depth &&
                    from[with.depth].kind == Kind::kRealExit && from[with.depth].a == with.depth &&
                    exit.outer.block == real.outer.block && (!real.handler || real.handler == handler.block);
  if (!mine) {
    d.refused = true;
    return false;
  }
  real.handler = handler.block;
  std::uint32_t to = kNoArm;
  if (exit.next == d.cfg.blocks[exit.block].code.size()) {
    const BlockId fall = d.cfg.blocks[exit.block].fall;
    if (fall) to = d.first_arm[fall.n];
  } else {
    for (to = d.first_arm[exit.block.n]; to != kNoArm && d.arms[to].arm.first != exit.next;) to = d.arms[to].arm.next;
  }
  if (to == kNoArm) {
    d.refused = true;
    return false;
  }
  real.swallow_target = to;
  State state;
  state.stack.assign(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(with.depth));
  state.level = with.level - 1;
  state.withs.assign(info.entry->withs.begin(), info.entry->withs.end() - 1);
  d.arms[to].by_exception = true;
  flow_into(d, to, std::move(state));
  return false;
}

// Values moved from variable of ours to variable of ours.
bool is_harmless(const Dispatcher& d, const Block& block) {
  const auto ours = [&](ExprId e) {
    const auto* n = std::get_if<ast::Name>(&d.unit.ast.exprs[e].node);
    return n != nullptr && d.unit.ast.text(n->id).starts_with(d.unit.options.temp_prefix);
  };
  const auto known = [&](ExprId e) { return ours(e) || ast::is_constant(d.unit.ast, e); };
  return std::all_of(block.begin(), block.end(), [&](StmtId s) {
    const auto* a = std::get_if<ast::Assign>(&d.unit.ast.stmts[s].node);
    return a != nullptr && known(a->value) && std::all_of(a->targets.begin(), a->targets.end(), ours);
  });
}

// Each has a handler, and they nest no deeper than loops, clauses and statements can.
bool with_is_whole(const Dispatcher& d) {
  if (d.withs.empty()) return true;
  for (const auto& [arm, with] : d.withs)
    if (with.swallow_target == kNoArm) return false;
  return std::all_of(d.arms.begin(), d.arms.end(),
                     [](const ArmInfo& info) { return !info.entry || info.entry->level <= kMaxLevel; });
}

// with s1 as s2: the loop of its states; then on to where the last of these said, or __exit__ took an exception.
Block with_statement(Dispatcher& d, std::uint32_t head, const Block& loop) {
  const std::uint32_t body = d.heads[head].with;
  const RealWith& real = d.withs.at(body);
  const auto& around = d.arms[body].entry->withs.back();
  const auto slot = [&](std::uint32_t depth) { return d.name(d.slot(depth)); };
  const auto number = [&](std::uint32_t of) { return d.number(d.heads[of].number); };
  ast::With with;
  with.is_async = around.is_async;
  const Arm& begins = d.arms[body].arm;  // what __enter__ returned is often dropped there
  const auto& code = d.cfg.blocks[begins.block].code;
  const bool dropped = begins.first < begins.last && code[begins.first].op == Op::POP_TOP;
  with.items.push_back({slot(around.depth), dropped ? ExprId{} : slot(real.target)});
  with.body = {d.set(slot(around.depth), d.none())};
  with.body.insert(with.body.end(), loop.begin(), loop.end());
  Block taken = clear_all(d, real.held, d.arms[real.swallow_target].held);
  taken.push_back(d.set(d.var("pc"), number(d.head_by_arm.at(real.swallow_target))));
  const auto left = d.make(ast::Compare{d.var("pc"), {ast::CompareOperator::kEq}, {number(head)}});
  const auto then = d.set(d.var("pc"), d.var("w" + std::to_string(around.level)));
  return {d.set(d.var("pc"), number(d.head_by_arm.at(body))), d.stmt(std::move(with)), d.when(left, {then}, taken)};
}

}  // namespace depyf::fallback
