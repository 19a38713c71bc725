// SPDX-License-Identifier: MIT
// The text being written, with the position of its end and the source map that grows along with it.
//
// Invariant: line and column always describe the end of the text; map entries are in the order in which they began.
// A Writer can be appended to another one (fields of f-strings are written apart). It knows no Python.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ast/ast.h"
#include "depyf/decompile.h"

namespace depyf {

class Writer {
 public:
  Writer() = default;
  explicit Writer(std::uint32_t first_line) : line_(first_line) {}

  // Text without a newline.
  void put(std::string_view text) { text_ += text; }
  // Text that may hold newlines.
  void put_lines(std::string_view text) {
    const std::size_t base = text_.size();
    text_ += text;
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
      ++line_;
      line_start_ = base + at + 1;
    }
  }
  void newline() {
    text_ += '\n';
    ++line_;
    line_start_ = text_.size();
  }
  void indent(std::size_t columns) { text_.append(columns, ' '); }

  // Begins the range of a node; end_mark() takes what this returned. A node without an instruction has no entry.
  static constexpr std::uint32_t kNoMark = 0xFFFFFFFF;
  [[nodiscard]] std::uint32_t begin_mark(const ast::Origin& origin) {
    if (!origin.code.valid() || origin.offset == 0xFFFFFFFF) return kNoMark;
    map_.push_back(MapEntry{origin.code, origin.offset, SourceRange{line_, column(), line_, column()}});
    return static_cast<std::uint32_t>(map_.size() - 1);
  }
  void end_mark(std::uint32_t mark) {
    if (mark == kNoMark) return;
    map_[mark].range.end_line = line_;
    map_[mark].range.end_column = column();
  }

  // Appends what another writer, begun at line 0, has written.
  void append(const Writer& other) {
    const std::uint32_t line = line_;
    const std::uint32_t start = column();
    const auto move = [&](std::uint32_t& at_line, std::uint32_t& at_column) {
      if (at_line == 0) at_column += start;
      at_line += line;
    };
    for (MapEntry entry : other.map_) {
      move(entry.range.line, entry.range.column);
      move(entry.range.end_line, entry.range.end_column);
      map_.push_back(entry);
    }
    put_lines(other.text_);
  }

  [[nodiscard]] std::uint32_t column() const { return static_cast<std::uint32_t>(text_.size() - line_start_); }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string take_text() { return std::move(text_); }
  [[nodiscard]] std::vector<MapEntry> take_map() { return std::move(map_); }

 private:
  std::string text_;
  std::vector<MapEntry> map_;
  std::uint32_t line_ = 0;
  std::size_t line_start_ = 0;
};

}  // namespace depyf
