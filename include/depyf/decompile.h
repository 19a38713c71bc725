// SPDX-License-Identifier: MIT
// The public entry points of the decompiler: a tree of code objects in; text, source map and verdicts out.
//
// Pure functions: no globals, nothing printed, nothing read; safe on any thread. Every failure is an Error with a place.
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

struct SourceRange {  // lines from 1, columns from 0 in UTF-8 bytes; end exclusive
  std::uint32_t line = 0, column = 0, end_line = 0, end_column = 0;
};
struct MapEntry {
  CodeId code;
  std::uint32_t offset = 0;  // byte offset of the instruction in its co_code
  SourceRange range;
};

// What is known of the text of one code object.
enum class VerdictKind : std::uint8_t {
  kExact,      // recompiles to the same canonical graph
  kProved,     // the translation validator showed the same observable behaviour
  kUnproved,   // neither; `reason` and `offset` say where
  kUnchecked,  // no compiler of that version at hand
};
struct Verdict {
  CodeId code;
  VerdictKind kind = VerdictKind::kUnchecked;
  std::string reason;
  std::uint32_t offset = 0xFFFFFFFF;
};

// Compiles a whole text as a module with the target version's own compiler. When the root of the tree is a function, it
// may instead put the text into its surroundings (RecompileContext) itself and give the function's own code object.
using Recompiler = std::function<Result<CodeTree>(std::string_view text)>;

// One pass of the pipeline, as `skip` names it.
struct PassInfo {
  struct Prerequisite {
    std::string_view pass, why;
  };
  std::string_view name, sentence;
  std::string_view inverts;                    // the function of CPython's compiler whose work it undoes; empty: none
  std::array<Prerequisite, 2> needs_before{};  // passes that must have run, with the reason; unused: empty names
};

// Every pass, in order of execution.
[[nodiscard]] std::vector<PassInfo> passes();

// kMalformed with the wrong name, and where the right ones are listed, if a name is none of passes().
[[nodiscard]] Status check_pass_names(std::span<const std::string> names);

struct DecompileOptions {
  bool readable = true;           // false: the literal form, nothing evaluated away
  std::vector<std::string> skip;  // names of passes to leave out ("structure": everything through the dispatch loop)
  bool validate_passes = false;   // check the graph after each pass; kInternal names the pass that broke it
  Limits limits;
  std::function<bool()> interrupted;  // asked between steps that take a fraction of a second; true: an error follows
  Recompiler recompiler;              // empty: verdicts are kUnchecked
  bool recompiler_surrounds = false;  // the recompiler does the latter
  std::string compiler;               // its name, for messages ("CPython 3.11.7")
  std::uint32_t indent = 4;
  std::string temp_prefix = "tmp_";
  std::string function_name;  // not empty: the root function's name in the text
  std::vector<std::string>
      code_names;  // by CodeId: the text of a code object used as a value; empty: made up, and defined in
                   // the text by compile()
};

// What a function, class body or comprehension taken alone needs in order to compile as itself.
struct OpaqueBinding {
  std::string name;          // the placeholder in the text
  std::uint32_t handle = 0;  // ConstOpaque::handle
  CodeId code{};             // valid: a code object of the tree instead
};
struct RecompileContext {
  std::vector<std::string> free_variables;
  std::string class_name;  // of the enclosing class, for name mangling; empty if none
  std::vector<std::string> imports;
  std::uint32_t future_flags = 0;
  std::vector<OpaqueBinding> opaque;
};

// A code object that has no text of its own: it contradicts itself, or passes a limit.
struct Failure {
  CodeId code;
  Error error;
};

struct Decompiled {
  std::string text;  // a module; or, when the root is a function, its `def`
  // Code objects inside the root whose bodies are missing from the text: in place of each is a `raise` that says why.
  std::vector<Failure> failures;
  std::vector<MapEntry> map;
  std::vector<Verdict> verdicts;  // one a code object, in CodeId order
  RecompileContext context;
};

[[nodiscard]] Result<Decompiled> decompile(const CodeTree& tree, const DecompileOptions& options);

// Compares two trees of one version code object by code object (ids of `a`, in CodeId order; the reachable ones).
[[nodiscard]] Result<std::vector<Verdict>> verify(const CodeTree& a, const CodeTree& b, const Limits& limits);

// Reads a .pyc file (any of CPython 3.8-3.15, with any invalidation mode).
[[nodiscard]] Result<CodeTree> read_pyc(std::span<const std::byte> bytes, const Limits& limits);
// Reads a marshalled code object (what follows a .pyc header).
[[nodiscard]] Result<CodeTree> read_marshal(std::span<const std::byte> bytes, Version version, const Limits& limits);

// One stage's result as text: "bytecode", "cfg", "fresh", "deopt", "lift", "structure", "finish".
[[nodiscard]] Result<std::string> dump_stage(const CodeTree& tree, std::string_view stage,
                                             const DecompileOptions& options);

}  // namespace depyf
