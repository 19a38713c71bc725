// SPDX-License-Identifier: MIT
// Limits the lifetimes of new variables: a variable is deleted before a call across which the original code no longer
// kept its value alive. Otherwise tensors would stay in memory during the call.
//
// Works on the finished lines with data flow of liveness and assignment. Values that a module keeps alive are exempt. A
// deletion can only stand between statements; if the last use is in the same statement as the call, the use's result is
// stored in a variable first (Demands::stored). A deletion of a variable that may be unbound becomes a store of None.
// Values that a raising statement uses stay in their variables: no user would write a handler that begins with a `del`.
#include <algorithm>

#include "dynamo/scalar_replacement/lines.h"

namespace depyf::dynamo {

namespace {

using Set = std::vector<bool>;

// Returns, by variable, whether the fact holds in the line.
Set facts_of_line(const std::vector<Set>& fact, std::uint32_t line) {
  Set out(fact.size());
  for (std::size_t v = 0; v < fact.size(); ++v) out[v] = fact[v][line];
  return out;
}

class Lifetimes {
 public:
  Lifetimes(const Cfg& cfg, const Form& form, Demands& demands, const std::vector<Val>& value_of,
            std::vector<Line>& lines)
      : cfg_(cfg), f_(form), demands_(demands), value_of_(value_of), lines_(lines) {}

  Outcome run();

 private:
  [[nodiscard]] std::uint32_t variable_of(const Instruction& i) const;
  struct Uses {                          // of one variable in a line
    Op first = Op::NOP, last = Op::NOP;  // the last one that is no load; NOP: none
    bool deleted = false;
  };
  void solve_data_flow(std::uint32_t variable);
  void solve_live(std::uint32_t variable, const std::vector<Uses>& uses);
  void solve_may_be_assigned(std::uint32_t variable, const std::vector<Uses>& uses);
  void solve_must_be_assigned(std::uint32_t variable, const std::vector<Uses>& uses);
  [[nodiscard]] std::optional<std::pair<std::size_t, std::uint32_t>> first_dead_value(std::uint32_t line) const;
  void insert_delete(Line& line, const Boundary& place, std::uint32_t variable) const;
  bool delete_after_last_uses(std::uint32_t line, std::uint32_t variable);
  Outcome delete_before_call(std::uint32_t line, std::size_t at, std::uint32_t variable);
  void replace_unbound_deletes(Line& line, Set assigned) const;

