// SPDX-License-Identifier: MIT
// Reads the three formats of line tables (co_lnotab up to 3.9, co_linetable of 3.10, location table from 3.11 on), and
// implements the queries of SourcePositions.
//
// Invariant: a damaged table gives no positions at all. It is not an error, as positions guide layout only. Formats:
// Objects/lnotab_notes.txt (3.8-3.10), InternalDocs/code_objects.md (3.11+).
#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "bytecode/positions.h"
#include "support/small_vector.h"

namespace depyf {
namespace {

// Writes the positions of consecutive ranges of the code.
class PositionWriter {
 public:
  explicit PositionWriter(std::vector<SourcePosition>& by_unit) : by_unit_(by_unit) {}
  void fill_until(std::uint64_t end, const SourcePosition& position) {  // `end` in bytes
    for (const auto last = std::min<std::uint64_t>((end + 1) / 2, by_unit_.size()); unit_ < last; ++unit_)
      by_unit_[unit_] = position;
  }

 private:
  std::vector<SourcePosition>& by_unit_;
  std::uint64_t unit_ = 0;
};

constexpr std::int64_t kMaxNumber = std::numeric_limits<std::int32_t>::max() / 2;  // so that sums are in range, too

// Converts numbers to a position. Returns false if one is too large. A negative number means that there is none, as in
// CPython.
bool make_position(std::int64_t line, std::int64_t end_line, std::int64_t column, std::int64_t end_column,
                   SourcePosition& out) {
  if (line > kMaxNumber || end_line > kMaxNumber || column > kMaxNumber || end_column > kMaxNumber) return false;
  const auto narrow = [](std::int64_t n) { return n < 0 ? -1 : static_cast<std::int32_t>(n); };
  out = {narrow(line), narrow(end_line), narrow(column), narrow(end_column)};
  return true;
}

std::int64_t signed_byte(char c) { return static_cast<signed char>(c); }
std::uint64_t unsigned_byte(char c) { return static_cast<unsigned char>(c); }

// Reads the table of <= 3.9: pairs (increment of the offset, increment of the line); the new line starts at the new
// offset.
bool read_lnotab(const CodeObject& code, PositionWriter places) {
  const std::string& table = code.linetable;
  if (table.size() % 2 != 0) return false;
  std::int64_t line = code.firstlineno;
  std::uint64_t offset = 0;
  SourcePosition position;
  for (std::size_t at = 0; at < table.size(); at += 2) {
    const std::uint64_t step = unsigned_byte(table[at]);
    if (step != 0) {
      if (!make_position(line, line, -1, -1, position)) return false;
      offset += step;
      places.fill_until(offset, position);
    }
    line += signed_byte(table[at + 1]);
  }
  if (!make_position(line, line, -1, -1, position)) return false;
  places.fill_until(code.code.size(), position);
  return true;
}

// Reads the table of 3.10: pairs (bytes of a range, increment of the line), where -128 means a range without a line.
bool read_linetable_310(const CodeObject& code, PositionWriter places) {
  const std::string& table = code.linetable;
  if (table.size() % 2 != 0) return false;
  std::int64_t line = code.firstlineno;
  std::uint64_t offset = 0;
  for (std::size_t at = 0; at < table.size(); at += 2) {
    const std::int64_t delta = signed_byte(table[at + 1]);
    SourcePosition position;
    if (delta != -128) {
      line += delta;
      if (!make_position(line, line, -1, -1, position)) return false;
    }
    offset += unsigned_byte(table[at]);
    places.fill_until(offset, position);
  }
  return true;
}

// Reads the numbers of location entries. `ok` becomes false at the end of the table or on a number that is too large.
struct LocationReader {
  std::string_view table;
  std::size_t at = 0;
  bool ok = true;

