// SPDX-License-Identifier: MIT
// The file operations of depyfc; see files.h. Uses POSIX calls, since they report the reason of a failure.
#include "files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace depyf::cli {
namespace {

constexpr int kMaxLinks = 40;  // limit on a chain of symbolic links, as in Linux

// strerror() would make the wording depend on the locale.
std::string reason_of(int code) {
  switch (code) {
    case ENOENT: return "there is none";
    case EACCES:
    case EPERM: return "permission denied";
    case ENOTDIR: return "a part of its path is no folder";
    case ENOSPC: return "no space left";
    case EISDIR: return "it is a folder";
    case ELOOP: return "its links lead to one another";
    case EPIPE: return "its reader is gone";
    default: return "system error " + std::to_string(code);
  }
}

Error cannot(std::string_view what, int code) {
  return Error{Errc::kMalformed, kNowhere, "cannot " + std::string(what) + ": " + reason_of(code)};
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

Status write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return cannot("write", errno);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return Unit{};
}

Result<std::string> read_all(int fd, std::size_t max_bytes, std::size_t expected) {
  std::string out;
  out.reserve(expected + 1);
  for (;;) {
    const std::size_t have = out.size();
    const std::size_t chunk = have < expected + 1 ? expected + 1 - have : std::size_t{65536};
    out.resize(have + chunk);
    const ssize_t n = ::read(fd, out.data() + have, chunk);
    out.resize(have + static_cast<std::size_t>(n < 0 ? 0 : n));
    if (n < 0 && errno != EINTR) return cannot("read", errno);
    if (n == 0) return out;
    if (out.size() > max_bytes) {
      return Error{Errc::kLimitExceeded, kNowhere,
                   "wanted at most " + std::to_string(max_bytes) + " bytes, found more"};
    }
  }
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::size_t max_bytes) {
  if (path == "-") return read_all(STDIN_FILENO, max_bytes, 0);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    if (errno == ENOENT) return Error{Errc::kMalformed, kNowhere, "wanted a file, found none"};
    return cannot("open", errno);
  }
  struct stat info{};
  if (::fstat(file.get(), &info) != 0) return cannot("read", errno);
  if (S_ISDIR(info.st_mode))
    return Error{Errc::kMalformed, kNowhere, "wanted a file, found a folder (folders need -o DIR)"};
  const auto size = S_ISREG(info.st_mode) ? static_cast<std::size_t>(info.st_size) : 0;
  if (size > max_bytes) {
    return Error{Errc::kLimitExceeded, kNowhere,
                 "wanted at most " + std::to_string(max_bytes) + " bytes, found " + std::to_string(size)};
  }
  return read_all(file.get(), max_bytes, size);
}

Status write_file(const std::string& path, std::string_view text) {
  std::filesystem::path target(path);
  std::error_code error;
  if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path(), error);
  if (error) return cannot("make its folder", error.value());
  struct stat info{};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {  // /dev/null or a pipe cannot be replaced
    Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.get() < 0) return cannot("write", errno);
    return write_all(device.get(), text);
  }
  for (int links = 0; std::filesystem::is_symlink(target, error); ++links) {  // links to missing files as well
    if (links == kMaxLinks) return cannot("write", ELOOP);
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  }
  // The name is unique: one run never writes a path twice at the same time, and other runs have other process ids.
  const std::string temporary = target.string() + "." + std::to_string(::getpid()) + ".tmp";
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) return cannot("write", errno);
  Status written = write_all(file.get(), text);
  if (written.ok() && file.close() != 0) written = cannot("write", errno);
  if (written.ok() && ::rename(temporary.c_str(), target.c_str()) != 0) written = cannot("write", errno);
  if (!written.ok()) ::unlink(temporary.c_str());
  return written;
}

Status write_stdout(std::string_view text) { return write_all(STDOUT_FILENO, text); }

void complain(std::string_view line) {
  const Status written = write_all(STDERR_FILENO, std::string(line) + "\n");
  static_cast<void>(written);  // there is no other place to report this
}

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) {
      out += c;
    } else {
      out += std::string("\\x") + "0123456789abcdef"[byte >> 4U] + "0123456789abcdef"[byte & 0xFU];
    }
  }
  return out;
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

}  // namespace depyf::cli
