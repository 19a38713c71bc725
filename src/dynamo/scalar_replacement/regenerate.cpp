// SPDX-License-Identifier: MIT
// Regenerator: use counts, expressions, statements and the resulting graph; see regenerate.h.
#include "dynamo/scalar_replacement/regenerate.h"

#include <algorithm>

#include "cfg/analysis.h"

namespace depyf::dynamo {

namespace {

constexpr std::uint32_t kSeveral = kNone - 1;

bool leaves_function(Op op) { return op == Op::RETURN_VALUE || op == Op::RAISE_VARARGS || op == Op::RERAISE; }

bool is_branch(Op op) {
  return op == Op::POP_JUMP_IF_FALSE || op == Op::POP_JUMP_IF_TRUE || op == Op::POP_JUMP_IF_NONE ||
         op == Op::POP_JUMP_IF_NOT_NONE;
}

// Returns whether the operation consumes an unpacked item or a loop's item directly from the stack, as source can.
bool consumes_leaf(Op op) { return stores_name(op) || op == Op::POP_TOP; }

Instruction local(Op op, std::uint32_t index) { return {.op = op, .arg = index}; }

// Returns the index of the operand's pending entry, or the number of entries if it has a home or is not pending.
std::size_t pending_index(const std::vector<Pending>& pending, const Operand& o) {
  for (std::size_t i = 0; i < pending.size(); ++i)
    if (pending[i].value == o.value && (o.home == kNone || pending[i].physical)) return i;
  return pending.size();
}

}  // namespace

// ---------------------------------------------------------------- use counts
// Counts uses, starting from the operations that must be kept: uses by unused containers, phis and variables are none.
void Regenerator::count_uses() {
  uses_.assign(f_.values.size(), 0);
  held_on_entry_.assign(f_.blocks.size(), {});
  for (Val v = 0; v < f_.values.size(); ++v)
    if (const Value& x = f_.values[v]; x.kind == Kind::kHeld && (x.site >> 63U) != 0 && x.block < f_.blocks.size())
      held_on_entry_[x.block].push_back(v);
  used_in_.assign(f_.values.size(), kNone);
  std::map<Val, std::pair<std::uint32_t, const Operation*>> makers;
  std::map<Val, std::pair<std::uint32_t, std::uint32_t>> phis;
  std::vector<std::vector<std::pair<std::uint32_t, const std::vector<Operand>*>>> preds(f_.blocks.size());
  for (std::uint32_t b = 0; b < f_.blocks.size(); ++b) {
    for (const auto& op : f_.blocks[b].operations)
      if (op.pure && op.results.size() == 1) makers[op.results[0]] = {b, &op};
    for (const auto& [depth, v] : f_.blocks[b].phis) phis[v] = {b, depth};
    const auto& block = cfg_.blocks[BlockId{b}];
    if (block.fall.valid()) preds[block.fall.n].emplace_back(b, &f_.blocks[b].exit);
    if (block.jump.valid() && block.jump != block.fall) preds[block.jump.n].emplace_back(b, &f_.blocks[b].jump_exit);
  }
  std::vector<std::pair<Val, std::uint32_t>> todo;
  const auto use = [&](const Operand& o, std::uint32_t block) {
    if (o.home == kNone && o.value < f_.values.size()) todo.emplace_back(o.value, block);
  };
  for (std::uint32_t b = 0; b < f_.blocks.size(); ++b)
    for (const auto& op : f_.blocks[b].operations)
      if (!op.pure)
        for (const auto& o : op.operands) use(o, b);
  while (!todo.empty()) {
    const auto [v, block] = todo.back();
    todo.pop_back();
    used_in_[v] = used_in_[v] == kNone || used_in_[v] == block ? block : kSeveral;
    if (++uses_[v] > 1) continue;
    if (auto it = makers.find(v); it != makers.end())
      for (const auto& o : it->second.second->operands) use(o, it->second.first);
    if (auto it = phis.find(v); it != phis.end())
      for (const auto& [p, stack] : preds[it->second.first])
        if (it->second.second < stack->size()) use((*stack)[it->second.second], p);
  }
}

bool Regenerator::needs_variable(Val v) const {
  const Value& x = f_.values[v];
  if (x.kind == Kind::kPhi || x.kind == Kind::kHeld) return true;
  return uses_[v] > 1 || demands_.stored.contains(x.site) || (uses_[v] == 1 && used_in_[v] != x.block);
}

std::uint32_t Regenerator::variable(Val v) {
  if (auto it = variables_.find(v); it != variables_.end()) return it->second;
  const auto index = f_.locals + static_cast<std::uint32_t>(variables_.size());
  value_of_.push_back(v);
  return variables_[v] = index;
}

std::uint32_t Regenerator::physical_count(const std::vector<Val>& stack, std::size_t depth) const {
  std::uint32_t n = 0;
  for (std::size_t i = 0; i < depth && i < stack.size(); ++i) n += physical(stack[i]) ? 1U : 0U;
  return n;
}

// ---------------------------------------------------------------- expressions
// Spills the expressions among the first `count` pending entries to variables.
Outcome Regenerator::spill(std::size_t count) {
  std::size_t bottom = 0;
  while (bottom < count && pending_[bottom].physical) ++bottom;
  for (std::size_t i = bottom; i < count; ++i) {
    auto& p = pending_[i];
    const auto offset = p.code.empty() ? 0 : p.code.back().insn.offset;
    line_->code.insert(line_->code.end(), p.code.begin(), p.code.end());
    emit(local(Op::STORE_FAST, variable(p.value)), offset);
    add_boundary();
  }
  pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(bottom),
                 pending_.begin() + static_cast<std::ptrdiff_t>(count));
  return Outcome::kDone;
}

