// SPDX-License-Identifier: MIT
// Where the instructions of one code object stand in the source.
#pragma once

#include <cstdint>
#include <vector>

#include "bytecode/instruction.h"

namespace depyf {

// How a `return` of None is written, as its place tells: the word alone, or with the None, on a line of its own that is
// indented by a multiple of four. A return that nobody wrote has the place of what precedes it.
enum class ReturnForm : std::uint8_t { kUnknown, kBare, kNone };
[[nodiscard]] inline ReturnForm form_of_return(const Position* place) {
  constexpr std::int32_t kReturn = 6, kNone = 4, kIndent = 4;
  if (place == nullptr || place->line != place->end_line) return ReturnForm::kUnknown;
  const auto length = place->end_column - place->column;
  const auto column = length == kNone ? place->column - kReturn - 1 : place->column;
  if ((length != kNone && length != kReturn) || column <= 0 || column % kIndent != 0) return ReturnForm::kUnknown;
  return length == kNone ? ReturnForm::kNone : ReturnForm::kBare;
}

// Reads the line table when it is first asked. One object serves one code object after the other, in the same memory.
class SourcePositions {
 public:
  void begin(Version version, const CodeObject& code) {
    version_ = version;
    code_ = &code;
    is_read_ = false;
  }

  // That of the instruction at a byte offset; nothing if the line table does not say.
  [[nodiscard]] const Position* at(std::uint32_t offset) {
    if (!is_read_) read();
    if (offset / 2 >= by_unit_.size()) return nullptr;
    const Position& position = by_unit_[offset / 2];
    return position.line >= 0 ? &position : nullptr;
  }

 private:
  void read();

  Version version_;
  const CodeObject* code_ = nullptr;
  bool is_read_ = false;
  std::vector<Position> by_unit_;  // by code unit
};

}  // namespace depyf
