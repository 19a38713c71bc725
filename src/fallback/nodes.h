// SPDX-License-Identifier: MIT
// Makes the syntax nodes (Nodes) and names (Names) of a dispatch loop; the facts that all its arms share (Shared).
//
// Generated names, after the prefix: `pc` the state; `s<depth>` a stack slot; `e<level>` the exception that the except
// clause of a level handles; `x`, `c`, `t` an exception to be raised in another clause, its context and traceback;
// `end` a sentinel; `m<depth>`, `x<depth>` a context manager and its __exit__; `w<level>` the state after a `with`.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ast/constants.h"
#include "cfg/cfg.h"
#include "lift/lift.h"

namespace depyf::fallback {

using ast::Block;
using ast::ExprId;
using ast::ExprIds;
using ast::NameId;
using ast::StmtId;

struct Shared {                        // the facts that all arms of one code object share
  bool real_withs = false;             // `with` statements are written as such
  bool matches_groups = false;         // there is an except* statement
  std::uint32_t group_levels = 0;      // up to this level, a group that except* matched has an except clause
  std::set<std::string> globals;       // names that LOAD_GLOBAL and its like look up
  std::set<std::string> class_names;   // names that a class body loads from or stores in its namespace
  std::set<std::string> hidden;        // locals of inlined comprehensions that need another name: it denotes another
                                       // variable in the function or in one within it
  std::set<std::string> used_outside;  // those of them that are also used outside such comprehensions
  std::map<std::uint32_t, Op> early_reads;  // by offset: the operation that reads; see find_early_reads()
  std::vector<NameId> temps;                // generated variables; class bodies and modules delete them in the end
  std::vector<ast::TypeParam> type_params;  // made so far
  bool annotates = false;                   // an annotated statement was emitted
  bool wants_annotations = false;           // the code has SETUP_ANNOTATIONS
  std::vector<std::pair<std::uint32_t, std::string>> qualnames;  // of functions not made yet, by code (<= 3.10)
};

class Nodes {
 public:
  Nodes(lift::Unit& of, CodeId id) : unit(of), code(id), co(of.code.codes[id]), origin{id, 0} {}

  // ---- expressions
  ExprId make(ast::ExprNode node) { return unit.ast.expr(std::move(node), origin); }
  ExprId name(NameId id) { return make(ast::Name{id}); }
  ExprId none() { return make(ast::NoneLiteral{}); }
  ExprId number(std::int64_t n) { return make(ast::IntLiteral{n}); }
  ExprId text(std::string_view s) { return make(ast::StrLiteral{std::string(s)}); }
  ExprId constant(ConstId id) { return make(ast::ConstantExpr{id}); }
  // Written as `not 0` or `not 1`, which the compiler folds: no constant of the code object need be True or False.
  ExprId boolean(bool value) { return make(ast::UnaryOp{ast::UnaryOperator::kNot, number(value ? 0 : 1)}); }
  ExprId is(ExprId a, ExprId b) { return make(ast::Compare{a, {ast::CompareOperator::kIs}, {b}}); }
  ExprId is_not(ExprId a, ExprId b) { return make(ast::Compare{a, {ast::CompareOperator::kIsNot}, {b}}); }
  ExprId select(ExprId test, ExprId yes, ExprId no) { return make(ast::IfExp{test, yes, no}); }
  ExprId starred(ExprId value) { return make(ast::Starred{value}); }
  ExprId subscript(ExprId value, ExprId key) { return make(ast::Subscript{value, key}); }
  ExprId attribute(ExprId value, std::string_view attr) { return make(ast::Attribute{value, unit.ast.intern(attr)}); }
  ExprId call(ExprId f, ExprIds args) { return make(ast::Call{f, std::move(args), {}}); }
  ExprId invoke(ExprId value, std::string_view method, ExprIds args) {
    return call(attribute(value, method), std::move(args));
  }
  // Returns the constant of the code object, of the given kind, that an expression is; null if it is none.
  template <class Kind>
  [[nodiscard]] const Kind* constant_of(ExprId e) const {
    return ast::constant_of<Kind>(unit.ast, unit.code, e);
  }

  // ---- statements
  StmtId stmt(ast::StmtNode node) { return unit.ast.stmt(std::move(node), origin); }
  StmtId set(ExprId target, ExprId value) { return stmt(ast::Assign{{target}, value}); }
  StmtId set(NameId target, ExprId value) { return set(name(target), value); }
  StmtId when(ExprId test, Block body, Block orelse = {}) {
    return stmt(ast::If{test, std::move(body), std::move(orelse)});
  }
  StmtId evaluate(ExprId value) { return stmt(ast::ExprStmt{value}); }
  StmtId raise(ExprId exception = {}) { return stmt(ast::Raise{exception, {}}); }

  lift::Unit& unit;
  const CodeId code;
  const CodeObject& co;
  ast::Origin origin;
};

// Makes names: those of the code object, and generated ones.
class Names : public Nodes {
 public:
  Names(lift::Unit& of, CodeId id, Shared& all) : Nodes(of, id), shared(all) {}

  NameId intern(std::string_view s) { return unit.ast.intern(s); }
  NameId gen_name(std::string_view suffix) { return intern(unit.options.temp_prefix + std::string(suffix)); }
  NameId temp(std::string_view suffix);  // the same, and records it in Shared::temps
  ExprId var(std::string_view suffix) { return name(temp(suffix)); }
  NameId slot(std::size_t depth) { return temp("s" + std::to_string(depth)); }
  NameId slot_name(std::size_t depth) { return gen_name("s" + std::to_string(depth)); }
  NameId exception(std::uint32_t level) { return gen_name("e" + std::to_string(level)); }
  [[nodiscard]] NameId unmangle(std::string_view spelt) const { return unit.unmangled(code, spelt); }
  ExprId builtin(std::string_view function);  // by its name, or from_builtins() if some code shadows that
  // Reads the function from the `builtins` module, because the code may rebind the global name while it runs.
  ExprId from_builtins(std::string_view function) { return attribute(var("builtins"), function); }
  ExprId builtin_call(std::string_view function, ExprIds args) { return call(builtin(function), std::move(args)); }
  [[nodiscard]] bool is_function() const { return (co.flags & kCoOptimized) != 0; }

  Shared& shared;
};

}  // namespace depyf::fallback
