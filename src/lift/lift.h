// SPDX-License-Identifier: MIT
// Lifting: symbolic execution of straight-line canonical instructions over a symbolic operand stack.
//
// `LOAD_FAST a; LOAD_FAST b; BINARY_OP +; STORE_FAST c` becomes `c = a + b`: loads and operators push expression trees,
// stores and effects emit statements.
// Invariant: statements evaluate everything in exactly the original order. A pending value that a statement could
// change, or that would be evaluated too late, is spilled to a temporary first. An ordinary value on the stack at block
// entry is the variable of its stack slot (Slots), which the predecessors assign. The lifter works on one straight line
// at a time; src/structure handles the edges.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "lift/shared_values.h"
#include "lift/state.h"
#include "lift/unit.h"

namespace depyf::lift {

// Lifts the lines of one code object. Lines may come in any order, and repeatedly.
class Lifter {
 public:
  Lifter(Unit& unit, CodeId code);

  // Continues `state` with the instructions [first, last) of `line`.
  [[nodiscard]] Status run(State& state, Line line, std::size_t first, std::size_t last);
  // The same in literal mode, up to `last` or the first refused instruction. Adds the variables it uses to `literal`.
  [[nodiscard]] Status run(State& state, Line line, std::size_t first, std::size_t last, Literal& literal);
  // Literal mode: returns the expression of a value that is on the stack of `state` after the instruction `at`.
  [[nodiscard]] ExprId expression(State& state, Value& v, const Instruction& at, Literal& literal);
  // Emits the def statement, under `name`, of a function that has only code and closure. `renames`: the function's own
  // name differs, so __name__ and __qualname__ are assigned afterwards.
  void define(State& state, FunctionValue f, NameId name, bool renames);
  // Returns the name of the function attribute that a bit of MAKE_FUNCTION's argument sets.
  [[nodiscard]] static std::string_view attribute_of(std::uint32_t bit);
  // Ends the line with the test of a `case` whose subject is on top of the stack; `keeps_subject`: it stays there.
  [[nodiscard]] Status test_case(State& state, ast::PatternId pattern, bool keeps_subject);
  // Returns the variable that an instruction stores to, nullopt if it is not a store to a name.
  [[nodiscard]] std::optional<NameId> stored_name(const Instruction& insn) const;
  // Returns the sequence number (Value::seq) for a value that the caller puts on the stack now.
  std::uint32_t next_seq() { return ++seq; }
  [[nodiscard]] ExprId slot(std::uint32_t depth) { return slots[depth]; }  // the variable of a stack slot
  [[nodiscard]] bool is_slot(ExprId expr, std::uint32_t depth) const { return slots.is(expr, depth); }
  void add_variables(std::uint32_t n);  // appends n generated locals to those of the code object
  // See SharedValues::violations().
  [[nodiscard]] std::set<std::uint32_t> violations(const std::optional<ast::Block>& result) const {
    return shared.violations(unit.ast, result);
  }
  // See SharedValues::splits_display().
  [[nodiscard]] bool splits_display(const ast::Block& result) const {
    return shared.splits_display(unit.ast, result, first_stmt);
  }
  [[nodiscard]] bool is_comprehension() const;  // whether this is the function of a list, set or dict comprehension
  [[nodiscard]] bool is_expression() const;     // whether that, a generator expression or a lambda
  [[nodiscard]] const std::vector<NameId>& derefs() const { return cells.empty() ? locals : cells; }

  // Set by the caller.
  std::vector<NameId> steady;     // sorted: parameters that are never stored to, so always bound to the same object
  std::set<std::uint32_t> spill;  // offsets of COPY instructions whose value needs a temporary (see violations())
  bool spill_all = false;         // every COPY needs one, since shared values would make the text too large
  bool is_evaluated = false;      // scalar replacement changed the graph: an argument tuple need not be the source's
  bool outgrown = false;          // result: shared values, written out at each use, exceed the limit of the text's size

  // Facts about the code object.
  Unit& unit;
  const CodeId code;
  const CodeObject& co;
  const NameId argument;  // Unit::argument_name()
  std::vector<NameId> names, locals;
  std::vector<NameId> cells;  // up to 3.10: the variables that the argument of LOAD_DEREF indexes

  // State that lines share.
  SharedValues shared;
  Slots slots;
  std::uint32_t seq = 0;                           // the last sequence number of an evaluation
  std::set<std::uint32_t> cleared;                 // NameIds of LOAD_FAST_AND_CLEAR
  std::set<std::uint32_t> coroutines;              // ExprIds of asynchronous comprehensions not yet awaited (<= 3.11)
  std::map<std::uint32_t, ast::TypeParam> params;  // of this type parameter scope, by offset of the instruction
  bool annotates = false;                          // the code begins with SETUP_ANNOTATIONS: names are annotated here

 private:
  const std::uint32_t first_stmt;  // StmtIds below it belong to nested functions and classes
};

// Makes the statement of an LKind::kAppend whose container is in a variable: a call of the container's method.
[[nodiscard]] StmtId append_stmt(Unit& unit, const LStmt& s, ast::Origin origin);
// Returns whether an expression is allowed only within the brackets of a subscript: a slice, or a display that has one.
[[nodiscard]] bool is_index_only(const ast::Tree& tree, ExprId e);

}  // namespace depyf::lift
