// SPDX-License-Identifier: MIT
// What finish_body does: body.cpp gives the form, declarations.cpp tells scopes, stubs.cpp what only dead code tells.
#pragma once

#include "ast/own_names.h"
#include "finish/body.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace depyf::finish {

class Finisher {
 public:
  Finisher(lift::Unit& unit, CodeId code, const Bytecode& bytecode, const VariableAccesses& accesses)
      : unit_(unit),
        code_(code),
        co_(unit.code.codes[code]),
        bytecode_(bytecode),
        accesses_(accesses),
        out_(unit.bodies[code.n]) {
    for (const Instruction& i : bytecode.code) has_[static_cast<std::size_t>(i.op)] = true;
  }

  void run(ast::Block block);

 private:
  // Whether the code has an instruction of one of these kinds.
  template <class... Ops>
  [[nodiscard]] bool has(Ops... ops) const {
    return (has_[static_cast<std::size_t>(ops)] || ...);
  }
  ast::StmtId stmt(ast::StmtNode n) { return unit_.ast.stmt(std::move(n), {code_, 0}); }
  const ast::StmtNode& node(ast::StmtId s) const { return unit_.ast.stmts[s].node; }
  const ast::ExprNode& node(ast::ExprId e) const { return unit_.ast.exprs[e].node; }
  ast::ExprId literal(std::int64_t value) { return unit_.ast.expr(ast::IntLiteral{value}, {code_, 0}); }

  // body.cpp
  [[nodiscard]] ast::NameId local(std::size_t i) const;
  void arguments();
  // `assert False` compiles to no test (codegen_assert in Python/codegen.c), but to its own way to say AssertionError.
  void assert_always(const ast::Block& block);
  [[nodiscard]] bool is_none(ast::ExprId e) const;
  // Removes `return None` wherever falling off the end does the same.
  void trim_return(ast::Block& b, bool function, bool nested = false);
  // Whether it may be a function that gives the value of a bound, a default or an alias; who makes it knows.
  [[nodiscard]] bool evaluates() const;
  // 3.14+: if .format > 2: raise NotImplementedError; return value
  [[nodiscard]] ast::ExprId evaluated(const ast::Block& b) const;
  // One statement, and what it makes is returned.
  [[nodiscard]] std::optional<lift::FunctionValue> made(const ast::Block& b) const;
  // An expression of the free variables that nothing uses.
  ast::ExprId unused_free();
  // The value, and beside it, never evaluated, what is free and only code that cannot be reached uses.
  ast::ExprId with_unused_free(ast::ExprId value);
  void make_comprehension(ast::Block block);
  void docstring();
  [[nodiscard]] std::string_view assigned_name(ast::StmtId s, ast::ExprId& value) const;
  // What the compiler adds at the end of a class body, each name once.
  void trim_class_epilogue(ast::Block& b, std::size_t first);
  // The statements that the compiler adds to a class body, and a module's or class's docstring.
  void class_or_module(ast::Block& b);
  // Where no `return` gives a value, none says None; in an asynchronous generator none may.
  void bare_returns(const ast::Block& b);
  [[nodiscard]] static bool is_comprehension(std::string_view name);

  // declarations.cpp
  struct Stored {
    std::string name;
    bool global = false;  // else a cell's
  };
  [[nodiscard]] ast::NameId unmangled(std::string_view text) const { return unit_.unmangled(code_, text); }
  // `global x` anywhere makes x explicitly global in the module too (analyze_name in Python/symtable.c): there the
  // statement is wanted only if none of what the module holds has it.
  void scopes(ast::Block& b);
  // The target of a walrus in a comprehension belongs to the function around it: what that one is told to be global or
  // nonlocal, the comprehension stores so (symtable_extend_namedexpr_scope in Python/symtable.c).
  [[nodiscard]] std::vector<Stored> stored_by_comprehensions() const;
  void stored_by(CodeId code, std::vector<Stored>& out) const;
  // Free variables of a function that nothing reached in it uses: `nonlocal x` and no more. Only those that a function
  // around it is seen to bind, as the text must compile.
  [[nodiscard]] std::vector<std::string> unused_nonlocals() const;
  [[nodiscard]] bool uses_free(std::size_t k) const;
  // The name alone makes __class__ free (symtable_visit_expr in Python/symtable.c).
  [[nodiscard]] bool reads_super() const;
  // What an inlined comprehension stores may be free in the function around it: the parameter that it hides.
  [[nodiscard]] bool is_type_parameter(std::string_view name) const;
  [[nodiscard]] bool bound_outside(const std::string& name) const;
  // A module's docstring and its imports from __future__ must stay first.
  [[nodiscard]] std::ptrdiff_t opening(const ast::Block& b) const;
  [[nodiscard]] bool uses_namespace(std::uint32_t name) const;
  [[nodiscard]] bool is_enclosed() const;
  [[nodiscard]] bool enclosing_has(const std::string& name) const;

  // stubs.cpp
  struct Cell {
    ast::NameId name;
    bool stored = false;  // somewhere, or given as an argument
    bool shared = false;  // an inner function gets it
  };
  // Variables that inner functions share, of which the code that is left does not tell.
  std::vector<Cell> cells_in_doubt(std::size_t arguments, const ast::Block& b);
  // What functions, classes, lambdas and comprehensions of the block mention.
  [[nodiscard]] ast::NameSet mentioned_inside(const ast::Block& b) const;
  // Whether the code reads or stores a global of that name.
  [[nodiscard]] bool is_global(const std::string& name) const;
  // A local that only unreachable code stores is local all the same, and so is a cell: reading it is an UnboundLocalError.
  void local_stub(ast::Block& b);
  // A module or class whose every annotation was unreachable has its dict of them all the same.
  void annotations_stub(ast::Block& b);
  // A generator whose every yield was unreachable is one all the same.
  void generator_stub(ast::Block& b);
  // A name that a class body has stored in unreachable code alone is still none of the functions around it.
  void class_stub(ast::Block& b);
  // What a body whose names are seen from outside calls a variable of ours is gone at its end.
  void delete_temporaries(ast::Block& b);

  lift::Unit& unit_;
  CodeId code_;
  const CodeObject& co_;
  const Bytecode& bytecode_;
  const VariableAccesses& accesses_;
  lift::Body& out_;
  std::array<bool, 256> has_{};  // by Op
};

}  // namespace depyf::finish
