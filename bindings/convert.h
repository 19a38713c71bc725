// SPDX-License-Identifier: MIT
// Converts live code objects of the running interpreter to a CodeTree.
//
// Invariant: only documented Python attributes are read (and `_varname_from_oparg`, which `dis` uses), no private C
// structures. The thread must be attached to the interpreter. Only the objects in Converted are kept alive. naming.h
// chooses the names of opaque constants; nothing is decompiled here.
#pragma once

#include <nanobind/nanobind.h>

#include <unordered_map>
#include <vector>

#include "depyf/code.h"
#include "depyf/limits.h"
#include "depyf/result.h"

namespace depyf::bind {

namespace nb = nanobind;

// The objects that ConstOpaque::handle numbers. Several conversions may share a table: an object that is found again
// (by identity) keeps its handle and display, so that a recompiled code object can be compared with the original.
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

// Returns the version of the running interpreter.
[[nodiscard]] Version host_version();

// Return whether this is a code object, or a function written in Python. (The stable ABI has no names for these types.)
[[nodiscard]] bool is_code(nb::handle object);
[[nodiscard]] bool is_function(nb::handle object);

// Convert between str and the core's form of text, UTF-8 with lone surrogates kept ("surrogatepass").
[[nodiscard]] std::string text_of(nb::handle str);
[[nodiscard]] nb::object str_of(std::string_view text);

}  // namespace depyf::bind
