// SPDX-License-Identifier: MIT
// Reading the tests of one `case` back into its pattern: symbolic execution of the way on which everything matches.
//
// Shape: codegen_pattern_* in Python/codegen.c (compiler_pattern_* in Python/compile.c up to 3.13). Each failed test
// pops what the pattern had on the stack and continues at one place. Invariant: a pattern is given only if every
// instruction of that path belongs to it and all its failures meet; the graph is not changed.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "structure/graph.h"

namespace depyf::structure {

struct Place {  // an instruction of a graph, or the end of a block
  std::uint32_t block = kNone, at = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};

struct ReadCase {
  ast::PatternId pattern;
  bool keeps_subject = false;  // it lies below what the pattern works on, for the next case
  bool refutable = false;
  Place body;    // where it continues when it matches: a guard, or the body
  Place failed;  // refutable: where it continues when it does not
  std::vector<std::uint32_t> blocks;
};

class PatternReader {
 public:
  PatternReader(lift::Unit& unit, lift::Lifter& lifter, Cfg& cfg);
  void count_edges();  // after a change of the graph
  [[nodiscard]] bool is_reached(std::uint32_t b) const { return is_reached_[b]; }
  // The pattern whose tests begin at `start`, where the subject is on top of the stack.
  // `drop_follows`: where it fails, the subject may be dropped: `case _ if guard` before a last `case _`. What else fails
  // so is an or-pattern's last alternative.
  std::optional<ReadCase> read(Place start, bool keeps_subject, bool drop_follows = false);
  [[nodiscard]] const Instruction* at(const Place& p) const;  // null: the end of the block
  // Past POP_TOPs that bring the stack from one depth to another; no block: there is something else.
  [[nodiscard]] Place after_pops(Place p, std::size_t from, std::size_t to) const;
  [[nodiscard]] Place settle(Place p) const;  // past NOPs and ends of blocks

 private:
  struct Slot {
    enum class Kind : std::uint8_t {
      kSubject,  // of the statement, kept for the next case
      kNode,     // a value under test
      kExpr,     // an operand: constant or dotted name
      kLen,      // len(node)
      kFromEnd,  // len(node) - `number`
      kTest,     // outcome of a test
      kAttrs,    // a class pattern's attributes
      kKeys,     // a mapping pattern's keys
      kKey,
      kValues,  // a mapping pattern's values
      kRest,    // the rest of a mapping
      kMerged,  // what each alternative of an or-pattern left here; `node` indexes merged_
    } kind = Kind::kNode;
    std::uint32_t node = kNone;
    std::uint32_t level = 0;  // which copy of the value it is
    std::int64_t number = 0;
    ExprId expr{};
    bool copied = false;  // kept below a copy, to be bound by `as`
    bool peek = false;    // a copy made to look into
  };
  struct Node {
    enum class Kind : std::uint8_t { kAny, kValue, kSingleton, kSequence, kMapping, kClass, kOr } kind = Kind::kAny;
    std::uint32_t copies = 0;  // made for `as`
    ExprId expr{};
    std::vector<std::uint32_t> items;
    bool unpacked = false, has_len = false, at_least = false;
    std::int64_t len = 0;
    std::uint32_t star = kNone;
    std::vector<std::pair<std::int64_t, std::uint32_t>> picked;  // by index, negative from the end
    ExprIds keys;
    ast::NameId rest{};
    std::uint32_t positional = 0;
    std::vector<ast::NameId> attributes;
    std::vector<std::pair<std::uint32_t, ast::NameId>> names;  // by level
  };
  struct Failure {
    Place to;
    std::size_t depth = 0;
  };
  struct Thread {
    Place at;
    Place joined;  // where the alternatives read last have met
    std::vector<Slot> stack;
    std::vector<Failure> failures;
    bool stored = false;  // a name: nothing is tested any more
    bool left = false;    // at a block with another handler: the body, if nothing is left to test
  };
  enum class Stop : std::uint8_t { kBroken, kDone, kJoin, kExit };

  // execution
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
  std::size_t common_suffix(const std::vector<Thread>& ends) const;
  bool unpack(Slot from, std::size_t count, std::size_t star, std::vector<Slot>& out);
  bool may_drop(const Slot& s) const;
  bool bind(const Slot& s, ast::NameId name);
  bool enter(Thread& t, BlockId to);

  // failures
  [[nodiscard]] bool is_alternative(const Thread& t) const;
  [[nodiscard]] bool first_failure(Place& p, std::size_t& depth, std::size_t own) const;
  [[nodiscard]] bool same(const Place& a, const Place& b) const;
  [[nodiscard]] bool meet(const std::vector<Failure>& failures, std::size_t depth, Place& out) const;

  // result
  std::uint32_t node();
  std::optional<ast::PatternId> build(std::uint32_t id, std::uint32_t depth);
  std::optional<ast::PatternNode> build_node(std::uint32_t id, std::uint32_t depth);
  std::optional<ast::PatternNode> build_sequence(std::uint32_t id, std::uint32_t depth);
  [[nodiscard]] std::optional<std::int64_t> number(const Slot& s) const;
  [[nodiscard]] bool is_value(ast::ExprId e) const;
  [[nodiscard]] ExprIds tuple_items(ExprId e) const;
  [[nodiscard]] const BasicBlock& block(std::uint32_t i) const { return cfg_.blocks[BlockId{i}]; }
  [[nodiscard]] bool exits(std::uint32_t i) const { return !block(i).fall.valid() && !block(i).jump.valid(); }

  lift::Unit& unit_;
  lift::Lifter& lifter_;
  Cfg& cfg_;
  std::vector<std::uint32_t> edges_in_;
  std::vector<bool> is_reached_;
  std::vector<Node> nodes_;
  std::vector<std::vector<Slot>> merged_;
  std::vector<std::uint32_t> blocks_;
  std::uint32_t nesting_ = 0;
  std::size_t steps_ = 0;
  ast::Origin origin_;
};

}  // namespace depyf::structure
