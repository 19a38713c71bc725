// SPDX-License-Identifier: MIT
// The text being written, with the position of its end and the source map that grows along with it.
//
// Invariant: line and column always describe the end of the text; map entries are in the order in which they began.
// The end of the text can be taken back (strings are tried with one kind of quotes after the other). It knows no Python.
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
  // `expected`: map entries, about.
  Writer(std::uint32_t first_line, std::size_t expected) : line_(first_line) {
    constexpr std::size_t kLength = 24;  // of the text for one
    text_.reserve(kLength * expected);
    map_.reserve(expected);
  }

  // Text without a newline. Most is a word or two, so it is gathered before it is appended.
  void put(std::string_view text) {
    if (text.size() > gathered_.size() - size_) {
      gather();
      if (text.size() > gathered_.size()) {
        text_ += text;
        return;
      }
    }
    std::memcpy(gathered_.data() + size_, text.data(), text.size());
    size_ += text.size();
  }
  // Text that may hold newlines.
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

  // The end of the text, to which it can be taken back.
  struct Place {
    std::size_t size, entries, line_start;
    std::uint32_t line;
  };
  [[nodiscard]] Place here() const { return {size(), map_.size(), line_start_, line_}; }
  [[nodiscard]] std::string_view since(const Place& place) {
    gather();
    return std::string_view(text_).substr(place.size);
  }
  void take_back(const Place& to) {
    gather();
    text_.resize(to.size);
    map_.resize(to.entries);
    line_start_ = to.line_start;
    line_ = to.line;
  }
  void insert_space(const Place& at) {
    gather();
    text_.insert(at.size, 1, ' ');
    if (line_ != at.line) ++line_start_;
    for (std::size_t i = at.entries; i < map_.size(); ++i) {
      SourceRange& range = map_[i].range;
      if (range.line == at.line) ++range.column;
      if (range.end_line == at.line) ++range.end_column;
    }
  }

  // Breaks the line that began at a place and is not ended yet.
  void break_line(const Place& begin, std::span<const LineBreak> breaks) {
    const std::string flat(since(begin));
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
    // What begins at a break is after it, what ends there before it.
    const auto move = [&](std::uint32_t& line, std::uint32_t& column, bool is_begin) {
      const auto passed = [&](const LineBreak& b) { return is_begin ? b.at <= column : b.at < column; };
      const auto next = std::partition_point(breaks.begin(), breaks.end(), passed);
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

  // Those of nodes that begin after a place of the text.
  [[nodiscard]] std::span<const MapEntry> entries_since(const Place& place) const {
    return std::span(map_).subspan(place.entries);
  }

  [[nodiscard]] std::size_t size() const { return text_.size() + size_; }
  [[nodiscard]] std::uint32_t column() const { return static_cast<std::uint32_t>(size() - line_start_); }
  [[nodiscard]] std::string take_text() {
    gather();
    return std::move(text_);
  }
  [[nodiscard]] std::vector<MapEntry> take_map() { return std::move(map_); }

 private:
  void gather() {
    text_.append(gathered_.data(), size_);
    size_ = 0;
  }

  std::string text_;
  std::array<char, 1024> gathered_;  // what follows it
  std::size_t size_ = 0;             // of that
  std::vector<MapEntry> map_;
  std::uint32_t line_;
  std::size_t line_start_ = 0;
};

}  // namespace depyf
