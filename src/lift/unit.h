// SPDX-License-Identifier: MIT
// The state that the code objects of one tree share while they are decompiled (Unit), and the finished bodies (Body).
//
// Code objects are decompiled innermost first, so that the body of a function is finished before its parent is lifted.
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

// The finished body of one code object; the parent inserts it where it makes the function.
struct Body {
  bool ready = false;
  ast::Arguments args;
  ast::Block block;
  ExprId expr;                           // the value of a lambda or an evaluator that only returns it; else invalid
  std::optional<FunctionValue> generic;  // 3.12+: the function of a type parameter scope that does nothing but make it
  std::optional<ast::Comprehension>
      comprehension;  // of <listcomp>, <genexpr> ...; generators[0].iter is filled in at the call
  std::optional<ConstId> docstring;
  bool is_evaluator = false;  // 3.12+: evaluates a bound, a default or the value of a type alias
  bool is_async = false;
  bool is_on_first_line = false;  // the body is empty and on the line of its `def`: it was `pass` or `...`
};

// The shared state of the decompilation of one tree. "The code object at hand" is the one that is being decompiled.
struct Unit {
  const CodeTree& code;
  const Dialect& dialect;
  ast::Tree& ast;
  const DecompileOptions& options;
  std::vector<Body> bodies;              // by CodeId
  std::vector<std::string> class_names;  // by CodeId: enclosing class for name mangling, empty if none
  std::uint32_t temps = 0;
  bool too_deep = false;                     // a form of the code object at hand nested deeper than CPython compiles
  std::string refusal;                       // why the code object at hand has no structured form, empty if it has one
  std::set<std::uint32_t> assertion_errors;  // ExprIds made by LOAD_ASSERTION_ERROR
  std::set<std::uint32_t> displays{};  // ExprIds of BUILD_TUPLE_UNPACK and BUILD_MAP_UNPACK (3.8), i.e. no arguments
  std::vector<dynamo::ResumeArgument> resume_arguments{};  // by local variable of the code object at hand
  std::map<std::string, bool, std::less<>> shadowed{};     // by name of a builtin: whether some code shadows it
  std::unordered_map<std::uint32_t, CodeId> annotates{};   // by CodeId (classes, modules): its __annotate__ function
  std::unordered_map<std::uint32_t, ExprId> starred{};     // by ExprId of `(*x,)[0]` for a starred annotation: x
  std::unordered_map<std::uint32_t, FunctionValue> generics{};  // by StmtId: the function a type parameter scope made
  std::unordered_map<std::uint32_t, std::set<std::string>> comprehension_names{};  // by CodeId: names that only its
                                                                                   // inlined comprehensions use
  Sizes sizes{};
  SourcePositions positions{};  // of the code object at hand
  std::uint64_t max_nodes = 0;  // limit for all text of the code object at hand, proportional to its code

  // Converts a name of bytecode to the identifier that source has: in a class the compiler stores `__x` as `_Class__x`
  // (_Py_Mangle in Python/symtable.c), and parameters such as `.0` and `.format` are no identifiers.
  [[nodiscard]] NameId unmangled(CodeId of, std::string_view text) const;

  // If the statement raises the AssertionError of an `assert`, returns its message, or an invalid id where it has none;
  // returns nullopt for any other statement.
  [[nodiscard]] std::optional<ExprId> assert_message(const ast::StmtNode& statement) const;

  // Returns a new generated variable, which no other line uses.
  [[nodiscard]] NameId fresh_temp() { return ast.intern(options.temp_prefix + std::to_string(++temps)); }

  // Returns the name for `.0`, the argument of a comprehension's function, where the text has to name it.
  [[nodiscard]] NameId argument_name() const { return ast.intern(options.temp_prefix + "arg0"); }

  // Returns the starred form `*x` of a value `(*x,)[0]` (see `starred`), any other value as it is. For places where the
  // grammar allows a star.
  [[nodiscard]] ExprId with_star(ExprId e) {
    const auto it = starred.find(e.n);
    return it != starred.end() ? ast.expr(ast::Starred{it->second}, ast.exprs[e].origin) : e;
  }

  // Returns the source text in a string annotation as an expression. Under `from __future__ import annotations` the
  // compiler stores each annotation as a string.
  [[nodiscard]] ExprId annotation_of_text(ExprId e);

  // Returns the name for the item of `*x for ... in ...` (3.15), for which the compiler has none
  // (codegen_comprehension).
  [[nodiscard]] NameId item_name() const { return ast.intern(options.temp_prefix + "item"); }

  // Returns whether an expression is a generated variable. Only generated code assigns to it.
  [[nodiscard]] bool is_temp(ExprId e) const {
    const auto* n = std::get_if<ast::Name>(&ast.exprs[e].node);
    return n != nullptr && ast.text(n->id).starts_with(options.temp_prefix);
  }
};

// Makes the expression of a constant.
[[nodiscard]] ExprId constant_expr(Unit& unit, ConstId value, ast::Origin origin);

// Makes the expression of the first constant that holds this code object, or None if no constant does.
[[nodiscard]] ExprId code_expr(Unit& unit, CodeId code, ast::Origin origin);

// Returns whether a function runs in a namespace that its caller passes, as a class body does. A `def` cannot make one.
[[nodiscard]] inline bool takes_namespace(const CodeObject& co) { return (co.flags & kCoOptimized) == 0; }

// Returns whether neither a function nor one within it closes over a cell: code and globals suffice to make it.
[[nodiscard]] bool has_no_cells(const CodeTree& tree, CodeId code);

// Returns whether some code object has a variable, global or attribute of this name, which may shadow a builtin.
[[nodiscard]] bool is_name_used(const CodeTree& tree, std::string_view name);
// Rewrites the `for` loop over `.0` in a comprehension's function that is kept as a function; see functions.cpp.
void iterate_by_next(Unit& unit, CodeId code);

}  // namespace depyf::lift
