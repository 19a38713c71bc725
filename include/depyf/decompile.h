// SPDX-License-Identifier: MIT
// The public entry points of the decompiler: from a tree of code objects to text, source map and verdicts.
//
// All functions are pure and thread-safe: they use no globals and do no I/O. Every failure is an Error with a position.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "depyf/code.h"
#include "depyf/limits.h"
#include "depyf/result.h"

namespace depyf {

struct SourceRange {  // lines from 1, columns from 0 in bytes of UTF-8; the end is exclusive
  std::uint32_t line = 0, column = 0, end_line = 0, end_column = 0;
};
struct MapEntry {
  CodeId code;
  std::uint32_t offset = 0;  // byte offset of the instruction in co_code
  SourceRange range;
};

// What is known about the text of one code object.
enum class VerdictKind : std::uint8_t {
  kExact,      // recompiles to the same canonical graph
  kProved,     // the translation validator showed the same observable behaviour
  kUnproved,   // neither; see `reason` and `offset`
  kUnchecked,  // no compiler of that version is available
};
struct Verdict {
  CodeId code;
  VerdictKind kind = VerdictKind::kUnchecked;
  std::string reason;
  std::uint32_t offset = 0xFFFFFFFF;
};

// Compiles a text as a module with the compiler of the target version. If the root of the tree is a function, it may
// instead compile the text within the context that it needs (RecompileContext) and return the function's own code
// object.
using Recompiler = std::function<Result<CodeTree>(std::string_view text)>;

// A pass of the pipeline, as named in DecompileOptions::skip.
struct PassInfo {
  struct Prerequisite {
    std::string_view pass, why;
  };
  std::string_view name, sentence;
  std::string_view inverts;                    // the function of CPython's compiler whose work it undoes; empty if none
  std::array<Prerequisite, 2> needs_before{};  // passes that must run before it; unused: empty names
};

// Returns all passes, in order of execution.
[[nodiscard]] std::vector<PassInfo> passes();

// Fails with kMalformed if a name is none of those in passes(). The message has the wrong name and the known ones.
[[nodiscard]] Status check_pass_names(std::span<const std::string> names);

struct DecompileOptions {
  bool readable = true;           // false: the literal form, without scalar replacement
  std::vector<std::string> skip;  // names of passes to leave out ("structure": dispatch loops only)
  bool validate_passes = false;   // check the graph after each pass; kInternal names the pass that broke it
  Limits limits;
  std::function<bool()> interrupted;  // called every fraction of a second; true makes decompile() fail
  Recompiler recompiler;              // if empty, verdicts are kUnchecked
  bool recompiler_surrounds = false;  // the recompiler compiles the text within its context, see Recompiler
  std::string compiler;               // its name, for messages ("CPython 3.11.7")
  std::uint32_t indent = 4;
  std::string temp_prefix = "tmp_";
  std::string function_name;  // if not empty, the name of the root function in the text
  // By CodeId: the text for a code object that is used as a value. If empty, the text has names of its own, which it
  // defines with compile().
  std::vector<std::string> code_names;
};

// What a function, class body or comprehension needs in order to be recompiled on its own.
struct OpaqueBinding {
  std::string name;          // the placeholder in the text
  std::uint32_t handle = 0;  // ConstOpaque::handle
  CodeId code{};             // if valid, the placeholder is for this code object of the tree instead
};
struct RecompileContext {
  std::vector<std::string> free_variables;
  std::string class_name;  // the enclosing class, for name mangling; empty if none
  std::vector<std::string> imports;
  std::uint32_t future_flags = 0;
  std::vector<OpaqueBinding> opaque;
};

// A code object without a text: it is malformed or exceeds a limit.
struct Failure {
  CodeId code;
  Error error;
};

struct Decompiled {
  std::string text;  // a module, or a `def` if the root is a function
  // Code objects below the root that could not be decompiled: instead of the body, the text has a `raise` with the
  // reason.
  std::vector<Failure> failures;
  std::vector<MapEntry> map;
  std::vector<Verdict> verdicts;  // one per code object, in CodeId order
  RecompileContext context;
};

[[nodiscard]] Result<Decompiled> decompile(const CodeTree& tree, const DecompileOptions& options);

// Compares two trees of the same version, code object by code object. Verdicts have the ids of `a`, in CodeId order;
// code objects that cannot be reached from the root have none.
[[nodiscard]] Result<std::vector<Verdict>> verify(const CodeTree& a, const CodeTree& b, const Limits& limits);

// Reads a .pyc file of any CPython 3.8-3.15, with any invalidation mode.
[[nodiscard]] Result<CodeTree> read_pyc(std::span<const std::byte> bytes, const Limits& limits);
// Reads a marshalled code object, such as the part of a .pyc file after its header.
[[nodiscard]] Result<CodeTree> read_marshal(std::span<const std::byte> bytes, Version version, const Limits& limits);

// Prints the result of one stage: "bytecode", "cfg", "fresh", "deopt", "lift", "structure" or "finish".
[[nodiscard]] Result<std::string> dump_stage(const CodeTree& tree, std::string_view stage,
                                             const DecompileOptions& options);

}  // namespace depyf
