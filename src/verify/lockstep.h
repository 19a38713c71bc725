// SPDX-License-Identifier: MIT
// The two sides in lockstep: matching of effects, branching on their outcomes, and the worklist of meetings.
//
// Invariant: a meeting is a pair of positions at each of which an effect comes next; every state that was seen at a
// meeting is covered by the one kept for it; between two meetings both sides have had an effect, so that none can hang
// where the other does not. Ends: states only lose, and there is a budget.
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
  // None: everything met.
  std::optional<Failure> run();
  [[nodiscard]] const CodePairs& codes() const { return codes_; }
  // The first call during which the second side holds an object that the first has dropped.
  [[nodiscard]] const std::optional<Failure>& kept() const { return kept_; }
  // The first effect that gets a tuple or slice which one side makes and which is a constant on the other.
  [[nodiscard]] const std::optional<Failure>& constant() const { return constant_; }

 private:
  struct Meeting {
    State state;
    bool queued = false;
  };
  using Place = std::vector<std::uint32_t>;

  [[nodiscard]] State entry();
  void hand_over(State& state);
  void number_blocks();
  [[nodiscard]] Place place_of(const State& state) const;
  void meet(State state);
  void follow(State state);
  [[nodiscard]] bool shows_items(const State& state, const Event& a) const;
  [[nodiscard]] bool matches(State& state, const Event& a, const Event& b, Pairing& pairing);
  [[nodiscard]] bool settle(State& state, const Event& a, const Event& b);
  void decide(const State& state, ValueId truth);
  void decide_bound(const State& state, ValueId local);
  void branch(State& state, const Event& a, const Event& b);
  void raising(const State& state, const Event& a, const Event& b);
  void proceed(State& state, const Event& a, const Event& b, Outcome outcome);
  void fail(const Event& a, std::string reason);
  void compare_lifetimes(const State& state, const Event& a, const Event& b);
  void forget_list(State& state, const Event& e, std::uint32_t side);
  Runner runner(State& state, std::uint32_t side) { return Runner(state, *programs_[side], values_, trust_, budget_); }

  const Program* programs_[2];
  Values& values_;
  const Trust& trust_;
  std::uint64_t budget_;
  bool has_items_ = false;  // some symbol is Known::kItems
  CodePairs codes_;
  Merger merger_;
  std::map<Place, Meeting> meetings_;
  std::set<Place> todo_;  // places begin with the first side's position in reverse postorder
  std::vector<State> pending_;
  SmallVector<std::uint32_t, 32> order_[2];
  std::optional<Failure> failure_, kept_, constant_;
};

}  // namespace depyf::proof
