// SPDX-License-Identifier: MIT
// The abstract interpreter; interpret.cpp walks, steps.cpp carries out, build.cpp records what is left to do.
//
// Invariant: a value that left the stack as an operand is built before it is recorded.
#pragma once

#include "dynamo/names.h"
#include "dynamo/scalar_replacement/state.h"

namespace depyf::dynamo {

// Records operations, and builds virtual containers where something else is about to see them.
class Builder : protected Values {
 protected:
  Builder(const CodeTree& tree, CodeId code, Demands& demands, Form& form)
      : Values(tree, code, form), demands_(demands) {}

  [[nodiscard]] std::uint32_t home_of(Val v) const;  // a local that holds it
  Operation& add_operation(const Instruction& insn, const std::vector<Val>& operands);
  // Builds a container with what it holds now.
  bool build(Val v, std::uint32_t depth = 0);
  // The same for operands that have left the stack already.
  bool build_all(std::vector<Val>& operands);
  Val make_virtual(Shape shape, std::vector<Val> items);
  // Demands that the containers among `values` are built where the code does so.
  bool build_eagerly(const std::vector<Val>& values);
  bool build_lost() { return *lost_used_ != 0 && demands_.eager.insert(*lost_used_).second; }

  Demands& demands_;
  std::map<Val, Val> built_;             // in this block
  std::set<std::uint32_t> temporaries_;  // locals named by Dynamo whose values are followed instead
  std::optional<Site> lost_used_;
  Val keywords_ = kNone;  // the dict that a call spreads
  bool unfit_ = false;    // a virtual dict turned out to be more than keywords

 private:
  Operand operand(Val v);
};

class Interpreter : Builder {
 public:
  Interpreter(const CodeTree& tree, CodeId code, const Dialect& dialect, const Cfg& cfg, Containers containers,
              Demands& demands, Form& form)
      : Builder(tree, code, demands, form),
        dialect_(dialect),
        cfg_(cfg),
        containers_(containers),
        by_dynamo_(containers == Containers::kEvaluated && made_by_dynamo(co_)) {}

  Outcome run();

 private:
  // ---- interpret.cpp: where ways meet
  void find_temporaries();
  State first_state();
  Outcome visit(std::uint32_t b);
  bool build_later(const std::vector<Val>& values);
  Outcome merge();
  Outcome edge(std::uint32_t to, State s);
  Outcome raise_edge(const Handler& h);

  // ---- steps.cpp: one instruction
  Outcome step();
  Outcome local();
  Outcome temporary(std::uint32_t x);
  Outcome shuffle();
  Outcome grow();
  Outcome keep();
  [[nodiscard]] bool iterates_at_once() const;
  Outcome special();
  bool evaluate();
  bool evaluate_subscript();
  bool evaluate_keywords();
  bool spread(std::vector<Val>& operands);
  void note_held(std::set<Val>& held, Val v) const;

  const Dialect& dialect_;
  const Cfg& cfg_;
  Containers containers_;
  bool by_dynamo_;  // and to be read, not kept to the letter
  std::vector<std::vector<State>> incoming_;
  std::vector<State> entries_;
  std::vector<bool> done_;
  std::set<std::uint32_t> loaded_;         // locals that something reads
  std::vector<Val> kept_;                  // stack below the handler's depth
  std::map<std::uint32_t, bool> changed_;  // locals stored or deleted in this block: bound all the time
  std::optional<std::vector<Val>> jump_stack_;
  bool again_ = false;  // what this attempt gives cannot be used
};

}  // namespace depyf::dynamo
