// SPDX-License-Identifier: MIT
// Which operands lie on the stack: what an expression has pushed and will use.
//
// Entries that statements leave there for longer are no operands: iterators, context managers, exceptions, cleared locals,
// the list that an `except*` keeps.
#pragma once

#include <optional>
#include <vector>

#include "cfg/cfg.h"
#include "cfg/position_classes.h"
#include "cfg/stack_flow.h"
#include "support/small_vector.h"

namespace depyf::deopt {

// Upwards: the instruction that has pushed each operand or iterator, as a number; of an exception, its handler; 0: none of
// these.
using OperandStack = AbstractStack;
inline constexpr std::uint32_t kPart = 0x80000000;       // flag: less than the value of an expression
inline constexpr std::uint32_t kException = 0x40000000;  // flag: no operand
inline constexpr std::uint32_t kIterator = 0x50000000;   // flags: no operand, but what GET_ITER has pushed
inline constexpr std::uint32_t kPhi = 0x20000000;        // flag: one of several, with the block where their paths meet

[[nodiscard]] inline bool is_operand(std::uint32_t entry) { return entry != 0 && (entry & kException) == 0; }
[[nodiscard]] inline bool is_iterator(std::uint32_t entry) {
  return (entry & kPart) == 0 && (entry & kIterator) == kIterator;
}
[[nodiscard]] inline bool is_value(std::uint32_t entry) { return (entry & kPart) == 0; }

class OperandDomain {
 public:
  explicit OperandDomain(const Cfg& cfg);
  [[nodiscard]] std::uint32_t pushed(Position at, std::uint32_t nth, const OperandStack& before) const;
  [[nodiscard]] static std::uint32_t raised(BlockId handler) { return kException | handler.n; }
  [[nodiscard]] static std::uint32_t met(BlockId block) { return kPhi | block.n; }

 private:
  const Cfg& cfg_;
  SmallVector<std::uint32_t, 32> firsts_;  // by block: the number of its first instruction
};

struct OperandStacks : StackFlow<OperandDomain> {
  OperandStacks(const Cfg& cfg, Version version) : StackFlow(cfg, version, OperandDomain(cfg)) {}
};

// Both analyses of a graph, each made when it is first asked for: most graphs need neither. Whoever changes the graph lets
// them be forgotten.
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
  // Whether nothing else is equal to a position.
  [[nodiscard]] bool is_single(Position p) const { return classes().multiplicity(class_of(p)) < 2; }

 private:
  const Cfg& cfg_;
  Version version_;
  mutable std::optional<PositionClasses> classes_;
  mutable std::optional<OperandStacks> operands_;
};

}  // namespace depyf::deopt
