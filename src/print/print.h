// SPDX-License-Identifier: MIT
// The printer, the only producer of source text: turns a block of statements into Python source for one version, with
// its source map.
//
// Invariant: if the tree is well formed, the text compiles in the target version and parses back to an equal tree. The
// printer takes care of precedence, quotes, nested f-strings, and limits on digits and nesting. The result depends only
// on the arguments.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ast/ast.h"
#include "ast/spelling.h"
#include "bytecode/dialect.h"
#include "depyf/decompile.h"

namespace depyf {

struct Printed {
  std::string text;
  std::vector<MapEntry> map;  // in text order; a node's entry comes before those of its children
  std::set<CodeId> codes;     // code objects that the text uses as values
};
// The line numbers of code objects that call for the layout of their source. By CodeId, then by code unit (offset / 2):
// the line in the source, or -1.
using SourceLines = std::map<CodeId, std::vector<std::int32_t>>;

struct PrintOptions {
  std::uint32_t indent = 4;
  std::uint32_t first_line = 1;
  std::vector<std::string> code_names;  // by CodeId: placeholders of code objects used as values
  std::string_view mode = "exec";       // for compile(); see depyf/mode.h
  std::uint32_t width = 120;            // in bytes, as the map's columns; longer lines are broken where possible
  const ast::Spellings* spellings = nullptr;
  const SourceLines* lines = nullptr;
};

[[nodiscard]] Result<Printed> print(const CodeTree& code, const ast::Tree& tree, const ast::Block& body,
                                    const Dialect& dialect, const PrintOptions& options);
// Prints a single expression, as for guards, annotations and messages.
[[nodiscard]] Result<std::string> print_expr(const CodeTree& code, const ast::Tree& tree, ast::ExprId expr,
                                             const Dialect& dialect);

// Returns the text for an opaque constant: its display if that is a dotted name or an expression, otherwise a
// placeholder that must be bound to the object before the text is compiled (OpaqueBinding::name).
[[nodiscard]] std::string opaque_text(const ConstOpaque& constant);

}  // namespace depyf
