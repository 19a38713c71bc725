// SPDX-License-Identifier: MIT
// Symbolic execution of one side up to its next observable effect.
//
// Invariant: run() changes nothing that anybody can see; the event it returns belongs to the instruction that the frame
// is at then, and finish() carries out one outcome of it. Whether both sides' effects agree is lockstep.cpp's business.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "verify/heap.h"

namespace depyf::proof {

struct Event {
  enum class Form : std::uint8_t {
    kEffect,     // gives `results` values
    kTwoWay,     // gives true or false (an item or none, for FOR_ITER)
    kRaiseOnly,  // raises, whatever happens
    kReturn,     // ends the code object
    kRaised,     // an exception has left the code object
    kDecide,     // no effect: the truth of the only operand is not known
    kEndless,    // goes round in circles for ever without an effect
    kStuck,      // cannot be followed: `what`
  };
  enum class Then : std::uint8_t {
    kPush,
    kPushMethod,  // NULL and the result
    kBranch,
    kBranchOrPop,
    kPushTruth,
    kPushFalsity,
    kMatched,   // of CHECK_EXC_MATCH
    kIterate,   // of FOR_ITER
    kNextCall,  // of next(iterator, extra)
    kRetry,     // the instruction again: the state knows more now
    kPhase,     // the same with the next phase
    kPushPhase,
    kExtend,  // the list `extra` by all items of the result
    kExtendLater,
    kHandle,    // of CHECK_EG_MATCH
    kUnhandle,  // of END_ASYNC_FOR, <= 3.10: leaves the handler as POP_EXCEPT does
  };

  Form form = Form::kEffect;
  Then then = Then::kPush;
  Op op = Op::NOP;
  std::uint8_t flags = 0;
  std::uint32_t arg = 0;
  Key key = kNoKey;
  std::vector<ValueId> operands;
  bool may_raise = true;
  bool uncovered = false;         // by any row of the exception table
  bool optional = false;          // the second side may do it alone: skip()
  Known gives = Known::kNothing;  // of the results
  bool of_list = false;           // GET_ITER: of a list that nobody else holds, by its items
  bool gives_none = false;        // kExtend: as a method call
  bool takes_bool = false;        // a jump on what may be no bool, from 3.13 on
  std::uint32_t pops = 0;
  std::uint32_t results = 0;
  ValueId fixed = kNoValue;  // the result, which is known
  ValueId skipped = kNoValue;
  ValueId extra = kNoValue;
  std::uint32_t offset = 0;
  std::string what;
};

enum class Outcome : std::uint8_t { kNormal, kFalse };

// Names that nothing in either tree binds and that are taken for the builtins of that name.
struct Trust {
  std::set<Key> builtins;
  std::set<Key> attributes;  // of the module of builtins, in the same way
  Key iter, next, type, len, slice, base_exception, name_error, append, extend, update, add, join, context, traceback,
      name, qualname, first_line, static_attributes, defaults, closure, kwdefaults, annotate, import, builtins_module,
      build_class, repr, ascii, format, tuple;
  explicit Trust(Keys& keys);
};

class Runner {
 public:
  Runner(State& state, const Program& program, Values& values, const Trust& trust, std::uint64_t& budget)
      : state_(state),
        frame_(state.side[program.side]),
        program_(program),
        values_(values),
        trust_(trust),
        budget_(budget) {}

  [[nodiscard]] Event run();
  void finish(const Event& event, Outcome outcome, const std::vector<ValueId>& results);
  void raise(ValueId exception, ValueId type = kNoValue);
  // The second side alone.
  void skip(const Event& event);
  [[nodiscard]] bool has_handler() const { return program_.cfg.blocks[frame_.block].handler.block.valid(); }

 private:
  enum class Step : std::uint8_t { kNotMine, kUnobservable, kEvent };

  [[nodiscard]] ValueId get(ValueId v) const { return norm(state_, values_, v); }
  [[nodiscard]] ValueId top(std::size_t n = 1) const { return get(frame_.stack[frame_.stack.size() - n]); }
  std::vector<ValueId> pop(std::size_t n);
  [[nodiscard]] std::vector<ValueId> peek(std::size_t n) const;
  void push(ValueId v) { frame_.stack.push_back(v); }
  void go(BlockId block);
  Step unobservable();
  Step unobservable(ValueId pushed);
  [[nodiscard]] bool is_uncovered() const;
  Step event(const Instruction& insn, std::size_t pops, std::size_t results);
  Step stuck(std::string what);
  [[nodiscard]] Object* object(ValueId v, ObjectKind kind);
  [[nodiscard]] ValueId slice_of(std::vector<ValueId> parts) {
    parts.resize(3, values_.none());
    return make_object(state_, values_, ObjectKind::kSlice, std::move(parts));
  }
  using Named = std::pair<std::vector<ValueId>, std::vector<ValueId>>;
  [[nodiscard]] std::optional<Named> names_in(ValueId dict, std::size_t pops) const;

  Step step(const Instruction& insn);
  Step stack_op(const Instruction& insn);
  Step local_op(const Instruction& insn);
  Step cell_op(const Instruction& insn);
  Step name_op(const Instruction& insn);
  Step attribute_op(const Instruction& insn);
  Step item_op(const Instruction& insn);
  Step display_op(const Instruction& insn);
  Step map_op(const Instruction& insn);
  Step grow_op(const Instruction& insn);
  Step operator_op(const Instruction& insn);
  Step call_op(const Instruction& insn);
  Step function_op(const Instruction& insn);
  Step flow_op(const Instruction& insn);
  Step exception_op(const Instruction& insn);
  Step other_op(const Instruction& insn);

  Step load_slot(std::uint32_t slot, bool again);
  bool merge(Op op, ValueId into, ValueId by);
  [[nodiscard]] bool is_evaluated(ValueId v) const;
  Step extend(const Instruction& insn, ValueId list, ValueId by, std::size_t pops);
  Step call(const Instruction& insn, ValueId callee, std::vector<ValueId> args, ValueId names, std::size_t pops);
  [[nodiscard]] bool joins(const std::vector<ValueId>& args) const;
  void stand_for(const Instruction& insn, Op op, std::vector<ValueId> operands, std::size_t pops);
  Step iterate(const Instruction& insn, ValueId of, std::size_t pops);
  Step call_method(const Instruction& insn, const std::vector<ValueId>& args, ValueId callee, std::size_t pops);
  Step call_slots(const Instruction& insn, std::size_t argc, ValueId names, std::size_t extra);
  Step test(const Instruction& insn, ValueId v, Event::Then then, std::size_t pops);
  Step jump_on(const Instruction& insn, ValueId v);
  void decided(const Event& e, bool truth);
  [[nodiscard]] ValueId moment();
  [[nodiscard]] ValueId context_now(ValueId exception);
  [[nodiscard]] ValueId type_now(ValueId of);

  State& state_;
  Frame& frame_;
  const Program& program_;
  Values& values_;
  const Trust& trust_;
  std::uint64_t& budget_;
  Event event_;
};

[[nodiscard]] std::string show(const Event& event, Values& values);

}  // namespace depyf::proof