// Stores loop items and unpacked items that cannot be consumed from the stack in variables, from the top downwards.
Outcome Regenerator::store_leaves(const std::vector<Operand>& operands, bool stores) {
  const auto offset = line_->code.empty() ? 0 : line_->code.back().insn.offset;
  std::size_t top = 0, lowest = pending_.size();
  while (top < pending_.size() && pending_[top].physical) ++top;
  bool has_expression = false;
  std::size_t previous = pending_.size();
  for (const auto& o : operands) {
    const auto at = pending_index(pending_, o);
    if (at >= top) {
      has_expression = true;
      continue;
    }
    const bool needs_store = f_.values[o.value].kind == Kind::kLeaf && (uses_[o.value] > 1 || !stores);
    const bool is_adjacent = previous == pending_.size() || at == previous + 1;
    if (has_expression || needs_store || !is_adjacent) lowest = std::min(lowest, std::min(at, previous));
    previous = at;
  }
  if (previous != pending_.size() && previous + 1 != top) lowest = std::min(lowest, previous);
  if (lowest >= top) return Outcome::kDone;
  for (std::size_t i = lowest; i < top; ++i)
    if (f_.values[pending_[i].value].kind != Kind::kLeaf) return Outcome::kGiveUp;
  for (std::size_t i = top; i-- > lowest;) {
    const Val v = pending_[i].value;
    emit(uses_[v] > 0 ? local(Op::STORE_FAST, variable(v)) : local(Op::POP_TOP, 0), offset);
    add_boundary();
  }
  pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(lowest),
                 pending_.begin() + static_cast<std::ptrdiff_t>(top));
  return Outcome::kDone;
}

// Makes the operands the last pending entries, in their order, by spilling as few of the first entries as possible.
// Pure entries may lie between them: a tuple of arguments is built when the call is reached, after the keywords.
Outcome Regenerator::align_pending(const std::vector<Operand>& operands, bool stores) {
  if (const auto o = store_leaves(operands, stores); o != Outcome::kDone) return o;
  std::vector<std::size_t> needed;
  for (const auto& o : operands)
    if (const auto at = pending_index(pending_, o); at < pending_.size()) needed.push_back(at);
  for (std::size_t count = 0; count <= pending_.size(); ++count) {
    std::size_t end = pending_.size();
    bool fits = true;
    for (std::size_t i = needed.size(); i-- > 0 && fits;) {
      if (needed[i] < count || pending_[needed[i]].free) continue;
      while (end > count && pending_[end - 1].free) --end;
      fits = needed[i] + 1 == end;
      end = needed[i];
    }
    if (!fits) continue;
    for (auto i : needed)
      if (i < count && pending_[i].physical) return Outcome::kGiveUp;
    return spill(count);
  }
  return Outcome::kGiveUp;
}

