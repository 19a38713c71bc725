// SPDX-License-Identifier: MIT
// Code again from the intermediate form: which values need a variable, expressions in their old order, statements.
//
// Invariant: operations come out in the order of the form. An expression waits (Pending) until what uses it comes right
// after it; whatever comes between, but for displays of what is there already, makes it a variable. On the real stack,
// across statements, lie only physical values.
#pragma once

#include <set>
#include <string>

#include "dynamo/scalar_replacement/lines.h"

namespace depyf::dynamo {

struct Pending {
  Val value = kNone;
  Code code;
  bool physical = false;
  bool free = false;  // runs nobody's code and cannot fail: it may change places with any other that waits
};

class Regenerator {
 public:
  Regenerator(const Cfg& cfg, Form& form, Demands& demands) : cfg_(cfg), f_(form), demands_(demands) {}
  Outcome run(Evaluated& out);

 private:
  void find_wanted();
  [[nodiscard]] bool needs_variable(Val v) const;
  std::uint32_t variable(Val v);
  [[nodiscard]] bool physical(Val v) const {
    return f_.values[v].kind == Kind::kPinned || f_.values[v].kind == Kind::kLeaf;
  }
  [[nodiscard]] std::uint32_t physical_count(const std::vector<Val>& stack, std::size_t depth) const;

  Outcome block(std::uint32_t b);
  Outcome operation(const Operation& op);
  Outcome gather(const std::vector<Operand>& operands, std::uint32_t offset, Code& code, bool stores,
                 bool* free = nullptr);
  Outcome settle(const std::vector<Operand>& operands, bool stores);
  Outcome lift_leaves(const std::vector<Operand>& operands, bool stores);
  [[nodiscard]] std::size_t waits_at(const Operand& o) const;
  Outcome flush(std::size_t count);
  Outcome finish_block(std::uint32_t b);
  Outcome store_phis(const std::vector<Operand>& exit, std::uint32_t to);
  void emit_deletes();
  [[nodiscard]] bool waiting() const { return !pending_.empty() && !pending_.back().physical; }
  void put(Instruction insn, std::uint32_t offset) {
    insn.offset = offset;
    line_->code.push_back({insn, nullptr});
  }
  void boundary() {
    const auto lying = std::count_if(pending_.begin(), pending_.end(), [](const Pending& p) { return p.physical; });
    line_->boundaries.push_back({line_->code.size(), static_cast<std::uint32_t>(lying)});
  }
  static Instruction local(Op op, std::uint32_t index) {
    Instruction i;
    i.op = op;
    i.arg = index;
    return i;
  }
  void split_edges();
  void write(Evaluated& out) const;

  const Cfg& cfg_;
  Form& f_;
  bool store_next_time(Val v);

  Demands& demands_;
  bool again_ = false;                           // what this attempt gives cannot be used
  std::vector<std::uint32_t> uses_;              // by value: operands and phi arguments without a home
  std::vector<std::uint32_t> used_in_;           // by value: the one block; kNone - 1: several
  std::vector<std::vector<Val>> held_on_entry_;  // by block: what a local variable holds when it begins
  std::map<Val, std::uint32_t> variables_;
  std::vector<Val> value_of_;                                    // by variable
  std::vector<Line> lines_;                                      // by block, then split edges
  std::map<std::uint32_t, std::vector<Instruction>> inherited_;  // deletes that a branch passed on, by block
  std::vector<std::uint32_t> preds_;
  Line* line_ = nullptr;
  std::vector<Pending> pending_;
  std::vector<Instruction> deletes_;  // of bound locals, waiting for the expressions before them
};

}  // namespace depyf::dynamo
