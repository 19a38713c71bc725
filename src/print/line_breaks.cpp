// SPDX-License-Identifier: MIT
// The algorithm that breaks lines: one pass over the break points from left to right; see line_breaks.h.
#include "print/line_breaks.h"

#include <algorithm>

namespace depyf {

namespace {

using Kind = BreakPoint::Kind;

constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr std::uint32_t kMinContent = 16;  // of bracket contents to break; greatest average length of a table's cells
constexpr std::uint32_t kMinCells = 16;    // least number of cells in a table, whose lines are filled

class Breaker {
 public:
  Breaker(const LineShape& line, std::span<const BreakPoint> points)
      : line_(line), points_(points), groups_(points.size()), parent_(points.size(), kNone) {
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
      if (!open.empty()) parent_[i] = open.back();
      if (is_open(i)) {
        groups_[i].close = i;
        open.push_back(i);
        continue;
      }
      if (open.empty()) continue;
      if (points_[i].kind == Kind::kComma) ++groups_[open.back()].commas;
      if (points_[i].kind != Kind::kClose) continue;
      groups_[open.back()].close = i;
      open.pop_back();
    }
  }

  std::vector<LineBreak> run() {
    for (std::uint32_t i = 0; i < points_.size(); ++i) i = is_open(i) ? visit_group(i) : (visit_point(i), i);
    return std::move(breaks_);
  }

  std::vector<LineBreak> run(std::span<const LineMark> marks) {
    std::uint32_t i = 0;
    for (std::size_t k = 1; k < marks.size(); ++k) {
      std::uint32_t best = kNone;  // the first comma or operator, else the last bracket
      for (; i < points_.size() && points_[i].at <= marks[k].at; ++i)
        if (points_[i].at > marks[k - 1].at && can_break_at(i) && (best == kNone || is_bracket(best))) best = i;
      if (best != kNone && marks[k].line > marks[k - 1].line) break_at(best);
    }
    std::ranges::sort(breaks_, {}, &LineBreak::at);
    return std::move(breaks_);
  }

 private:
  enum class Mode : std::uint8_t { kFlat, kBroken, kTable };
  struct Group {
    std::uint32_t close = 0;   // index of its kClose; its own index if there is none
    std::uint32_t commas = 0;  // number of its own commas
    std::uint32_t indent = 0;  // of its lines if it is broken, in columns
    Mode mode = Mode::kFlat;
  };

  [[nodiscard]] Kind kind(std::uint32_t i) const { return points_[i].kind; }
  [[nodiscard]] bool is_open(std::uint32_t i) const { return kind(i) < Kind::kClose; }
  [[nodiscard]] bool is_bracket(std::uint32_t i) const { return kind(i) <= Kind::kSignature; }
  [[nodiscard]] bool can_have_brackets(std::uint32_t i) const { return kind(i) <= Kind::kOptional; }
  [[nodiscard]] std::uint32_t content(std::uint32_t i) const { return points_[groups_[i].close].at - points_[i].at; }
  [[nodiscard]] std::uint32_t end(std::uint32_t i) const {
    return points_[groups_[i].close].at + (is_bracket(i) ? 1 : 0);
  }
  [[nodiscard]] std::uint32_t column(std::uint32_t at) const {
    return breaks_.empty() ? at : breaks_.back().first_column() + at - breaks_.back().at - breaks_.back().dropped;
  }
  [[nodiscard]] std::uint32_t indent() const { return open_indents_.empty() ? line_.indent : open_indents_.back(); }
  [[nodiscard]] bool is_broken(std::uint32_t group) const {
    return group != kNone && groups_[group].mode != Mode::kFlat;
  }

  // Returns how many bytes after the group must stay on the line on which the group ends.
  [[nodiscard]] std::uint32_t unbreakable_length_after(std::uint32_t group) const {
    const std::uint32_t from = end(group);
    if (kind(group) == Kind::kSignature) return line_.length - from;
    for (std::uint32_t j = groups_[group].close + 1; j < points_.size(); ++j) {
      const std::uint32_t at = points_[j].at;
      if (at > from + line_.width) return at - from;
      if (is_open(j) ? can_have_brackets(j) && content(j) >= kMinContent : is_broken(parent_[j])) return at - from;
    }
    return line_.length - from;
  }

