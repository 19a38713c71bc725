// SPDX-License-Identifier: MIT
// Reads and writes opcode numbers as JSON; see opcodes.h.
#include "opcodes.h"

#include <charconv>
#include <string_view>
#include <utility>

#include "files.h"

namespace depyf::cli {

namespace {

constexpr std::size_t kMaxBytes = 1U << 20U;

// A parser of flat JSON objects with strings without escapes as keys and numbers as values.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<OpcodeNumbers> read() {
    OpcodeNumbers out;
    if (!take('{')) return error("'{'");
    for (bool first = true; !take('}'); first = false) {
      if (!first && !take(',')) return error("',' or '}'");
      if (!take('"')) return error("a name in quotes");
      const auto end = text_.find('"', at_);
      if (end == std::string_view::npos) return error("a name in quotes");
      std::string name(text_.substr(at_, end - at_));
      at_ = end + 1;
      if (!take(':')) return error("':'");
      skip_blanks();
      unsigned number = 0;
      const auto read = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
      if (read.ec != std::errc{}) return error("the number of " + name);
      at_ = static_cast<std::size_t>(read.ptr - text_.data());
      if (number < 256) out[std::move(name)] = static_cast<std::uint8_t>(number);  // larger: pseudo-opcodes
    }
    skip_blanks();
    if (at_ != text_.size()) return error("nothing after the object");
    return out;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  [[nodiscard]] Error error(const std::string& what) const {
    return Error{Errc::kMalformed, at_,
                 "byte " + std::to_string(at_) + ": wanted " + what +
                     " of a JSON object of names and numbers, as json.dumps(opcode.opmap) makes it"};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<OpcodeNumbers> read_opcodes(const std::string& path) {
  DEPYF_TRY(text, read_file(path, kMaxBytes));
  return Reader(std::string_view(text.data(), text.size())).read();
}

std::string json_of(const OpcodeNumbers& numbers) {
  std::string out = "{";
  for (const auto& [name, number] : numbers)
    out += (out.size() > 1 ? ",\n  \"" : "\n  \"") + name + "\": " + std::to_string(number);
  return out + "\n}\n";
}

}  // namespace depyf::cli
