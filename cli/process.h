// SPDX-License-Identifier: MIT
// A child process at the end of two pipes, with a deadline on every exchange.
//
// Invariant: no call waits past its deadline, and the child (with its whole process group) is gone when the object is.
// It knows nothing of what is said over the pipes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "depyf/result.h"

namespace depyf::cli {

using Deadline = std::chrono::steady_clock::time_point;

class Process {
 public:
  Process() = default;
  ~Process() { stop(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] Status start(const std::vector<std::string>& command);
  [[nodiscard]] bool running() const { return pid_ > 0; }
  // kTruncated: the child is gone (the text says how it ended); kLimitExceeded: the deadline passed.
  [[nodiscard]] Status send(std::string_view bytes, Deadline deadline);
  [[nodiscard]] Result<std::string> receive(std::size_t n, Deadline deadline);
  void stop();

 private:
  Status wait_for(int fd, short events, Deadline deadline) const;
  Error ended();

  pid_t pid_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  std::FILE* errors_ = nullptr;  // what it writes to standard error; a pipe that is full would hold it up
};

}  // namespace depyf::cli
