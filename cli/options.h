// SPDX-License-Identifier: MIT
// The command line of depyfc.
//
// Invariant: the result of parse_options() is consistent: one mode, with its operands. No file is accessed.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "depyf/opcodes.h"
#include "depyf/result.h"

namespace depyf::cli {

enum class Mode : std::uint8_t { kHelp, kVersion, kPasses, kPrint, kFolder, kList, kVerify, kInferOpcodes };
enum class VerdictStyle : std::uint8_t { kNone, kLines, kComments };

struct Options {
  Mode mode = Mode::kPrint;
  std::vector<std::string> paths;  // files and folders; kList: the list; kVerify, kInferOpcodes: two files
  std::string out_dir;             // for kFolder
  std::string stop_after;          // a stage; empty for the source text
  std::vector<std::string> skip;
  std::vector<std::string> python;  // command of the compiler; empty if there is none
  std::chrono::milliseconds python_timeout{60'000};
  unsigned jobs = 1;
  std::optional<Version> marshal;  // version of the CPython that wrote files without a header
  std::string opcodes_file;        // empty if there is none
  OpcodeNumbers opcodes;           // contents of that file, once it is read
  bool literal = false;
  bool validate = false;  // check the graph after each pass
  bool map = false;       // add the source map to the text
  VerdictStyle verdict = VerdictStyle::kNone;
};

// Fails with a message that names the wrong argument and what was expected.
[[nodiscard]] Result<Options> parse_options(const std::vector<std::string>& arguments);

[[nodiscard]] const char* usage();

}  // namespace depyf::cli
