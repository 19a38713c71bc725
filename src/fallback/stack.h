// SPDX-License-Identifier: MIT
// The abstract operand stack of the literal translation, and the statements of one arm.
//
// Invariant: the value of a kVar entry at depth d is in the variable of slot d, and nowhere else. Pending expressions are
// evaluated in stack order: whoever emits a statement first stores what is pending below its operands, and an expression
// pending at depth d mentions no slot below d. All other kinds are known when the text is made and take no variable.
// It knows no control flow.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cfg/cfg.h"
#include "lift/lift.h"

namespace depyf::fallback::dispatch {

using ast::ExprId;
using ast::ExprIds;
using ast::NameId;

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

class Stack {
 public:
  Stack(lift::Unit& unit, CodeId code, std::vector<NameId>& temps, std::vector<std::string>& builtins);

  State state;
  ast::Block out;
  bool refused = false;  // a value is wanted that a with statement keeps to itself

 protected:
  // nodes
  ExprId make(ast::ExprNode node) { return unit_.ast.expr(std::move(node), origin_); }
  ExprId name(NameId id) { return make(ast::Name{id}); }
  ExprId none() { return make(ast::NoneLiteral{}); }
  ExprId number(std::int64_t n) { return make(ast::IntLiteral{n}); }
  ExprId text(std::string_view s) { return make(ast::StrLiteral{std::string(s)}); }
  ExprId constant(ConstId id) { return make(ast::ConstantExpr{id}); }
  ExprId call(ExprId f, ExprIds args) { return make(ast::Call{f, std::move(args), {}}); }
  ExprId attribute(ExprId value, std::string_view attr) { return make(ast::Attribute{value, intern(attr)}); }
  // no constant of the code object is at hand for it: the compiler folds this one
  ExprId boolean(bool value) { return make(ast::UnaryOp{ast::UnaryOperator::kNot, number(value ? 0 : 1)}); }
  // A cell as a value, which no name denotes: what a function that closes over the variable holds.
  ExprId cell(NameId of) {
    return make(ast::Subscript{attribute(make(ast::Lambda{{}, name(of)}), "__closure__"), number(0)});
  }
  ExprId fresh_cell() {
    ast::Arguments one;
    const NameId held = intern(unit_.options.temp_prefix + "cell");
    one.args.push_back({held, {}, {}});
    return call(make(ast::Lambda{std::move(one), cell(held)}), {none()});
  }
  ExprId is_not(ExprId a, ExprId b, bool negate);
  ExprId builtin(std::string_view function);  // as nobody can shadow it
  // Not by the name that the code itself may look up, and give another meaning while it runs.
  ExprId from_builtins(std::string_view function) { return attribute(name(temp("builtins")), function); }
  ExprId builtin_call(std::string_view function, ExprIds args) { return call(builtin(function), std::move(args)); }
  NameId intern(std::string_view s) { return unit_.ast.intern(s); }
  NameId temp(std::string_view suffix);  // a variable of ours
  NameId slot(std::size_t depth) { return temp("s" + std::to_string(depth)); }
  NameId slot_name(std::size_t depth) { return intern(unit_.options.temp_prefix + "s" + std::to_string(depth)); }
  NameId exception(std::uint32_t level) { return intern(unit_.options.temp_prefix + "e" + std::to_string(level)); }
  NameId sentinel() { return temp("end"); }
  ast::StmtId stmt(ast::StmtNode node) { return unit_.ast.stmt(std::move(node), origin_); }

  // stack
  [[nodiscard]] std::size_t size() const { return state.stack.size(); }
  Entry& top(std::size_t n = 1) { return state.stack[state.stack.size() - n]; }
  void push(ExprId expr, const std::vector<Entry>& from = {}, Form form = Form::kPlain);
  void push_constant(ExprId expr) { push(expr, {}, Form::kConstant); }
  void push_kind(Kind kind, std::uint32_t a = 0);
  void push_var() { push_kind(Kind::kVar); }      // whose slot the caller has filled
  Entry pop();                                    // an operand: pending, variable or known
  std::vector<Entry> pop(std::size_t n);          // lowest first
  ExprId value(Entry& entry, std::size_t depth);  // as an expression
  void settle(std::size_t n);                     // the top n entries become values that need no statement
  void materialise(std::size_t index);            // entry and all below it: no longer pending
  void flush() {
    if (size() > 0) materialise(size() - 1);
  }
  [[nodiscard]] bool is_none(const Entry& entry) const;
  [[nodiscard]] const Constant* constant_of(ExprId expr) const;

  // statements
  void emit(ast::StmtNode node, const std::vector<Entry>& from = {});
  void emit_raw(ast::StmtNode node) { out.push_back(stmt(std::move(node))); }
  void assign(NameId target, ExprId expr) { emit_raw(ast::Assign{{name(target)}, expr}); }
  void clear(const std::vector<Entry>& from);
  std::vector<NameId> unused(const std::vector<Entry>& from);  // variables of entries that no other has
  void drop(const Entry& entry, std::size_t depth);            // POP_TOP

  virtual void define(std::uint32_t code, NameId into) = 0;  // kFunction as a statement
  virtual ExprId function_value(std::uint32_t code) = 0;     // as an expression, if it has one
  ~Stack() = default;

  lift::Unit& unit_;
  CodeId code_;
  const CodeObject& co_;
  ast::Origin origin_;
  std::vector<NameId>& temps_;          // variables used, for class bodies and modules
  std::vector<std::string>& builtins_;  // names found to be shadowed ("-") or not ("+")

  void store(std::size_t index);  // into its slot's variable; nothing below it is pending

 private:
  ExprId code_object(std::uint32_t code);
  [[nodiscard]] bool shadowed(std::string_view function) const;
};

// Whether an entry is the same on both sides of an edge.
[[nodiscard]] inline bool same(const Entry& a, const Entry& b) { return a.kind == b.kind && a.a == b.a; }

}  // namespace depyf::fallback::dispatch
