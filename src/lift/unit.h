// SPDX-License-Identifier: MIT
// What the code objects of one tree share while they are decompiled, and the finished text of each.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bytecode/dialect.h"
#include "bytecode/positions.h"
#include "depyf/decompile.h"
#include "dynamo/resume_arguments.h"
#include "lift/sizes.h"
#include "lift/state.h"

namespace depyf::lift {

// The finished text of one code object, used where the parent makes the function.
struct Body {
  bool ready = false;
  ast::Arguments args;
  ast::Block block;
  ExprId expr;                           // what a lambda or an evaluator returns, if it does nothing else
  std::optional<FunctionValue> generic;  // 3.12+: what a scope of type parameters makes, if it does nothing else
  std::optional<ast::Comprehension>
      comprehension;  // <listcomp> and its like; generators[0].iter is filled by the caller
  std::optional<ConstId> docstring;
  bool is_evaluator = false;  // 3.12+: of a bound, default or alias
  bool is_async = false;
  bool is_on_first_line = false;  // of the function, and nothing: no column tells `pass` from `...`
};

// What the decompilation of one tree shares.
struct Unit {
  const CodeTree& code;
  const Dialect& dialect;
  ast::Tree& ast;
  const DecompileOptions& options;
  std::vector<Body> bodies;              // by CodeId
  std::vector<std::string> class_names;  // by CodeId: enclosing class for name mangling, empty if none
  std::uint32_t temps = 0;
  bool too_deep = false;                     // a form of the code object at hand nested deeper than source may
  std::string refusal;                       // why the code object at hand has no structured form, empty if it has one
  std::set<std::uint32_t> assertion_errors;  // ExprIds made by LOAD_ASSERTION_ERROR
  std::set<std::uint32_t> displays{};        // ExprIds of what 3.8 unpacks into a display that is no list of arguments
  std::vector<dynamo::ResumeArgument> resume_arguments{};  // by local variable of the code object at hand
  std::map<std::string, bool, std::less<>> shadowed{};     // builtins, and whether some code gives them another meaning
  std::unordered_map<std::uint32_t, CodeId> annotates{};   // by CodeId (classes, modules): its __annotate__ function
  std::unordered_map<std::uint32_t, ExprId> starred{};     // by ExprId: what an annotation or a default unpacks
  std::unordered_map<std::uint32_t, FunctionValue> generics{};  // by StmtId: what a scope of type parameters made
  std::unordered_map<std::uint32_t, std::set<std::string>> comprehension_names{};  // by CodeId: names that its inlined
                                                                                   // comprehensions alone use
  Sizes sizes{};
  SourcePositions positions{};   // of the code object at hand
  std::uint64_t most_nodes = 0;  // of all text of the code object at hand: in proportion to its code

  // What the text of a code object says for a name: in a class the compiler stores `__x` as `_Class__x` (_Py_Mangle in
  // Python/symtable.c); `.0`, `.format` and their like are no identifiers.
  [[nodiscard]] NameId unmangled(CodeId of, std::string_view text) const;

  // The message of a `raise` that says what an `assert` does, an invalid one if it has none; nothing if it is none.
  [[nodiscard]] std::optional<ExprId> asserted(const ast::StmtNode& statement) const;

  // A variable of ours that no other line has.
  [[nodiscard]] NameId fresh_temp() { return ast.intern(options.temp_prefix + std::to_string(++temps)); }

  // What the text calls `.0`, the argument of a comprehension's function, where it must name it.
  [[nodiscard]] NameId argument_name() const { return ast.intern(options.temp_prefix + "arg0"); }

  // The starred form of a value in a place where it may be starred.
  [[nodiscard]] ExprId with_star(ExprId e) {
    const auto it = starred.find(e.n);
    return it != starred.end() ? ast.expr(ast::Starred{it->second}, ast.exprs[e].origin) : e;
  }

  // Of a function or a class under `from __future__ import annotations` an annotation is a string that holds its source.
  [[nodiscard]] ExprId annotation_of_text(ExprId e);

  // 3.15: the item of `*x for ... in ...`, which the compiler gives no name (codegen_comprehension).
  [[nodiscard]] NameId item_name() const { return ast.intern(options.temp_prefix + "item"); }

  // A variable of ours: nothing but our own stores changes it.
  [[nodiscard]] bool is_temp(ExprId e) const {
    const auto* n = std::get_if<ast::Name>(&ast.exprs[e].node);
    return n != nullptr && ast.text(n->id).starts_with(options.temp_prefix);
  }
};

// A constant as an expression.
[[nodiscard]] ExprId constant_expr(Unit& unit, ConstId value, ast::Origin origin);

// A code object that a constant of the tree holds, as an expression.
[[nodiscard]] ExprId code_expr(Unit& unit, CodeId code, ast::Origin origin);

// Whether a function runs in a namespace that it is given, as the body of a class does: no `def` makes such a function.
[[nodiscard]] inline bool takes_namespace(const CodeObject& co) { return (co.flags & kCoOptimized) == 0; }

// Whether all that a function has is its code and its globals: no function in it takes a cell.
[[nodiscard]] bool has_no_cells(const CodeTree& tree, CodeId code);

// Whether some code object has a variable, global or attribute of this name: it may hide the builtin of that name.
[[nodiscard]] bool names_anything(const CodeTree& tree, std::string_view name);
// The body of a comprehension's function that stays a function: where its items come from.
void stay_function(Unit& unit, CodeId code);

}  // namespace depyf::lift
