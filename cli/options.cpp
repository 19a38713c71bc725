// SPDX-License-Identifier: MIT
// The command line of depyfc; see options.h.
#include "options.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>

#include "depyf/decompile.h"

namespace depyf::cli {
namespace {

constexpr unsigned kMaxJobs = 1024;
constexpr unsigned kMaxTimeoutSeconds = 86'400;

Error bad(std::string what) { return Error{Errc::kMalformed, kNowhere, std::move(what)}; }

// Splits a command line at spaces, with quotes and backslashes as in a shell. No shell is run.
Result<std::vector<std::string>> split_command(std::string_view text) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && c == ' ') {
      if (word) words.push_back(*std::exchange(word, std::nullopt));
      continue;
    }
    if (!word) word.emplace();
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      *word += text[++i];
    } else {
      *word += c;
    }
  }
  if (quote != 0) return bad("--python: wanted a closing quote in the command");
  if (word) words.push_back(*word);
  if (words.empty()) return bad("--python: wanted a command, found none");
  return words;
}

Result<unsigned> parse_count(std::string_view option, std::string_view text, unsigned max_value) {
  unsigned value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || value == 0 || value > max_value) {
    return bad(std::string(option) + ": wanted a number from 1 to " + std::to_string(max_value) + ", found '" +
               std::string(text) + "'");
  }
  return value;
}

void split_names(std::string_view text, std::vector<std::string>& out) {
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (comma != 0) out.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  Result<Options> run() {
    bool only_paths = false;
    for (next_ = 0; next_ < arguments_.size();) {
      const std::string& argument = arguments_[next_++];
      if (only_paths || argument.size() < 2 || argument[0] != '-') {
        options_.paths.push_back(argument);
      } else if (argument == "--") {
        only_paths = true;
      } else {
        DEPYF_CHECK(option(argument));
      }
    }
    DEPYF_CHECK(check_mode());
    return options_;
  }

 private:
  Status option(const std::string& argument) {
    if (argument == "-h" || argument == "--help") return set_mode(Mode::kHelp);
    if (argument == "--version") return set_mode(Mode::kVersion);
    if (argument == "--passes") return set_mode(Mode::kPasses);
    if (argument == "--validate") {
      options_.validate = true;
      return Unit{};
    }
    if (argument == "--verify") return set_mode(Mode::kVerify);
    if (argument == "--infer-opcodes") return set_mode(Mode::kInferOpcodes);
    if (argument == "--literal") {
      options_.literal = true;
      return Unit{};
    }
    if (argument == "--map") {
      options_.map = true;
      return Unit{};
    }
    if (argument == "--verdict") return set_verdict("lines");
    return option_with_value(argument);
  }

  Status option_with_value(const std::string& argument) {
    // Short options may include their value ("-j4"); long ones take it after "=" or from the next argument.
    const bool is_long = argument.starts_with("--");
    const std::size_t name_end = is_long ? std::min(argument.find('='), argument.size()) : 2;
    const std::string name = argument.substr(0, name_end);
    constexpr std::string_view kKnown[] = {"-o",        "-j",       "--list",           "--stop-after",
                                           "--skip",    "--python", "--python-timeout", "--verdict",
                                           "--marshal", "--opcodes"};
    if (std::find(std::begin(kKnown), std::end(kKnown), name) == std::end(kKnown)) {
      return bad("unknown option '" + argument + "': wanted one that --help lists");
    }
    std::string value;
    if (name_end < argument.size()) {
      value = argument.substr(name_end + (is_long ? 1 : 0));
    } else if (next_ < arguments_.size()) {
      value = arguments_[next_++];
    } else {
      return bad(name + ": wanted a value, found none");
    }
    return set(name, value);
  }

  Status set_marshal(const std::string& value) {
    unsigned minor = 0;
    const char* end = value.data() + value.size();
    const bool is_three = value.starts_with("3.");
    const auto read = std::from_chars(value.data() + (is_three ? 2 : 0), end, minor);
    if (!is_three || read.ec != std::errc{} || read.ptr != end || minor < kFirstVersion.minor ||
        minor > kLastVersion.minor)
      return bad("--marshal: wanted a version of CPython, 3.8 to 3.15, found '" + value + "'");
    options_.marshal = Version{3, static_cast<std::uint8_t>(minor)};
    return Unit{};
  }

  Status set(const std::string& name, const std::string& value) {
    if (value.empty()) return bad(name + ": wanted a value, found an empty one");
    if (name == "-o") {
      options_.out_dir = value;
      return set_mode(Mode::kFolder);
    }
    if (name == "--list") {
      options_.paths.push_back(value);
      return set_mode(Mode::kList);
    }
    if (name == "--stop-after") return set_stage(value);
    if (name == "--verdict") return set_verdict(value);
    if (name == "--marshal") return set_marshal(value);
    if (name == "--opcodes") {
      options_.opcodes_file = value;
      return Unit{};
    }
    if (name == "--skip") {
      split_names(value, options_.skip);
      if (const Status known = check_pass_names(options_.skip); !known.ok())
        return bad("--skip: " + known.error().what);
    } else if (name == "--python") {
      DEPYF_TRY(command, split_command(value));
      options_.python = std::move(command);
    } else if (name == "-j") {
      DEPYF_TRY(jobs, parse_count(name, value, kMaxJobs));
      options_.jobs = jobs;
    } else {
      DEPYF_TRY(seconds, parse_count(name, value, kMaxTimeoutSeconds));
      options_.python_timeout = std::chrono::seconds(seconds);
    }
    return Unit{};
  }

  Status set_stage(const std::string& value) {
    constexpr std::string_view kStages[] = {"code", "bytecode", "cfg", "fresh", "deopt", "lift", "structure", "finish"};
    if (std::find(std::begin(kStages), std::end(kStages), value) == std::end(kStages)) {
      return bad("--stop-after: wanted code, bytecode, cfg, fresh, deopt, lift, structure or finish, found '" + value +
                 "'");
    }
    options_.stop_after = value;
    return Unit{};
  }

  Status set_verdict(const std::string& value) {
    if (value != "lines" && value != "comments")
      return bad("--verdict: wanted lines or comments, found '" + value + "'");
    options_.verdict = value == "lines" ? VerdictStyle::kLines : VerdictStyle::kComments;
    return Unit{};
  }

  Status set_mode(Mode mode) {
    if (mode == Mode::kHelp || mode == Mode::kVersion || mode == Mode::kPasses) {
      options_.mode = mode;
      is_final_ = true;
    } else if (!is_final_) {
      if (is_chosen_ && options_.mode != mode)
        return bad("wanted one of -o, --list, --verify and --infer-opcodes, found two");
      options_.mode = mode;
      is_chosen_ = true;
    }
    return Unit{};
  }

  Status check_mode() const {
    const std::size_t n = options_.paths.size();
    switch (options_.mode) {
      case Mode::kHelp:
      case Mode::kVersion:
      case Mode::kPasses: return Unit{};
      case Mode::kPrint:
        if (n == 0) return bad("wanted a .pyc file, found no argument");
        if (n > 1) return bad("wanted -o DIR for more than one file");
        return Unit{};
      case Mode::kFolder:
        if (n == 0) return bad("-o: wanted files or folders to decompile, found none");
        if (std::ranges::count(options_.paths, "-") != 0)
          return bad("-o: wanted files or folders, found standard input, which has no name");
        return Unit{};
      case Mode::kList:
        if (n > 1) return bad("--list: wanted no files beside the list, found '" + options_.paths.back() + "'");
        return Unit{};
      case Mode::kVerify:
        if (n != 2) return bad("--verify: wanted two .pyc files, found " + std::to_string(n));
        return Unit{};
      case Mode::kInferOpcodes:
        if (n != 2) return bad("--infer-opcodes: wanted two .pyc files, found " + std::to_string(n));
        return Unit{};
    }
    return Unit{};
  }

  const std::vector<std::string>& arguments_;
  std::size_t next_ = 0;
  Options options_;
  bool is_chosen_ = false;
  bool is_final_ = false;
};

}  // namespace

