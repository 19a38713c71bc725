// SPDX-License-Identifier: MIT
// A child process with two pipes, and a deadline for each exchange.
//
// Invariant: no call waits beyond its deadline, and when the object is destroyed, the child's process group has ended.
// The protocol on the pipes is unknown here.
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
  // Fail with kTruncated if the child ended (the message tells how), and with kLimitExceeded after the deadline.
  [[nodiscard]] Status send(std::string_view bytes, Deadline deadline);
  [[nodiscard]] Result<std::string> receive(std::size_t n, Deadline deadline);
  void stop();

 private:
  Status wait_for(int fd, short events, Deadline deadline) const;
  Error ended();

  pid_t pid_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  std::FILE* errors_ = nullptr;  // the child's standard error: a file, since a full pipe would block the child
};

}  // namespace depyf::cli
