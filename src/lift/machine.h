// SPDX-License-Identifier: MIT
// The symbolic machine that executes one line: the operand stack, the statements made so far, and where it is in the code.
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
// A statement is written here: what took effect before it but is written later would now come after it.
void check_late(Machine& m);
// Gives every pending value that a statement could change a temporary, in order of evaluation; up to a moment.
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
  ExprId pop_expr();  // pops and turns whatever it is into an expression
  Value& top(std::uint32_t n = 1) { return state.stack[state.stack.size() - n]; }
  [[nodiscard]] bool has(std::uint32_t n) const { return state.stack.size() >= n; }
  // A shared value is used in an expression.
  void embed(const Value& v) {
    if (v.kind == ValueKind::kExpr) shared.note_use(v.expr);
  }

  // ---- expressions
  template <class Node>
  ExprId make(Node&& node) {
    return unit.ast.expr(std::forward<Node>(node), origin);
  }
  ExprId name_expr(NameId name) { return make(ast::Name{name}); }
  [[nodiscard]] NameId fresh_temp();  // a variable of ours
  // What is one of the code's constants, else null; `Kind`: of that kind.
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

  // Whether the line table (3.11+) has an expression begin after what the instruction is for.
  [[nodiscard]] bool begins_within(ExprId e);

  // ---- statements
  template <class Node>
  StmtId stmt(Node&& node) {
    return unit.ast.stmt(std::forward<Node>(node), ast::Origin{code, insn->offset});
  }
  void emit(LStmt s);
  template <class Node>
  void emit_stmt(Node&& node) {
    check_late(*this);
    spill_pending(*this);
    push_stmt(stmt(std::forward<Node>(node)));
  }
  void push_stmt(StmtId id);
  // The line has no form as statements.
  void refuse(std::string_view why) {
    if (state.refusal.empty()) state.refusal = why;
  }
  // The instruction has no meaning here.
  void fail(Errc kind, std::string_view why) {
    if (!failure) failure = Error{kind, insn->offset, std::string(why)};
  }

  // An instruction of the line that follows.
  [[nodiscard]] const Instruction* peek(std::size_t n = 1) const { return at + n < last ? &stream[at + n] : nullptr; }

  Lifter& lifter;
  Unit& unit;
  const CodeId code;
  const CodeObject& co;
  SharedValues& shared;
  State& state;
  const Line stream;
  Literal* const literal;
  std::size_t at = 0, last = 0;
  const Instruction* insn = nullptr;  // at `at`
  Effect effect;                      // of it
  ast::Origin origin;
  std::optional<Error> failure;
  bool spilling = false;  // a value gets the variable `spill_name`
  NameId spill_name;
};

}  // namespace depyf::lift
