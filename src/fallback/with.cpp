// SPDX-License-Identifier: MIT
// Writes `with` statements as such in a dispatch loop: recognizes their handlers and the edges into and out of them.
//
// The body of a `with` statement is a scope: the states in which its __exit__ is on the stack. Each exit of this region
// must be a call of __exit__ with three Nones whose result is not used, or a handler that does what the statement's own
// does. Anything else is refused; dispatch_loop() then writes calls of __enter__ and __exit__.
#include <algorithm>
#include <initializer_list>

#include "ast/constants.h"
#include "fallback/dispatcher.h"

namespace depyf::fallback {

// ---- handlers

namespace {

// Returns whether a block is the clean-up code of a handler (3.11+), COPY 3; POP_EXCEPT; RERAISE 1, and so no handler.
bool is_bypass(const BasicBlock& b) {
  return b.code.size() == 3 && b.code[0].op == Op::COPY && b.code[0].arg == 3 && b.code[1].op == Op::POP_EXCEPT &&
         b.code[2].op == Op::RERAISE;
}

}  // namespace

// Returns the handler of exceptions raised in a block, skipping handlers that are only clean-up code.
Handler effective_handler(const Dispatcher& d, BlockId block) {
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

// Reads a handler instruction by instruction, following fall-through edges between blocks.
struct Reader {
  const Dispatcher& d;
  BlockId outer;  // the handler of exceptions that are raised in the handler
  BlockId block;
  std::size_t next = 0;

  // Returns the next instruction; null if there is none, or (`inside`) its exceptions do not go to `outer`.
  const Instruction* read(bool inside = true) {
    for (std::size_t steps = 0; block && steps <= d.cfg.blocks.size(); ++steps) {
      const BasicBlock& b = d.cfg.blocks[block];
      if (inside && effective_handler(d, block).block != outer) return nullptr;
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

// Recognizes the handler of a `with` statement: it calls __exit__ with the exception and raises it again, or swallows
// it if the result is true. Returns where control continues then; nullopt if the handler does anything else.
std::optional<RealHandler> real_handler(const Dispatcher& d, const Handler& handler) {
  const auto pops = [&](Op op) { return effect(d.unit.dialect.version, {.op = op}, false).pops; };
  const bool six = d.unit.dialect.handler_pushes_six;
  const auto below = static_cast<std::int32_t>(handler.depth);
  auto depth = below + (six ? 6 : handler.lasti ? 2 : 1);
  RealHandler found;
  found.outer = effective_handler(d, handler.block);
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
  bool has_left = false;
  while (depth > exit) {
    insn = at.read(!has_left);
    if (insn == nullptr) return std::nullopt;
    const bool leaves = insn->op == Op::POP_EXCEPT && depth <= exception && depth - pops(insn->op) >= below;
    if (!leaves && insn->op != Op::POP_TOP) return std::nullopt;
    has_left = has_left || leaves;
    depth -= pops(insn->op);
  }
  if (!has_left || depth < exit) return std::nullopt;
  found.exit = static_cast<std::uint32_t>(exit);
  found.block = at.block;
  found.next = at.next;
  return found;
}

// ---- scopes

// Splits an arm at instruction `end`: the rest becomes an arm of its own.
void split_at(Dispatcher& d, std::uint32_t arm, std::size_t end) {
  ArmInfo rest;
  rest.arm = d.arms[arm].arm;
  rest.arm.first = end;
  d.arms[arm].arm.last = end;
  d.arms[arm].arm.next = static_cast<std::uint32_t>(d.arms.size());
  d.arms.push_back(std::move(rest));
}

// Records the `with` statement that an edge enters. Refuses it if other edges enter it with another handler around.
void enter_with(Dispatcher& d, std::uint32_t arm, Edge& edge) {
  const Handler outer = effective_handler(d, d.arms[arm].arm.block);
  const auto target = static_cast<std::uint32_t>(edge.state.stack.size() - 1);
  const auto [it, fresh] =
      d.withs.try_emplace(edge.state.withs.back().arm, RealWith{target, outer, d.arms[arm].handling, {}, kNoArm, {}});
  RealWith& with = it->second;
  d.refused = d.refused || with.outer.block != outer.block || !(with.handling == d.arms[arm].handling);
  d.refused = d.refused || d.arms[arm].bypasses_exit;
  if (!fresh) with.handling = d.arms[arm].handling;
}

// For an arm in a `with`: returns whether its handler is in the statement, too. If it is the statement's own, records
// where control continues after it. If it is outside, sets ArmInfo::bypasses_exit, for which the arm must not raise.
bool is_handled_within(Dispatcher& d, std::uint32_t arm, const Handler& handler) {
  ArmInfo& info = d.arms[arm];
  const With& with = info.entry->withs.back();
  RealWith& real = d.withs.at(with.arm);
  if (!handler.block || handler.depth <= with.depth) {
    info.bypasses_exit = true;
    d.refused = d.refused || handler.block != real.outer.block;
    return false;
  }
  const auto found = d.real_handlers.find({handler.block.n, handler.depth});
  if (found == d.real_handlers.end() || found->second.exit != with.depth) return true;
  const RealHandler& exit = found->second;
  const auto& from = info.entry->stack;
  const bool is_own_exit = exit.is_async == with.is_async && from.size() > with.depth &&
                           from[with.depth].kind == Kind::kRealExit && from[with.depth].a == with.depth &&
                           exit.outer.block == real.outer.block && (!real.handler || real.handler == handler.block);
  if (!is_own_exit) {
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

// Returns whether the statements only assign constants and generated variables to generated variables.
bool cannot_raise(const Dispatcher& d, const Block& block) {
  const auto is_generated = [&](ExprId e) {
    const auto* n = std::get_if<ast::Name>(&d.unit.ast.exprs[e].node);
    return n != nullptr && d.unit.ast.text(n->id).starts_with(d.unit.options.temp_prefix);
  };
  const auto known = [&](ExprId e) { return is_generated(e) || ast::is_constant(d.unit.ast, e); };
  return std::all_of(block.begin(), block.end(), [&](StmtId s) {
    const auto* a = std::get_if<ast::Assign>(&d.unit.ast.stmts[s].node);
    return a != nullptr && known(a->value) && std::all_of(a->targets.begin(), a->targets.end(), is_generated);
  });
}

// Returns whether the handler of each `with` statement was found, and blocks nest no deeper than CPython allows.
bool can_write_withs(const Dispatcher& d) {
  if (d.withs.empty()) return true;
  for (const auto& [arm, with] : d.withs)
    if (with.swallow_target == kNoArm) return false;
  return std::all_of(d.arms.begin(), d.arms.end(),
                     [](const ArmInfo& info) { return !info.entry || info.entry->level <= kMaxLevel; });
}

// Writes `with s1 as s2: <loop over its states>`. After it, sets `pc`: if the body was left by an edge, to the state in
// `w<level>`; if __exit__ swallowed an exception, to the state after the statement's handler.
Block with_statement(Dispatcher& d, std::uint32_t head, const Block& loop) {
  const std::uint32_t body = d.heads[head].with;
  const RealWith& real = d.withs.at(body);
  const auto& with_state = d.arms[body].entry->withs.back();
  const auto slot = [&](std::uint32_t depth) { return d.name(d.slot(depth)); };
  const auto number = [&](std::uint32_t of) { return d.number(d.heads[of].number); };
  ast::With with;
  with.is_async = with_state.is_async;
  const Arm& begins = d.arms[body].arm;  // often begins with a POP_TOP of the result of __enter__
  const auto& code = d.cfg.blocks[begins.block].code;
  const bool dropped = begins.first < begins.last && code[begins.first].op == Op::POP_TOP;
  with.items.push_back({slot(with_state.depth), dropped ? ExprId{} : slot(real.target)});
  with.body = {d.set(slot(with_state.depth), d.none())};
  with.body.insert(with.body.end(), loop.begin(), loop.end());
  Block after = clear_dead(d, real.live, d.arms[real.swallow_target].live);
  after.push_back(d.set(d.var("pc"), number(d.head_by_arm.at(real.swallow_target))));
  const auto has_left = d.make(ast::Compare{d.var("pc"), {ast::CompareOperator::kEq}, {number(head)}});
  const auto then = d.set(d.var("pc"), d.var("w" + std::to_string(with_state.level)));
  return {d.set(d.var("pc"), number(d.head_by_arm.at(body))), d.stmt(std::move(with)), d.when(has_left, {then}, after)};
}

}  // namespace depyf::fallback
