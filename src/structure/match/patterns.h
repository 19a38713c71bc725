// SPDX-License-Identifier: MIT
// Reads the tests of one `case` back into its pattern, by symbolic execution of the path on which every test succeeds.
//
// Invariant: a pattern is returned only if every instruction of that path belongs to it, and all its failures join.
#pragma once

#include <optional>
#include <vector>

#include "structure/match/places.h"
#include "structure/match/tree.h"

namespace depyf::structure {

struct ReadCase {
  ast::PatternId pattern;
  bool keeps_subject = false;  // the subject stays below the tested copy, for the next case
  bool refutable = false;
  bool never_holds = false;  // the compiler has left only the failure of its guard: `case x if 0`
  Place body;                // where a match continues: at a guard, or at the body
  Place failed;              // if refutable: where a failure continues
  std::vector<std::uint32_t> blocks;
};

class PatternReader {
 public:
  PatternReader(lift::Unit& unit, lift::Lifter& lifter, const Places& places)
      : unit_(unit), lifter_(lifter), places_(places), tree_(unit) {}

  // Returns the pattern whose tests begin at `start`, with the subject on top of the stack, or nullopt.
  // `may_drop_subject`: a failure may lead to code that drops the subject, as `case _ if guard` before a last `case _`
  // does. Otherwise such a failure belongs to the last alternative of an or-pattern.
  std::optional<ReadCase> read(Place start, bool keeps_subject, bool may_drop_subject = false);

 private:
  // The state of symbolic execution on one path.
  struct Path {
    Place at;
    Place joined;  // where the alternatives read last joined
    std::vector<Slot> stack;
    std::vector<Failure> failures;
    bool has_stored = false;      // it has stored a name: then nothing is tested or copied any more
    bool has_left_range = false;  // it has entered a block with another handler: the body, if no test is left
  };
  // Why run() stopped: no pattern; the pattern is complete; an alternative reached the join of alternatives or an exit
  // block.
  enum class Stop : std::uint8_t { kBroken, kDone, kJoin, kExit };

  Stop run(Path& t, bool in_alternative, std::size_t base);
  bool run_to(Path& t, Place end);
  bool execute(Path& t);
  bool stack_step(Path& t, const Instruction& insn);
  bool test_step(Path& t, const Instruction& insn);
  bool access_step(Path& t, const Instruction& insn);
  bool mapping_step(Path& t, const Instruction& insn);
  bool class_step(Path& t, const Instruction& insn);
  bool operand_step(Path& t, const Instruction& insn);
  bool execute_branch(Path& t, const Instruction& insn);
  bool execute_copy(Path& t, const Instruction& insn);
  bool read_alternatives(Path& t);
  bool join_alternatives(Path& t, std::vector<Path>& ends, const std::vector<Stop>& stops);
  bool enter(Path& t, BlockId to);

  lift::Unit& unit_;
  lift::Lifter& lifter_;
  const Places& places_;
  PatternTree tree_;
  std::vector<std::uint32_t> blocks_;
  std::uint32_t nesting_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace depyf::structure