  std::uint64_t byte() {
    if (at >= table.size()) {
      ok = false;
      return 0;
    }
    return unsigned_byte(table[at++]);
  }
  std::int64_t varint() {  // six bits per byte, low bits first; bit 6: more bytes follow
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift <= 30; shift += 6) {
      const std::uint64_t b = byte();
      value |= (b & 0x3FU) << shift;
      if ((b & 0x40U) == 0) return static_cast<std::int64_t>(value);
    }
    ok = false;
    return 0;
  }
  std::int64_t signed_varint() {  // the sign is the lowest bit
    const std::int64_t value = varint();
    return (value & 1) != 0 ? -(value >> 1) : value >> 1;
  }
};

// Reads the position of one entry (advance_with_locations in Objects/codeobject.c). `line` is that of the entry before.
bool read_location(LocationReader& in, unsigned kind, std::int64_t& line, SourcePosition& position) {
  constexpr unsigned kOneLine0 = 10, kOneLine2 = 12, kNoColumns = 13;  // 14: all numbers
  std::int32_t column = 0, end_column = 0;
  if (kind < kOneLine0) {  // the most frequent form
    const auto second = static_cast<std::int32_t>(in.byte());
    column = static_cast<std::int32_t>(kind << 3U) | (second >> 4);
    end_column = column + (second & 15);
  } else if (kind <= kOneLine2) {
    line += kind - kOneLine0;
    column = static_cast<std::int32_t>(in.byte());
    end_column = static_cast<std::int32_t>(in.byte());
  } else if (kind == kNoColumns) {
    line += in.signed_varint();
    return in.ok && make_position(line, line, -1, -1, position);
  } else {
    line += in.signed_varint();
    const std::int64_t end_line = line + in.varint();
    const std::int64_t first = in.varint() - 1;
    const std::int64_t last = in.varint() - 1;
    return in.ok && make_position(line, end_line, first, last, position);
  }
  if (!in.ok || line > kMaxNumber) return false;
  const std::int32_t narrow = line < 0 ? -1 : static_cast<std::int32_t>(line);
  position = {narrow, narrow, column, end_column};
  return true;
}

bool read_locations(const CodeObject& code, PositionWriter places) {
  constexpr unsigned kNone = 15;
  LocationReader in{code.linetable};
  std::int64_t line = code.firstlineno;
  std::uint64_t offset = 0;
  while (in.at < in.table.size()) {
    const std::uint64_t first = in.byte();
    if ((first & 0x80U) == 0) return false;
    const auto kind = static_cast<unsigned>((first >> 3U) & 15U);
    offset += 2 * ((first & 7U) + 1);
    SourcePosition position;
    if (kind != kNone && !read_location(in, kind, line, position)) return false;
    places.fill_until(offset, position);
  }
  return true;
}

bool read_line_table(Version version, const CodeObject& code, PositionWriter places) {
  return version.minor <= 9    ? read_lnotab(code, places)
         : version.minor == 10 ? read_linetable_310(code, places)
                               : read_locations(code, places);
}

bool loads_constant(Op op) { return op == Op::LOAD_CONST || op == Op::LOAD_COMMON_CONSTANT; }  // 3.15: None

// Returns whether a `return` of None may compile to an operation, code that leaves enclosing statements included
// (codegen_unwind_fblock).
bool is_of_return(Op op) {
  switch (op) {
    case Op::RETURN_VALUE:
    case Op::LOAD_CONST:
    case Op::LOAD_COMMON_CONSTANT:
    case Op::POP_EXCEPT:
    case Op::POP_TOP:
    case Op::SWAP: return true;
    default: return false;
  }
}

// Returns whether an operation may be of the `e = None; del e` at the end of an `except E as e` clause.
bool unbinds_name(Op op) { return stores_name(op) || deletes_name(op); }

}  // namespace

void SourcePositions::read() {
  is_read_ = true;
  by_unit_.assign(code_->code.size() / 2, {});
  if (!read_line_table(version_, *code_, PositionWriter(by_unit_))) by_unit_.clear();
}

std::optional<WrittenReturn> SourcePositions::written_return(std::uint32_t offset) {
  const SourcePosition* place = at(offset);
  if (place == nullptr) return std::nullopt;
  if (place->column < 0) {
    auto first = std::ranges::lower_bound(instructions_, offset, {}, &Instruction::offset);
    const auto leaves = [](const Instruction& i) { return i.op != Op::RETURN_VALUE && is_of_return(i.op); };
    while (first != instructions_.begin() && leaves(*std::prev(first))) --first;
    const bool is_written = follows_on_later_line(first, *place) || is_on_last_line(first, *place);
    return is_written ? std::optional(WrittenReturn{place->column}) : std::nullopt;
  }
  SourcePosition statement = *place;  // `return None` has the position of its None (codegen_return)
  statement.column -= kReturnWord + 1;
  const bool is_pass = place->line == code_->firstlineno;  // the `pass` of `def f(): pass`, which is as long as None
  const bool has_none = !is_pass && is_word(statement, kReturnWord + 1 + kNoneWord);
  if ((!has_none && !is_word(*place, kReturnWord)) || is_place_of_another(*place)) return std::nullopt;
  return WrittenReturn{has_none ? statement.column : place->column, has_none};
}

const SourcePosition* SourcePositions::place_of_returned_constant(std::uint32_t offset) {
  const SourcePosition* own = at(offset);
  auto i = std::ranges::lower_bound(instructions_, offset, {}, &Instruction::offset);
  if (own == nullptr || own->column < 0 || i == instructions_.begin() || i == instructions_.end()) return nullptr;
  const auto leaves = [](const Instruction& before) {
    return is_of_return(before.op) || unbinds_name(before.op) || before.op == Op::CALL;
  };
  while (i != instructions_.begin() && leaves(*std::prev(i))) --i;
  if (i == instructions_.begin() || std::prev(i)->op != Op::NOP || i->offset == offset) return nullptr;
  const SourcePosition* value = at(std::prev(i)->offset);
  const bool is_within = value != nullptr && value->line > own->line && value->line == value->end_line;
  return is_within && value->column > kReturnWord ? value : nullptr;
}

