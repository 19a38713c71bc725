// SPDX-License-Identifier: MIT
// Duplicated code as one position: the service that every pass uses which undoes a duplication.
//
// A pass says which positions of one bisimulation class (cfg/position_classes.h) are copies of one; edges to the copies are
// redirected to the one that is kept. Every path executes the same code as before.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "cfg/cfg.h"
#include "cfg/position_classes.h"

namespace depyf::deopt {

enum class Kept : bool { kFirst, kLast };  // in code order

class MergedPositions {
 public:
  MergedPositions(Cfg& cfg, Version version) : cfg_(cfg), version_(version) {}

  // Two positions of one class are one.
  void join(Position a, Position b, Kept kept);
  // Changes the graph; whether there was anything to join.
  bool apply();
  // After that: the block that begins at the position which is kept of the set.
  [[nodiscard]] BlockId kept(Position p);

 private:
  [[nodiscard]] std::size_t number(Position p);
  [[nodiscard]] std::size_t set_of(std::size_t i);
  BlockId split(BlockId b, std::uint32_t at);

  Cfg& cfg_;
  Version version_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> numbers_;  // of positions, by block and index
  std::vector<Position> positions_;
  std::map<std::uint32_t, std::map<std::uint32_t, BlockId>> parts_;  // by block and first index, those that are kept
  std::vector<std::size_t> sets_;  // union-find: another of its set, itself if it is kept
};

}  // namespace depyf::deopt
