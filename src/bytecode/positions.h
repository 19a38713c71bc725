// SPDX-License-Identifier: MIT
// Where the instructions of one code object stand in the source.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bytecode/instruction.h"

namespace depyf {

// How long words of the source are, and a level of indentation.
inline constexpr std::int32_t kEllipsisWord = 3, kPassWord = 4, kNoneWord = 4, kBreakWord = 5, kReturnWord = 6,
                              kContinueWord = 8, kIndent = 4;

// Whether a place is that of a word so long which alone begins a statement: it is indented by a multiple of four.
[[nodiscard]] inline bool is_word(const SourcePosition& place, std::int32_t length) {
  return place.line == place.end_line && place.end_column - place.column == length && place.column > 0 &&
         place.column % kIndent == 0;
}

// A `return` of None as the source has it.
struct WrittenReturn {
  std::int32_t column = 0;  // -1 if the line table has lines alone
  bool has_none = false;    // `return None`
};

// Reads the line table when it is first asked. One object serves one code object after the other, in the same memory.
class SourcePositions {
 public:
  // The instructions are those of the code object, and must stay while this is asked about it.
  void begin(Version version, const CodeObject& code, std::span<const Instruction> instructions) {
    version_ = version;
    code_ = &code;
    instructions_ = instructions;
    is_read_ = knows_places_ = false;
  }

  // That of the instruction at a byte offset; nothing if the line table does not say.
  [[nodiscard]] const SourcePosition* at(std::uint32_t offset) {
    if (!is_read_) read();
    if (offset / 2 >= by_unit_.size()) return nullptr;
    const SourcePosition& position = by_unit_[offset / 2];
    return position.line >= 0 ? &position : nullptr;
  }

  // The `return` of None at a byte offset, if its place tells that it was written. One that nobody wrote has the place of
  // what precedes it (guarantee_lineno_for_exits in Python/flowgraph.c).
  [[nodiscard]] std::optional<WrittenReturn> written_return(std::uint32_t offset);

  // Where the constant stands that the `return` at a byte offset gives: it has the place of what it leaves, before which a NOP
  // has that of the value (codegen_return). Null if there is none.
  [[nodiscard]] const SourcePosition* place_of_returned_constant(std::uint32_t offset);

  // The places of words that are statements without a value, in order: nothing else begins there. None of code that displays
  // values, where `...` is one.
  [[nodiscard]] std::vector<SourcePosition> words();

  // The places of `_` in cases: a NOP has each (codegen_match_inner); and the last line above it where anything stands but an
  // exit. In order.
  struct Wildcard {
    SourcePosition place;
    std::int32_t line_above = -1;
  };
  [[nodiscard]] std::vector<Wildcard> wildcards();

  // The jump after the instruction at a byte offset, if it is a statement: it is on a line of its own. Where it leaves a clause,
  // what ends that has its place, and the columns must tell.
  [[nodiscard]] std::optional<std::uint32_t> written_jump_after(std::uint32_t offset);

  // The instruction that control falls through to after the test of which one at a byte offset is the last; null if another
  // instruction follows than one that jumps by it.
  [[nodiscard]] const Instruction* after_test(std::uint32_t offset) const;

  // The line of the jump or `return` that follows the instruction at a byte offset with nothing between them but what leaves
  // the clauses around it; -1 if none does.
  [[nodiscard]] std::int32_t line_of_exit_after(std::uint32_t offset);

  // Whether the code ends in a `return` that nothing reaches, as it does up to 3.9 if its last statement has an `else` and all
  // arms leave: compiler_if begins a block after it, to which assemble() in compile.c adds a `return`.
  [[nodiscard]] bool ends_in_arms() const;

  // Whether a `finally` clause and the clauses that lie in what it guards are of one statement, not of one in the other.
  // Nothing if the places of the instructions for `try` (SETUP_FINALLY, from 3.11 on a NOP) do not tell.
  struct Clauses {
    std::uint32_t body = 0, handler = 0;  // byte offsets: of what is guarded, of the handler that the `finally` became
    std::int32_t except = -1, finally = -1;  // lines of statements in clauses
  };
  [[nodiscard]] std::optional<bool> are_of_one_statement(const Clauses& clauses);

 private:
  void read();
  // Whether an instruction is of a `return` of None or a jump, or ends a clause that one leaves.
  [[nodiscard]] bool is_of_exit(std::span<const Instruction>::iterator i);
  // Whether what begins with an instruction is reached from the one before that, on an earlier line. What nobody wrote
  // has the line of what precedes it.
  [[nodiscard]] bool follows_on_later_line(std::span<const Instruction>::iterator first, const SourcePosition& own);
  // Whether a `return` ends the code on a line below all others; one that nobody wrote has the line of a statement.
  [[nodiscard]] bool is_on_last_line(std::span<const Instruction>::iterator first, const SourcePosition& own);
  [[nodiscard]] bool is_place_of_another(const SourcePosition& position);

  Version version_;
  const CodeObject* code_ = nullptr;
  std::span<const Instruction> instructions_;
  bool is_read_ = false, knows_places_ = false;
  std::vector<SourcePosition> by_unit_;                        // by code unit
  std::vector<std::pair<std::int32_t, std::int32_t>> places_;  // lines and columns of all that returns nothing, sorted
};

}  // namespace depyf