std::vector<SourcePosition> SourcePositions::words() {
  std::vector<SourcePosition> out;
  // The compiler's stores at the end of a class body have the position of its last statement.
  auto end_of_body = instructions_.end();
  const SourcePosition* last = instructions_.empty() ? nullptr : at(instructions_.back().offset);
  while (last != nullptr && (code_->flags & kCoOptimized) == 0 && end_of_body != instructions_.begin() &&
         at(std::prev(end_of_body)->offset) != nullptr && *at(std::prev(end_of_body)->offset) == *last)
    --end_of_body;
  const auto is_at_place = [&](auto i, const SourcePosition& place) {
    const SourcePosition* own = i != instructions_.end() ? at(i->offset) : nullptr;
    return own != nullptr && *own == place;
  };
  enum class Role : std::uint8_t { kNone, kWord, kOther };
  const auto role_of = [&](auto i, const SourcePosition& place) {
    if (i < end_of_body && unbinds_name(i->op)) return Role::kNone;
    if (loads_constant(i->op) && !is_at_place(std::next(i), place)) return Role::kNone;  // an operand
    const bool is_other = i < end_of_body && !is_of_return(i->op) && i->op != Op::NOP && i->op != Op::JUMP;
    return is_other ? Role::kOther : Role::kWord;
  };
  for (auto i = instructions_.begin(); i != instructions_.end(); ++i) {
    if (i->op == Op::PRINT_EXPR) return {};
    const SourcePosition* place = at(i->offset);
    if (place != nullptr && place->line == place->end_line && place->end_column - place->column <= kContinueWord &&
        role_of(i, *place) == Role::kWord)
      out.push_back(*place);
  }
  const auto begins_at = [](const SourcePosition& p) { return std::pair(p.line, p.column); };
  std::ranges::sort(out, {}, [](const SourcePosition& p) { return std::tuple(p.line, p.column, p.end_column); });
  out.erase(std::ranges::unique(out).begin(), out.end());  // several exits may have the position of one statement
  SmallVector<bool, 16> is_shared(out.size(), false);
  for (auto i = instructions_.begin(); i != instructions_.end() && !out.empty(); ++i) {
    const SourcePosition* place = at(i->offset);
    if (place == nullptr || role_of(i, *place) != Role::kOther) continue;
    for (auto p = std::ranges::lower_bound(out, begins_at(*place), {}, begins_at);
         p != out.end() && begins_at(*p) == begins_at(*place); ++p)
      is_shared[static_cast<std::size_t>(p - out.begin())] = true;
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < out.size(); ++k)
    if (!is_shared[k]) out[kept++] = out[k];
  out.resize(kept);
  return out;
}

std::vector<SourcePositions::Wildcard> SourcePositions::wildcards() {
  std::vector<Wildcard> out;
  std::vector<std::int32_t> lines;
  for (auto i = instructions_.begin(); i != instructions_.end(); ++i) {
    const SourcePosition* place = at(i->offset);
    if (place == nullptr) continue;
    if (i->op != Op::NOP && !is_of_exit(i)) lines.push_back(place->line);
    if (i->op == Op::NOP && place->line == place->end_line && place->column > 0 &&
        place->end_column == place->column + 1)
      out.push_back({*place});
  }
  if (out.empty()) return out;
  std::ranges::sort(lines);
  std::ranges::sort(out, {}, [](const Wildcard& w) { return w.place.line; });
  for (auto& [place, line_above] : out) {
    const auto below = std::ranges::lower_bound(lines, place.line);
    if (below != lines.begin()) line_above = *std::prev(below);
  }
  return out;
}

bool SourcePositions::is_of_exit(std::span<const Instruction>::iterator i) {
  if (is_of_return(i->op) || i->op == Op::JUMP) return true;
  if (!unbinds_name(i->op) || i == instructions_.begin()) return false;
  const Instruction& before = *std::prev(i);  // the end of a clause has the position of the exit
  const SourcePosition *own = at(i->offset), *place = at(before.offset);
  return own != nullptr && place != nullptr && *own == *place && (is_of_return(before.op) || unbinds_name(before.op));
}

bool SourcePositions::follows_on_later_line(std::span<const Instruction>::iterator first, const SourcePosition& own) {
  if (first == instructions_.begin()) return false;
  const Instruction& before = *std::prev(first);
  const SourcePosition* place = at(before.offset);
  return !is_jump(before.op) && !is_terminator(before.op) && place != nullptr && place->line < own.line;
}

