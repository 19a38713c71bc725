// SPDX-License-Identifier: MIT
// Implements the lockstep walk; see lockstep.h.
#include "verify/lockstep.h"

#include <algorithm>
#include <iterator>

#include "cfg/analysis.h"

namespace depyf::proof {
namespace {

constexpr std::string_view kConstant =
    "a tuple or slice that one makes at each run is a constant of the other: `is` and id() tell";

constexpr std::uint32_t kMostDecisions = 8;  // without an effect or a meeting

// Returns whether the result of an operation is usually kept alive by another object: a module or the owner of an
// attribute.
bool is_lookup(Op op) { return op == Op::LOAD_GLOBAL || op == Op::LOAD_NAME || op == Op::LOAD_ATTR; }

}  // namespace

// Sets the parameters of a resume function to the values that Dynamo passes: it calls the translation as it calls the
// original. A list or dict that nothing else holds becomes a fresh object of each side, with the same unknown items.
void Lockstep::bind_resume_arguments(State& state) {
  const std::vector<dynamo::ResumeArgument>& arguments = programs_[0]->resume_arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == dynamo::ResumeArgument::kSet || arguments[i] == dynamo::ResumeArgument::kText) {
      const ValueId value = values_.symbol(arguments[i] == dynamo::ResumeArgument::kSet ? Known::kSet : Known::kText);
      for (Frame& f : state.side) f.slots[i] = value;
    } else if (arguments[i] != dynamo::ResumeArgument::kUnknown) {
      const bool list = arguments[i] == dynamo::ResumeArgument::kList;
      const ValueId items = values_.splat(values_.symbol(Known::kNothing, true));
      for (Frame& f : state.side)
        f.slots[i] = make_object(state, values_, list ? ObjectKind::kList : ObjectKind::kDict,
                                 std::vector<ValueId>(list ? 1 : 2, items));
    }
  }
}

State Lockstep::entry() {
  State state;
  std::vector<ValueId> parameters;
  const ValueId ambient = values_.symbol(Known::kNothing);
  for (std::uint32_t side = 0; side < 2; ++side) {
    const Program& p = *programs_[side];
    const CodeObject& co = p.object();
    const std::size_t count = parameter_count(co);
    Frame& f = state.side[side];
    f.handled = ambient;
    if (p.dialect.handler_pushes_six) f.handled_type = values_.pure(Pure::kTypeOf, ambient);
    for (std::size_t i = 0; i < p.slots.size(); ++i) {
      if (p.slots[i].starts_as_cell) {
        f.slots.push_back(
            values_.intern(ValueKind::kCellVar, values_.keys().variable(p.slots[i].name, p.slots[i].nth), 0, {}));
      } else if (i >= count) {
        f.slots.push_back(kUnbound);
      } else {
        while (parameters.size() <= i) parameters.push_back(values_.symbol(Known::kNothing));
        f.slots.push_back(parameters[i]);
      }
    }
  }
  bind_resume_arguments(state);
  return state;
}

Lockstep::Place Lockstep::place_of(const State& state) const {
  Place place;
  for (std::uint32_t side = 0; side < 2; ++side) {
    const Frame& f = state.side[side];
    place.insert(place.end(), {f.uncaught != kNoValue ? 0xFFFFFFFF : programs_[side]->position[f.block.n], f.index,
                               f.phase, static_cast<std::uint32_t>(f.stack.size()), f.scratch != kNoValue ? 1U : 0U,
                               static_cast<std::uint32_t>(f.contexts.size())});
  }
  for (std::uint32_t side = 0; side < 2; ++side) {
    const Frame& f = state.side[side];
    if (f.uncaught != kNoValue) continue;
    for (std::size_t i = 0; i < f.slots.size(); ++i) {
      const ConstFacts* facts = programs_[side]->state_slots[i] ? values_.facts(f.slots[i]) : nullptr;
      if (facts != nullptr && facts->is_int) place.insert(place.end(), {static_cast<std::uint32_t>(i), f.slots[i]});
    }
  }
  return place;
}

