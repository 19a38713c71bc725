// SPDX-License-Identifier: MIT
// Lifting: symbolic execution of straight-line canonical instructions over a symbolic operand stack.
//
// Invariant: statements come out in exactly the original order of evaluation; a pending value that a statement could
// change, or that a later value overtook, is spilled to a temporary first. A generic value that enters a block on the
// stack is the variable of its stack slot (Slots): whoever leaves a value there for another block stores it.
// This layer knows one straight line at a time; edges belong to src/structure.
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

// Lifts the lines of one code object, in any order, each as often as it is asked to.
class Lifter {
 public:
  Lifter(Unit& unit, CodeId code);

  // Continues `state` with the instructions [first, last) of `line`.
  [[nodiscard]] Status run(State& state, Line line, std::size_t first, std::size_t last);
  // In literal mode, up to `last` or what is refused. The variables that it takes are added to `literal`.
  [[nodiscard]] Status run(State& state, Line line, std::size_t first, std::size_t last, Literal& literal);
  // In literal mode: of a value that `state` is left with after the instruction `at`.
  [[nodiscard]] ExprId expression(State& state, Value& v, const Instruction& at, Literal& literal);
  // The def statement of a function that takes nothing but cells; of another name if it says so.
  void define(State& state, FunctionValue f, NameId name, bool renames);
  // The attribute of a function that a bit of MAKE_FUNCTION's argument sets.
  [[nodiscard]] static std::string_view attribute_of(std::uint32_t bit);
  // Ends the line with a `case`: the value on top is its subject.
  [[nodiscard]] Status test_case(State& state, ast::PatternId pattern, bool keeps_subject);
  // The variable that an instruction stores to; nothing if it is no such store.
  [[nodiscard]] std::optional<NameId> stored_name(const Instruction& insn) const;
  // The moment of evaluation of a value that somebody else puts on the stack now.
  std::uint32_t next_moment() { return ++seq; }
  [[nodiscard]] ExprId slot(std::uint32_t depth) { return slots[depth]; }  // the variable of a stack slot
  [[nodiscard]] bool is_slot(ExprId expr, std::uint32_t depth) const { return slots.is(expr, depth); }
  void add_variables(std::uint32_t n);  // locals of ours after those of the code object
  // Offsets of COPY instructions whose value would be evaluated twice by what was built.
  [[nodiscard]] std::set<std::uint32_t> violations(const std::optional<ast::Block>& result) const {
    return shared.violations(unit.ast, result);
  }
  // Whether what was built has a display whose items were hashed one by one, as no compiler does for so few.
  [[nodiscard]] bool splits_display(const ast::Block& result) const {
    return shared.splits_display(unit.ast, result, first_stmt);
  }
  [[nodiscard]] bool is_comprehension() const;  // a function of its own (<= 3.11)
  [[nodiscard]] bool is_expression() const;     // that, a generator expression or a lambda
  [[nodiscard]] const std::vector<NameId>& derefs() const { return cells.empty() ? locals : cells; }

  // Set by whoever lifts.
  std::vector<NameId> steady;     // parameters that nothing stores, sorted: always bound, never changed
  std::set<std::uint32_t> spill;  // offsets of COPY instructions whose value needs a temporary
  bool spill_all = false;         // every COPY: values that are shared make the text larger than it may be
  bool is_evaluated = false;      // the graph was evaluated: tuples of arguments are not the source's
  bool outgrown = false;          // told here: written as often as they are used, values are larger than text may be

  // What is known of the code object.
  Unit& unit;
  const CodeId code;
  const CodeObject& co;
  const NameId argument;  // Unit::argument_name()
  std::vector<NameId> names, locals;
  std::vector<NameId> cells;  // up to 3.10: what LOAD_DEREF counts

  // What lines tell each other.
  SharedValues shared;
  Slots slots;
  std::uint32_t seq = 0;                           // moments of evaluation so far
  std::set<std::uint32_t> cleared;                 // NameIds of LOAD_FAST_AND_CLEAR
  std::set<std::uint32_t> coroutines;              // ExprIds of comprehensions that their function awaits (<= 3.11)
  std::map<std::uint32_t, ast::TypeParam> params;  // of this scope of type parameters, by offset
  bool annotates = false;  // the compiler saw annotated names here (SETUP_ANNOTATIONS opens the code)

 private:
  const std::uint32_t first_stmt;  // statements before it are those of functions and classes within this code object
};

// What adds to a container that lies in a variable (LKind::kAppend).
[[nodiscard]] StmtId append_stmt(Unit& unit, const LStmt& s, ast::Origin origin);
// Whether an expression is one between brackets only: a slice, or a display that holds one.
[[nodiscard]] bool only_indexes(const ast::Tree& tree, ExprId e);

}  // namespace depyf::lift