// Emits the code of the operands in order and removes their pending entries. Clears `free` if one of them is not pure.
Outcome Regenerator::emit_operands(const std::vector<Operand>& operands, std::uint32_t offset, Code& code, bool stores,
                                   bool* free) {
  if (const auto o = align_pending(operands, stores); o != Outcome::kDone) return o;
  std::set<std::size_t> taken;
  for (const auto& o : operands) {
    const Value& v = f_.values[o.value];
    const auto add = [&](Instruction i) {
      i.offset = offset;
      code.push_back({i, nullptr});
    };
    if (v.kind == Kind::kPure) {
      add(v.load);
      continue;
    }
    if (const auto at = pending_index(pending_, o); at < pending_.size()) {
      code.insert(code.end(), pending_[at].code.begin(), pending_[at].code.end());
      if (free != nullptr && !pending_[at].free) *free = false;
      taken.insert(at);
    } else if (o.home != kNone) {
      add(local(Op::LOAD_FAST, o.home));
    } else if (variables_.contains(o.value)) {
      add(local(Op::LOAD_FAST, variables_.at(o.value)));
    } else {
      if (!demand_variable(o.value)) return Outcome::kGiveUp;
      add(local(Op::LOAD_FAST, 0));
    }
  }
  for (auto at = taken.rbegin(); at != taken.rend(); ++at)
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(*at));
  return Outcome::kDone;
}

// ---------------------------------------------------------------- statements
void Regenerator::emit_deletes() {
  for (const auto& d : deletes_) {
    emit(d, d.offset);
    add_boundary();
  }
  deletes_.clear();
}

// Emits the postponed deletions before an operation if no expression is pending, or if the operation must not run while
// the deleted values are alive. The tuple and the dict of a call are built after the deletions, so that the printed call
// can contain them.
Outcome Regenerator::emit_deletes_before(const Operation& op) {
  if (deletes_.empty()) return Outcome::kDone;
  if (has_pending_expression()) {
    const auto* next_effect = &op;
    while (next_effect->pure && next_effect != &f_.blocks[line_->source].operations.back()) ++next_effect;
    const bool comes_after = next_effect->calls || op.results.empty() || op.insn.op == Op::LOAD_FAST;
    if (leaves_function(op.insn.op) || is_branch(op.insn.op) || !comes_after) return Outcome::kDone;
    if (const auto o = spill(pending_.size()); o != Outcome::kDone) return o;
  }
  emit_deletes();
  return Outcome::kDone;
}

// Removes the postponed deletions at the operation that ends a block: both successors of a branch begin with them, and
// returning releases every local.
Outcome Regenerator::pass_on_deletes(Op end) {
  if (deletes_.empty()) return Outcome::kDone;
  if (!leaves_function(end)) {
    const auto& b = cfg_.blocks[BlockId{line_->source}];
    const bool is_only_predecessor = preds_[b.fall.n] == 1 && preds_[b.jump.n] == 1;
    if (!is_only_predecessor) return Outcome::kGiveUp;
    inherited_deletes_[b.fall.n] = deletes_;
    inherited_deletes_[b.jump.n] = deletes_;
  }
  deletes_.clear();
  return Outcome::kDone;
}

// Appends the results that the operation leaves on the stack to the pending values. Stores the held ones that need a
// variable.
void Regenerator::push_results(const Operation& op) {
  for (Val v : op.results) {
    if (f_.values[v].kind != Kind::kHeld) {
      pending_.push_back({v, {}, true, false});
    } else if (demands_.stored.contains(f_.values[v].site)) {
      emit(local(Op::LOAD_FAST, f_.values[v].local), op.insn.offset);
      emit(local(Op::STORE_FAST, variable(v)), op.insn.offset);
    }
  }
}

// Emits one operation, or appends it to the pending expressions if a later operation will use its result.
Outcome Regenerator::operation(const Operation& op) {
  const bool is_used = op.results.size() != 1 || physical(op.results[0]) || uses_[op.results[0]] > 0;
  if (op.pure && !is_used) return Outcome::kDone;
  if (op.cannot_raise) {
    deletes_.push_back(op.insn);
    if (!has_pending_expression()) emit_deletes();
    return Outcome::kDone;
  }
  if (const auto o = emit_deletes_before(op); o != Outcome::kDone) return o;
  Code code;
  bool free = op.pure;
  if (const auto o = emit_operands(op.operands, op.insn.offset, code, consumes_leaf(op.insn.op), &free);
      o != Outcome::kDone)
    return o;
  code.push_back({op.insn, op.calls ? &op : nullptr});
  const bool is_expression = op.results.size() == 1 && f_.values[op.results[0]].kind == Kind::kResult;
  if (is_expression && is_used && !needs_variable(op.results[0])) {
    pending_.push_back({op.results[0], std::move(code), false, free});
    return Outcome::kDone;
  }
  if (const auto o = spill(pending_.size()); o != Outcome::kDone) return o;
  if (leaves_function(op.insn.op) || is_branch(op.insn.op))
    if (const auto o = pass_on_deletes(op.insn.op); o != Outcome::kDone) return o;
  if (op.insn.op == Op::SWAP) std::swap(pending_[pending_.size() - op.insn.arg], pending_.back());
  line_->code.insert(line_->code.end(), code.begin(), code.end());
  if (is_expression)
    emit(is_used ? local(Op::STORE_FAST, variable(op.results[0])) : local(Op::POP_TOP, 0), op.insn.offset);
  else
    push_results(op);
  add_boundary();
  return Outcome::kDone;
}