bool SourcePositions::is_on_last_line(std::span<const Instruction>::iterator first, const SourcePosition& own) {
  if (first == instructions_.begin() || instructions_.end() - first != 2) return false;
  if (!ends_on_last_line_)  // asked again for each equal exit
    ends_on_last_line_ = std::all_of(instructions_.begin(), first, [&](const Instruction& i) {
      const SourcePosition* place = at(i.offset);
      return place != nullptr && place->line < own.line;
    });
  return *ends_on_last_line_;
}

const Instruction* SourcePositions::after_test(std::uint32_t offset) const {
  const auto test = std::ranges::upper_bound(instructions_, offset, {}, &Instruction::offset);
  const bool is_test =
      test != instructions_.end() && (test->op == Op::POP_JUMP_IF_FALSE || test->op == Op::POP_JUMP_IF_TRUE);
  return is_test && std::next(test) != instructions_.end() ? &*std::next(test) : nullptr;
}

std::int32_t SourcePositions::line_of_exit_after(std::uint32_t offset) {
  auto exit = std::ranges::upper_bound(instructions_, offset, {}, &Instruction::offset);
  const auto leaves_clause = [](Op op) {
    return op == Op::POP_TOP || op == Op::POP_BLOCK || op == Op::POP_EXCEPT || loads_constant(op) || unbinds_name(op);
  };
  while (exit != instructions_.end() && leaves_clause(exit->op)) ++exit;
  const SourcePosition* place = exit != instructions_.end() ? at(exit->offset) : nullptr;
  if (place == nullptr) return -1;
  const bool falls = exit->op == Op::NOP && is_word(*place, kBreakWord);  // a `break` to the next instruction
  return falls || exit->op == Op::JUMP || is_of_return(exit->op) ? place->line : -1;
}

bool SourcePositions::ends_in_arms() const {
  const auto size = instructions_.size();
  return size > 2 && instructions_[size - 1].op == Op::RETURN_VALUE && is_terminator(instructions_[size - 3].op) &&
         std::ranges::none_of(instructions_, [&](auto& i) { return is_jump(i.op) && i.target == size - 2; });
}

std::optional<std::uint32_t> SourcePositions::written_jump_after(std::uint32_t offset) {
  const auto jump = std::ranges::upper_bound(instructions_, offset, {}, &Instruction::offset);
  if (jump == instructions_.end() || jump->op != Op::JUMP) return std::nullopt;
  const SourcePosition *own = at(jump->offset), *before = at(offset);
  if (own == nullptr || before == nullptr) return std::nullopt;
  const bool leaves_clause = *own == *before && is_of_exit(std::prev(jump));
  const bool is_written =  // otherwise the columns must show that both are in one block
      leaves_clause ? own->column >= 0 && is_word(*own, kContinueWord) && !is_place_of_another(*own)
                    : own->column == before->column && follows_on_later_line(jump, *own);
  return is_written ? std::optional(jump->offset) : std::nullopt;
}

std::optional<bool> SourcePositions::are_of_one_statement(const Clauses& clauses) {
  const auto body = std::ranges::lower_bound(instructions_, clauses.body, {}, &Instruction::offset);
  const auto last_of = [&](Op op) {
    return std::make_reverse_iterator(std::find_if(body, instructions_.end(), [&](auto& i) { return i.op != op; }));
  };
  const SourcePosition* inner = nullptr;
  for (auto setup = last_of(Op::SETUP_FINALLY); setup != instructions_.rend() && setup->op == Op::SETUP_FINALLY;
       ++setup) {
    const SourcePosition* outer = at(setup->offset);
    if (setup->target < instructions_.size() && instructions_[setup->target].offset == clauses.handler)
      return inner != nullptr && outer != nullptr ? std::optional(inner->line == outer->line) : std::nullopt;
    inner = outer;
  }
  // the NOP of a `try` has the position of the whole statement
  for (auto nop = last_of(Op::NOP); nop != instructions_.rend() && nop->op == Op::NOP; ++nop) {
    const SourcePosition* place = at(nop->offset);
    if (place == nullptr || place->column < 0) continue;
    const auto contains = [&](std::int32_t line) { return place->line < line && line <= place->end_line; };
    if (contains(clauses.except)) return contains(clauses.finally);
  }
  return std::nullopt;
}

bool SourcePositions::is_place_of_another(const SourcePosition& position) {
  if (!std::exchange(knows_places_, true)) {
    places_.clear();
    for (auto i = instructions_.begin(); i != instructions_.end(); ++i)
      if (const SourcePosition* other = is_of_exit(i) ? nullptr : at(i->offset); other != nullptr)
        places_.emplace_back(other->line, other->column);
    std::sort(places_.begin(), places_.end());
  }
  return std::binary_search(places_.begin(), places_.end(), std::pair(position.line, position.column));
}

}  // namespace depyf