void Lockstep::fail(const Event& a, std::string reason) {
  if (!failure_) failure_ = Failure{a.offset, std::move(reason)};
}

void Lockstep::meet(State state) {
  compact(state, values_, programs_);
  state.progressed = false;
  state.decisions = 0;
  const std::uint64_t cost = state.side[0].slots.size() + state.side[1].slots.size() + state.heap.size() + 8;
  if (budget_ < cost) return fail({}, "the budget is used up");
  budget_ -= cost;
  Place place = place_of(state);
  const auto [it, fresh] = meetings_.try_emplace(place);
  Meeting& meeting = it->second;
  bool has_changed = fresh;
  if (fresh) {
    meeting.state = std::move(state);
  } else {
    has_changed = merger_.merge(meeting.state, state);
    if (merger_.matched_constant() && !constant_identity_)
      constant_identity_ = Failure{0xFFFFFFFF, std::string(kConstant)};
    if (merger_.failed()) return fail({}, "states at one place have nothing in common");
  }
  if (has_changed) todo_.insert(std::move(place));
}

// Returns whether an effect could observe that an iterator is a list's on one side and a tuple's on the other: all
// effects but FOR_ITER on it can.
bool Lockstep::shows_items(const State& state, const Event& a) const {
  if (!has_items_ || a.op == Op::FOR_ITER) return false;
  return std::ranges::any_of(reachable_values(state, values_, a.operands),
                             [&](ValueId v) { return values_.is_known(v, Known::kItems); });
}

// Returns the exception whose class at some time is the class of the handled exception (3.8–3.10), or else that class.
ValueId Lockstep::handled_class(const State& state, std::uint32_t side) const {
  const ValueId type = norm(state, values_, state.side[side].handled_type);
  return values_.is(type, Pure::kTypeOf) ? values_.items(type)[0] : type;
}

bool Lockstep::matches(State& state, const Event& a, const Event& b, Pairing& pairing) {
  if (a.form != b.form || a.op != b.op || a.arg != b.arg || a.key != b.key || a.flags != b.flags) return false;
  if (b.needs_bool && !a.needs_bool) return false;
  if (a.operands.size() != b.operands.size() || shows_items(state, a)) return false;
  // The exception being handled is observable in sys.exc_info() and as __context__, also after the code has ended.
  if (!state.side[0].contexts.empty() || !state.side[1].contexts.empty()) return false;
  if (!unify(state, values_, programs_, state.side[0].handled, state.side[1].handled, pairing)) return false;
  if (state.side[0].handled_type != kNoValue &&
      !unify(state, values_, programs_, handled_class(state, 0), handled_class(state, 1), pairing))
    return false;
  for (std::size_t i = 0; i < a.operands.size(); ++i)
    if (!unify(state, values_, programs_, a.operands[i], b.operands[i], pairing)) return false;
  // If the code has loaded a reader of its local variables, any effect may call it.
  const bool ends = a.form == Event::Form::kReturn || a.form == Event::Form::kRaised;
  const std::size_t count = programs_[0]->locals_visible && !ends ? programs_[0]->slots.size() : 0;
  for (std::size_t i = 0; i < count; ++i)
    if (!unify(state, values_, programs_, state.side[0].slots[i], state.side[1].slots[i], pairing)) return false;
  return true;
}

// Follows both outcomes of an unknown truth value; the binding makes it known from there on.
void Lockstep::decide(const State& state, ValueId truth) {
  for (const bool answer : {false, true}) {
    State copy = state;
    ++copy.decisions;
    copy.bind[truth] = values_.boolean(answer);
    copy.side[0].passed_join = true;
    pending_.push_back(std::move(copy));
  }
}

