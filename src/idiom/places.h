// SPDX-License-Identifier: MIT
// Where nodes of the tree stand in the source, by the places of their instructions.
#pragma once

#include <cstdint>
#include <optional>

#include "ast/ast.h"
#include "ast/walk.h"
#include "bytecode/positions.h"

namespace depyf::idiom {

using Column = std::int32_t;
inline constexpr Column kUnknown = -1;
inline constexpr Column kAfterIf = 3, kAfterElif = 5, kAfterCase = 5, kAfterWhile = 6, kAfterAssert = 7,
                        kNot = 4;           // keywords, with the blank after them
inline constexpr Column kNarrowIndent = 2;  // the other one that people write
inline constexpr Column kComma = 2;         // with its blank

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

class Places {
 public:
  Places(const ast::Tree& tree, SourcePositions& positions, CodeId code)
      : tree_(tree), positions_(positions), code_(code) {}

  // Nothing for an origin without columns; a statement may have lines alone.
  const SourcePosition* place_of(ast::StmtId s) const;
  const SourcePosition* place_of(ast::Origin origin) const;

  // The line of the instruction that a statement ends with, -1 where that is not known; every version has lines.
  [[nodiscard]] std::int32_t line_of(ast::StmtId s) const;

  // The line of an instruction, -1 where that is not known.
  [[nodiscard]] std::int32_t line_at(std::uint32_t offset) const;

  // The line of the exit that follows a statement without blocks, -1 where that is not known.
  [[nodiscard]] std::int32_t line_of_exit_after(ast::StmtId s) const;

  // The instruction that control falls through to after a test that holds, or does not; null if it jumps there, or that is not
  // known (SourcePositions::after_test).
  [[nodiscard]] const Instruction* after_test(ast::ExprId test, bool holds) const;

  // A `return` of None as the source has it; nothing if that is not known, or it has none.
  [[nodiscard]] std::optional<WrittenReturn> written_return(ast::StmtId s) const;

  [[nodiscard]] Start start_of(ast::ExprId e) const;

  // What the instructions of an expression are for.
  [[nodiscard]] std::optional<SourcePosition> extent(ast::ExprId of) const;

  // Of a statement that begins with what one of its instructions is for.
  [[nodiscard]] Start simple_start(ast::StmtId s) const;

  // The lines of statements or expressions, as far as they are known.
  [[nodiscard]] Lines lines_of(ast::AnyIds nodes) const;

  // The line of what a statement begins with, -1 where that is not known: `return` has the place of what it leaves.
  [[nodiscard]] std::int32_t first_line(ast::StmtId s) const;

  // Whether a statement is on the line after a test: no line between them has an exit. A `try` is above what it guards.
  [[nodiscard]] bool is_right_below(ast::ExprId test, ast::StmtId s) const;

  // The last line of a clause that has instructions of its own: the jumps of several `continue` may be one.
  [[nodiscard]] std::int32_t last_line(const ast::ExceptHandler& clause) const;
  // The same of a block, with the `break` or `continue` at its end if that stands below what precedes it.
  [[nodiscard]] std::int32_t last_line_with_exit(const ast::Block& block) const;
  [[nodiscard]] std::int32_t last_line(ast::StmtId s) const { return lines_of({ast::AnyId{s}}).last; }

 protected:
  // A statement that does not stand so begins with a parenthesis, which no instruction is for.
  static bool is_aligned(const Start& start) { return start.known() && start.column % kIndent == 0; }

  const ast::Tree& tree_;
  SourcePositions& positions_;
  CodeId code_;

 private:
  void begin_at(ast::Origin origin, Start& start) const;

  void begin_at(ast::ExprId e, Start& start) const;
};

}  // namespace depyf::idiom
