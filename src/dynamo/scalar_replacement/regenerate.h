// SPDX-License-Identifier: MIT
// Generates code from the intermediate form: chooses which values need variables, orders expressions and statements.
//
// Invariant: operations keep the order of the form. An expression stays pending until the operation that uses it; if
// any other operation comes between that is not a pure display of existing values, the expression is spilled to a
// variable. Across statements the operand stack holds only physical values.
#pragma once

#include <set>
#include <string>

#include "dynamo/scalar_replacement/lines.h"

namespace depyf::dynamo {

struct Pending {
  Val value = kNone;
  Code code;
  bool physical = false;
  bool free = false;  // pure: it may be reordered with any other pending expression
};

class Regenerator {
 public:
  Regenerator(const Cfg& cfg, Form& form, Demands& demands) : cfg_(cfg), f_(form), demands_(demands) {}
  Outcome run(Evaluated& out);

 private:
  void count_uses();
  [[nodiscard]] bool needs_variable(Val v) const;
  std::uint32_t variable(Val v);
  [[nodiscard]] bool physical(Val v) const {
    return f_.values[v].kind == Kind::kPinned || f_.values[v].kind == Kind::kLeaf;
  }
  [[nodiscard]] std::uint32_t physical_count(const std::vector<Val>& stack, std::size_t depth) const;

  Outcome block(std::uint32_t b);
  Outcome operation(const Operation& op);
  Outcome emit_deletes_before(const Operation& op);
  Outcome pass_on_deletes(Op end);
  void push_results(const Operation& op);
  Outcome emit_operands(const std::vector<Operand>& operands, std::uint32_t offset, Code& code, bool stores,
                        bool* free = nullptr);
  Outcome align_pending(const std::vector<Operand>& operands, bool stores);
  Outcome store_leaves(const std::vector<Operand>& operands, bool stores);
  Outcome spill(std::size_t count);
  Outcome finish_block(std::uint32_t b);
  Outcome store_phis(const std::vector<Operand>& exit, std::uint32_t to);
  void emit_deletes();
  [[nodiscard]] bool has_pending_expression() const { return !pending_.empty() && !pending_.back().physical; }
  void emit(Instruction insn, std::uint32_t offset) {
    insn.offset = offset;
    line_->code.push_back({insn, nullptr});
  }
  void add_boundary() {
    const auto depth = std::count_if(pending_.begin(), pending_.end(), [](const Pending& p) { return p.physical; });
    line_->boundaries.push_back({line_->code.size(), static_cast<std::uint32_t>(depth)});
  }
  void split_edges();
  void write(Evaluated& out) const;

  const Cfg& cfg_;
  Form& f_;
  bool demand_variable(Val v);

  Demands& demands_;
  bool must_retry_ = false;                      // this attempt adds demands, so its result is discarded
  std::vector<std::uint32_t> uses_;              // by value: number of operands and phi arguments that have no home
  std::vector<std::uint32_t> used_in_;           // by value: the only block that uses it, or kNone - 1 for several
  std::vector<std::vector<Val>> held_on_entry_;  // by block: kHeld values defined at its entry
  std::map<Val, std::uint32_t> variables_;
  std::vector<Val> value_of_;                                            // by variable
  std::vector<Line> lines_;                                              // by block, then split edges
  std::map<std::uint32_t, std::vector<Instruction>> inherited_deletes_;  // by block: from its predecessor
  std::vector<std::uint32_t> preds_;
  Line* line_ = nullptr;
  std::vector<Pending> pending_;
  std::vector<Instruction> deletes_;  // of bound locals, postponed until no expression is pending
};

}  // namespace depyf::dynamo
