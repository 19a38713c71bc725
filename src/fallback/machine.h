// SPDX-License-Identifier: MIT
// The machine that translates one arm of the dispatch: the abstract operand stack, and the statements emitted so far.
//
// The lifter translates straight lines (straight.cpp). What it refuses, and what ends a line, is translated by the
// functions of families.h, by what CPython does for each instruction (ceval.c, bytecodes.c).
// Invariant: the value of a kVar entry at depth d is in the variable of slot d only. Pending expressions are evaluated
// in stack order: whoever emits a statement first stores the pending values below its operands, and an expression
// pending at depth d reads no slot below d. Entries of other kinds are known statically and need no variable. At
// the end of an arm nothing is pending, and `edges` tell where control continues and with which stack.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fallback/nodes.h"

namespace depyf::fallback {

enum class Kind : std::uint8_t {
  kPending,     // `expr`, not yet evaluated
  kVar,         // the slot's variable
  kNull,        // NULL, an instruction offset (lasti), and the entry that END_FOR pops
  kCode,        // a code constant: a is its CodeId
  kFunction,    // a function with only code and closure: a is its CodeId
  kBuildClass,  // __build_class__
  kCell,        // a cell or a tuple of cells, which the scoping of the text provides again
  kExc,         // the exception that is handled at level a
  kExcType,     // its type and traceback (<= 3.10)
  kExcTrace,
  kPrevious,    // the exception that was handled before level a was entered
  kWithExit,    // __exit__ of the context manager entered at stack depth a
  kRealExit,    // the same for a `with` statement that is written as such
  kExitResult,  // the result of such an __exit__, which no expression denotes
  kCleared,     // the slot's variable: the value of local a / 2 that LOAD_FAST_AND_CLEAR saved, or the sentinel `end`
                // if it was unbound; a is odd if the local holds a new cell meanwhile
  kLocals,      // the namespace of a class body
  // The slot's variable: a list of the arguments of a class statement after the name; a - 1 is the CodeId of the body.
  kClassArguments,
  kConstant,  // between arms only: the constant with ConstId a
};

// Returns whether the value of an entry of this kind is in its slot's variable.
[[nodiscard]] constexpr bool in_variable(Kind kind) {
  return kind == Kind::kVar || kind == Kind::kCleared || kind == Kind::kClassArguments;
}

enum class Form : std::uint8_t {
  kPlain,
  kConstant,   // may be evaluated at any time
  kIter,       // iter(raw)
  kAiter,      // aiter(raw)
  kAwaitable,  // the operand of an `await`
  kAwaited,    // an asynchronous comprehension, whose text implies the await
  kDelegate,   // the operand of a `yield from`
};

struct Entry {
  Kind kind = Kind::kPending;
  Form form = Form::kPlain;
  std::uint32_t a = 0;  // see Kind; nonzero for a pending list of class arguments, as for kClassArguments
  ExprId expr{};
  ExprId raw{};                // the iterable of Form::kIter and kAiter
  std::uint32_t height = 0;    // height of the pending expression's tree
  std::vector<NameId> uses{};  // variables to clear once the entry has been evaluated
};

struct With {               // a `with` statement around the arm
  std::uint32_t level = 0;  // number of except clauses and `with` statements around its body, itself included
  std::uint32_t depth = 0;  // stack depth of its __exit__
  std::uint32_t arm = 0;    // the first arm of its body
  bool is_async = false;
  friend bool operator==(const With&, const With&) = default;
};

struct Group {              // the exception group that an except* clause matched and is handling
  std::uint32_t level = 0;  // of the except clause in which the text handles it
  std::uint32_t depth = 0;  // number of stack entries below it
  friend bool operator==(const Group&, const Group&) = default;
};

struct State {
  std::vector<Entry> stack;
  std::uint32_t level = 0;  // number of except clauses and `with` statements around the arm
  std::vector<With> withs;  // the `with` statements among them, outermost first
  std::vector<Group> groups;
  void leave_to(std::uint32_t lower) {
    level = lower;
    std::erase_if(groups, [&](const Group& g) { return g.level > lower; });
  }
  // Returns the level of the innermost except clause around the arm, 0 if there is none.
  [[nodiscard]] std::uint32_t handled_level() const {
    std::uint32_t n = level;
    for (std::size_t i = withs.size(); i > 0 && withs[i - 1].level == n; --i) --n;
    return n;
  }
};

// Returns whether an entry has the same kind and datum on both sides of an edge.
[[nodiscard]] inline bool is_same_entry(const Entry& a, const Entry& b) { return a.kind == b.kind && a.a == b.a; }

// A range of instructions of a basic block. A block is split after each instruction that leaves an except clause, and
// where a `with` statement begins or ends.
struct Arm {
  BlockId block;
  std::size_t first = 0, last = 0;
  std::uint32_t next = 0xFFFFFFFF;  // the next arm of the same block
};

enum class Crossing : std::uint8_t { kNone, kEntersWith, kLeavesWith };

struct Edge {
  bool jump = false;  // to the block's jump target; else to the fall-through block, or the next arm of the block
  State state;        // at the end of the edge
  std::vector<NameId> clear;  // variables that die on the edge
  NameId enters;              // except*: the matched group in this variable is handled from here on; else invalid
  Crossing crossing = Crossing::kNone;
};

struct Translated {
  Block statements;
  ExprId condition;         // if valid, edges[0] is taken if it is true, edges[1] if it is false
  std::vector<Edge> edges;  // empty if the arm returns or raises
  bool ends_code = false;   // a class body or module ends here
  std::size_t end = 0;  // index after the last translated instruction: before arm.last if a `with` begins or ends there
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
  void push_var() { push_kind(Kind::kVar); }      // the caller has assigned the slot's variable
  Entry pop();                                    // pops an operand, with its expression in Entry::expr
  std::vector<Entry> pop(std::size_t n);          // pops n operands; the lowest one comes first in the result
  ExprId value(Entry& entry, std::size_t depth);  // returns the expression of an entry at this stack depth
  // Returns the variable of the n-th stack slot from the top; n = 0: of the slot above the top.
  ExprId slot_var(std::size_t n = 1) { return name(slot(size() - n)); }
  void store(std::size_t index);        // assigns an entry to its slot's variable; no entry below may be pending
  void materialise(std::size_t index);  // stores all pending entries up to this one
  void flush() {
    if (size() > 0) materialise(size() - 1);
  }

  // ---- statements
  void emit(ast::StmtNode node, const std::vector<Entry>& from = {});
  void add(StmtId statement) { out.push_back(statement); }
  void emit_raw(ast::StmtNode node) { add(stmt(std::move(node))); }
  void assign(NameId target, ExprId expr) { add(set(target, expr)); }
  void clear(const std::vector<Entry>& from);  // assigns None to dead_variables(from)
  // Returns the variables that the given, evaluated entries used and no stack entry uses.
  std::vector<NameId> dead_variables(const std::vector<Entry>& from);
  void clear_variables(const ExprIds& variables);  // assigns None to those of these variables that no stack entry uses
  void drop();                                     // POP_TOP

  // Returns the n-th instruction after the current one, null after the end of the arm.
  [[nodiscard]] const Instruction* peek(std::size_t n = 1) const { return at + n < last ? &stream[at + n] : nullptr; }

  State state;
  Block out;
  bool refused = false;  // the code uses a value that no expression denotes if the `with` statement is written as such
  lift::Lifter lifter;
  lift::Line stream;
  std::size_t at = 0, last = 0;
  Translated result;
  bool ended = false;
  bool group_matched = false;  // the arm has a CHECK_EG_MATCH before the current instruction
};

}  // namespace depyf::fallback
