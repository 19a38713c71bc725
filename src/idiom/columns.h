// SPDX-License-Identifier: MIT
// Where statements stand in the source, by the columns of the line table (3.11+).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "ast/ast.h"
#include "ast/walk.h"
#include "bytecode/positions.h"

namespace depyf::idiom {

using Column = std::int32_t;
inline constexpr Column kUnknown = -1;
inline constexpr Column kAfterIf = 3, kAfterElif = 5, kAfterWhile = 6, kAfterAssert = 7,
                        kNot = 4;    // keywords, with the blank after them
inline constexpr Column kComma = 2;  // with its blank

struct Start {
  std::int32_t line = -1;
  Column column = kUnknown;
  [[nodiscard]] bool known() const { return column != kUnknown; }
  [[nodiscard]] bool is_before(const Start& other) const {
    return line < other.line || (line == other.line && column < other.column);
  }
};

struct Lines {
  std::int32_t first = -1, last = -1;
};

enum class Keyword : std::uint8_t { kOther, kIf, kElif };

// Where statements stand, as far as the positions of their instructions tell.
class Columns {
 public:
  Columns(const ast::Tree& tree, SourcePositions& positions, CodeId code)
      : tree_(tree), positions_(positions), code_(code) {}

  // Nothing for an origin without columns; a statement may have lines alone.
  const SourcePosition* place_of(ast::StmtId s) const;
  const SourcePosition* place_of(ast::Origin origin) const;

  // The line of the instruction that a statement ends with, -1 where that is not known; every version has lines.
  [[nodiscard]] std::int32_t line_of(ast::StmtId s) const;

  // A `return` of None as the source has it; nothing if that is not known, or it has none.
  [[nodiscard]] std::optional<WrittenReturn> written_return(ast::StmtId s) const;

  // Whether what is known of a block's statements says that they stand at a column.
  [[nodiscard]] bool is_at_column(const ast::Block& block, Column column) const;

  // What the test of an `if` statement begins with, if that stands at a column.
  [[nodiscard]] Keyword keyword(ast::StmtId s, Column column) const;

  // Whether an `if` that may stand at a column may be an `elif` there: its test is in parentheses on lines of their own.
  [[nodiscard]] bool may_be_elif(ast::StmtId s, Column column) const;

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

  [[nodiscard]] Start start_of(ast::ExprId e) const;

  // What the instructions of an expression are for.
  [[nodiscard]] std::optional<SourcePosition> extent(ast::ExprId of) const;

  // Of a statement that begins with what one of its instructions is for.
  [[nodiscard]] Start simple_start(ast::StmtId s) const;

  // The lines of statements or expressions, as far as they are known.
  [[nodiscard]] Lines lines_of(ast::AnyIds nodes) const;

  // The line of what a statement begins with, -1 where that is not known: `return` has the place of what it leaves.
  [[nodiscard]] std::int32_t first_line(ast::StmtId s) const;

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

  void begin_at(ast::Origin origin, Start& start) const;

  void begin_at(ast::ExprId e, Start& start) const;

  // A statement that does not stand so begins with a parenthesis, which no instruction is for.
  static bool is_aligned(const Start& start) { return start.known() && start.column % kIndent == 0; }

  const ast::Tree& tree_;
  SourcePositions& positions_;
  CodeId code_;
};

inline std::int32_t last_line(const Columns& columns, ast::StmtId s) { return columns.lines_of({ast::AnyId{s}}).last; }

}  // namespace depyf::idiom
