// SPDX-License-Identifier: MIT
// Runs the jobs of depyfc: reads, decompiles, writes, and reports errors.
//
// Invariant: a job either writes its complete output or reports its failure in one line; it never affects other jobs.
// Options are not checked here; the exit status is up to the caller.
#pragma once

#include "options.h"

namespace depyf::cli {

struct Outcome {
  bool bad_input = false;  // a file was missing, malformed, and so on
  bool failed = false;     // a valid task could not be done
};

// Runs all jobs of the modes kPrint, kFolder and kList on `options.jobs` threads.
[[nodiscard]] Outcome run_jobs(const Options& options);

// Mode kVerify: prints one line per code object of the first file.
[[nodiscard]] Outcome run_verify(const Options& options);

// Mode kInferOpcodes: prints JSON.
[[nodiscard]] Outcome run_infer_opcodes(const Options& options);

}  // namespace depyf::cli
