// SPDX-License-Identifier: MIT
// Executes one side symbolically up to its next observable effect.
//
// Runner::run() executes instructions whose effects nobody can observe (stack, local variables, fresh containers,
// branches with a known outcome) and returns an Event for the next one that is observable. Invariant: the event belongs
// to the instruction that the frame is at; finish() applies one outcome of it. lockstep.cpp compares the events of both
// sides.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "verify/heap.h"

namespace depyf::proof {

struct Event {
  enum class Form : std::uint8_t {
    kEffect,     // produces `results` values
    kTwoWay,     // has two outcomes: true or false, or for FOR_ITER an item or exhaustion
    kRaiseOnly,  // always raises
    kReturn,     // returns from the code object
    kRaised,     // an exception has left the code object
    kDecide,     // no effect: a branch on the only operand, whose truth is unknown
    kEndless,    // no effect: an endless loop
    kStuck,      // execution cannot continue, for the `reason`
  };
  // How finish() applies the outcome.
  enum class Then : std::uint8_t {
    kPush,         // pushes the results
    kPushMethod,   // pushes NULL and the result
    kBranch,       // pops the operand and jumps or not
    kBranchOrPop,  // jumps, or pops the operand
    kPushTruth,
    kPushFalsity,
    kMatched,      // pushes the truth (CHECK_EXC_MATCH)
    kIterate,      // pushes the item, or leaves the loop (FOR_ITER)
    kNextCall,     // pushes the item, or `extra`: next(iterator, extra)
    kRetry,        // executes the instruction again, with more known about a variable
    kPhase,        // executes the instruction again, in the next phase
    kPushPhase,    // replaces the operands by the results, then as kPhase
    kExtend,       // appends all items of the result to the fresh list `extra`
    kExtendLater,  // replaces the iterable by the items that it produced and executes the instruction again
    kHandle,       // pushes the results, and makes the match the handled exception (CHECK_EG_MATCH)
    kUnhandle,     // leaves the handler as POP_EXCEPT does (END_ASYNC_FOR up to 3.10)
  };

  Form form = Form::kEffect;
  Then then = Then::kPush;
  Op op = Op::NOP;
  std::uint8_t flags = 0;
  std::uint32_t arg = 0;
  Key key = kNoKey;
  std::vector<ValueId> operands;
  bool may_raise = true;
  bool uncovered = false;                // no row of the exception table covers the instruction
  bool optional = false;                 // the second side may do it without a counterpart: skip()
  Known result_known = Known::kNothing;  // what is known about the results
  bool iterates_list = false;  // GET_ITER of a fresh list without other references; the operand is a tuple of its items
  bool pushes_none = false;    // kExtend: push None, since this was a method call
  bool needs_bool = false;     // 3.13+: a jump that requires a bool, on a value not known to be one
  std::uint32_t pops = 0;      // entries to pop from the stack; may differ from the number of operands
  std::uint32_t results = 0;
  ValueId known_result = kNoValue;  // the only result, if it is known
  ValueId skip_result = kNoValue;   // the only result if skip() executes the event
  ValueId extra = kNoValue;         // see Then
  std::uint32_t offset = 0;         // in bytes
  std::string reason;               // see kStuck
};

// kFalse is the second outcome of a kTwoWay event.
enum class Outcome : std::uint8_t { kNormal, kFalse };

// Names that no code of either tree binds, so that they are assumed to refer to builtins, and keys of names that rules
// need.
struct Trust {
  std::set<Key> builtins;
  std::set<Key> attributes;  // the same for attributes of the `builtins` module
  Key iter, next, type, len, slice, base_exception, name_error, append, extend, update, add, join, context, traceback,
      name, qualname, first_line, static_attributes, defaults, closure, kwdefaults, annotate, import, builtins_module,
      build_class, repr, ascii, format, tuple;
  explicit Trust(Keys& keys);
};

// What one side can observe at the start of a block: its frame, and the fresh objects that it reaches. If that comes
// again without an event, it comes for ever. (An object that changes keeps its reference, so the frame alone is not
// enough: `while l: del l[0]` ends.)
class Cycle {
 public:
  Cycle(const State& state, Values& values, std::uint32_t side);
  [[nodiscard]] bool repeats(const State& state, const Frame& now) const;

 private:
  Frame frame_;
  std::map<ValueId, Object> objects_;
};

enum class Step : std::uint8_t { kNoRule, kUnobservable, kEvent };

// Executes the frame of one side. The functions of families.h implement the operations.
class Runner {
 public:
  Runner(State& s, const Program& p, Values& v, const Trust& t, std::uint64_t& budget)
      : state(s), frame(s.side[p.side]), program(p), values(v), trust(t), budget_(budget) {}

  [[nodiscard]] Event run();
  // Applies one outcome of an event that run() returned; not for one that raises.
  void finish(const Event& e, Outcome outcome, const std::vector<ValueId>& results);
  // Enters the handler of the current instruction, or sets Frame::uncaught. `type`: see effects.cpp.
  void raise(ValueId exception, ValueId type = kNoValue);
  // Applies an optional event of the second side, to which no event of the first corresponds.
  void skip(const Event& e);
  [[nodiscard]] bool has_handler() const { return program.cfg.blocks[frame.block].handler.block.valid(); }

  // ---- the frame
  [[nodiscard]] ValueId get(ValueId v) const { return norm(state, values, v); }
  [[nodiscard]] ValueId top(std::size_t n = 1) const { return get(frame.stack[frame.stack.size() - n]); }
  std::vector<ValueId> pop(std::size_t n);
  [[nodiscard]] std::vector<ValueId> peek(std::size_t n) const;
  void push(ValueId v) { frame.stack.push_back(v); }
  void enter_block(BlockId block);
  // Returns the fresh object of this kind that v refers to, or nullptr.
  [[nodiscard]] Object* object(ValueId v, ObjectKind kind) const { return object_of(state, v, kind); }

  // ---- the end of an instruction: unobservable, an event, or stuck
  Step unobservable();
  Step unobservable(ValueId pushed);
  Step drop(std::size_t pops) {
    frame.stack.resize(frame.stack.size() - pops);
    return unobservable();
  }
  Step replace(std::size_t pops, ValueId by) {
    frame.stack.resize(frame.stack.size() - pops);
    return unobservable(by);
  }
  Step observable(const Instruction& insn, std::size_t pops, std::size_t results);
  Step stuck(std::string reason);

  State& state;
  Frame& frame;
  const Program& program;
  Values& values;
  const Trust& trust;
  Event event;

 private:
  [[nodiscard]] bool is_uncovered() const;
  void take_branch(const Event& e, bool truth);

  std::uint64_t& budget_;
};

[[nodiscard]] std::string show(const Event& event, Values& values);

}  // namespace depyf::proof
