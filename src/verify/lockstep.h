// SPDX-License-Identifier: MIT
// Runs both sides of a validation in lockstep: matches their effects, follows each outcome, and joins states until a
// fixpoint is reached. This constructs a bisimulation between the two codes.
//
// Invariant: a meeting is a pair of positions, one of each side, before an effect, at which states are joined: the
// state kept for it covers all states that have reached it. Between two meetings both sides have an effect, so that the
// proof fails if only one side loops forever. The walk terminates since joins only lose information, and it has a
// budget.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/small_vector.h"
#include "verify/effects.h"
#include "verify/merge.h"
#include "verify/validate.h"

namespace depyf::proof {

class Lockstep {
 public:
  Lockstep(const Program& a, const Program& b, Values& values, const Trust& trust, std::uint64_t budget)
      : programs_{&a, &b}, values_(values), trust_(trust), budget_(budget), merger_(values, programs_, codes_) {}
  // Returns why the proof failed, or nullopt if all effects matched.
  std::optional<Failure> run();
  [[nodiscard]] const CodePairs& codes() const { return codes_; }
  // The notes Proof::lifetime and Proof::constant_identity (validate.h).
  [[nodiscard]] const std::optional<Failure>& lifetime() const { return lifetime_; }
  [[nodiscard]] const std::optional<Failure>& constant_identity() const { return constant_identity_; }

 private:
  struct Meeting {
    State state;
  };
  using Place = std::vector<std::uint32_t>;  // both positions, stack depths and the values of state slots

  [[nodiscard]] State entry();
  void bind_resume_arguments(State& state);
  [[nodiscard]] Place place_of(const State& state) const;
  void meet(State state);
  void follow(State state);
  [[nodiscard]] ValueId handled_class(const State& state, std::uint32_t side) const;
  [[nodiscard]] bool shows_items(const State& state, const Event& a) const;
  [[nodiscard]] bool matches(State& state, const Event& a, const Event& b, Pairing& pairing);
  [[nodiscard]] bool apply_effect(State& state, const Event& a, const Event& b);
  void decide(const State& state, ValueId truth);
  void decide_bound(const State& state, ValueId local);
  void branch(State& state, const Event& a, const Event& b);
  void push_exceptional(const State& state, const Event& a, const Event& b);
  void proceed(State& state, const Event& a, const Event& b, Outcome outcome);
  void fail(const Event& a, std::string reason);
  void compare_lifetimes(const State& state, const Event& a, const Event& b);
  void forget_list(State& state, const Event& e, std::uint32_t side);
  Runner runner(State& state, std::uint32_t side) { return Runner(state, *programs_[side], values_, trust_, budget_); }

  const Program* programs_[2];
  Values& values_;
  const Trust& trust_;
  std::uint64_t budget_;
  bool has_items_ = false;  // there is a symbol that is Known::kItems
  CodePairs codes_;
  Merger merger_;
  std::map<Place, Meeting> meetings_;
  std::set<Place> todo_;  // meetings whose state has changed; those of earlier blocks of the first side come first
  std::vector<State> pending_;  // states to follow before the next meeting
  std::optional<Failure> failure_, lifetime_, constant_identity_;
};

}  // namespace depyf::proof
