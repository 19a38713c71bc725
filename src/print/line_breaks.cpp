// SPDX-License-Identifier: MIT
// Groups of places, from the left to the right; see line_breaks.h.
#include "print/line_breaks.h"

#include <algorithm>

namespace depyf {

namespace {

using Kind = LinePlace::Kind;

constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr std::uint32_t kShort = 16;  // what brackets hold at least where a line is broken in them; a cell of a table
constexpr std::uint32_t kManyCells = 16;  // so many short ones are put side by side

class Breaker {
 public:
  Breaker(const LineShape& line, std::span<const LinePlace> places)
      : line_(line), places_(places), groups_(places.size()), owner_(places.size(), kNone) {
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      if (!open.empty()) owner_[i] = open.back();
      if (is_open(i)) {
        groups_[i].close = i;
        open.push_back(i);
        continue;
      }
      if (open.empty()) continue;
      if (places_[i].kind == Kind::kComma) ++groups_[open.back()].commas;
      if (places_[i].kind != Kind::kClose) continue;
      groups_[open.back()].close = i;
      open.pop_back();
    }
  }

  std::vector<LineBreak> run() {
    for (std::uint32_t i = 0; i < places_.size(); ++i) i = is_open(i) ? opened(i) : (passed(i), i);
    return std::move(breaks_);
  }

  std::vector<LineBreak> run(std::span<const LineMark> marks) {
    std::uint32_t i = 0;
    for (std::size_t k = 1; k < marks.size(); ++k) {
      std::uint32_t best = kNone;  // the first comma or operator, else the last bracket
      for (; i < places_.size() && places_[i].at <= marks[k].at; ++i)
        if (places_[i].at > marks[k - 1].at && separates(i) && (best == kNone || is_bracket(best))) best = i;
      if (best != kNone && marks[k].line > marks[k - 1].line) break_at(best);
    }
    std::ranges::sort(breaks_, {}, &LineBreak::at);
    return std::move(breaks_);
  }

 private:
  enum class Mode : std::uint8_t { kFlat, kBroken, kTable };
  struct Group {
    std::uint32_t close = 0;   // its end; itself if there is none
    std::uint32_t commas = 0;  // of its own
    std::uint32_t indent = 0;  // within it, if it is broken
    Mode mode = Mode::kFlat;
  };

  [[nodiscard]] Kind kind(std::uint32_t i) const { return places_[i].kind; }
  [[nodiscard]] bool is_open(std::uint32_t i) const { return kind(i) < Kind::kClose; }
  [[nodiscard]] bool is_bracket(std::uint32_t i) const { return kind(i) <= Kind::kSignature; }
  [[nodiscard]] bool may_enclose(std::uint32_t i) const { return kind(i) <= Kind::kOptional; }
  [[nodiscard]] std::uint32_t content(std::uint32_t i) const { return places_[groups_[i].close].at - places_[i].at; }
  [[nodiscard]] std::uint32_t end(std::uint32_t i) const {
    return places_[groups_[i].close].at + (is_bracket(i) ? 1 : 0);
  }
  [[nodiscard]] std::uint32_t column(std::uint32_t at) const {
    return breaks_.empty() ? at : breaks_.back().first_column() + at - breaks_.back().at - breaks_.back().dropped;
  }
  [[nodiscard]] std::uint32_t indent() const { return around_.empty() ? line_.indent : around_.back(); }
  [[nodiscard]] bool is_broken(std::uint32_t group) const {
    return group != kNone && groups_[group].mode != Mode::kFlat;
  }

  // How much of the line after a group cannot be moved to the next one.
  [[nodiscard]] std::uint32_t kept_after(std::uint32_t group) const {
    const std::uint32_t from = end(group);
    if (kind(group) == Kind::kSignature) return line_.length - from;
    for (std::uint32_t j = groups_[group].close + 1; j < places_.size(); ++j) {
      const std::uint32_t at = places_[j].at;
      if (at > from + line_.width) return at - from;
      if (is_open(j) ? may_enclose(j) && content(j) >= kShort : is_broken(owner_[j])) return at - from;
    }
    return line_.length - from;
  }

