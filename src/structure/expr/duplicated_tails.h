// SPDX-License-Identifier: MIT
// Undoes the tail duplication of the end of a line; see duplicated_tails.cpp.
#pragma once

#include <vector>

#include "structure/graph.h"

namespace depyf::structure {

class DuplicatedTails {
 public:
  DuplicatedTails(lift::Unit& unit, lift::Lifter& lifter, Graph& graph) : unit_(unit), lifter_(lifter), g_(graph) {}

  // Each makes two ways meet in what they both end with, or in m if one of them leads there. False: they do not.
  // f(x if c else y): the arms of a test
  Result<bool> join_arms(std::uint32_t t, std::uint32_t f);
  // f(a < b < c): where the first comparison holds, and where it does not
  Result<bool> join_chain(std::uint32_t rest, std::uint32_t clean);
  // f(x or y): the line b, and where x leads
  Result<bool> join_operand(std::uint32_t b, std::uint32_t m) { return join_line({b, 0}, m); }

 private:
  Node& at(std::uint32_t i) { return g_.nodes[i]; }
  [[nodiscard]] std::uint32_t common_tail(std::uint32_t x, std::uint32_t y) const;
  struct Arm {
    std::uint32_t node;
    std::size_t takes;  // how many of the values that came in it uses up
  };
  bool gives_value(Arm arm, std::uint32_t without, Pieces& head, State& s);
  Result<bool> join(Arm x, Arm y);
  Result<bool> join_line(Arm b, std::uint32_t m);
  template <class OneValue>
  Result<bool> join_paths(Arm x, Arm y, const OneValue& one_value);
  void cut(std::uint32_t n, Pieces head, State s, std::uint32_t next);
  [[nodiscard]] bool ends_function(std::uint32_t n) const;
  [[nodiscard]] bool same_continuation(std::uint32_t x, std::uint32_t y) const;
  [[nodiscard]] bool calls_value(std::uint32_t x, std::uint32_t y) const;
  [[nodiscard]] bool returns_part(std::uint32_t n) const;
  [[nodiscard]] bool waits(std::uint32_t n, std::size_t depth) const;

  lift::Unit& unit_;
  lift::Lifter& lifter_;
  Graph& g_;
};

}  // namespace depyf::structure
