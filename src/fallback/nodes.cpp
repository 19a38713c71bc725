// SPDX-License-Identifier: MIT
// Makes names of builtins that are not shadowed, and records generated variables; see nodes.h.
#include "fallback/nodes.h"

#include <algorithm>

namespace depyf::fallback {

namespace {

bool binds_name(Op op) {
  return op == Op::STORE_NAME || op == Op::STORE_GLOBAL || op == Op::DELETE_NAME || op == Op::DELETE_GLOBAL;
}

// Returns whether any code object of the tree binds the name of a builtin, so that it may denote something else.
bool is_shadowed(const lift::Unit& unit, std::string_view function) {
  const auto& hidden = unit.code.hidden_builtins;
  if (std::ranges::find(hidden, function) != hidden.end()) return true;
  for (std::uint32_t i = 0; i < unit.code.codes.size(); ++i) {
    const auto& co = unit.code.codes[CodeId{i}];
    const auto has = [&](const std::vector<std::string>& names) {
      return std::ranges::find(names, function) != names.end();
    };
    if (has(co.varnames) || has(co.cellvars) || has(co.freevars)) return true;
    if (!has(co.names)) continue;
    const auto bytecode = decode(unit.code, CodeId{i}, unit.options.limits);
    if (!bytecode.ok()) return true;
    for (const auto& insn : bytecode->code)
      if ((binds_name(insn.op) && co.names[insn.arg] == function) || insn.op == Op::IMPORT_STAR) return true;
  }
  return false;
}

}  // namespace

ExprId Names::builtin(std::string_view function) {
  auto known = unit.shadowed.find(function);
  if (known == unit.shadowed.end()) known = unit.shadowed.emplace(function, is_shadowed(unit, function)).first;
  return known->second ? from_builtins(function) : name(intern(function));
}

NameId Names::temp(std::string_view suffix) {
  const NameId id = gen_name(suffix);
  if (std::ranges::find(shared.temps, id) == shared.temps.end()) shared.temps.push_back(id);
  return id;
}

}  // namespace depyf::fallback