// Stores the values that the phis of block `to` take from this predecessor.
Outcome Regenerator::store_phis(const std::vector<Operand>& exit, std::uint32_t to) {
  std::vector<std::pair<Operand, Val>> moves;
  for (const auto& [depth, phi] : f_.blocks[to].phis)
    if (uses_[phi] > 0) moves.emplace_back(exit[depth], phi);
  bool has_overlap = false;
  for (const auto& m : moves)
    for (const auto& n : moves) has_overlap |= m.first.value == n.second && &m != &n;
  std::vector<Operand> all;
  for (const auto& m : moves) all.push_back(m.first);
  const auto offset = line_->code.empty() ? 0 : line_->code.back().insn.offset;
  if (has_overlap) {
    Code code;
    if (const auto o = spill(pending_.size()); o != Outcome::kDone) return o;
    if (const auto o = emit_operands(all, offset, code, false); o != Outcome::kDone) return o;
    line_->code.insert(line_->code.end(), code.begin(), code.end());
    for (std::size_t i = moves.size(); i-- > 0;) emit(local(Op::STORE_FAST, variable(moves[i].second)), offset);
    add_boundary();
    return Outcome::kDone;
  }
  const auto place = [&](const Operand& o) {
    for (std::size_t i = 0; i < pending_.size(); ++i)
      if (pending_[i].value == o.value) return i;
    return pending_.size();
  };
  std::stable_sort(moves.begin(), moves.end(),
                   [&](const auto& x, const auto& y) { return place(x.first) < place(y.first); });
  for (const auto& m : moves) {
    if (m.first.value == m.second) continue;
    const auto at = place(m.first);
    if (at < pending_.size() && !pending_[at].physical) {
      if (const auto o = spill(at); o != Outcome::kDone) return o;
      const auto first = static_cast<std::size_t>(
          std::find_if(pending_.begin(), pending_.end(), [](const auto& p) { return !p.physical; }) - pending_.begin());
      auto code = pending_[first].code;
      pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(first));
      line_->code.insert(line_->code.end(), code.begin(), code.end());
    } else {
      Code code;
      if (const auto o = emit_operands({m.first}, offset, code, true); o != Outcome::kDone) return o;
      if (const auto o = spill(pending_.size()); o != Outcome::kDone) return o;
      line_->code.insert(line_->code.end(), code.begin(), code.end());
    }
    emit(local(Op::STORE_FAST, variable(m.second)), offset);
    add_boundary();
  }
  return Outcome::kDone;
}

Outcome Regenerator::finish_block(std::uint32_t b) {
  const auto& block = cfg_.blocks[BlockId{b}];
  const bool branches = block.jump.valid() && block.fall.valid();
  if (!branches && block.fall.valid())
    if (const auto o = store_phis(f_.blocks[b].exit, block.fall.n); o != Outcome::kDone) return o;
  if (has_pending_expression())
    if (const auto o = spill(pending_.size()); o != Outcome::kDone) return o;
  emit_deletes();
  return Outcome::kDone;
}

Outcome Regenerator::block(std::uint32_t b) {
  line_ = &lines_[b];
  line_->source = b;
  line_->depth = physical_count(f_.blocks[b].entry, f_.blocks[b].entry.size());
  const auto& block = cfg_.blocks[BlockId{b}];
  if (block.fall.valid()) line_->fall = block.fall.n;
  if (block.jump.valid()) line_->jump = block.jump.n;
  pending_.clear();
  for (Val v : f_.blocks[b].entry)
    if (physical(v)) pending_.push_back({v, {}, true, false});
  add_boundary();
  for (const Val v : held_on_entry_[b]) {
    const Value& x = f_.values[v];
    if (uses_[v] == 0) continue;
    if (!demands_.stored.contains(x.site)) demand_variable(v);
    const auto offset = block.code.empty() ? 0 : block.code.front().offset;
    emit(local(Op::LOAD_FAST, x.local), offset);
    emit(local(Op::STORE_FAST, variable(v)), offset);
    add_boundary();
  }
  deletes_.clear();
  if (auto it = inherited_deletes_.find(b); it != inherited_deletes_.end()) {
    const auto& code = f_.blocks[b].operations;
    const bool calls = std::any_of(code.begin(), code.end(), [](const auto& op) { return op.calls; });
    const bool ends = !block.fall.valid();  // without a call before the end, no value is kept alive for longer
    if (calls || !ends) deletes_ = it->second;
  }
  for (const auto& op : f_.blocks[b].operations)
    if (const auto o = operation(op); o != Outcome::kDone) return o;
  return finish_block(b);
}

