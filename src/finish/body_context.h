// SPDX-License-Identifier: MIT
// What the parts of finish_body share: body.cpp gives the form, declarations.cpp tells scopes, stubs.cpp what only dead code
// tells; lazy_imports.cpp finds these a place.
#pragma once

#include "finish/body.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode/operations.h"
#include "cfg/cleared_cells.h"

namespace depyf::finish {

struct BodyContext {
  BodyContext(lift::Unit& u, CodeId id, const Bytecode& instructions, const VariableAccesses& variables)
      : unit(u), code(id), co(u.code.codes[id]), bytecode(instructions), accesses(variables), out(u.bodies[id.n]) {
    operations_.add(bytecode.code);
  }

  // Whether the code has an instruction of one of these kinds.
  template <class... Ops>
  [[nodiscard]] bool has(Ops... ops) const {
    return operations_.any(ops...);
  }
  [[nodiscard]] ast::StmtId stmt(ast::StmtNode n) const { return unit.ast.stmt(std::move(n), {code, 0}); }
  [[nodiscard]] const ast::StmtNode& node(ast::StmtId s) const { return unit.ast.stmts[s].node; }
  [[nodiscard]] const ast::ExprNode& node(ast::ExprId e) const { return unit.ast.exprs[e].node; }
  [[nodiscard]] ast::ExprId expr(ast::ExprNode n) const { return unit.ast.expr(std::move(n), {code, 0}); }
  [[nodiscard]] ast::ExprId literal(std::int64_t value) const { return expr(ast::IntLiteral{value}); }
  [[nodiscard]] ast::StmtId never(ast::Block dead) const { return stmt(ast::If{literal(0), std::move(dead), {}}); }
  [[nodiscard]] ast::NameId unmangled(std::string_view text) const { return unit.unmangled(code, text); }
  [[nodiscard]] ast::NameId local(std::size_t i) const {
    const auto& names = local_names(co);
    return unmangled(i < names.size() ? std::string_view(names[i]) : std::string_view("arg"));
  }

  lift::Unit& unit;
  CodeId code;
  const CodeObject& co;
  const Bytecode& bytecode;
  const VariableAccesses& accesses;
  lift::Body& out;

 private:
  Operations operations_;
};

// ---- declarations.cpp
// `global x` anywhere makes x explicitly global in the module too (analyze_name in Python/symtable.c): there the
// statement is wanted only if none of what the module holds has it.
void scopes(BodyContext& ctx, ast::Block& b);
[[nodiscard]] bool is_comprehension(std::string_view name);
[[nodiscard]] bool uses_free(const BodyContext& ctx, std::size_t k);
// What a code object does with its slots outside of inlined comprehensions; nothing if it has none of these.
[[nodiscard]] std::optional<SlotUses> outside_comprehensions(const BodyContext& ctx, CodeId code);
// A module's docstring and its imports from __future__ must stay first.
[[nodiscard]] std::ptrdiff_t opening(const BodyContext& ctx, const ast::Block& b);
// Whether a function around the body has a variable of that name.
[[nodiscard]] bool enclosing_has(const BodyContext& ctx, const std::string& name);

// ---- lazy_imports.cpp
// Gives each lazy import that a try statement of module `b` holds to exec().
void execute_lazy_imports(BodyContext& ctx, const ast::Block& b);

// ---- stubs.cpp
// A local that only unreachable code stores is local all the same, and so is a cell: reading it is an UnboundLocalError.
void local_stub(BodyContext& ctx, ast::Block& b);
// The cell of a module or class belongs to a comprehension, which may be unreachable (3.12+).
void cells_stub(BodyContext& ctx, ast::Block& b);
// The namespace of a class has a cell for what may look names up in it, which may be unreachable: type parameters, values of
// type aliases (3.12+), annotations (3.14+; those of attributes, items and names in brackets have no code). So has the class
// itself, for `super()`.
void namespace_stub(BodyContext& ctx, ast::Block& b);
// A module or class whose every annotation was unreachable has its dict of them all the same.
void annotations_stub(BodyContext& ctx, ast::Block& b);
// A generator whose every yield was unreachable is one all the same.
void generator_stub(BodyContext& ctx, ast::Block& b);
// A name that a class body has stored in unreachable code alone is still none of the functions around it.
void class_stub(BodyContext& ctx, ast::Block& b);
// What a body whose names are seen from outside calls a variable of ours is gone at its end.
void delete_temporaries(BodyContext& ctx, ast::Block& b);

}  // namespace depyf::finish
