// SPDX-License-Identifier: MIT
// The abstract interpreter: interpret.cpp visits blocks and joins states, steps.cpp executes instructions, build.cpp
// records the operations that remain.
//
// Invariant: a virtual container that an operation takes as operand is materialized before the operation is recorded.
#pragma once

#include "dynamo/names.h"
#include "dynamo/scalar_replacement/state.h"

namespace depyf::dynamo {

// Records operations, and materializes virtual containers when they escape.
class Builder : protected Values {
 protected:
  Builder(const CodeTree& tree, CodeId code, Demands& demands, Form& form)
      : Values(tree, code, form), demands_(demands) {}

  [[nodiscard]] std::uint32_t home_of(Val v) const;  // a local that holds v, or kNone
  Operation& add_operation(const Instruction& insn, const std::vector<Val>& operands);
  // Materializes v, and the virtual containers in it, with their current items. Returns false if they nest too deep.
  bool materialize(Val v, std::uint32_t depth = 0);
  // Materializes operands that are already off the stack, and replaces them in the vector.
  bool materialize_all(std::vector<Val>& operands);
  Val make_virtual(Shape shape, std::vector<Val> items);
  // Demands that virtual containers among `values` are materialized where they are built. Returns whether any is new.
  bool demand_eager(const std::vector<Val>& values);
  bool demand_eager_for_lost() { return *used_lost_site_ != 0 && demands_.eager.insert(*used_lost_site_).second; }

  Demands& demands_;
  std::map<Val, Val> materialized_;      // virtual containers materialized in this block, by their old ids
  std::set<std::uint32_t> temporaries_;  // Dynamo's temporaries, whose values are propagated to their uses
  std::optional<Site> used_lost_site_;
  Val keywords_ = kNone;       // the `**kwargs` dict of the call being recorded
  bool dict_escaped_ = false;  // a virtual dict escaped other than as `**kwargs`

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
  // ---- interpret.cpp: blocks and joins
  void find_temporaries();
  State first_state();
  Outcome visit(std::uint32_t b);
  bool demand_eager_and_continue(const std::vector<Val>& values);
  [[nodiscard]] bool is_null(Val v) const;
  std::optional<Val> merge_entry(const std::vector<State>& in, std::uint32_t d);
  std::optional<std::map<Val, std::vector<Val>>> merge_containers(const std::vector<State>& in, std::vector<Val> todo);
  Outcome merge();
  Outcome pass_state(std::uint32_t to, State s);
  Outcome pass_state_to_handler(const Handler& h);

  // ---- steps.cpp: single instructions
  Outcome step();
  Outcome access_local();
  Outcome access_temporary(std::uint32_t x);
  Outcome rearrange_stack();
  Outcome grow_container();
  Outcome keep_operation();
  [[nodiscard]] bool is_argument_of_next_call() const;
  Outcome keep_special();
  bool evaluate();
  bool evaluate_subscript();
  bool evaluate_keywords();
  bool build_call_arguments(std::vector<Val>& operands);
  void add_reachable(std::set<Val>& held, Val v) const;

  const Dialect& dialect_;
  const Cfg& cfg_;
  Containers containers_;
  bool by_dynamo_;  // Dynamo's code, not in literal mode
  std::vector<std::vector<State>> incoming_;
  std::vector<State> entries_;
  std::vector<bool> done_;
  std::set<std::uint32_t> loaded_locals_;         // locals that some LOAD_FAST reads
  std::vector<Val> handler_stack_;                // the stack entries that an exception handler of this block sees
  std::map<std::uint32_t, bool> changed_locals_;  // locals stored or deleted in this block; true: bound throughout
  std::optional<std::vector<Val>> jump_stack_;
  bool must_retry_ = false;  // this attempt adds demands, so its result is discarded
};

}  // namespace depyf::dynamo
