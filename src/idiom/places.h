// SPDX-License-Identifier: MIT
// Source positions of nodes of the tree, from the line table entries of their instructions.
//
// The origin of a node is one instruction. The entry of this instruction covers the node or a part of it: that of a
// call covers the whole call, that of a store only the target. So the start of a node is the least position of its own
// instruction and of those of its operands. A position is used only if it can be one of source code with 4 columns per
// level of indentation; a parenthesis before the first operand has no instruction and shifts it.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "ast/ast.h"
#include "ast/walk.h"
#include "bytecode/positions.h"

namespace depyf::idiom {

using Column = std::int32_t;
inline constexpr Column kUnknown = -1;
inline constexpr Column kAfterIf = 3, kAfterElif = 5, kAfterCase = 5, kAfterWhile = 6, kAfterAssert = 7,
                        kNot = 4;           // lengths of keywords, each with the space after it
inline constexpr Column kNarrowIndent = 2;  // a level of indentation in code that does not use four columns
inline constexpr Column kComma = 2;         // a comma and the space after it

// The position at which a node starts.
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

class NodePositions {
 public:
  NodePositions(const ast::Tree& tree, SourcePositions& positions, CodeId code)
      : tree_(tree), positions_(positions), code_(code) {}

  // Returns the position of the origin; null if the line table has none. The position of a statement may have lines
  // only, that of an origin always has columns.
  const SourcePosition* position_of(ast::StmtId s) const;
  const SourcePosition* position_of(ast::Origin origin) const;

  // Returns the line of the statement's origin, the last of its instructions; -1 if unknown. All versions have lines.
  [[nodiscard]] std::int32_t line_of(ast::StmtId s) const;

  // Returns the line of the instruction at a byte offset, -1 if unknown.
  [[nodiscard]] std::int32_t line_at(std::uint32_t offset) const;

  // Returns the line of the exit (a jump or a return) that follows a statement without blocks, -1 if unknown.
  [[nodiscard]] std::int32_t line_of_exit_after(ast::StmtId s) const;

  // Returns the instruction after the jump of a test, if control falls through to it when the test is `holds`. Returns
  // null if control jumps for that outcome, or if this is unknown (SourcePositions::after_test).
  [[nodiscard]] const Instruction* fallthrough_of_test(ast::ExprId test, bool holds) const;

  // Returns how a `return` of None is written in the source; nullopt if it is not written, or if this is unknown.
  [[nodiscard]] std::optional<WrittenReturn> written_return(ast::StmtId s) const;

  [[nodiscard]] Start start_of(ast::ExprId e) const;

  // Returns the range from the first to the last position of the expression's instructions; nullopt if none is known.
  // Looks up expressions within it in `known`, and adds the result, so that all of a deep expression take linear time.
  using Extents = std::unordered_map<std::uint32_t, std::optional<SourcePosition>>;  // by ExprId
  [[nodiscard]] std::optional<SourcePosition> extent(ast::ExprId of, Extents* known = nullptr) const;

  // Returns the start of a statement whose first token has a known distance to one of its instructions: a simple
  // statement, `for`, `with`. It is unknown for other statements, and if it is at no level of indentation.
  [[nodiscard]] Start statement_start(ast::StmtId s) const;

  // Returns the first and last line of all instructions of the nodes; -1 if unknown.
  [[nodiscard]] Lines lines_of(ast::AnyIds nodes) const;

  // Returns the line on which a statement starts, -1 if unknown. The own position of a `return` is not used where there
  // is a better one: after a `with` or `finally` it is the position of that statement.
  [[nodiscard]] std::int32_t first_line(ast::StmtId s) const;

  // Returns whether a statement is on the line after a test, so that there is no exit on a line between them. For a
  // `try`, the first line with code is that of its body, so one line is left for the keyword.
  [[nodiscard]] bool is_right_below(ast::ExprId test, ast::StmtId s) const;

  // Returns the last line of an `except` clause, without a `continue` at its end: several of these may be one jump.
  [[nodiscard]] std::int32_t last_line(const ast::ExceptHandler& clause) const;
  // Returns the last line of a block, including a `break` or `continue` at its end that has a line of its own.
  [[nodiscard]] std::int32_t last_line_with_exit(const ast::Block& block) const;
  [[nodiscard]] std::int32_t last_line(ast::StmtId s) const { return lines_of({ast::AnyId{s}}).last; }

 protected:
  // Returns whether a statement can start here. If not, it starts with a parenthesis, which has no instruction.
  static bool is_aligned(const Start& start) { return start.known() && start.column % kIndent == 0; }

  const ast::Tree& tree_;
  SourcePositions& positions_;
  CodeId code_;

 private:
  // Moves `start` to the position of an instruction, or of any instruction of an expression, if that is earlier.
  void include_in_start(ast::Origin origin, Start& start) const;
  void include_in_start(ast::ExprId e, Start& start) const;
};

}  // namespace depyf::idiom
