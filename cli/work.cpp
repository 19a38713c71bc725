// SPDX-License-Identifier: MIT
// Runs the jobs of depyfc; see work.h.
#include "work.h"

#include <atomic>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "code_dump.h"
#include "compiler.h"
#include "depyf/decompile.h"
#include "files.h"
#include "jobs.h"
#include "opcodes.h"

namespace depyf::cli {
namespace {

enum class Fault : std::uint8_t { kBadInput, kFailed };

struct JobError {
  Fault fault = Fault::kBadInput;
  std::string what;
};

struct Tally {
  std::atomic<bool> bad_input{false};
  std::atomic<bool> failed{false};
  void count(Fault fault) { (fault == Fault::kBadInput ? bad_input : failed) = true; }
};

std::string message_with_offset(const Error& error, std::string_view unit) {
  const std::string what = (error.code == Errc::kInternal ? "internal error: " : "") + error.what;
  if (error.at == kNowhere) return what;
  return std::string(unit) + " " + std::to_string(error.at) + ": " + what;
}

// Input that exceeds a limit may be valid, and internal errors are never caused by invalid input.
Fault fault_of(const Error& error) {
  const bool is_own_fault = error.code == Errc::kInternal || error.code == Errc::kLimitExceeded;
  return is_own_fault ? Fault::kFailed : Fault::kBadInput;
}

JobError reading_error(const Error& error) { return {fault_of(error), message_with_offset(error, "byte")}; }
JobError stage_error(const Error& error) { return {fault_of(error), message_with_offset(error, "bytecode offset")}; }

std::string_view verdict_name(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kExact: return "exact";
    case VerdictKind::kProved: return "proved";
    case VerdictKind::kUnproved: return "unproved";
    case VerdictKind::kUnchecked: return "unchecked";
  }
  return "unchecked";
}

// Returns the qualified name of a code object; before 3.11 it is made from the names of its parents.
std::string label(const CodeTree& tree, CodeId id) {
  if (!tree.codes[id].qualname.empty()) return tree.codes[id].qualname;
  std::string out = tree.codes[id].name;
  for (CodeId at = tree.codes[id].parent; at && at != tree.root(); at = tree.codes[at].parent) {
    out = tree.codes[at].name + "." + out;
  }
  return out;
}

std::string verdict_line(const CodeTree& tree, const Verdict& verdict) {
  std::string out = std::string(verdict_name(verdict.kind)) + " " + label(tree, verdict.code);
  if (verdict.offset != 0xFFFFFFFF) out += " at bytecode offset " + std::to_string(verdict.offset);
  if (!verdict.reason.empty()) out += ": " + verdict.reason;
  return one_line(out);
}

std::string position(std::uint32_t line, std::uint32_t column) {
  return std::to_string(line) + ":" + std::to_string(column);
}

void add_map(const CodeTree& tree, const std::vector<MapEntry>& map, std::string& text) {
  std::string previous;
  for (const auto& [code, offset, range] : map) {
    std::string line = "# map " + one_line(label(tree, code)) + " " + std::to_string(offset) + " " +
                       position(range.line, range.column) + "-" + position(range.end_line, range.end_column) + "\n";
    if (line != previous) text += line;  // a statement and its expression can have the same range
    previous = std::move(line);
  }
}

constexpr std::size_t kHeaderSize = 16;  // bytes of a .pyc header

// Returns whether a marshalled code object may start at byte `at`.
bool is_code_at(std::span<const std::byte> bytes, std::size_t at) {
  constexpr std::byte kShared{0x80};
  return at < bytes.size() && (bytes[at] & ~kShared) == std::byte{'c'};
}

Result<CodeTree> read_tree(const std::string& path, const Options& options) {
  const Limits limits;
  DEPYF_TRY(read, read_file(path, limits.max_bytes));
  auto bytes = std::as_bytes(std::span(std::as_const(read)));
  if (options.marshal && !is_code_at(bytes, 0) && is_code_at(bytes, kHeaderSize)) bytes = bytes.subspan(kHeaderSize);
  auto tree = options.marshal ? read_marshal(bytes, *options.marshal, limits) : read_pyc(bytes, limits);
  if (tree.ok() && !options.opcodes.empty()) restore_opcodes(*tree, options.opcodes);
  return tree;
}

std::string name_of(Version version) { return std::to_string(version.major) + "." + std::to_string(version.minor); }

// One thread's worker.
class Worker {
 public:
  Worker(const Options& options, JobStream& stream, Tally& tally) : options_(options), stream_(stream), tally_(tally) {
    if (!options.python.empty()) compiler_ = std::make_unique<Compiler>(options.python, options.python_timeout);
  }

