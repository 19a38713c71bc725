// SPDX-License-Identifier: MIT
// depyfc, the native tool: decompiles .pyc files of CPython 3.8-3.15. It needs no Python.
//
// Invariant: it reads only the given files, no locale and no environment (which the command of --python inherits). Exit
// status: 0 done, 1 a valid task could not be done, 2 bad input; if both happened, 2.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "depyf/decompile.h"
#include "files.h"
#include "opcodes.h"
#include "options.h"
#include "work.h"

namespace {

constexpr int kFailed = 1;
constexpr int kBadInput = 2;

int print(const std::string& text) {
  const depyf::Status written = depyf::cli::write_stdout(text);
  if (written.ok()) return 0;
  depyf::cli::complain("depyfc: standard output: " + written.error().what);
  return kFailed;
}

std::string pass_lines() {
  std::string out;
  for (const depyf::PassInfo& pass : depyf::passes()) {
    std::string name(pass.name);
    name.resize(std::max<std::size_t>(name.size(), 22), ' ');
    out += name + "  " + std::string(pass.sentence) + "\n";
  }
  return out;
}

int run(const std::vector<std::string>& arguments) {
  using depyf::cli::Mode;
  depyf::Result<depyf::cli::Options> options = depyf::cli::parse_options(arguments);
  if (!options.ok()) {
    depyf::cli::complain("depyfc: " + depyf::cli::one_line(options.error().what) + " (see depyfc --help)");
    return kBadInput;
  }
  if (options->mode == Mode::kHelp) return print(depyf::cli::usage());
  if (options->mode == Mode::kVersion) return print("depyfc " DEPYF_VERSION "\n");
  if (options->mode == Mode::kPasses) return print(pass_lines());
  if (!options->opcodes_file.empty()) {
    auto numbers = depyf::cli::read_opcodes(options->opcodes_file);
    if (!numbers.ok()) {
      const std::string file = depyf::cli::one_line(options->opcodes_file);
      depyf::cli::complain("depyfc: " + file + ": " + depyf::cli::one_line(numbers.error().what));
      return kBadInput;
    }
    options->opcodes = *std::move(numbers);
  }
  const depyf::cli::Outcome outcome = options->mode == Mode::kVerify         ? depyf::cli::run_verify(*options)
                                      : options->mode == Mode::kInferOpcodes ? depyf::cli::run_infer_opcodes(*options)
                                                                             : depyf::cli::run_jobs(*options);
  return outcome.bad_input ? kBadInput : outcome.failed ? kFailed : 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // writing to a closed pipe must be an error, not end the process
  try {
    return run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::bad_alloc&) {
    std::fputs("depyfc: wanted more memory than there is\n", stderr);
    return kFailed;
  }
}
