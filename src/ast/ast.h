// SPDX-License-Identifier: MIT
// Python's abstract syntax as closed variants in arenas: the union of the grammars of 3.8-3.15, named as in `ast`.
//
// Invariant: the only text in the tree is names and literals that no code object has; constants are ids into the
// CodeTree. `origin` is the instruction that a node stands for in the source map. Nodes are added, rarely changed and
// never removed; references to them remain valid.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bytecode/instruction.h"
#include "depyf/code.h"
#include "depyf/ids.h"
#include "support/boxed.h"
#include "support/small_vector.h"
#include "support/stable_arena.h"

namespace depyf::ast {

struct ExprTag;
using ExprId = Id<ExprTag>;
struct StmtTag;
using StmtId = Id<StmtTag>;
struct PatternTag;
using PatternId = Id<PatternTag>;
struct NameTag;
using NameId = Id<NameTag>;  // interned identifier

using Block = std::vector<StmtId>;
using ExprIds = SmallVector<ExprId, 2>;

// The instruction that a node stands for: its code object and byte offset in co_code.
struct Origin {
  CodeId code;
  std::uint32_t offset = 0xFFFFFFFF;
};

enum class BoolOperator : std::uint8_t { kAnd, kOr };
enum class UnaryOperator : std::uint8_t { kInvert, kNot, kUAdd, kUSub };
enum class CompareOperator : std::uint8_t { kLt, kLtE, kEq, kNotEq, kGt, kGtE, kIs, kIsNot, kIn, kNotIn };
using depyf::BinaryOperator;

// ---- parameters
struct Parameter {
  NameId name;
  ExprId annotation;  // may be invalid
  ExprId default_;    // may be invalid
};
struct Arguments {
  std::vector<Parameter> posonly, args;
  std::optional<Parameter> vararg;
  std::vector<Parameter> kwonly;
  std::optional<Parameter> kwarg;
};
struct Keyword {
  NameId name;  // invalid: **value
  ExprId value;
};
using Keywords = SmallVector<Keyword, 1>;
struct Generator {  // one `for ... in ... if ...` of a comprehension
  ExprId target, iter;
  ExprIds ifs;
  bool is_async = false;
};
struct TypeParam {
  enum class Kind : std::uint8_t { kTypeVar, kParamSpec, kTypeVarTuple } kind = Kind::kTypeVar;
  NameId name;
  ExprId bound;     // may be invalid
  ExprId default_;  // may be invalid, 3.13+
};

// ---- expressions
struct BoolOp {
  BoolOperator op;
  ExprIds values;
};
struct NamedExpr {
  ExprId target, value;
};
struct BinOp {
  ExprId left;
  BinaryOperator op;
  ExprId right;
};
struct UnaryOp {
  UnaryOperator op;
  ExprId operand;
};
struct Lambda {
  Boxed<Arguments> args;
  ExprId body;
};
struct IfExp {
  ExprId test, body, orelse;
};
struct Dict {
  ExprIds keys, values;
};  // an invalid key is **value
struct Set {
  ExprIds elts;
};
enum class ComprehensionKind : std::uint8_t { kList, kSet, kDict, kGenerator };
struct Comprehension {
  ComprehensionKind kind;
  ExprId elt, value;
  std::vector<Generator> generators;
};  // dict: elt is the key (invalid: **value, 3.15)
struct Await {
  ExprId value;
};
struct Yield {
  ExprId value;
};  // may be invalid
struct YieldFrom {
  ExprId value;
};
struct Compare {
  ExprId left;
  SmallVector<CompareOperator, 8> ops;
  ExprIds comparators;
};
struct Call {
  ExprId func;
  ExprIds args;
  Keywords keywords;
};
struct FormattedValue {
  ExprId value;
  char conversion;
  ExprId spec;
};  // conversion 0, 's', 'r', 'a'; spec may be invalid, else JoinedStr, StrLiteral or a str Constant
struct JoinedStr {
  ExprIds values;
};  // str Constants and FormattedValues
struct Interpolation {
  ExprId value;
  Boxed<std::string> text;
  char conversion;
  ExprId spec;
};  // 3.14 t-strings; text is the exact source
struct TemplateStr {
  ExprIds values;
};
struct ConstantExpr {
  ConstId value;
};
// Constants that syntax needs although no code object has them.
struct NoneLiteral {};
struct IntLiteral {
  std::int64_t value;
};
struct StrLiteral {
  std::string text;
};
struct BytesLiteral {
  std::string data;
};
struct EllipsisLiteral {};
// Source text, printed as it is: annotations that `from __future__ import annotations` keeps as strings, and keywords.
struct Verbatim {
  std::string text;
};
struct Attribute {
  ExprId value;
  NameId attr;
};
struct Subscript {
  ExprId value, slice;
};
struct Starred {
  ExprId value;
};
struct Name {
  NameId id;
};
struct List {
  ExprIds elts;
};
struct Tuple {
  ExprIds elts;
  std::uint32_t new_lines = 0;  // bit i: element i starts a line, which keeps the store before it
};
struct Slice {
  ExprId lower, upper, step;
};  // each may be invalid

using ExprNode = std::variant<BoolOp, NamedExpr, BinOp, UnaryOp, Lambda, IfExp, Dict, Set, Comprehension, Await, Yield,
                              YieldFrom, Compare, Call, FormattedValue, JoinedStr, Interpolation, TemplateStr,
                              ConstantExpr, NoneLiteral, IntLiteral, StrLiteral, BytesLiteral, EllipsisLiteral,
                              Verbatim, Attribute, Subscript, Starred, Name, List, Tuple, Slice>;
struct Expr {
  ExprNode node;
  Origin origin;
  template <class Node>
  Expr(Node&& n, Origin o) : node(std::forward<Node>(n)), origin(o) {}
};

// ---- patterns (3.10+)
struct MatchValue {
  ExprId value;
};
struct MatchSingleton {
  ExprId value;
};
struct MatchSequence {
  std::vector<PatternId> patterns;
};
struct MatchMapping {
  ExprIds keys;
  std::vector<PatternId> patterns;
  NameId rest;
};  // rest may be invalid
struct MatchClass {
  ExprId cls;
  std::vector<PatternId> patterns;
  std::vector<NameId> kwd_attrs;
  std::vector<PatternId> kwd_patterns;
};
struct MatchStar {
  NameId name;
};  // invalid: *_
struct MatchAs {
  PatternId pattern;
  NameId name;
};  // both may be invalid: `_`
struct MatchOr {
  std::vector<PatternId> patterns;
};
using PatternNode =
    std::variant<MatchValue, MatchSingleton, MatchSequence, MatchMapping, MatchClass, MatchStar, MatchAs, MatchOr>;
struct Pattern {
  PatternNode node;
  Origin origin;
  template <class Node>
  Pattern(Node&& n, Origin o) : node(std::forward<Node>(n)), origin(o) {}
};

// ---- statements
struct FunctionDef {
  NameId name;
  Boxed<Arguments> args;
  Block body;
  ExprIds decorators;
  ExprId returns;
  std::vector<TypeParam> type_params;
  bool is_async = false;
  std::optional<ConstId> docstring;
};
struct ClassDef {
  NameId name;
  ExprIds bases;
  Keywords keywords;
  Block body;
  ExprIds decorators;
  std::vector<TypeParam> type_params;
  std::optional<ConstId> docstring;
};
struct Return {
  ExprId value;                // may be invalid
  bool is_observable = false;  // removing it from the end of an arm would change the bytecode
};
struct Delete {
  ExprIds targets;
};
struct Assign {
  ExprIds targets;
  ExprId value;
};
struct TypeAlias {
  NameId name;
  std::vector<TypeParam> type_params;
  ExprId value;
};
struct AugAssign {
  ExprId target;
  BinaryOperator op;
  ExprId value;
};
struct AnnAssign {
  ExprId target, annotation, value;
  bool simple = true;
};  // value may be invalid; simple: a bare name, unparenthesised
struct For {
  ExprId target, iter;
  Block body, orelse;
  bool is_async = false;
};
struct While {
  ExprId test;
  Block body, orelse;
};
struct If {
  ExprId test;
  Block body, orelse;
};
struct WithItem {
  ExprId context;
  ExprId vars;
};  // vars may be invalid
struct With {
  std::vector<WithItem> items;
  Block body;
  bool is_async = false;
};
struct MatchCase {
  PatternId pattern;
  ExprId guard;
  Block body;
};  // guard may be invalid
struct Match {
  ExprId subject;
  std::vector<MatchCase> cases;
};
struct Raise {
  ExprId exc, cause;
};  // each may be invalid
struct ExceptHandler {
  ExprId type;
  NameId name;
  Block body;
};  // each may be invalid
struct Try {
  Block body;
  std::vector<ExceptHandler> handlers;
  Block orelse, finalbody;
  bool is_star = false;
};
struct Assert {
  ExprId test, msg;
};  // msg may be invalid
struct Alias {
  std::string name;
  NameId asname;
};  // dotted name; asname may be invalid
struct Import {
  std::vector<Alias> names;
  bool is_lazy = false;
};
struct ImportFrom {
  std::string module;
  std::vector<Alias> names;
  static constexpr std::uint32_t kMostDots = 100;  // in printed text; `__import__` accepts any level

