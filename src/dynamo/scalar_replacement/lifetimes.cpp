// SPDX-License-Identifier: MIT
// Our variables hold nothing across a call that the original had let go: such a variable is deleted before the call.
//
// Liveness and assignment of our variables over the finished lines. A value that its module holds (a global) is free. A
// deletion goes between statements; a list that takes the last use and is itself an argument gets a variable first, so
// that there is a place. Where the variable may have no value at the place, None takes the value's place instead. What a
// statement that raises had in hand stays in its variable: a handler that began by letting go of it would be no user's.
#include <algorithm>

#include "dynamo/scalar_replacement/regenerate.h"

namespace depyf::dynamo {

namespace {

using Set = std::vector<bool>;

// Of which variables a fact holds in a line.
Set of_line(const std::vector<Set>& fact, std::uint32_t line) {
  Set out(fact.size());
  for (std::size_t v = 0; v < fact.size(); ++v) out[v] = fact[v][line];
  return out;
}

}  // namespace

void Regenerator::insert_delete(Line& line, const Boundary& place, std::uint32_t variable) const {
  Instruction del = local(Op::DELETE_FAST, f_.locals + variable);
  del.offset = line.code[place.at > 0 ? place.at - 1 : 0].insn.offset;
  line.code.insert(line.code.begin() + static_cast<std::ptrdiff_t>(place.at), {del, nullptr});
  const auto next = std::upper_bound(line.boundaries.begin(), line.boundaries.end(), place.at,
                                     [](std::size_t at, const Boundary& b) { return at < b.at; });
  for (auto b = next; b != line.boundaries.end(); ++b) ++b->at;
  line.boundaries.insert(next, {place.at + 1, place.physical});
}

// In the other lines that use the variable for the last time it ends there, so that no loop and no handler begins with
// its deletion.
bool Regenerator::delete_where_used(std::uint32_t line, std::uint32_t variable, const std::vector<Set>& live_out) {
  bool any = false;
  for (std::uint32_t l = 0; l < lines_.size(); ++l) {
    Line& holder = lines_[l];
    if (l == line || live_out[variable][l]) continue;
    const auto last = std::find_if(holder.code.rbegin(), holder.code.rend(),
                                   [&](const auto& item) { return variable_of(item.insn) == variable; });
    if (last == holder.code.rend() || last->insn.op == Op::DELETE_FAST) continue;
    const auto from = static_cast<std::size_t>(holder.code.rend() - last);  // after it
    const auto place = std::find_if(holder.boundaries.begin(), holder.boundaries.end(), [&](const Boundary& b) {
      const bool falls_through =
          holder.jump == kNone && holder.fall != kNone;  // at its end: only where it falls through
      return b.at >= from && b.physical == holder.depth && (b.at < holder.code.size() || falls_through);
    });
    if (place == holder.boundaries.end()) continue;
    insert_delete(holder, Boundary(*place), variable);
    any = true;
  }
  return any;
}

Outcome Regenerator::mend(std::uint32_t l, std::size_t at, std::uint32_t variable) {
  Line& line = lines_[l];
  const auto index = f_.locals + variable;
  std::size_t from = 0;  // after the last use
  for (std::size_t i = 0; i < at; ++i)
    if (line.code[i].insn.op == Op::LOAD_FAST && line.code[i].insn.arg == index) from = i + 1;
  // the last place between statements before the one that calls
  const auto after_it = std::upper_bound(line.boundaries.begin(), line.boundaries.end(), at,
                                         [](std::size_t here, const Boundary& b) { return here < b.at; });
  if (after_it != line.boundaries.begin() && std::prev(after_it)->at >= from) {
    insert_delete(line, Boundary(*std::prev(after_it)), variable);
    return Outcome::kDone;
  }
  // The last use is part of the very statement: what was made of it becomes a statement of its own.
  const Val v = value_of_[variable];
  for (const auto& op : f_.blocks[line.source].operations) {
    const bool uses = std::any_of(op.operands.begin(), op.operands.end(), [&](const auto& o) { return o.value == v; });
    if (uses && op.results.size() == 1 && demands_.stored.insert(f_.values[op.results[0]].site).second)
      return Outcome::kAgain;
  }
  return Outcome::kGiveUp;
}

// Which of our variables an instruction is about.
std::uint32_t Regenerator::variable_of(const Instruction& i) const {
  const bool local_op = i.op == Op::LOAD_FAST || i.op == Op::STORE_FAST || i.op == Op::DELETE_FAST;
  return local_op && i.arg >= f_.locals ? i.arg - f_.locals : kNone;
}

template <class Visit>
void Regenerator::each_successor(std::uint32_t line, const Visit& visit) const {
  if (lines_[line].fall != kNone) visit(lines_[line].fall, false);
  if (lines_[line].jump != kNone) visit(lines_[line].jump, false);
  if (const auto& h = cfg_.blocks[BlockId{lines_[line].source}].handler; h.block.valid()) visit(h.block.n, true);
}

// Three data flows of one variable: what is done to it changes those of no other.
void Regenerator::follow_variable(std::uint32_t v, Lifetimes& facts) const {
  struct Uses {
    Op first = Op::NOP, last = Op::NOP;  // the last that is no load
    bool deleted = false;
  };
  std::vector<Uses> uses(lines_.size());
  for (auto* fact : {&facts.live, &facts.live_out, &facts.may}) (*fact)[v].assign(lines_.size(), false);
  facts.must[v].assign(lines_.size(), true);
  auto &live = facts.live[v], &may = facts.may[v], &must = facts.must[v];
  for (const auto l : facts.users[v]) {
    for (const auto& item : lines_[l].code) {
      if (variable_of(item.insn) != v) continue;
      if (uses[l].first == Op::NOP) uses[l].first = item.insn.op;
      if (item.insn.op != Op::LOAD_FAST) uses[l].last = item.insn.op;
      uses[l].deleted = uses[l].deleted || item.insn.op == Op::DELETE_FAST;
    }
  }
  std::vector<std::uint32_t> todo;
  const auto take = [&] {
    const auto l = todo.back();
    todo.pop_back();
    return l;
  };
  for (const auto l : facts.users[v])
    if (uses[l].first == Op::LOAD_FAST) todo.push_back(l), live[l] = true;
  while (!todo.empty()) {
    for (const auto before : facts.predecessors[take()]) {
      facts.live_out[v][before] = true;
      if (uses[before].first == Op::NOP && !live[before]) todo.push_back(before), live[before] = true;
    }
  }
  for (const auto l : facts.users[v])
    if (uses[l].last == Op::STORE_FAST) todo.push_back(l);
  while (!todo.empty()) {
    for (const auto& [after, raised] : facts.successors[take()]) {
      if (raised || may[after]) continue;
      may[after] = true;
      if (uses[after].last == Op::NOP) todo.push_back(after);
    }
  }
  must[0] = false;
  todo.push_back(0);
  for (const auto l : facts.users[v])
    if (uses[l].deleted) todo.push_back(l);
  while (!todo.empty()) {
    const auto l = take();
    const bool always = must[l] && !uses[l].deleted;  // all the way, not only at its end
    const bool all = uses[l].last == Op::NOP ? must[l] : uses[l].last == Op::STORE_FAST;
    for (const auto& [after, raised] : facts.successors[l])
      if ((!all || (raised && !always)) && must[after]) todo.push_back(after), must[after] = false;
  }
}

// The first call of a line across which a variable holds a value that nobody wants any more, and the variable.
std::optional<std::pair<std::size_t, std::uint32_t>> Regenerator::first_held(std::uint32_t l,
                                                                             const Lifetimes& facts) const {
  const auto n = static_cast<std::uint32_t>(value_of_.size());
  const auto& code = lines_[l].code;
  Set some = of_line(facts.may, l);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto& item = code[i];
    if (const auto v = variable_of(item.insn); v != kNone && item.insn.op != Op::LOAD_FAST)
      some[v] = item.insn.op == Op::STORE_FAST;
    if (item.call == nullptr) continue;
    for (std::uint32_t v = 0; v < n; ++v) {
      if (!some[v] || f_.values[value_of_[v]].is_global || item.call->held.contains(value_of_[v])) continue;
      const auto use = std::find_if(code.begin() + static_cast<std::ptrdiff_t>(i) + 1, code.end(),
                                    [&](const auto& later) { return variable_of(later.insn) == v; });
      if (use != code.end() ? use->insn.op == Op::LOAD_FAST : bool{facts.live_out[v][l]}) continue;
      return std::pair{i, v};
    }
  }
  return std::nullopt;
}