// Forgets the contents of the list that LIST_EXTEND was extending when it raised.
void Lockstep::forget_list(State& state, const Event& e, std::uint32_t side) {
  if (e.then != Event::Then::kExtend && e.then != Event::Then::kExtendLater) return;
  const ValueId list = norm(state, values_, e.extra);
  const auto it = state.heap.find(list);
  if (it != state.heap.end()) {
    it->second.items = {values_.splat(values_.symbol(Known::kNothing))};
    return;
  }
  // The list is a symbol that both sides share, but only this side has changed it: give this side another symbol, also
  // for each value that may contain it.
  std::map<ValueId, ValueId> others;
  const auto forget = [&](ValueId& v) {
    v = norm(state, values_, v);
    if (v != list && !(values_[v].open && values_[v].count > 0)) return;
    const auto [other, fresh] = others.try_emplace(v, kNoValue);
    if (fresh) other->second = values_.symbol(Known::kNothing);
    v = other->second;
  };
  for (ValueId& v : state.side[side].stack) forget(v);
  for (ValueId& v : state.side[side].slots) forget(v);
  for (auto& [ref, object] : state.heap)
    for (ValueId& v : object.items) forget(v);
}

// Follows both cases of a local variable that may be unbound, since one side tests it by a load that it protects.
void Lockstep::decide_bound(const State& state, ValueId local) {
  for (const ValueId held : {kUnbound, values_.symbol(Known::kNothing)}) {
    State copy = state;
    ++copy.decisions;
    copy.bind[local] = held;
    copy.side[0].passed_join = true;
    pending_.push_back(std::move(copy));
  }
}

// Adds the state after an effect that raises to pending_.
void Lockstep::push_exceptional(const State& state, const Event& a, const Event& b) {
  const auto has_handler = [&](std::uint32_t side) {
    return programs_[side]->cfg.blocks[state.side[side].block].handler.block.valid();
  };
  if (!has_handler(0) && !has_handler(1)) {  // the exception leaves both
    if (a.uncovered != b.uncovered) fail(a, "StopIteration leaves one as it is");
    return;
  }
  State copy = state;
  Runner first = runner(copy, 0), second = runner(copy, 1);
  if (a.then == Event::Then::kRetry) copy.bind[a.operands[0]] = kUnbound;
  forget_list(copy, a, 0);
  forget_list(copy, b, 1);
  const ValueId exception = values_.symbol(Known::kException);
  first.raise(exception);
  second.raise(exception);
  copy.side[0].passed_join = true;
  pending_.push_back(std::move(copy));
}

// Gives both sides the same results of an effect.
void Lockstep::proceed(State& state, const Event& a, const Event& b, Outcome outcome) {
  if (a.then == Event::Then::kRetry) state.bind[a.operands[0]] = values_.symbol(Known::kNothing);
  std::vector<ValueId> results;
  if (a.known_result != kNoValue || b.known_result != kNoValue)
    results.push_back(a.known_result != kNoValue ? a.known_result : b.known_result);
  const std::size_t count = std::max(a.results, b.results);
  while (results.size() < count)
    results.push_back(
        values_.symbol(a.result_known == b.result_known ? a.result_known : Known::kNothing, is_lookup(a.op)));
  if (a.iterates_list != b.iterates_list) {
    results = {values_.symbol(Known::kItems)};
    has_items_ = true;
  }
  const auto results_of = [&](const Event& e) {
    return std::vector<ValueId>(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(e.results));
  };
  runner(state, 0).finish(a, outcome, results_of(a));
  runner(state, 1).finish(b, outcome, results_of(b));
}

void Lockstep::branch(State& state, const Event& a, const Event& b) {
  for (const Outcome outcome : {Outcome::kFalse, Outcome::kNormal}) {
    State copy = state;
    proceed(copy, a, b, outcome);
    copy.side[0].passed_join = true;
    pending_.push_back(std::move(copy));
  }
}

// Applies an effect that both sides have. Returns false if the state ends here or its successors are in pending_.
bool Lockstep::apply_effect(State& state, const Event& a, const Event& b) {
  using Form = Event::Form;
  if (a.form == Form::kReturn || a.form == Form::kRaised || a.form == Form::kEndless) return false;
  state.epoch = kNoValue;
  state.progressed = true;
  if (a.may_raise || b.may_raise) push_exceptional(state, a, b);
  if (a.form == Form::kRaiseOnly) return false;
  if (a.form == Form::kTwoWay) {
    branch(state, a, b);
    return false;
  }
  proceed(state, a, b, Outcome::kNormal);
  return true;
}

