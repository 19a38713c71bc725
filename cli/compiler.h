// SPDX-License-Identifier: MIT
// The compiler of `--python CMD`: an interpreter that compiles one text after another.
//
// Invariant: it is started once, and again only if it died or hung; its answers are read like untrusted .pyc files.
// Texts are compiled, never run. Only one thread at a time may use a Compiler.
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

  // Starts the interpreter if it is not running. After kMaxFailures failed starts no other is attempted.
  [[nodiscard]] Status ensure_started();
  [[nodiscard]] Version version() const { return version_; }
  [[nodiscard]] const std::string& name() const { return name_; }  // "CPython 3.11.7"

  // Returns the recompiler for one file; it refers to this object. If a text hangs the compiler, later texts of the
  // file fail at once. `future_flags`: the file's flags of `from __future__`, part of its RecompileContext. The text
  // may lack the import, if exec() compiled the code in a module that has it.
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
  bool hung_ = false;  // while compiling a text of the current file
};

}  // namespace depyf::cli