// ---------------------------------------------------------------- the graph
// Splits each edge from a branch to a block with phis, so that the stores for the phis have a block.
void Regenerator::split_edges() {
  const auto n = static_cast<std::uint32_t>(f_.blocks.size());
  for (std::uint32_t b = 0; b < n; ++b) {
    const auto& block = cfg_.blocks[BlockId{b}];
    if (!block.fall.valid() || !block.jump.valid()) continue;
    for (auto edge : {&Line::fall, &Line::jump}) {
      const auto to = lines_[b].*edge;
      const auto& phis = f_.blocks[to].phis;
      if (std::none_of(phis.begin(), phis.end(), [&](const auto& p) { return uses_[p.second] > 0; })) continue;
      Line line;
      line.source = b;
      line.fall = to;
      line.jumped = edge == &Line::jump;
      std::uint32_t depth = 0;
      for (const auto& o : line.jumped ? f_.blocks[b].jump_exit : f_.blocks[b].exit)
        depth += physical(o.value) ? 1U : 0U;
      line.depth = depth;
      lines_.push_back(line);
      lines_[b].*edge = static_cast<std::uint32_t>(lines_.size() - 1);
    }
  }
}

void Regenerator::write(Evaluated& out) const {
  out.variables = static_cast<std::uint32_t>(value_of_.size());
  for (std::uint32_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    const auto& from = cfg_.blocks[BlockId{line.source}];
    BasicBlock b = from;
    b.code.clear();
    for (const auto& item : line.code) b.code.push_back(item.insn);
    // A block with a lone NOP may be the whole protected range of a handler.
    if (i < f_.blocks.size() && b.code.empty() && from.code.size() == 1 && from.code[0].op == Op::NOP)
      b.code = from.code;
    b.fall = line.fall != kNone ? BlockId{line.fall} : BlockId{};
    b.jump = line.jump != kNone ? BlockId{line.jump} : BlockId{};
    b.entry_depth = line.depth;
    if (b.handler.block.valid()) b.handler.depth = physical_count(f_.blocks[line.source].entry, from.handler.depth);
    if (i >= f_.blocks.size()) {
      b.is_handler = false;
      if (!from.code.empty()) b.first_index += static_cast<std::uint32_t>(from.code.size()) - 1;
    }
    out.cfg.blocks.add(std::move(b));
  }
}

// Continues the attempt after a new demand, so that it collects the demands for other values too.
bool Regenerator::demand_variable(Val v) {
  must_retry_ = demands_.stored.insert(f_.values[v].site).second || must_retry_;
  return must_retry_;
}

Outcome Regenerator::run(Evaluated& out) {
  count_uses();
  preds_.assign(f_.blocks.size(), 0);
  for (std::uint32_t b = 0; b < f_.blocks.size(); ++b)
    for (BlockId s : successors(cfg_, BlockId{b}, EdgeKinds::kAll)) ++preds_[s.n];
  lines_.resize(f_.blocks.size());
  for (BlockId b : reverse_postorder(cfg_, EdgeKinds::kAll).blocks)
    if (const auto o = block(b.n); o != Outcome::kDone) return must_retry_ ? Outcome::kRetry : o;
  const auto blocks = lines_.size();
  split_edges();
  for (auto i = blocks; i < lines_.size(); ++i) {
    line_ = &lines_[i];
    pending_.clear();
    add_boundary();
    const Block& from = f_.blocks[line_->source];
    if (const auto o = store_phis(line_->jumped ? from.jump_exit : from.exit, line_->fall); o != Outcome::kDone)
      return must_retry_ ? Outcome::kRetry : o;
  }
  if (must_retry_) return Outcome::kRetry;
  if (const auto o = end_lifetimes(cfg_, f_, demands_, value_of_, lines_); o != Outcome::kDone) return o;
  write(out);
  return Outcome::kDone;
}

Outcome regenerate(const Cfg& cfg, Form& form, Demands& demands, Evaluated& out) {
  return Regenerator(cfg, form, demands).run(out);
}

}  // namespace depyf::dynamo
