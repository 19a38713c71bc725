// SPDX-License-Identifier: MIT
// The only producer of text: a block of statements becomes Python source for one version, with its source map.
//
// Invariant: the text compiles in the target version whenever the tree is well formed (precedence, quoting, nesting of
// quotes in f-strings, digit limits, statements on one line), and parses back to an equal tree. Deterministic; no input
// but the arguments.
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
  std::vector<MapEntry> map;  // in text order; inner nodes after the node that holds them
  std::set<CodeId> codes;     // those that the text names as values
};
// By CodeId, of code that counts instructions, which depend on lines: by code unit, the line in the source, or -1.
using SourceLines = std::map<CodeId, std::vector<std::int32_t>>;

struct PrintOptions {
  std::uint32_t indent = 4;
  std::uint32_t first_line = 1;
  std::vector<std::string> code_names;  // by CodeId: placeholders of code objects that are used as values
  std::string_view mode =
      "exec";                 // of compile(): the text names another one; in "single" simple statements share a line
  std::uint32_t width = 120;  // in bytes, as the map's columns: a longer line is broken where that is possible
  const ast::Spellings* spellings = nullptr;
  const SourceLines* lines = nullptr;
};

[[nodiscard]] Result<Printed> print(const CodeTree& code, const ast::Tree& tree, const ast::Block& body,
                                    const Dialect& dialect, const PrintOptions& options);
// One expression alone (guards, annotations, messages).
[[nodiscard]] Result<std::string> print_expr(const CodeTree& code, const ast::Tree& tree, ast::ExprId expr,
                                             const Dialect& dialect);

// The text that represents an opaque constant: its display, if that is a dotted name or an expression; else a
// placeholder that whoever compiles the text must bind to the object (OpaqueBinding::name).
[[nodiscard]] std::string opaque_text(const ConstOpaque& constant);

}  // namespace depyf