  void run() {
    while (const auto item = stream_.next()) {
      if (const auto* bad = std::get_if<BadJob>(&*item)) {
        tally_.count(Fault::kBadInput);
        complain("depyfc: " + one_line(bad->where) + ": " + one_line(bad->what));
        continue;
      }
      const Job& job = *std::get_if<Job>(&*item);
      if (const std::optional<JobError> error = run_job(job)) {
        tally_.count(error->fault);
        complain("depyfc: " + one_line(job.input) + ": " + one_line(error->what));
      }
    }
  }

 private:
  std::optional<JobError> run_job(const Job& job) {
    try {
      return do_job(job);
    } catch (const std::bad_alloc&) {
      return JobError{Fault::kFailed, "wanted more memory than there is"};
    } catch (const std::exception& error) {  // a defect must not affect the other files
      return JobError{Fault::kFailed, std::string("internal error: ") + error.what()};
    }
  }

  std::optional<JobError> do_job(const Job& job) {
    Result<CodeTree> tree = read_tree(job.input, options_);
    if (!tree.ok()) return reading_error(tree.error());
    Result<std::string> text = options_.stop_after.empty() ? decompiled(*tree, job) : stage(*tree);
    if (!text.ok()) return stage_error(text.error());
    const Status written = job.output.empty() ? write_stdout(*text) : write_file(job.output, *text);
    if (!written.ok()) {
      const std::string where = job.output.empty() ? "standard output" : job.output;
      return JobError{Fault::kFailed, where + ": " + written.error().what};
    }
    return std::nullopt;
  }

  DecompileOptions decompile_options() const {
    DecompileOptions out;
    out.readable = !options_.literal;
    out.skip = options_.skip;
    out.validate_passes = options_.validate;
    return out;
  }

  Result<std::string> stage(const CodeTree& tree) const {
    if (options_.stop_after == "code") return dump_code(tree);
    return dump_stage(tree, options_.stop_after, decompile_options());
  }

  Result<std::string> decompiled(const CodeTree& tree, const Job& job) {
    DecompileOptions decompile_with = decompile_options();
    const std::string unchecked = attach_compiler(tree, decompile_with);
    DEPYF_TRY(result, decompile(tree, decompile_with));
    for (Verdict& verdict : result.verdicts) {
      if (verdict.kind == VerdictKind::kUnchecked && !unchecked.empty()) verdict.reason = unchecked;
    }
    for (const Failure& failure : result.failures) {
      const JobError error = stage_error(failure.error);
      tally_.count(error.fault);
      complain("depyfc: " + one_line(job.input) + ": " + one_line(label(tree, failure.code) + ": " + error.what));
    }
    std::string text = std::move(result.text);
    // Added comments come last, where Python does not look for an encoding declaration.
    if (options_.map) add_map(tree, result.map, text);
    for (const Verdict& verdict : result.verdicts) {
      if (options_.verdict == VerdictStyle::kLines) complain(one_line(job.input) + ": " + verdict_line(tree, verdict));
      if (options_.verdict == VerdictStyle::kComments) text += "# depyf: " + verdict_line(tree, verdict) + "\n";
    }
    return text;
  }

