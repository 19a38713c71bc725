// SPDX-License-Identifier: MIT
// Live code objects of the host interpreter become depyf::CodeTree.
//
// Invariant: reads documented Python attributes only (and `_varname_from_oparg`, which `dis` itself uses), never a
// private C structure; the thread must be attached to the interpreter; no Python object is kept alive but those in
// Converted. It decides how an opaque constant is shown (see naming.h for the words) and decompiles nothing.
#pragma once

#include <nanobind/nanobind.h>

#include <unordered_map>
#include <vector>

#include "depyf/code.h"
#include "depyf/limits.h"
#include "depyf/result.h"

namespace depyf::bind {

namespace nb = nanobind;

// The objects that ConstOpaque::handle counts. One table may serve several conversions: an object met again (by
// identity) keeps its handle and display, which is how a recompiled code object is compared with the original.
struct OpaqueTable {
  struct Row {
    nb::object object;
    std::string display;
    bool is_expression = false;
  };
  std::vector<Row> rows;
  std::unordered_map<PyObject*, std::uint32_t> by_identity;
};

struct Converted {
  CodeTree tree;
  std::vector<nb::object> codes;  // codes[i] is the live object of CodeId{i}
};

[[nodiscard]] Result<Converted> convert_code(nb::handle code, const Limits& limits, OpaqueTable& opaque);

// The release of the interpreter that runs this module.
[[nodiscard]] Version host_version();

// Whether it is a code object, or a function written in Python. (The stable ABI has no names for these types.)
[[nodiscard]] bool is_code(nb::handle object);
[[nodiscard]] bool is_function(nb::handle object);

// UTF-8 with lone surrogates kept ("surrogatepass"), the core's form of text, and back.
[[nodiscard]] std::string text_of(nb::handle str);
[[nodiscard]] nb::object str_of(std::string_view text);

}  // namespace depyf::bind