// Notes in lifetime_ the first call during which the second side keeps objects alive that the first has released, with
// the names of the variables that hold them.
void Lockstep::compare_lifetimes(const State& state, const Event& a, const Event& b) {
  if (lifetime_ || a.op != Op::CALL) return;
  const auto held_a = held_symbols(state, values_, 0, a.pops), held_b = held_symbols(state, values_, 1, b.pops);
  std::vector<ValueId> only_b;
  std::set_difference(held_b.begin(), held_b.end(), held_a.begin(), held_a.end(), std::back_inserter(only_b));
  if (only_b.empty()) return;
  constexpr std::size_t kNamed = 3;
  std::string names;
  std::size_t holders = 0;
  const Frame& f = state.side[1];
  for (std::size_t i = 0; i < f.slots.size(); ++i) {
    const std::set<ValueId> held = reachable_values(state, values_, {f.slots[i]});
    if (std::ranges::any_of(only_b, [&](ValueId v) { return held.contains(v); }))
      if (++holders <= kNamed) names += (names.empty() ? "" : ", ") + programs_[1]->slots[i].name;
  }
  if (holders > kNamed) names += " and " + std::to_string(holders - kNamed) + " more";
  lifetime_ = Failure{a.offset, "during the call, " + (names.empty() ? "the stack" : names) +
                                    (holders > 1 ? " stay" : " stays") + " alive, which the original has released"};
}

// Follows a state effect by effect until it meets a join, branches, ends or fails.
void Lockstep::follow(State state) {
  while (!failure_) {
    const Event a = runner(state, 0).run();
    if (a.form == Event::Form::kStuck) return fail(a, a.reason);
    const Event b = runner(state, 1).run();
    if (b.form == Event::Form::kStuck) return fail(a, "the second: " + b.reason);
    const Frame &first = state.side[0], &second = state.side[1];
    if ((first.passed_join || second.passed_join) && state.progressed) return meet(std::move(state));
    // Without an effect since the last meeting, both sides must have gone forward: otherwise a loop without effects on
    // one side would match anything, and code that hangs would be proved equal to code that does not. Then a meeting
    // only saves time: n decisions in a row would be 2 ** n paths.
    const bool is_forward = (first.entered_join || second.entered_join) && !first.went_back && !second.went_back;
    if (is_forward && state.decisions >= kMostDecisions) return meet(std::move(state));
    if (a.form == Event::Form::kDecide) return decide(state, a.operands[0]);
    if (b.form == Event::Form::kDecide) return decide(state, b.operands[0]);
    Pairing pairing;
    if (matches(state, a, b, pairing)) {
      codes_.insert(codes_.end(), pairing.codes.begin(), pairing.codes.end());
      if (publish(state, values_, pairing) && !constant_identity_)
        constant_identity_ = Failure{a.offset, std::string(kConstant)};
      compare_lifetimes(state, a, b);
      if (!apply_effect(state, a, b)) return;
    } else if (b.then == Event::Then::kRetry && b.form == Event::Form::kEffect && runner(state, 1).has_handler()) {
      return decide_bound(state, b.operands[0]);
    } else if (b.optional) {
      runner(state, 1).skip(b);
    } else {
      std::string reason = show(a, values_) + " | " + show(b, values_);
      if (!state.side[1].contexts.empty()) reason += " (an exception's context has changed)";
      return fail(a, std::move(reason));
    }
  }
}

std::optional<Failure> Lockstep::run() {
  pending_.push_back(entry());
  while (!failure_) {
    if (pending_.empty()) {
      if (todo_.empty()) break;
      const Place place = *todo_.begin();
      todo_.erase(todo_.begin());
      pending_.push_back(meetings_[place].state);
    }
    State state = std::move(pending_.back());
    pending_.pop_back();
    follow(std::move(state));
  }
  std::sort(codes_.begin(), codes_.end());
  codes_.erase(std::unique(codes_.begin(), codes_.end()), codes_.end());
  return failure_;
}

}  // namespace depyf::proof
