// SPDX-License-Identifier: MIT
// Abstract interpretation over blocks: what the stack and the locals hold, and where control flow joins.
//
// Visits the blocks in reverse postorder. At a join, different values of a stack entry become a phi. A virtual
// container whose items differ between the predecessors must be materialized at its BUILD_ instruction
// (Demands::eager), and the interpretation starts again. A handler is entered with the stack entries that stay the same
// throughout its protected range; if the range changes which of them are physical, the pass gives up.
// Invariant: a state refers only to values that are defined on every path to it.
#include "cfg/analysis.h"
#include "code/fast_locals.h"
#include "dynamo/scalar_replacement/interpreter.h"

namespace depyf::dynamo {

Outcome Interpreter::run() {
  const auto blocks = cfg_.blocks.size();
  f_.blocks.resize(blocks);
  incoming_.resize(blocks);
  entries_.resize(blocks);
  done_.assign(blocks, false);
  f_.locals = static_cast<std::uint32_t>(local_names(co_).size());
  find_temporaries();
  incoming_[0].push_back(first_state());
  for (BlockId b : reverse_postorder(cfg_, EdgeKinds::kAll).blocks) {
    const auto o = visit(b.n);
    if (o != Outcome::kDone) return must_retry_ ? Outcome::kRetry : o;
  }
  return must_retry_ ? Outcome::kRetry : Outcome::kDone;
}

void Interpreter::find_temporaries() {
  if (!by_dynamo_) return;
  const auto& names = local_names(co_);
  const auto temporaries = temporaries_of_dynamo(co_);
  for (std::uint32_t i = 0; i < names.size(); ++i)
    if (temporaries.contains(names[i])) temporaries_.insert(i);
  for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b)
    for (const auto& i : cfg_.blocks[BlockId{b}].code) {
      if (i.op == Op::LOAD_FAST) loaded_locals_.insert(i.arg);
      if (i.op == Op::LOAD_FAST_AND_CLEAR) temporaries_.erase(i.arg);
    }
  for (const std::uint32_t x : demands_.locals) temporaries_.erase(x);
}

State Interpreter::first_state() {
  State s;
  s.locals.assign(f_.locals, kUnbound);
  std::uint32_t n = co_.argcount + co_.kwonlyargcount;
  if ((co_.flags & kCoVarArgs) != 0) ++n;
  if ((co_.flags & kCoVarKeywords) != 0) ++n;
  for (std::uint32_t i = 0; i < n && i < f_.locals; ++i) {
    const bool cell = is_of_kind(co_, i, kFastCell | kFastFree);
    const bool old_cell = co_.localsplus.empty() && i < co_.varnames.size() &&
                          std::find(co_.cellvars.begin(), co_.cellvars.end(), co_.varnames[i]) != co_.cellvars.end();
    if (!cell && !old_cell) s.locals[i] = kVaries;
  }
  return s;
}

Outcome Interpreter::visit(std::uint32_t b) {
  block_ = b;
  materialized_.clear();
  at_ = 0;
  results_ = 0;
  insn_ = nullptr;
  if (incoming_[b].empty()) return Outcome::kGiveUp;
  if (const auto o = merge(); o != Outcome::kDone) return o;
  entries_[b] = s_;
  f_.blocks[b].entry = s_.stack;
  done_[b] = true;
  incoming_[b].clear();
  const auto& block = cfg_.blocks[BlockId{b}];
  handler_stack_ = std::vector<Val>(
      s_.stack.begin(),
      s_.stack.begin() + std::min<std::ptrdiff_t>(block.handler.depth, static_cast<std::ptrdiff_t>(s_.stack.size())));
  changed_locals_.clear();
  jump_stack_.reset();
  for (at_ = 0; at_ < block.code.size(); ++at_) {
    insn_ = &block.code[at_];
    results_ = 0;
    if (const auto o = step(); o != Outcome::kDone) return o;
    if (used_lost_site_) return demand_eager_for_lost() ? Outcome::kRetry : Outcome::kGiveUp;
    if (dict_escaped_) return Outcome::kRetry;
    for (std::size_t d = 0; d < handler_stack_.size(); ++d)
      if (!is(handler_stack_[d], Kind::kLost) && (d >= s_.stack.size() || s_.stack[d] != handler_stack_[d])) {
        const bool stays = is_physical(handler_stack_[d]);
        if (stays != (d < s_.stack.size() && is_physical(s_.stack[d]))) return Outcome::kGiveUp;
        handler_stack_[d] = stays ? result(Kind::kPinned) : lost_copy(handler_stack_[d]);
      }
  }
  for (Val v : s_.stack) f_.blocks[b].exit.push_back({v, home_of(v)});
  for (Val v : jump_stack_ ? *jump_stack_ : s_.stack) f_.blocks[b].jump_exit.push_back({v, home_of(v)});
  if (block.handler.block.valid()) {
    if (const auto o = pass_state_to_handler(block.handler); o != Outcome::kDone) return o;
  }
  if (block.fall.valid())
    if (const auto o = pass_state(block.fall.n, s_); o != Outcome::kDone) return o;
  if (block.jump.valid()) {
    State other = s_;
    if (jump_stack_) other.stack = *jump_stack_;
    if (const auto o = pass_state(block.jump.n, std::move(other)); o != Outcome::kDone) return o;
  }
  return Outcome::kDone;
}

