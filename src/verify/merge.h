// SPDX-License-Identifier: MIT
// Joining two states of one pair of positions into one that covers both.
//
// Invariant: what is equal in both states stays equal in the join, across the two sides above all; everything else becomes
// unknown. The join of a state with one that it covers is itself, and joins only ever lose, so loops come to an end.
#pragma once

#include <map>
#include <vector>

#include "verify/heap.h"

namespace depyf::proof {

using CodePairs = std::vector<std::pair<CodeId, CodeId>>;

// Carries out all bindings, forgets dead variables and unreachable objects.
void compact(State& state, Values& values, const Program* const programs[2]);

class Merger {
 public:
  Merger(Values& values, const Program* const programs[2], CodePairs& codes)
      : values_(values), programs_(programs), codes_(codes) {}
  // `into` covers `other` afterwards; both are compact. False: it did before. Sets failed() where no join exists.
  bool merge(State& into, State& other);
  [[nodiscard]] bool failed() const { return failed_; }
  // Whether any join took an object that one side makes for a constant of the other's.
  [[nodiscard]] bool constant() const { return constant_; }

 private:
  State join(const State& s, const State& t);
  ValueId join(const State& s, const State& t, ValueId x, ValueId y, std::uint32_t depth);
  ValueId join_objects(const State& s, const State& t, ValueId x, ValueId y, std::uint32_t depth);
  ValueId join_symbol(ValueId x, ValueId y);
  ValueId unknown(ValueId x, ValueId y);
  [[nodiscard]] Known known(ValueId v) const;

  Values& values_;
  const Program* const* programs_;
  CodePairs& codes_;
  State* out_ = nullptr;
  std::vector<bool> live_[2];
  std::map<std::pair<ValueId, ValueId>, ValueId> pairs_;
  std::map<ValueId, ValueId> image_, refs_, back_;
  std::vector<ValueId> widen_first_, widen_second_;
  bool changed_ = false, failed_ = false, constant_ = false;
};

}  // namespace depyf::proof
