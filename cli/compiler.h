// SPDX-License-Identifier: MIT
// The compiler of `--python CMD`: one interpreter that compiles text after text.
//
// Invariant: it is started once and again only after it died or hung; what it answers is read like any untrusted .pyc.
// It never runs the texts, only compiles them. One thread at a time may use a Compiler.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "depyf/decompile.h"
#include "process.h"

namespace depyf::cli {

class Compiler {
 public:
  Compiler(std::vector<std::string> command, std::chrono::milliseconds timeout)
      : command_(std::move(command)), timeout_(timeout) {}

  // Starts it if it does not run. After kMaxFailures starts that failed it is not tried again.
  [[nodiscard]] Status ensure_started();
  [[nodiscard]] Version version() const { return version_; }
  [[nodiscard]] const std::string& name() const { return name_; }  // "CPython 3.11.7"

  // The callback for one file; it refers to this object. A text that hangs the compiler ends its file's attempts.
  // `future_flags`: of the file's module (`from __future__`), which its text has no statement for where the code has none
  // (exec() in a module with such an import): they are a part of its RecompileContext.
  [[nodiscard]] Recompiler for_one_file(std::uint32_t future_flags);

 private:
  struct Answer {
    std::uint8_t status = 0;
    std::string data;
  };
  [[nodiscard]] Result<CodeTree> compile(std::string_view text, std::uint32_t future_flags);
  [[nodiscard]] Result<Answer> receive_answer();
  [[nodiscard]] Status greet();

  std::vector<std::string> command_;
  std::chrono::milliseconds timeout_;
  Process process_;
  Version version_;
  std::string name_;
  int failures_ = 0;
  std::string last_failure_;
  bool hung_ = false;  // on the current file
};

}  // namespace depyf::cli
