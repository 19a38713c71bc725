// SPDX-License-Identifier: MIT
// Source positions of the instructions of one code object, from its line table, and what they tell about the source:
// which statements were written, and which instructions the compiler has added. They guide layout, never correctness.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bytecode/instruction.h"

namespace depyf {

// Lengths of keywords and of `...`, and the width of a level of indentation, in columns.
inline constexpr std::int32_t kEllipsisWord = 3, kPassWord = 4, kNoneWord = 4, kBreakWord = 5, kReturnWord = 6,
                              kContinueWord = 8, kIndent = 4;

// Returns whether a position is that of a word of this length at the start of a statement: it is indented by a multiple
// of four.
[[nodiscard]] inline bool is_word(const SourcePosition& place, std::int32_t length) {
  return place.line == place.end_line && place.end_column - place.column == length && place.column > 0 &&
         place.column % kIndent == 0;
}

// A `return` or `return None` that the source contains.
struct WrittenReturn {
  std::int32_t column = 0;  // -1 if the line table has no columns
  bool has_none = false;    // `return None`
};

// Reads the line table on first use. One object may serve several code objects in turn, to reuse its memory. Offsets
// are byte offsets in co_code.
class SourcePositions {
 public:
  // Starts with a code object and its instructions, which must outlive the queries about it.
  void begin(Version version, const CodeObject& code, std::span<const Instruction> instructions) {
    version_ = version;
    code_ = &code;
    instructions_ = instructions;
    is_read_ = knows_places_ = false;
    ends_on_last_line_.reset();
  }

  // Returns the position of the instruction at an offset, or nullptr if the line table has none.
  [[nodiscard]] const SourcePosition* at(std::uint32_t offset) {
    if (!is_read_) read();
    if (offset / 2 >= by_unit_.size()) return nullptr;
    const SourcePosition& position = by_unit_[offset / 2];
    return position.line >= 0 ? &position : nullptr;
  }

  // Returns the `return` of None at an offset if its position shows that the source contains it. An implicit one has
  // the position of the instruction before it (guarantee_lineno_for_exits in Python/flowgraph.c).
  [[nodiscard]] std::optional<WrittenReturn> written_return(std::uint32_t offset);

  // Returns the position of the constant that the `return` at an offset returns, or nullptr. If it leaves other
  // statements, the load of the constant has their position, and a NOP before them has the constant's (codegen_return).
  [[nodiscard]] const SourcePosition* place_of_returned_constant(std::uint32_t offset);

  // Returns the positions, in order, of statements that are one word (`pass`, `break`, `...`): no other instruction
  // starts there. Empty for interactive code, which prints the value of `...`.
  [[nodiscard]] std::vector<SourcePosition> words();

  // The position of a `_` in a case, which a NOP has (codegen_match_inner), and the last line above it with an
  // instruction that does not belong to an exit.
  struct Wildcard {
    SourcePosition place;
    std::int32_t line_above = -1;
  };
  [[nodiscard]] std::vector<Wildcard> wildcards();  // in order of lines

  // Returns the offset of the JUMP after the instruction at an offset if it is a statement (`continue`): it is on a
  // later line. If it leaves a clause, the instructions that end the clause have its position, and its columns must be
  // a keyword's.
  [[nodiscard]] std::optional<std::uint32_t> written_jump_after(std::uint32_t offset);

  // Returns the fall-through successor of the conditional jump after the instruction at an offset; nullptr if there is
  // no such jump.
  [[nodiscard]] const Instruction* after_test(std::uint32_t offset) const;

  // Returns the line of the jump or `return` that follows the instruction at an offset, with only instructions that
  // leave clauses in between; -1 if none follows.
  [[nodiscard]] std::int32_t line_of_exit_after(std::uint32_t offset);

  // Returns whether the code ends with an unreachable `return`, as up to 3.9 if its last statement has an `else` and
  // all arms exit: compiler_if starts a block after the statement, and assemble() (Python/compile.c) adds a `return` to
  // it.
  [[nodiscard]] bool ends_in_arms() const;

  // Returns whether a `finally` clause and the `except` clauses in its protected body belong to one `try` statement,
  // instead of two nested ones; nullopt if the positions of the instructions for `try` (SETUP_FINALLY, from 3.11 on
  // NOP) do not tell.
  struct Clauses {
    std::uint32_t body = 0, handler = 0;  // offsets of the protected body, and of the handler of the `finally` clause
    std::int32_t except = -1, finally = -1;  // a line of a statement in either clause
  };
  [[nodiscard]] std::optional<bool> are_of_one_statement(const Clauses& clauses);

 private:
  void read();
  // Returns whether an instruction belongs to a `return` of None or a jump, or unbinds the name of a clause that one
  // leaves.
  [[nodiscard]] bool is_of_exit(std::span<const Instruction>::iterator i);
  // Returns whether control falls through to an instruction from one on an earlier line: an implicit exit would have
  // that line.
  [[nodiscard]] bool follows_on_later_line(std::span<const Instruction>::iterator first, const SourcePosition& own);
  // Returns whether the code ends with a `return` on a line below all others: an implicit one has the line of a
  // statement.
  [[nodiscard]] bool is_on_last_line(std::span<const Instruction>::iterator first, const SourcePosition& own);
  // Returns whether an instruction that does not belong to an exit starts at the same line and column.
  [[nodiscard]] bool is_place_of_another(const SourcePosition& position);

  Version version_;
  const CodeObject* code_ = nullptr;
  std::span<const Instruction> instructions_;
  bool is_read_ = false, knows_places_ = false;
  std::optional<bool> ends_on_last_line_;
  std::vector<SourcePosition> by_unit_;                        // by code unit
  std::vector<std::pair<std::int32_t, std::int32_t>> places_;  // for is_place_of_another(), sorted
};

}  // namespace depyf
