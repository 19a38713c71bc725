// SPDX-License-Identifier: MIT
// Ends of a line that the compiler copied behind each way there; see copied_ends.cpp.
#pragma once

#include <vector>

#include "structure/graph.h"

namespace depyf::structure {

class CopiedEnds {
 public:
  CopiedEnds(lift::Unit& unit, lift::Lifter& lifter, Graph& graph) : unit_(unit), lifter_(lifter), g_(graph) {}

  // The arms t and f of a test give one value each and meet in what they both end with. False: they do not.
  Result<bool> join_arms(std::uint32_t t, std::uint32_t f);
  // f(a < b < c): both ways out of a chain, where the first comparison holds and where it does not, end with the call.
  Result<bool> join_chain(std::uint32_t rest, std::uint32_t clean);
  // The line b gives one value and leads to m, with all of which it ends. False: it does not.
  Result<bool> join_operand(std::uint32_t b, std::uint32_t m);

 private:
  Node& at(std::uint32_t i) { return g_.nodes[i]; }
  [[nodiscard]] std::vector<const Instruction*> last_code(const std::vector<Piece>& line) const;
  [[nodiscard]] std::uint32_t common_end(std::uint32_t x, std::uint32_t y) const;
  struct Arm {
    std::uint32_t node;
    std::size_t takes;  // how many of the values that came in it uses up
  };
  bool gives_value(Arm arm, std::uint32_t without, std::vector<Piece>& head, State& s);
  Result<bool> join(Arm x, Arm y);
  void cut(std::uint32_t n, std::vector<Piece> head, State s, std::uint32_t next);
  [[nodiscard]] bool ends_function(std::uint32_t n) const;
  [[nodiscard]] bool waits(std::uint32_t n, std::size_t depth) const;

  lift::Unit& unit_;
  lift::Lifter& lifter_;
  Graph& g_;
};

}  // namespace depyf::structure
