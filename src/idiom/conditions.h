// SPDX-License-Identifier: MIT
// Restores the tests of `if` statements and conditional expressions that the compiler merged or split.
//
// `if a and b` and `if b` nested in `if a` are the same code, and so are `return b if a else c` and an `if` with two
// returns. The columns of the operands show which one the source has (3.11+); for conditional expressions, lines alone
// do: the arms of a statement are not on one line.
//
// Invariant: the same bytecode.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ast/ast.h"
#include "bytecode/dialect.h"
#include "idiom/columns.h"
#include "idiom/exits.h"

namespace depyf::idiom {

class Conditions {
 public:
  Conditions(const CodeTree& code_tree, ast::Tree& tree, const Dialect& dialect, const Columns& columns, Exits& exits)
      : code_tree_(code_tree), tree_(tree), dialect_(dialect), columns_(columns), exits_(exits) {}

  struct Tests {
    const ast::BoolOp* operation = nullptr;  // null: there is one test
    bool is_negated = false;                 // `not (a or b)`
  };
  // Returns the tests of an `if` without `else` which all must be true (`a and b`), or all false (`not (a or b)`).
  [[nodiscard]] Tests tests_of(ast::StmtId s) const;

  // Splits `if a and b`, `if not (c or d)` or `if a and not (c or d)` where `b` or `not d` is the test of a nested
  // `if`. `column`: of the block that contains the statement, here and below.
  void split_condition(ast::StmtId s, Column column);

  // Does the same where the nested test starts with the operand `index`.
  void split_at(ast::StmtId s, std::ptrdiff_t index);

  // Splits `if a and not b` where the source has `if b: continue` before the rest of the body of `if a`. `end`: what
  // the end of the block does, here and below.
  void split_inner_guard(ast::StmtId s, Column column, End end);

  // Splits `assert not a or b`, or `assert not (a and not b)`, where the source has `assert b` in the body of `if a`:
  // the position of a is before that of the statement.
  void nest_assertion(ast::StmtId s);

  // Splits `if a or b: continue` where `b` is the test of a second `if`. Also splits `if not a and b` into the guard
  // clause `if a` and `if b`, if its exit does what the end of the block does. Returns false if nothing was split.
  bool split_guard(ast::Block& block, std::size_t i, Column column, End end = End::kOther);

  // Does the same where tests of their own start with the operands `splits`.
  bool split_guard_at(ast::Block& block, std::size_t i, const std::vector<std::ptrdiff_t>& splits, End end);

  // The operands of a test. It has none if it is no `and` or `or`.
  struct Operands {
    ast::BoolOperator op{};
    ast::ExprIds values{};
    // is_disjunction: one operand alone may lead to the body, as in `a or b` and `not (a and b)`
    bool is_negated = false, is_disjunction = false;
  };
  [[nodiscard]] Operands operands_of(ast::ExprId test) const;

  // Splits `while a and b` where `b` is a test in the loop. If there is a line between b and the body, the source has
  // `if not b: break` before the body; if the body is two levels deeper, it is that of an `if b` with `else: break`.
  void split_loop_test(ast::StmtId s);

  // Merges the two returns of `return b if a else c`: they have the same position, or return tuples that differ in one
  // item. Here and in the two functions below, the result tells whether the i-th statement was replaced.
  bool return_conditional(ast::Block& block, std::size_t i);

  // Merges the two assignments of `x = b if a else c`: the stores have the same position.
  bool assign_conditional(ast::Block& block, std::size_t i);

  // Restores `return b if a else None` at the end of a function, of which only `return b` is left: the position of the
  // test is within that of the return.
  bool return_conditional_or_none(ast::Block& block, std::size_t i);

  // Swaps the arms of `if not a` with an `else` where the source tests `a`. A body of one word is the `else` in the
  // source if the other arm is right below the test.
  void swap_arms(ast::StmtId s, Column column);

  // Returns the negation of a test; nullopt if it is another bytecode with the arms swapped.
  std::optional<ast::ExprId> negation_of(ast::ExprId test);

  // Returns the operands as one expression. One operand is returned as it is.
  ast::ExprId joined(ast::BoolOperator op, ast::ExprIds values);

  // Returns the negation of the joined operands; nullopt if it is not the same bytecode.
  std::optional<ast::ExprId> negation_of(ast::BoolOperator op, const ast::ExprIds& values);

  // The operands before an index, and those from the index on (invalid if there are none), each joined.
  struct Halves {
    ast::ExprId above, below;
  };
  struct Negated {  // which halves to negate
    bool above = false, below = false;
  };
  // Splits operands at an index; nullopt if a half to negate cannot be negated.
  std::optional<Halves> halves(ast::BoolOperator op, const ast::ExprIds& values, std::ptrdiff_t index, Negated negated);

 private:
  // Returns whether two returns after a test are one statement in the source.
  [[nodiscard]] bool are_one_return(ast::StmtId a, ast::StmtId b, ast::ExprId test) const;

  // Returns whether a `return` at `position` can return a conditional expression of two values: one of them is before
  // the test. A `return` that leaves a `with` statement has the position of that statement.
  [[nodiscard]] bool can_start_in_return(const SourcePosition& position, const Start& test, ast::ExprId a,
                                         ast::ExprId b) const;

  // Creates `b if a else c`, or `c if not a else b` where c is before the test in the source.
  ast::ExprId conditional(ast::ExprId test, ast::ExprId body, ast::ExprId orelse);

  // Creates `(b if a else c, d)`, or the same with `not a`, from the tuples of two arms; see ast::conditional_item().
  ast::ExprId conditional_item(ast::ExprId test, ast::ExprId body, ast::ExprId orelse);

  // Returns whether a test is between the start of a tuple and its first item, and so in a conditional item.
  [[nodiscard]] bool has_test_before_first_item(ast::ExprId items, ast::ExprId test) const;

  // Returns the index of the first operand, after the first one, that is on a new line and that can be the test of a
  // statement at `column` with a keyword of the length `keyword` (if `negated`, its negation can). Returns the number
  // of operands if there is none.
  [[nodiscard]] std::ptrdiff_t first_on_new_line(const ast::ExprIds& values, Column column, Column keyword,
                                                 bool negated = false) const;

  ast::StmtNode& node(ast::StmtId s) { return tree_.stmts[s].node; }

  const CodeTree& code_tree_;
  ast::Tree& tree_;
  const Dialect& dialect_;
  const Columns& columns_;
  Exits& exits_;
};

}  // namespace depyf::idiom
