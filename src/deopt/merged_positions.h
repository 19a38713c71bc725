// SPDX-License-Identifier: MIT
// Merges positions: the service that every pass uses which undoes a duplication.
//
// A pass joins positions of one bisimulation class (cfg/position_classes.h) that are copies of one; apply() then
// redirects the edges into the copies to the position that is kept. Every path executes the same code as before.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "cfg/cfg.h"
#include "cfg/position_classes.h"

namespace depyf::deopt {

enum class Kept : bool { kFirst, kLast };  // which of two positions remains, in code order

class MergedPositions {
 public:
  MergedPositions(Cfg& cfg, Version version) : cfg_(cfg), version_(version) {}

  // Puts two positions of one class into one set, whose first or last position is kept.
  void join(Position a, Position b, Kept kept);
  // Changes the graph. Returns whether there was anything to merge.
  bool apply();
  // After apply(): returns the block that begins at the position that is kept of the set of `p`.
  [[nodiscard]] BlockId kept(Position p);

 private:
  [[nodiscard]] std::size_t number(Position p);
  [[nodiscard]] std::size_t set_of(std::size_t i);
  BlockId split(BlockId b, std::uint32_t at);

  Cfg& cfg_;
  Version version_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> numbers_;  // of positions, by block and index
  std::vector<Position> positions_;
  // Blocks split at kept positions: by original block and index.
  std::map<std::uint32_t, std::map<std::uint32_t, BlockId>> kept_blocks_;
  std::vector<std::size_t> sets_;  // union-find: the parent of each position; the kept one is the root
};

}  // namespace depyf::deopt
