// SPDX-License-Identifier: MIT
// What the stages of the driver share while one tree is decompiled, and the steps on single code objects.
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
  std::string_view mode = "exec";  // of compile(), which the text is for
  bool checks_nesting = false;     // whether what has been written can be printed, of each code object
  bool checks_text = false;        // whether it can be printed at all; names that source cannot say are spelt later
  std::string_view dumped;         // "deopt", "lift": the graph that this stage gives goes to `graph_dump`
  std::string graph_dump;
  std::optional<Error> broken;  // what a pass left that no graph may be
  std::string surrounded;       // the text as the recompiler needs it; empty: as it is
  std::string root_name;        // of a root that is a function: what the compiler calls it in the text
  std::set<std::string> in_use;
  std::vector<Failure> failures;
  std::vector<Verdict> value_verdicts;     // of code objects that are values, by the texts that make them
  std::vector<std::uint64_t> bytes_below;  // by CodeId: of code, its own and that of what it holds
  std::vector<std::uint64_t>
      text_size;  // by CodeId: instructions that its text says, repeated as often as it repeats them

  Work(const CodeTree& t, const DecompileOptions& o)
      : tree(t), options(o), dialect(dialect_of(t.version)), unit{t, dialect, ast, options, {}, {}, 0, {}, {}, {}} {
    while (taken(options.temp_prefix)) options.temp_prefix.insert(0, "_");
    bytes_below.resize(tree.codes.size());
    text_size.resize(tree.codes.size());
    for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
      const auto own = tree.codes[CodeId{i}].code.size();
      for (CodeId p{i}; p.valid(); p = tree.codes[p].parent) bytes_below[p.n] += own;
    }
  }

  // Our variables must not meet the program's: no name of any code object may start like them.
  [[nodiscard]] bool taken(std::string_view prefix) const {
    for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
      const auto& c = tree.codes[CodeId{i}];
      for (const auto* names : {&c.names, &c.varnames, &c.cellvars, &c.freevars})
        for (const auto& n : *names)
          if (n.starts_with(prefix)) return true;
    }
    return false;
  }

  // Those of co_names that are not names of attributes alone; all of them where the code cannot be read.
  void add_global_names(CodeId code) {
    const auto& names = tree.codes[code].names;
    const auto bytecode = decode(tree, code, options.limits);
    if (!bytecode) in_use.insert(names.begin(), names.end());
    for (std::size_t i = 0; bytecode && i < bytecode->code.size(); ++i) {
      const auto& insn = bytecode->code[i];
      const bool is_attribute = insn.op == Op::LOAD_ATTR || insn.op == Op::LOAD_METHOD || insn.op == Op::STORE_ATTR ||
                                insn.op == Op::DELETE_ATTR;
      if (arg_kind(insn.op) == ArgKind::Name && !is_attribute && insn.arg < names.size())
        in_use.insert(names[insn.arg]);
    }
  }

  // Names of variables in use, by the program or already given to variables of ours; built when first asked for.
  std::set<std::string>& names() {
    if (!in_use.empty()) return in_use;
    for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
      const auto& c = tree.codes[CodeId{i}];
      for (const auto* list : {&c.varnames, &c.cellvars, &c.freevars}) in_use.insert(list->begin(), list->end());
      add_global_names(CodeId{i});
    }
    in_use.insert(options.code_names.begin(), options.code_names.end());
    for (std::uint32_t i = 0; i < tree.consts.size(); ++i)
      if (const auto* o = std::get_if<ConstOpaque>(&tree.consts[ConstId{i}]))
        in_use.insert(o->display.substr(0, o->display.find('.')));
    return in_use;
  }

  [[nodiscard]] bool skips(std::string_view pass) const {
    return !options.skip.empty() && std::find(options.skip.begin(), options.skip.end(), pass) != options.skip.end();
  }
};

[[nodiscard]] Status check_interrupted(const Work& w);

// Makes `w.unit.bodies[code]`; what the code object holds must have been made before.
[[nodiscard]] Status decompile_code(Work& w, CodeId code);

// Children before parents, siblings in code order.
[[nodiscard]] std::vector<CodeId> bottom_up(const CodeTree& tree);

// By CodeId: the class whose body encloses a code object, as name mangling sees it.
[[nodiscard]] std::vector<std::string> mangling_classes(const CodeTree& tree);

}  // namespace depyf::driver
