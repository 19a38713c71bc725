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

enum class Step : std::uint8_t { kNotMine, kUnobservable, kEvent };

// One side's frame as it runs. The functions of families.h say what each operation does to it.
class Runner {
 public:
  Runner(State& s, const Program& p, Values& v, const Trust& t, std::uint64_t& budget)
      : state(s), frame(s.side[p.side]), program(p), values(v), trust(t), budget_(budget) {}

  [[nodiscard]] Event run();
  void finish(const Event& e, Outcome outcome, const std::vector<ValueId>& results);
  void raise(ValueId exception, ValueId type = kNoValue);
  // The second side alone.
  void skip(const Event& e);
  [[nodiscard]] bool has_handler() const { return program.cfg.blocks[frame.block].handler.block.valid(); }

  // ---- the frame
  [[nodiscard]] ValueId get(ValueId v) const { return norm(state, values, v); }
  [[nodiscard]] ValueId top(std::size_t n = 1) const { return get(frame.stack[frame.stack.size() - n]); }
  std::vector<ValueId> pop(std::size_t n);
  [[nodiscard]] std::vector<ValueId> peek(std::size_t n) const;
  void push(ValueId v) { frame.stack.push_back(v); }
  void go(BlockId block);
  // The fresh object that a value is, if it is one of that kind.
  [[nodiscard]] Object* object(ValueId v, ObjectKind kind) const { return object_of(state, v, kind); }

  // ---- how an instruction ends: so that nobody sees it, by an event, or not at all
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
  Step stuck(std::string what);

  State& state;
  Frame& frame;
  const Program& program;
  Values& values;
  const Trust& trust;
  Event event;

 private:
  [[nodiscard]] bool is_uncovered() const;
  void decided(const Event& e, bool truth);

  std::uint64_t& budget_;
};

[[nodiscard]] std::string show(const Event& event, Values& values);

}  // namespace depyf::proof
