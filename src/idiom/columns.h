// SPDX-License-Identifier: MIT
// Where statements stand in the source, by the columns of the line table (3.11+).
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "ast/ast.h"
#include "idiom/places.h"

namespace depyf::idiom {

enum class Keyword : std::uint8_t { kOther, kIf, kElif };

// Where statements stand, as far as the positions of their instructions tell.
class Columns : public Places {
 public:
  using Places::Places;

  // Whether what is known of a block's statements says that they stand at a column.
  [[nodiscard]] bool is_at_column(const ast::Block& block, Column column) const;

  // What the test of an `if` statement begins with, if that stands at a column.
  [[nodiscard]] Keyword keyword(ast::StmtId s, Column column) const;

  // Whether an `if` that may stand at a column may be an `elif` there: its test is in parentheses on lines of their own.
  [[nodiscard]] bool may_be_elif(ast::StmtId s, Column column) const;

  // Whether a statement is an `elif` of the `if` before it. One that may as well be an `if` is what its neighbours are.
  [[nodiscard]] bool is_elif_of(ast::StmtId before, ast::StmtId s, Column column) const;

  // Whether the test of an `if` or `elif` that stands at a column surely is what the source tests, or what is left of it
  // without its `not`.
  [[nodiscard]] bool begins_as_written(ast::StmtId s, Column column, bool with_not = true) const;

  // Where a block stands: where the first of its statements does for which that is known. What comes after an `if`
  // may stand in its `else`.
  [[nodiscard]] Column column_of_block(const ast::Block& block, int depth = 0) const;

  // Where a statement stands; one that begins with a test stands at `sought` if its test may begin where it does then.
  [[nodiscard]] Column column_of(ast::StmtId s, Column sought, int depth = 0) const;

  // At which of two columns a statement stands; nothing if it may be either or neither. The body of an `if` may be what
  // follows a guard clause in the source, which stands where that does.
  [[nodiscard]] Column column_between(ast::StmtId s, Column outer, Column inner) const;

  // How many statements at the beginning of a block stand further in than a column, at which all others stand that are
  // known; all of the block, if none or others do.
  [[nodiscard]] std::size_t size_of_arm(const ast::Block& block, Column column) const;

  // Whether an expression, or if `negated` its opposite, may be the test of a statement that stands at a column and whose
  // keyword is so long.
  [[nodiscard]] bool may_be_tested_at(ast::ExprId test, Column column, Column keyword, bool negated = false) const;

  // Whether an expression, or its opposite, is what an `if` or `elif` at a column tests, which comes after the statement in
  // the body of another that tests what precedes it: not a part of one test on several lines.
  [[nodiscard]] bool is_tested_after(ast::ExprId before, ast::ExprId test, Column column, bool negated) const;

 private:
  struct Begin {                            // of a test
    bool has_not = false, has_two = false;  // of which the source has one
    bool begins_alike = false;              // so does its opposite: `a is b`, `a is not b`
  };
  [[nodiscard]] Begin begin_of(ast::ExprId test) const;

  // The columns at which an `if` may stand: as its test is here, or as the opposite is in the source. A body that stands no
  // further in than the `if` follows it there.
  [[nodiscard]] std::pair<Column, Column> columns_of_if(ast::StmtId s, int depth) const;

  // Whether a test may begin so many columns from where its statement does: after a keyword, a blank, and perhaps `not ` or a
  // parenthesis. An `if not` here is, by that, an `if` one level further in.
  [[nodiscard]] bool is_after(ast::ExprId test, Column from, Column keyword) const;

  // Whether the test of an `if` is on several lines, followed by one for its closing parenthesis.
  [[nodiscard]] bool has_own_lines(ast::StmtId s) const;

  // Where the body of an `if` stands.
  [[nodiscard]] Column column_of_body(const ast::If& test, int depth) const;

  // Where a statement stands whose body this is.
  [[nodiscard]] Column column_around(const ast::Block& body, int depth) const;

  [[nodiscard]] Column least_column(const ast::Block& block, std::int32_t after_line) const;
};

// Where the body of a function stands that no other statement than functions and classes holds.
[[nodiscard]] Column usual_column(std::string_view qualname);

}  // namespace depyf::idiom
