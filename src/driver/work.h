// SPDX-License-Identifier: MIT
// The state that the driver's stages share while they decompile one tree, and the steps for single code objects.
//
// Invariant: a Work belongs to one call of decompile() or dump_stage(); nothing in it outlives that call.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode/dialect.h"
#include "bytecode/instruction.h"
#include "depyf/decompile.h"
#include "idiom/expressions.h"
#include "lift/lift.h"
#include "print/print.h"

namespace depyf::driver {

struct Work {
  const CodeTree& tree;
  DecompileOptions options;
  Dialect dialect;
  ast::Tree ast;
  lift::Unit unit;
  idiom::ExpressionWriter expressions{tree, ast, dialect};
  SourceLines lines;
  std::string_view mode = "exec";  // of compile()
  bool checks_nesting = false;     // print the body of each code object to check its nesting
  bool checks_text = false;        // print it after all passes too; not if a name is replaced later
  std::string_view dumped_stage;   // "deopt", "lift": write the graph of this stage to `graph_dump`
  std::string graph_dump;
  std::optional<Error> broken;  // the invalid graph that a pass left
  std::string enclosed_text;    // the text for the recompiler; empty: the same text
  std::string root_name;        // if the root is a function: its name in the text
  std::set<std::string> used_names;
  std::vector<Failure> failures;
  std::vector<Verdict> value_verdicts;    // of code objects used as values, from the texts that create them
  std::vector<std::uint64_t> code_bytes;  // by CodeId: size of co_code, with that of its children
  std::vector<std::uint64_t> text_size;   // by CodeId: instructions in its text, repeated ones included

  Work(const CodeTree& t, const DecompileOptions& o)
      : tree(t), options(o), dialect(dialect_of(t.version)), unit{t, dialect, ast, options, {}, {}, 0, {}, {}, {}} {
    while (has_prefix(options.temp_prefix)) options.temp_prefix.insert(0, "_");
    code_bytes.resize(tree.codes.size());
    text_size.resize(tree.codes.size());
    for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
      const auto own = tree.codes[CodeId{i}].code.size();
      for (CodeId p{i}; p.valid(); p = tree.codes[p].parent) code_bytes[p.n] += own;
    }
  }

  // Returns whether a name in the program starts with the prefix, which depyf's variables must not collide with.
  [[nodiscard]] bool has_prefix(std::string_view prefix) const {
    for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
      const auto& c = tree.codes[CodeId{i}];
      for (const auto* names : {&c.names, &c.varnames, &c.cellvars, &c.freevars})
        for (const auto& n : *names)
          if (n.starts_with(prefix)) return true;
    }
    return false;
  }

  // Adds the names in co_names that are not only attributes; all of them if the code cannot be decoded.
  void add_global_names(CodeId code) {
    const auto& names = tree.codes[code].names;
    const auto bytecode = decode(tree, code, options.limits);
    if (!bytecode) used_names.insert(names.begin(), names.end());
    for (std::size_t i = 0; bytecode && i < bytecode->code.size(); ++i) {
      const auto& insn = bytecode->code[i];
      const bool is_attribute = insn.op == Op::LOAD_ATTR || insn.op == Op::LOAD_METHOD || insn.op == Op::STORE_ATTR ||
                                insn.op == Op::DELETE_ATTR;
      if (arg_kind(insn.op) == ArgKind::Name && !is_attribute && insn.arg < names.size())
        used_names.insert(names[insn.arg]);
    }
  }

  // Returns the names of variables of the program and of depyf; collects them in the first call.
  std::set<std::string>& names() {
    if (!used_names.empty()) return used_names;
    for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
      const auto& c = tree.codes[CodeId{i}];
      for (const auto* list : {&c.varnames, &c.cellvars, &c.freevars}) used_names.insert(list->begin(), list->end());
      add_global_names(CodeId{i});
    }
    used_names.insert(options.code_names.begin(), options.code_names.end());
    for (std::uint32_t i = 0; i < tree.consts.size(); ++i)
      if (const auto* o = std::get_if<ConstOpaque>(&tree.consts[ConstId{i}]))
        used_names.insert(o->display.substr(0, o->display.find('.')));
    return used_names;
  }

  [[nodiscard]] bool skips(std::string_view pass) const {
    return !options.skip.empty() && std::find(options.skip.begin(), options.skip.end(), pass) != options.skip.end();
  }
};

[[nodiscard]] Status check_interrupted(const Work& w);

// Fills `w.unit.bodies[code]`. Its children must have been decompiled before.
[[nodiscard]] Status decompile_code(Work& w, CodeId code);

// Returns the code objects, children before parents, siblings in code order.
[[nodiscard]] std::vector<CodeId> bottom_up(const CodeTree& tree);

// Returns, by CodeId, the class whose body encloses the code object, as name mangling sees it.
[[nodiscard]] std::vector<std::string> mangling_classes(const CodeTree& tree);

}  // namespace depyf::driver
