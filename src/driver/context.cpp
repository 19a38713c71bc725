// SPDX-License-Identifier: MIT
// The recompile context and the verdicts; see context.h.
#include "driver/context.h"

#include "verify/compare.h"

namespace depyf {

namespace {

// Returns the outermost code object of that name other than the root; the last one if there are several.
CodeId outermost_named(const CodeTree& tree, const std::string& name) {
  CodeId found;
  std::size_t least_depth = tree.codes.size();
  for (std::uint32_t i = 0; i < tree.codes.size(); ++i) {
    std::size_t depth = 0;
    for (CodeId p = tree.codes[CodeId{i}].parent; p.valid(); p = tree.codes[p].parent) ++depth;
    if (tree.codes[CodeId{i}].name != name || depth == 0 || depth > least_depth) continue;
    found = CodeId{i};
    least_depth = depth;
  }
  return found;
}

}  // namespace

RecompileContext context_of(const CodeTree& tree) {
  RecompileContext out;
  const auto& co = tree.codes[tree.root()];
  out.free_variables = co.freevars;
  out.future_flags = co.flags & kCoFutureFlags;
  for (std::uint32_t i = 0; i < tree.consts.size(); ++i)
    if (const auto* o = std::get_if<ConstOpaque>(&tree.consts[ConstId{i}]);
        o != nullptr && o->container == ConstOpaque::Container::kNone)
      out.opaque.push_back({o->display, o->handle, {}});
  return out;
}

bool is_nested_function(const CodeObject& root) {
  return (root.flags & kCoOptimized) != 0 && (!root.freevars.empty() || (root.flags & kCoNested) != 0);
}

bool needs_outer_function(const CodeTree& tree, const DecompileOptions& options) {
  return options.recompiler && !options.recompiler_surrounds && is_nested_function(tree.codes[tree.root()]);
}

Status judge(const CodeTree& tree, const DecompileOptions& options, const RecompiledText& recompiled, Decompiled& out) {
  if (!options.recompiler) {
    for (std::uint32_t i = 0; i < tree.codes.size(); ++i)
      out.verdicts.push_back({CodeId{i}, VerdictKind::kUnchecked, "no compiler at hand", 0xFFFFFFFF});
    return Unit{};
  }
  const auto& root = tree.codes[tree.root()];
  const bool function = (root.flags & kCoOptimized) != 0;
  const bool alone = function && options.recompiler_surrounds;  // the recompiler returns the function's own code object
  auto compiled = options.recompiler(recompiled.enclosed_text.empty() ? out.text : recompiled.enclosed_text);
  const auto mark_unproved = [&](const std::string& reason) {
    for (std::uint32_t i = 0; i < tree.codes.size(); ++i)
      out.verdicts.push_back({CodeId{i}, VerdictKind::kUnproved, reason, 0xFFFFFFFF});
  };
  if (!compiled) {
    mark_unproved("the text does not compile: " + compiled.error().what);
    return Unit{};
  }
  if (function) {
    const CodeId function_code = alone ? compiled->root() : outermost_named(*compiled, recompiled.root_name);
    if (!function_code.valid()) {
      mark_unproved("the text holds no function of that name");
      return Unit{};
    }
    equivalence::Comparer comparer(tree, *compiled, options.limits);
    out.verdicts = comparer.compare_trees(tree.root(), function_code, {true});
    return Unit{};
  }
  DEPYF_TRY(verdicts, verify(tree, *compiled, options.limits));
  out.verdicts = std::move(verdicts);
  return Unit{};
}

}  // namespace depyf
