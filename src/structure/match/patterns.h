// SPDX-License-Identifier: MIT
// Reading the tests of one `case` back into its pattern: symbolic execution of the way on which everything matches.
//
// Invariant: a pattern is given only if every instruction of that path belongs to it and all its failures meet.
#pragma once

#include <optional>
#include <vector>

#include "structure/match/places.h"
#include "structure/match/tree.h"

namespace depyf::structure {

struct ReadCase {
  ast::PatternId pattern;
  bool keeps_subject = false;  // it lies below what the pattern works on, for the next case
  bool refutable = false;
  bool never_holds = false;  // of its guard the compiler has left that it fails: `case x if 0`
  Place body;                // where it continues when it matches: a guard, or the body
  Place failed;              // refutable: where it continues when it does not
  std::vector<std::uint32_t> blocks;
};

class PatternReader {
 public:
  PatternReader(lift::Unit& unit, lift::Lifter& lifter, const Places& places)
      : unit_(unit), lifter_(lifter), places_(places), tree_(unit) {}

  // The pattern whose tests begin at `start`, where the subject is on top of the stack.
  // `drop_follows`: where it fails, the subject may be dropped: `case _ if guard` before a last `case _`. What else fails
  // so is an or-pattern's last alternative.
  std::optional<ReadCase> read(Place start, bool keeps_subject, bool drop_follows = false);

 private:
  struct Thread {
    Place at;
    Place joined;  // where the alternatives read last have met
    std::vector<Slot> stack;
    std::vector<Failure> failures;
    bool stored = false;  // a name: nothing is tested or copied any more
    bool left = false;    // at a block with another handler: the body, if nothing is left to test
  };
  enum class Stop : std::uint8_t { kBroken, kDone, kJoin, kExit };

  Stop run(Thread& t, bool alternative, std::size_t base);
  bool run_to(Thread& t, Place end);
  bool step(Thread& t);
  bool stack_step(Thread& t, const Instruction& insn);
  bool test_step(Thread& t, const Instruction& insn);
  bool pick_step(Thread& t, const Instruction& insn);
  bool mapping_step(Thread& t, const Instruction& insn);
  bool class_step(Thread& t, const Instruction& insn);
  bool operand_step(Thread& t, const Instruction& insn);
  bool branch(Thread& t, const Instruction& insn);
  bool copy(Thread& t, const Instruction& insn);
  bool alternatives(Thread& t);
  bool join(Thread& t, std::vector<Thread>& ends, const std::vector<Stop>& how);
  bool enter(Thread& t, BlockId to);

  lift::Unit& unit_;
  lift::Lifter& lifter_;
  const Places& places_;
  PatternTree tree_;
  std::vector<std::uint32_t> blocks_;
  std::uint32_t nesting_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace depyf::structure
