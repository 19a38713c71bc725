// SPDX-License-Identifier: MIT
// Recompile context and verdicts; see context.h.
#include "driver/context.h"

#include "verify/compare.h"

namespace depyf {

namespace {

// A function alone compiles inside a function that has its free variables.
std::string in_context(const CodeTree& tree, const std::string& text) {
  const auto& co = tree.codes[tree.root()];
  std::string out;
  if (co.freevars.empty() && (co.flags & kCoNested) == 0) return text;
  out += "def __outer__():\n";
  for (const auto& v : co.freevars) out += "    " + v + " = None\n";
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find('\n', at), text.size());
    out += "    " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

CodeId last_named(const CodeTree& tree, const std::string& name) {
  CodeId found;
  for (std::uint32_t i = 0; i < tree.codes.size(); ++i)
    if (tree.codes[CodeId{i}].name == name && tree.codes[CodeId{i}].parent.valid()) found = CodeId{i};
  return found;
}

}  // namespace

RecompileContext context_of(const CodeTree& tree) {
  RecompileContext out;
  const auto& co = tree.codes[tree.root()];
  out.free_variables = co.freevars;
  out.future_flags = co.flags & 0x1FE0000U;
  for (std::uint32_t i = 0; i < tree.consts.size(); ++i)
    if (const auto* o = std::get_if<ConstOpaque>(&tree.consts[ConstId{i}]))
      out.opaque.push_back({o->display, o->handle, {}});
  return out;
}

Status judge(const CodeTree& tree, const DecompileOptions& options, Decompiled& out) {
  if (!options.recompiler) {
    for (std::uint32_t i = 0; i < tree.codes.size(); ++i)
      out.verdicts.push_back({CodeId{i}, VerdictKind::kUnchecked, "no compiler at hand", 0xFFFFFFFF});
    return Unit{};
  }
  const auto& root = tree.codes[tree.root()];
  const bool function = (root.flags & kCoOptimized) != 0;
  const bool alone = function && options.recompiler_surrounds;  // the recompiler gives the function itself
  auto compiled = options.recompiler(function && !alone ? in_context(tree, out.text) : out.text);
  const auto all = [&](const std::string& reason) {
    for (std::uint32_t i = 0; i < tree.codes.size(); ++i)
      out.verdicts.push_back({CodeId{i}, VerdictKind::kUnproved, reason, 0xFFFFFFFF});
  };
  if (!compiled) {
    all("the text does not compile: " + compiled.error().what);
    return Unit{};
  }
  if (function) {
    // the innermost function of the text's own name
    auto name = options.function_name.empty() ? root.name : options.function_name;
    const CodeId other = alone ? compiled->root() : last_named(*compiled, name);
    if (!other.valid()) {
      all("the text holds no function of that name");
      return Unit{};
    }
    equivalence::Comparer comparer(tree, *compiled, options.limits);
    out.verdicts = comparer.compare_trees(tree.root(), other, {true});
    return Unit{};
  }
  DEPYF_TRY(verdicts, verify(tree, *compiled, options.limits));
  out.verdicts = std::move(verdicts);
  return Unit{};
}

}  // namespace depyf
