// SPDX-License-Identifier: MIT
// Computes the columns at which statements and blocks start in the source, from the line table (3.11+).
//
// `if`, `while` and `try` have no instruction at their first token. Their column follows from that of their body or
// from that of their test: the test of `if a` at column c starts at c + 3, that of `if not a` or `if (a)` later. The
// same bytecode may have the test negated and the arms swapped, so there can be two candidates. `not ` is as long as
// a level of indentation: `if not a` and an `if a` one level deeper have the same position of `a`.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "ast/ast.h"
#include "idiom/places.h"

namespace depyf::idiom {

enum class Keyword : std::uint8_t { kOther, kIf, kElif };

class Columns : public NodePositions {
 public:
  using NodePositions::NodePositions;

  // Returns whether a statement of the block starts at a known column, and all that do start at `column`.
  [[nodiscard]] bool is_at_column(const ast::Block& block, Column column) const;

  // Returns the keyword before the test of an `if` statement if it starts at `column`, kOther if it can be neither.
  [[nodiscard]] Keyword keyword(ast::StmtId s, Column column) const;

  // Returns whether an `if` statement can be an `elif` at `column` whose test is in parentheses on lines of its own.
  [[nodiscard]] bool may_be_elif(ast::StmtId s, Column column) const;

  // Returns whether a statement is an `elif` of the `if` statement `before`. If it can also be an `if`, it is an `elif`
  // if `before` or its own `else` is one.
  [[nodiscard]] bool is_elif_of(ast::StmtId before, ast::StmtId s, Column column) const;

  // Returns whether the source surely has the test of the `if` or `elif` at `column` as the tree has it; without
  // `with_not`, whether it surely has the operand of the test's `not`.
  [[nodiscard]] bool has_source_test(ast::StmtId s, Column column, bool with_not = true) const;

  // Returns the column of a block, from its first statement of known column. If that follows an `if` whose own column
  // is unknown, it may belong to the `else` of the `if` in the source, which is one level deeper.
  [[nodiscard]] Column column_of_block(const ast::Block& block, int depth = 0) const;

  // Returns the column of a statement. For an `if` or `while` of two candidates, returns `expected` if it is one.
  [[nodiscard]] Column column_of(ast::StmtId s, Column expected, int depth = 0) const;

  // Returns at which of two columns a statement starts, kUnknown if at either or neither. The body of an `if` may be
  // the code after a guard clause in the source, which has the column of the `if`.
  [[nodiscard]] Column column_between(ast::StmtId s, Column outer, Column inner) const;

  // Returns how many of the first statements of a block are one level deeper than `column`, if the others of known
  // column are at `column`. Returns the size of the block if none are deeper, or if the two kinds alternate.
  [[nodiscard]] std::size_t size_of_deeper_part(const ast::Block& block, Column column) const;

  // Returns whether an expression, or if `negated` its negation, can be the test of a statement at `column` whose
  // keyword and space have the length `keyword`.
  [[nodiscard]] bool can_be_test_at(ast::ExprId test, Column column, Column keyword, bool negated = false) const;

  // Returns whether `test` is tested by an `if` or `elif` at `column` after the body of `if before: …`, and is not an
  // operand of the same test on a later line: there is a line between the two.
  [[nodiscard]] bool is_test_of_later_if(ast::ExprId before, ast::ExprId test, Column column, bool negated) const;

 private:
  struct TestPrefix {                            // what a test starts with
    bool has_not = false, has_two_nots = false;  // with two, the source has one
    bool is_comparison = false;                  // by `is` or `in`: its negation starts the same
  };
  [[nodiscard]] TestPrefix prefix_of(ast::ExprId test) const;

  // The last `if` of a block whose test has a known position, but whose own column is unknown.
  struct OpenIf {
    const ast::If* test = nullptr;
    Start start;                // of its test
    bool may_lose_not = false;  // the source may have the test without its `not`, and the arms swapped
  };
  // Returns whether `open` can start at the column.
  [[nodiscard]] bool can_start_at(const OpenIf& open, Column column) const;

  // Returns the column of the block that contains `open` and after it statement s, which is no `if`; nullopt if s has
  // no known column.
  [[nodiscard]] std::optional<Column> column_by_statement(const OpenIf& open, ast::StmtId s, int depth) const;

  // Returns the column of the block that contains `open`, nullopt if the columns in its arms do not decide it.
  [[nodiscard]] std::optional<Column> column_by_arms(const OpenIf& open, int depth) const;

  // Returns the least and the greatest column at which an `if` can start: with its test as in the tree, or negated. A
  // body that is not deeper than the `if` is the code after it in the source.
  [[nodiscard]] std::pair<Column, Column> columns_of_if(ast::StmtId s, int depth) const;

  // Returns whether a test can start `distance` columns after its statement: after the keyword and a space, and perhaps
  // `not ` or a parenthesis. So an `if not` of the tree also counts as an `if` one level deeper.
  [[nodiscard]] bool can_follow_keyword(ast::ExprId test, Column distance, Column keyword) const;

  // Returns whether the test of an `if` is on several lines, followed by one for its closing parenthesis.
  [[nodiscard]] bool is_test_on_own_lines(ast::StmtId s) const;

  [[nodiscard]] Column column_of_body(const ast::If& test, int depth) const;

  // Returns the column of the statement that contains the block `body`.
  [[nodiscard]] Column column_of_owner(const ast::Block& body, int depth) const;

  [[nodiscard]] Column least_column(const ast::Block& block, std::int32_t after_line) const;
};

// Returns the column of the body of a function that is nested only in functions and classes.
[[nodiscard]] Column usual_column(std::string_view qualname);

}  // namespace depyf::idiom