  // Sets the recompiler if there is a compiler of the file's version. Otherwise returns the reason.
  std::string attach_compiler(const CodeTree& tree, DecompileOptions& decompile_with) {
    if (compiler_ == nullptr) return "no compiler at hand";
    if (const Status started = compiler_->ensure_started(); !started.ok()) {
      tally_.count(Fault::kFailed);
      if (!complained_) complain("depyfc: " + one_line(started.error().what));
      complained_ = true;
      return started.error().what;
    }
    if (compiler_->version() != tree.version) {
      return "the compiler is " + compiler_->name() + ", the file is of CPython " + name_of(tree.version);
    }
    decompile_with.recompiler = compiler_->for_one_file(tree.codes[tree.root()].flags & kCoFutureFlags);
    decompile_with.compiler = compiler_->name();
    return {};
  }

  const Options& options_;
  JobStream& stream_;
  Tally& tally_;
  std::unique_ptr<Compiler> compiler_;
  bool complained_ = false;
};

// Reads the two files of a mode that compares files. Returns nullopt, after an error message, if that fails.
std::optional<std::vector<CodeTree>> read_both(const Options& options, Outcome& outcome) {
  std::vector<CodeTree> trees;
  for (const std::string& path : options.paths) {
    Result<CodeTree> tree = read_tree(path, options);
    if (!tree.ok()) {
      const JobError error = reading_error(tree.error());
      complain("depyfc: " + one_line(path) + ": " + one_line(error.what));
      outcome = {error.fault == Fault::kBadInput, error.fault == Fault::kFailed};
      return std::nullopt;
    }
    trees.push_back(*std::move(tree));
  }
  if (trees[0].version == trees[1].version) return trees;
  complain("depyfc: " + one_line(options.paths[1]) + ": wanted a file of CPython " + name_of(trees[0].version) +
           " like the first, found " + name_of(trees[1].version));
  outcome.bad_input = true;
  return std::nullopt;
}

// Prints the output of a mode.
Outcome print_output(const std::string& text) {
  const Status written = write_stdout(text);
  if (!written.ok()) complain("depyfc: standard output: " + written.error().what);
  return {false, !written.ok()};
}

}  // namespace

Outcome run_jobs(const Options& options) {
  JobStream stream(options);
  Tally tally;
  std::vector<std::thread> helpers;
  for (unsigned i = 1; i < options.jobs && options.mode != Mode::kPrint; ++i) {
    try {
      helpers.emplace_back([&] { Worker(options, stream, tally).run(); });
    } catch (const std::system_error&) {
      break;  // continue with fewer threads
    }
  }
  Worker(options, stream, tally).run();
  for (std::thread& helper : helpers) helper.join();
  return {tally.bad_input, tally.failed};
}

Outcome run_verify(const Options& options) {
  Outcome outcome;
  const auto trees = read_both(options, outcome);
  if (!trees) return outcome;
  const Result<std::vector<Verdict>> verdicts = verify((*trees)[0], (*trees)[1], Limits{});
  if (!verdicts.ok()) {
    const JobError error = stage_error(verdicts.error());
    complain("depyfc: " + one_line(options.paths[0]) + ": " + one_line(error.what));
    return {error.fault == Fault::kBadInput, error.fault == Fault::kFailed};
  }
  std::string text;
  for (const Verdict& verdict : *verdicts) text += verdict_line((*trees)[0], verdict) + "\n";
  return print_output(text);
}

Outcome run_infer_opcodes(const Options& options) {
  Outcome outcome;
  const auto trees = read_both(options, outcome);
  if (!trees) return outcome;
  const auto numbers = infer_opcodes((*trees)[0], (*trees)[1]);
  if (numbers.ok()) return print_output(json_of(*numbers));
  complain("depyfc: " + one_line(options.paths[1]) + ": " + one_line(numbers.error().what));
  return {true, false};
}

}  // namespace depyf::cli