// Continues the attempt after a new demand, so that it collects the demands of all other joins too.
bool Interpreter::demand_eager_and_continue(const std::vector<Val>& values) {
  must_retry_ = demand_eager(values) || must_retry_;
  return must_retry_;
}

// Returns whether a value is the NULL that CPython pushes below the arguments of a call.
bool Interpreter::is_null(Val v) const { return is(v, Kind::kPure) && f_.values[v].load.op == Op::PUSH_NULL; }

// Joins entry `d` of the stacks of the predecessors: equal values, lost ones, values on the physical stack, or a phi.
// nullopt: gives up.
std::optional<Val> Interpreter::merge_entry(const std::vector<State>& in, std::uint32_t d) {
  const Val first = in[0].stack[d];
  const auto any = [&](auto test) {
    return std::any_of(in.begin(), in.end(), [&](const State& s) { return test(s.stack[d]); });
  };
  if (!demands_.phis.contains({block_, d}) && !any([&](Val v) { return v != first; })) return first;
  const bool has_physical = any([&](Val v) { return is_physical(v); });
  if (any([&](Val v) { return is(v, Kind::kLost); }))
    return has_physical ? std::nullopt : std::optional(lost_copy(first));
  std::vector<Val> virtuals;
  for (const auto& s : in)
    if (is(s.stack[d], Kind::kVirtual)) virtuals.push_back(s.stack[d]);
  if (!virtuals.empty() && !demand_eager_and_continue(virtuals)) return std::nullopt;
  if (has_physical) {
    if (any([&](Val v) { return !is_physical(v); })) return std::nullopt;
    return result(Kind::kPinned);
  }
  if (any([&](Val v) { return is_null(v); }) || cfg_.blocks[BlockId{block_}].is_handler) return std::nullopt;
  Value v;
  v.kind = Kind::kPhi;
  v.site = (Site{1} << 62U) | (Site{block_} << 32U) | d;
  return f_.blocks[block_].phis[d] = add(v);
}

// Joins the contents of the virtual containers that can be reached from the joined stack. nullopt: gives up.
std::optional<std::map<Val, std::vector<Val>>> Interpreter::merge_containers(const std::vector<State>& in,
                                                                             std::vector<Val> todo) {
  std::map<Val, std::vector<Val>> heap;
  while (!todo.empty()) {
    const Val v = todo.back();
    todo.pop_back();
    if (!is(v, Kind::kVirtual) || heap.contains(v)) continue;
    const auto& items = in[0].heap.at(v);
    for (const auto& s : in)
      if (s.heap.at(v) != items && !demand_eager_and_continue({v})) return std::nullopt;
    heap[v] = items;
    todo.insert(todo.end(), items.begin(), items.end());
  }
  return heap;
}

