// SPDX-License-Identifier: MIT
// Prints the result of one stage, for `depyfc --stop-after` and tests.
#include "cfg/dump.h"
#include "cfg/lenient.h"
#include "driver/work.h"
#include "dynamo/scalar_replacement/scalar_replacement.h"

namespace depyf {

using namespace driver;

namespace {

// Returns the dotted path in the module: "C.f" for method f of class C.
std::string path_of(const CodeTree& tree, CodeId code) {
  std::string path = tree.codes[code].name;
  for (CodeId p = tree.codes[code].parent; p.valid() && tree.codes[p].parent.valid(); p = tree.codes[p].parent)
    path = tree.codes[p].name + "." + path;
  return path;
}

}  // namespace

Result<std::string> dump_stage(const CodeTree& tree, std::string_view stage, const DecompileOptions& options) {
  DEPYF_CHECK(check_pass_names(options.skip));
  DEPYF_CHECK(validate(tree));
  const Dialect dialect = dialect_of(tree.version);
  std::string out;
  if (stage == "finish") {
    DecompileOptions plain = options;
    plain.skip.insert(plain.skip.end(), {"guard-clauses", "source-layout", "readable-expressions", "name-temporaries"});
    DEPYF_TRY(decompiled, decompile(tree, plain));
    return std::move(decompiled.text);
  }
  // structure: one line per code object, with the rule that refused it if it has no structure
  if (stage == "structure" || stage == "deopt" || stage == "lift") {
    Work w(tree, options);
    w.dumped_stage = stage;
    w.unit.bodies.resize(tree.codes.size());
    w.unit.class_names = mangling_classes(tree);
    for (CodeId code : bottom_up(tree)) {
      DEPYF_CHECK(decompile_code(w, code));
      const auto& why = w.unit.refusal;
      out += w.graph_dump;
      w.graph_dump.clear();
      out += path_of(tree, code) + ": " + (why.empty() ? "structured" : "dispatch loop (" + why + ")") + "\n";
    }
    return out;
  }
  for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
    const CodeId code{i};
    DEPYF_TRY(bytecode, decode(tree, code, options.limits));
    out += "== " + tree.codes[code].name + "\n";
    if (stage == "bytecode") {
      for (const auto& insn : bytecode.code) {
        out += std::to_string(insn.offset) + " " + std::string(op_name(insn.op)) + " " + std::to_string(insn.arg);
        if (insn.target != kNoTarget) out += " -> " + std::to_string(bytecode.code[insn.target].offset);
        out += "\n";
      }
      continue;
    }
    DEPYF_TRY(cfg, build_lenient_cfg(tree, code, bytecode, dialect, options.limits));
    if (stage == "cfg") {
      out += dump(cfg);
      continue;
    }
    if (stage == "fresh") {  // the graph after scalar replacement
      Work w(tree, options);
      const auto evaluated = dynamo::replace_scalars(w.tree, code, w.dialect, cfg);
      out += evaluated ? dump(evaluated->cfg) : "nothing evaluated\n";
      continue;
    }
    return Error{
        Errc::kMalformed, kNowhere,
        "no stage named " + std::string(stage) + "; there are bytecode, cfg, fresh, deopt, lift, structure, finish"};
  }
  return out;
}

}  // namespace depyf