// A deletion makes no other variable, and no line before it, hold a value for longer.
Outcome Regenerator::check_lifetimes() {
  const auto n = static_cast<std::uint32_t>(value_of_.size());
  const std::vector<Set> none(n);
  Lifetimes facts{none, none, none, none, std::vector<std::set<std::uint32_t>>(n), {}, {}};
  facts.successors.resize(lines_.size());
  facts.predecessors.resize(lines_.size());
  for (std::uint32_t l = 0; l < lines_.size(); ++l) {
    each_successor(l, [&](std::uint32_t after, bool raised) {
      facts.successors[l].push_back({after, raised});
      facts.predecessors[after].push_back(l);
    });
    for (const auto& item : lines_[l].code)
      if (const auto v = variable_of(item.insn); v != kNone) facts.users[v].insert(l);
  }
  for (std::uint32_t v = 0; v < n; ++v) follow_variable(v, facts);
  std::size_t mended = 0;
  for (std::uint32_t l = 0; l < lines_.size(); ++l) {
    while (const auto held = first_held(l, facts)) {
      const auto [at, v] = *held;
      const auto outcome = delete_where_used(l, v, facts.live_out) ? Outcome::kDone : mend(l, at, v);
      if (outcome != Outcome::kDone) return outcome;
      facts.users[v].insert(l);
      if (++mended == 1000) return Outcome::kGiveUp;
      follow_variable(v, facts);
    }
  }
  for (std::uint32_t l = 0; l < lines_.size(); ++l) store_none(lines_[l], of_line(facts.must, l));
  return Outcome::kDone;
}

// Deletions of variables that may have no value there; `assigned` are those that have one on entry.
void Regenerator::store_none(Line& line, std::vector<bool> assigned) {
  for (std::size_t i = 0; i < line.code.size(); ++i) {
    auto& insn = line.code[i].insn;
    const auto v = variable_of(insn);
    if (v == kNone || insn.op == Op::LOAD_FAST) continue;
    const bool had = assigned[v];
    assigned[v] = insn.op == Op::STORE_FAST;
    if (insn.op != Op::DELETE_FAST || had) continue;
    insn.op = Op::STORE_FAST;
    Instruction none = insn;
    none.op = Op::LOAD_COMMON_CONSTANT;
    none.arg = static_cast<std::uint32_t>(CommonConstant::kNone);
    line.code.insert(line.code.begin() + static_cast<std::ptrdiff_t>(i++), {none, nullptr});
  }
}

}  // namespace depyf::dynamo
