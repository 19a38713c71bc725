// SPDX-License-Identifier: MIT
// The lockstep walk; see lockstep.h.
#include "verify/lockstep.h"

#include <algorithm>
#include <iterator>

#include "cfg/analysis.h"

namespace depyf::proof {
namespace {

constexpr std::string_view kConstant =
    "a tuple or slice that one makes at each run is a constant of the other: `is` and id() tell";

// Where the object stays alive by another holder, as a rule.
bool is_lookup(Op op) { return op == Op::LOAD_GLOBAL || op == Op::LOAD_NAME || op == Op::LOAD_ATTR; }

}  // namespace

void Lockstep::number_blocks() {
  for (std::uint32_t side = 0; side < 2; ++side)
    order_[side] = reverse_postorder(programs_[side]->cfg, EdgeKinds::kAll).position;
}

// What the original is handed: the translation is called in the same way. Of a list or dict that nothing else holds each
// side has its own, with the same unknown items.
void Lockstep::hand_over(State& state) {
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
      if (p.slots[i].from_start) {
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
  hand_over(state);
  return state;
}

Lockstep::Place Lockstep::place_of(const State& state) const {
  Place place;
  for (std::uint32_t side = 0; side < 2; ++side) {
    const Frame& f = state.side[side];
    place.insert(place.end(), {f.left_with != kNoValue ? 0xFFFFFFFF : order_[side][f.block.n], f.at, f.phase,
                               static_cast<std::uint32_t>(f.stack.size()), f.scratch != kNoValue ? 1U : 0U,
                               static_cast<std::uint32_t>(f.contexts.size())});
  }
  for (std::uint32_t side = 0; side < 2; ++side) {
    const Frame& f = state.side[side];
    if (f.left_with != kNoValue) continue;
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
  const std::uint64_t cost = state.side[0].slots.size() + state.side[1].slots.size() + 8;
  if (budget_ < cost) return fail({}, "the budget is used up");
  budget_ -= cost;
  Place place = place_of(state);
  const auto [it, fresh] = meetings_.try_emplace(place);
  Meeting& meeting = it->second;
  bool again = fresh;
  if (fresh) {
    meeting.state = std::move(state);
  } else {
    again = merger_.merge(meeting.state, state);
    if (merger_.constant() && !constant_) constant_ = Failure{0xFFFFFFFF, std::string(kConstant)};
    if (merger_.failed()) return fail({}, "states at one place have nothing in common");
  }
  if (again) todo_.insert(std::move(place));
}

// Only what goes through its items may get an iterator whose kind differs.
bool Lockstep::shows_items(const State& state, const Event& a) const {
  if (!has_items_ || a.op == Op::FOR_ITER) return false;
  return std::ranges::any_of(closure(state, values_, a.operands),
                             [&](ValueId v) { return values_.is_known(v, Known::kItems); });
}

bool Lockstep::matches(State& state, const Event& a, const Event& b, Pairing& pairing) {
  if (a.form != b.form || a.op != b.op || a.arg != b.arg || a.key != b.key || a.flags != b.flags) return false;
  if (b.takes_bool && !a.takes_bool) return false;
  if (a.operands.size() != b.operands.size() || shows_items(state, a)) return false;
  // What is being handled shows in sys.exc_info() and in the context of what is raised, after the end too.
  if (!state.side[0].contexts.empty() || !state.side[1].contexts.empty()) return false;
  if (!unify(state, values_, programs_, state.side[0].handled, state.side[1].handled, pairing)) return false;
  for (std::size_t i = 0; i < a.operands.size(); ++i)
    if (!unify(state, values_, programs_, a.operands[i], b.operands[i], pairing)) return false;
  // Who shows the local variables may be called by any effect.
  const bool ends = a.form == Event::Form::kReturn || a.form == Event::Form::kRaised;
  const std::size_t shown = programs_[0]->shows_locals && !ends ? programs_[0]->slots.size() : 0;
  for (std::size_t i = 0; i < shown; ++i)
    if (!unify(state, values_, programs_, state.side[0].slots[i], state.side[1].slots[i], pairing)) return false;
  return true;
}

void Lockstep::decide(const State& state, ValueId truth) {
  for (const bool answer : {false, true}) {
    State copy = state;
    copy.bind[truth] = values_.boolean(answer);
    copy.side[0].joined = true;
    pending_.push_back(std::move(copy));
  }
}

// An extension that stops in the middle: nobody knows what the list holds.
void Lockstep::forget_list(State& state, const Event& e, std::uint32_t side) {
  if (e.then != Event::Then::kExtend && e.then != Event::Then::kExtendLater) return;
  const ValueId list = norm(state, values_, e.extra);
  const auto it = state.heap.find(list);
  if (it != state.heap.end()) {
    it->second.items = {values_.splat(values_.symbol(Known::kNothing))};
    return;
  }
  // one symbol on both sides, which only this side has changed: it must not be the same any more
  const ValueId other = values_.symbol(Known::kNothing);
  const auto forget = [&](ValueId& v) {
    v = norm(state, values_, v);
    if (v == list || (values_[v].open && values_[v].count > 0)) v = other;
  };
  for (ValueId& v : state.side[side].stack) forget(v);
  for (ValueId& v : state.side[side].slots) forget(v);
  for (auto& [ref, object] : state.heap)
    for (ValueId& v : object.items) forget(v);
}

// Whether a local has a value, which one side asks for.
void Lockstep::decide_bound(const State& state, ValueId local) {
  for (const ValueId held : {kUnbound, values_.symbol(Known::kNothing)}) {
    State copy = state;
    copy.bind[local] = held;
    copy.side[0].joined = true;
    pending_.push_back(std::move(copy));
  }
}

void Lockstep::raising(const State& state, const Event& a, const Event& b) {
  State copy = state;
  Runner first = runner(copy, 0), second = runner(copy, 1);
  if (!first.has_handler() && !second.has_handler()) {  // the exception leaves both
    if (a.uncovered != b.uncovered) fail(a, "StopIteration leaves one as it is");
    return;
  }
  if (a.then == Event::Then::kRetry) copy.bind[a.operands[0]] = kUnbound;
  forget_list(copy, a, 0);
  forget_list(copy, b, 1);
  const ValueId exception = values_.symbol(Known::kException);
  first.raise(exception);
  second.raise(exception);
  copy.side[0].joined = true;
  pending_.push_back(std::move(copy));
}

void Lockstep::proceed(State& state, const Event& a, const Event& b, Outcome outcome) {
  if (a.then == Event::Then::kRetry) state.bind[a.operands[0]] = values_.symbol(Known::kNothing);
  std::vector<ValueId> results;
  if (a.fixed != kNoValue || b.fixed != kNoValue) results.push_back(a.fixed != kNoValue ? a.fixed : b.fixed);
  const std::size_t count = std::max(a.results, b.results);
  while (results.size() < count)
    results.push_back(values_.symbol(a.gives == b.gives ? a.gives : Known::kNothing, is_lookup(a.op)));
  if (a.of_list != b.of_list) {
    results = {values_.symbol(Known::kItems)};
    has_items_ = true;
  }
  const auto of = [&](const Event& e) {
    return std::vector<ValueId>(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(e.results));
  };
  runner(state, 0).finish(a, outcome, of(a));
  runner(state, 1).finish(b, outcome, of(b));
}

void Lockstep::branch(State& state, const Event& a, const Event& b) {
  for (const Outcome outcome : {Outcome::kFalse, Outcome::kNormal}) {
    State copy = state;
    proceed(copy, a, b, outcome);
    copy.side[0].joined = true;
    pending_.push_back(std::move(copy));
  }
}

// One effect that both sides have. False: nothing follows, or what follows is pending.
bool Lockstep::settle(State& state, const Event& a, const Event& b) {
  using Form = Event::Form;
  if (a.form == Form::kReturn || a.form == Form::kRaised || a.form == Form::kEndless) return false;
  state.now = kNoValue;
  state.progressed = true;
  if (a.may_raise || b.may_raise) raising(state, a, b);
  if (a.form == Form::kRaiseOnly) return false;
  if (a.form == Form::kTwoWay) {
    branch(state, a, b);
    return false;
  }
  proceed(state, a, b, Outcome::kNormal);
  return true;
}

// Memory: what the first side has dropped when it makes a call, the second must not hold any more. Told by the names that
// hold it, which are those of the text.
void Lockstep::compare_lifetimes(const State& state, const Event& a, const Event& b) {
  if (kept_ || a.op != Op::CALL) return;
  const auto mine = held(state, values_, 0, a.pops), theirs = held(state, values_, 1, b.pops);
  std::vector<ValueId> longer;
  std::set_difference(theirs.begin(), theirs.end(), mine.begin(), mine.end(), std::back_inserter(longer));
  if (longer.empty()) return;
  constexpr std::size_t kNamed = 3;
  std::string names;
  std::size_t holders = 0;
  const Frame& f = state.side[1];
  for (std::size_t i = 0; i < f.slots.size(); ++i) {
    const std::set<ValueId> through = closure(state, values_, {f.slots[i]});
    if (std::ranges::any_of(longer, [&](ValueId v) { return through.contains(v); }))
      if (++holders <= kNamed) names += (names.empty() ? "" : ", ") + programs_[1]->slots[i].name;
  }
  if (holders > kNamed) names += " and " + std::to_string(holders - kNamed) + " more";
  kept_ = Failure{a.offset, "during the call, " + (names.empty() ? "the stack" : names) +
                                (holders > 1 ? " stay" : " stays") + " alive, which the original has released"};
}

void Lockstep::follow(State state) {
  while (!failure_) {
    const Event a = runner(state, 0).run();
    if (a.form == Event::Form::kStuck) return fail(a, a.what);
    const Event b = runner(state, 1).run();
    if (b.form == Event::Form::kStuck) return fail(a, "the second: " + b.what);
    // A meeting that nothing but unobservable steps separates from the last one would prove that both hang, of whom one does.
    const bool joined = state.side[0].joined || state.side[1].joined;
    if (joined && state.progressed) return meet(std::move(state));
    if (a.form == Event::Form::kDecide) return decide(state, a.operands[0]);
    if (b.form == Event::Form::kDecide) return decide(state, b.operands[0]);
    Pairing pairing;
    if (matches(state, a, b, pairing)) {
      codes_.insert(codes_.end(), pairing.codes.begin(), pairing.codes.end());
      if (publish(state, values_, pairing) && !constant_) constant_ = Failure{a.offset, std::string(kConstant)};
      compare_lifetimes(state, a, b);
      if (!settle(state, a, b)) return;
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
  number_blocks();
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
