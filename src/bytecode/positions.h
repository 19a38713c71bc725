// SPDX-License-Identifier: MIT
// Where the instructions of one code object stand in the source.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bytecode/instruction.h"

namespace depyf {

// How a `return` of None is written: the word alone, or with the None.
enum class ReturnForm : std::uint8_t { kUnknown, kBare, kNone };

// Reads the line table when it is first asked. One object serves one code object after the other, in the same memory.
class SourcePositions {
 public:
  void begin(Version version, const CodeObject& code, std::span<const Instruction> instructions) {
    version_ = version;
    code_ = &code;
    instructions_ = instructions;
    is_read_ = knows_places_ = false;
  }

  // That of the instruction at a byte offset; nothing if the line table does not say.
  [[nodiscard]] const Position* at(std::uint32_t offset) {
    if (!is_read_) read();
    if (offset / 2 >= by_unit_.size()) return nullptr;
    const Position& position = by_unit_[offset / 2];
    return position.line >= 0 ? &position : nullptr;
  }

  // That of a `return` of None at a byte offset, if it stands alone on a line that is indented by a multiple of four. One
  // that nobody wrote has the place of what precedes it (guarantee_lineno_for_exits in Python/flowgraph.c).
  [[nodiscard]] ReturnForm form_of_return(std::uint32_t offset);

 private:
  void read();
  [[nodiscard]] bool is_place_of_another(const Position& position);

  Version version_;
  const CodeObject* code_ = nullptr;
  std::span<const Instruction> instructions_;
  bool is_read_ = false, knows_places_ = false;
  std::vector<Position> by_unit_;                              // by code unit
  std::vector<std::pair<std::int32_t, std::int32_t>> places_;  // lines and columns of all that returns nothing, sorted
};

}  // namespace depyf
