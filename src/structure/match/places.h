// SPDX-License-Identifier: MIT
// The graph as the tests of a `case` use it: instructions, targets of failed tests, and positions where failures join.
//
// Shape: codegen_pattern_* in Python/codegen.c (compiler_pattern_* in Python/compile.c up to 3.13). Each failed test
// pops what the pattern has pushed and continues at one place. Invariant: nothing here changes the graph.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "structure/graph.h"

namespace depyf::structure {

struct Place {  // an instruction of a graph, or the end of a block
  std::uint32_t block = kNone, at = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct Failure {  // of a test
  Place to;
  std::size_t depth = 0;  // of the stack there
};

class Places {
 public:
  Places(const Dialect& dialect, const Cfg& cfg) : dialect_(dialect), cfg_(cfg) { update({}); }

  // Updates the cached facts after a change of the graph: `changed` lists the blocks whose edges differ; new blocks are
  // found.
  void update(std::span<const std::uint32_t> changed);
  [[nodiscard]] bool is_reached(std::uint32_t b) const { return known_[b].is_reached; }
  [[nodiscard]] std::uint32_t edges_in(std::uint32_t b) const { return known_[b].edges_in; }
  [[nodiscard]] const BasicBlock& block(std::uint32_t b) const { return cfg_.blocks[BlockId{b}]; }
  [[nodiscard]] bool exits(std::uint32_t b) const { return !block(b).fall.valid() && !block(b).jump.valid(); }
  [[nodiscard]] const Instruction* at(const Place& p) const;  // null: the end of the block
  [[nodiscard]] Place skip_nops(Place p) const;               // skips NOPs and ends of blocks
  // Skips POP_TOPs until the stack has `to` instead of `from` entries. Returns no block if there is other code before
  // that.
  [[nodiscard]] Place skip_pops(Place p, std::size_t from, std::size_t to) const;
  // Returns whether the COPY at a place belongs to an alternative of an or-pattern: if it fails, the value is still
  // there.
  [[nodiscard]] bool is_alternative(Place p, std::size_t depth) const;
  // Returns whether both are one place, or equal copies of a short end of the function.
  [[nodiscard]] bool is_same_code(const Place& a, const Place& b) const;
  // Returns the place where all failures lead with the stack at `depth`, or nullopt.
  [[nodiscard]] std::optional<Place> join_of(const std::vector<Failure>& failures, std::size_t depth) const;
  // Returns how many of the last instructions are equal in blocks that end the function.
  [[nodiscard]] std::size_t common_suffix(const std::vector<Place>& ends) const;

 private:
  [[nodiscard]] bool is_before_wildcard(Place p, std::size_t depth, std::size_t own) const;
  [[nodiscard]] bool next_test(Place& p, std::size_t& depth, std::size_t own, Place& failed) const;

  const Dialect& dialect_;
  const Cfg& cfg_;
  struct Known {  // of a block
    BlockId fall, jump, handler;
    std::uint32_t edges_in = 0;  // from reachable blocks
    std::uint32_t entries = 0;   // the same, with edges from blocks that may raise to it
    bool is_reached = false;
  };
  std::vector<Known> known_;
};

}  // namespace depyf::structure