  // The last place that is settled with a group.
  std::uint32_t opened(std::uint32_t i) {
    Group& group = groups_[i];
    const std::uint32_t at = places_[i].at;
    if (content(i) < kShort || column(end(i)) + kept_after(i) <= line_.width) return group.close;
    if (kind(i) == Kind::kOperands && !around_.empty()) {
      group.mode = Mode::kBroken;
      group.indent = indent();
    }
    if (!may_enclose(i)) return i;
    const std::uint32_t inner = indent() + line_.step;
    const bool fits = inner + content(i) <= line_.width;
    if (!fits && group.close == i + 1) return i;  // nothing in it can be broken
    breaks_.push_back({at, 0, inner, kind(i) == Kind::kOptional ? "(" : "", ""});
    group.mode = group.commas >= kManyCells && content(i) <= kShort * group.commas ? Mode::kTable : Mode::kBroken;
    group.indent = inner;
    around_.push_back(inner);
    if (!fits) return i;
    passed(group.close);
    return group.close;
  }

  void passed(std::uint32_t i) {
    const std::uint32_t owner = owner_[i];
    if (!is_broken(owner)) return;
    const Group& group = groups_[owner];
    const std::uint32_t at = places_[i].at;
    if (kind(i) == Kind::kClose) {
      if (!may_enclose(owner)) return;
      around_.pop_back();
      breaks_.push_back({at, 0, indent(), "", kind(owner) == Kind::kOptional ? ")" : ""});
    } else if (kind(i) == Kind::kWord) {
      const std::string_view begin = places_[i].quote == '"' ? "f\"" : "f'";
      if (places_[i].ends_line || column(next(i)) + 1 > line_.width)
        breaks_.push_back({at, 0, group.indent, begin.substr(1), begin.substr(places_[i].is_format ? 0 : 1)});
    } else if (group.mode != Mode::kTable || column(next(i)) > line_.width) {
      breaks_.push_back({at, 1, group.indent, "", ""});
    }
  }

  [[nodiscard]] bool separates(std::uint32_t i) const {
    if (is_bracket(i)) return true;
    const bool is_solid = owner_[i] == kNone || kind(owner_[i]) == Kind::kSolid;
    return !is_solid && (kind(i) == Kind::kComma || kind(i) == Kind::kOperator);
  }

  // Breaks the line there, if it is within brackets or what parentheses may be put around.
  void break_at(std::uint32_t i) {
    std::uint32_t depth = 0, optional = kNone;
    for (auto g = is_bracket(i) ? i : owner_[i]; g != kNone; g = owner_[g]) {
      if (is_bracket(g) || is_broken(g)) ++depth;
      if (kind(g) == Kind::kOptional) optional = g;
    }
    if (depth == 0 && optional == kNone) return;
    const std::uint32_t inner = line_.indent + std::max(depth, 1U) * line_.step;
    if (depth == 0) {
      groups_[optional].mode = Mode::kBroken;
      breaks_.push_back({places_[optional].at, 0, inner, "(", ""});
      breaks_.push_back({end(optional), 0, line_.indent, "", ")"});
    }
    breaks_.push_back({places_[i].at, is_bracket(i) ? 0U : 1U, inner, "", ""});
  }

  // Where the cell or the word after a place ends.
  [[nodiscard]] std::uint32_t next(std::uint32_t place) const {
    for (std::uint32_t j = place + 1;; ++j)
      if (owner_[j] == owner_[place] && !is_open(j)) return places_[j].at;
  }

  const LineShape& line_;
  std::span<const LinePlace> places_;
  std::vector<Group> groups_;          // by the place that opens it
  std::vector<std::uint32_t> owner_;   // by place: the group that it is in, or closes
  std::vector<std::uint32_t> around_;  // indentation in the broken brackets around
  std::vector<LineBreak> breaks_;
};

}  // namespace

std::vector<LineBreak> break_line(const LineShape& line, std::span<const LinePlace> places) {
  return Breaker(line, places).run();
}

std::vector<LineBreak> break_as_written(const LineShape& line, std::span<const LinePlace> places,
                                        std::span<const LineMark> marks) {
  return Breaker(line, places).run(marks);
}

}  // namespace depyf
