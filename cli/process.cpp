// SPDX-License-Identifier: MIT
// A child process with two pipes; see process.h.
#include "process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <thread>
#include <utility>

extern char** environ;  // NOLINT: passed on to the child

namespace depyf::cli {
namespace {

constexpr std::size_t kChunk = 1U << 16U;
constexpr off_t kMaxErrorBytes = 4096;  // bytes at the end that are read
constexpr std::size_t kErrorLines = 3;
constexpr std::chrono::milliseconds kGrace{200};  // from closing its input to SIGKILL

Error failure(const char* what) { return Error{Errc::kTruncated, kNowhere, what}; }

void close_fd(int& fd) {
  if (fd >= 0) ::close(std::exchange(fd, -1));
}

struct Pipe {
  int read_end = -1, write_end = -1;
  bool open() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return false;
    read_end = fds[0];
    write_end = fds[1];
    return true;
  }
  ~Pipe() {
    close_fd(read_end);
    close_fd(write_end);
  }
};

// Returns the last lines of the child's standard error as one line, without the indented lines of tracebacks.
std::string last_error_lines(std::FILE* errors) {
  const int fd = ::fileno(errors);
  const off_t size = std::max<off_t>(::lseek(fd, 0, SEEK_END), 0), length = std::min(size, kMaxErrorBytes);
  std::string read(static_cast<std::size_t>(length), '\0');
  read.resize(static_cast<std::size_t>(std::max<ssize_t>(::pread(fd, read.data(), read.size(), size - length), 0)));
  std::vector<std::string> lines;
  std::istringstream in(read);
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != ' ') lines.push_back(line);
  std::string text;
  for (std::size_t k = lines.size() - std::min(lines.size(), kErrorLines); k < lines.size(); ++k)
    text += (text.empty() ? ": " : "; ") + lines[k];
  return text;
}

// Starts the command with the pipes as standard input and output and a file as standard error. Returns 0 or errno.
int spawn(const std::vector<std::string>& command, const Pipe& input, const Pipe& output, int errors, pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input.read_end, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  // The child gets its own process group, to end a wrapper's children with it, and the default handling of SIGPIPE.
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const int code = ::posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return code;
}

}  // namespace

Status Process::start(const std::vector<std::string>& command) {
  stop();
  Pipe input;
  Pipe output;
  if (!input.open() || !output.open()) return failure("no pipe to be had");
  errors_ = std::tmpfile();
  if (errors_ == nullptr) return failure("no file to be had for what it says");
  ::fcntl(::fileno(errors_), F_SETFD, FD_CLOEXEC);
  pid_t pid = -1;
  if (const int code = spawn(command, input, output, ::fileno(errors_), pid); code != 0) {
    return failure(code == ENOENT ? "there is no such command" : "it cannot be started");
  }
  pid_ = pid;
  to_child_ = std::exchange(input.write_end, -1);
  from_child_ = std::exchange(output.read_end, -1);
  ::fcntl(to_child_, F_SETFL, O_NONBLOCK);
  ::fcntl(from_child_, F_SETFL, O_NONBLOCK);
  return Unit{};
}

Status Process::wait_for(int fd, short events, Deadline deadline) const {
  for (;;) {
    const auto remaining =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (remaining.count() <= 0) return Error{Errc::kLimitExceeded, kNowhere, "it did not answer in time"};
    pollfd waited{fd, events, 0};
    const int n = ::poll(&waited, 1, static_cast<int>(std::min<long long>(remaining.count(), 1'000'000)));
    if (n > 0) return Unit{};
    if (n < 0 && errno != EINTR) return failure("its pipe cannot be waited for");
  }
}

Status Process::send(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    DEPYF_CHECK(wait_for(to_child_, POLLOUT, deadline));
    const ssize_t n = ::write(to_child_, bytes.data(), std::min(bytes.size(), kChunk));
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
    if (n < 0 && errno != EAGAIN && errno != EINTR) return ended();
  }
  return Unit{};
}

Result<std::string> Process::receive(std::size_t n, Deadline deadline) {
  std::string out;  // grows with the bytes received, not with the announced length
  while (out.size() < n) {
    DEPYF_CHECK(wait_for(from_child_, POLLIN, deadline));
    const std::size_t have = out.size();
    out.resize(have + std::min(n - have, kChunk));
    const ssize_t got = ::read(from_child_, out.data() + have, out.size() - have);
    out.resize(have + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return ended();
  }
  return out;
}

// Called when the child closed its end. Returns how the child ended, if it did.
Error Process::ended() {
  int status = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t waited = ::waitpid(pid_, &status, WNOHANG);
    if (waited == pid_) {
      ::kill(-pid_, SIGKILL);  // children that a wrapper did not end
      pid_ = -1;
      const std::string how = WIFSIGNALED(status) ? "it was killed by signal " + std::to_string(WTERMSIG(status))
                                                  : "it ended with status " + std::to_string(WEXITSTATUS(status));
      return failure((how + last_error_lines(errors_)).c_str());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return failure("it closed its pipe");
}

void Process::stop() {
  close_fd(to_child_);
  if (pid_ > 0) {
    const Deadline end = std::chrono::steady_clock::now() + kGrace;
    bool has_ended = false;
    while (!has_ended && std::chrono::steady_clock::now() < end) {
      has_ended = ::waitpid(pid_, nullptr, WNOHANG) != 0;
      if (!has_ended) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ::kill(-pid_, SIGKILL);
    if (!has_ended) ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }
  close_fd(from_child_);
  if (errors_ != nullptr) std::fclose(std::exchange(errors_, nullptr));
}

}  // namespace depyf::cli
