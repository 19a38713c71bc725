// SPDX-License-Identifier: MIT
// The text being written, the position of its end, and the source map.
//
// Invariant: line_ and line_start_ always describe the end of the text; map entries are in the order in which their
// nodes begin. The end of the text can be rewound to a checkpoint, as the printer tries one kind of quotes after
// another. Python is unknown here.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ast/ast.h"
#include "depyf/decompile.h"
#include "print/line_breaks.h"

namespace depyf {

class Writer {
 public:
  // `expected`: an estimate of the number of map entries.
  Writer(std::uint32_t first_line, std::size_t expected) : line_(first_line) {
    constexpr std::size_t kLength = 24;  // bytes of text per map entry, an estimate
    text_.reserve(kLength * expected);
    map_.reserve(expected);
  }

  // Appends text without a newline. Most pieces are short, so they are collected in a buffer first.
  void put(std::string_view text) {
    if (text.size() > buffer_.size() - buffered_) {
      flush();
      if (text.size() > buffer_.size()) {
        text_ += text;
        return;
      }
    }
    std::memcpy(buffer_.data() + buffered_, text.data(), text.size());
    buffered_ += text.size();
  }
  // Appends text that may contain newlines.
  void put_lines(std::string_view text) {
    const std::size_t base = size();
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
      ++line_;
      line_start_ = base + at + 1;
    }
    put(text);
  }
  void newline() {
    put("\n");
    ++line_;
    line_start_ = size();
  }
  void put_spaces(std::size_t columns) {
    constexpr std::string_view kSpaces = "                                ";
    for (; columns > kSpaces.size(); columns -= kSpaces.size()) put(kSpaces);
    put(kSpaces.substr(0, columns));
  }

  // Begins the source range of a node and returns its mark for end_mark(). Nodes without an instruction get none.
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

  // A position that the text can be rewound to.
  struct Checkpoint {
    std::size_t size, entries, line_start;
    std::uint32_t line;
  };
  [[nodiscard]] Checkpoint here() const { return {size(), map_.size(), line_start_, line_}; }
  [[nodiscard]] std::string_view text_since(const Checkpoint& checkpoint) {
    flush();
    return std::string_view(text_).substr(checkpoint.size);
  }
  void rewind(const Checkpoint& to) {
    flush();
    text_.resize(to.size);
    map_.resize(to.entries);
    line_start_ = to.line_start;
    line_ = to.line;
  }
  void insert_space(const Checkpoint& at) {
    flush();
    text_.insert(at.size, 1, ' ');
    if (line_ != at.line) ++line_start_;
    for (std::size_t i = at.entries; i < map_.size(); ++i) {
      SourceRange& range = map_[i].range;
      if (range.line == at.line) ++range.column;
      if (range.end_line == at.line) ++range.end_column;
    }
  }

  // Breaks the current line, which began at `begin`, and moves the map entries of its nodes.
  void break_line(const Checkpoint& begin, std::span<const LineBreak> breaks) {
    const std::string flat(text_since(begin));
    text_.resize(begin.size);
    std::uint32_t from = 0;
    for (const LineBreak& b : breaks) {
      put(std::string_view(flat).substr(from, b.at - from));
      put(b.before);
      newline();
      put_spaces(b.indent);
      put(b.after);
      from = b.at + b.dropped;
    }
    put(std::string_view(flat).substr(from));
    // A range that begins at a break moves to the next line; one that ends there stays.
    const auto move = [&](std::uint32_t& line, std::uint32_t& column, bool is_begin) {
      const auto is_before = [&](const LineBreak& b) { return is_begin ? b.at <= column : b.at < column; };
      const auto next = std::partition_point(breaks.begin(), breaks.end(), is_before);
      if (next == breaks.begin()) return;
      const LineBreak& b = *(next - 1);
      line += static_cast<std::uint32_t>(next - breaks.begin());
      column += b.first_column() - b.at - b.dropped;
    };
    for (std::size_t i = begin.entries; i < map_.size(); ++i) {
      move(map_[i].range.line, map_[i].range.column, true);
      move(map_[i].range.end_line, map_[i].range.end_column, false);
    }
  }

  // Returns the entries of the nodes that begin after the checkpoint.
  [[nodiscard]] std::span<const MapEntry> entries_since(const Checkpoint& checkpoint) const {
    return std::span(map_).subspan(checkpoint.entries);
  }

  [[nodiscard]] std::size_t size() const { return text_.size() + buffered_; }
  [[nodiscard]] std::uint32_t column() const { return static_cast<std::uint32_t>(size() - line_start_); }
  [[nodiscard]] std::string take_text() {
    flush();
    return std::move(text_);
  }
  [[nodiscard]] std::vector<MapEntry> take_map() { return std::move(map_); }

 private:
  void flush() {
    text_.append(buffer_.data(), buffered_);
    buffered_ = 0;
  }

  std::string text_;
  std::array<char, 1024> buffer_;  // text that follows text_
  std::size_t buffered_ = 0;       // bytes in buffer_
  std::vector<MapEntry> map_;
  std::uint32_t line_;
  std::size_t line_start_ = 0;
};

}  // namespace depyf
