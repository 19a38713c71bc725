// SPDX-License-Identifier: MIT
// The compiler of `--python CMD`; see compiler.h.
//
// Request: length of the text and flags of `from __future__` (4 bytes each, little endian), mode (8 bytes), text.
// Answer: status (1 byte; 0: code, 1: the text does not compile, 2: greeting), length (4 bytes), marshalled code or a
// message.
#include "compiler.h"

#include <charconv>
#include <cstdint>
#include <span>
#include <utility>

#include "depyf/mode.h"

namespace depyf::cli {
namespace {

constexpr int kMaxFailures = 3;
constexpr std::size_t kHeadSize = 16;  // bytes of a request before the text
constexpr std::uint8_t kCode = 0;
constexpr std::uint8_t kGreeting = 2;
constexpr std::chrono::seconds kStartTime{60};

// Runs under any CPython 3.8-3.15. Texts are compiled from bytes, as files are, and never executed.
constexpr const char* kWorker = R"(
import sys
# Nothing is imported from the folder it is started in, nor from one that is named relative to it.
sys.path[:] = [folder for folder in sys.path if folder[:1] == "/" or folder[1:2] == ":"]
import marshal
try:
    import unicodedata  # the parser asks for it where an identifier is not ASCII (pegen.c, _PyPegen_new_identifier)
except ImportError:
    pass
sys.path[:] = []

def put(status, data):
    out.write(bytes([status]) + len(data).to_bytes(4, "little") + data)
    out.flush()

inp, out = sys.stdin.buffer, sys.stdout.buffer
put(2, ("%s %d %d %s" % ((sys.implementation.name,) + sys.version_info[:2] + (sys.version.split()[0],))).encode())
while True:
    head = inp.read(16)
    if len(head) < 16:
        break
    size, flags, mode = int.from_bytes(head[:4], "little"), int.from_bytes(head[4:8], "little"), head[8:].decode()
    text = inp.read(size)
    if len(text) < size:
        break
    try:
        status, data = 0, marshal.dumps(compile(text, "<decompiled>", mode.strip(), flags, True, 0))
    except BaseException as error:
        status, data = 1, ("%s: %s" % (type(error).__name__, error)).encode("utf-8", "replace")
    put(status, data)
)";

std::string little_endian(std::uint32_t value) {
  std::string out;
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xFFU);
  return out;
}

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8U | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

// Parses "cpython 3 11 3.11.7".
std::optional<std::pair<Version, std::string>> parse_greeting(std::string_view text) {
  constexpr std::string_view kName = "cpython ";
  if (!text.starts_with(kName)) return std::nullopt;
  const char* end = text.data() + text.size();
  Version version;
  auto [at, code] = std::from_chars(text.data() + kName.size(), end, version.major);
  if (code != std::errc{} || at == end) return std::nullopt;
  const auto minor = std::from_chars(at + 1, end, version.minor);
  if (minor.ec != std::errc{} || minor.ptr == end) return std::nullopt;
  return std::pair{version, "CPython " + std::string(minor.ptr + 1, end)};
}

}  // namespace

Status Compiler::ensure_started() {
  if (process_.running()) return Unit{};
  if (failures_ >= kMaxFailures) return Error{Errc::kTruncated, kNowhere, last_failure_};
  std::vector<std::string> command = command_;
  // -I is not used: an interpreter that needs PYTHONHOME would not start.
  for (const char* word : {"-s", "-S", "-B", "-W", "ignore", "-c", kWorker}) command.emplace_back(word);
  Status started = process_.start(command);
  if (started.ok()) started = greet();
  if (started.ok()) return started;
  process_.stop();
  ++failures_;
  last_failure_ = "wanted a CPython as --python " + command_[0] + ": " + started.error().what;
  return Error{Errc::kTruncated, kNowhere, last_failure_};
}

Status Compiler::greet() {
  const Deadline deadline = std::chrono::steady_clock::now() + kStartTime;
  constexpr std::size_t kMaxGreeting = 256;
  DEPYF_TRY(head, process_.receive(5, deadline));
  const std::uint32_t size = little_endian(std::string_view(head).substr(1));
  if (head[0] == static_cast<char>(kGreeting) && size <= kMaxGreeting) {
    DEPYF_TRY(text, process_.receive(size, deadline));
    if (auto greeting = parse_greeting(text)) {
      version_ = greeting->first;
      name_ = std::move(greeting->second);
      return Unit{};
    }
    if (text.find(' ') != std::string::npos) {
      return Error{Errc::kMalformed, kNowhere, "it is " + text.substr(0, text.find(' '))};
    }
  }
  return Error{Errc::kMalformed, kNowhere, "it did not greet"};
}

Result<Compiler::Answer> Compiler::receive_answer() {
  const Deadline deadline = std::chrono::steady_clock::now() + timeout_;
  DEPYF_TRY(head, process_.receive(5, deadline));
  Answer answer;
  answer.status = static_cast<std::uint8_t>(head[0]);
  DEPYF_TRY(data, process_.receive(little_endian(std::string_view(head).substr(1)), deadline));
  answer.data = std::move(data);
  return answer;
}

Result<CodeTree> Compiler::compile(std::string_view text, std::uint32_t future_flags) {
  if (hung_) return Error{Errc::kLimitExceeded, kNowhere, "the compiler did not answer in time on an earlier text"};
  DEPYF_CHECK(ensure_started());
  if (text.size() > 0x7FFFFFFFU) return Error{Errc::kLimitExceeded, kNowhere, "wanted a text of 31 bits to compile"};
  const Deadline deadline = std::chrono::steady_clock::now() + timeout_;
  std::string request = little_endian(static_cast<std::uint32_t>(text.size())) + little_endian(future_flags);
  request += std::string(compile_mode(text));
  request.resize(kHeadSize, ' ');
  Status sent = process_.send(request.append(text), deadline);
  Result<Answer> answer = sent.ok() ? receive_answer() : Result<Answer>(std::move(sent).error());
  if (!answer.ok()) {
    hung_ = answer.error().code == Errc::kLimitExceeded;
    process_.stop();
    return Error{answer.error().code, kNowhere, "the compiler failed: " + answer.error().what};
  }
  const std::string& data = answer->data;
  if (answer->status != kCode) return Error{Errc::kMalformed, kNowhere, data};
  return read_marshal(std::as_bytes(std::span(data)), version_, Limits{});
}

Recompiler Compiler::for_one_file(std::uint32_t future_flags) {
  hung_ = false;
  return [this, future_flags](std::string_view text) { return compile(text, future_flags); };
}

}  // namespace depyf::cli
