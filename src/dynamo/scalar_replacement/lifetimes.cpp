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
    if (l == line || live_out[l][variable]) continue;
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

// Three data flows at once, to their fixpoint.
std::optional<Regenerator::Lifetimes> Regenerator::lifetimes() const {
  const auto n = static_cast<std::uint32_t>(value_of_.size());
  const auto count = static_cast<std::uint32_t>(lines_.size());
  Lifetimes facts{{count, Set(n, false)}, {count, Set(n, false)}, {count, Set(n, true)}, {count, Set(n, false)}};
  auto &live = facts.live, &may = facts.may, &must = facts.must, &live_out = facts.live_out;
  must[0].assign(n, false);
  bool changed = true;
  for (std::size_t pass = 0; changed; ++pass) {
    if (pass > count + 10) return std::nullopt;
    changed = false;
    for (auto l = count; l-- > 0;) {
      Set now(n, false);
      each_successor(l, [&](std::uint32_t s, bool) {
        for (std::uint32_t v = 0; v < n; ++v) now[v] = now[v] || live[s][v];
      });
      live_out[l] = now;
      for (auto i = lines_[l].code.size(); i-- > 0;) {
        const auto v = variable_of(lines_[l].code[i].insn);
        if (v != kNone) now[v] = lines_[l].code[i].insn.op == Op::LOAD_FAST;
      }
      if (now != live[l]) changed = true;
      live[l] = std::move(now);
    }
    for (std::uint32_t l = 0; l < count; ++l) {
      Set some = may[l], all = must[l], always = must[l];  // at its end; all the way
      for (const auto& item : lines_[l].code) {
        const auto v = variable_of(item.insn);
        if (v == kNone || item.insn.op == Op::LOAD_FAST) continue;
        some[v] = all[v] = item.insn.op == Op::STORE_FAST;
        if (!all[v]) always[v] = false;
      }
      each_successor(l, [&](std::uint32_t s, bool raised) {
        for (std::uint32_t v = 0; v < n; ++v) {
          if (!raised && some[v] && !may[s][v]) may[s][v] = changed = true;
          if ((!all[v] || (raised && !always[v])) && must[s][v]) {
            must[s][v] = false;
            changed = true;
          }
        }
      });
    }
  }
  return facts;
}

// The first call across which a variable holds a value that nobody wants any more is mended; nothing: there is none.
std::optional<Outcome> Regenerator::mend_first(const Lifetimes& facts) {
  const auto n = static_cast<std::uint32_t>(value_of_.size());
  for (std::uint32_t l = 0; l < lines_.size(); ++l) {
    const auto& code = lines_[l].code;
    Set some = facts.may[l];
    for (std::size_t i = 0; i < code.size(); ++i) {
      const auto& item = code[i];
      if (const auto v = variable_of(item.insn); v != kNone && item.insn.op != Op::LOAD_FAST)
        some[v] = item.insn.op == Op::STORE_FAST;
      if (item.call == nullptr) continue;
      for (std::uint32_t v = 0; v < n; ++v) {
        if (!some[v] || f_.values[value_of_[v]].is_global || item.call->held.contains(value_of_[v])) continue;
        const auto use = std::find_if(code.begin() + static_cast<std::ptrdiff_t>(i) + 1, code.end(),
                                      [&](const auto& later) { return variable_of(later.insn) == v; });
        if (use != code.end() ? use->insn.op == Op::LOAD_FAST : bool{facts.live_out[l][v]}) continue;
        return delete_where_used(l, v, facts.live_out) ? Outcome::kDone : mend(l, i, v);
      }
    }
  }
  return std::nullopt;
}

Outcome Regenerator::check_lifetimes() {
  for (std::size_t round = 0; round < 1000; ++round) {
    const auto facts = lifetimes();
    if (!facts) return Outcome::kGiveUp;
    if (const auto mended = mend_first(*facts)) {
      if (*mended != Outcome::kDone) return *mended;
      continue;
    }
    for (std::uint32_t l = 0; l < lines_.size(); ++l) store_none(lines_[l], facts->must[l]);
    return Outcome::kDone;
  }
  return Outcome::kGiveUp;
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
