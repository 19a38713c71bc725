// SPDX-License-Identifier: MIT
// The operands on the stack: values that an expression has pushed and will use.
//
// Entries that a statement keeps on the stack are not operands: iterators, context managers, exceptions, saved locals,
// the list of an `except*` handler.
#pragma once

#include <optional>
#include <vector>

#include "cfg/cfg.h"
#include "cfg/position_classes.h"
#include "cfg/stack_flow.h"
#include "support/small_vector.h"

namespace depyf::deopt {

// From bottom to top, by entry: for an operand or iterator, the number of the instruction that pushed it; for an
// exception, its handler; 0 for any other entry.
using OperandStack = AbstractStack;
// Flag: not a complete value of an expression (NULL, a method, a slice).
inline constexpr std::uint32_t kPart = 0x80000000;
inline constexpr std::uint32_t kException = 0x40000000;  // flag: an exception, not an operand
inline constexpr std::uint32_t kIterator = 0x50000000;   // flags: pushed by GET_ITER, not an operand
// Flag: different on the paths into the block whose id is the rest of the number.
inline constexpr std::uint32_t kPhi = 0x20000000;

[[nodiscard]] inline bool is_operand(std::uint32_t entry) { return entry != 0 && (entry & kException) == 0; }
[[nodiscard]] inline bool is_iterator(std::uint32_t entry) {
  return (entry & kPart) == 0 && (entry & kIterator) == kIterator;
}
[[nodiscard]] inline bool is_value(std::uint32_t entry) { return (entry & kPart) == 0; }

class OperandDomain {
 public:
  explicit OperandDomain(const Cfg& cfg);
  [[nodiscard]] std::uint32_t pushed(Position at, std::uint32_t nth, const OperandStack& before) const;
  [[nodiscard]] static std::uint32_t raised(BlockId handler, std::uint32_t /*nth*/) { return kException | handler.n; }
  [[nodiscard]] static std::uint32_t met(BlockId block) { return kPhi | block.n; }

 private:
  const Cfg& cfg_;
  SmallVector<std::uint32_t, 32> firsts_;  // by block: the number of its first instruction
};

struct OperandStacks : StackFlow<OperandDomain> {
  OperandStacks(const Cfg& cfg, Version version) : StackFlow(cfg, version, OperandDomain(cfg)) {}
};

// Both analyses of a graph, each computed on demand, since most graphs need neither. A pass that changes the graph
// calls forget().
class PositionFacts {
 public:
  PositionFacts(const Cfg& cfg, Version version) : cfg_(cfg), version_(version) {}

  [[nodiscard]] const PositionClasses& classes() const {
    if (!classes_) classes_.emplace(cfg_);
    return *classes_;
  }
  [[nodiscard]] const OperandStacks& operands() const {
    if (!operands_) operands_.emplace(cfg_, version_);
    return *operands_;
  }
  [[nodiscard]] std::uint32_t class_of(Position p) const { return classes().at(p.block, p.at); }
  void forget() {
    classes_.reset();
    operands_.reset();
  }
  // Returns whether no other position is in the class of `p`.
  [[nodiscard]] bool is_single(Position p) const { return classes().multiplicity(class_of(p)) < 2; }

 private:
  const Cfg& cfg_;
  Version version_;
  mutable std::optional<PositionClasses> classes_;
  mutable std::optional<OperandStacks> operands_;
};

}  // namespace depyf::deopt
