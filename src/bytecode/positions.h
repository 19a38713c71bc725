// SPDX-License-Identifier: MIT
// Where the instructions of one code object stand in the source.
#pragma once

#include <cstdint>
#include <vector>

#include "bytecode/instruction.h"

namespace depyf {

// A stretch of code, up to (not including) byte offset `end`, with one position.
struct Stretch {
  std::uint64_t end = 0;
  Position position;
};

// Reads the line table when it is first asked.
class SourcePositions {
 public:
  SourcePositions(Version version, const CodeObject& code) : version_(version), code_(code) {}

  // That of the instruction at a byte offset; nothing if the line table does not say.
  [[nodiscard]] const Position* at(std::uint32_t offset) {
    if (!is_read_) read();
    if (offset / 2 >= stretch_at_.size()) return nullptr;
    const Position& position = stretches_[stretch_at_[offset / 2]].position;
    return position.line >= 0 ? &position : nullptr;
  }

 private:
  void read();

  Version version_;
  const CodeObject& code_;
  bool is_read_ = false;
  std::vector<Stretch> stretches_;
  std::vector<std::uint32_t> stretch_at_;  // by code unit
};

}  // namespace depyf
