// SPDX-License-Identifier: MIT
// What depyfc does with its jobs: reads, decompiles, writes, and says what went wrong.
//
// Invariant: a job either writes its whole output or says in one line why not, and never stops the others.
// Options are taken as given; the exit status is the caller's.
#pragma once

#include "options.h"

namespace depyf::cli {

struct Outcome {
  bool bad_input = false;  // a file was missing, malformed, ...
  bool failed = false;     // something valid could not be done
};

// All jobs of kPrint, kFolder and kList, on `options.jobs` threads.
[[nodiscard]] Outcome run_jobs(const Options& options);

// Mode kVerify: a line on standard output for each code object of the first file.
[[nodiscard]] Outcome run_verify(const Options& options);

// Mode kInferOpcodes: JSON on standard output.
[[nodiscard]] Outcome run_infer_opcodes(const Options& options);

}  // namespace depyf::cli