  const Cfg& cfg_;
  const Form& f_;
  Demands& demands_;
  const std::vector<Val>& value_of_;  // by variable
  std::vector<Line>& lines_;          // by block, then split edges
  // By variable and line: live on entry; may be, must be assigned on entry; live at the end.
  std::vector<Set> live_, may_, must_, live_out_;
  std::vector<std::set<std::uint32_t>> users_;                           // by variable: the lines that refer to it
  std::vector<std::vector<std::pair<std::uint32_t, bool>>> successors_;  // by line; true for an exception edge
  std::vector<std::vector<std::uint32_t>> predecessors_;
};

void Lifetimes::insert_delete(Line& line, const Boundary& place, std::uint32_t variable) const {
  Instruction del;
  del.op = Op::DELETE_FAST;
  del.arg = f_.locals + variable;
  del.offset = line.code[place.at > 0 ? place.at - 1 : 0].insn.offset;
  line.code.insert(line.code.begin() + static_cast<std::ptrdiff_t>(place.at), {del, nullptr});
  const auto next = std::upper_bound(line.boundaries.begin(), line.boundaries.end(), place.at,
                                     [](std::size_t at, const Boundary& b) { return at < b.at; });
  for (auto b = next; b != line.boundaries.end(); ++b) ++b->at;
  line.boundaries.insert(next, {place.at + 1, place.physical});
}

// Deletes the variable in the other lines where it is used for the last time, so that no loop body and no handler has
// to begin with its deletion. Returns whether there was any.
bool Lifetimes::delete_after_last_uses(std::uint32_t line, std::uint32_t variable) {
  bool any = false;
  for (std::uint32_t l = 0; l < lines_.size(); ++l) {
    Line& holder = lines_[l];
    if (l == line || live_out_[variable][l]) continue;
    const auto last = std::find_if(holder.code.rbegin(), holder.code.rend(),
                                   [&](const auto& item) { return variable_of(item.insn) == variable; });
    if (last == holder.code.rend() || last->insn.op == Op::DELETE_FAST) continue;
    const auto from = static_cast<std::size_t>(holder.code.rend() - last);  // after the last use
    const auto place = std::find_if(holder.boundaries.begin(), holder.boundaries.end(), [&](const Boundary& b) {
      const bool falls_through =
          holder.jump == kNone && holder.fall != kNone;  // the end of the line is only a boundary if it falls through
      return b.at >= from && b.physical == holder.depth && (b.at < holder.code.size() || falls_through);
    });
    if (place == holder.boundaries.end()) continue;
    insert_delete(holder, Boundary(*place), variable);
    any = true;
  }
  return any;
}

Outcome Lifetimes::delete_before_call(std::uint32_t l, std::size_t at, std::uint32_t variable) {
  Line& line = lines_[l];
  const auto index = f_.locals + variable;
  std::size_t from = 0;  // the index after the last use
  for (std::size_t i = 0; i < at; ++i)
    if (line.code[i].insn.op == Op::LOAD_FAST && line.code[i].insn.arg == index) from = i + 1;
  // The last boundary before the statement that contains the call.
  const auto next_boundary = std::upper_bound(line.boundaries.begin(), line.boundaries.end(), at,
                                              [](std::size_t offset, const Boundary& b) { return offset < b.at; });
  if (next_boundary != line.boundaries.begin() && std::prev(next_boundary)->at >= from) {
    insert_delete(line, Boundary(*std::prev(next_boundary)), variable);
    return Outcome::kDone;
  }
  // The last use is in the same statement as the call: its result must become a statement of its own.
  const Val v = value_of_[variable];
  for (const auto& op : f_.blocks[line.source].operations) {
    const bool uses = std::any_of(op.operands.begin(), op.operands.end(), [&](const auto& o) { return o.value == v; });
    if (uses && op.results.size() == 1 && demands_.stored.insert(f_.values[op.results[0]].site).second)
      return Outcome::kRetry;
  }
  return Outcome::kGiveUp;
}

// Returns the new variable that the instruction refers to, or kNone.
std::uint32_t Lifetimes::variable_of(const Instruction& i) const {
  const bool local_op = i.op == Op::LOAD_FAST || i.op == Op::STORE_FAST || i.op == Op::DELETE_FAST;
  return local_op && i.arg >= f_.locals ? i.arg - f_.locals : kNone;
}

// Solves three data-flow problems for one variable. A change to it leaves the results of other variables valid.
void Lifetimes::solve_data_flow(std::uint32_t v) {
  std::vector<Uses> uses(lines_.size());
  for (const auto l : users_[v]) {
    for (const auto& item : lines_[l].code) {
      if (variable_of(item.insn) != v) continue;
      if (uses[l].first == Op::NOP) uses[l].first = item.insn.op;
      if (item.insn.op != Op::LOAD_FAST) uses[l].last = item.insn.op;
      uses[l].deleted = uses[l].deleted || item.insn.op == Op::DELETE_FAST;
    }
  }
  solve_live(v, uses);
  solve_may_be_assigned(v, uses);
  solve_must_be_assigned(v, uses);
}

// Backwards: a variable is live on entry to a line that loads it first, and to one without uses before such a line.
void Lifetimes::solve_live(std::uint32_t v, const std::vector<Uses>& uses) {
  auto &live = live_[v], &live_out = live_out_[v];
  live.assign(lines_.size(), false);
  live_out.assign(lines_.size(), false);
  std::vector<std::uint32_t> todo;
  for (const auto l : users_[v])
    if (uses[l].first == Op::LOAD_FAST) todo.push_back(l), live[l] = true;
  while (!todo.empty()) {
    const auto l = todo.back();
    todo.pop_back();
    for (const auto before : predecessors_[l]) {
      live_out[before] = true;
      if (uses[before].first == Op::NOP && !live[before]) todo.push_back(before), live[before] = true;
    }
  }
}

// Forwards, along normal edges: a variable may be assigned after a line that stores it last, until it is deleted.
void Lifetimes::solve_may_be_assigned(std::uint32_t v, const std::vector<Uses>& uses) {
  auto& may = may_[v];
  may.assign(lines_.size(), false);
  std::vector<std::uint32_t> todo;
  for (const auto l : users_[v])
    if (uses[l].last == Op::STORE_FAST) todo.push_back(l);
  while (!todo.empty()) {
    const auto l = todo.back();
    todo.pop_back();
    for (const auto& [after, raised] : successors_[l]) {
      if (raised || may[after]) continue;
      may[after] = true;
      if (uses[after].last == Op::NOP) todo.push_back(after);
    }
  }
}

// Forwards, from the assumption that it is assigned everywhere but at the start: a variable is not surely assigned
// after a line that may leave it unbound at its end or, for a handler, anywhere.
void Lifetimes::solve_must_be_assigned(std::uint32_t v, const std::vector<Uses>& uses) {
  auto& must = must_[v];
  must.assign(lines_.size(), true);
  must[0] = false;
  std::vector<std::uint32_t> todo{0};
  for (const auto l : users_[v])
    if (uses[l].deleted) todo.push_back(l);
  while (!todo.empty()) {
    const auto l = todo.back();
    todo.pop_back();
    const bool throughout = must[l] && !uses[l].deleted;
    const bool at_end = uses[l].last == Op::NOP ? must[l] : uses[l].last == Op::STORE_FAST;
    for (const auto& [after, raised] : successors_[l])
      if ((!at_end || (raised && !throughout)) && must[after]) todo.push_back(after), must[after] = false;
  }
}

// Returns the first call in the line during which a variable holds a dead value that the original code released, as the
// pair of instruction index and variable.
std::optional<std::pair<std::size_t, std::uint32_t>> Lifetimes::first_dead_value(std::uint32_t l) const {
  const auto n = static_cast<std::uint32_t>(value_of_.size());
  const auto& code = lines_[l].code;
  Set some = facts_of_line(may_, l);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const auto& item = code[i];
    if (const auto v = variable_of(item.insn); v != kNone && item.insn.op != Op::LOAD_FAST)
      some[v] = item.insn.op == Op::STORE_FAST;
    if (item.call == nullptr) continue;
    for (std::uint32_t v = 0; v < n; ++v) {
      if (!some[v] || f_.values[value_of_[v]].is_global || item.call->held.contains(value_of_[v])) continue;
      const auto use = std::find_if(code.begin() + static_cast<std::ptrdiff_t>(i) + 1, code.end(),
                                    [&](const auto& later) { return variable_of(later.insn) == v; });
      if (use != code.end() ? use->insn.op == Op::LOAD_FAST : bool{live_out_[v][l]}) continue;
      return std::pair{i, v};
    }
  }
  return std::nullopt;
}

// Deletes one variable at a time. A deletion never extends the lifetime of another variable or in an earlier line.
Outcome Lifetimes::run() {
  const auto n = static_cast<std::uint32_t>(value_of_.size());
  for (auto* fact : {&live_, &may_, &must_, &live_out_}) fact->resize(n);
  users_.resize(n);
  successors_.resize(lines_.size());
  predecessors_.resize(lines_.size());
  for (std::uint32_t l = 0; l < lines_.size(); ++l) {
    const auto& line = lines_[l];
    auto& successors = successors_[l];
    if (line.fall != kNone) successors.emplace_back(line.fall, false);
    if (line.jump != kNone) successors.emplace_back(line.jump, false);
    if (const auto& h = cfg_.blocks[BlockId{line.source}].handler; h.block.valid())
      successors.emplace_back(h.block.n, true);
    for (const auto& [after, raised] : successors) predecessors_[after].push_back(l);
    for (const auto& item : lines_[l].code)
      if (const auto v = variable_of(item.insn); v != kNone) users_[v].insert(l);
  }
  for (std::uint32_t v = 0; v < n; ++v) solve_data_flow(v);
  std::size_t deletions = 0;
  bool must_retry = false;
  for (std::uint32_t l = 0; l < lines_.size(); ++l) {
    while (const auto dead_value = first_dead_value(l)) {
      const auto [at, v] = *dead_value;
      const auto outcome = delete_after_last_uses(l, v) ? Outcome::kDone : delete_before_call(l, at, v);
      if (outcome == Outcome::kGiveUp && !must_retry) return outcome;
      must_retry = must_retry || outcome != Outcome::kDone;
      if (outcome != Outcome::kDone) break;  // continue with the other lines, to collect their demands too
      users_[v].insert(l);
      if (++deletions == 1000) return Outcome::kGiveUp;
      solve_data_flow(v);
    }
  }
  if (must_retry) return Outcome::kRetry;
  for (std::uint32_t l = 0; l < lines_.size(); ++l) replace_unbound_deletes(lines_[l], facts_of_line(must_, l));
  return Outcome::kDone;
}

// Replaces deletions of variables that may be unbound by stores of None. `assigned`: variables bound on entry.
void Lifetimes::replace_unbound_deletes(Line& line, Set assigned) const {
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

}  // namespace

Outcome end_lifetimes(const Cfg& cfg, const Form& form, Demands& demands, const std::vector<Val>& value_of,
                      std::vector<Line>& lines) {
  return Lifetimes(cfg, form, demands, value_of, lines).run();
}

}  // namespace depyf::dynamo
