// SPDX-License-Identifier: MIT
// Which names a body declares global or nonlocal; see finisher.h.
#include "finish/finisher.h"

#include <algorithm>

namespace depyf::finish {

using ast::ExprId;

void Finisher::scopes(ast::Block& b) {
  std::vector<ast::NameId> globals, nonlocals;
  const auto add = [](std::vector<ast::NameId>& v, ast::NameId n) {
    if (std::find(v.begin(), v.end(), n) == v.end()) v.push_back(n);
  };
  const auto cells = co_.localsplus.empty() ? co_.cellvars.size() : 0;
  const auto add_free = [&](std::uint32_t variable) {
    if (co_.localsplus.empty() && !unit_.dialect.exception_table) {
      if (variable >= cells) add(nonlocals, unmangled(co_.freevars[variable - cells]));
    } else if ((co_.localspluskinds[variable] & 0x80U) != 0) {
      add(nonlocals, unmangled(co_.localsplus[variable]));
    }
  };
  const bool shadowed = has(Op::LOAD_GLOBAL) && is_enclosed();
  if (shadowed || has(Op::STORE_GLOBAL, Op::DELETE_GLOBAL, Op::STORE_DEREF, Op::DELETE_DEREF))
    for (const auto& i : bytecode_.code) {
      if (i.op == Op::STORE_GLOBAL || i.op == Op::DELETE_GLOBAL) add(globals, unmangled(co_.names[i.arg]));
      if (i.op == Op::STORE_DEREF || i.op == Op::DELETE_DEREF) add_free(i.arg);
      // a global read where an enclosing function has a local of that name
      if (shadowed && i.op == Op::LOAD_GLOBAL && enclosing_has(co_.names[i.arg]) && !uses_namespace(i.arg))
        add(globals, unmangled(co_.names[i.arg]));
    }
  if ((co_.flags & kCoOptimized) != 0)
    for (const auto& [name, global] : stored_by_comprehensions()) {
      const auto& free = co_.freevars;
      if (global)
        add(globals, unmangled(name));
      else if (std::find(free.begin(), free.end(), name) != free.end())
        add(nonlocals, unmangled(name));
    }
  for (const auto& name : unused_nonlocals()) add(nonlocals, unmangled(name));
  std::erase_if(nonlocals, [&](ast::NameId n) { return is_type_parameter(unit_.ast.text(n)); });
  if (!co_.parent.valid() && (co_.flags & kCoOptimized) == 0)
    std::erase_if(globals, [&](ast::NameId n) { return unit_.declared_globals.contains(n.n); });
  for (const auto n : globals) unit_.declared_globals.insert(n.n);
  ast::Block head;
  if (!globals.empty()) head.push_back(stmt(ast::Global{globals}));
  if (!nonlocals.empty()) head.push_back(stmt(ast::Nonlocal{nonlocals}));
  const auto at = co_.parent.valid() || (co_.flags & kCoOptimized) != 0 ? b.begin() : b.begin() + opening(b);
  b.insert(at, head.begin(), head.end());
}

std::vector<Finisher::Stored> Finisher::stored_by_comprehensions() const {
  std::vector<Stored> out;
  std::vector<CodeId> todo{code_};
  while (!todo.empty()) {
    const CodeId at = todo.back();
    todo.pop_back();
    for (const ConstId k : unit_.code.codes[at].consts) {
      const auto* child = std::get_if<ConstCode>(&unit_.code.consts[k]);
      if (child == nullptr || !is_comprehension(unit_.code.codes[child->code].name)) continue;
      todo.push_back(child->code);
      stored_by(child->code, out);
    }
  }
  return out;
}

void Finisher::stored_by(CodeId code, std::vector<Stored>& out) const {
  const auto& co = unit_.code.codes[code];
  const auto read = decode(unit_.code, code, unit_.options.limits);
  if (!read) return;
  for (const auto& i : read->code) {
    if (i.op == Op::STORE_GLOBAL) out.push_back({co.names[i.arg], true});
    if (i.op != Op::STORE_DEREF) continue;
    if (!co.localsplus.empty())
      out.push_back({co.localsplus[i.arg], false});
    else
      out.push_back({i.arg < co.cellvars.size() ? co.cellvars[i.arg] : co.freevars[i.arg - co.cellvars.size()], false});
  }
}

std::vector<std::string> Finisher::unused_nonlocals() const {
  std::vector<std::string> out;
  if ((co_.flags & kCoOptimized) == 0 || co_.name.starts_with('<')) return out;
  for (std::size_t k = 0; k < co_.freevars.size(); ++k) {
    const auto& name = co_.freevars[k];
    if (name.starts_with('.') || (name.starts_with("__") && name.ends_with("__") && name != "__class__")) continue;
    if (!uses_free(k) && bound_outside(name)) out.push_back(name);
  }
  return out;
}

bool Finisher::uses_free(std::size_t k) const {
  const auto index = co_.localsplus.empty() ? co_.cellvars.size() + k : co_.localsplus.size() - co_.freevars.size() + k;
  return std::any_of(accesses_.code.begin(), accesses_.code.end(), [&](const Instruction& i) {
    return i.arg == index && i.op != Op::LOAD_GLOBAL && (arg_kind(i.op) == ArgKind::Deref || !co_.localsplus.empty());
  });
}

bool Finisher::reads_super() const {
  return std::ranges::any_of(
      accesses_.code, [&](const Instruction& i) { return i.op == Op::LOAD_GLOBAL && co_.names[i.arg] == "super"; });
}

bool Finisher::is_type_parameter(std::string_view name) const {
  for (CodeId p = co_.parent; p.valid(); p = unit_.code.codes[p].parent) {
    const auto& outer = unit_.code.codes[p];
    if (std::find(outer.cellvars.begin(), outer.cellvars.end(), name) != outer.cellvars.end())
      return outer.name.starts_with("<generic parameters of ");
  }
  return false;
}

bool Finisher::bound_outside(const std::string& name) const {
  for (CodeId p = co_.parent; p.valid(); p = unit_.code.codes[p].parent) {
    const auto& outer = unit_.code.codes[p];
    // a function decompiled alone: what holds its free variables is part of the recompile context
    if (!outer.parent.valid() && (outer.flags & kCoOptimized) != 0 &&
        std::find(outer.freevars.begin(), outer.freevars.end(), name) != outer.freevars.end())
      return name != "__class__" || !reads_super();
    const auto it = std::find(outer.cellvars.begin(), outer.cellvars.end(), name);
    if ((outer.flags & kCoOptimized) == 0 || it == outer.cellvars.end()) continue;
    if (outer.name.starts_with('<')) return false;
    const auto arguments = std::min<std::size_t>(outer.argcount + outer.kwonlyargcount, outer.varnames.size());
    for (std::size_t i = 0; i < arguments; ++i)
      if (outer.varnames[i] == name) return true;
    const auto plus = std::find(outer.localsplus.begin(), outer.localsplus.end(), name);
    const auto index = outer.localsplus.empty() ? it - outer.cellvars.begin() : plus - outer.localsplus.begin();
    const auto code = decode(unit_.code, p, unit_.options.limits);
    return code && std::any_of(code->code.begin(), code->code.end(), [&](const Instruction& i) {
             return i.op == Op::STORE_DEREF && static_cast<std::ptrdiff_t>(i.arg) == index;
           });
  }
  return false;
}

std::ptrdiff_t Finisher::opening(const ast::Block& b) const {
  std::ptrdiff_t n = 0;
  for (; n < static_cast<std::ptrdiff_t>(b.size()); ++n) {
    const auto& s = node(b[static_cast<std::size_t>(n)]);
    const auto* from = std::get_if<ast::ImportFrom>(&s);
    const auto* e = std::get_if<ast::ExprStmt>(&s);
    const bool text = e != nullptr && std::holds_alternative<ast::ConstantExpr>(node(e->value));
    if (!text && (from == nullptr || from->module != "__future__")) break;
  }
  return n;
}

// Whether a class body has the name in its own namespace, which no name that it declares global is in.
bool Finisher::uses_namespace(std::uint32_t name) const {
  return std::any_of(bytecode_.code.begin(), bytecode_.code.end(), [&](const Instruction& i) {
    const bool own = i.op == Op::LOAD_NAME || i.op == Op::STORE_NAME || i.op == Op::DELETE_NAME;
    return own && i.arg == name;
  });
}

bool Finisher::is_enclosed() const {
  CodeId p = co_.parent;
  while (p.valid() && (unit_.code.codes[p].flags & kCoOptimized) == 0) p = unit_.code.codes[p].parent;
  return p.valid();
}

bool Finisher::enclosing_has(const std::string& name) const {
  for (CodeId p = co_.parent; p.valid(); p = unit_.code.codes[p].parent) {
    const auto& c = unit_.code.codes[p];
    if ((c.flags & kCoOptimized) == 0) continue;
    for (const auto* list : {&c.varnames, &c.cellvars, &c.freevars})
      if (std::find(list->begin(), list->end(), name) != list->end()) return true;
  }
  return false;
}
}  // namespace depyf::finish
