// SPDX-License-Identifier: MIT
// Joins two states at one pair of positions into a state that covers both, as in abstract interpretation.
//
// Invariant: two slots, of one side or of different sides, that are equal in both states are equal in the join; other
// differences are generalized to symbols. The join of a state with a state that it covers is itself, and information is
// only ever lost, so the fixpoint over loops terminates.
#pragma once

#include <map>
#include <vector>

#include "verify/heap.h"

namespace depyf::proof {

using CodePairs = std::vector<std::pair<CodeId, CodeId>>;

// Applies all bindings to a state, and removes the contents of dead variables and unreachable objects.
void compact(State& state, Values& values, const Program* const programs[2]);

class Merger {
 public:
  Merger(Values& values, const Program* const programs[2], CodePairs& codes)
      : values_(values), programs_(programs), codes_(codes) {}
  // Replaces `into` by its join with `other`; both must be compact. Returns whether `into` has changed, that is,
  // whether it did not cover `other` before. Sets failed() if no join exists.
  bool merge(State& into, State& other);
  [[nodiscard]] bool failed() const { return failed_; }
  // Returns whether any join has identified an object that one side creates with a constant of the other.
  [[nodiscard]] bool matched_constant() const { return matched_constant_; }

 private:
  State join(const State& s, const State& t);
  ValueId join(const State& s, const State& t, ValueId x, ValueId y, std::uint32_t depth);
  ValueId join_objects(const State& s, const State& t, ValueId x, ValueId y, std::uint32_t depth);
  ValueId join_symbol(ValueId x, ValueId y);
  ValueId generalize(ValueId x, ValueId y);
  [[nodiscard]] Known known(ValueId v) const;

  Values& values_;
  const Program* const* programs_;
  CodePairs& codes_;
  State* out_ = nullptr;
  std::vector<bool> live_[2];
  std::map<std::pair<ValueId, ValueId>, ValueId> pairs_;  // the symbol that generalizes a pair of values
  // By symbol of the first state: its only counterpart in the second. By reference: the same, and the inverse.
  std::map<ValueId, ValueId> image_, refs_, back_;
  std::vector<ValueId> widen_first_, widen_second_;  // objects of either state that must be published first
  bool changed_ = false, failed_ = false, matched_constant_ = false;
};

}  // namespace depyf::proof