// Joins the states of the visited predecessors into s_.
Outcome Interpreter::merge() {
  auto& in = incoming_[block_];
  State m = in[0];
  for (const auto& s : in)
    if (s.stack.size() != m.stack.size()) return Outcome::kGiveUp;
  for (std::uint32_t d = 0; d < m.stack.size(); ++d) {
    const auto joined = merge_entry(in, d);
    if (!joined) return Outcome::kGiveUp;
    m.stack[d] = *joined;
  }
  for (std::uint32_t x = 0; x < m.locals.size(); ++x) {
    bool differ = demands_.varying.contains({block_, x}), unbound = demands_.unbound.contains({block_, x});
    for (const auto& s : in) {
      differ |= s.locals[x] != m.locals[x] || s.locals[x] == kVaries;
      unbound |= s.locals[x] == kUnbound;
    }
    if (unbound)
      m.locals[x] = kUnbound;
    else if (differ)
      m.locals[x] = temporaries_.contains(x) ? kVaries : held_local(x);
  }
  auto heap = merge_containers(in, m.stack);
  if (!heap) return Outcome::kGiveUp;
  m.heap = std::move(*heap);
  s_ = std::move(m);
  return Outcome::kDone;
}

// Passes the state at the end of this block on to a successor.
Outcome Interpreter::pass_state(std::uint32_t to, State s) {
  if (!done_[to]) {
    incoming_[to].push_back(std::move(s));
    return Outcome::kDone;
  }
  // A back edge: the state that the block was interpreted with must cover this one.
  const State& e = entries_[to];
  if (e.stack.size() != s.stack.size()) return Outcome::kGiveUp;
  const auto before = demands_.size();
  for (std::uint32_t d = 0; d < s.stack.size(); ++d) {
    if (!is(e.stack[d], Kind::kLost) && (is(s.stack[d], Kind::kVirtual) || is(e.stack[d], Kind::kVirtual))) {
      if (s.stack[d] != e.stack[d] || s.heap.at(s.stack[d]) != e.heap.at(e.stack[d]))
        demand_eager({s.stack[d], e.stack[d]});
      for (Val item : e.heap.contains(e.stack[d]) ? e.heap.at(e.stack[d]) : std::vector<Val>{}) demand_eager({item});
      continue;
    }
    if (f_.blocks[to].phis.contains(d) || s.stack[d] == e.stack[d]) continue;
    if (is(e.stack[d], Kind::kLost) || (is_physical(s.stack[d]) && is_physical(e.stack[d]))) continue;
    if (is_physical(s.stack[d]) || is_physical(e.stack[d])) return Outcome::kGiveUp;
    demands_.phis.insert({to, d});
  }
  for (std::uint32_t x = 0; x < s.locals.size(); ++x) {
    if (e.locals[x] == kUnbound || e.locals[x] == s.locals[x]) continue;
    if (s.locals[x] == kUnbound)
      demands_.unbound.insert({to, x});
    else if (e.locals[x] != kVaries && !(is(e.locals[x], Kind::kHeld) && f_.values[e.locals[x]].block == to))
      demands_.varying.insert({to, x});
  }
  return demands_.size() == before ? Outcome::kDone : Outcome::kRetry;
}

// Passes the state that an exception in this block may leave on to its handler.
Outcome Interpreter::pass_state_to_handler(const Handler& h) {
  State s = entries_[block_];
  for (const auto& [x, bound] : changed_locals_)
    if (x < s.locals.size()) s.locals[x] = bound && s.locals[x] != kUnbound ? kVaries : kUnbound;
  s.stack = handler_stack_;
  for (auto& v : s.stack) {  // a container's items must not have changed since the block's entry
    std::vector<Val> todo{v};
    for (std::size_t i = 0; i < todo.size(); ++i) {
      if (!is(todo[i], Kind::kVirtual)) continue;
      const auto now = s_.heap.find(todo[i]), then = s.heap.find(todo[i]);
      if (now == s_.heap.end() || then == s.heap.end() || now->second != then->second || i > 10000) {
        v = lost_copy(v);
        break;
      }
      todo.insert(todo.end(), then->second.begin(), then->second.end());
    }
  }
  const auto n = dialect_.handler_pushes_six ? 6U : (h.lasti ? 2U : 1U);
  const auto at = at_;
  for (std::uint32_t i = 0; i < n; ++i) s.stack.push_back(result(Kind::kPinned));
  at_ = at;
  return pass_state(h.block.n, std::move(s));
}

Outcome interpret(const CodeTree& tree, CodeId code, const Dialect& dialect, const Cfg& cfg, Containers containers,
                  Demands& demands, Form& form) {
  return Interpreter(tree, code, dialect, cfg, containers, demands, form).run();
}

}  // namespace depyf::dynamo
