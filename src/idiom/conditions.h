// SPDX-License-Identifier: MIT
// Tests of `if` statements and conditional expressions, which the compiler joins and takes apart, as the columns of the
// source tell, and conditional expressions as lines alone do: arms of a statement are not on one line.
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
    const ast::BoolOp* both = nullptr;  // nothing: it is one test
    bool denied = false;                // `not (a or b)`
  };
  // Those of an `if` without an `else` which all must hold, `a and b`, or none of which may.
  [[nodiscard]] Tests tests_of(ast::StmtId s) const;

  // `if a and b`, `if not (c or d)` or `if a and not (c or d)`, where `b` or `not d` is the test of an `if` of its own.
  void split_condition(ast::StmtId s, Column around);

  // The same, where that is the n-th operand.
  void split_at(ast::StmtId s, std::ptrdiff_t own);

  // `if a and not b`, where the source has `if b: continue` before what is under `if a`; `end`: what the end of the block does.
  void split_inner_guard(ast::StmtId s, Column around, End end);

  // `assert not a or b` or `assert not (a and not b)`, where `assert b` stands under `if a`: so a precedes the statement.
  void nest_assertion(ast::StmtId s);

  // `if a or b: continue`, where `b` is the test of a second `if`; if the end of the block may come after the body, so is
  // that of `if not a and b`.
  bool split_guard(ast::Block& block, std::size_t i, Column around, End end = End::kOther);

  // The same, where `b` and perhaps others begin with the n-th operands.
  bool split_guard_at(ast::Block& block, std::size_t i, const std::vector<std::ptrdiff_t>& begins, End end);

  // The operands of a test, of which any leads to the body of an `if`, or all do; nothing: it is one.
  struct Operands {
    ast::BoolOperator op{};
    ast::ExprIds values{};
    bool denied = false, any = false;
  };
  [[nodiscard]] Operands operands_of(ast::ExprId test) const;

  // `while a and b`, where `b` stands a line or more above the body, as the test of `if not b: break` at its beginning does,
  // or the body stands two levels further in, as that of an `if b` with `else: break`.
  void split_loop_test(ast::StmtId s);

  // `return b if a else c`, of which the compiler makes two: both stand at one place of the source, or are parts of a tuple.
  bool as_conditional(ast::Block& block, std::size_t i);

  // `x = b if a else c`, whose copies store to one place of the source.
  bool assigned_conditional(ast::Block& block, std::size_t i);

  // `return b if a else None` at the end of a function, whose other copy was left off: the test is within the statement.
  bool ends_in_conditional(ast::Block& block, std::size_t i);

  // `if not a` with an `else`, where the source tests `a` and has the arms the other way round: a word is not the body where
  // the other arm is right below the test.
  void turn(ast::StmtId s, Column around);

  // The test for the other arm, if that is the same bytecode.
  std::optional<ast::ExprId> without(ast::ExprId test);

  ast::ExprId joined(ast::BoolOperator op, ast::ExprIds values);

  // The opposite of what they are joined, if that is the same bytecode.
  std::optional<ast::ExprId> inverse(ast::BoolOperator op, const ast::ExprIds& values);

 private:
  // Whether two statements that return are one of the source, to which a test leads.
  [[nodiscard]] bool is_one_return(ast::StmtId a, ast::StmtId b, ast::ExprId test) const;

  // Whether a conditional expression of two values may be what a `return` that stands there returns: one of them precedes
  // the test. A `return` out of a with statement has the place of that.
  [[nodiscard]] bool begins_in_return(const SourcePosition& place, const Start& test, ast::ExprId a,
                                      ast::ExprId b) const;

  // `b if a else c`, or `c if not a else b` where c comes first.
  ast::ExprId conditional(ast::ExprId test, ast::ExprId body, ast::ExprId orelse);

  // `(b if a else c, d)`, or that with `not a`, for the tuples of two arms: see ast::conditional_item().
  ast::ExprId conditional_item(ast::ExprId test, ast::ExprId body, ast::ExprId orelse);

  // Whether a test comes after the beginning of a tuple but before its first item: it is that of a conditional item.
  [[nodiscard]] bool has_test_within(ast::ExprId items, ast::ExprId test) const;

  // The first operand of an operation that is on a line of its own, and may be the test of a statement at a column whose
  // keyword is so long, or if `negated` their opposite may; none: the number of operands.
  [[nodiscard]] std::ptrdiff_t first_on_line(const ast::ExprIds& values, Column column, Column keyword,
                                             bool negated = false) const;

  ast::StmtNode& node(ast::StmtId s) { return tree_.stmts[s].node; }

  const CodeTree& code_tree_;
  ast::Tree& tree_;
  const Dialect& dialect_;
  const Columns& columns_;
  Exits& exits_;
};

}  // namespace depyf::idiom
