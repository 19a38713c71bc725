// SPDX-License-Identifier: MIT
// The machine that translates one arm of the dispatch: the abstract operand stack, and the statements made so far.
//
// Invariant: the value of a kVar entry at depth d is in the variable of slot d, and nowhere else. Pending expressions are
// evaluated in stack order: whoever emits a statement first stores what is pending below its operands, and an expression
// pending at depth d mentions no slot below d. All other kinds are known when the text is made and take no variable.
// At the end of an arm nothing is pending; `edges` say where control continues and with which stack. Straight lines come
// from the lifter (straight.cpp). What it refuses, and what ends lines, the functions of families.h translate by CPython's
// meaning of each operation (ceval.c, bytecodes.c), not by what a compiler means by a sequence.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fallback/nodes.h"

namespace depyf::fallback {

enum class Kind : std::uint8_t {
  kPending,   // `expr`, not yet evaluated
  kVar,       // the slot's variable
  kNull,      // NULL, an instruction offset, and what END_FOR drops
  kCode,      // a code constant: a is its CodeId
  kFunction,  // a function that takes nothing from the stack but cells: a is its CodeId
  kBuildClass,
  kCell,     // a cell or a tuple of cells: scoping makes it again
  kExc,      // the exception handled at level a
  kExcType,  // its type and traceback (<= 3.10)
  kExcTrace,
  kPrevious,  // what was handled before level a
  kWithExit,  // __exit__ of the context manager entered at depth a
  kRealExit,  // the same, where a with statement holds it
  kExitGave,  // what such an __exit__ returned: nobody has it
  kCleared,   // the slot's variable: what LOAD_FAST_AND_CLEAR saved of local a / 2, or the sentinel; odd: a cell of its
              // own is in the local's place
  kLocals,    // a class body's namespace
  // the slot's variable: a list of the arguments of a class statement after its name; a - 1 is the body's CodeId
  kClassArguments,
  kConstant,  // between arms: a is its ConstId
};

// Whether a value of that kind lies in its slot's variable.
[[nodiscard]] constexpr bool in_variable(Kind kind) {
  return kind == Kind::kVar || kind == Kind::kCleared || kind == Kind::kClassArguments;
}

enum class Form : std::uint8_t {
  kPlain,
  kConstant,   // evaluation has no effect and no moment
  kIter,       // iter(raw)
  kAiter,      // aiter(raw)
  kAwaitable,  // to be awaited
  kAwaited,    // an asynchronous comprehension: awaiting is part of it
  kDelegate,   // to be yielded from
};

struct Entry {
  Kind kind = Kind::kPending;
  Form form = Form::kPlain;
  std::uint32_t a = 0;  // also of a pending display that has the body and the name of a class first: as kClassArguments
  ExprId expr{};
  ExprId raw{};                // see Form
  std::uint32_t height = 0;    // of the pending expression
  std::vector<NameId> uses{};  // variables to clear once it has been evaluated
};

struct With {               // a with statement around the arm
  std::uint32_t level = 0;  // how many except clauses and with statements there are, this one included
  std::uint32_t depth = 0;  // where its __exit__ lies
  std::uint32_t arm = 0;    // the one that its body begins with
  bool is_async = false;
  friend bool operator==(const With&, const With&) = default;
};

struct Group {              // what except* matched, which is handled until the statement ends or another one is
  std::uint32_t level = 0;  // of the except clause that it is handled in
  std::uint32_t depth = 0;  // of the stack below it
  friend bool operator==(const Group&, const Group&) = default;
};

struct State {
  std::vector<Entry> stack;
  std::uint32_t level = 0;  // except clauses and with statements around the arm
  std::vector<With> withs;  // the latter, outermost first
  std::vector<Group> groups;
  void leave_to(std::uint32_t lower) {
    level = lower;
    std::erase_if(groups, [&](const Group& g) { return g.level > lower; });
  }
  // The level of the innermost except clause: with statements in it handle nothing.
  [[nodiscard]] std::uint32_t handled() const {
    std::uint32_t n = level;
    for (std::size_t i = withs.size(); i > 0 && withs[i - 1].level == n; --i) --n;
    return n;
  }
};

// Whether an entry is the same on both sides of an edge.
[[nodiscard]] inline bool same(const Entry& a, const Entry& b) { return a.kind == b.kind && a.a == b.a; }

// A stretch of a basic block; one ends after an instruction that leaves an except clause.
struct Arm {
  BlockId block;
  std::size_t first = 0, last = 0;
  std::uint32_t next = 0xFFFFFFFF;  // the next stretch of the same block
};

enum class Crossing : std::uint8_t { kNone, kEntersWith, kLeavesWith };

struct Edge {
  bool jump = false;  // to the block's jump target; else fall-through
  State state;
  std::vector<NameId> clear;
  NameId enters;  // valid: this exception becomes the one that is handled (except*)
  Crossing crossing = Crossing::kNone;
};

struct Translated {
  Block statements;
  ExprId condition;         // valid: edges[0] if true, edges[1] if false
  std::vector<Edge> edges;  // none: the arm returns or raises
  bool leaves = false;      // a class body or module ends here
  std::size_t end = 0;      // the instruction before which it stopped: a with statement begins or ends there
};

class Machine : public Names {
 public:
  Machine(lift::Unit& of, CodeId id, Shared& all) : Names(of, id, all), lifter(of, id) {}

  Result<Translated> run(const BasicBlock& block, const Arm& arm, State entry);

  // ---- stack
  [[nodiscard]] std::size_t size() const { return state.stack.size(); }
  Entry& top(std::size_t n = 1) { return state.stack[state.stack.size() - n]; }
  void push(ExprId expr, const std::vector<Entry>& from = {}, Form form = Form::kPlain);
  void push_kind(Kind kind, std::uint32_t a = 0) { state.stack.push_back({.kind = kind, .a = a}); }
  void push_var() { push_kind(Kind::kVar); }      // whose slot the caller has filled
  Entry pop();                                    // an operand: pending, variable or known
  std::vector<Entry> pop(std::size_t n);          // lowest first
  ExprId value(Entry& entry, std::size_t depth);  // as an expression
  // The variable of the n-th slot from the top; of the next one up: 0.
  ExprId held(std::size_t n = 1) { return name(slot(size() - n)); }
  void store(std::size_t index);        // into its slot's variable; nothing below it is pending
  void materialise(std::size_t index);  // entry and all below it: no longer pending
  void flush() {
    if (size() > 0) materialise(size() - 1);
  }

  // ---- statements
  void emit(ast::StmtNode node, const std::vector<Entry>& from = {});
  void add(StmtId statement) { out.push_back(statement); }
  void emit_raw(ast::StmtNode node) { add(stmt(std::move(node))); }
  void assign(NameId target, ExprId expr) { add(set(target, expr)); }
  void clear(const std::vector<Entry>& from);
  std::vector<NameId> unused(const std::vector<Entry>& from);  // variables of entries that no other has
  void forget(const ExprIds& variables);                       // those of ours that no entry has
  void drop();                                                 // POP_TOP

  // An instruction of the arm that follows.
  [[nodiscard]] const Instruction* peek(std::size_t n = 1) const { return at + n < last ? &stream[at + n] : nullptr; }

  State state;
  Block out;
  bool refused = false;  // a value is wanted that a with statement keeps to itself
  lift::Lifter lifter;
  lift::Line stream;
  std::size_t at = 0, last = 0;
  Translated result;
  bool ended = false;
  bool group_matched = false;  // CHECK_EG_MATCH has been here
};

}  // namespace depyf::fallback
