// SPDX-License-Identifier: MIT
// The state that the parts of finish_body() share: body.cpp finishes the statements, declarations.cpp adds
// declarations, stubs.cpp adds dead code that preserves what unreachable code decided, lazy_imports.cpp moves lazy
// imports out of `try`.
#pragma once

#include "finish/body.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode/operations.h"
#include "cfg/cleared_cells.h"
#include "code/fast_locals.h"

namespace depyf::finish {

struct BodyContext {
  BodyContext(lift::Unit& u, CodeId id, const Bytecode& instructions, const VariableAccesses& variables)
      : unit(u), code(id), co(u.code.codes[id]), bytecode(instructions), accesses(variables), out(u.bodies[id.n]) {
    operations_.add(bytecode.code);
  }

  // Returns whether the code has an instruction with one of these operations.
  template <class... Ops>
  [[nodiscard]] bool has(Ops... ops) const {
    return operations_.any(ops...);
  }
  [[nodiscard]] ast::StmtId stmt(ast::StmtNode n) const { return unit.ast.stmt(std::move(n), {code, 0}); }
  [[nodiscard]] const ast::StmtNode& node(ast::StmtId s) const { return unit.ast.stmts[s].node; }
  [[nodiscard]] const ast::ExprNode& node(ast::ExprId e) const { return unit.ast.exprs[e].node; }
  [[nodiscard]] ast::ExprId expr(ast::ExprNode n) const { return unit.ast.expr(std::move(n), {code, 0}); }
  [[nodiscard]] ast::ExprId literal(std::int64_t value) const { return expr(ast::IntLiteral{value}); }
  [[nodiscard]] ast::StmtId if_false(ast::Block dead) const { return stmt(ast::If{literal(0), std::move(dead), {}}); }
  [[nodiscard]] ast::NameId unmangled(std::string_view text) const { return unit.unmangled(code, text); }
  [[nodiscard]] ast::NameId local(std::size_t i) const {
    const auto& names = local_names(co);
    return unmangled(i < names.size() ? std::string_view(names[i]) : std::string_view("arg"));
  }

  // The names of the variables that the instructions for cells index: from 3.11 on, those of all fast locals.
  [[nodiscard]] const std::vector<std::string>& cell_slots() const {
    return co.localsplus.empty() ? co.cellvars : co.localsplus;
  }
  [[nodiscard]] bool is_cell(std::size_t slot) const {
    return co.localsplus.empty() || is_of_kind(co, slot, kFastCell);
  }
  [[nodiscard]] bool has_free_variable(std::string_view name) const {
    return std::ranges::find(co.freevars, name) != co.freevars.end();
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
// Inserts the `global` and `nonlocal` statements of the body. `global x` anywhere makes x explicitly global in the
// module too (analyze_name in Python/symtable.c), so a module declares a name only if nothing inside it does.
void add_declarations(BodyContext& ctx, ast::Block& b);
[[nodiscard]] bool is_comprehension(std::string_view name);
[[nodiscard]] bool uses_free_variable(const BodyContext& ctx, std::size_t k);
// Returns how the code uses its slots outside of inlined comprehensions; nullopt if it contains none of these.
[[nodiscard]] std::optional<SlotUses> outside_comprehensions(const BodyContext& ctx, CodeId code);
// Returns the number of statements that must stay first: a module's docstring and its imports from __future__.
[[nodiscard]] std::ptrdiff_t prologue_length(const BodyContext& ctx, const ast::Block& b);
// Returns whether a function or scope of type parameters around `code` has a variable of that name.
[[nodiscard]] bool enclosing_function_has(const BodyContext& ctx, CodeId code, const std::string& name);

// ---- lazy_imports.cpp
// Replaces each lazy import within a `try` statement of module `b` by a call of exec().
void execute_lazy_imports(BodyContext& ctx, const ast::Block& b);

// ---- stubs.cpp
// Adds `if 0: x = None` for locals and cells that only unreachable code stores: they are local all the same, and
// reading one raises UnboundLocalError.
void add_local_stub(BodyContext& ctx, ast::Block& b);
// Adds a dead comprehension for each cell of a module or class whose comprehension is unreachable (3.12+).
void add_cells_stub(BodyContext& ctx, ast::Block& b);
// Adds dead code for the cells that a class keeps for inner scopes, if all of these are unreachable: `__classdict__`
// for type parameters, values of type aliases (3.12+) and annotations (3.14+; those of attributes, items and names in
// brackets have no code), `__class__` for `super()`.
void add_namespace_stub(BodyContext& ctx, ast::Block& b);
// Adds a dead annotation to a module or class that has an `__annotations__` dict but only unreachable annotations.
void add_annotations_stub(BodyContext& ctx, ast::Block& b);
// Adds a dead `yield` to a generator whose every `yield` is unreachable.
void add_generator_stub(BodyContext& ctx, ast::Block& b);
// Adds dead stores for names that only unreachable code of a class stores: the class, and the annotations and type
// parameters in it, do not read the variables of that name of functions and type parameters around them.
void add_class_stub(BodyContext& ctx, ast::Block& b);
// Deletes depyf's own variables at the end of a body whose namespace is visible from outside.
void delete_temporaries(BodyContext& ctx, ast::Block& b);

}  // namespace depyf::finish
