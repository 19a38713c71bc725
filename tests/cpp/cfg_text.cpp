// SPDX-License-Identifier: MIT
// The parser for graphs written as text, and tests of its round trip with dump(); see cfg_text.h.
#include "cfg_text.h"

#include <doctest/doctest.h>

#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "cfg/dump.h"

namespace depyf::testing {

namespace {

constexpr std::string_view kSpace = " \t";

// One line of the text, read from the left.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) { skip_space(); }

  [[nodiscard]] bool empty() const { return rest_.empty(); }
  // Consumes `word` if it is the next whole word.
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    const auto after = rest_.substr(word.size());
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (!word.empty() && is_letter(word.back()) && !after.empty() && is_letter(after.front())) return false;
    rest_ = after;
    skip_space();
    return true;
  }
  std::optional<std::uint32_t> number() {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{}) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    skip_space();
    return value;
  }
  std::optional<BlockId> block() {
    const auto before = rest_;
    if (!rest_.starts_with('B')) return std::nullopt;
    rest_.remove_prefix(1);
    const auto n = number();
    if (n) return BlockId{*n};
    rest_ = before;
    return std::nullopt;
  }
  std::optional<Op> operation() {
    const auto end = std::min(rest_.find_first_of(kSpace), rest_.size());
    for (std::size_t i = 0; i < std::size(kOpFacts); ++i) {
      const auto op = static_cast<Op>(i);
      if (op_name(op) != rest_.substr(0, end)) continue;
      rest_.remove_prefix(end);
      skip_space();
      return op;
    }
    return std::nullopt;
  }

 private:
  void skip_space() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpace), rest_.size()));
    rest_ = rest_.substr(0, rest_.find_last_not_of(kSpace) + 1);
  }
  std::string_view rest_;
};

class Parser {
 public:
  Result<Cfg> run(std::string_view text) {
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size());
      ++line_;
      if (const auto expected = line(Words(text.substr(0, end))); !expected.empty())
        return Error{Errc::kMalformed, line_, std::string(expected)};
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    for (std::uint32_t b = 0; b < cfg_.blocks.size(); ++b)
      for (const BlockId to : {block(b).fall, block(b).jump, block(b).handler.block, block(b).phantom})
        if (to.valid() && to.n >= cfg_.blocks.size())
          return Error{Errc::kMalformed, line_, "no block B" + std::to_string(to.n)};
    return std::move(cfg_);
  }

 private:
  BasicBlock& block(std::uint32_t b) { return cfg_.blocks[BlockId{b}]; }

  // Parses a line. Returns what was expected, "" if there is no error; so do the functions below.
  std::string_view line(Words words) {
    if (words.empty()) return "";
    if (words.take("order:")) return order(words);
    if (const auto id = words.block()) return header(*id, words);
    if (cfg_.blocks.size() == 0) return "a block before its instructions";
    BasicBlock& b = block(static_cast<std::uint32_t>(cfg_.blocks.size()) - 1);
    if (words.take("jump")) return successor(b.jump, words);
    if (words.take("fall")) return successor(b.fall, words);
    return instruction(b, words);
  }

  std::string_view successor(BlockId& to, Words& words) {
    const auto id = words.block();
    if (!id || !words.empty()) return "a block after jump and fall";
    to = *id;
    return "";
  }

  std::string_view instruction(BasicBlock& b, Words& words) {
    Instruction instruction_read;
    instruction_read.offset = words.number().value_or(2 * instructions_);
    const auto op = words.operation();
    if (!op) return "the name of an operation";
    instruction_read.op = *op;
    instruction_read.arg = words.number().value_or(0);
    if (words.take("flags")) {
      const auto flags = words.number();
      if (!flags) return "a number after flags";
      instruction_read.flags = static_cast<std::uint8_t>(*flags);
    }
    if (!words.empty()) return "nothing after an instruction";
    ++instructions_;
    b.code.push_back(instruction_read);
    return "";
  }

  std::string_view header(BlockId id, Words& words) {
    if (id.n != cfg_.blocks.size()) return "blocks in order, from B0";
    BasicBlock b;
    b.first_index = instructions_;
    if (!words.take(":") || !words.take("depth")) return "': depth' after the block";
    const auto depth = words.number();
    if (!depth) return "a number after depth";
    b.entry_depth = *depth;
    while (words.take(","))
      if (const auto expected = property(b, words); !expected.empty()) return expected;
    if (!words.empty()) return "a comma between a block's properties";
    cfg_.blocks.add(std::move(b));
    return "";
  }

  std::string_view property(BasicBlock& b, Words& words) {
    if (words.take("handler")) {
      b.is_handler = true;
    } else if (words.take("raises to")) {
      const auto to = words.block();
      const auto depth = to && words.take("[") ? words.number() : std::nullopt;
      if (!depth || !words.take("]")) return "'raises to B1 [0]'";
      b.handler = {*to, *depth, words.take("lasti")};
    } else if (words.take("inverted")) {
      b.inverted = JumpInversion::kYes;
    } else if (words.take("not inverted")) {
      b.inverted = JumpInversion::kNo;
    } else if (words.take("entered")) {
      b.entered = static_cast<std::uint8_t>(words.number().value_or(0));
    } else if (words.take("phantom")) {
      b.has_phantom = true;
      if (!words.take("none")) {
        const auto to = words.block();
        if (!to) return "a block, or none, after phantom";
        b.phantom = *to;
      }
    } else {
      return "a property of a block";
    }
    return "";
  }

  std::string_view order(Words& words) {
    std::uint32_t count = 0;
    while (const auto id = words.block()) {
      if (id->n >= cfg_.blocks.size()) return "blocks that are there";
      cfg_.blocks[*id].first_index = count++;
    }
    return words.empty() && count == cfg_.blocks.size() ? "" : "each block once";
  }

  Cfg cfg_;
  std::size_t line_ = 0;
  std::uint32_t instructions_ = 0;
};

}  // namespace