  std::uint32_t level = 0;
  bool is_lazy = false;
};  // name "*" for a star
struct Global {
  std::vector<NameId> names;
};
struct Nonlocal {
  std::vector<NameId> names;
};
struct ExprStmt {
  ExprId value;
};
struct Pass {};
struct Break {};
struct Continue {};
struct Comment {
  std::string text;
};  // one line, without '#'; no effect

using StmtNode = std::variant<FunctionDef, ClassDef, Return, Delete, Assign, TypeAlias, AugAssign, AnnAssign, For,
                              While, If, With, Match, Raise, Try, Assert, Import, ImportFrom, Global, Nonlocal,
                              ExprStmt, Pass, Break, Continue, Comment>;
struct Stmt {
  StmtNode node;
  Origin origin;
  template <class Node>
  Stmt(Node&& n, Origin o) : node(std::forward<Node>(n)), origin(o) {}
};

// Returns whether a node is of one of the given kinds.
template <class... Kinds, class Node>
[[nodiscard]] bool is(const Node& node) {
  return (std::holds_alternative<Kinds>(node) || ...);
}
// Returns whether a statement has its own scope.
[[nodiscard]] inline bool is_scope(const StmtNode& node) { return is<FunctionDef, ClassDef>(node); }

// A tree: the arenas and the interned names. The roots are Blocks, which the tree does not keep.
class Tree {
 public:
  StableArena<ExprTag, Expr> exprs;
  StableArena<StmtTag, Stmt> stmts;
  StableArena<PatternTag, Pattern> patterns;