Result<Options> parse_options(const std::vector<std::string>& arguments) { return Parser(arguments).run(); }

const char* usage() {
  return R"(Usage: depyfc FILE.pyc                     print the source of a .pyc file of CPython 3.8-3.15
                                           ("-": standard input)
       depyfc -o DIR PATH...               write the sources of files and folders to DIR
       depyfc --list FILE                  decompile the files listed as "PYC<TAB>OUT", one a line
                                           ("-": standard input)
       depyfc --verify A.pyc B.pyc         compare two files, code object by code object
       depyfc --infer-opcodes KNOWN.pyc ALTERED.pyc
                                           print the opcode numbers of a modified CPython, inferred
                                           from one module compiled by CPython and by it

Options:
  -j N                    decompile N files in parallel
  --python CMD            a CPython of the same version, which recompiles each text for its verdict
  --python-timeout SEC    time limit of each recompilation, in seconds (60)
  --verdict[=STYLE]       print the verdict of each code object: "lines" on standard error (the
                          default), or "comments" at the end of the text
  --map                   append a source map as comments: for each instruction its code object,
                          offset, and first and last LINE:COLUMN in the text (columns in bytes,
                          counted from 0; the last one is exclusive)
  --marshal X.Y           the files are marshalled code of CPython X.Y without the header of a .pyc,
                          as bundlers store it, or with a header that CPython does not write
  --opcodes FILE          the files are from a modified CPython with the opcode numbers in FILE:
                          a JSON object from its json.dumps(opcode.opmap), or from --infer-opcodes
  --literal               keep the lists through which PyTorch's compiler passes values
  --skip PASS[,PASS...]   skip passes ("structure": every function becomes a dispatch loop)
  --passes                list the passes, one a line: name and purpose
  --validate              check the graph after each pass; an invalid one is an internal error
  --stop-after STAGE      print an intermediate form: code, bytecode, cfg (the control-flow graph),
                          fresh (after scalar replacement), deopt (after the optimizations of
                          CPython's compiler were inverted), lift (statements), structure (whether
                          each code object is structured), finish (the text before the passes for
                          readability)
  -h, --help              print this help and exit
  --version               print the version and exit

Folders are searched for .pyc files, with their subfolders; FILE.pyc becomes FILE.py at the same
relative path. Output files are written whole or not at all.
Exit status: 0 success, whatever the verdicts; 1 valid input could not be handled; 2 bad input.
)";
}

}  // namespace depyf::cli
