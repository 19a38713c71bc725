// SPDX-License-Identifier: MIT
// The symbolic machine that executes one line: the operand stack, the emitted statements, the current instruction.
//
// The functions of families.h implement the operations, one file per family. push() numbers each value in the order of
// evaluation (Value::seq); emit() and emit_stmt() first spill the pending values that the new statement could change.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "ast/constants.h"
#include "lift/lift.h"

namespace depyf::lift {

class Machine;
// ---- spilling.cpp
// To be called before a statement is emitted: refuses the line if a deferred value is on the stack, since the text
// would evaluate it after the statement; spills the items of open unpackings.
void check_deferred(Machine& m);
// Spills every pending value that a statement could change and that was evaluated before `before` (a sequence number)
// to a temporary of its own, in order of evaluation.
inline constexpr std::uint32_t kNever = 0xFFFFFFFF;
void spill_pending(Machine& m, std::uint32_t before = kNever);

class Machine {
 public:
  Machine(Lifter& of, State& line_state, Line line, Literal* literal_mode = nullptr)
      : lifter(of),
        unit(of.unit),
        code(of.code),
        co(of.co),
        shared(of.shared),
        state(line_state),
        stream(line),
        literal(literal_mode) {}

  [[nodiscard]] Status run(std::size_t first, std::size_t end);

  // ---- stack
  void push(Value v) {
    v.seq = ++lifter.seq;
    state.stack.push_back(v);
  }
  void push_expr(ExprId e) { push({.expr = e}); }
  Value pop();
  ExprId pop_expr();  // pops a value of any kind and converts it to an expression
  Value& top(std::uint32_t n = 1) { return state.stack[state.stack.size() - n]; }
  [[nodiscard]] bool has(std::uint32_t n) const { return state.stack.size() >= n; }
  // Counts one use of the value in an expression; see SharedValues.
  void embed(const Value& v) {
    if (v.kind == ValueKind::kExpr) shared.note_use(v.expr);
  }

  // ---- expressions
  template <class Node>
  ExprId make(Node&& node) {
    return unit.ast.expr(std::forward<Node>(node), origin);
  }
  ExprId name_expr(NameId name) { return make(ast::Name{name}); }
  [[nodiscard]] NameId fresh_temp();  // a new generated variable
  // Returns the constant of the code object (of the given kind) that an expression or value is, null if it is none.
  template <class Kind = Constant>
  [[nodiscard]] const Kind* constant_of(ExprId e) const {
    const Constant* c = e.valid() ? ast::constant_of(unit.ast, unit.code, e) : nullptr;
    if constexpr (std::is_same_v<Kind, Constant>)
      return c;
    else
      return c != nullptr ? std::get_if<Kind>(c) : nullptr;
  }
  template <class Kind>
  [[nodiscard]] const Kind* constant_of(const Value& v) const {
    return v.kind == ValueKind::kExpr ? constant_of<Kind>(v.expr) : nullptr;
  }

  // Returns whether the source position (3.11+) of the current instruction starts before that of an expression.
  [[nodiscard]] bool insn_starts_before(ExprId e);

  // ---- statements
  template <class Node>
  StmtId stmt(Node&& node) {
    return unit.ast.stmt(std::forward<Node>(node), ast::Origin{code, insn->offset});
  }
  void emit(LStmt s);
  template <class Node>
  void emit_stmt(Node&& node) {
    check_deferred(*this);
    spill_pending(*this);
    push_stmt(stmt(std::forward<Node>(node)));
  }
  void push_stmt(StmtId id);
  // Records that the line cannot be written as statements.
  void refuse(std::string_view why) {
    if (state.refusal.empty()) state.refusal = why;
  }
  // Records an error: the current instruction has no meaning in its place.
  void fail(Errc kind, std::string_view why) {
    if (!failure) failure = Error{kind, insn->offset, std::string(why)};
  }

  // Returns the n-th instruction after the current one, null after the end of the line.
  [[nodiscard]] const Instruction* peek(std::size_t n = 1) const { return at + n < last ? &stream[at + n] : nullptr; }

  Lifter& lifter;
  Unit& unit;
  const CodeId code;
  const CodeObject& co;
  SharedValues& shared;
  State& state;
  const Line stream;
  Literal* const literal;
  std::uint32_t next_temp = 0;  // literal mode: all numbers below are those of variables in use
  std::size_t at = 0, last = 0;
  const Instruction* insn = nullptr;  // the current one, at index `at`
  Effect effect;                      // its stack effect
  ast::Origin origin;
  std::optional<Error> failure;
  bool spilling = false;  // a value is being spilled to the variable `spill_name`
  NameId spill_name;
};

}  // namespace depyf::lift