  // Decides whether to break the group that begins at point i. Returns the last point that this decides on.
  std::uint32_t visit_group(std::uint32_t i) {
    Group& group = groups_[i];
    const std::uint32_t at = points_[i].at;
    if (content(i) < kMinContent || column(end(i)) + unbreakable_length_after(i) <= line_.width) return group.close;
    if (kind(i) == Kind::kOperands && !open_indents_.empty()) {
      group.mode = Mode::kBroken;
      group.indent = indent();
    }
    if (!can_have_brackets(i)) return i;
    const std::uint32_t inner = indent() + line_.step;
    const bool fits = inner + content(i) <= line_.width;
    if (!fits && group.close == i + 1) return i;  // nothing in it can be broken
    breaks_.push_back({at, 0, inner, kind(i) == Kind::kOptional ? "(" : "", ""});
    group.mode = group.commas >= kMinCells && content(i) <= kMinContent * group.commas ? Mode::kTable : Mode::kBroken;
    group.indent = inner;
    open_indents_.push_back(inner);
    if (!fits) return i;
    visit_point(group.close);
    return group.close;
  }

  void visit_point(std::uint32_t i) {
    const std::uint32_t parent = parent_[i];
    if (!is_broken(parent)) return;
    const Group& group = groups_[parent];
    const std::uint32_t at = points_[i].at;
    if (kind(i) == Kind::kClose) {
      if (!can_have_brackets(parent)) return;
      open_indents_.pop_back();
      breaks_.push_back({at, 0, indent(), "", kind(parent) == Kind::kOptional ? ")" : ""});
    } else if (kind(i) == Kind::kWord) {
      const std::string_view begin = points_[i].quote == '"' ? "f\"" : "f'";
      if (points_[i].ends_line || column(end_of_item(i)) + 1 > line_.width)
        breaks_.push_back({at, 0, group.indent, begin.substr(1), begin.substr(points_[i].is_format ? 0 : 1)});
    } else if (group.mode != Mode::kTable || column(end_of_item(i)) > line_.width) {
      breaks_.push_back({at, 1, group.indent, "", ""});
    }
  }

  [[nodiscard]] bool can_break_at(std::uint32_t i) const {
    if (is_bracket(i)) return true;
    const bool is_solid = parent_[i] == kNone || kind(parent_[i]) == Kind::kSolid;
    return !is_solid && (kind(i) == Kind::kComma || kind(i) == Kind::kOperator);
  }

  // Adds a break at the point, if it is within brackets or within something that parentheses may be put around.
  void break_at(std::uint32_t i) {
    std::uint32_t depth = 0, optional = kNone;
    for (auto g = is_bracket(i) ? i : parent_[i]; g != kNone; g = parent_[g]) {
      if (is_bracket(g) || is_broken(g)) ++depth;
      if (kind(g) == Kind::kOptional) optional = g;
    }
    if (depth == 0 && optional == kNone) return;
    const std::uint32_t inner = line_.indent + std::max(depth, 1U) * line_.step;
    if (depth == 0) {
      groups_[optional].mode = Mode::kBroken;
      breaks_.push_back({points_[optional].at, 0, inner, "(", ""});
      breaks_.push_back({end(optional), 0, line_.indent, "", ")"});
    }
    breaks_.push_back({points_[i].at, is_bracket(i) ? 0U : 1U, inner, "", ""});
  }

  // Returns the offset at which the cell or word after the point ends.
  [[nodiscard]] std::uint32_t end_of_item(std::uint32_t place) const {
    for (std::uint32_t j = place + 1;; ++j)
      if (parent_[j] == parent_[place] && !is_open(j)) return points_[j].at;
  }

  const LineShape& line_;
  std::span<const BreakPoint> points_;
  std::vector<Group> groups_;                // by the point that begins it
  std::vector<std::uint32_t> parent_;        // by point: the group that contains it, or that it closes
  std::vector<std::uint32_t> open_indents_;  // indentation of each broken bracket that is open
  std::vector<LineBreak> breaks_;
};

}  // namespace

std::vector<LineBreak> break_line(const LineShape& line, std::span<const BreakPoint> points) {
  return Breaker(line, points).run();
}

std::vector<LineBreak> break_like_source(const LineShape& line, std::span<const BreakPoint> points,
                                         std::span<const LineMark> marks) {
  return Breaker(line, points).run(marks);
}

}  // namespace depyf