Result<Cfg> parse_cfg(std::string_view text) { return Parser().run(text); }

}  // namespace depyf::testing

using namespace depyf;
using testing::parse_cfg;

TEST_CASE("the text of a graph is parsed to the same graph") {
  const std::string text =
      "B0: depth 0, raises to B2 [0] lasti\n      0  LOAD_NAME 3\n      4  COMPARE_OP 2 flags 1\n"
      "      8  POP_JUMP_IF_FALSE\n         jump B1\n         fall B3\n"
      "B1: depth 0, inverted\n         fall B1\n"
      "B2: depth 2, handler, not inverted, entered 2, phantom B3\n     10  RERAISE 1\n"
      "B3: depth 0, phantom none\n     12  LOAD_CONST\n     14  RETURN_VALUE\n"
      "order: B0 B3 B1 B2\n";
  const auto cfg = parse_cfg(text);
  REQUIRE(cfg.ok());
  CHECK(dump(*cfg, Detail::kAll) == text);
}

TEST_CASE("errors in the text of a graph have a line") {
  const auto error_of = [](std::string_view text) {
    const auto cfg = parse_cfg(text);
    return cfg ? "accepted" : std::to_string(cfg.error().at) + ": " + cfg.error().what;
  };
  CHECK(error_of("LOAD_CONST\n") == "1: a block before its instructions");
  CHECK(error_of("B0: depth 0\n  LOAD_NOTHING\n") == "2: the name of an operation");
  CHECK(error_of("B0: depth 0\n  LOAD_CONST 1 2\n") == "2: nothing after an instruction");
  CHECK(error_of("B0: depth 0, handle\n") == "1: a property of a block");
  CHECK(error_of("B1: depth 0\n") == "1: blocks in order, from B0");
  CHECK(error_of("B0: depth 0\n  jump C\n") == "2: a block after jump and fall");
  CHECK(error_of("B0: depth 0\n  fall B3\n") == "2: no block B3");
  CHECK(error_of("B0: depth 0\nB1: depth 0\norder: B1\n") == "3: each block once");
}