  template <class Node>
  ExprId expr(Node&& node, Origin origin = {}) {
    return exprs.add(std::forward<Node>(node), origin);
  }
  template <class Node>
  StmtId stmt(Node&& node, Origin origin = {}) {
    return stmts.add(std::forward<Node>(node), origin);
  }
  template <class Node>
  PatternId pattern(Node&& node, Origin origin = {}) {
    return patterns.add(std::forward<Node>(node), origin);
  }
  NameId intern(std::string_view text);
  [[nodiscard]] std::string_view text(NameId id) const { return names_[id.n].text; }

  Tree() = default;
  Tree(const Tree&) = delete;  // names_ points into chunks_
  Tree& operator=(const Tree&) = delete;
  Tree(Tree&&) = default;
  Tree& operator=(Tree&&) = default;

 private:
  struct Interned {
    std::string_view text;
    std::uint64_t hash = 0;
  };
  [[nodiscard]] std::string_view store_text(std::string_view text);
  void add_to_index(NameId id);

  std::vector<Interned> names_;                  // by NameId
  std::vector<NameId> index_;                    // hash table with open addressing; the size is a power of two
  std::vector<std::unique_ptr<char[]>> chunks_;  // storage of the names
  char* next_ = nullptr;                         // where the next name is stored
  std::size_t left_ = 0;
};

// Structural equality without origins. Constants are compared with same_constant().
[[nodiscard]] bool equal(const Tree& tree, const CodeTree& code, ExprId a, ExprId b);

}  // namespace depyf::ast
